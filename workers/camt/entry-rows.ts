/**
 * Entries that were found where they stand (entry-scanner.ts) as rows of the ledger: the same that entry.ts and
 * statement.ts make of parsed elements, without strings. Whatever is not plainly right is left to them.
 */
import { descriptionLengthMax, identifierLengthMax, nameLengthMax } from "../../config/limits.ts";
import { field, type RecordFields } from "../bytes/fields.ts";
import { hasPlainNumbers } from "../bytes/csv-lines.ts";
import type { ReadRows } from "../bytes/read-rows.ts";
import { RowCollector, type RowLanguage } from "../bytes/row-collector.ts";
import type { EntryScanner } from "./entry-scanner.ts";
import { EntryTexts, LeftToParser } from "./entry-texts.ts";
import { detailDomain, slot } from "./entry-shape.ts";
import { typeOf } from "./codes.ts";
import { numberOfBytes } from "./number-of-bytes.ts";
import { digestOf, idByContent, type Statement } from "./statement.ts";

/** Of an amount that is read here: digits before the point, and behind it. */
const wholeDigitsMax = 9;
const fractionDigitsMax = 5;
/** Types by codes: banks use some hundred. */
const typesKeptMax = 2000;

const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const space = 0x20;

/** Nothing has escapes any more where rows are made. */
const plainLanguage: RowLanguage = {
  unescape: () => {
    throw new Error("a text of an entry has escapes");
  },
  textOf: (source, from, to) => source.toString("utf8", from, to),
  ownerFields: [field.owner, field.accountId],
  ownerOf: (text) => ({ bankId: text(field.owner), accountNumber: text(field.accountId) }),
  isComplete: hasPlainNumbers,
};

export class EntryRows {
  readonly #scanner: EntryScanner;
  readonly #collector: RowCollector;
  readonly #fields: RecordFields;
  readonly #texts: EntryTexts;
  readonly #types = new Map<string, Buffer>();
  #statement: Statement | null = null;
  /** Where the account's texts end in the working memory. */
  #accountEnd = 0;
  /** Where the amount's digits begin, behind its sign. */
  #digits = 0;
  /** The account's name within ids, with the dash behind it. */
  #digest: Buffer = Buffer.alloc(0);

  constructor(scanner: EntryScanner, deliveryPosition: number) {
    this.#scanner = scanner;
    this.#collector = new RowCollector(plainLanguage, deliveryPosition);
    this.#fields = this.#collector.fields;
    this.#texts = new EntryTexts(scanner, this.#fields);
  }

  /** @param statement null: none is open */
  use(statement: Statement | null): void {
    this.#statement = statement;
    if (statement === null) return;
    const { owner, iban, name, digest } = statement.account;
    this.#digest = Buffer.from(`${digest}-`);
    this.#texts.at = 0;
    this.#fields.present = 0;
    const texts = [
      [field.owner, owner.bankId],
      [field.accountId, owner.accountNumber],
      [field.accountName, name],
      [field.iban, iban],
    ] as const;
    // What is longer than any account's names is left to the check.
    if (texts.some(([, text]) => text.length > nameLengthMax)) this.#statement = null;
    else
      for (const [number, text] of texts) this.#texts.set(number, this.#texts.at, this.#texts.write(Buffer.from(text)));
    this.#accountEnd = this.#texts.at;
  }

  /** Adds the entry that was scanned last. @returns false, with nothing changed, when it is left to the parser */
  take(source: Uint8Array, line: number): boolean {
    const statement = this.#statement;
    if (statement === null || !this.#isBooked(source)) return false;
    this.#texts.source = source;
    this.#texts.at = this.#accountEnd;
    this.#fields.present = 0;
    this.#fields.escaped = 0;
    for (const number of accountFields) this.#fields.present |= 1 << number;
    try {
      return this.#read(statement, line);
    } catch (error) {
      if (error instanceof LeftToParser) return false;
      throw error;
    }
  }

  /** The rows taken since the last call, in order. */
  finish(): ReadRows[] {
    return this.#collector.finish();
  }

  #isBooked(source: Uint8Array): boolean {
    const { ends } = this.#scanner;
    const status = (ends[slot.statusCode] as number) >= 0 ? slot.statusCode : slot.status;
    return this.#texts.is(source, status, "BOOK");
  }

  #read(statement: Statement, line: number): boolean {
    const source = this.#texts.source;
    const isOut = this.#texts.is(source, slot.side, "DBIT");
    if (!isOut && !this.#texts.is(source, slot.side, "CRDT")) return false;
    const reversal = this.#texts.has(slot.detailReversal) ? slot.detailReversal : slot.reversal;
    const isReversal = this.#texts.is(source, reversal, "true");
    const scaled = this.#readAmount(isOut);
    this.#readDay();
    this.#readOriginal(isOut);
    this.#readType(isOut);
    this.#readDescription();
    this.#readCounterparty(isOut !== isReversal);
    const note = this.#readId(statement);
    if (!this.#collector.take(this.#texts.work, line)) return false;
    note();
    statement.note(scaled);
    return true;
  }

  /** @returns the amount in its smallest unit here, with its sign */
  #readAmount(isOut: boolean): number {
    const from = this.#signed(slot.amount, isOut);
    this.#texts.set(field.amount, from, this.#texts.at);
    const currency = this.#scanner.currencies[slot.amount] as number;
    if (currency < 0) throw new LeftToParser();
    this.#texts.set(field.currency, this.#texts.at, this.#texts.writeFrom(currency, currency + 3));
    const scaled = this.#scaled(this.#digits, this.#fields.ends[field.amount] as number);
    return isOut ? -scaled : scaled;
  }

  #signed(number: number, isOut: boolean): number {
    const from = this.#texts.at;
    if (!this.#texts.has(number)) throw new LeftToParser();
    if (isOut) this.#texts.work[this.#texts.at++] = minus;
    this.#digits = this.#texts.at;
    this.#texts.copy(number);
    return from;
  }

  #scaled(from: number, to: number): number {
    let value = 0;
    let decimals = -1;
    for (let at = from; at < to; at += 1) {
      const byte = this.#texts.work[at] as number;
      if (byte === point && decimals < 0) decimals = 0;
      else if (byte >= zero && byte <= zero + 9) {
        value = value * 10 + byte - zero;
        if (decimals >= 0) decimals += 1;
      } else throw new LeftToParser();
    }
    const fraction = Math.max(decimals, 0);
    const whole = to - from - fraction - (decimals < 0 ? 0 : 1);
    if (decimals === 0 || fraction > fractionDigitsMax || whole < 1 || whole > wholeDigitsMax) throw new LeftToParser();
    return value * (powersOfTen[fractionDigitsMax - fraction] as number);
  }

  #readDay(): void {
    const day = this.#dayOf(slot.bookingDay, slot.bookingMoment);
    const number = day < 0 ? this.#dayOf(slot.valueDay, slot.valueMoment) : day;
    if (number < 0) throw new LeftToParser();
    this.#texts.field(field.txTime, number);
  }

  /** @returns which of the two is there, or −1 */
  #dayOf(day: number, moment: number): number {
    return this.#texts.has(day) ? day : this.#texts.has(moment) ? moment : -1;
  }

  /** What was ordered, where that was in another currency. */
  #readOriginal(isOut: boolean): void {
    for (const number of originals) {
      if (!this.#texts.has(number)) continue;
      const currency = this.#scanner.currencies[number] as number;
      if (currency < 0 || this.#isBookedIn(currency)) continue;
      const from = this.#signed(number, isOut);
      this.#scaled(this.#digits, this.#texts.at);
      this.#texts.set(field.originalAmount, from, this.#texts.at);
      this.#texts.set(field.originalCurrency, this.#texts.at, this.#texts.writeFrom(currency, currency + 3));
      return;
    }
  }

  #isBookedIn(currency: number): boolean {
    const booked = this.#fields.starts[field.currency] as number;
    for (let at = 0; at < 3; at += 1)
      if (this.#texts.source[currency + at] !== this.#texts.work[booked + at]) return false;
    return true;
  }

  #readType(isOut: boolean): void {
    const isDetails = this.#scanner.has(detailDomain);
    const first = isDetails ? slot.detailCodes : slot.codes;
    const key = `${isOut ? "-" : "+"}${this.#texts.text(first)}\n${this.#texts.text(first + 1)}\n${this.#texts.text(first + 2)}\n${this.#texts.text(first + 3)}\n${this.#texts.text(slot.purpose)}`;
    let type = this.#types.get(key);
    if (type === undefined) {
      const codes = {
        domain: this.#texts.text(first),
        family: this.#texts.text(first + 1),
        subFamily: this.#texts.text(first + 2),
        own: this.#texts.text(first + 3),
      };
      type = Buffer.from(typeOf(codes, { isOut, purpose: this.#texts.text(slot.purpose), hasCard: false }));
      if (this.#types.size < typesKeptMax) this.#types.set(key, type);
    }
    this.#texts.set(field.rawType, this.#texts.at, this.#texts.write(type));
  }

  /** What the customer reads: the remittance's own words, else the bank's. */
  #readDescription(): void {
    const from = this.#texts.at;
    const { lines, lineStarts, lineEnds } = this.#scanner;
    for (let nth = 0; nth < lines; nth += 1) {
      if (nth > 0) this.#texts.work[this.#texts.at++] = space;
      this.#texts.unescaped(lineStarts[nth] as number, lineEnds[nth] as number);
    }
    if (lines === 0) {
      const number = texts.find((one) => this.#texts.has(one));
      if (number !== undefined) this.#texts.copy(number);
    }
    if (this.#texts.at - from > descriptionLengthMax) throw new LeftToParser();
    this.#texts.set(field.description, from, this.#texts.at);
  }

  #readCounterparty(isCreditor: boolean): void {
    const ultimate = isCreditor ? slot.ultimateCreditor : slot.ultimateDebtor;
    const direct = isCreditor ? slot.creditor : slot.debtor;
    const party = this.#texts.has(ultimate) ? ultimate : direct;
    if (!this.#texts.has(party)) return;
    this.#texts.field(field.merchantName, party);
    if ((this.#fields.bytesOf(field.merchantName) as number) > nameLengthMax) throw new LeftToParser();
    for (const [number, place] of addressFields)
      if (this.#texts.has(party + place)) this.#texts.field(number, party + place);
    const id = this.#identifierOf(party);
    if (id < 0) return;
    this.#texts.field(field.merchantCid, id);
    if (this.#fields.bytesOf(field.merchantCid) > identifierLengthMax) throw new LeftToParser();
  }

  /** Of organisations, and creditors of direct debits, whose identifier stands as a private one; never of people. */
  #identifierOf(party: number): number {
    if (this.#texts.has(party + 4)) return party + 4;
    return this.#texts.has(party + 5) && this.#texts.is(this.#texts.source, party + 6, "SEPA") ? party + 5 : -1;
  }

  /** @returns what is to be noted once the row is there */
  #readId(statement: Statement): () => void {
    const ofDetail = this.#texts.has(slot.detailReference);
    const ofEntry = this.#texts.has(slot.reference);
    if (!ofDetail && !ofEntry) return this.#readContentId(statement);
    const from = this.#texts.at;
    this.#texts.write(this.#digest);
    const reference = this.#texts.at;
    this.#texts.copyPlain(ofDetail ? slot.detailReference : slot.reference);
    const end = this.#texts.at;
    // A detail with a reference of its own is a part of its entry.
    if (ofDetail && ofEntry && !this.#texts.isWritten(slot.reference, reference, end)) throw new LeftToParser();
    if (end - from > identifierLengthMax) throw new LeftToParser();
    this.#texts.set(field.txid, from, end);
    const key = numberOfBytes(this.#texts.work, reference, end);
    const booking = this.#booking();
    const first = statement.firstUnder(key);
    if (first !== undefined && first !== booking) throw new LeftToParser();
    return () => statement.noteFirst(key, booking);
  }

  /** Day, amount and currency, by which entries under one reference are told apart. */
  #booking(): number {
    const from = this.#texts.at;
    for (const number of bookingFields) {
      if (number !== field.txTime) this.#texts.work[this.#texts.at++] = space;
      this.#texts.writeField(number);
    }
    return numberOfBytes(this.#texts.work, from, this.#texts.at);
  }

  #readContentId(statement: Statement): () => void {
    const from = this.#texts.at;
    this.#texts.writeField(field.txTime);
    this.#texts.work[this.#texts.at++] = 0;
    const valued = this.#dayOf(slot.valueDay, slot.valueMoment);
    if (valued >= 0) this.#texts.copy(valued);
    for (const number of [field.amount, field.currency]) {
      this.#texts.work[this.#texts.at++] = 0;
      this.#texts.writeField(number);
    }
    this.#texts.work[this.#texts.at++] = 0;
    const { source } = this.#texts;
    const hasEndToEnd = this.#texts.has(slot.endToEnd) && !this.#texts.is(source, slot.endToEnd, "NOTPROVIDED");
    if (hasEndToEnd) this.#texts.copy(slot.endToEnd);
    this.#texts.work[this.#texts.at++] = 0;
    this.#texts.writeField(field.description);
    const digest = digestOf(this.#texts.work.subarray(from, this.#texts.at));
    const id = Buffer.from(digest);
    const key = numberOfBytes(id, 0, id.length);
    const count = statement.timesTold(key) + 1;
    this.#texts.set(
      field.txid,
      this.#texts.at,
      this.#texts.write(Buffer.from(idByContent(statement.account.digest, digest, count))),
    );
    return () => statement.noteTold(key, count);
  }
}

const accountFields = [field.owner, field.accountId, field.accountName, field.iban];
const bookingFields = [field.txTime, field.amount, field.currency];
const originals = [slot.detailInstructed, slot.detailCounterValue, slot.instructed, slot.counterValue];
/** Where there are no lines of the remittance. */
const texts = [slot.detailAddition, slot.addition, slot.creditorReference];
/** Of a party's slots. */
const addressFields = [
  [field.merchantPostCode, 1],
  [field.merchantCity, 2],
  [field.merchantCountry, 3],
] as const;
const powersOfTen = [1, 10, 100, 1e3, 1e4, 1e5];
