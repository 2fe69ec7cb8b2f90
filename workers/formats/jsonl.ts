/**
 * `*.jsonl` and `*.jsonl.gz`: one TransactionsRequest a line, each opened and refused on its own; an optional manifest
 * last.
 */
import { hash } from "node:crypto";
import { lineBytesMax, linesRememberedMax } from "../../config/limits.ts";
import { openUnlessKnown } from "../records/batch.ts";
import { readFilePieces } from "../bytes/reading.ts";
import { inTurn } from "../turn.ts";
import { readHeader } from "../jwe/header.ts";
import { type Envelope, readEnvelope } from "../records/envelope.ts";
import { checkRecord, interfaceFields } from "../records/record.ts";
import { isCutLines, isCutLinesInGzip } from "./cut-off.ts";
import type { FileFormat } from "./format.ts";
import { gunzip } from "./gzip.ts";
import { isBlank, readLines } from "./lines.ts";
import { findLastLine, parseManifest } from "./manifest.ts";
import { containsPlainLine, containsPlainLineInGzip } from "./plain-text.ts";
import {
  type Checkpoint,
  type DeliveryReader,
  DeliveryRefused,
  type FileInput,
  type Known,
  type KnownBatch,
  openedBytesMaxOf,
  type RecordGroup,
  type SealedBatch,
  start,
} from "./reader.ts";

const names = "*.jsonl[.gz]";

export const jsonl: FileFormat = {
  name: /\.jsonl$/s,
  names,
  meaning: "One TransactionsRequest a line, each opened and refused on its own; an optional manifest last.",
  findPlainText: containsPlainLine,
  findCut: isCutLines,
  open: (input) => readLineFile(input, () => readPieces(input)),
};

export const jsonlGz: FileFormat = {
  name: /\.jsonl\.gz$/s,
  names,
  meaning: "The same in gzip.",
  findPlainText: containsPlainLineInGzip,
  findCut: isCutLinesInGzip,
  open: (input) => readLineFile(input, () => gunzip(readPieces(input))),
};

const readBytes = 256 * 1024;
/** Lines being opened at once; together no longer than one may be. As many as are busy with two processors. */
const linesAheadMax = 3;

function readPieces({ path, bytes }: FileInput): AsyncIterable<Buffer> {
  return bytes === undefined ? readFilePieces(path, { highWaterMark: readBytes }) : copyOf(bytes);
}

/** What is read is freed, and this is read more than once. */
async function* copyOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from(bytes);
}

function readLineFile(input: FileInput, openLanded: () => AsyncIterable<Buffer>): DeliveryReader {
  let manifestLine: number | null = null;
  const openPieces = () => inTurn(openLanded(), input.turn);
  return {
    async verify() {
      manifestLine = await verifyManifest(openPieces(), input.manifestRequired);
    },
    async survey() {
      // Each line stands alone: none can refuse the others.
    },
    digestBatches: (batchesMax) => digestLines(openPieces(), manifestLine, batchesMax),
    groups: (from, asValues, { batches = null } = {}) =>
      readGroups(openPieces(), from, manifestLine, createLineReader(input, asValues === true, batches)),
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

/** Lines whose reqId can be seen at their front, where most senders write it. */
async function digestLines(
  pieces: AsyncIterable<Buffer>,
  manifestLine: number | null,
  linesMax: number,
): Promise<SealedBatch[]> {
  const digested: SealedBatch[] = [];
  for await (const { location, bytes } of batchLines(pieces, start, manifestLine)) {
    const requestId = bytes === null ? null : requestIdAtFront(bytes);
    if (bytes === null || requestId === null) continue;
    digested.push({ batch: location.batch, sha256: hash("sha256", bytes, "buffer"), requestId });
    if (digested.length >= linesMax) break;
  }
  return digested;
}

const frontBytes = 128;
const reqIdAtFront = /^\s*\{\s*"reqId"\s*:\s*"([0-9a-f-]{36})"/i;

function requestIdAtFront(bytes: Buffer): string | null {
  return reqIdAtFront.exec(bytes.toString("latin1", 0, frontBytes))?.[1]?.toLowerCase() ?? null;
}

type BatchLocation = Pick<RecordGroup, "batch" | "line">;

/**
 * Opens lines, each content once: a line whose reqId and ciphertext stood in an earlier one is known without opening it.
 * @param asValues every record is wanted, those of repeats too
 * @param batches lines that an earlier file brought
 */
function createLineReader(input: FileInput, asValues: boolean, batches: Known["batches"] | null): ReadLine {
  const known = new Map<string, Promise<RecordGroup>>();
  const openedBytesMax = openedBytesMaxOf(input);
  let openedBytes = 0;
  return async (location, bytes) => {
    const envelope = readEnvelope(bytes);
    if (!envelope.ok) return refused(location, envelope.field, envelope.reason);
    const name = nameOf(envelope);
    const earlier = asValues ? undefined : known.get(name);
    if (earlier !== undefined) return { ...(await earlier), ...location };
    const loaded = batches?.sealed.get(location.batch);
    if (loaded !== undefined && loaded.request.id === envelope.requestId && (await mayStaySealed(envelope, input)))
      return repeatOf(location, loaded, loaded.request);
    if (openedBytes > openedBytesMax) return refused(location, "txs", tooMuchReason);
    const group = openLine(location, envelope, input, asValues ? null : input.deliveryPosition, batches);
    remember(known, name, group.then(asRepeat));
    const { sizeBytes } = await group;
    openedBytes += sizeBytes;
    input.turn.note(sizeBytes);
    return await group;
  };
}

const tooMuchReason = "is behind lines that open to more than a file of this size may";

function nameOf({ requestId, token }: Envelope & { ok: true }): string {
  return `${requestId}${hash("sha256", token, "base64")}`;
}

function remember(known: Map<string, Promise<RecordGroup>>, name: string, group: Promise<RecordGroup>): void {
  // Whoever waits for the line itself is told of its failure.
  group.catch(() => undefined);
  known.set(name, group);
  const [oldest] = known.keys();
  if (oldest !== undefined && known.size > linesRememberedMax) known.delete(oldest);
}

function asRepeat(group: RecordGroup): RecordGroup {
  return { ...group, parts: [], sizeBytes: 0, isRepeat: true };
}

/** What its sender has to sign is opened each time; and a key that opens nothing any more refuses what is sealed for it. */
async function mayStaySealed({ token }: Envelope & { ok: true }, { opener }: FileInput): Promise<boolean> {
  const header = opener.signers === null ? readHeader(token.slice(0, Math.max(0, token.indexOf(".")))) : null;
  return header !== null && (await opener.findKey(header.kid)) !== null;
}

function repeatOf(
  location: BatchLocation,
  { records, userIds }: KnownBatch,
  request: RecordGroup["request"],
  sizeBytes = 0,
): RecordGroup {
  return {
    ...location,
    firstIndex: 0,
    parts: [],
    records,
    sizeBytes,
    startsBatch: true,
    request,
    refusal: null,
    isRepeat: true,
    userIds,
  };
}

const nothingKnown = async () => null;

async function openLine(
  location: BatchLocation,
  { requestId, token }: Envelope & { ok: true },
  { opener }: FileInput,
  deliveryPosition: number | null,
  batches: Known["batches"] | null,
): Promise<RecordGroup> {
  const batch = await openUnlessKnown(token, opener, deliveryPosition, batches?.findOpened ?? nothingKnown);
  if (!batch.ok) return refused(location, "txs", `${batch.errorCode}: ${batch.reason}`, batch.records);
  const { contentSha256, sizeBytes } = batch;
  if ("known" in batch) return repeatOf(location, batch.known, { id: requestId, contentSha256 }, sizeBytes);
  const { parts, records } = batch;
  return {
    ...location,
    firstIndex: 0,
    parts,
    records,
    sizeBytes,
    startsBatch: true,
    request: { id: requestId, contentSha256 },
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
