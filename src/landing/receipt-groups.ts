/** Receipts of several deliveries, written together: described here, signed and written here or where a thread has time. */
import path from "node:path";
import type { Queryable } from "../database/database.ts";
import { noteReceipts, type WrittenReceipt } from "../deliveries/receipts.ts";
import type { FindReceiptKey } from "../deliveries/receipt-files/key.ts";
import {
  type ReceiptFile,
  signed,
  type WriteGroup,
  type Writing,
  writeWhole,
} from "../deliveries/receipt-files/writing.ts";

/** Files to be written, and of whom they tell: of the delivery, and of the one before that gives up its path. */
export type Described = { files: ReceiptFile[]; told: WrittenReceipt[] };

export type Keeping = Writing & {
  database: Queryable;
  /** Of those that have no receipt yet. */
  onlyFirst: boolean;
  findKey: FindReceiptKey | null;
  writeGroup: WriteGroup | null;
};

type Written = { id: string; told: WrittenReceipt[]; folders: string[] };

/** Described and written here at once: each is a few small steps on the disk. */
const writtenAtOnce = 8;
/** For a thread: so few that whoever else has something to do there waits some milliseconds. From `writtenAtOnce` up. */
const groupMax = 32;

/** Of two that write a delivery's receipt here, the second reads what it tells after the first has written. */
export function oneAfterTheOther() {
  const latest = new Map<string, Promise<unknown>>();
  return async <Result>(ids: readonly string[], work: () => Promise<Result>): Promise<Result> => {
    const before = Promise.all(ids.map((id) => latest.get(id)));
    const working = before.then(work);
    // What fails is told to whoever asked for it.
    const settled = working.catch(() => undefined);
    for (const id of ids) latest.set(id, settled);
    try {
      return await working;
    } finally {
      for (const id of ids) if (latest.get(id) === settled) latest.delete(id);
    }
  };
}

/** Keeps what is described of each that is found, if anything is. Never rejects. */
export async function keepReceipts<Delivery extends { id: string }>(
  keeping: Keeping,
  deliveryIds: readonly string[],
  find: () => Promise<Delivery[]>,
  describe: (delivery: Delivery) => Promise<Described>,
): Promise<{ kept: string[]; failures: ReadonlyMap<string, unknown> }> {
  const kept: string[] = [];
  const failures = new Map<string, unknown>();
  try {
    const due = await find();
    const elsewhere = keeping.isDurable || due.length <= writtenAtOnce ? null : keeping.writeGroup;
    const written: Written[] = [];
    while (due.length > 0) {
      const group = due.splice(0, elsewhere === null ? writtenAtOnce : groupMax);
      const described = await Promise.all(
        group.map((delivery) => describe(delivery).catch((error: unknown) => void failures.set(delivery.id, error))),
      );
      const left = elsewhere === null ? null : await writeElsewhere(keeping, elsewhere, described);
      await Promise.all(
        group.map(async ({ id }, place) => {
          const one = described[place];
          if (!one || one.files.length === 0) return;
          try {
            for (const file of one.files) if (left === null || left.has(file)) await writeHere(keeping, file);
            written.push({ id, told: one.told, folders: one.files.map(({ file }) => path.dirname(file)) });
          } catch (error) {
            failures.set(id, error);
          }
        }),
      );
    }
    await note(keeping, written);
    kept.push(...written.map(({ id }) => id));
  } catch (error) {
    for (const id of deliveryIds) failures.set(id, error);
  }
  return { kept, failures };
}

async function writeHere(keeping: Keeping, receipt: ReceiptFile): Promise<void> {
  for (const file of signed(receipt, (await keeping.findKey?.()) ?? null)) await writeWhole(keeping, file);
}

/** @returns what is left to be written here, since it could not be there: all of it where the thread itself failed */
async function writeElsewhere(
  { findKey }: Keeping,
  writeGroup: WriteGroup,
  described: readonly (Described | void)[],
): Promise<Set<ReceiptFile>> {
  const receipts = described.flatMap((one) => one?.files ?? []);
  const key = (await findKey?.()) ?? null;
  const unwritten = await writeGroup({ receipts, key }).catch(() => [...receipts.keys()]);
  return new Set(unwritten.flatMap((place) => receipts[place] ?? []));
}

/**
 * What the database has noted, nobody writes again but after an unclean stop. One sync a folder, however many receipts in
 * it are new.
 */
async function note({ database, disk, isDurable }: Keeping, written: readonly Written[]): Promise<void> {
  const folders = new Set(isDurable ? written.flatMap((one) => one.folders) : []);
  await Promise.all([...folders].map((folder) => disk.syncFolder(folder)));
  await noteReceipts(
    database,
    written.flatMap((one) => one.told),
    isDurable,
  );
}
