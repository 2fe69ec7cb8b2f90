/** Where the lines of the log go, and what of an error is written: never a value that a database or a parser quotes. */
import { type DestinationStream, pino } from "pino";
import { showUnseen } from "./unseen-characters.ts";

export type Level = "info" | "warn" | "error" | "debug";

export type LogSettings = {
  level: Level | "silent";
  /** Of single events, in place of their own. */
  levels?: Readonly<Record<string, Level | "silent">>;
  /** Of single events: one line in so many is written, and says so. */
  samples?: Readonly<Record<string, number>>;
  /** Where lines go; standard error by default, so that commands keep standard output for results. */
  destination?: Parameters<typeof pino>[1] | undefined;
};

/** Writes a line for an event, at its own level unless the settings say otherwise. */
export type Log = (event: string, level: Level, fields: object) => void;

export function openLog({ level, levels = {}, samples = {}, destination }: LogSettings): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // JSON leaves alone what ends a line for some readers, or turns round what a screen shows; ids are callers' choice.
    hooks: { streamWrite: showUnseen },
  };
  const logger = pino(options, destination ?? logDestination(2));
  const seen = new Map<string, number>();
  return (event, ownLevel, fields) => {
    const sampled = samples[event];
    if (sampled !== undefined) {
      const before = seen.get(event) ?? 0;
      seen.set(event, before + 1);
      if (before % sampled !== 0) return;
    }
    const at = levels[event] ?? ownLevel;
    if (at !== "silent")
      logger[at]({ event, ...errorFields(fields), ...(sampled === undefined ? {} : { sampled }) }, event);
  };
}

/** Lines kept for a destination that takes none just now. */
const logBufferBytesMax = 1024 * 1024;

/** reopen: for a file that was renamed or removed; lines go into a new one of that name from here on. */
export type LogDestination = DestinationStream & { reopen(): void };

/** A file's path or a descriptor. A full disk or a closed terminal costs lines, not the service. */
export function logDestination(destination: string | number): LogDestination {
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
