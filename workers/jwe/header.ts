/** The protected header of a batch and the contract that it must keep. Source: interface document, table JweParams. */
import { decodeBase64Url } from "./base64url.ts";
import { headerLengthMax } from "../../config/limits.ts";

export type BatchHeader = {
  kid: string;
  /** Whether the plaintext is deflated (zip: DEF). */
  deflated: boolean;
};

/**
 * Our identifiers are RFC 7638 thumbprints; what else a sender writes must at least be something a database can be
 * asked for.
 */
const kidPattern = /^[\x20-\x7e]{1,255}$/;

/**
 * Reads the first segment. Null whenever the contract is not kept: alg RSA-OAEP, enc A256GCM, kid a string, zip absent
 * or DEF. `crit` names extensions that must be understood; we understand none (RFC 7516, section 4.1.13). Other
 * parameters (cty, typ) are ignored.
 */
export function readHeader(segment: string): BatchHeader | null {
  if (segment.length > headerLengthMax) return null;
  if (segment === last.segment) return last.header;
  const header = parseHeader(segment);
  // As a text of its own, which keeps no batch in memory whose part it was.
  if (header !== null) last = { segment: Buffer.from(segment).toString(), header };
  return header;
}

/** Mostly the next batch is sealed for the same key by the same program, whose headers are the same. */
let last: { segment: string; header: BatchHeader | null } = { segment: "", header: null };

function parseHeader(segment: string): BatchHeader | null {
  const header = parseObject(decodeBase64Url(segment));
  if (header === null || "crit" in header) return null;
  const { alg, enc, kid, zip } = header;
  if (alg !== "RSA-OAEP" || enc !== "A256GCM" || typeof kid !== "string" || !kidPattern.test(kid)) return null;
  if (zip !== undefined && zip !== "DEF") return null;
  return { kid, deflated: zip === "DEF" };
}

function parseObject(bytes: Buffer | null): Record<string, unknown> | null {
  if (bytes === null) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    // Not UTF-8 or not JSON: no header. What exactly was wrong is nobody's business.
    return null;
  }
}
