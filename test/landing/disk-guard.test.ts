/** A disk that runs low is noticed before its bytes are gone, told once, and clear only well above the floor. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import { createEvents, type EventName, type Events } from "../../src/events.ts";
import { type DiskGuard, openDiskGuard, type WatchedFolder, type Space } from "../../src/landing/disk-guard.ts";

const run = promisify(execFile);

const mountOf = (folder: string) => ["-t", "tmpfs", "-o", "size=8m", "tideline-test", folder];

/** AVA lists this as skipped where file systems cannot be mounted: it takes root, and containers may forbid it. */
const testWithMount = canMount() ? test : test.skip;

function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), "tideline-mount-"));
  const mounted = spawnSync("mount", mountOf(folder)).status === 0;
  if (mounted) spawnSync("umount", [folder]);
  rmdirSync(folder);
  return mounted;
}
const places: WatchedFolder[] = [
  { name: "landing", folder: "/landing" },
  { name: "database", folder: "/database" },
];
const mebibyte = 1024 * 1024;

/** A guard over two disks of a hundred mebibytes whose free space is what the test says. */
async function openGuard(t: ExecutionContext, floor = { bytesMin: 10 * mebibyte, percentMin: 5 }) {
  const disks: Record<string, Space> = {
    "/landing": { device: 1, freeBytes: 50 * mebibyte, sizeBytes: 100 * mebibyte },
    "/database": { device: 2, freeBytes: 50 * mebibyte, sizeBytes: 100 * mebibyte },
  };
  const { events, seen } = recording();
  const guard = await openDiskGuard(
    places,
    floor,
    events,
    async (folder) => disks[folder] ?? { device: 0, freeBytes: 0, sizeBytes: 0 },
  );
  t.teardown(() => guard.close());
  const free = async (folder: string, freeBytes: number) => {
    disks[folder] = { ...(disks[folder] as Space), freeBytes };
    await guard.look();
  };
  return { guard, seen, free };
}

function recording(): { events: Events; seen: { name: EventName; fields: object }[] } {
  const seen: { name: EventName; fields: object }[] = [];
  return {
    seen,
    events: { ...createEvents({ level: "silent" }), emit: (name, fields) => void seen.push({ name, fields }) },
  };
}

test("below the floor of bytes a place is low, with one event, until it is well above", async (t) => {
  const { guard, seen, free } = await openGuard(t);
  t.is(guard.describe(), "ok");
  await free("/landing", 10 * mebibyte - 1);
  await free("/landing", 5 * mebibyte);
  t.true(guard.isLow());
  t.true(guard.isLow("landing"));
  t.false(guard.isLow("database"));
  t.is(guard.describe(), "no space for landing");
  await free("/landing", 10.5 * mebibyte);
  t.true(guard.isLow());
  await free("/landing", 11 * mebibyte);
  t.false(guard.isLow());
  t.deepEqual(seen, [
    { name: "disk.low", fields: { place: "landing", freeBytes: 10 * mebibyte - 1, floorBytes: 10 * mebibyte } },
    { name: "disk.recovered", fields: { place: "landing", freeBytes: 11 * mebibyte, floorBytes: 10 * mebibyte } },
  ]);
});

test("the larger of both floors holds", async (t) => {
  const { guard, free } = await openGuard(t, { bytesMin: mebibyte, percentMin: 20 });
  await free("/database", 19 * mebibyte);
  t.true(guard.isLow("database"));
});

test("bytes that are about to be written count before the disk is looked at again", async (t) => {
  const { guard } = await openGuard(t);
  guard.reserve("landing", 39 * mebibyte);
  t.false(guard.isLow());
  guard.reserve("landing", 2 * mebibyte);
  t.true(guard.isLow("landing"));
  await guard.look();
  t.false(guard.isLow());
});

test("places on one disk are low together, and are told of once", async (t) => {
  const { events, seen } = recording();
  const guard: DiskGuard = await openDiskGuard(places, { bytesMin: 10, percentMin: 0 }, events, async () => ({
    device: 1,
    freeBytes: 5,
    sizeBytes: 100,
  }));
  t.teardown(() => guard.close());
  t.true(guard.isLow("landing") && guard.isLow("database"));
  t.deepEqual(guard.disks(), [{ names: ["landing", "database"], freeBytes: 5, isLow: true }]);
  t.deepEqual(seen, [{ name: "disk.low", fields: { place: "landing and database", freeBytes: 5, floorBytes: 10 } }]);
});

testWithMount("a real small disk is watched", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-disk-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await run("mount", mountOf(folder));
  t.teardown(() => run("umount", [folder]));
  const { events } = recording();
  const guard = await openDiskGuard([{ name: "landing", folder }], { bytesMin: 4 * mebibyte, percentMin: 1 }, events);
  t.teardown(() => guard.close());
  t.false(guard.isLow());
  await writeFile(path.join(folder, "large"), Buffer.alloc(5 * mebibyte));
  await guard.look();
  t.true(guard.isLow("landing"));
  await rm(path.join(folder, "large"));
  await guard.look();
  t.false(guard.isLow());
});
