/**
 * Entries that were found where they stand (entry-scanner.ts) as rows of the ledger: the same that entry.ts and
 * statement.ts make of parsed elements, without strings. Whatever is not plainly right is left to them.
 */
import { descriptionLengthMax, identifierLengthMax, nameLengthMax, recordBytesMax } from "../../config/limits.ts";
import { field, type RecordFields } from "../bytes/fields.ts";
import { hasPlainNumbers } from "../bytes/csv-lines.ts";
import type { ReadRows } from "../bytes/read-rows.ts";
import { RowCollector, type RowLanguage } from "../bytes/row-collector.ts";
import type { EntryScanner } from "./entry-scanner.ts";
import { detailDomain, slot } from "./entry-shape.ts";
import { typeOf } from "./codes.ts";
import { numberOfBytes } from "./number-of-bytes.ts";
import { digestOf, idByContent, type Statement } from "./statement.ts";

/** The texts of an entry are copied here one behind the other, without escapes, and with what is made of them. */
const workBytes = 2 * recordBytesMax;
/** Of an amount that is read here: digits before the point, and behind it. */
const wholeDigitsMax = 9;
const fractionDigitsMax = 5;
/** Types by codes: banks use some hundred. */
const typesKeptMax = 2000;

const ampersand = 0x26;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const space = 0x20;

const entities = [
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
].map(([name = "", text = ""]) => ({ name: Buffer.from(name), code: text.charCodeAt(0) }));

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

/** Thrown within, since it is found deep inside. */
class LeftToParser extends Error {}

export class EntryRows {
  readonly #scanner: EntryScanner;
  readonly #collector: RowCollector;
  readonly #fields: RecordFields;
  readonly #work: Buffer = Buffer.allocUnsafeSlow(workBytes);
  readonly #types = new Map<string, Buffer>();
  #statement: Statement | null = null;
  /** Where the account's texts end in the working memory. */
  #accountEnd = 0;
  #at = 0;
  /** Where the amount's digits begin, behind its sign. */
  #digits = 0;
  /** The account's name within ids, with the dash behind it. */
  #digest: Buffer = Buffer.alloc(0);
  #source: Uint8Array = Buffer.alloc(0);

  constructor(scanner: EntryScanner, deliveryPosition: number) {
    this.#scanner = scanner;
    this.#collector = new RowCollector(plainLanguage, deliveryPosition);
    this.#fields = this.#collector.fields;
  }

  /** @param statement null: none is open */
  use(statement: Statement | null): void {
    this.#statement = statement;
    if (statement === null) return;
    const { owner, iban, name, digest } = statement.account;
    this.#digest = Buffer.from(`${digest}-`);
    this.#at = 0;
    this.#fields.present = 0;
    const texts = [
      [field.owner, owner.bankId],
      [field.accountId, owner.accountNumber],
      [field.accountName, name],
      [field.iban, iban],
    ] as const;
    // What is longer than any account's names is left to the check.
    if (texts.some(([, text]) => text.length > nameLengthMax)) this.#statement = null;
    else for (const [number, text] of texts) this.#set(number, this.#at, this.#write(Buffer.from(text)));
    this.#accountEnd = this.#at;
  }

  /** Adds the entry that was scanned last. @returns false, with nothing changed, when it is left to the parser */
  take(source: Uint8Array, line: number): boolean {
    const statement = this.#statement;
    if (statement === null || !this.#isBooked(source)) return false;
    this.#source = source;
    this.#at = this.#accountEnd;
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
    return this.#is(source, status, "BOOK");
  }

  #read(statement: Statement, line: number): boolean {
    const source = this.#source;
    const isOut = this.#is(source, slot.side, "DBIT");
    if (!isOut && !this.#is(source, slot.side, "CRDT")) return false;
    const reversal = this.#has(slot.detailReversal) ? slot.detailReversal : slot.reversal;
    const isReversal = this.#is(source, reversal, "true");
    const scaled = this.#readAmount(isOut);
    this.#readDay();
    this.#readOriginal(isOut);
    this.#readType(isOut);
    this.#readDescription();
    this.#readCounterparty(isOut !== isReversal);
    const note = this.#readId(statement);
    if (!this.#collector.take(this.#work, line)) return false;
    note();
    statement.note(scaled);
    return true;
  }

  /** @returns the amount in its smallest unit here, with its sign */
  #readAmount(isOut: boolean): number {
    const from = this.#signed(slot.amount, isOut);
    this.#set(field.amount, from, this.#at);
    const currency = this.#scanner.currencies[slot.amount] as number;
    if (currency < 0) throw new LeftToParser();
    this.#set(field.currency, this.#at, this.#writeFrom(currency, currency + 3));
    const scaled = this.#scaled(this.#digits, this.#fields.ends[field.amount] as number);
    return isOut ? -scaled : scaled;
  }

  #signed(number: number, isOut: boolean): number {
    const from = this.#at;
    if (!this.#has(number)) throw new LeftToParser();
    if (isOut) this.#work[this.#at++] = minus;
    this.#digits = this.#at;
    this.#copy(number);
    return from;
  }

  #scaled(from: number, to: number): number {
    let value = 0;
    let decimals = -1;
    for (let at = from; at < to; at += 1) {
      const byte = this.#work[at] as number;
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
    this.#field(field.txTime, number);
  }

  /** @returns which of the two is there, or −1 */
  #dayOf(day: number, moment: number): number {
    return this.#has(day) ? day : this.#has(moment) ? moment : -1;
  }

  /** What was ordered, where that was in another currency. */
  #readOriginal(isOut: boolean): void {
    for (const number of originals) {
      if (!this.#has(number)) continue;
      const currency = this.#scanner.currencies[number] as number;
      if (currency < 0 || this.#isBookedIn(currency)) continue;
      const from = this.#signed(number, isOut);
      this.#scaled(this.#digits, this.#at);
      this.#set(field.originalAmount, from, this.#at);
      this.#set(field.originalCurrency, this.#at, this.#writeFrom(currency, currency + 3));
      return;
    }
  }

  #isBookedIn(currency: number): boolean {
    const booked = this.#fields.starts[field.currency] as number;
    for (let at = 0; at < 3; at += 1) if (this.#source[currency + at] !== this.#work[booked + at]) return false;
    return true;
  }

  #readType(isOut: boolean): void {
    const isDetails = this.#scanner.has(detailDomain);
    const first = isDetails ? slot.detailCodes : slot.codes;
    const key = `${isOut ? "-" : "+"}${this.#text(first)}\n${this.#text(first + 1)}\n${this.#text(first + 2)}\n${this.#text(first + 3)}\n${this.#text(slot.purpose)}`;
    let type = this.#types.get(key);
    if (type === undefined) {
      const codes = {
        domain: this.#text(first),
        family: this.#text(first + 1),
        subFamily: this.#text(first + 2),
        own: this.#text(first + 3),
      };
      type = Buffer.from(typeOf(codes, { isOut, purpose: this.#text(slot.purpose), hasCard: false }));
      if (this.#types.size < typesKeptMax) this.#types.set(key, type);
    }
    this.#set(field.rawType, this.#at, this.#write(type));
  }

  /** What the customer reads: the remittance's own words, else the bank's. */
  #readDescription(): void {
    const from = this.#at;
    const { lines, lineStarts, lineEnds } = this.#scanner;
    for (let nth = 0; nth < lines; nth += 1) {
      if (nth > 0) this.#work[this.#at++] = space;
      this.#unescaped(lineStarts[nth] as number, lineEnds[nth] as number);
    }
    if (lines === 0) {
      const number = texts.find((one) => this.#has(one));
      if (number !== undefined) this.#copy(number);
    }
    if (this.#at - from > descriptionLengthMax) throw new LeftToParser();
    this.#set(field.description, from, this.#at);
  }

  #readCounterparty(isCreditor: boolean): void {
    const ultimate = isCreditor ? slot.ultimateCreditor : slot.ultimateDebtor;
    const direct = isCreditor ? slot.creditor : slot.debtor;
    const party = this.#has(ultimate) ? ultimate : direct;
    if (!this.#has(party)) return;
    this.#field(field.merchantName, party);
    if ((this.#fields.bytesOf(field.merchantName) as number) > nameLengthMax) throw new LeftToParser();
    for (const [number, place] of addressFields) if (this.#has(party + place)) this.#field(number, party + place);
    const id = this.#identifierOf(party);
    if (id < 0) return;
    this.#field(field.merchantCid, id);
    if (this.#fields.bytesOf(field.merchantCid) > identifierLengthMax) throw new LeftToParser();
  }

  /** Of organisations, and creditors of direct debits, whose identifier stands as a private one; never of people. */
  #identifierOf(party: number): number {
    if (this.#has(party + 4)) return party + 4;
    return this.#has(party + 5) && this.#is(this.#source, party + 6, "SEPA") ? party + 5 : -1;
  }

  /** @returns what is to be noted once the row is there */
  #readId(statement: Statement): () => void {
    const ofDetail = this.#has(slot.detailReference);
    const ofEntry = this.#has(slot.reference);
    if (!ofDetail && !ofEntry) return this.#readContentId(statement);
    const from = this.#at;
    this.#write(this.#digest);
    const reference = this.#at;
    this.#copyPlain(ofDetail ? slot.detailReference : slot.reference);
    const end = this.#at;
    // A detail with a reference of its own is a part of its entry.
    if (ofDetail && ofEntry && !this.#isWritten(slot.reference, reference, end)) throw new LeftToParser();
    if (end - from > identifierLengthMax) throw new LeftToParser();
    this.#set(field.txid, from, end);
    const key = numberOfBytes(this.#work, reference, end);
    const booking = this.#booking();
    const first = statement.firstUnder(key);
    if (first !== undefined && first !== booking) throw new LeftToParser();
    return () => statement.noteFirst(key, booking);
  }

  /** Day, amount and currency, by which entries under one reference are told apart. */
  #booking(): number {
    const from = this.#at;
    for (const number of bookingFields) {
      if (number !== field.txTime) this.#work[this.#at++] = space;
      this.#writeField(number);
    }
    return numberOfBytes(this.#work, from, this.#at);
  }

  #readContentId(statement: Statement): () => void {
    const from = this.#at;
    this.#writeField(field.txTime);
    this.#work[this.#at++] = 0;
    const valued = this.#dayOf(slot.valueDay, slot.valueMoment);
    if (valued >= 0) this.#copy(valued);
    for (const number of [field.amount, field.currency]) {
      this.#work[this.#at++] = 0;
      this.#writeField(number);
    }
    this.#work[this.#at++] = 0;
    if (!this.#is(this.#source, slot.endToEnd, "NOTPROVIDED") && this.#has(slot.endToEnd)) this.#copy(slot.endToEnd);
    this.#work[this.#at++] = 0;
    this.#writeField(field.description);
    const digest = digestOf(this.#work.subarray(from, this.#at));
    const id = Buffer.from(digest);
    const key = numberOfBytes(id, 0, id.length);
    const count = statement.timesTold(key) + 1;
    this.#set(field.txid, this.#at, this.#write(Buffer.from(idByContent(statement.account.digest, digest, count))));
    return () => statement.noteTold(key, count);
  }

  #has(number: number): boolean {
    return (this.#scanner.ends[number] as number) >= 0;
  }

  #is(source: Uint8Array, number: number, text: string): boolean {
    const { starts, ends } = this.#scanner;
    const start = starts[number] as number;
    if ((ends[number] as number) - start !== text.length || !this.#has(number)) return false;
    for (let at = 0; at < text.length; at += 1) if (source[start + at] !== text.charCodeAt(at)) return false;
    return true;
  }

  /** Of codes, which are ASCII. */
  #text(number: number): string {
    if (!this.#has(number)) return "";
    const { starts, ends } = this.#scanner;
    let text = "";
    for (let at = starts[number] as number, end = ends[number] as number; at < end; at += 1) {
      const code = this.#source[at] as number;
      if (code >= 0x80 || code < space || code === ampersand) throw new LeftToParser();
      text += String.fromCharCode(code);
    }
    return text;
  }

  #field(number: number, from: number): void {
    const start = this.#at;
    this.#copy(from);
    this.#set(number, start, this.#at);
  }

  #set(number: number, start: number, end: number): void {
    this.#fields.starts[number] = start;
    this.#fields.ends[number] = end;
    this.#fields.present |= 1 << number;
  }

  #copy(number: number): void {
    const { starts, ends } = this.#scanner;
    this.#unescaped(starts[number] as number, ends[number] as number);
  }

  /** A reference, which is compared by its bytes. */
  #copyPlain(number: number): void {
    const before = this.#at;
    this.#copy(number);
    for (let at = before; at < this.#at; at += 1)
      if ((this.#work[at] as number) >= 0x80 || this.#work[at] === ampersand) throw new LeftToParser();
  }

  #isWritten(number: number, from: number, to: number): boolean {
    const { starts, ends } = this.#scanner;
    const start = starts[number] as number;
    if ((ends[number] as number) - start !== to - from) return false;
    for (let at = 0; at < to - from; at += 1) if (this.#source[start + at] !== this.#work[from + at]) return false;
    return true;
  }

  #unescaped(from: number, to: number): void {
    const [source, work] = [this.#source, this.#work];
    let at = this.#at;
    for (let place = from; place < to; place += 1, at += 1) {
      const byte = source[place] as number;
      work[at] = byte;
      if (byte !== ampersand) continue;
      const entity = entities.find(({ name }) => startsWith(source, place, name));
      if (entity === undefined) throw new LeftToParser();
      work[at] = entity.code;
      place += entity.name.length - 1;
    }
    this.#at = at;
  }

  #writeField(number: number): void {
    const { starts, ends } = this.#fields;
    for (let from = starts[number] as number, end = ends[number] as number; from < end; from += 1)
      this.#work[this.#at++] = this.#work[from] as number;
  }

  /** @returns where it ends */
  #write(bytes: Uint8Array): number {
    for (let from = 0; from < bytes.length; from += 1) this.#work[this.#at++] = bytes[from] as number;
    return this.#at;
  }

  #writeFrom(from: number, to: number): number {
    for (let at = from; at < to; at += 1) this.#work[this.#at++] = this.#source[at] as number;
    return this.#at;
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

function startsWith(source: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let place = 0; place < text.length; place += 1) if (source[at + place] !== text[place]) return false;
  return true;
}
