/**
 * Reads lines of transactions CSV files as rows, without making a string of any field. A line that is not one whole row of
 * double-quoted fields, or holds anything that is not plainly right, is left to CsvRows and
 * workers/records/record.ts.
 */
import { recordBytesMax } from "../../config/limits.ts";
import { bits, field, type RecordFields } from "./fields.ts";
import { notUnderstood, type Source } from "./json-record.ts";
import type { ReadRows } from "./read-rows.ts";
import { RowCollector, type RowLanguage } from "./row-collector.ts";

/** Takes lines over from CsvRows. */
export type LineReader = {
  /**
   * Reads the line from `from` up to a line feed or `to`. @param source valid UTF-8 up to `to` @returns the line's end,
   * or notUnderstood
   */
  read(source: Source, from: number, to: number, lineNumber: number): number;
  /** What was read since the last call. */
  finish(): ReadRows[];
};

const quote = 0x22;
const semicolon = 0x3b;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

const numbers = bits(field.amount, field.originalAmount, field.merchantMcc);
/** Fields that are read as something else than text, or compared with others. */
const neverEscaped =
  numbers |
  bits(field.owner, field.txid, field.txTime, field.currency, field.originalCurrency, field.accountId, field.cardId);
/** An account has these also where the file has no such column. */
const accountTexts = [field.accountName, field.iban];
const emptyAllowed = bits(
  field.owner,
  field.txid,
  field.txTime,
  field.rawType,
  field.description,
  field.accountId,
  ...accountTexts,
);
const cardDetails = bits(field.pan4, field.cardType);
const merchantDetails = bits(
  field.merchantName,
  field.merchantCid,
  field.merchantAddress,
  field.merchantCity,
  field.merchantPostCode,
  field.merchantCountry,
  field.merchantMcc,
);

const csvLanguage: RowLanguage = {
  unescape(source, from, to, target, at) {
    let end = at;
    for (let offset = from; offset < to; offset += source[offset] === quote ? 2 : 1, end += 1)
      target[end] = source[offset] as number;
    return end;
  },
  textOf: (source, from, to) => source.toString("utf8", from, to).replaceAll('""', '"'),
  ownerFields: [field.owner, field.accountId],
  ownerOf: (text) => ({ bankId: text(field.owner), accountNumber: text(field.accountId) }),
  isComplete: hasPlainNumbers,
};

/** @param fieldOfColumn the field of each column, −1 where it is none */
export function createCsvLines(fieldOfColumn: Int8Array, deliveryPosition: number): LineReader {
  const collector = new RowCollector(csvLanguage, deliveryPosition);
  return {
    read(source, from, to, lineNumber) {
      const end = readLine(collector.fields, fieldOfColumn, source.bytes, from, to);
      if (end < 0 || end - from > recordBytesMax) return notUnderstood;
      complete(collector.fields);
      return collector.take(source.bytes, lineNumber) ? end : notUnderstood;
    },
    finish: () => collector.finish(),
  };
}

/**
 * Fields in their quotes, as many as there are columns. @returns the line's end, a carriage return before it passed
 * over
 */
function readLine(fields: RecordFields, fieldOfColumn: Int8Array, bytes: Uint8Array, from: number, to: number): number {
  fields.present = 0;
  fields.escaped = 0;
  let at = from;
  for (let column = 0; column < fieldOfColumn.length; column += 1) {
    if (bytes[at] !== quote) return notUnderstood;
    at = readField(fields, fieldOfColumn[column] as number, bytes, at + 1, to);
    if (at < 0) return notUnderstood;
    if (column < fieldOfColumn.length - 1) {
      if (bytes[at] !== semicolon) return notUnderstood;
      at += 1;
    }
  }
  const end = bytes[at] === carriageReturn && at < to ? at + 1 : at;
  return end === to || (end < to && bytes[end] === lineFeed) ? end : notUnderstood;
}

/** @returns the offset behind the closing quote */
function readField(fields: RecordFields, number: number, bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  let isEscaped = false;
  for (; at < to; at += 1) {
    const byte = bytes[at] as number;
    if (byte > quote) continue;
    if (byte === lineFeed || byte === 0) return notUnderstood;
    if (byte !== quote) continue;
    if (at + 1 >= to || bytes[at + 1] !== quote) break;
    isEscaped = true;
    at += 1;
  }
  if (at >= to) return notUnderstood;
  if (number < 0) return at + 1;
  fields.starts[number] = from;
  fields.ends[number] = at;
  if (at > from || (emptyAllowed & (1 << number)) !== 0) fields.present |= 1 << number;
  if (!isEscaped) return at + 1;
  fields.escaped |= 1 << number;
  return (neverEscaped & (1 << number)) === 0 ? at + 1 : notUnderstood;
}

/**
 * What a row says by leaving out: no card without its id, no merchant without any detail, texts of the account that are
 * empty.
 */
function complete(fields: RecordFields): void {
  if (!fields.has(field.cardId)) fields.present &= ~cardDetails;
  else makePresent(fields, field.pan4);
  if ((fields.present & merchantDetails) !== 0) makePresent(fields, field.merchantName);
  for (const number of accountTexts) makePresent(fields, number);
}

function makePresent(fields: RecordFields, number: number): void {
  if (fields.has(number)) return;
  fields.present |= 1 << number;
  fields.starts[number] = 0;
  fields.ends[number] = 0;
}

const numberFields = [field.amount, field.originalAmount, field.merchantMcc];

/** Digits, a point between them, a minus before them. */
export function hasPlainNumbers(fields: RecordFields, source: Uint8Array): boolean {
  for (const number of numberFields) {
    if (fields.has(number) && !isPlainNumber(source, fields.starts[number] as number, fields.ends[number] as number))
      return false;
  }
  return true;
}

function isPlainNumber(source: Uint8Array, start: number, end: number): boolean {
  const from = source[start] === 0x2d ? start + 1 : start;
  let point = -1;
  for (let at = from; at < end; at += 1) {
    const byte = source[at] as number;
    if (byte === 0x2e && point < 0) point = at;
    else if (byte < 0x30 || byte > 0x39) return false;
  }
  return end > from && point !== from && point !== end - 1;
}
