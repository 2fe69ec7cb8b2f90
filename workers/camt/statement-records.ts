/**
 * From a document's bytes to records. The parser reads all but ordinary entries, which are found and made rows where they
 * stand: between two tags of a statement an entry can be taken out, and what is left is still the same document.
 */
import { isUtf8 } from "node:buffer";
import { recordBytesMax } from "../../config/limits.ts";
import type { IbanRules } from "../../src/partners/settings/iban-rules.ts";
import { free } from "../bytes/lend.ts";
import type { RecordPart } from "../records/record-part.ts";
import { type Element, type Item, StatementElements } from "./elements.ts";
import { EntryRows } from "./entry-rows.ts";
import { EntryScanner, incomplete } from "./entry-scanner.ts";
import { type StatedBalance, type StatedRecord, Statement, type StatementSeen } from "./statement.ts";
import { decode } from "./text.ts";

/** What was read since the last time. */
export type Read = {
  parts: RecordPart[];
  records: number;
  statements: StatementSeen[];
  balances: StatedBalance[];
  sizeBytes: number;
};

/**
 * Rows lie in memory of their own from one record that was parsed to the next; of a group in which these take turns more
 * often the rest is parsed.
 */
const turnsMax = 4;

const entryEnding = Buffer.from("Ntry>");
const lessThan = 0x3c;
const greaterThan = 0x3e;
const slash = 0x2f;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const nothing: Buffer = Buffer.alloc(0);

export class StatementRecords {
  readonly #elements = new StatementElements();
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #rules: IbanRules;
  readonly #scanner = new EntryScanner();
  readonly #rows: EntryRows | null;
  #statement: Statement | null = null;
  #places = 0;
  /** "<Ntry>", with the statement's prefix. */
  #entryStart: Buffer = nothing;
  /** The parser stands in a statement behind a whole tag. */
  #isBetween = false;
  #takesRows = false;
  #carried = nothing;
  #read: Read = emptyRead();
  #values: StatedRecord[] = [];
  #turns = 0;

  /** @param deliveryPosition null: no entry becomes a row */
  constructor(rules: IbanRules, deliveryPosition: number | null) {
    this.#rules = rules;
    this.#rows = deliveryPosition === null ? null : new EntryRows(this.#scanner, deliveryPosition);
  }

  /**
   * @param piece UTF-8, only lent @param asRows whether its entries may be rows @returns null: no record was completed
   * @throws NoStatement
   */
  push(piece: Buffer, asRows: boolean): Read | null {
    this.#takesRows = asRows && this.#rows !== null;
    this.#read.sizeBytes += piece.length;
    const bytes = Buffer.concat([this.#carried, piece]);
    this.#carried = nothing;
    this.#readBytes(bytes);
    free(bytes);
    return this.#read.records === 0 ? null : this.#take();
  }

  /** What stands behind the last record. @throws NoStatement */
  end(): Read {
    const rest = this.#carried;
    this.#parse(rest, 0, rest.length);
    decode(this.#decoder, nothing, false);
    this.#elements.end();
    return this.#take();
  }

  #readBytes(bytes: Buffer): void {
    const end = bytes.lastIndexOf(greaterThan) + 1;
    if (bytes.length - end > recordBytesMax || !isUtf8(bytes.subarray(0, end)))
      return this.#parse(bytes, 0, bytes.length);
    let at = 0;
    while (at < end) {
      const next = this.#isBetween ? this.#passEntry(bytes, at, end) : this.#parseOn(bytes, at, end);
      if (next === incomplete) break;
      at = next;
    }
    this.#carried = Buffer.from(bytes.subarray(at));
  }

  /** @returns where the next one may begin; incomplete: not in these bytes */
  #passEntry(bytes: Buffer, from: number, to: number): number {
    const at = this.#passBlanks(bytes, from, to);
    if (at > from) return at;
    this.#isBetween = false;
    if (!this.#takesRows || this.#rows === null || !startsWith(bytes, at, this.#entryStart)) return at;
    const end = this.#scanner.scan(bytes, at, to);
    if (end === incomplete && bytes.length - at <= recordBytesMax) {
      this.#isBetween = true;
      return incomplete;
    }
    this.#put(this.#elements.passEntry());
    if (end < 0 || end - at > recordBytesMax || !this.#rows.take(bytes, this.#elements.line)) return at;
    this.#noteRow();
    this.#elements.passLines(this.#scanner.lineFeeds);
    this.#isBetween = true;
    return end;
  }

  #passBlanks(bytes: Buffer, from: number, to: number): number {
    let at = from;
    let lines = 0;
    for (; at < to; at += 1) {
      const byte = bytes[at];
      if (byte === lineFeed) lines += 1;
      else if (byte !== 0x20 && byte !== 0x09 && !(byte === carriageReturn && bytes[at + 1] === lineFeed)) break;
    }
    this.#elements.passLines(lines);
    return at;
  }

  /** Up to the next entry, or to the end of one. @returns up to where */
  #parseOn(bytes: Buffer, from: number, to: number): number {
    const found = this.#takesRows ? bytes.indexOf(entryEnding, from) : -1;
    const name = found < 0 || found >= to ? -1 : bytes.lastIndexOf(lessThan, found);
    if (name < from) {
      const end = found < 0 || found >= to ? to : found + entryEnding.length;
      this.#parse(bytes, from, end);
      return end;
    }
    // A start tag is where an entry may be passed, an end tag is behind what the parser has to read.
    const isBefore = bytes[name + 1] !== slash && name > from;
    const end = isBefore ? name : found + entryEnding.length;
    this.#parseTag(bytes, from, end);
    return end;
  }

  /** As #parse, and looks whether that ends with a tag of a statement: then nothing of the document is open but it. */
  #parseTag(bytes: Buffer, from: number, to: number): void {
    let end = to;
    while (end > from && bytes[end - 1] !== greaterThan && (bytes[end - 1] as number) <= 0x20) end -= 1;
    const tag = end === from ? -1 : bytes.lastIndexOf(lessThan, end - 1);
    if (tag < from) return this.#parse(bytes, from, to);
    this.#parse(bytes, from, tag);
    const { tags } = this.#elements;
    this.#parse(bytes, tag, end);
    const isTag = this.#elements.tags > tags;
    this.#parse(bytes, end, to);
    this.#isBetween = isTag && this.#elements.isInStatement;
  }

  #parse(bytes: Buffer, from: number, to: number): void {
    if (from === to) return;
    this.#isBetween = false;
    this.#put(this.#elements.push(decode(this.#decoder, bytes.subarray(from, to), true)));
  }

  #put(items: readonly Item[]): void {
    for (const item of items) {
      if (item.kind === "head") this.#begin(item.head);
      else if (item.kind === "entry") this.#noteValues(this.#statement?.read(item.entry) ?? []);
      else this.#finish();
    }
  }

  #begin(head: Element): void {
    const { kind, prefix } = this.#elements;
    if (kind === null) throw new Error("a statement began before its message");
    this.#statement = new Statement(head, this.#places, kind, this.#rules);
    this.#places += 1;
    this.#rows?.use(this.#statement);
    this.#entryStart = Buffer.from(`<${prefix}Ntry>`);
    this.#scanner.usePrefix(prefix);
    const closing = this.#statement.closing();
    if (closing !== null) this.#read.balances.push(closing);
  }

  #finish(): void {
    if (this.#statement !== null) this.#read.statements.push(this.#statement.end());
    this.#statement = null;
    this.#rows?.use(null);
  }

  #noteValues(records: readonly StatedRecord[]): void {
    if (records.length === 0) return;
    if (this.#putRows() && ++this.#turns === turnsMax) this.#takesRows = false;
    this.#values.push(...records);
    this.#read.records += records.length;
  }

  #noteRow(): void {
    this.#putValues();
    this.#read.records += 1;
  }

  #putValues(): void {
    if (this.#values.length === 0) return;
    this.#read.parts.push({ kind: "values", values: this.#values, lines: this.#values.map(({ line }) => line) });
    this.#values = [];
  }

  /** @returns whether there were any */
  #putRows(): boolean {
    const all = this.#rows?.finish() ?? [];
    for (const rows of all) this.#read.parts.push({ kind: "rows", rows });
    return all.length > 0;
  }

  #take(): Read {
    this.#putValues();
    this.#putRows();
    const read = this.#read;
    this.#read = emptyRead();
    this.#turns = 0;
    // Whoever reads the file again for records that waited must find what their account held beside them.
    const open = this.#statement?.closing() ?? null;
    if (open !== null) read.balances.push(open);
    return read;
  }
}

function emptyRead(): Read {
  return { parts: [], records: 0, statements: [], balances: [], sizeBytes: 0 };
}

function startsWith(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  if (text.length === 0) return false;
  for (let place = 0; place < text.length; place += 1) if (bytes[at + place] !== text[place]) return false;
  return true;
}
