/** The compose file: what both of its profiles start, and with which settings and rights. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { parse } from "yaml";
import { examineConfig } from "../../src/config.ts";

type Service = {
  image: string;
  profiles: string[];
  command?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
};
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> };

const file = path.resolve(import.meta.dirname, "../../deploy/compose.yaml");
const { services, volumes } = parse(await readFile(file, "utf8"), { merge: true }) as Compose;
const ours = Object.entries(services).filter(([, { image }]) => image.includes("TIDELINE_IMAGE"));

/** As compose does: what the environment does not say has the text behind `:-`. */
function interpolated(environment: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [name, text.replaceAll(/\$\{\w+:-([^}]*)\}/g, "$1")]),
  );
}

test("one machine is one service, and a fleet one API, one SFTP door, a scheduler, a console, two workers and their servers", (t) => {
  const of = (profile: string) => Object.keys(services).filter((name) => services[name]?.profiles.includes(profile));
  t.deepEqual(of("one"), ["tideline"]);
  t.deepEqual(of("fleet"), ["api", "sftp", "scheduler", "console", "worker-1", "worker-2", "postgres", "redis"]);
  const roles = ours.flatMap(([, { command }]) => command?.slice(-1) ?? []);
  t.deepEqual(roles, ["api", "sftp", "scheduler", "console", "worker", "worker"]);
});

test("Tideline's containers have a root that is read-only, no capability, and a folder of their own", (t) => {
  const own = ours.map(([name, { read_only: isReadOnly, cap_drop: dropped, volumes: mounted = [] }]) => {
    t.true(isReadOnly, name);
    t.deepEqual(dropped, ["ALL"], name);
    return mounted.find((one) => one.endsWith(":/var/lib/tideline"))?.split(":")[0];
  });
  t.is(new Set(own).size, ours.length);
  t.true(own.every((name) => name !== undefined && name in volumes));
});

test("the console can be reached from its own machine, and from nowhere else", (t) => {
  for (const name of ["tideline", "console"]) {
    const { ports = [], environment = {} } = services[name] ?? {};
    const { problems, config } = examineConfig({}, environment);
    t.deepEqual(
      problems.filter((one) => one.includes("CONSOLE")),
      [],
    );
    t.is(config.consoleHost, "0.0.0.0", name);
    t.deepEqual(
      ports.filter((one) => one.endsWith(`:${config.consolePort}`)),
      [`127.0.0.1:${config.consolePort}:8444`],
    );
  }
});

test("every setting is one, and the fleet's go together", (t) => {
  const given = {
    DATABASE_URL: "postgres://tideline_migrator:secret@postgres/tideline",
    DATABASE_URL_API: "postgres://tideline_api:secret@postgres/tideline",
    TIDELINE_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  for (const [name, { environment = {}, command }] of ours) {
    const settings = interpolated(environment);
    const fleet = services[name]?.profiles.includes("fleet") === true;
    const roles = command?.at(-1);
    const { problems } = examineConfig(roles === undefined ? {} : { roles }, { ...settings, ...(fleet ? given : {}) });
    t.deepEqual(problems, [], name);
  }
});
