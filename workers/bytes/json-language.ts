/** How the interface's JSON records say what a row needs; see row-collector.ts. */
import { bits, field, type RecordFields } from "./fields.ts";
import { hexUnit } from "./json-record.ts";
import type { RowLanguage } from "./row-collector.ts";

const backslash = 0x5c;
const letterU = 0x75;

/** What the character behind a backslash stands for; most stand for themselves. */
const meanings = Uint8Array.from({ length: 256 }, (_, byte) => byte);
for (const [letter, character] of Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }))
  meanings[letter.charCodeAt(0)] = character.charCodeAt(0);

const accountFields = bits(field.accountId, field.accountName, field.iban);
const cardFields = bits(field.cardId, field.pan4);

export const jsonLanguage: RowLanguage = {
  unescape,
  textOf: (source, from, to) => JSON.parse(`"${source.toString("utf8", from, to)}"`) as string,
  ownerFields: [field.owner],
  ownerOf: (text) => text(field.owner),
  isComplete: (fields, source) =>
    isTransaction(fields, source) &&
    hasAll(fields, field.account, accountFields) &&
    hasAll(fields, field.card, cardFields) &&
    hasAll(fields, field.merchant, bits(field.merchantName)),
};

function isTransaction(fields: RecordFields, source: Uint8Array): boolean {
  const start = fields.starts[field.recordType] as number;
  return (
    fields.has(field.recordType) &&
    fields.bytesOf(field.recordType) === 2 &&
    source[start] === 0x54 &&
    source[start + 1] === 0x58
  );
}

/** An object that is there has its needed fields. */
function hasAll(fields: RecordFields, object: number, needed: number): boolean {
  return !fields.has(object) || (fields.present & needed) === needed;
}

/** JSON text whose escapes were found to be whole characters. */
function unescape(source: Uint8Array, start: number, end: number, target: Uint8Array, at: number): number {
  let to = at;
  for (let from = start; from < end; from += 1) {
    if (source[from] !== backslash) {
      target[to] = source[from] as number;
      to += 1;
      continue;
    }
    from += 1;
    if (source[from] === letterU) {
      to = writeUtf8(hexUnit(source, from + 1), target, to);
      from += 4;
    } else {
      target[to] = meanings[source[from] as number] as number;
      to += 1;
    }
  }
  return to;
}

/** @param point of the basic plane */
function writeUtf8(point: number, target: Uint8Array, at: number): number {
  if (point < 0x80) {
    target[at] = point;
    return at + 1;
  }
  if (point < 0x800) {
    target[at] = 0xc0 | (point >> 6);
    target[at + 1] = 0x80 | (point & 0x3f);
    return at + 2;
  }
  target[at] = 0xe0 | (point >> 12);
  target[at + 1] = 0x80 | ((point >> 6) & 0x3f);
  target[at + 2] = 0x80 | (point & 0x3f);
  return at + 3;
}
