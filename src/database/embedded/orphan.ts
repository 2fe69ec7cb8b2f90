/**
 * A PostgreSQL that outlived its Tideline. After `kill -9` the server goes on alone and its lock file stays; after a
 * power cut only the lock file stays. Both are cleared here, and only for a server of this very folder.
 */
import { execFile } from "node:child_process";
import { readFile, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

/** A fast shutdown finishes within this, unless a checkpoint is large. */
const fastShutdownMs = 15_000;

/** @returns the process id of the orphan that was stopped, or null when there was none. */
export async function stopOrphan(files: string): Promise<number | null> {
  const lockFile = path.join(files, "postmaster.pid");
  const text = await readFile(lockFile, "utf8").catch(() => null);
  if (text === null) return null;
  const pid = Number.parseInt(text, 10);
  const ours = Number.isInteger(pid) && (await runsOn(pid, files));
  if (ours) await stopServer(pid);
  await rm(lockFile, { force: true });
  return ours ? pid : null;
}

/** SIGINT rolls open transactions back and checkpoints; SIGQUIT, after the grace, leaves recovery to the next start. */
export async function stopServer(pid: number): Promise<void> {
  signal(pid, "SIGINT");
  if (await gone(pid, fastShutdownMs)) return;
  signal(pid, "SIGQUIT");
  await gone(pid, fastShutdownMs);
}

/** A server works in its own folder, by whatever path it was started: another spelling must not make it a stranger. */
async function runsOn(pid: number, files: string): Promise<boolean> {
  const command = await commandLine(pid);
  if (command === null || !command.includes("postgres")) return false;
  if (command.includes(files)) return true;
  const [worksIn, here] = await Promise.all([realpath(`/proc/${pid}/cwd`).catch(() => null), realpath(files)]);
  return worksIn === here;
}

async function commandLine(pid: number): Promise<string | null> {
  if (process.platform === "linux") {
    return await readFile(`/proc/${pid}/cmdline`, "utf8").then(
      (text) => text.replaceAll("\0", " "),
      () => null,
    );
  }
  return await promisify(execFile)("ps", ["-p", String(pid), "-o", "command="]).then(
    ({ stdout }) => stdout,
    () => null,
  );
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

async function gone(pid: number, withinMs: number): Promise<boolean> {
  const until = Date.now() + withinMs;
  while (signal(pid, 0)) {
    // A killed child that nobody has reaped yet still answers signals; /proc shows it without a command line.
    if ((await commandLine(pid))?.trim() === "") return true;
    if (Date.now() > until) return false;
    await wait(50);
  }
  return true;
}
