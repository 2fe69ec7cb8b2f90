/**
 * A fleet of real processes on real servers, and two banks' worth of clients at work on it, with a book of what was
 * acknowledged. Drills strike it and then ask what became of the book.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { present } from "../../src/present.ts";
import type { DatabaseUrls } from "../../src/database/service-roles.ts";
import { Book } from "../faults/book.ts";
import { judge, type Verdict } from "../faults/checker.ts";
import {
  countCompleted,
  countUnfinished,
  findReceipts,
  findRequests,
  findRows,
  tellUnfinished,
} from "../faults/found.ts";
import { readBatchKey } from "../faults/generated.ts";
import { Member } from "../faults/member.ts";
import { createRandom } from "../faults/random.ts";
import { type Bank, createUsers, push } from "../faults/sending.ts";
import { Traffic, type TrafficSettings } from "../faults/traffic.ts";
import { onboardPartner } from "../outside/partner.ts";
import { repository } from "../outside/service.ts";
import { freePort } from "../ports.ts";
import type { Postgres } from "./postgres.ts";
import { findProgram, run, type Stage, until } from "./tools.ts";

export type FleetSettings = {
  urls: DatabaseUrls;
  redisUrl: string | null;
  /** By name, what each runs. */
  members: Readonly<Record<string, string>>;
  environment?: NodeJS.ProcessEnv;
  /** The folder of the release that they run at first, and settings that it does not know. Default: this one. */
  release?: string;
  unknownSettings?: readonly string[];
  /** HAProxy stands before the doors, which have ports of their own, and asks whether they are ready. */
  balanced?: boolean;
};

/** Kept from run to run: a start takes half as long with it. */
const compiled = path.join(tmpdir(), "tideline-drills-compiled");

export type FleetMember = { process: Member; role: string; observePort: number; doorPort: number };

export class Fleet {
  readonly folder: string;
  readonly httpsPort: number;
  readonly sftpPort: number;
  readonly environment: NodeJS.ProcessEnv;
  readonly members = new Map<string, FleetMember>();
  #formerEnvironment: NodeJS.ProcessEnv = {};

  private constructor(folder: string, ports: { https: number; sftp: number }, environment: NodeJS.ProcessEnv) {
    [this.folder, this.httpsPort, this.sftpPort] = [folder, ports.https, ports.sftp];
    this.environment = environment;
  }

  /** Starts every member. The first API is whose authority clients trust. */
  static async open(stage: Stage, settings: FleetSettings): Promise<Fleet> {
    const { urls, redisUrl, members, environment = {}, release, unknownSettings = [], balanced = false } = settings;
    const folder = path.join(stage.folder, "fleet");
    await mkdir(folder);
    const firstApi = Object.entries(members).find(([, role]) => role === "api")?.[0] ?? "api";
    const fleet = new Fleet(
      folder,
      { https: await freePort(), sftp: await freePort() },
      {
        NODE_COMPILE_CACHE: compiled,
        ...addressesOf(urls),
        ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
        TIDELINE_KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
        TIDELINE_VAULT_DIR: path.join(folder, "vault"),
        TIDELINE_LANDING_DIR: path.join(folder, "landing"),
        TIDELINE_HOST_KEYS_DIR: path.join(folder, firstApi, "host-keys"),
        TIDELINE_SFTP_INCOMPLETE_MINUTES: "0",
        TIDELINE_CONSOLE_PORT: "0",
        // The machine has few cores for so many processes.
        TIDELINE_LOAD_THREADS: "1",
        TIDELINE_DOOR_THREADS: "1",
        ...environment,
      },
    );
    const known = Object.entries(fleet.environment).filter(([name]) => !unknownSettings.includes(name));
    fleet.#formerEnvironment = release === undefined ? fleet.environment : Object.fromEntries(known);
    for (const [name, role] of Object.entries(members)) await fleet.#add(name, role, balanced, release);
    stage.atEnd(() => fleet.end());
    await fleet.#launch(firstApi);
    // Clients trust one authority, whichever door they reach.
    for (const name of fleet.names("api").filter((one) => one !== firstApi))
      await cp(path.join(folder, firstApi, "tls"), path.join(folder, name, "tls"), { recursive: true });
    const others = [...fleet.members.keys()].filter((name) => name !== firstApi);
    await Promise.all(others.map((name) => fleet.#launch(name)));
    if (balanced) await startBalancer(stage, fleet);
    return fleet;
  }

  async #launch(name: string): Promise<void> {
    const one = this.member(name);
    one.launch();
    if (!(await one.settled())) throw new Error(`${name} does not start: ${one.said}`);
  }

  /** Asks a member to stop, waits until it has, and starts it again: by the release of today. */
  async restart(name: string): Promise<void> {
    const found = this.members.get(name);
    if (found === undefined) throw new Error(`the fleet has no ${name}`);
    await found.process.stop();
    const { release: _, ...settings } = found.process.settings;
    found.process = new Member({ ...settings, environment: this.environment });
    await this.#launch(name);
    await until(`${name} is ready again`, () => this.isReady(name), 240_000);
  }

  async #add(name: string, role: string, balanced: boolean, release: string | undefined): Promise<void> {
    const observePort = await freePort();
    const doorPort = balanced ? await freePort() : role === "api" ? this.httpsPort : this.sftpPort;
    const ports = [
      ...(role === "api" ? ["--https-port", String(doorPort)] : []),
      ...(role === "sftp" ? ["--sftp-port", String(doorPort)] : []),
    ];
    const process = new Member({
      ...(release === undefined ? {} : { release }),
      name,
      environment: this.#formerEnvironment,
      dataDir: path.join(this.folder, name),
      logFile: path.join(this.folder, `${name}.log`),
      flags: ["--roles", role, "--observe-port", String(observePort), ...ports],
    });
    this.members.set(name, { process, role, observePort, doorPort });
  }

  member(name: string): Member {
    const found = this.members.get(name);
    if (found === undefined) throw new Error(`the fleet has no ${name}`);
    return found.process;
  }

  names(role: string): string[] {
    return [...this.members].filter(([, one]) => one.role === role).map(([name]) => name);
  }

  /** Whether a member calls itself ready; `of`: for reads or for writes alone. */
  async isReady(name: string, of: "" | "/reads" | "/writes" = ""): Promise<boolean> {
    const port = this.members.get(name)?.observePort;
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready${of}`, {
      signal: AbortSignal.timeout(4000),
    }).catch(() => null);
    return answer?.status === 200;
  }

  async tideline(...parameters: string[]): Promise<string> {
    return await this.#command(repository, parameters);
  }

  async #command(release: string, parameters: readonly string[]): Promise<string> {
    const command = [path.join(release, "src/cli/tideline.mjs"), ...parameters, "--data-dir", this.#firstData()];
    const environment = release === repository ? this.environment : this.#formerEnvironment;
    return await run(process.execPath, command, { ...process.env, ...environment });
  }

  #firstData(): string {
    return path.join(this.folder, this.names("api")[0] ?? "");
  }

  /** A bank with users, onboarded by commands. @param release whose they are; default: this one's */
  async onboard(id: string, users: number, release: string = repository): Promise<Bank> {
    const brand = { id: `${id}-dk`, country: "DK", currency: "DKK", timeZone: "Europe/Copenhagen", locale: "da-DK" };
    const service = {
      folder: this.folder,
      dataDir: this.#firstData(),
      httpsPort: this.httpsPort,
      sftpPort: this.sftpPort,
      tideline: (...words: string[]) => this.#command(release, words),
    };
    const partner = await onboardPartner(service, id, brand);
    const bank = {
      partner,
      key: readBatchKey(await partner.batchKey()),
      book: new Book(),
      users: Array.from({ length: users }, (_, number) => `${id}-user-${number}`),
      prefix: id,
      over: new AbortController().signal,
    };
    await createUsers(bank);
    return bank;
  }

  /** What its processes logged of a kind. */
  async events(name: string, event: string): Promise<Record<string, unknown>[]> {
    return await this.member(name).eventsNamed(event);
  }

  async end(): Promise<void> {
    const processes = [...this.members.values()].map((one) => one.process);
    for (const one of processes) one.retire();
    await Promise.all(processes.map((one) => one.kill()));
  }
}

/** As an operator's: it sends nothing to a door that is not ready, and closes no connection by itself. */
async function startBalancer(stage: Stage, fleet: Fleet): Promise<void> {
  const haproxy = await findProgram("haproxy");
  const doors = (role: string, port: number, asked: string) => [
    `listen ${role}`,
    `  bind 127.0.0.1:${port}`,
    `  option httpchk GET ${asked}`,
    "  default-server inter 500ms fall 1 rise 1",
    ...fleet.names(role).map((name) => {
      const { doorPort, observePort } = present(fleet.members.get(name), name);
      return `  server ${name} 127.0.0.1:${doorPort} check port ${observePort}`;
    }),
  ];
  const file = path.join(stage.folder, "doors.cfg");
  const text = [
    "global",
    "  maxconn 2000",
    "defaults",
    "  mode tcp",
    "  retries 3",
    "  option redispatch",
    "  timeout connect 3s",
    "  timeout check 4s",
    "  timeout client 1h",
    "  timeout server 1h",
    ...doors("api", fleet.httpsPort, "/health/ready/reads"),
    ...doors("sftp", fleet.sftpPort, "/health/ready/writes"),
    "",
  ];
  await writeFile(file, text.join("\n"));
  stage.spawn(haproxy, ["-db", "-f", file]);
  await until("the balancer takes connections", async () => {
    for (const port of [fleet.httpsPort, fleet.sftpPort]) {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      socket.destroy();
    }
    return true;
  });
}

/** What a member's environment has of them. */
function addressesOf({ migrator, jobs, jobsDirect, loader, api }: DatabaseUrls): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: migrator,
    DATABASE_URL_JOBS: jobs,
    DATABASE_URL_LOADER: loader,
    DATABASE_URL_API: api,
    ...(jobsDirect === undefined ? {} : { DATABASE_URL_JOBS_DIRECT: jobsDirect }),
  };
}

/** Both doors in use until it is told to finish. */
export function startTraffic(bank: Bank, seed: number, settings?: TrafficSettings): Traffic {
  const traffic = new Traffic(bank, createRandom(seed), settings);
  traffic.start();
  return traffic;
}

/** Everything that was sent is completed, loaded and read back. @param url for looking, at the server itself */
export async function settle(bank: Bank, url: string, withinMs = 1_200_000): Promise<Verdict> {
  await push(bank, [], bank.users);
  await until(
    "everything acknowledged is loaded",
    async () =>
      (await countUnfinished(url)) === 0 &&
      (await countCompleted(url, bank.partner.id, bank.users)) === bank.users.length,
    withinMs,
    100,
  ).catch(async (error: unknown) => {
    throw new Error(await tellUnfinished(url), { cause: error });
  });
  return judge(
    bank.book,
    await findRows(url, bank.partner.id, bank.book),
    await findRequests(url, bank.partner.id, bank.book),
    await findReceipts(bank.partner, bank.prefix),
  );
}

/** @throws with examples, when the book is not kept */
export function assertKept({ lost, doubled, foreign, receiptsWrong, examples }: Verdict, bank: Bank): string {
  assert.deepEqual(
    { lost, doubled, foreign, receiptsWrong },
    { lost: 0, doubled: 0, foreign: 0, receiptsWrong: 0 },
    examples.join("\n"),
  );
  return `${bank.book.acknowledged.length} deliveries with ${bank.book.owed.size} records acknowledged: lost 0, doubled 0, wrong receipts 0`;
}

/**
 * Through a pooler a lock that a session took stays with a connection of the server's that nobody keeps: whatever it is
 * about stands still for as long as the pooler keeps the connection.
 */
export async function assertNoLockIsLeft(postgres: Postgres): Promise<void> {
  const left = await postgres.ask<{ by: string; query: string }>(
    `select application_name as by, left(query, 80) as query
       from pg_locks
       join pg_stat_activity using (pid)
      where locktype = 'advisory'
        and state = 'idle'
        and application_name like 'tideline%'`,
  );
  assert.deepEqual(left, []);
}

export type Call = { at: number; took: number; status: number };

/** One caller that calls without pause. `stop` ends it. */
export function callWithoutPause(call: () => Promise<number>, pauseMs = 20) {
  const calls: Call[] = [];
  const stopping = new AbortController();
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const at = performance.now();
      const status = await call().catch(() => 0);
      calls.push({ at, took: performance.now() - at, status });
      await wait(pauseMs);
    }
  })();
  return {
    calls,
    stop: async () => {
      stopping.abort();
      await loop;
      return calls;
    },
  };
}

/** Seconds from a moment until the first call that succeeded of those begun after it. */
export function secondsUntilServed(calls: readonly Call[], since: number): number | null {
  const served = calls.find(({ at, status }) => at > since && status >= 200 && status < 300);
  return served === undefined ? null : (served.at + served.took - since) / 1000;
}
