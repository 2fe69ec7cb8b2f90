/**
 * A row of a packed past, told by the columns it was packed in whenever it is asked. Nearly all of a history is asked for
 * a few of its fields only, and an object with all of them takes five times the memory: what a night has in hand of one
 * user is what the garbage collector carries around until it is done.
 */
import type { LedgerTransaction } from "../../ledger/history.ts";
import type { HistoryTransaction, Reading } from "../../payments/payment.ts";
import { itemAt } from "../../present.ts";
import { type Day, dayFromNumber } from "../../time/calendar.ts";
import type { Column } from "./packing.ts";
import type { Txids } from "./txids.ts";

/** As the ledger has it, with what its texts were read as where that is known. */
export type KeptRow = LedgerTransaction & Pick<HistoryTransaction, "read">;

/** What rows share. */
export type Form = Pick<
  LedgerTransaction,
  | "rawType"
  | "currency"
  | "originalCurrency"
  | "merchantName"
  | "merchantCid"
  | "merchantCountry"
  | "accountId"
  | "cardId"
  | "mcc"
  | "iban"
>;

/** All of one length; numbers are those of forms, of texts, and of days since 1970-01-01. */
export type RowColumns = {
  ids: Column;
  days: Column;
  formNumbers: Column;
  descriptions: Column;
  amounts: Column;
  /** 1 where the purchase was foreign. */
  hasOriginal: Column;
  originalAmounts: Column;
  txids: Txids;
  forms: readonly Form[];
  texts: readonly string[];
};

/** @param readings by row; null where none was kept. @throws RangeError when a number is of nothing that is there */
export function rowsIn(columns: RowColumns, readings: readonly Reading[] | null): KeptRow[] {
  const { ids, formNumbers, descriptions, forms, texts } = columns;
  const rows: KeptRow[] = [];
  for (let row = 0; row < ids.length; row++) {
    itemAt(forms, formNumbers[row] as number);
    itemAt(texts, descriptions[row] as number);
    rows.push(readings === null ? new PlainRow(columns, row) : new RowWithReading(columns, row, itemAt(readings, row)));
  }
  return rows;
}

/** The row as an object of its own, without what was read. */
export function ledgerRow(row: LedgerTransaction): LedgerTransaction {
  return {
    id: row.id,
    txid: row.txid,
    day: row.day,
    rawType: row.rawType,
    description: row.description,
    amountMinor: row.amountMinor,
    currency: row.currency,
    originalAmountMinor: row.originalAmountMinor,
    originalCurrency: row.originalCurrency,
    merchantName: row.merchantName,
    merchantCid: row.merchantCid,
    merchantCountry: row.merchantCountry,
    mcc: row.mcc,
    accountId: row.accountId,
    cardId: row.cardId,
    iban: row.iban,
  };
}

/** Columns are checked before (rowsIn). */
class PlainRow implements LedgerTransaction {
  readonly #columns: RowColumns;
  readonly #row: number;

  constructor(columns: RowColumns, row: number) {
    this.#columns = columns;
    this.#row = row;
  }

  get #form(): Form {
    const { forms, formNumbers } = this.#columns;
    return forms[formNumbers[this.#row] as number] as Form;
  }

  get id(): number {
    return this.#columns.ids[this.#row] as number;
  }

  get txid(): string {
    return this.#columns.txids.of(this.#row);
  }

  get day(): Day {
    return dayOf(this.#columns.days[this.#row] as number);
  }

  get description(): string {
    const { texts, descriptions } = this.#columns;
    return texts[descriptions[this.#row] as number] as string;
  }

  get amountMinor(): number {
    return this.#columns.amounts[this.#row] as number;
  }

  get originalAmountMinor(): number | null {
    const { hasOriginal, originalAmounts } = this.#columns;
    return hasOriginal[this.#row] === 1 ? (originalAmounts[this.#row] as number) : null;
  }

  get rawType(): string {
    return this.#form.rawType;
  }

  get currency(): string {
    return this.#form.currency;
  }

  get originalCurrency(): string | null {
    return this.#form.originalCurrency;
  }

  get merchantName(): string | null {
    return this.#form.merchantName;
  }

  get merchantCid(): string | null {
    return this.#form.merchantCid;
  }

  get merchantCountry(): string | null {
    return this.#form.merchantCountry;
  }

  get mcc(): number | null {
    return this.#form.mcc;
  }

  get accountId(): string | null {
    return this.#form.accountId;
  }

  get cardId(): string | null {
    return this.#form.cardId;
  }

  get iban(): string | null {
    return this.#form.iban;
  }

  toJSON(): LedgerTransaction {
    return ledgerRow(this);
  }
}

class RowWithReading extends PlainRow implements KeptRow {
  readonly #reading: Reading;

  constructor(columns: RowColumns, row: number, reading: Reading) {
    super(columns, row);
    this.#reading = reading;
  }

  get read(): Reading {
    return this.#reading;
  }
}

/** Days of a century; others are made each time. Made whole: an array with one far item is as slow as a map. */
const daysMax = 36_525;
const days: (Day | null)[] = Array.from({ length: daysMax }, () => null);

function dayOf(number: number): Day {
  return number < 0 || number >= daysMax ? dayFromNumber(number) : (days[number] ??= dayFromNumber(number));
}
