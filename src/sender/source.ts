/**
 * Reading what a partner has: RawTransaction objects as one JSON array or as JSON Lines, or a CSV table; each also gzipped.
 * What a file is, is told from its first character: `[`, `{`, or a header row. Constant memory.
 */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import streamArray from "stream-json/streamers/stream-array.js";
import { Fault } from "../errors.ts";
import type { RawTransaction } from "../landing/record.ts";
import { readTable } from "./table.ts";

/** Only what sending itself needs is checked here; the service checks every field and says where it is wrong. @throws Fault SOURCE_INVALID naming the place */
export async function* readRecords(file: string): AsyncGenerator<RawTransaction> {
  const first = await firstCharacter(file);
  if (first === null) return;
  const source = first === "[" ? readArray(file) : first === "{" ? readLines(file) : readTable(openText(file), file);
  for await (const { value, place } of source) yield assertRecord(value, `${file}, ${place}`);
}

/** How many records a file holds, told by its lines; null for a JSON array, whose elements only a parser can count. */
export async function countRecords(file: string): Promise<number | null> {
  const first = await firstCharacter(file);
  if (first === null) return 0;
  if (first === "[") return null;
  let lines = 0;
  let last = "\n";
  for await (const chunk of openText(file)) {
    const text = String(chunk);
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
    last = text.at(-1) ?? last;
  }
  if (last !== "\n") lines += 1;
  return first === "{" ? lines : lines - 1;
}

/** The objects of a JSON Lines file. @throws Fault SOURCE_INVALID naming the line */
export async function* readLines(file: string): AsyncGenerator<{ value: unknown; place: string }> {
  let line = 0;
  for await (const text of createInterface({ input: openText(file), crlfDelay: Infinity })) {
    line += 1;
    if (text.trim() === "") continue;
    yield { value: parseLine(text, `${file}, line ${line}`), place: `line ${line}` };
  }
}

async function* readArray(file: string): AsyncGenerator<{ value: unknown; place: string }> {
  const elements = streamArray.withParserAsStream();
  const input = openText(file);
  input.once("error", (error: Error) => elements.destroy(error));
  try {
    for await (const element of input.pipe(elements)) {
      const { key, value } = element as { key: number; value: unknown };
      yield { value, place: `element ${key}` };
    }
  } catch (cause) {
    throw cause instanceof Fault ? cause : new Fault("SOURCE_INVALID", `${file} is not a JSON array (${messageOf(cause)}).`, { cause });
  }
}

function parseLine(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault("SOURCE_INVALID", `${place} is not JSON.`, { cause });
  }
}

function assertRecord(value: unknown, place: string): RawTransaction {
  if (typeof value !== "object" || value === null || !("uid" in value) || typeof value.uid !== "string") {
    throw new Fault("SOURCE_INVALID", `${place} is not a RawTransaction: it has no uid.`);
  }
  return value as RawTransaction;
}

/** @throws Fault SOURCE_INVALID */
function openText(file: string): Readable {
  const bytes = createReadStream(file);
  const text = file.endsWith(".gz") ? bytes.pipe(createGunzip()) : bytes;
  bytes.on("error", (cause: NodeJS.ErrnoException) => {
    text.destroy(new Fault("SOURCE_INVALID", cause.code === "ENOENT" ? `There is no file ${file}.` : `${file} cannot be read.`, { cause }));
  });
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
    throw cause instanceof Fault ? cause : new Fault("SOURCE_INVALID", `${file} cannot be read (${messageOf(cause)}).`, { cause });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
