/** Where the lines of the log go, and what of an error is written: never a value that a database or a parser quotes. */
import { type DestinationStream, type Logger, pino } from "pino";

export type Level = "info" | "warn" | "error" | "debug";

export type LogSettings = {
  level: Level | "silent";
  /** Where lines go; standard error by default, so that commands keep standard output for results. */
  destination?: Parameters<typeof pino>[1] | undefined;
};

export function openLog(settings: LogSettings): Logger {
  const options = { level: settings.level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, settings.destination ?? logDestination(2));
}

/** Lines kept for a destination that takes none just now. */
const logBufferBytesMax = 1024 * 1024;

/** A file's path or a descriptor. A full disk or a closed terminal costs lines, not the service. */
export function logDestination(destination: string | number): DestinationStream {
  const stream = pino.destination({
    dest: destination,
    mkdir: true,
    sync: true,
    mode: 0o600,
    maxLength: logBufferBytesMax,
  });
  stream.on("error", () => undefined);
  return stream;
}

/** Errors become name, code and message: a stack goes along only for bugs, that is for errors without a code. */
export function errorFields(fields: object): object {
  if (!("error" in fields)) return fields;
  const { error, ...rest } = fields;
  if (!(error instanceof Error)) return { ...rest, error: String(error) };
  const code = "code" in error ? String(error.code) : undefined;
  // JSON.parse quotes what it cannot read, and PostgreSQL the value that it cannot take (SQLSTATE class 22): that may
  // be anybody's.
  const tells =
    error instanceof SyntaxError || /^22[0-9A-Z]{3}$/.test(code ?? "") ? withoutQuotes : (text: string) => text;
  return { ...rest, error: tells(error.message), ...(code ? { code } : { stack: tells(error.stack ?? "") }) };
}

function withoutQuotes(text: string): string {
  return text.replaceAll(/"[^"\n]*"?/g, '"…"');
}
