/** Receipts on the disk: whole or not at all under their names, and durable where that is asked for. */
import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { makeFolder, syncFolder } from "../../machine/sync-folder.ts";
import type { SigningKey } from "../../partners/keys/signing-keys.ts";
import { detachedJws, signatureEnding } from "./signature.ts";

/** What stands, or shall stand, at a path below a partner's receipts/. */
export type ReceiptFile = { partnerFolder: string; file: string; text: string };

/**
 * The signature comes after what it signs: who finds one that does not fit yet, reads both again.
 * @param key null: receipts are not signed
 */
export function signed(receipt: ReceiptFile, key: SigningKey | null): ReceiptFile[] {
  if (key === null) return [receipt];
  return [
    receipt,
    { ...receipt, file: `${receipt.file}${signatureEnding}`, text: `${detachedJws(receipt.text, key)}\n` },
  ];
}

/** A group of receipts, to be signed and written where nobody waits for each step. */
export type ReceiptGroup = { receipts: readonly ReceiptFile[]; key: SigningKey | null };
/** @returns the places in the group of those that could not be written, which whoever tries again is told why */
export type WriteGroup = (group: ReceiptGroup) => Promise<readonly number[]>;

export type Writing = {
  disk: ReceiptDisk;
  /** Whether it outlives a power cut, its name once its folder is synced. */
  isDurable: boolean;
};

/** They say when which bank delivered how much: nobody's but the service's, and through the door the partner's. */
const receiptMode = 0o600;
const folderMode = 0o700;

/** The steps on the disk, in a test's hands where their order matters. */
export type ReceiptDisk = { open: typeof open; rename: typeof rename; syncFolder: typeof syncFolder };
export const realDisk: ReceiptDisk = { open, rename, syncFolder };

/**
 * How a receipt is called while it is written: beside receipts/, where its partner does not see it. What a crash
 * leaves, retention removes.
 */
export const unfinishedPrefix = ".receipt-";

/**
 * Readers see the old receipt or the new one, never half of one, and no name of one that is gone when they ask for it.
 * Where that is asked for its content is durable before its name is; the name, once the caller has synced its folder.
 */
export async function writeWhole(
  { disk, isDurable }: Writing,
  { partnerFolder, file, text }: ReceiptFile,
): Promise<void> {
  const unfinished = path.join(partnerFolder, `${unfinishedPrefix}${randomUUID()}`);
  const write = async () => {
    await writeText(disk, unfinished, text, isDurable);
    await disk.rename(unfinished, file);
  };
  try {
    await write().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      await makeFolder(path.dirname(file), folderMode);
      await write();
    });
  } catch (error) {
    // On a full disk each try would leave one.
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function writeText(disk: ReceiptDisk, file: string, text: string, isDurable: boolean): Promise<void> {
  const handle = await disk.open(file, "w", receiptMode);
  try {
    await handle.writeFile(text);
    if (isDurable) await handle.datasync();
  } finally {
    await handle.close();
  }
}

/**
 * As `writeWhole` where nothing need be durable, and without a turn of the event loop for each of its steps, of which the
 * disk's share is some microseconds: for a thread that nobody waits for.
 * @returns the places of those that could not be written
 */
export function writeGroupNow({ receipts, key }: ReceiptGroup): number[] {
  const unwritten: number[] = [];
  for (const [place, receipt] of receipts.entries()) {
    try {
      for (const one of signed(receipt, key)) writeNow(one);
    } catch {
      unwritten.push(place);
    }
  }
  return unwritten;
}

function writeNow({ partnerFolder, file, text }: ReceiptFile): void {
  const unfinished = path.join(partnerFolder, `${unfinishedPrefix}${randomUUID()}`);
  try {
    writeFileSync(unfinished, text, { mode: receiptMode });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
