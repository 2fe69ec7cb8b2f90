/**
 * Types what README.md and docs/ tell their readers to type, in order, on a Tideline that was started as they say:
 *
 *   node test/outside/documents.ts [docs/bank.md …]
 *
 * Where others than README.md are named, the service comes up without the demo's households, which only that one is
 * about. Each document has a shell of its own in the folder of a fresh clone, and all have one service. Files that it
 * shows are written, what it shows as printed is compared. The ports, which may be in use here, are others than those
 * in the text.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Block, documentNames, isShown, readBlocks, readDocument, repository } from "../documents.ts";
import { freePort } from "../ports.ts";
import { killHard, listProcesses, treeOf } from "./processes.ts";

/** What the transcripts of the documents are of. */
const businessDay = "2026-11-22";
const startWithinMs = 120_000;
/** Longer than any document takes; one that hangs must not hang its test. */
const documentWithinMs = 600_000;

const folder = await mkdtemp(path.join(tmpdir(), "tideline-documents-"));
// As root, PostgreSQL's account must pass through.
await chmod(folder, 0o711);
const clone = path.join(folder, "tideline");
const ports = {
  "8443": await freePort(),
  "8444": await freePort(),
  "2222": await freePort(),
  "9090": await freePort(),
};
const environment = await prepare();
const started: ChildProcess[] = [];

try {
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : await documentNames();
  await startService(readBlocks(await readDocument("README.md")), wanted.includes("README.md"));
  for (const name of wanted) {
    const startedAt = performance.now();
    const ran = await runDocument(name, readBlocks(await readDocument(name)));
    console.log(`${name}: ${ran} blocks as they should be, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  console.log("documents: all as it should be");
} finally {
  await clear();
}

/** A clone's folder, and the account of somebody who has just come. */
async function prepare(): Promise<NodeJS.ProcessEnv> {
  const [home, programs] = [path.join(folder, "home"), path.join(folder, "programs")];
  for (const one of [clone, home, programs]) await mkdir(one, { mode: 0o711 });
  // What the package has its readers import: `npm pack` makes it, too.
  execFileSync(process.execPath, [path.join(repository, "src/packaging/build.ts")], {
    cwd: repository,
    stdio: "ignore",
  });
  for (const name of await readdir(repository)) {
    if (!name.startsWith(".") && name !== "data") await symlink(path.join(repository, name), path.join(clone, name));
  }
  // Debian's Python has Debian's packages, and need not be the first on the path.
  if (isInstalled("/usr/bin/python3")) await symlink("/usr/bin/python3", path.join(programs, "python3"));
  return {
    ...process.env,
    PATH: `${programs}:${path.join(repository, "node_modules/.bin")}:${process.env.PATH ?? ""}`,
    HOME: home,
    GNUPGHOME: undefined,
    TIDELINE_HTTPS_PORT: String(ports["8443"]),
    TIDELINE_CONSOLE_PORT: String(ports["8444"]),
    TIDELINE_SFTP_PORT: String(ports["2222"]),
    TIDELINE_AS_OF: businessDay,
    TIDELINE_LOG_FILE: path.join(process.env.TIDELINE_TEST_LOGS ?? folder, `tideline-documents-${process.pid}.log`),
  };
}

function withPorts(text: string): string {
  return Object.entries(ports).reduce(
    (said, [usual, free]) => said.replaceAll(new RegExp(`\\b${usual}\\b`, "g"), String(free)),
    text,
  );
}

/** As README.md says, and prints what it shows. */
async function startService(blocks: readonly Block[], withDemo: boolean): Promise<void> {
  const at = blocks.findIndex(({ role }) => role === "service");
  const [command, shown] = [blocks[at], blocks[at + 1]];
  assert.ok(command && shown?.role === "output", "README.md starts the service and shows what it prints");
  const startedAt = performance.now();
  const service = run(withDemo ? command.text : `${command.text.trim()} -- --no-demo`);
  let printed = "";
  service.stdout?.on("data", (piece: Buffer) => (printed += piece));
  service.stderr?.on("data", (piece: Buffer) => (printed += piece));
  while (!printed.includes("Ready.")) {
    assert.ok(
      service.exitCode === null && performance.now() - startedAt < startWithinMs,
      `the service did not get ready:\n${printed}`,
    );
    await wait(100);
  }
  console.log(`the service started in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  if (!withDemo) return;
  // npm says first what it runs; of what is under way a terminal keeps the last line only.
  const kept = printed.slice(printed.indexOf("Tideline is starting")).replaceAll(/^.*\((?!100%)\d+%\).*\n/gm, "");
  assertShown(withPorts(shown.text), kept, `README.md, line ${shown.line}`);
}

/** In a process group of its own. */
function run(commands: string): ChildProcess {
  const child = spawn("bash", ["-c", withPorts(commands)], {
    cwd: clone,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  started.push(child);
  return child;
}

/** @returns how many of its blocks were run, written or compared */
async function runDocument(name: string, blocks: readonly Block[]): Promise<number> {
  const place = path.join(folder, path.basename(name, ".md"));
  await mkdir(place);
  const steps = blocks.filter((block) => isDone(name, block));
  for (const { line, text } of steps) await writeFile(path.join(place, String(line)), withPorts(text));
  const script = steps.flatMap((step) => commandsFor(step, place)).join("\n");
  const shell = run(`set -e -o pipefail\n${script}`);
  const overdue = setTimeout(() => shell.kill(), documentWithinMs);
  const [code] = (await once(shell, "exit")) as [number | null];
  clearTimeout(overdue);
  if (code !== 0) assert.fail(await describeFailure(name, place, code));
  for (const [at, block] of blocks.entries()) {
    const before = blocks[at - 1];
    if (block.role !== "output" || before === undefined || !steps.includes(before)) continue;
    assertShown(
      withPorts(block.text),
      await readFile(path.join(place, `${before.line}.printed`), "utf8"),
      `${name}, line ${block.line}`,
    );
  }
  return steps.length;
}

/** Everything but what is only shown, and what this machine lacks. */
function isDone(name: string, { role, name: needed, line }: Block): boolean {
  if (role === "file") return true;
  if (role !== "run") return false;
  const isMissing = needed !== null && !isInstalled(needed);
  if (isMissing) console.log(`SKIPPED: ${name}, line ${line}: there is no ${needed} here`);
  return !isMissing;
}

/** Read into the one shell, so that folders, variables and functions stay for the blocks that follow. */
function commandsFor({ role, line, name }: Block, place: string): string[] {
  const block = path.join(place, String(line));
  if (role === "file") return [`cp '${block}' '${name}'`];
  if (role === "run")
    return [`echo ${line} >'${place}/reached'`, `source '${block}' >'${block}.printed' 2>'${block}.said'`];
  return [];
}

async function describeFailure(name: string, place: string, code: number | null): Promise<string> {
  const line = (await readFile(path.join(place, "reached"), "utf8").catch(() => "")).trim();
  const [commands, printed, said] = await Promise.all(
    ["", ".printed", ".said"].map((ending) => readFile(path.join(place, `${line}${ending}`), "utf8").catch(() => "")),
  );
  return `${name}, line ${line}: exit code ${code}\n${commands}\n--- printed\n${printed}\n--- said\n${said}`;
}

function assertShown(shown: string, printed: string, where: string): void {
  assert.ok(isShown(shown, printed), `${where} shows\n${shown}\nand what was printed is\n${printed}`);
}

function isInstalled(program: string): boolean {
  try {
    execFileSync("bash", ["-c", `command -v '${program}'`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Of the processes only those that were started here, and what they started. */
async function clear(): Promise<void> {
  const [service, ...shells] = started;
  const processes = await listProcesses();
  killHard(shells.flatMap(({ pid }) => treeOf(processes, pid ?? 0)));
  if (service?.pid !== undefined && service.exitCode === null) {
    const ended = once(service, "close");
    process.kill(-service.pid, "SIGINT");
    await ended;
  }
  try {
    execFileSync("gpgconf", ["--kill", "all"], { env: environment, stdio: "ignore" });
  } catch {
    // Nobody had begun with GnuPG.
  }
  const location = await readFile(path.join(clone, "data/postgres-location"), "utf8").then(
    (text) => text.trim(),
    () => null,
  );
  if (location !== null) await rm(location, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
