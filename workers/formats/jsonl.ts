/** `*.jsonl` and `*.jsonl.gz`: one TransactionsRequest a line, each opened and refused on its own; an optional manifest last. */
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { filePlaintextBytesMax, groupBytesMax, inflateRatioFromBytes, inflateRatioMax, lineBytesMax } from "../../config/limits.ts";
import { type BatchOpener, openBatch } from "../batch.ts";
import { readEnvelope } from "../envelope.ts";
import { isBlank, readLines } from "./lines.ts";
import { findLastLine, parseManifest } from "./manifest.ts";
import { type Checkpoint, type DeliveryReader, DeliveryRefused, type FileInput, type RecordGroup } from "./reader.ts";

export const readJsonl = (input: FileInput): DeliveryReader => readLineFile(input, () => createReadStream(input.path, { highWaterMark: readBytes }));
export const readJsonlGz = (input: FileInput): DeliveryReader => readLineFile(input, () => gunzip(input.path));

const readBytes = 256 * 1024;

function readLineFile(input: FileInput, openPieces: () => AsyncIterable<Buffer>): DeliveryReader {
  let manifestLine: number | null = null;
  return {
    async verify() {
      manifestLine = await verifyManifest(openPieces(), input.manifestRequired);
    },
    async survey() {
      // Each line stands alone: none can refuse the others.
    },
    groups: (from) => readGroups(openPieces(), from, manifestLine, input.opener),
  };
}

/** Reads the whole file, which also shows whether it decompresses. @returns the manifest's line, null when there is none. */
async function verifyManifest(pieces: AsyncIterable<Buffer>, required: boolean): Promise<number | null> {
  const last = await findLastLine(pieces);
  const manifest = last === null ? null : parseManifest(last.text);
  if (last === null || manifest === null) {
    if (required) throw new DeliveryRefused("MANIFEST_MISMATCH", "The partner's files must end with a manifest line, and this one does not.");
    return null;
  }
  if (manifest.batches !== last.batchesBefore) {
    throw new DeliveryRefused("MANIFEST_MISMATCH", `The manifest names ${manifest.batches} batches, and ${last.batchesBefore} lines stand before it.`);
  }
  if (manifest.sha256.toLowerCase() !== last.sha256Before) throw new DeliveryRefused("MANIFEST_MISMATCH", "The manifest's SHA-256 is not that of the lines before it.");
  return last.number;
}

async function* readGroups(pieces: AsyncIterable<Buffer>, from: Checkpoint, manifestLine: number | null, opener: BatchOpener): AsyncGenerator<RecordGroup> {
  let batches = 0;
  for await (const line of readLines(pieces, lineBytesMax)) {
    if (line.number === manifestLine || (line.bytes !== null && isBlank(line.bytes))) continue;
    batches += 1;
    if (batches <= from.batches) continue;
    yield line.bytes === null ? refused(line.number, "", `is longer than ${lineBytesMax} bytes`) : await readLine(line.number, line.bytes, opener);
  }
}

async function readLine(line: number, bytes: Buffer, opener: BatchOpener): Promise<RecordGroup> {
  const envelope = readEnvelope(bytes);
  if (!envelope.ok) return refused(line, envelope.field, envelope.reason);
  const batch = await openBatch(envelope.token, opener);
  if (!batch.ok) return refused(line, "txs", `${batch.errorCode}: ${batch.reason}`, batch.records);
  const { records, sizeBytes, contentSha256 } = batch;
  return { line, firstIndex: 0, records, sizeBytes, startsBatch: true, request: { id: envelope.requestId, contentSha256 }, refusal: null };
}

function refused(line: number, field: string, reason: string, records = 0): RecordGroup {
  return { line, firstIndex: 0, records: [], sizeBytes: 0, startsBatch: true, request: null, refusal: { field, reason, records } };
}

/** @throws DeliveryRefused when the file is no whole gzip stream, or inflates past the limits. */
async function* gunzip(path: string): AsyncGenerator<Buffer> {
  const inflater = createGunzip({ chunkSize: groupBytesMax });
  const fed = pipeline(createReadStream(path, { highWaterMark: readBytes }), inflater);
  // Its failure also ends the iteration below; a reader that stops early is no failure at all.
  fed.catch(() => undefined);
  let inflatedBytes = 0;
  try {
    for await (const piece of inflater) {
      inflatedBytes += (piece as Buffer).length;
      const isBomb = inflatedBytes > inflateRatioFromBytes && inflatedBytes > inflater.bytesWritten * inflateRatioMax;
      if (isBomb || inflatedBytes > filePlaintextBytesMax) throw new DeliveryRefused("FILE_DAMAGED", "The file decompresses to more than is allowed.");
      yield piece as Buffer;
    }
    await fed;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_")) {
      throw new DeliveryRefused("FILE_DAMAGED", "The file is no whole gzip file.", { cause: error });
    }
    throw error;
  }
}
