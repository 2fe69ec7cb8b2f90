/**
 * `*.jsonl` and `*.jsonl.gz`: one TransactionsRequest a line, each opened and refused on its own; an optional manifest
 * last.
 */
import { lineBytesMax } from "../../config/limits.ts";
import { type BatchOpener, openBatch } from "../records/batch.ts";
import { readFilePieces } from "../bytes/reading.ts";
import { readEnvelope } from "../records/envelope.ts";
import { checkRecord, interfaceFields } from "../records/record.ts";
import type { FileFormat } from "./format.ts";
import { gunzip } from "./gzip.ts";
import { isBlank, readLines } from "./lines.ts";
import { findLastLine, parseManifest } from "./manifest.ts";
import { containsPlainLine, containsPlainLineInGzip } from "./plain-text.ts";
import { type Checkpoint, type DeliveryReader, DeliveryRefused, type FileInput, type RecordGroup } from "./reader.ts";

const names = "*.jsonl[.gz]";

export const jsonl: FileFormat = {
  name: /\.jsonl$/s,
  names,
  meaning: "One TransactionsRequest a line, each opened and refused on its own; an optional manifest last.",
  findPlainText: containsPlainLine,
  open: (input) => readLineFile(input, () => readPieces(input.path)),
};

export const jsonlGz: FileFormat = {
  name: /\.jsonl\.gz$/s,
  names,
  meaning: "The same in gzip.",
  findPlainText: containsPlainLineInGzip,
  open: (input) => readLineFile(input, () => gunzip(readPieces(input.path))),
};

const readBytes = 256 * 1024;
/** Lines being opened at once; together no longer than one may be. As many as are busy with two processors. */
const linesAheadMax = 3;

function readPieces(path: string): AsyncIterable<Buffer> {
  return readFilePieces(path, { highWaterMark: readBytes });
}

function readLineFile(input: FileInput, openPieces: () => AsyncIterable<Buffer>): DeliveryReader {
  let manifestLine: number | null = null;
  return {
    async verify() {
      manifestLine = await verifyManifest(openPieces(), input.manifestRequired);
    },
    async survey() {
      // Each line stands alone: none can refuse the others.
    },
    groups: (from, asValues) =>
      readGroups(openPieces(), from, manifestLine, (location, bytes) =>
        readLine(location, bytes, input.opener, asValues === true ? null : input.deliveryPosition),
      ),
    check: checkRecord,
    fields: interfaceFields,
  };
}

/**
 * Reads the whole file, which also shows whether it decompresses. @returns the manifest's line, null when there is
 * none.
 */
async function verifyManifest(pieces: AsyncIterable<Buffer>, required: boolean): Promise<number | null> {
  const last = await findLastLine(pieces);
  const manifest = last === null ? null : parseManifest(last.text);
  if (last === null || manifest === null) {
    if (required)
      throw new DeliveryRefused(
        "MANIFEST_MISMATCH",
        "The partner's files must end with a manifest line, and this one does not.",
      );
    return null;
  }
  if (manifest.batches !== last.batchesBefore) {
    throw new DeliveryRefused(
      "MANIFEST_MISMATCH",
      `Batches that the manifest names: ${manifest.batches}; lines that stand before it: ${last.batchesBefore}.`,
    );
  }
  if (manifest.sha256.toLowerCase() !== last.sha256Before)
    throw new DeliveryRefused("MANIFEST_MISMATCH", "The manifest's SHA-256 is not that of the lines before it.");
  return last.number;
}

type ReadLine = (location: BatchLocation, bytes: Buffer) => Promise<RecordGroup>;

/** In order, while the next ones are being opened: the private key's operation and inflating happen off this thread. */
async function* readGroups(
  pieces: AsyncIterable<Buffer>,
  from: Checkpoint,
  manifestLine: number | null,
  read: ReadLine,
): AsyncGenerator<RecordGroup> {
  const ahead: { group: Promise<RecordGroup>; bytes: number }[] = [];
  let aheadBytes = 0;
  for await (const { location, bytes } of batchLines(pieces, from, manifestLine)) {
    const group =
      bytes === null
        ? Promise.resolve(refused(location, "", `is longer than ${lineBytesMax} bytes`))
        : read(location, bytes);
    // Awaited in its turn; until then a failure must not count as unhandled.
    group.catch(() => undefined);
    ahead.push({ group, bytes: bytes?.length ?? 0 });
    aheadBytes += bytes?.length ?? 0;
    while (ahead.length > linesAheadMax || aheadBytes > lineBytesMax) {
      const first = ahead.shift();
      if (first === undefined) break;
      aheadBytes -= first.bytes;
      yield await first.group;
    }
  }
  for (const { group } of ahead) yield await group;
}

type BatchLine = { location: BatchLocation; bytes: Buffer | null };

/** Lines with batches behind the checkpoint. */
async function* batchLines(
  pieces: AsyncIterable<Buffer>,
  from: Checkpoint,
  manifestLine: number | null,
): AsyncGenerator<BatchLine> {
  let batches = 0;
  for await (const line of readLines(pieces, lineBytesMax)) {
    if (line.number === manifestLine || (line.bytes !== null && isBlank(line.bytes))) continue;
    batches += 1;
    if (batches > from.batches) yield { location: { batch: batches - 1, line: line.number }, bytes: line.bytes };
  }
}

type BatchLocation = Pick<RecordGroup, "batch" | "line">;

async function readLine(
  location: BatchLocation,
  bytes: Buffer,
  opener: BatchOpener,
  deliveryPosition: number | null,
): Promise<RecordGroup> {
  const envelope = readEnvelope(bytes);
  if (!envelope.ok) return refused(location, envelope.field, envelope.reason);
  const batch = await openBatch(envelope.token, opener, deliveryPosition);
  if (!batch.ok) return refused(location, "txs", `${batch.errorCode}: ${batch.reason}`, batch.records);
  const { parts, records, sizeBytes, contentSha256 } = batch;
  return {
    ...location,
    firstIndex: 0,
    parts,
    records,
    sizeBytes,
    startsBatch: true,
    request: { id: envelope.requestId, contentSha256 },
    refusal: null,
  };
}

function refused(location: BatchLocation, field: string, reason: string, records = 0): RecordGroup {
  return {
    ...location,
    firstIndex: 0,
    parts: [],
    records: 0,
    sizeBytes: 0,
    startsBatch: true,
    request: null,
    refusal: { field, reason, records },
  };
}
