/**
 * Ledger rows as PostgreSQL reads them from COPY … (format binary), many in one buffer: two bytes with the number of
 * columns, then each column as a length of four bytes (−1: null) and its bytes, numbers big-endian. Source: PostgreSQL
 * documentation, COPY, "Binary Format", and the types' receive functions.
 *
 * Binary, because the server's share of a row is then 1.85 µs instead of 2.3 with text (20 columns, one index), and
 * because bytes that came as JSON go in as they came, without escapes. Written from strings, row by row, it would be
 * slower than text.
 */
import { dayNumber } from "../time/calendar.ts";
import type { LedgerRow } from "./row.ts";

/** In the order in which rows are written; `id` fills itself. What is known last, the owner, has a fixed place. */
export const copyColumns = [
  "user_id",
  "delivery_position",
  "txid",
  "booked_on",
  "tx_time",
  "raw_type",
  "description",
  "amount",
  "currency",
  "original_amount",
  "original_currency",
  "merchant_name",
  "merchant_cid",
  "merchant_address",
  "merchant_city",
  "merchant_post_code",
  "merchant_country",
  "merchant_mcc",
  "account_id",
  "card_id",
].join(", ");

export const columnCount = 20;

/** Within a row: where the owner's eight bytes stand, the delivery's, and the txid with its length before it. */
export const userIdAt = 6;
export const deliveryPositionAt = 18;
export const txidLengthAt = 26;
export const txidAt = 30;

/** Rows of one group of records; a bound on memory, not on the chunk. */
export const blockBytes = 128 * 1024;
export const blockRowsMax = 1024;

/** Beyond its texts a row has at most so many bytes: 20 lengths, numbers, two numerics. */
export const rowOverheadBytes = 256;

/** PostgreSQL counts days from 2000-01-01. */
export const dayNumberOfEpoch = dayNumber("2000-01-01");

const high = 0x1_0000_0000;

/**
 * Rows in the order in which they were written; row n lies from starts[n] to starts[n + 1]. Owners are filled in when
 * rows are posted.
 */
export class RowBlock {
  readonly bytes: Buffer = Buffer.allocUnsafeSlow(blockBytes);
  readonly view = new DataView(this.bytes.buffer);
  readonly starts = new Int32Array(blockRowsMax + 1);
  rows = 0;

  clear(): void {
    this.rows = 0;
  }

  /** Whether one more row fits whose texts have so many bytes. */
  hasRoom(textBytes: number): boolean {
    return this.rows < blockRowsMax && this.end + textBytes + rowOverheadBytes <= blockBytes;
  }

  /** Where the next row begins. */
  get end(): number {
    return this.starts[this.rows] as number;
  }

  /** Closes the row that was written from end up to here. */
  finish(at: number): void {
    this.rows += 1;
    this.starts[this.rows] = at;
  }

  /** A row that is not written. */
  count(): void {
    this.finish(this.end);
  }

  /** A row from its parsed form. The caller has asked for room. */
  add(row: LedgerRow, deliveryPosition: number): void {
    let at = this.begin(deliveryPosition);
    at = this.#text(at, row.txid);
    at = this.day(at, dayNumber(row.bookedOn));
    at = this.#text(at, row.txTime);
    at = this.#text(at, row.rawType);
    at = this.#text(at, row.description);
    at = this.#decimal(at, row.amount);
    at = this.#text(at, row.currency);
    at = this.#decimal(at, row.originalAmount);
    for (const text of [
      row.originalCurrency,
      row.merchantName,
      row.merchantCid,
      row.merchantAddress,
      row.merchantCity,
      row.merchantPostCode,
      row.merchantCountry,
    ])
      at = this.#text(at, text);
    at = row.merchantMcc === null ? this.nothing(at) : this.integer(at, row.merchantMcc);
    at = this.#text(at, row.accountId);
    this.finish(this.#text(at, row.cardId));
  }

  /** Writes everything before the txid. @returns where the txid's length goes */
  begin(deliveryPosition: number): number {
    const { view, end } = this;
    view.setInt16(end, columnCount);
    view.setInt32(end + 2, 8);
    view.setInt32(end + 14, 8);
    setBigInt(view, end + deliveryPositionAt, deliveryPosition);
    return end + txidLengthAt;
  }

  /** null */
  nothing(at: number): number {
    this.view.setInt32(at, -1);
    return at + 4;
  }

  /** date; the day as calendar.ts numbers it */
  day(at: number, number: number): number {
    return this.integer(at, number - dayNumberOfEpoch);
  }

  /** integer */
  integer(at: number, value: number): number {
    this.view.setInt32(at, 4);
    this.view.setInt32(at + 4, value);
    return at + 8;
  }

  /**
   * numeric: digits to the base of 10,000 behind their number, the weight of the first one, the sign and the decimals
   * to show.
   * @param whole below 1e12; fraction: the decimals' digits as a number; decimals: how many they are, at most 8.
   */
  numeric(at: number, isNegative: boolean, whole: number, fraction: number, decimals: number): number {
    let to = at + 12;
    if (whole >= 1e8) to = this.#digit(to, Math.floor(whole / 1e8));
    if (whole >= 1e4) to = this.#digit(to, Math.floor(whole / 1e4) % 1e4);
    if (whole > 0) to = this.#digit(to, whole % 1e4);
    const weight = (to - at - 12) / 2 - 1;
    const padded = fraction * (powersOfTen[8 - decimals] as number);
    if (decimals > 0) to = this.#digit(to, Math.floor(padded / 1e4));
    if (decimals > 4) to = this.#digit(to, padded % 1e4);
    return this.#numericHead(at, to, weight, isNegative, decimals);
  }

  #digit(at: number, digit: number): number {
    this.view.setInt16(at, digit);
    return at + 2;
  }

  #numericHead(at: number, to: number, weight: number, isNegative: boolean, decimals: number): number {
    const { view } = this;
    view.setInt32(at, to - at - 4);
    view.setInt16(at + 4, (to - at - 12) / 2);
    view.setInt16(at + 6, weight);
    view.setInt16(at + 8, isNegative ? 0x4000 : 0);
    view.setInt16(at + 10, decimals);
    return to;
  }

  #text(at: number, text: string | null): number {
    if (text === null) return this.nothing(at);
    const length = this.bytes.write(text, at + 4);
    this.view.setInt32(at, length);
    return at + 4 + length;
  }

  /** numeric of any decimal text. */
  #decimal(at: number, text: string | null): number {
    if (text === null) return this.nothing(at);
    const [written = "", fraction = ""] = plainDecimal(text).replace("-", "").split(".");
    const whole = written === "0" ? "" : written;
    const digits =
      whole.padStart(Math.ceil(whole.length / 4) * 4, "0") + fraction.padEnd(Math.ceil(fraction.length / 4) * 4, "0");
    let to = at + 12;
    for (let from = 0; from < digits.length; from += 4) to = this.#digit(to, Number(digits.slice(from, from + 4)));
    return this.#numericHead(at, to, Math.ceil(whole.length / 4) - 1, text.startsWith("-"), fraction.length);
  }
}

const powersOfTen = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];

/** Bytes of a row's texts at most. */
export function rowTextBytes(row: LedgerRow): number {
  let units = 0;
  for (const value of Object.values(row)) if (typeof value === "string") units += value.length;
  return units * utf8BytesMax;
}

/** Of one UTF-16 unit. */
const utf8BytesMax = 3;

/** bigint, at most 2^53 − 1. */
export function setBigInt(view: DataView, at: number, value: number): void {
  view.setUint32(at, Math.floor(value / high));
  view.setUint32(at + 4, value % high);
}

/** JavaScript writes what is below a millionth with an exponent. */
function plainDecimal(text: string): string {
  const [digits = "", power] = text.split("e-");
  if (power === undefined) return text;
  const bare = digits.replace("-", "").replace(".", "");
  return `${text.startsWith("-") ? "-" : ""}0.${"0".repeat(Number(power) - 1)}${bare}`;
}
