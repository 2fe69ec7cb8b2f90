/** Names and positions of the server's log, and what of it is handed to a restored server. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import {
  bytesOf,
  layOutLog,
  positionOf,
  readKept,
  removeLog,
  segmentBytes,
  segmentName,
  segmentOf,
  writeKept,
} from "../../src/backup/log-files.ts";

async function openStore(t: ExecutionContext): Promise<string> {
  const store = await mkdtemp(path.join(tmpdir(), "tideline-log-"));
  t.teardown(() => rm(store, { recursive: true, force: true }));
  await mkdir(path.join(store, "wal/slot"), { recursive: true });
  return store;
}

const segment = (store: string, name: string) => path.join(store, "wal/slot", name);

test("positions are read and written as the server does, and name its files", (t) => {
  t.is(bytesOf("16/B374D848"), 97_500_059_720n);
  t.is(positionOf(97_500_059_720n), "16/B374D848");
  t.is(segmentName(1, segmentOf(bytesOf("16/B374D848"))), "0000000100000016000000B3");
  t.is(segmentName(2, segmentOf(bytesOf("0/2000028"))), "000000020000000000000002");
});

test("a restored server gets the log up to the point at which the vault was whole, and zeros behind it", async (t) => {
  const store = await openStore(t);
  await writeFile(segment(store, "000000010000000000000002"), Buffer.alloc(segmentBytes, 1));
  await writeFile(segment(store, "000000010000000000000003.partial"), Buffer.alloc(1000, 2));
  const log = { start: "0/2000028", end: "0/2000120", slot: "slot" };
  const target = path.join(store, "out");
  await layOutLog(store, log, { position: "0/3000064", at: "2026-11-23T02:10:05Z" }, target);
  t.deepEqual((await readdir(target)).sort(), ["000000010000000000000002", "000000010000000000000003"]);
  const last = await readFile(path.join(target, "000000010000000000000003"));
  t.is(last.length, segmentBytes);
  t.deepEqual([last[0x63], last[0x64]], [2, 0]);
});

test("a log with a gap is not handed out", async (t) => {
  const store = await openStore(t);
  await writeFile(segment(store, "000000010000000000000002"), Buffer.alloc(segmentBytes));
  await writeFile(segment(store, "000000010000000000000004"), Buffer.alloc(segmentBytes));
  const log = { start: "0/2000028", end: "0/2000120", slot: "slot" };
  const kept = { position: "0/4000064", at: "2026-11-23T02:10:05Z" };
  await t.throwsAsync(layOutLog(store, log, kept, path.join(store, "out")), {
    code: "BACKUP_DAMAGED",
    message: /0000000000000003/,
  });
});

test("what was kept before a backup ended says nothing of what came after it", async (t) => {
  const store = await openStore(t);
  await writeKept(store, "slot", { position: "0/3000000", at: "2026-11-23T02:10:05Z" });
  t.is(await readKept(store, { start: "0/2000028", end: "0/3000120", slot: "slot" }), null);
  t.is((await readKept(store, { start: "0/2000028", end: "0/2000120", slot: "slot" }))?.position, "0/3000000");
  t.is(await readKept(store, { start: "0/2000028", end: "0/2000120", slot: null }), null);
});

test("log goes that no backup needs, and the chain that goes on now stays", async (t) => {
  const store = await openStore(t);
  for (const name of ["000000010000000000000002", "000000010000000000000003"])
    await writeFile(segment(store, name), "");
  for (const slot of ["past", "current"]) await mkdir(path.join(store, "wal", slot));
  await removeLog(store, [{ start: "0/3000028", end: "0/3000120", slot: "slot" }], "current");
  t.deepEqual((await readdir(path.join(store, "wal"))).sort(), ["current", "slot"]);
  t.deepEqual(await readdir(path.join(store, "wal/slot")), ["000000010000000000000003"]);
});
