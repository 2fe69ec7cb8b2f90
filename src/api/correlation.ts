/** One id follows a call through every answer, log line, job, receipt and notification. */
import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** "string, any format" (interface document, "What the service does"); longer ones would only swell logs and rows. */
export const correlationIdLengthMax = 200;
/** They would break the response header, the log line, or Postgres text. */
const controlCharacters = /\p{Cc}/gu;

/** The caller's X-Correlation-ID without control characters, cut to its limit; a new UUID when nothing is left of it. */
export function correlationIdOf(headers: IncomingHttpHeaders): string {
  const given = headers["x-correlation-id"];
  const text = typeof given === "string" ? decode(given).replace(controlCharacters, "").slice(0, correlationIdLengthMax).toWellFormed().trim() : "";
  return text === "" ? randomUUID() : text;
}

/** As Node writes headers: one character a byte. */
export function correlationHeader(correlationId: string): string {
  return Buffer.from(correlationId, "utf8").toString("latin1");
}

/** Node reads each byte of a header as one character; callers who write more than ASCII mean UTF-8. */
function decode(header: string): string {
  const bytes = Buffer.from(header, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : header;
}
