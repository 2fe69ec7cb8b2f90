/**
 * Collects the rows of a group of records: each record's fields become a row, its owner and what it says of account and
 * card.
 */
import type { LedgerAccount, LedgerCard } from "../../src/ledger/row.ts";
import { bits, field, RecordFields } from "./fields.ts";
import { type ReadRows, type RowOwner, acquireRows } from "./read-rows.ts";
import { RowWriter, type Unescape } from "./row-writer.ts";

/** What differs between JSON and CSV. */
export type RowLanguage = {
  unescape: Unescape;
  /** A field's text, given its bytes with escapes. */
  textOf(source: Buffer, from: number, to: number): string;
  /** Which fields name the owner, and the owner they name. */
  ownerFields: readonly number[];
  ownerOf(text: (number: number) => string): RowOwner;
  /** Whether the fields are those of a transaction that can be read here, beyond what every one needs. */
  isComplete(fields: RecordFields, source: Uint8Array): boolean;
};

const accountFields = bits(field.accountId, field.accountName, field.iban);
const cardFields = bits(field.cardId, field.pan4);

export class RowCollector {
  readonly fields = new RecordFields();
  readonly #language: RowLanguage;
  readonly #deliveryPosition: number | null;
  readonly #writer: RowWriter;
  readonly #owner: LastSeen;
  readonly #account = new LastSeen([field.accountId, field.accountName, field.iban]);
  readonly #card = new LastSeen([field.cardId, field.pan4, field.cardType, field.paymentNetwork]);
  #rows: ReadRows | null = null;
  #full: ReadRows[] = [];

  /**
   * @param deliveryPosition what rows bear; null: they are counted, each with its owner, and not written, for who only
   * asks whether they can be
   */
  constructor(language: RowLanguage, deliveryPosition: number | null) {
    this.#language = language;
    this.#deliveryPosition = deliveryPosition;
    this.#writer = new RowWriter(this.fields, language.unescape);
    this.#owner = new LastSeen(language.ownerFields);
  }

  /**
   * Adds the record whose fields were read. @returns false, with nothing changed, when it must be read the other way
   */
  take(source: Buffer, line: number): boolean {
    const { fields } = this;
    if (!this.#writer.isWithinLimits() || !this.#language.isComplete(fields, source)) return false;
    if ((fields.present & accountFields) !== 0 && (fields.present & accountFields) !== accountFields) return false;
    if ((fields.present & cardFields) !== 0 && (fields.present & cardFields) !== cardFields) return false;
    const position = this.#deliveryPosition;
    const rows = this.#roomFor(position === null ? 0 : this.#writer.bytesMax());
    const row = rows.count;
    if (position === null) {
      if (!this.#writer.isRight(source)) return false;
      rows.block.count();
      this.#noteOwner(rows, source);
    } else {
      if (!this.#writer.write(source, rows.block, position)) return false;
      this.#note(rows, source);
    }
    rows.ownerOf[row] = rows.owners.length - 1;
    rows.lines[row] = line;
    return true;
  }

  /** The rows taken since the last call, in order. */
  finish(): ReadRows[] {
    const finished = this.#full;
    if (this.#rows !== null && this.#rows.count > 0) {
      finished.push(this.#rows);
      this.#rows = null;
    }
    this.#full = [];
    return finished;
  }

  #roomFor(bytes: number): ReadRows {
    if (this.#rows !== null && this.#rows.block.hasRoom(bytes)) return this.#rows;
    if (this.#rows !== null) this.#full.push(this.#rows);
    this.#rows = acquireRows();
    for (const seen of [this.#owner, this.#account, this.#card]) seen.forget();
    return this.#rows;
  }

  #noteOwner(rows: ReadRows, source: Buffer): void {
    if (this.#owner.isAgain(this.fields, source)) return;
    rows.owners.push(this.#language.ownerOf((number) => this.#text(source, number)));
    this.#account.forget();
    this.#card.forget();
  }

  #note(rows: ReadRows, source: Buffer): void {
    const { fields } = this;
    this.#noteOwner(rows, source);
    const owner = rows.owners.length - 1;
    if (fields.has(field.accountId) && !this.#account.isAgain(fields, source))
      rows.accounts.push({ owner, thing: this.#readAccount(source) });
    if (fields.has(field.cardId) && !this.#card.isAgain(fields, source))
      rows.cards.push({ owner, thing: this.#readCard(source) });
  }

  #readAccount(source: Buffer): LedgerAccount {
    return {
      id: this.#text(source, field.accountId),
      name: this.#text(source, field.accountName),
      iban: this.#text(source, field.iban),
    };
  }

  #readCard(source: Buffer): LedgerCard {
    return {
      id: this.#text(source, field.cardId),
      pan4: this.#text(source, field.pan4),
      cardType: this.#optional(source, field.cardType),
      paymentNetwork: this.#optional(source, field.paymentNetwork),
    };
  }

  #optional(source: Buffer, number: number): string | null {
    return this.fields.has(number) ? this.#text(source, number) : null;
  }

  #text(source: Buffer, number: number): string {
    const start = this.fields.starts[number] as number;
    const end = this.fields.ends[number] as number;
    return (this.fields.escaped & (1 << number)) === 0
      ? source.toString("utf8", start, end)
      : this.#language.textOf(source, start, end);
  }
}

/** Larger than the texts of an owner, account or card within their limits. */
const seenBytes = 4096;

/** The bytes of some fields as they were last. */
class LastSeen {
  readonly #numbers: readonly number[];
  readonly #lengths: Int32Array;
  readonly #bytes = new Uint8Array(seenBytes);
  #isKnown = false;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
    this.#lengths = new Int32Array(numbers.length);
  }

  forget(): void {
    this.#isKnown = false;
  }

  /** Whether the fields are the last ones again; they are remembered if not. */
  isAgain(fields: RecordFields, source: Uint8Array): boolean {
    if (this.#isKnown && this.#equals(fields, source)) return true;
    let to = 0;
    for (let n = 0; n < this.#numbers.length; n += 1) {
      const number = this.#numbers[n] as number;
      const length = fields.has(number) ? fields.bytesOf(number) : -1;
      this.#lengths[n] = length;
      for (let from = fields.starts[number] as number, end = from + length; from < end; from += 1, to += 1)
        this.#bytes[to] = source[from] as number;
    }
    this.#isKnown = true;
    return false;
  }

  #equals(fields: RecordFields, source: Uint8Array): boolean {
    let to = 0;
    for (let n = 0; n < this.#numbers.length; n += 1) {
      const number = this.#numbers[n] as number;
      const length = fields.has(number) ? fields.bytesOf(number) : -1;
      if (this.#lengths[n] !== length) return false;
      for (let from = fields.starts[number] as number, end = from + length; from < end; from += 1, to += 1)
        if (this.#bytes[to] !== source[from]) return false;
    }
    return true;
  }
}
