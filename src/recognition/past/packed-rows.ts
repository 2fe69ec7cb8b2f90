/**
 * A user's ledger rows in few bytes. What banks print returns from row to row: a text stands once, and so does each
 * combination of texts that rows share (a form). What texts were read as can stand beside them (readings.ts). The order of
 * the rows is not kept: they come out by day and txid.
 */
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { dayNumber } from "../../time/calendar.ts";
import { knownText } from "../../ledger/history.ts";
import { itemAt } from "../../present.ts";
import { type Form, type KeptRow, rowsIn } from "./kept-row.ts";
import { type Column, eachOf, Packer, Unpacker } from "./packing.ts";
import { packReadings, unpackReadings } from "./readings.ts";
import { Numbered } from "./numbered.ts";
import { packTxids, unpackTxids } from "./txids.ts";

/** As the ledger has it; the IBAN is the account's, which may change without the row. */
export type PackedRow = Omit<KeptRow, "iban">;

/** @param country where the user's payees are looked for, for what was read to be kept; null: it is not */
export function packRows(rows: readonly PackedRow[], country: string | null = null): Buffer {
  const texts = new Numbered();
  const forms = new Numbered();
  const ordered = rows.toSorted(byDayAndTxid);
  const packer = new Packer();
  const packed = new Packer();
  packed.column(ordered.map(({ id }) => id));
  packed.column(ordered.map(({ day }) => dayNumber(day)));
  packed.column(ordered.map((row) => forms.numberOf(formOf(row, texts))));
  packed.column(ordered.map(({ description }) => texts.numberOf(description)));
  packed.column(ordered.map(({ amountMinor }) => amountMinor));
  packed.column(ordered.map(({ originalAmountMinor }) => (originalAmountMinor === null ? 0 : 1)));
  packed.column(ordered.map(({ originalAmountMinor }) => originalAmountMinor ?? 0));
  packTxids(packed, ordered, texts);
  packReadings(packed, country === null ? [] : ordered, texts, country ?? "");
  packTexts(packer, texts);
  packForms(packer, forms.texts);
  return framed(Buffer.concat([packer.packed(), packed.packed()]));
}

/** @throws RangeError when the bytes are no packed rows. @param ibanOf an account's, null when the bank gave none */
export function unpackRows(bytes: Buffer, ibanOf: (accountId: string) => string | null): KeptRow[] {
  const unpacker = new Unpacker(unframed(bytes));
  const texts = unpackTexts(unpacker);
  const forms = unpackForms(unpacker, texts, ibanOf);
  const ids = unpacker.column();
  const days = unpacker.column();
  const formNumbers = unpacker.column();
  const descriptions = unpacker.column();
  const amounts = unpacker.column();
  const hasOriginal = unpacker.column();
  const originalAmounts = unpacker.column();
  const txids = unpackTxids(unpacker, texts);
  const readings = unpackReadings(unpacker, texts);
  if (!unpacker.isAtEnd || txids.length !== ids.length) throw new RangeError("these are no packed rows");
  return rowsIn(
    { ids, days, formNumbers, descriptions, amounts, hasOriginal, originalAmounts, txids, forms, texts },
    readings,
  );
}

/** The order in which rows are kept. */
export function byDayAndTxid(a: Pick<PackedRow, "day" | "txid">, b: Pick<PackedRow, "day" | "txid">): number {
  return a.day < b.day ? -1 : a.day > b.day ? 1 : a.txid < b.txid ? -1 : 1;
}

/**
 * What stands in one row only, as an order's number does, hardly any other user has either: it would push out of memory
 * what is read again and again. Whether it is all of ASCII, and read the faster, is told of all such texts at once.
 */
function packTexts(packer: Packer, { texts, uses }: Numbered): void {
  const usual = texts.filter((_, number) => uses[number] !== 1);
  const single = texts.filter((_, number) => uses[number] === 1);
  packer.column(uses.map((count) => (count === 1 ? 1 : 0)));
  packer.texts(usual);
  packer.column([asciiPattern.test(single.join("")) ? 1 : 0]);
  packer.texts(single);
}

const asciiPattern = /^[\p{ASCII}]*$/u;

function unpackTexts(unpacker: Unpacker): string[] {
  const isSingle = unpacker.column();
  const usual = unpacker.texts(knownText);
  const isAscii = unpacker.column()[0] === 1;
  const single = unpacker.texts(isAscii ? ascii : utf8);
  if (usual.length + single.length !== isSingle.length) throw new RangeError("texts are missing");
  let [atUsual, atSingle] = [0, 0];
  return eachOf(isSingle, (is) => itemAt(is === 1 ? single : usual, is === 1 ? atSingle++ : atUsual++));
}

function ascii(bytes: Buffer, from: number, to: number): string {
  return bytes.toString("latin1", from, to);
}

function utf8(bytes: Buffer, from: number, to: number): string {
  return bytes.toString("utf8", from, to);
}

/** What rows share: the numbers of its texts from 1 on, 0 for null; at last the MCC, one higher. */
const formTexts = [
  "rawType",
  "currency",
  "originalCurrency",
  "merchantName",
  "merchantCid",
  "merchantCountry",
  "accountId",
  "cardId",
] as const;

function formOf(row: PackedRow, texts: Numbered): string {
  const numbers = formTexts.map((name) => {
    const text = row[name];
    return text === null ? 0 : texts.numberOf(text) + 1;
  });
  return `${numbers.join(" ")} ${row.mcc === null ? 0 : row.mcc + 1}`;
}

function packForms(packer: Packer, forms: readonly string[]): void {
  const numbers = forms.map((form) => form.split(" ").map(Number));
  for (let at = 0; at <= formTexts.length; at++) packer.column(numbers.map((form) => itemAt(form, at)));
}

function unpackForms(
  unpacker: Unpacker,
  texts: readonly string[],
  ibanOf: (accountId: string) => string | null,
): Form[] {
  const columns = Array.from({ length: formTexts.length + 1 }, () => unpacker.column());
  const [rawTypes, currencies, originals, names, cids, countries, accounts, cards, mccs] = columns as [
    Column,
    Column,
    Column,
    Column,
    Column,
    Column,
    Column,
    Column,
    Column,
  ];
  const textOf = (column: Column, form: number): string | null => {
    const number = column[form] as number;
    return number === 0 ? null : itemAt(texts, number - 1);
  };
  return eachOf(rawTypes, (_, form) => {
    const accountId = textOf(accounts, form);
    const mcc = mccs[form] as number;
    return {
      rawType: textOf(rawTypes, form) ?? "",
      currency: textOf(currencies, form) ?? "",
      originalCurrency: textOf(originals, form),
      merchantName: textOf(names, form),
      merchantCid: textOf(cids, form),
      merchantCountry: textOf(countries, form),
      accountId,
      cardId: textOf(cards, form),
      mcc: mcc === 0 ? null : mcc - 1,
      iban: accountId === null ? null : ibanOf(accountId),
    };
  });
}

/**
 * Before the bytes: whether they are compressed. Measured on pasts of 130 and 1,700 rows: 6.8 KB become 3.9 and cost 33 µs
 * to get back and 84 to make, most of it for setting up the (de)compressor; 129 KB become 45, at 170 and 450 µs. What
 * half a year of payments takes is read sooner as it is.
 */
const plain = 0;
const compressed = 1;
const compressedFrom = 16_384;

function framed(bytes: Buffer): Buffer {
  return bytes.length < compressedFrom
    ? Buffer.concat([Buffer.of(plain), bytes])
    : Buffer.concat([Buffer.of(compressed), zstdCompressSync(bytes)]);
}

function unframed(bytes: Buffer): Buffer {
  const kind = bytes[0];
  if (kind === plain) return bytes.subarray(1);
  if (kind !== compressed) throw new RangeError("these are no packed rows");
  return zstdDecompressSync(bytes.subarray(1));
}
