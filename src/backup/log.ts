/**
 * Keeping the server's log beside the backups while the service runs, so that one can be brought to any moment since:
 * the log streams through a replication slot, by which the server keeps what did not arrive, over restarts too. Every
 * few seconds a point is noted up to which log and vault are whole together.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "../database/database.ts";
import { createLogSlot, followLog, type FollowedLog, readTimeline } from "../database/replication.ts";
import type { Events } from "../events.ts";
import { makeFolder, syncFolder } from "../machine/sync-folder.ts";
import {
  bytesOf,
  chainFolder,
  positionOf,
  segmentBytes,
  segmentName,
  segmentOf,
  segmentsOf,
  slotPrefix,
  writeKept,
} from "./log-files.ts";
import { recordKept } from "./records.ts";
import { listBackups } from "./store.ts";
import { copyNews } from "./vault-copies.ts";

export type Keeping = {
  database: Database;
  databaseUrl: string;
  /** Null: it is elsewhere, and not copied. */ vault: string | null;
  store: string;
  events: Events;
};

export type KeptLog = {
  slot: string;
  /** Notes a point up to which everything is kept; waits until it is. @returns the moment that is restorable now */
  note(): Promise<Date>;
  /** Rejects when the stream broke. */
  ended: Promise<void>;
  close(): Promise<void>;
};

/** Behind a busy server's own disk the stream is seconds behind at most. */
const arrivesWithinMs = 60_000;
const lookEveryMs = 50;

/** Goes on with the chain of this server in this store, or begins one. */
export async function keepLog(keeping: Keeping): Promise<KeptLog> {
  const { databaseUrl, store } = keeping;
  const slot = (await findSlot(keeping)) ?? (await beginChain(keeping));
  const timeline = await readTimeline(databaseUrl);
  const from = await continuationOf(keeping, slot);
  const writer = segmentWriter(chainFolder(store, slot), timeline, from);
  const followed = await followLog(databaseUrl, slot, positionOf(from), timeline, writer);
  const changedAt = new Map<string, number>();
  return {
    slot,
    ended: followed.ended,
    note: () => notePoint(keeping, slot, writer, followed, changedAt),
    async close() {
      await followed.close();
      await writer.close();
    },
  };
}

type Slot = { slot: string; restart: string | null; lost: boolean };

async function listSlots(database: Database): Promise<Slot[]> {
  const { rows } = await database.query<Slot>(
    `select slot_name as slot, restart_lsn::text as restart, coalesce(wal_status, 'lost') = 'lost' as lost
       from pg_replication_slots
      where starts_with(slot_name, $1)
        and not temporary`,
    [slotPrefix],
  );
  return rows;
}

/** The slot whose chain in this store can go on. Others keep log that nobody will take, so they go. */
async function findSlot({ database, store }: Keeping): Promise<string | null> {
  let found: string | null = null;
  for (const { slot, restart, lost } of await listSlots(database)) {
    if (found === null && !lost && restart !== null && (await goesOn(store, slot, restart))) found = slot;
    else await dropSlot(database, slot);
  }
  return found;
}

/** Whether what the server still has begins where the chain ends, or before. */
async function goesOn(store: string, slot: string, restart: string): Promise<boolean> {
  const last = (await segmentsOf(store, slot)).at(-1);
  if (last === undefined) return false;
  return segmentOf(bytesOf(restart)) <= (last.partial ? last.number : last.number + 1n);
}

async function dropSlot(database: Database, slot: string): Promise<void> {
  // A sender whose receiver was killed holds it until it notices.
  await database.query(
    "select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = $1 and active_pid is not null",
    [slot],
  );
  await database.query("select pg_drop_replication_slot($1)", [slot]);
}

/** Where log is not kept any more, no slot may make the server keep it: the disk would fill. */
export async function endLog(database: Database): Promise<void> {
  for (const { slot } of await listSlots(database)) await dropSlot(database, slot);
}

async function beginChain({ databaseUrl, store, events }: Keeping): Promise<string> {
  const slot = `${slotPrefix}${randomBytes(6).toString("hex")}`;
  await createLogSlot(databaseUrl, slot);
  await makeFolder(chainFolder(store, slot));
  events.emit("backup.log-begun", { slot });
  return slot;
}

/** The beginning of the first segment that is not whole. */
async function continuationOf({ database, store }: Keeping, slot: string): Promise<bigint> {
  const last = (await segmentsOf(store, slot)).at(-1);
  const known = (await listSlots(database)).find((one) => one.slot === slot)?.restart ?? "0/0";
  const segment = last === undefined ? segmentOf(bytesOf(known)) : last.partial ? last.number : last.number + 1n;
  return segment * BigInt(segmentBytes);
}

type SegmentWriter = {
  write(position: bigint, bytes: Buffer): Promise<void>;
  durableUntil(): bigint;
  receivedUntil(): bigint;
  sync(): Promise<void>;
  close(): Promise<void>;
};

/** Writes the stream into files of a segment each; one that is not whole ends in `.partial`. */
function segmentWriter(folder: string, timeline: number, from: bigint): SegmentWriter {
  let current: { handle: FileHandle; number: bigint } | null = null;
  let [received, durable] = [from, from];
  const fileOf = (number: bigint) => path.join(folder, segmentName(timeline, number));
  const openSegment = async (number: bigint) => {
    // One that an earlier run left is written over, never emptied: until then it is what there is.
    const handle = await open(`${fileOf(number)}.partial`, constants.O_WRONLY | constants.O_CREAT, 0o600);
    await syncFolder(folder);
    return { handle, number };
  };
  const sync = async () => {
    const reached = received;
    await current?.handle.sync();
    if (reached > durable) durable = reached;
  };
  const finish = async () => {
    if (current === null) return;
    await sync();
    await current.handle.close();
    await rename(`${fileOf(current.number)}.partial`, fileOf(current.number));
    await syncFolder(folder);
    current = null;
  };
  return {
    async write(position, bytes) {
      if (position !== received)
        throw new Error(`the log has a gap: ${positionOf(received)} is followed by ${positionOf(position)}`);
      for (let at = 0; at < bytes.length;) {
        const number = segmentOf(received);
        current ??= await openSegment(number);
        const offset = Number(received % BigInt(segmentBytes));
        const piece = bytes.subarray(at, at + Math.min(bytes.length - at, segmentBytes - offset));
        await writeAll(current.handle, piece, offset);
        at += piece.length;
        received += BigInt(piece.length);
        if (received % BigInt(segmentBytes) === 0n) await finish();
      }
    },
    durableUntil: () => durable,
    receivedUntil: () => received,
    sync,
    async close() {
      await sync();
      await current?.handle.close();
      current = null;
    },
  };
}

async function writeAll(handle: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, offset + at);
    at += bytesWritten;
  }
}

/**
 * A row is recorded after its bytes are in the vault. So when the log has arrived up to a point, and the vault is copied
 * after that, every row up to that point finds its bytes.
 */
async function notePoint(
  { database, vault, store }: Keeping,
  slot: string,
  writer: SegmentWriter,
  followed: FollowedLog,
  changedAt: Map<string, number>,
): Promise<Date> {
  const at = new Date();
  // A commit, so that the log has one at this moment: a restore to a moment ends at the first one behind it.
  await database.query("select pg_logical_emit_message(true, 'tideline', 'kept')");
  const { rows } = await database.query<{ position: string }>("select pg_current_wal_flush_lsn()::text as position");
  const position = rows[0]?.position ?? "0/0";
  const deadline = Date.now() + arrivesWithinMs;
  while (writer.receivedUntil() < bytesOf(position)) {
    if (Date.now() > deadline) throw new Error(`the log did not arrive up to ${position}`);
    await Promise.race([wait(lookEveryMs), followed.ended]);
  }
  await writer.sync();
  if (vault !== null) await copyNews(vault, store, changedAt);
  await writeKept(store, slot, { position, at: at.toISOString() });
  // A chain that has just begun goes on from no backup yet.
  const from = (await listBackups(store)).findLast(({ manifest }) => manifest.log.slot === slot);
  if (from !== undefined) await recordKept(database, from.folder, at);
  return at;
}
