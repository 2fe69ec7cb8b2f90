/**
 * How fast do files go up and down with OpenSSH's client? The floor, measured in the same run: OpenSSH's own server on
 * this machine, both with their defaults. And does memory stay flat with eight uploads at once, also on a slow disk?
 *
 *   npm run bench -- sftp [--short] [--rounds 5] [--disk] [--memory] [--slow]   one part or several; all where
 *   none is named
 *
 * "up" is what a client sees: Tideline has hashed and fsynced the file by then, OpenSSH's server has it in memory. "up
 * -f" is like with like: the client asks for an fsync, and both have the file on disk. Then the same in memory, which
 * takes the disk out. Both servers take turns in each round, and the ratio is the median of the rounds' own: a machine
 * that is busy for a while is busy for both.
 *
 * What bounds a transfer stands beside it: how full it keeps a processor at each end, and what the disk takes of a file
 * that is written and synced with no network before it, in the same rounds; "the disk alone" is that as a ratio to sshd. It is written through the kernel's cache, as sshd does,
 * and costs what that does: past it the disk may take more.
 */
import { execFile, spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { once } from "node:events";
import { copyFile, mkdtemp, open, rm, statfs } from "node:fs/promises";
import { cpus, freemem, loadavg } from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import {
  type BenchServer,
  cpuSeconds,
  makeClientKey,
  memoryMebibytes,
  startSshd,
  startTideline,
} from "./sftp/servers.ts";

const mebibyte = 1024 * 1024;
const short = process.argv.includes("--short");
const parts = ["--disk", "--memory", "--slow"] as const;
const named = parts.filter((part) => process.argv.includes(part));
const wanted = (part: (typeof parts)[number]) => named.length === 0 || named.includes(part);
const fileSizeBytes = (short ? 128 : 1024) * mebibyte;
const { rounds: roundsAsked } = parseArgs({ options: { rounds: { type: "string" } }, strict: false }).values;
const rounds = typeof roundsAsked === "string" ? Number(roundsAsked) : short ? 1 : 5;
const uploadsAtOnce = 8;
const parallelSizeBytes = (short ? 32 : 256) * mebibyte;
const slowDiskMegabytesPerSecond = 40;
const slowSizeBytes = (short ? 8 : 64) * mebibyte;

type Direction = "up" | "up -f" | "down";
const directions: readonly Direction[] = ["up", "up -f", "down"];
type Transfer = { megabytesPerSecond: number; seconds: number; clientCpuSeconds: number; serverCpuSeconds: number };

/** Where Linux keeps files in memory. */
const memoryFolder = "/dev/shm";
/** The file, its way back, and one server's uploads, besides those at once. */
const memorySizeBytes = 6 * fileSizeBytes;

export async function bench(_clusterUrl: string, folder: string): Promise<void> {
  console.log(`load ${loadavg()[0]?.toFixed(1)} at the start, ${cpus().length} processors`);
  await makeClientKey(folder);
  if (wanted("--disk")) await measure(folder, "on disk");
  if (wanted("--memory")) await inMemoryIfItFits(folder);
  if (wanted("--slow")) await onSlowDisk(folder);
  console.log(`load ${loadavg()[0]?.toFixed(1)} at the end`);
}

async function onSlowDisk(folder: string): Promise<void> {
  const slow = await startTideline(folder, slowDiskMegabytesPerSecond);
  await uploadTogether(
    folder,
    slow,
    slowSizeBytes,
    `eight uploads at once onto a disk of ${slowDiskMegabytesPerSecond} MB/s`,
  );
  await slow.stop();
}

async function inMemoryIfItFits(folder: string): Promise<void> {
  if (await fitsInMemory()) await inMemory(folder);
  else console.log(`SKIPPED: the comparison in memory, for which ${memoryFolder} has no room`);
}

async function fitsInMemory(): Promise<boolean> {
  const space = await statfs(memoryFolder).catch(() => null);
  return space !== null && space.bavail * space.bsize > memorySizeBytes && freemem() > memorySizeBytes;
}

async function inMemory(keys: string): Promise<void> {
  const folder = await mkdtemp(path.join(memoryFolder, "tideline-bench-"));
  try {
    for (const name of ["partner", "partner.pub"]) await copyFile(path.join(keys, name), path.join(folder, name));
    await measure(folder, "in memory");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, where: string): Promise<void> {
  const file = await makeFile(path.join(folder, "day.jwe"), fileSizeBytes);
  const tideline = await startTideline(folder, null);
  const sshd = await startSshd(folder);
  if (!sshd) console.log("SKIPPED: the comparison with OpenSSH's server, which is not installed");
  try {
    await compare(folder, where, file, sshd ? [sshd, tideline] : [tideline]);
    await uploadTogether(folder, tideline, parallelSizeBytes, `eight uploads at once ${where}`);
  } finally {
    for (const server of [tideline, sshd]) await server?.stop();
    await rm(file);
  }
}

/** Round by round and in turns, so that both see the same machine. */
async function compare(folder: string, where: string, file: string, servers: readonly BenchServer[]): Promise<void> {
  const seen = new Map<string, Transfer[]>();
  const alone: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await settleDisk(folder);
    alone.push(await writeAlone(folder));
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
      for (const direction of directions) {
        await settleDisk(folder);
        const key = `${server.name} ${direction}`;
        seen.set(key, [...(seen.get(key) ?? []), await transfer(folder, server, commandFor(direction, file, server))]);
      }
      await server.empty();
    }
  }
  await rm(`${file}.back`);
  console.log(
    `${fileSizeBytes / mebibyte} MiB with OpenSSH's client ${where}, which takes ${median(alone).toFixed(0)} MB/s written and synced alone, medians of ${rounds}:`,
  );
  for (const direction of directions)
    report(
      direction,
      servers.map(({ name }) => ({ name, transfers: seen.get(`${name} ${direction}`) ?? [] })),
      direction === "down" ? null : alone,
    );
}

/** @returns MB/s of as many bytes, by whoever has nothing else to do */
async function writeAlone(folder: string): Promise<number> {
  const name = path.join(folder, "alone");
  const block = randomFillSync(Buffer.allocUnsafe(mebibyte));
  const startedAt = performance.now();
  const file = await open(name, "w");
  for (let written = 0; written < fileSizeBytes; written += block.length) await file.write(block);
  await file.sync();
  await file.close();
  const seconds = (performance.now() - startedAt) / 1000;
  await rm(name);
  return fileSizeBytes / seconds / 1e6;
}

/** Each upload is a new file: one that is overwritten before it was on disk never gets there. */
function commandFor(direction: Direction, file: string, server: BenchServer): string {
  if (direction === "down") return `get ${server.remoteFolder}up.jwe ${file}.back`;
  return direction === "up"
    ? `put ${file} ${server.remoteFolder}up.jwe`
    : `put -f ${file} ${server.remoteFolder}flushed.jwe`;
}

/** What an earlier transfer left to be written does not count to the next. */
async function settleDisk(folder: string): Promise<void> {
  await promisify(execFile)("sync", ["-f", folder]);
}

/** @param alone what the disk took in each round with nobody else writing: through the kernel's cache; null: not asked of this direction */
function report(
  direction: Direction,
  servers: readonly { name: string; transfers: readonly Transfer[] }[],
  alone: readonly number[] | null,
): void {
  const medians = servers.map(({ name, transfers }) => ({
    name,
    speed: median(transfers.map((one) => one.megabytesPerSecond)),
    client: median(transfers.map((one) => one.clientCpuSeconds)),
    server: median(transfers.map((one) => one.serverCpuSeconds)),
    ofClient: median(transfers.map((one) => one.clientCpuSeconds / one.seconds)),
    ofServer: median(transfers.map((one) => one.serverCpuSeconds / one.seconds)),
  }));
  for (const { name, speed, client, server, ofClient, ofServer } of medians) {
    console.log(
      `  ${direction.padEnd(5)} ${name.padEnd(12)} ${speed.toFixed(0).padStart(4)} MB/s, CPU seconds: client ${client.toFixed(2)}, server ${server.toFixed(2)}; of a processor: client ${ofClient.toFixed(2)}, server ${ofServer.toFixed(2)}`,
    );
  }
  const [floor, ours] = medians;
  if (!floor || !ours) return;
  const ratios = pairsOf(servers).map(([one, other]) => other.megabytesPerSecond / one.megabytesPerSecond);
  const each = ratios.map((ratio) => ratio.toFixed(2)).join(" ");
  const ceilings = (alone ?? []).map(
    (speed, round) => speed / (servers[0]?.transfers[round]?.megabytesPerSecond ?? speed),
  );
  const ceiling = alone === null ? "" : `; the disk alone ${median(ceilings).toFixed(2)}`;
  console.log(
    `  ${direction.padEnd(5)} ratio ${median(ratios).toFixed(2)} (${each}); of CPU ${((floor.client + floor.server) / (ours.client + ours.server)).toFixed(2)}${ceiling}`,
  );
}

/** The transfers of the floor and of ours, by round. */
function pairsOf([floor, ours]: readonly { transfers: readonly Transfer[] }[]): [Transfer, Transfer][] {
  return (floor?.transfers ?? []).flatMap((one, round): [Transfer, Transfer][] => {
    const other = ours?.transfers[round];
    return other ? [[one, other]] : [];
  });
}

async function transfer(folder: string, server: BenchServer, command: string): Promise<Transfer> {
  const before = { serverCpu: await cpuSeconds(server.pid), clientCpu: await cpuSeconds(process.pid) };
  const startedAt = performance.now();
  await openSshSftp(folder, server, command);
  const seconds = (performance.now() - startedAt) / 1000;
  // A child of sshd counts once it has ended, a moment after its client.
  await new Promise((resolve) => setTimeout(resolve, 200));
  return {
    megabytesPerSecond: fileSizeBytes / seconds / 1e6,
    seconds,
    clientCpuSeconds: (await cpuSeconds(process.pid)) - before.clientCpu,
    serverCpuSeconds: (await cpuSeconds(server.pid)) - before.serverCpu,
  };
}

async function uploadTogether(folder: string, server: BenchServer, sizeBytes: number, what: string): Promise<void> {
  const file = await makeFile(path.join(folder, "part.jwe"), sizeBytes);
  const atRest = await memoryMebibytes(server.pid, "VmRSS");
  const startedAt = performance.now();
  await settleDisk(folder);
  await Promise.all(
    Array.from({ length: uploadsAtOnce }, (_, index) =>
      openSshSftp(folder, server, `put ${file} ${server.remoteFolder}part-${index}.jwe`),
    ),
  );
  const speed = (uploadsAtOnce * sizeBytes) / (performance.now() - startedAt) / 1000;
  const peak = await memoryMebibytes(server.pid, "VmHWM");
  console.log(
    `${what}, ${sizeBytes / mebibyte} MiB each: ${speed.toFixed(0)} MB/s, memory ${atRest} MiB before, at most ${peak} MiB ever`,
  );
  await server.empty();
  await rm(file);
}

async function openSshSftp(folder: string, server: BenchServer, command: string): Promise<void> {
  const options = [
    "IdentitiesOnly=yes",
    "BatchMode=yes",
    "StrictHostKeyChecking=no",
    "UserKnownHostsFile=/dev/null",
    "LogLevel=ERROR",
  ].flatMap((option) => ["-o", option]);
  const client = spawn(
    "sftp",
    [
      "-q",
      "-b",
      "-",
      "-F",
      "/dev/null",
      "-i",
      path.join(folder, "partner"),
      ...options,
      "-P",
      String(server.port),
      `${server.user}@127.0.0.1`,
    ],
    { stdio: ["pipe", "ignore", "inherit"] },
  );
  client.stdin.end(`${command}\n`);
  const [code] = (await once(client, "exit")) as [number | null];
  if (code !== 0) throw new Error(`sftp ended with ${code} on ${server.name}: ${command}`);
}

/** Random bytes, as encrypted ones look. */
async function makeFile(name: string, sizeBytes: number): Promise<string> {
  const file = await open(name, "w");
  const block = Buffer.allocUnsafe(mebibyte);
  for (let written = 0; written < sizeBytes; written += block.length) await file.write(randomFillSync(block));
  await file.close();
  return name;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
