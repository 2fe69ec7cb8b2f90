/**
 * Checks one record against the interface's table and makes it a ledger row. Written by hand: every problem needs its
 * field and reason, and a compiled schema would have to be followed by the same normalising walk.
 * Rules beyond the table: null counts as absent, unknown keys are ignored, texts have lengths, and nothing that
 * PostgreSQL cannot hold (NUL, lone surrogates) gets in. A reason never quotes the value.
 */
import type { AccountName } from "../bytes/read-rows.ts";
import {
  amountAbsoluteMax,
  bankUserIdLengthMax,
  codeLengthMax,
  descriptionLengthMax,
  ibanLengthMax,
  identifierLengthMax,
  mccMax,
  nameLengthMax,
  pan4LengthMax,
  timeLengthMax,
  yearMax,
  yearMin,
} from "../../config/limits.ts";
import { isDay } from "../../src/time/calendar.ts";
import type { LedgerAccount, LedgerCard, LedgerRow } from "../../src/ledger/row.ts";
import { parseAmount } from "../../src/money.ts";

/** What a transaction says, whoever owns it. */
export type Contents = { row: LedgerRow; account: LedgerAccount | null; card: LedgerCard | null };

/** A record of the interface; `uid` is the partner's id of the user, not yet looked up. */
export type InterfaceRecord = ({ kind: "transaction"; uid: string } & Contents) | { kind: "marker"; uid: string };

/**
 * A transaction that names its account, and an account that names its user: what tables and statements say, see
 * formats/. entryId: the account's entry that the transaction is, or is a part of, where a statement told it.
 */
export type CsvRecord =
  | ({ kind: "account-transaction"; owner: AccountName; entryId?: string } & Contents)
  | { kind: "account"; owner: AccountName; uid: string; completesImport: boolean };

/** A record that may be loaded. */
export type CheckedRecord = InterfaceRecord | CsvRecord;

/** field: path within the record, empty for the record itself. */
export type Problem = { field: string; reason: string };

/** What a format calls the places at which a record that is right by itself can still be wrong. */
export type FieldNames = { user: string; transaction: string; account: string };
export const interfaceFields: FieldNames = { user: "uid", transaction: "tx.txid", account: "account.id" };

/** Stands where an element of a batch, or a row of a table, could not even be read. */
export class UnreadableRecord {
  readonly reason: string;
  /** The column where that shows; "" when it is none. */
  readonly field: string;

  constructor(reason: string, field = "") {
    this.reason = reason;
    this.field = field;
  }
}

/** The record ready to load, or everything that is wrong with it. */
export function checkRecord(value: unknown): InterfaceRecord | Problem[] {
  if (value instanceof UnreadableRecord) return [{ field: "", reason: value.reason }];
  if (!isObject(value)) return [{ field: "", reason: "is not an object" }];
  const problems: Problem[] = [];
  const uid = readText(problems, value, "uid", "uid", bankUserIdLengthMax);
  if (value.type === "IMPORT_COMPLETED") {
    readAccount(problems, value.account);
    readCard(problems, value.card);
    if (isPresent(value.tx)) problems.push({ field: "tx", reason: "must be absent when type is IMPORT_COMPLETED" });
    return problems.length > 0 ? problems : { kind: "marker", uid };
  }
  const contents = readContents(problems, value);
  if (value.type !== "TX")
    problems.push({ field: "type", reason: isPresent(value.type) ? "is neither TX nor IMPORT_COMPLETED" : missing });
  return contents === null || problems.length > 0 ? problems : { kind: "transaction", uid, ...contents };
}

/**
 * Account, card and tx of a record; null when tx is none. Adds to `problems`, and is to be used only when there are
 * none.
 */
export function readContents(problems: Problem[], value: JsonObject): Contents | null {
  const account = readAccount(problems, value.account);
  const card = readCard(problems, value.card);
  const row = readTx(problems, value.tx, account, card);
  return row === null ? null : { row, account, card };
}

const missing = "is missing";

export type JsonObject = Record<string, unknown>;

function readTx(
  problems: Problem[],
  tx: unknown,
  account: LedgerAccount | null,
  card: LedgerCard | null,
): LedgerRow | null {
  if (!isObject(tx)) {
    problems.push({ field: "tx", reason: isPresent(tx) ? "is not an object" : missing });
    return null;
  }
  const txTime = readTime(problems, tx);
  const currency = readCurrency(problems, tx, "currency", "tx.currency");
  const originalCurrency = isPresent(tx.originalCurrency)
    ? readCurrency(problems, tx, "originalCurrency", "tx.originalCurrency")
    : null;
  const merchant = readMerchant(problems, tx.merchant);
  return {
    txid: readText(problems, tx, "txid", "tx.txid", identifierLengthMax),
    bookedOn: txTime.slice(0, dayLength),
    txTime,
    rawType: readText(problems, tx, "type", "tx.type", codeLengthMax),
    description: readText(problems, tx, "description", "tx.description", descriptionLengthMax, mayBeEmpty),
    amount: readAmount(problems, tx.amount, currency, "tx.amount"),
    currency,
    originalAmount: isPresent(tx.originalAmount)
      ? readAmount(problems, tx.originalAmount, originalCurrency ?? currency, "tx.originalAmount")
      : null,
    originalCurrency,
    merchantName: merchant?.name ?? null,
    merchantCid: merchant?.cid ?? null,
    merchantAddress: merchant?.address ?? null,
    merchantCity: merchant?.city ?? null,
    merchantPostCode: merchant?.postCode ?? null,
    merchantCountry: merchant?.country ?? null,
    merchantMcc: merchant?.mcc ?? null,
    accountId: account?.id ?? null,
    cardId: card?.id ?? null,
  };
}

function readMerchant(problems: Problem[], merchant: unknown) {
  if (!isObjectOrAbsent(problems, merchant, "tx.merchant")) return null;
  return {
    name: readText(problems, merchant, "name", "tx.merchant.name", nameLengthMax, mayBeEmpty),
    cid: optionalText(problems, merchant, "cid", "tx.merchant.cid", identifierLengthMax),
    address: optionalText(problems, merchant, "address", "tx.merchant.address", nameLengthMax),
    city: optionalText(problems, merchant, "city", "tx.merchant.city", nameLengthMax),
    postCode: optionalText(problems, merchant, "postCode", "tx.merchant.postCode", codeLengthMax),
    country: optionalText(problems, merchant, "country", "tx.merchant.country", codeLengthMax),
    mcc: readMcc(problems, merchant.mcc),
  };
}

function readAccount(problems: Problem[], account: unknown): LedgerAccount | null {
  if (!isObjectOrAbsent(problems, account, "account")) return null;
  return {
    id: readText(problems, account, "id", "account.id", identifierLengthMax),
    name: readText(problems, account, "name", "account.name", nameLengthMax, mayBeEmpty),
    iban: readText(problems, account, "iban", "account.iban", ibanLengthMax, mayBeEmpty),
  };
}

function readCard(problems: Problem[], card: unknown): LedgerCard | null {
  if (!isObjectOrAbsent(problems, card, "card")) return null;
  return {
    id: readText(problems, card, "id", "card.id", identifierLengthMax),
    pan4: readText(problems, card, "pan4", "card.pan4", pan4LengthMax, mayBeEmpty),
    cardType: optionalText(problems, card, "cardType", "card.cardType", codeLengthMax),
    paymentNetwork: optionalText(problems, card, "paymentNetwork", "card.paymentNetwork", codeLengthMax),
  };
}

const dayLength = 10;

/** An ISO 8601 time stamp whose day exists and lies in the years that are followed. */
function readTime(problems: Problem[], tx: JsonObject): string {
  const field = "tx.txTime";
  const before = problems.length;
  const time = readText(problems, tx, "txTime", field, timeLengthMax);
  if (problems.length > before) return time;
  const year = Number(time.slice(0, 4));
  if (!isDay(time.slice(0, dayLength)) || /^\d/.test(time.slice(dayLength)))
    problems.push({ field, reason: "does not start with a calendar day (YYYY-MM-DD)" });
  else if (year < yearMin || year > yearMax)
    problems.push({ field, reason: `is not between the years ${yearMin} and ${yearMax}` });
  return time;
}

/** The shortest decimal text that reads back as the same number: what the sender wrote, without its padding. */
function readAmount(problems: Problem[], value: unknown, currency: string, field: string): string {
  if (typeof value !== "number") {
    problems.push({ field, reason: isPresent(value) ? "is not a number" : missing });
    return "";
  }
  // Also false for infinities, which is what JSON.parse makes of 1e999.
  const isBounded = Math.abs(value) < amountAbsoluteMax;
  if (!isBounded || parseAmount(value, currency) === null) problems.push({ field, reason: "is too large" });
  return String(value);
}

function readCurrency(problems: Problem[], object: JsonObject, key: string, field: string): string {
  const value = object[key];
  if (typeof value === "string" && /^[A-Z]{3}$/.test(value)) return value;
  problems.push({ field, reason: isPresent(value) ? "is not three capital letters (ISO 4217)" : missing });
  return "";
}

function readMcc(problems: Problem[], value: unknown): number | null {
  if (!isPresent(value)) return null;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= mccMax) return value;
  problems.push({ field: "tx.merchant.mcc", reason: `is not a whole number from 0 to ${mccMax}` });
  return null;
}

const mayBeEmpty = true;

/**
 * The text at a key, at most so many UTF-16 units long; "" when it is none. Adds to `problems` what is wrong with it.
 */
export function readText(
  problems: Problem[],
  object: JsonObject,
  key: string,
  field: string,
  lengthMax: number,
  emptyAllowed = false,
): string {
  const value = object[key];
  if (typeof value !== "string") {
    problems.push({ field, reason: isPresent(value) ? "is not a string" : missing });
    return "";
  }
  if (value.length > lengthMax) problems.push({ field, reason: `is longer than ${lengthMax} characters` });
  else if (value.includes("\0") || !value.isWellFormed())
    problems.push({ field, reason: "contains a character that cannot be stored" });
  else if (value === "" && !emptyAllowed) problems.push({ field, reason: "is empty" });
  return value;
}

function optionalText(
  problems: Problem[],
  object: JsonObject,
  key: string,
  field: string,
  lengthMax: number,
): string | null {
  return isPresent(object[key]) ? readText(problems, object, key, field, lengthMax, mayBeEmpty) : null;
}

function isObjectOrAbsent(problems: Problem[], value: unknown, field: string): value is JsonObject {
  if (!isPresent(value)) return false;
  if (isObject(value)) return true;
  problems.push({ field, reason: "is not an object" });
  return false;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
