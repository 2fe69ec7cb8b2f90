/** One id follows a call through every answer, log line, job, receipt and notification. */
import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** "string, any format" (interface document, "What the service does"); longer ones would only swell logs and rows. */
export const correlationIdLengthMax = 200;
/** They would break the response header, the log line, or Postgres text. */
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g;

/** The caller's X-Correlation-ID without control characters, cut to its limit; a new UUID when nothing is left of it. */
export function correlationIdOf(headers: IncomingHttpHeaders): string {
  const given = headers["x-correlation-id"];
  const text = typeof given === "string" ? given.replace(controlCharacters, "").slice(0, correlationIdLengthMax).trim() : "";
  return text === "" ? randomUUID() : text;
}
