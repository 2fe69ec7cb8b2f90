/**
 * The server's log as it is kept beside backups: for each replication slot a chain of segments without a gap, and a
 * note of the moment up to which the vault's files are there too. A chain ends with its server: what is restored begins
 * another.
 */
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Queryable } from "../database/database.ts";
import { Fault } from "../errors.ts";
import { readSmallFile, writeSmallFile } from "../machine/small-file.ts";
import type { Manifest } from "./store.ts";

/** As initdb makes a server. */
export const segmentBytes = 16 * 1024 * 1024;
const segmentsOfHalf = 2 ** 32 / segmentBytes;

/** Begins the name of each slot by which log is kept. */
export const slotPrefix = "tideline_log_";
const keptFile = "kept-until";

/** Up to where a chain and the vault's copies are whole, and when that was. */
export type Kept = { position: string; at: string };

/** "16/B374D848" as a number of bytes since the beginning of the log. */
export function bytesOf(position: string): bigint {
  const [high = "0", low = "0"] = position.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

export function positionOf(bytes: bigint): string {
  return `${(bytes >> 32n).toString(16)}/${(bytes & 0xffffffffn).toString(16)}`.toUpperCase();
}

export function segmentOf(bytes: bigint): bigint {
  return bytes / BigInt(segmentBytes);
}

/** As the server calls the file: timeline and number in hexadecimal. */
export function segmentName(timeline: number, segment: bigint): string {
  const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, "0");
  return hex(BigInt(timeline)) + hex(segment / BigInt(segmentsOfHalf)) + hex(segment % BigInt(segmentsOfHalf));
}

const segmentFile = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})(\.partial)?$/;
type Segment = { name: string; number: bigint; timeline: number; partial: boolean };

function parseSegment(name: string): Segment | null {
  const [, timeline, high, low, partial] = segmentFile.exec(name) ?? [];
  if (timeline === undefined) return null;
  const number = BigInt(`0x${high}`) * BigInt(segmentsOfHalf) + BigInt(`0x${low}`);
  return { name, number, timeline: Number.parseInt(timeline, 16), partial: partial !== undefined };
}

export function chainFolder(store: string, slot: string): string {
  return path.join(store, "wal", slot);
}

/** The segments of a chain in their order; the last may be partial. */
export async function segmentsOf(store: string, slot: string): Promise<Segment[]> {
  const names = await readdir(chainFolder(store, slot)).catch((): string[] => []);
  return names
    .map(parseSegment)
    .filter((one) => one !== null)
    .sort((one, other) => Number(one.number - other.number));
}

/** The slot of this server whose log is kept in this store; null: none is. */
export async function findChain(database: Queryable, store: string): Promise<string | null> {
  const { rows } = await database.query<{ slot: string }>(
    `select slot_name as slot
       from pg_replication_slots
      where starts_with(slot_name, $1)
        and slot_type = 'physical'
        and coalesce(wal_status, 'lost') <> 'lost'`,
    [slotPrefix],
  );
  for (const { slot } of rows) if ((await segmentsOf(store, slot)).length > 0) return slot;
  return null;
}

export async function writeKept(store: string, slot: string, kept: Kept): Promise<void> {
  await writeSmallFile(path.join(chainFolder(store, slot), keptFile), `${JSON.stringify(kept)}\n`);
}

/** Null where nothing was kept behind the backup. */
export async function readKept(store: string, { slot, end }: Manifest["log"]): Promise<Kept | null> {
  if (slot === null) return null;
  const text = await readSmallFile(path.join(chainFolder(store, slot), keptFile));
  if (text === null) return null;
  const kept = JSON.parse(text) as Kept;
  return bytesOf(kept.position) > bytesOf(end) ? kept : null;
}

/**
 * Copies a backup's log since into a folder, as far as it was kept: of the last segment what lies before that, and
 * zeros, which end a log. @throws Fault BACKUP_DAMAGED when a segment is missing
 */
export async function layOutLog(store: string, log: Manifest["log"], kept: Kept, target: string): Promise<void> {
  if (log.slot === null) return;
  const [first, end] = [segmentOf(bytesOf(log.start)), bytesOf(kept.position)];
  const found = new Map((await segmentsOf(store, log.slot)).map((one) => [one.number, one]));
  await mkdir(target, { recursive: true });
  for (let number = first; number <= segmentOf(end); number++) {
    const begins = number * BigInt(segmentBytes);
    if (begins === end) break;
    const segment = found.get(number);
    if (segment === undefined)
      throw new Fault(
        "BACKUP_DAMAGED",
        `${chainFolder(store, log.slot)} lacks the segment ${segmentName(1, number).slice(8)}.`,
      );
    const length = Math.min(segmentBytes, Number(end - begins));
    await copyBeginning(
      path.join(chainFolder(store, log.slot), segment.name),
      path.join(target, segmentName(segment.timeline, number)),
      length,
    );
  }
}

async function copyBeginning(from: string, to: string, length: number): Promise<void> {
  const bytes = (await readFile(from)).subarray(0, length);
  if (bytes.length < length)
    throw new Fault("BACKUP_DAMAGED", `${from} has ${bytes.length} bytes, and ${length} of it are needed.`);
  const handle = await open(to, "wx", 0o644);
  try {
    await handle.writeFile(bytes);
    await handle.truncate(segmentBytes);
  } finally {
    await handle.close();
  }
}

/** Removes what no backup that is kept needs: whole chains but the current one, and of the others what lies before. */
export async function removeLog(
  store: string,
  kept: readonly Manifest["log"][],
  current: string | null,
): Promise<void> {
  for (const slot of await readdir(path.join(store, "wal")).catch((): string[] => [])) {
    const starts = kept.filter((one) => one.slot === slot).map(({ start }) => segmentOf(bytesOf(start)));
    const oldest = starts.sort((one, other) => Number(one - other))[0];
    if (oldest === undefined) {
      if (slot !== current) await rm(chainFolder(store, slot), { recursive: true, force: true });
      continue;
    }
    for (const { name, number } of await segmentsOf(store, slot))
      if (number < oldest) await rm(path.join(chainFolder(store, slot), name), { force: true });
  }
}
