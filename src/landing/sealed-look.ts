/**
 * A look at how a file begins, when its name says that it is encrypted: one that a sender forgot to encrypt is not kept. It tells
 * plain text by what no encrypted file begins with; what it lets through, the loader judges.
 */
import { open } from "node:fs/promises";
import { constants, gunzipSync } from "node:zlib";
import type { DeliveryFormat } from "./deliveries.ts";

/** A plain record is a few hundred bytes; the first line of a sealed file may be far longer, and is then no plain record. */
const headSizeBytes = 64 * 1024;

/** Whether a file that should be encrypted is plain text, or compressed plain text. */
export async function beginsInTheClear(file: string, format: DeliveryFormat): Promise<boolean> {
  const look = lookOf(format);
  return look !== null && look(await readHead(file));
}

function lookOf(format: DeliveryFormat): ((head: Buffer) => boolean) | null {
  if (format === "jwe") return isJson;
  if (format === "jsonl") return isPlainRecord;
  if (format === "jsonl.gz") return (head) => isPlainRecord(inflateHead(head));
  return format.endsWith(".pgp") ? (head) => !isOpenPgp(head) : null;
}

/** A compact JWE has neither brackets nor quotes. */
function isJson(head: Buffer): boolean {
  return /^\s*(\[\s*[\]{]|\{\s*")/.test(textOf(head));
}

/** The array of a batch before it was sealed, or one of its records on a line of its own. */
function isPlainRecord(head: Buffer): boolean {
  const text = textOf(head).trimStart();
  if (/^\[\s*[\]{]/.test(text)) return true;
  try {
    const first: unknown = JSON.parse(text.split("\n", 1)[0] ?? "");
    return typeof first === "object" && first !== null && "uid" in first && !("txs" in first);
  } catch {
    return false;
  }
}

/** A packet's first byte has its highest bit set (RFC 9580, section 4.2); armour begins with words. */
function isOpenPgp(head: Buffer): boolean {
  return (head[0] ?? 0) >= 0x80 || /^\s*-----BEGIN PGP /.test(textOf(head));
}

function textOf(head: Buffer): string {
  return head.toString("utf8").replace(/^\ufeff/, "");
}

/** As much as is there; nothing when it is no gzip. */
function inflateHead(head: Buffer): Buffer {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 64 * headSizeBytes }).subarray(0, headSizeBytes);
  } catch {
    return Buffer.alloc(0);
  }
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(headSizeBytes), 0, headSizeBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
