/**
 * Reading what a partner has: RawTransaction objects as one JSON array or as JSON Lines, or a CSV file; each also
 * gzipped. What a file is, is told from its first character: `[`, `{`, or a header row. Constant memory.
 */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import streamArray from "stream-json/streamers/stream-array.js";
import { Fault } from "../errors.ts";
import type { RawTransaction } from "../interface/record.ts";
import { readCsv } from "./csv.ts";

/** A record has some hundred characters, the largest that the service takes 64 thousand bytes. */
const lineLengthMax = 1_000_000;

/**
 * Only what sending itself needs is checked here; the service checks every field and says where it is wrong. @throws
 * Fault SOURCE_INVALID naming the location
 */
export async function* readRecords(file: string): AsyncGenerator<RawTransaction> {
  const first = await firstCharacter(file);
  if (first === null) return;
  const source = first === "[" ? readArray(file) : first === "{" ? readLines(file) : readCsv(openText(file), file);
  for await (const { value, location } of source) yield assertRecord(value, `${file}, ${location}`);
}

/** How many records a file holds, told by its lines; null for a JSON array, whose elements only a parser can count. */
export async function countRecords(file: string): Promise<number | null> {
  try {
    const first = await firstCharacter(file);
    if (first === "[") return null;
    const lines = await countLines(file);
    return first === "{" || first === null ? lines : lines - 1;
  } catch {
    // Whoever reads the records is told what is wrong, and where.
    return null;
  }
}

async function countLines(file: string): Promise<number> {
  let lines = 0;
  let last = "\n";
  for await (const chunk of openText(file)) {
    const text = String(chunk);
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
    last = text.at(-1) ?? last;
  }
  return last === "\n" ? lines : lines + 1;
}

/** The objects of a JSON Lines file. @throws Fault SOURCE_INVALID naming the line */
export async function* readLines(file: string): AsyncGenerator<{ value: unknown; location: string }> {
  let line = 0;
  for await (const text of linesOf(file)) {
    line += 1;
    if (text.trim() !== "") yield { value: parseLine(text.trim(), `${file}, line ${line}`), location: `line ${line}` };
  }
}

/** node:readline does not hand on an error of its input, such as a damaged gzip file. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  try {
    for await (const chunk of openText(file)) {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > lineLengthMax)
        throw new Fault("SOURCE_INVALID", `${file} has a line of more than ${lineLengthMax} characters.`);
      yield* lines;
    }
  } catch (cause) {
    throw cause instanceof Fault
      ? cause
      : new Fault("SOURCE_INVALID", `${file} cannot be read (${messageOf(cause)}).`, { cause });
  }
  yield rest;
}

async function* readArray(file: string): AsyncGenerator<{ value: unknown; location: string }> {
  const elements = streamArray.withParserAsStream();
  const input = openText(file);
  input.once("error", (error: Error) => elements.destroy(error));
  try {
    for await (const element of input.pipe(elements)) {
      const { key, value } = element as { key: number; value: unknown };
      yield { value, location: `element ${key}` };
    }
  } catch (cause) {
    throw cause instanceof Fault
      ? cause
      : new Fault("SOURCE_INVALID", `${file} is not a JSON array (${messageOf(cause)}).`, { cause });
  }
}

function parseLine(text: string, location: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault("SOURCE_INVALID", `${location} is not JSON.`, { cause });
  }
}

function assertRecord(value: unknown, location: string): RawTransaction {
  if (typeof value !== "object" || value === null || !("uid" in value) || typeof value.uid !== "string") {
    throw new Fault("SOURCE_INVALID", `${location} is not a RawTransaction: it has no uid.`);
  }
  return value as RawTransaction;
}

function openText(file: string): Readable {
  const bytes = createReadStream(file);
  if (!file.endsWith(".gz")) return bytes.setEncoding("utf8");
  const text = bytes.pipe(createGunzip());
  bytes.on("error", (error) => text.destroy(error));
  text.on("close", () => bytes.destroy());
  return text.setEncoding("utf8");
}

/** Null for a file without content. */
async function firstCharacter(file: string): Promise<string | null> {
  try {
    for await (const chunk of openText(file)) {
      // A byte order mark is white space to trim.
      const text = String(chunk).trimStart();
      if (text !== "") return text.charAt(0);
    }
    return null;
  } catch (cause) {
    throw cause instanceof Fault
      ? cause
      : new Fault("SOURCE_INVALID", `${file} cannot be read (${messageOf(cause)}).`, { cause });
  }
}

function messageOf(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return "there is no such file";
  return error instanceof Error ? error.message : String(error);
}
