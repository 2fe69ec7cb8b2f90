/**
 * How long does a first start take, and how much memory does the service keep? npm run bench -- start [--short]
 *
 * `tideline up` as `npm start` runs it, on an empty folder, with the packages there and its own PostgreSQL: seconds until
 * its address answers, and until the demo's services are recognised; the processor's time of all its processes beside
 * them, which other work on the machine moves less. Then the memory of the service's one process, all roles in it, five
 * minutes after, with PostgreSQL's beside it: there each process' share of what they share.
 *
 * ext4 does not give an inode anew for minutes after its file was removed, and looks through all of those for each new
 * file: where much was removed lately, making one takes thirty times as long, and a first start makes some thousand. So
 * it begins once files are made at their usual pace, and removes nothing between its starts.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const isShort = process.argv.includes("--short");
const starts = isShort ? 3 : 5;
const idleMs = 5 * 60_000;
const lookEveryMs = 20;
/** A machine that is busy with other things needs minutes. */
const startsWithinMs = 300_000;
/** Of processor: making a file takes some .03 ms as a rule, and .3 to .6 where much was removed lately. */
const fileMsMax = 0.12;
const filesTried = 500;
const fileLooks = 37;
const fileLookEveryMs = 10_000;

export async function bench(_clusterUrl: string, folder: string): Promise<void> {
  if (process.platform !== "linux") throw new Error("memory and processor time are read from Linux' /proc");
  await waitForUsualPace(folder);
  const all: Started[] = [];
  for (let n = 0; n < starts; n += 1) {
    const started = await start(path.join(folder, `data-${n}`));
    all.push(started);
    try {
      if (n === starts - 1) await reportMemory(started.child);
    } finally {
      await stop(started.child);
    }
  }
  const median = (of: (started: Started) => number) => all.map(of).sort((a, b) => a - b)[all.length >> 1] ?? 0;
  console.log(
    `first start, median of ${all.length}: ready in ${median(({ readyMs }) => readyMs / 1000).toFixed(1)} s, ` +
      `recognised in ${median(({ recognisedMs }) => recognisedMs / 1000).toFixed(1)} s ` +
      `(processors ${median(({ readyCpuMs }) => readyCpuMs / 1000).toFixed(1)} and ${median(({ recognisedCpuMs }) => recognisedCpuMs / 1000).toFixed(1)} s of ${cpus().length}; load ${loadavg()[0]?.toFixed(1)})`,
  );
}

/** Looks for as long as an inode may be kept back, and goes on then, and says so. */
async function waitForUsualPace(folder: string): Promise<void> {
  let fileMs = Number.POSITIVE_INFINITY;
  for (let look = 0; look < fileLooks; look += 1) {
    const files = path.join(folder, `pace-${look}`);
    await mkdir(files);
    const before = process.cpuUsage();
    for (let n = 0; n < filesTried; n += 1) writeFileSync(path.join(files, String(n)), "");
    const { user, system } = process.cpuUsage(before);
    fileMs = (user + system) / 1000 / filesTried;
    if (fileMs <= fileMsMax) break;
    await wait(fileLookEveryMs);
  }
  console.log(`a file is made in ${fileMs.toFixed(2)} ms of processor`);
}

type Started = {
  child: ChildProcess;
  readyMs: number;
  recognisedMs: number;
  readyCpuMs: number;
  recognisedCpuMs: number;
};

async function start(dataDir: string): Promise<Started> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      "--max-semi-space-size=8",
      "src/cli/tideline.mjs",
      "up",
      "--data-dir",
      dataDir,
      "--https-port",
      "0",
      "--sftp-port",
      "0",
    ],
    {
      cwd: path.join(import.meta.dirname, "../.."),
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TIDELINE_CONSOLE_PORT: "0", TIDELINE_LOG_FILE: path.join(dataDir, "..", "start.log") },
    },
  );
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const isSaid = async (words: string): Promise<{ ms: number; cpuMs: number }> => {
    while (!said.includes(words)) {
      if (child.exitCode !== null) throw new Error(`the service ended: ${said}`);
      if (performance.now() - startedAt > startsWithinMs) throw new Error(`the service does not get ready: ${said}`);
      await wait(lookEveryMs);
    }
    return { ms: performance.now() - startedAt, cpuMs: await processorMs(child) };
  };
  // The addresses are said when all doors are open.
  const ready = await isSaid("/health/ready");
  const recognised = await isSaid("Ready. Ctrl-C");
  return {
    child,
    readyMs: ready.ms,
    recognisedMs: recognised.ms,
    readyCpuMs: ready.cpuMs,
    recognisedCpuMs: recognised.cpuMs,
  };
}

async function reportMemory(child: ChildProcess): Promise<void> {
  await wait(idleMs);
  const family = await familyOf(child.pid ?? 0);
  const service = family.find(({ name }) => name !== "postgres");
  const server = family.filter(({ name }) => name === "postgres");
  const [own, peak] = [
    await statusKilobytes(service?.pid ?? 0, "VmRSS"),
    await statusKilobytes(service?.pid ?? 0, "VmHWM"),
  ];
  let ofServer = 0;
  for (const { pid } of server) ofServer += await shareKilobytes(pid);
  console.log(
    `memory ${idleMs / 1000} s after the demo: the service ${mega(own)} MB, at most ${mega(peak)} MB since it began; ` +
      `PostgreSQL beside it ${mega(ofServer)} MB in ${server.length} processes`,
  );
}

function mega(kilobytes: number): string {
  return ((kilobytes * 1024) / 1e6).toFixed(0);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

type Process = { pid: number; name: string; cpuMs: number };

/** The process that holds the most memory of those that are no PostgreSQL comes first: what starts it is small. */
async function familyOf(root: number): Promise<Process[]> {
  const found = new Map<number, Process & { parent: number; pages: number }>();
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const text = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => null);
    if (text === null) continue;
    // proc(5): the name in brackets; behind it the parent is the 2nd field, processor times 12th to 15th, pages 22nd.
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const sum = (from: number, to: number) => fields.slice(from, to).reduce((total, one) => total + one, 0);
    found.set(Number(entry), {
      pid: Number(entry),
      name: text.slice(text.indexOf("(") + 1, text.lastIndexOf(")")),
      parent: fields[1] ?? 0,
      // Linux counts in hundredths of a second; those of children that have ended are added.
      cpuMs: sum(11, 15) * 10,
      pages: fields[21] ?? 0,
    });
  }
  const isOf = (pid: number): boolean => pid === root || (found.has(pid) && isOf(found.get(pid)?.parent ?? 0));
  return [...found.values()].filter(({ pid }) => isOf(pid)).sort((a, b) => b.pages - a.pages);
}

async function processorMs(child: ChildProcess): Promise<number> {
  return (await familyOf(child.pid ?? 0)).reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

async function statusKilobytes(pid: number, field: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? Number.NaN);
}

/** What processes share counts once over all of them. */
async function shareKilobytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0);
}
