/**
 * The partner's side of the interface: sends records through the door that the caller names. Free of any user
 * interface; commands and the demo bring theirs.
 */
import path from "node:path";
import type { Credentials } from "./credentials.ts";
import { readSftpCredentials } from "./credentials.ts";
import type { Door } from "./door.ts";
import type { FileFormat } from "./file-writer.ts";
import { openHttpsDoor } from "./https-door.ts";
import { type BatchOptions, sendThrough, type Summary } from "./send-through.ts";
import { openSftpDoor } from "./sftp-door.ts";
import { type Receipt, waitForReceipt } from "./upload.ts";

export type DoorOptions = {
  credentials: Credentials;
  via: "https" | "sftp";
  /** SFTP: how the file's name starts; time and a random part follow. */
  name?: string | undefined;
  /** SFTP: `.jsonl` of batches (default), or one `.jwe`. */
  format?: FileFormat | undefined;
  onUploaded?: ((sentBytes: number, totalBytes: number) => void) | undefined;
  signal?: AbortSignal | undefined;
};

export type SendOptions = DoorOptions &
  Omit<BatchOptions, "door" | "partnerId"> & {
    /** SFTP: wait until the file's receipt says loaded or refused. */
    waitForReceipt?: boolean | undefined;
  };

export type SendSummary = Summary & { receipt: Receipt | null };

/** Opens the door, sends, closes it. See sendThrough for outcomes and errors. */
export async function sendRecords(options: SendOptions): Promise<SendSummary> {
  const door = await openDoor(options);
  try {
    const summary = await sendThrough({ ...options, door, partnerId: options.credentials.partnerId });
    return {
      ...summary,
      receipt:
        options.waitForReceipt === true && summary.file !== null ? await receiptOf(options, summary.file.name) : null,
    };
  } finally {
    await door.close();
  }
}

/** The caller closes it. */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const { credentials, signal } = options;
  if (options.via === "https") return await openHttpsDoor(credentials, signal);
  return await openSftpDoor(credentials, {
    name: options.name ?? "transactions",
    format: options.format ?? "jsonl",
    spoolDirectory: sendDirectory(credentials),
    signal,
    ...(options.onUploaded ? { onBytes: options.onUploaded } : {}),
  });
}

/** Where journals and unfinished files of a partner's sending lie: beside its credentials. */
export function sendDirectory(credentials: Credentials): string {
  return path.join(credentials.directory, "..", "send");
}

async function receiptOf(options: DoorOptions, name: string): Promise<Receipt> {
  return await waitForReceipt(await readSftpCredentials(options.credentials), name, options.signal);
}
