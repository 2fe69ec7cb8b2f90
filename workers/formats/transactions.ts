/**
 * `transactions_*.csv`: one transaction a row, which names its account and not its user. Source: product.md, "The two
 * doors".
 */
import { identifierLengthMax } from "../../config/limits.ts";
import { field } from "../bytes/fields.ts";
import { createCsvLines } from "../bytes/csv-lines.ts";
import { type CheckedRecord, type JsonObject, type Problem, readContents, readText } from "../records/record.ts";
import type { CsvDialect } from "../../src/partners/settings/csv-rules.ts";
import { toNumber, toTime } from "./csv-dialect.ts";
import type { CsvKind } from "./csv.ts";

const neededColumns = [
  "bank_id",
  "account_number",
  "transaction_id",
  "transaction_date",
  "type",
  "currency",
  "amount",
  "description",
] as const;

/** By what columns the fields of the interface's record are called here. */
const columnOf: Readonly<Record<string, string>> = {
  bankId: "bank_id",
  "account.id": "account_number",
  "account.name": "account_name",
  "account.iban": "iban",
  "card.id": "card_id",
  "card.pan4": "card_pan4",
  "card.cardType": "card_type",
  "tx.txid": "transaction_id",
  "tx.txTime": "transaction_date",
  "tx.type": "type",
  "tx.currency": "currency",
  "tx.amount": "amount",
  "tx.originalCurrency": "original_currency",
  "tx.originalAmount": "original_amount",
  "tx.description": "description",
  "tx.merchant.name": "merchant_name",
  "tx.merchant.cid": "merchant_id",
  "tx.merchant.address": "merchant_address",
  "tx.merchant.city": "merchant_city",
  "tx.merchant.postCode": "merchant_post_code",
  "tx.merchant.country": "merchant_country",
  "tx.merchant.mcc": "mcc",
};

export const transactionsCsv: CsvKind = {
  meaning: "One transaction a row, which names its account and not its user.",
  neededColumns,
  columns: Object.values(columnOf),
  toRecord: (field, dialect) => ({
    bankId: field("bank_id"),
    account: toAccount(field),
    card: toCard(field),
    tx: toTx(field, dialect),
  }),
  check: checkTransaction,
  fields: { user: "account_number", transaction: "transaction_id", account: "account_number" },
  createReader: (columns, width, deliveryPosition) => createCsvLines(fieldsOf(columns, width), deliveryPosition),
};

/** The columns that rows are read from. */
const fieldOfColumn: Readonly<Record<string, number>> = {
  bank_id: field.owner,
  account_number: field.accountId,
  account_name: field.accountName,
  iban: field.iban,
  card_id: field.cardId,
  card_pan4: field.pan4,
  card_type: field.cardType,
  transaction_id: field.txid,
  transaction_date: field.txTime,
  type: field.rawType,
  currency: field.currency,
  amount: field.amount,
  original_currency: field.originalCurrency,
  original_amount: field.originalAmount,
  description: field.description,
  merchant_name: field.merchantName,
  merchant_id: field.merchantCid,
  merchant_address: field.merchantAddress,
  merchant_city: field.merchantCity,
  merchant_post_code: field.merchantPostCode,
  merchant_country: field.merchantCountry,
  mcc: field.merchantMcc,
};

/** By index in the row; of a column that comes twice only the first counts, which is the one that `columns` has. */
function fieldsOf(columns: ReadonlyMap<string, number>, width: number): Int8Array {
  const fields = new Int8Array(width).fill(-1);
  for (const [name, at] of columns) fields[at] = fieldOfColumn[name] ?? -1;
  return fields;
}

type Field = (column: string) => string;

function checkTransaction(record: JsonObject): CheckedRecord | Problem[] {
  const problems: Problem[] = [];
  const bankId = readText(problems, record, "bankId", "bankId", identifierLengthMax);
  const contents = readContents(problems, record);
  if (contents === null || problems.length > 0)
    return problems.map(({ field, reason }) => ({ field: columnOf[field] ?? field, reason }));
  return { kind: "account-transaction", owner: { bankId, accountNumber: contents.row.accountId ?? "" }, ...contents };
}

function toAccount(field: Field): JsonObject {
  return { id: field("account_number"), name: field("account_name"), iban: field("iban") };
}

function toCard(field: Field): JsonObject | null {
  const id = field("card_id");
  return id === "" ? null : { id, pan4: field("card_pan4"), cardType: optional(field("card_type")) };
}

function toTx(field: Field, { dates, decimal }: CsvDialect): JsonObject {
  return {
    txid: field("transaction_id"),
    txTime: toTime(field("transaction_date"), dates),
    type: field("type"),
    description: field("description"),
    amount: toNumber(field("amount"), decimal),
    currency: optional(field("currency")),
    originalAmount: toNumber(field("original_amount"), decimal),
    originalCurrency: optional(field("original_currency")),
    merchant: toMerchant(field),
  };
}

function toMerchant(field: Field): JsonObject | null {
  const merchant = {
    name: field("merchant_name"),
    cid: optional(field("merchant_id")),
    address: optional(field("merchant_address")),
    city: optional(field("merchant_city")),
    postCode: optional(field("merchant_post_code")),
    country: optional(field("merchant_country")),
    mcc: toNumber(field("mcc"), "point"),
  };
  const { name, ...details } = merchant;
  return name === "" && Object.values(details).every((value) => value === null) ? null : merchant;
}

/** An empty field says nothing. */
function optional(text: string): string | null {
  return text === "" ? null : text;
}
