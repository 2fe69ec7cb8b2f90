/** One request-size batch, from its token to its records: opened, its signature checked, cut and parsed. */
import { hash } from "node:crypto";
import { requestRecordsMax } from "../../config/limits.ts";
import { ArraySplitter, NotAnArray, type SplitElements } from "../bytes/array-splitter.ts";
import { createJsonRows, type ElementReader } from "../bytes/json-rows.ts";
import { countElements, partsOf } from "./elements.ts";
import type { RecordPart } from "./record-part.ts";
import { beside, type CostlySteps, type FindKey, here, openToken } from "../jwe/open.ts";
import { free } from "../bytes/lend.ts";
import { type Signer, unwrapSigned, verifySignature } from "./signature.ts";

/** What opens the batches of one partner. */
export type BatchOpener = {
  findKey: FindKey;
  /** The partner's keys when it must sign its batches; null when it need not. */
  signers: readonly Signer[] | null;
  /** Default: off the thread. */
  steps?: CostlySteps;
};

export type BatchRefusal = {
  ok: false;
  errorCode: "DECRYPTION_ERROR" | "SIGNATURE_ERROR" | "TX_DATA_ERROR";
  reason: string;
  /** Records that the refused batch was seen to hold. */
  records: number;
};

export type OpenedContent = { ok: true; content: Buffer } | BatchRefusal;

export type OpenedBatch =
  | {
      ok: true;
      /**
       * Over the JSON text of the records, inside encryption, compression and signature: a retry may be sealed afresh.
       */
      contentSha256: Buffer;
      sizeBytes: number;
      parts: RecordPart[];
      /** How many the parts hold. */
      records: number;
    }
  | BatchRefusal;

/** A batch that was not read, because what it opens to is known. */
export type UnreadBatch<Known> = { ok: true; contentSha256: Buffer; sizeBytes: number; known: Known };

/**
 * The batch's records, at most requestRecordsMax of them; or why the whole batch is refused.
 * @param readerOf gives what takes records over where it can, once they are there to be read; null when all are wanted
 * as values
 */
export async function openBatch(
  token: string,
  opener: BatchOpener,
  readerOf: (() => ElementReader) | null,
): Promise<OpenedBatch> {
  const opened = await openContent(token, opener);
  return opened.ok ? readBatch(opened.content, readerOf?.() ?? null) : opened;
}

/**
 * The same.
 * @param deliveryPosition what rows bear; null when all records are wanted as values
 * @param findKnown what is known of a content by its digest; null: it is to be read
 */
export async function openUnlessKnown<Known>(
  token: string,
  opener: BatchOpener,
  deliveryPosition: number | null,
  findKnown: (contentSha256: Buffer) => Promise<Known | null>,
): Promise<OpenedBatch | UnreadBatch<Known>> {
  const opened = await openContent(token, opener);
  if (!opened.ok) return opened;
  const contentSha256 = hash("sha256", opened.content, "buffer");
  const known = await findKnown(contentSha256);
  if (known === null) return readBatch(opened.content, rowsFor(deliveryPosition), contentSha256);
  const sizeBytes = opened.content.length;
  free(opened.content);
  return { ok: true, contentSha256, sizeBytes, known };
}

/** A batch whose door has judged it: keys and rules that changed since then do not refuse what was acknowledged. */
export async function reopenBatch(
  token: string,
  findKey: FindKey,
  deliveryPosition: number | null,
): Promise<OpenedBatch> {
  const plaintext = await openToken(token, findKey, here);
  return plaintext === null
    ? refuse("DECRYPTION_ERROR", "cannot be decrypted")
    : readBatch(unwrapSigned(plaintext), rowsFor(deliveryPosition));
}

/** The batch's JSON text, not yet looked into. */
export async function openContent(token: string, opener: BatchOpener): Promise<OpenedContent> {
  const plaintext = await openToken(token, opener.findKey, opener.steps ?? beside);
  if (plaintext === null) return refuse("DECRYPTION_ERROR", "cannot be decrypted");
  if (opener.signers === null) return { ok: true, content: plaintext };
  const content = await verifySignature(plaintext, opener.signers);
  return content === null
    ? refuse("SIGNATURE_ERROR", "is not signed by a login key of the partner")
    : { ok: true, content };
}

/** @param content with nothing else in its memory; gone when there are parts of it */
function readBatch(
  content: Buffer,
  reader: ElementReader | null,
  contentSha256 = hash("sha256", content, "buffer"),
): OpenedBatch {
  const pieces = splitArray(content, reader);
  if (pieces === null) return refuse("TX_DATA_ERROR", "is not a JSON array");
  const records = pieces.reduce((sum, piece) => sum + countElements(piece), 0);
  if (records > requestRecordsMax)
    return refuse("TX_DATA_ERROR", `holds more than ${requestRecordsMax} records`, records);
  const batch = {
    ok: true as const,
    contentSha256,
    sizeBytes: content.length,
    parts: partsOf(pieces),
    records,
  };
  free(content);
  return batch;
}

function rowsFor(deliveryPosition: number | null): ElementReader | null {
  return deliveryPosition === null ? null : createJsonRows(deliveryPosition);
}

function splitArray(content: Buffer, reader: ElementReader | null): SplitElements[] | null {
  const splitter = new ArraySplitter();
  splitter.reader = reader;
  try {
    const pieces = splitter.pushWhole(content);
    splitter.end();
    return pieces;
  } catch (error) {
    if (error instanceof NotAnArray) return null;
    throw error;
  }
}

function refuse(errorCode: BatchRefusal["errorCode"], reason: string, records = 0): BatchRefusal {
  return { ok: false, errorCode, reason, records };
}
