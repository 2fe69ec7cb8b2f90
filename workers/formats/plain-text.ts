/**
 * Looks into files whose names say that they are encrypted: one that a sender forgot to encrypt is not kept. They tell
 * plain text by what no encrypted file begins with, and where each line stands alone by what none of them holds; what
 * they let through, the loader judges.
 */
import { constants, createGunzip, gunzipSync } from "node:zlib";
import { inflatedPieceBytes, inflateRatioFromBytes } from "../../config/limits.ts";
import { type LandedBytes, readParts, streamOf } from "../bytes/landed-bytes.ts";

/**
 * A plain record is a few hundred bytes; the first line of a sealed file may be far longer, and is then no plain
 * record.
 */
const headSizeBytes = 64 * 1024;
const pieceBytes = 1024 * 1024;
/** Far from what base64url deflates to, and from where a bomb begins. */
const sealedRatioMax = 4;

/** Tells of one file whether it is plain text, or compressed plain text, although it should be encrypted. */
export type FindPlainText = (file: LandedBytes) => Promise<boolean>;

/** For a compact JWE. */
export const isPlainJson: FindPlainText = async (file) => isJson(await readHead(file));

/** For lines that are sealed one by one: whether one of them is not. */
export const containsPlainLine: FindPlainText = async (file) => {
  const head = await readHead(file);
  if (isPlainRecord(head)) return true;
  return await containsRecord(head.length < headSizeBytes ? [head] : streamOf(file, pieceBytes));
};

/** The same for such lines in gzip. */
export const containsPlainLineInGzip: FindPlainText = async (file) =>
  isPlainRecord(inflateHead(await readHead(file))) || (await containsRecord(inflated(file)));

/** For OpenPGP: what is none, or is none that needs a key. */
export const isPlainForPgp: FindPlainText = async (file) => {
  const head = await readHead(file);
  return !isOpenPgp(head) || isReadableOpenPgp(head);
};

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

/**
 * The key and the value that only records have, also in a request whose txs were left as they were: a token has no
 * quotes, and an envelope needs neither. Looked for in the bytes, whatever their lines.
 */
const ofRecords = ['"txid"', '"txid\\', '"IMPORT_COMPLETED"', '"IMPORT_COMPLETED\\'].map((text) => Buffer.from(text));
const longestBytes = Math.max(...ofRecords.map(({ length }) => length));

async function containsRecord(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<boolean> {
  let before: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const across = Buffer.concat([before, piece.subarray(0, longestBytes)]);
    if (ofRecords.some((wanted) => piece.includes(wanted) || across.includes(wanted))) return true;
    before = (piece.length < longestBytes ? across : piece).subarray(-longestBytes);
  }
  return false;
}

/** As far as it decompresses, and no further than sealed lines can: base64url deflates to three quarters. */
async function* inflated(file: LandedBytes): AsyncGenerator<Buffer> {
  const source = streamOf(file, pieceBytes);
  const gunzip = createGunzip({ chunkSize: inflatedPieceBytes });
  source.once("error", (error) => gunzip.destroy(error));
  let inflatedBytes = 0;
  try {
    for await (const piece of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      yield piece;
      inflatedBytes += piece.length;
      if (inflatedBytes > inflateRatioFromBytes + gunzip.bytesWritten * sealedRatioMax) return;
    }
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith("Z_")) throw error;
  } finally {
    source.destroy();
  }
}

/** A packet's first byte has its highest bit set (RFC 9580, section 4.2); armour begins with words. */
function isOpenPgp(head: Buffer): boolean {
  return (head[0] ?? 0) >= 0x80 || /^\s*-----BEGIN PGP /.test(textOf(head));
}

/**
 * Packets of what OpenPGP wrote and did not encrypt: a signature, which stands before what it signs, compressed or
 * literal data.
 */
const readablePackets: ReadonlySet<number> = new Set([2, 4, 8, 11]);
/** The first characters behind the armour's headers. */
const armoured = /^\s*-----BEGIN PGP MESSAGE-----[ \t]*\r?\n(?:[^\s:]+:[^\n]*\n)*\s*([A-Za-z0-9+/]{2})/;

/** Whether somebody without any key can read it: signed, or merely packed. */
function isReadableOpenPgp(head: Buffer): boolean {
  const text = textOf(head);
  if (/^\s*-----BEGIN PGP SIGNED MESSAGE-----/.test(text)) return true;
  const encoded = armoured.exec(text)?.[1];
  const [first] = encoded === undefined ? head : Buffer.from(encoded, "base64");
  // Both formats of packet headers (RFC 9580, section 4.2).
  return (
    first !== undefined && first >= 0x80 && readablePackets.has(first >= 0xc0 ? first & 0x3f : (first & 0x3c) >> 2)
  );
}

function textOf(head: Buffer): string {
  return head.toString("utf8").replace(/^\ufeff/, "");
}

/** As much as is there; nothing when it is no gzip. */
function inflateHead(head: Buffer): Buffer {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 64 * headSizeBytes }).subarray(
      0,
      headSizeBytes,
    );
  } catch {
    return Buffer.alloc(0);
  }
}

async function readHead(file: LandedBytes): Promise<Buffer> {
  const { parts } = await readParts(file, [{ at: 0, bytes: headSizeBytes }]);
  return parts[0] ?? Buffer.alloc(0);
}
