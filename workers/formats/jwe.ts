/** `*.jwe`: one compact JWE over a JSON array of any length. */
import { readFile } from "node:fs/promises";
import { groupBytesMax, requestTokenLengthMax } from "../../config/limits.ts";
import { ArrayCheck } from "../bytes/array-check.ts";
import { ArraySplitter, NotAnArray, type SplitElements } from "../bytes/array-splitter.ts";
import { openContent } from "../records/batch.ts";
import { createJsonRows, type ElementReader } from "../bytes/json-rows.ts";
import type { PieceCutter } from "../bytes/piece-cutter.ts";
import { countElements, partsOf } from "../records/elements.ts";
import { inTurn } from "../turn.ts";
import { SealedFile } from "../jwe/sealed-file.ts";
import { NotOpened } from "../not-opened.ts";
import { checkRecord, interfaceFields } from "../records/record.ts";
import { isCutToken } from "./cut-off.ts";
import type { FileFormat } from "./format.ts";
import { isPlainJson } from "./plain-text.ts";
import {
  behind,
  type Checkpoint,
  type DeliveryReader,
  DeliveryRefused,
  type FileInput,
  type KnownPiece,
  type RecordGroup,
} from "./reader.ts";

export const jwe: FileFormat = {
  name: /\.jwe$/s,
  names: "*.jwe",
  meaning: "One compact JWE over a JSON array of RawTransaction objects, of any length.",
  findPlainText: isPlainJson,
  findCut: isCutToken,
  open: readJwe,
};

function readJwe(input: FileInput): DeliveryReader {
  let plaintext: (() => AsyncIterable<Buffer>) | null = null;
  const opened = () => {
    if (plaintext === null) throw new Error("a sealed file was read before it was verified");
    return plaintext();
  };
  return {
    async verify() {
      plaintext = await (input.opener.signers === null && input.bytes === undefined
        ? openStream(input)
        : openWhole(input));
    },
    async survey(cutter) {
      await refusing(async () => {
        const check = new ArrayCheck(cutter);
        for await (const piece of inTurn(opened(), input.turn)) check.push(piece);
        check.end();
      });
    },
    cutsPieces: true,
    groups: (from, asValues, { pieces = [], cutter = null } = {}) =>
      readGroups(
        () => inTurn(opened(), input.turn),
        from,
        asValues === true ? null : createJsonRows(input.deliveryPosition),
        pieces,
        cutter,
      ),
    check: checkRecord,
    fields: interfaceFields,
  };
}

async function openStream(input: FileInput): Promise<() => AsyncIterable<Buffer>> {
  return await refusing(async () => {
    const sealed = await SealedFile.open(input.path, input.opener.findKey);
    await sealed.verify();
    return () => sealed.plaintext();
  });
}

/** A signature is over the whole content, which must therefore fit a request; so does what is small. */
async function openWhole(input: FileInput): Promise<() => AsyncIterable<Buffer>> {
  if (input.sizeBytes > requestTokenLengthMax) {
    throw new DeliveryRefused(
      "SIGNATURE_ERROR",
      `The partner must sign its batches, and a signed file may have at most ${requestTokenLengthMax} bytes.`,
    );
  }
  const token = (input.bytes?.toString("latin1") ?? (await readFile(input.path, "latin1"))).trimEnd();
  const opened = await openContent(token, input.opener);
  if (!opened.ok) throw new DeliveryRefused(opened.errorCode, `The file ${opened.reason}.`);
  return async function* () {
    yield opened.content;
  };
}

async function* readGroups(
  open: () => AsyncIterable<Buffer>,
  from: Checkpoint,
  reader: ElementReader | null,
  known: readonly KnownPiece[],
  cutter: PieceCutter | null,
): AsyncGenerator<RecordGroup> {
  const last = known.at(-1);
  if (last?.isLast === true && sumOf(known) === last.firstIndex + last.records) {
    for (const piece of known) yield repeatOf(piece);
    return;
  }
  const splitter = new ArraySplitter();
  splitter.cutter = cutter;
  let index = 0;
  try {
    // The array's last element is always read, and the bracket behind it.
    for await (const part of partsBetween(
      open(),
      known.filter((piece) => !piece.isLast),
    )) {
      // Before the checkpoint records are only counted.
      if (index >= from.records) splitter.reader = reader;
      if (!Buffer.isBuffer(part)) {
        if (part.firstIndex !== index) throw new Error("a known piece does not stand where it was found");
        index += part.records;
        yield repeatOf(part);
        continue;
      }
      const elements = splitter.push(part);
      const firstIndex = index;
      index += elements.reduce((sum, one) => sum + countElements(one), 0);
      if (index <= from.records && from.records > 0) continue;
      // A group lies across the checkpoint when a limit was changed between two attempts, or known pieces had been left out.
      const group = behind(groupOf(elements, firstIndex, index - firstIndex, part.length), from);
      if (group && group.records > 0) yield group;
    }
    splitter.end();
  } catch (error) {
    throw asRefusal(error);
  }
}

/** The plaintext in parts of a group each, without the known pieces, which stand where they were. */
async function* partsBetween(
  plaintext: AsyncIterable<Buffer>,
  known: readonly KnownPiece[],
): AsyncGenerator<Buffer | KnownPiece> {
  let offset = 0;
  let nth = 0;
  for await (const bytes of plaintext) {
    for (let at = 0; at < bytes.length;) {
      const next = known[nth];
      if (next !== undefined && offset + at >= next.start) {
        if (offset + at === next.start) yield next;
        at = Math.min(bytes.length, next.end - offset);
        if (offset + at === next.end) nth += 1;
        continue;
      }
      const end = Math.min(bytes.length, at + groupBytesMax, (next?.start ?? Infinity) - offset);
      yield bytes.subarray(at, end);
      at = end;
    }
    offset += bytes.length;
  }
}

function sumOf(pieces: readonly KnownPiece[]): number {
  return pieces.reduce((sum, { records }) => sum + records, 0);
}

function repeatOf({ firstIndex, records, userIds }: KnownPiece): RecordGroup {
  return { ...groupOf([], firstIndex, records, 0), isRepeat: true, userIds };
}

function groupOf(
  elements: readonly SplitElements[],
  firstIndex: number,
  records: number,
  sizeBytes: number,
): RecordGroup {
  return {
    batch: 0,
    line: 0,
    firstIndex,
    parts: partsOf(elements),
    records,
    sizeBytes,
    startsBatch: firstIndex === 0,
    request: null,
    refusal: null,
  };
}

async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): unknown {
  if (error instanceof NotOpened)
    return new DeliveryRefused("DECRYPTION_ERROR", "The file cannot be decrypted.", { cause: error });
  if (error instanceof NotAnArray)
    return new DeliveryRefused("TX_DATA_ERROR", `The file's content is not a JSON array: ${error.message}.`, {
      cause: error,
    });
  return error;
}
