/** The TransactionsRequest around a batch. Source: interface document, table TransactionsRequest. */
import { envelopeStructureBytesMax } from "../../config/limits.ts";

export type Envelope = { ok: true; requestId: string; token: string };
export type EnvelopeProblem = { ok: false; field: string; reason: string };

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * One line of a file. Unknown keys are ignored. The reqId is returned in lower case, so that one id has one spelling.
 */
export function readEnvelope(bytes: Buffer): Envelope | EnvelopeProblem {
  const value = hasBoundedStructure(bytes) ? parseObject(bytes) : null;
  if (value === null) return { ok: false, field: "", reason: "is not a TransactionsRequest" };
  const { reqId, txs } = value;
  if (typeof reqId !== "string" || !uuidPattern.test(reqId))
    return { ok: false, field: "reqId", reason: "is not a UUID" };
  if (typeof txs !== "string") return { ok: false, field: "txs", reason: "is not a string" };
  return { ok: true, requestId: reqId.toLowerCase(), token: txs };
}

/** The batch of a request whose door has checked and accepted it: nothing around it may refuse it any more. */
export function readAcceptedToken(bytes: Buffer): string {
  const txs = parseObject(bytes)?.txs;
  if (typeof txs !== "string") throw new TypeError("an accepted request has no txs");
  return txs;
}

function parseObject(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether little stands outside strings. A line may be long because its token is; twenty million brackets would make
 * JSON.parse build a gigabyte of empty arrays.
 */
function hasBoundedStructure(bytes: Buffer): boolean {
  let outside = 0;
  let position = 0;
  while (position < bytes.length) {
    const opening = bytes.indexOf(quote, position);
    outside += (opening < 0 ? bytes.length : opening + 1) - position;
    if (outside > envelopeStructureBytesMax) return false;
    if (opening < 0) return true;
    position = endOfString(bytes, opening + 1);
  }
  return true;
}

/** The position behind the closing quote, or the end of the bytes. */
function endOfString(bytes: Buffer, from: number): number {
  for (let closing = bytes.indexOf(quote, from); closing >= 0; closing = bytes.indexOf(quote, closing + 1)) {
    let escapes = 0;
    while (bytes[closing - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return closing + 1;
  }
  return bytes.length;
}
