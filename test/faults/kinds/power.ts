/**
 * Power cuts: the data folder's disk is cut off at a random moment, everything is killed, the disk is mounted anew and
 * the service started once. Three disks: one that had written all that it was given (what is gone is the page cache),
 * one that loses what it was not told to flush, and one that keeps any part of that, in any order.
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { killHard } from "../../outside/processes.ts";
import { freePort } from "../../ports.ts";
import { Member } from "../member.ts";
import type { Cut, Kept } from "../power/disk-server.ts";
import { type FileSystem, PowerDisk } from "../power/power-disk.ts";
import type { FaultKind, Round } from "../round.ts";
import { ordinaryTraffic, Traffic } from "../traffic.ts";
import { embeddedServer, type World } from "../world.ts";

const strikesPerRound = 5;
/** Of traffic between two cuts. The kernel writes by itself what is five to thirty seconds old. */
const trafficMsMax = 6000;
/** One cut in so many strikes while the service still starts, recovers and mends. */
const duringStartEvery = 4;
const startMsMax = 4000;
const firstStartsPerRound = 3;
/** All of a first start, and some seconds of what follows. */
const firstStartMsMax = 20_000;
/** PostgreSQL's own recovery among it, on a machine on which others work. */
const openWithinMs = 400_000;
const comparedWithinMs = 60_000;
const lookEveryMs = 100;
/** Records of a file of three chunks. */
const largeFile = 41_000;

const disks: Readonly<Record<Kept, string>> = {
  all: "power cut, page cache lost",
  none: "power cut, disk cache lost",
  some: "power cut, disk cache in part",
};

const kept = Object.keys(disks) as Kept[];

export const powerKinds: FaultKind[] = (["ext4", "xfs"] as const).flatMap((fileSystem) => [
  ...kept.map((keep): FaultKind => ({
    name: `${disks[keep]}, ${fileSystem}`,
    world: `power-${fileSystem}`,
    rounds: { short: 1, long: 8 },
    strike: (round) => cutAgain(round, keep),
  })),
  {
    name: `power cut, first start, ${fileSystem}`,
    world: `power-${fileSystem}`,
    rounds: { short: 1, long: 8 },
    strike: (round) => cutFirstStarts(round, fileSystem),
  },
]);

async function cutAgain(round: Round, keep: Kept): Promise<void> {
  const { world, bank, random, short } = round;
  const member = world.member("everything");
  const traffic = new Traffic(bank, random.fork("traffic"), {
    ...ordinaryTraffic,
    pushing: 1,
    uploading: 1,
    largeFile: !short && random.share() < 0.3 ? largeFile : 0,
  });
  traffic.start();
  for (let strike = 0; strike < (short ? 2 : strikesPerRound); strike += 1) {
    // What it was sent before is acknowledged now and then: senders give up on a service that never gets on.
    await untilMore(round);
    await wait(random.between(0, trafficMsMax));
    const before = await identityOf(member.settings.dataDir);
    await cutAndMend(world, { keep, seed: random.between(0, 2 ** 31) });
    round.struck();
    member.launch();
    if (random.between(1, duringStartEvery) === 1) {
      await wait(random.between(0, startMsMax));
      await cutAndMend(world, { keep, seed: random.between(0, 2 ** 31) });
      round.struck();
      member.launch();
    }
    // Once: whatever a second start would heal is somebody's night.
    if (!(await member.settled(openWithinMs))) throw new Error(`not to be opened after a power cut: ${member.said}`);
    noteChanges(round, before, await identityOf(member.settings.dataDir));
  }
  await traffic.finish();
  await untilCompared(round);
}

async function cutAndMend({ powerDisk, members }: World, how: Cut): Promise<void> {
  if (!powerDisk) throw new Error("this world's disk has no power to be cut");
  await cut(powerDisk, members, how);
}

/** Cut, everything on it killed, mounted anew. */
async function cut(disk: PowerDisk, members: readonly Member[], how: Cut): Promise<void> {
  await disk.cut(how);
  for (const { settings } of members) killHard(await embeddedServer(settings.dataDir));
  for (const member of members) await member.kill();
  // One that was just being started.
  for (const { settings } of members) killHard(await embeddedServer(settings.dataDir));
  await disk.gone();
  await disk.mount();
}

/** A machine of its own each time, cut off while everything is made that later starts rest on. */
async function cutFirstStarts(round: Round, fileSystem: FileSystem): Promise<void> {
  const { world, random, short } = round;
  for (let strike = 0; strike < (short ? 1 : firstStartsPerRound); strike += 1) {
    const folder = path.join(world.folder, `first-${round.number}-${strike}`);
    const disk = await PowerDisk.make(folder, fileSystem);
    const dataDir = path.join(disk.place, "data");
    const [httpsPort, sftpPort] = [await freePort(), await freePort()];
    const member = new Member({
      name: "first",
      environment: world.environment,
      dataDir,
      logFile: path.join(folder, "log"),
      flags: ["--https-port", String(httpsPort), "--sftp-port", String(sftpPort)],
      demo: random.share() < 0.5,
    });
    try {
      // The second one may strike what the first one left, half made.
      for (const startMs of [firstStartMsMax, startMsMax].slice(0, random.between(1, 2))) {
        member.launch();
        await wait(random.between(0, startMs));
        const before = member.said.includes("Ready.") ? await identityOf(dataDir) : new Set<string>();
        await cut(disk, [member], { keep: random.pick(kept), seed: random.between(0, 2 ** 31) });
        round.struck();
        noteChanges(round, before, await identityOf(dataDir));
      }
      member.launch();
      if (!(await member.settled(openWithinMs))) throw new Error(`not to be opened after a power cut: ${member.said}`);
    } finally {
      member.retire();
      await member.kill();
      killHard(await embeddedServer(dataDir));
      await disk.remove();
    }
  }
}

function noteChanges({ fail }: Round, before: ReadonlySet<string>, after: ReadonlySet<string>): void {
  const changed = before.difference(after);
  if (changed.size > 0) fail(`changed by a power cut: ${[...changed].join(", ")}`);
}

/** By what partners and operators know the service: nothing that happens may change it silently. */
async function identityOf(dataDir: string): Promise<Set<string>> {
  const files = ["key-encryption-key", "vault-mark", "postgres/password"].map((name) => path.join(dataDir, name));
  for (const folder of ["tls", "host-keys"]) {
    const names = await readdir(path.join(dataDir, folder)).catch(() => []);
    files.push(...names.filter((name) => !name.includes("unfinished")).map((name) => path.join(dataDir, folder, name)));
  }
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(file, "base64").catch(() => null)] as const),
  );
  return new Set(
    texts.filter(([, text]) => text !== null).map(([file, text]) => `${path.relative(dataDir, file)} ${text}`),
  );
}

async function untilMore({ bank: { book }, fail }: Round): Promise<void> {
  const before = book.acknowledged.length;
  const deadline = performance.now() + openWithinMs;
  while (book.acknowledged.length === before) {
    if (performance.now() > deadline) return fail("nothing was acknowledged between two cuts");
    await wait(lookEveryMs);
  }
}

/** Receipts are judged once the start has mended them. */
async function untilCompared({ world, fail }: Round): Promise<void> {
  const note = path.join(world.member("everything").settings.dataDir, "unclean-stop");
  const deadline = performance.now() + comparedWithinMs;
  while (
    await readFile(note).then(
      () => true,
      () => false,
    )
  ) {
    if (performance.now() > deadline) return fail("receipts were not compared within a minute");
    await wait(lookEveryMs);
  }
}
