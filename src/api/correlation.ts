/** One id follows a call through every answer, log line, job, receipt and notification. */
import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Origin } from "../interface/notification.ts";

/** "string, any format" (interface document, "What the service does"); longer ones would only swell logs and rows. */
export const correlationIdLengthMax = 200;
/** They would break the response header, the log line, or Postgres text. */
const controlCharacters = /\p{Cc}/gu;

/**
 * The caller's X-Correlation-ID without control characters, cut to its limit; a new UUID when nothing is left of it.
 */
export function correlationIdOf(headers: IncomingHttpHeaders): string {
  const given = headers["x-correlation-id"];
  const text =
    typeof given === "string"
      ? decode(given).replace(controlCharacters, "").slice(0, correlationIdLengthMax).toWellFormed().trim()
      : "";
  return text === "" ? randomUUID() : text;
}

/** As Node writes headers: one character a byte. */
export function correlationHeader(correlationId: string): string {
  return Buffer.from(correlationId, "utf8").toString("latin1");
}

/**
 * W3C Trace Context, 3.2: version, trace id, parent id, flags; ids of zeros and version ff are none. Later versions may
 * add fields.
 */
const traceParent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;
/** Version 00 has 55 characters; room for what a later one adds. */
const traceParentLengthMax = 200;

/** The caller's trace context as it came, and its trace id. Null: none, or one that the standard says to ignore. */
export function traceOf({ traceparent }: IncomingHttpHeaders): { traceparent: string; traceId: string } | null {
  if (typeof traceparent !== "string" || traceparent.length > traceParentLengthMax) return null;
  const traceId = traceParent.exec(traceparent)?.[1];
  if (traceId === undefined || (traceparent.startsWith("00-") && traceparent.length !== 55)) return null;
  return { traceparent, traceId };
}

/** The call as what it gives is told of it. */
export function originOf({ id, headers }: { id: string; headers: IncomingHttpHeaders }): Origin {
  return { correlationId: id, traceparent: traceOf(headers)?.traceparent ?? null };
}

/** Node reads each byte of a header as one character; callers who write more than ASCII mean UTF-8. */
function decode(header: string): string {
  const bytes = Buffer.from(header, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : header;
}
