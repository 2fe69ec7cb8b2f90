/** One transaction as the rules see it: who was paid, how, and which countries' words apply. */
import { dayNumber } from "../time/calendar.ts";
import { type Product, findProduct, productById } from "../payments/catalogue.ts";
import { kindOf } from "../payments/history.ts";
import type { PaymentKind } from "../payments/payment.ts";
import { type Merchant, merchantOf } from "../payments/merchant.ts";
import { typeOf } from "../payments/transaction-type.ts";
import type { BudgetTransaction, RecognisedSeries } from "./budget-history.ts";
import { hasMark, isCuttable } from "./keywords.ts";
import { noOpenings, type Openings, type Reading, readingOf, withoutLongNumbers } from "./reading.ts";
import { type Who, whoIs } from "./who.ts";

export type Line = {
  row: BudgetTransaction;
  merchant: Merchant;
  payeeKey: string;
  kind: PaymentKind;
  /** Days since 1970-01-01. */
  at: number;
  /** As the bank sent it, the merchant's name behind it. */
  text: string;
  /** The description without the bank's words. */
  reading: Reading;
  /** What tells what the line is for: no bank's words, and the merchant's name behind them. */
  telling: string;
  /** So long that the bank may have cut it off. */
  isLong: boolean;
  /** The user's, then the merchant's where it is another one. */
  countries: readonly string[];
  series: RecognisedSeries | null;
  product: Product | null;
  /** UNKNOWN for cards and cash. */
  who: Who;
  /** Sent over an application for payments between people, or a transfer that names nobody but a person. */
  isBetweenPeople: boolean;
};

const betweenPeople =
  /\b(?:MOBILE ?PAY|VIPPS|SWISH|TIKKIE|BLIK NA TELEFON|NA TELEFON|PAYM|WERO|SIIRTO|KWITT|PRZELEW NA TELEFON)\b/i;
/** Words of letters and nothing else; so many are a name. */
const person = /^\p{L}[\p{L}'’.-]*(?: \p{L}[\p{L}'’.-]*){1,3}$/u;

/** Of lines that differ in nothing but the day, the amount and long numbers. */
type Told = Pick<Line, "kind" | "text" | "reading" | "telling" | "isLong" | "countries" | "who" | "isBetweenPeople">;
/** What one history's lines tell, by what they have in common. */
export type ToldLines = Map<string, Told>;

export function lineOf(
  row: BudgetTransaction,
  country: string,
  series: RecognisedSeries | null,
  openings: Openings = noOpenings,
  told: ToldLines = new Map(),
): Line {
  const merchant = merchantOf(row.merchantName, row.description);
  const found = findProduct(merchant, country);
  const likeness = likenessOf(row);
  let alike = told.get(likeness);
  if (alike === undefined) told.set(likeness, (alike = read(row, country, openings)));
  return {
    ...alike,
    row,
    merchant,
    series,
    payeeKey: keyOf(merchant, alike.isBetweenPeople ? null : found, alike.kind),
    at: dayNumber(row.day),
    product: (series?.productId == null ? null : productById(series.productId)) ?? found,
  };
}

function likenessOf({
  description,
  merchantName,
  rawType,
  mcc,
  merchantCountry,
  amountMinor,
}: BudgetTransaction): string {
  return `${withoutLongNumbers(description)}\n${merchantName ?? ""}\n${rawType} ${merchantCountry ?? ""} ${mcc === null} ${amountMinor < 0}`;
}

function read(row: BudgetTransaction, country: string, openings: Openings): Told {
  const kind = kindOf(row.rawType);
  const name = row.merchantName === row.description ? null : row.merchantName;
  const reading = readingOf(row.description, openings);
  const countries = [...new Set([country, row.merchantCountry ?? country])];
  // Who sells by card is no person, and asking is dear.
  const who = kind === "CARD" || kind === "CASH" ? "UNKNOWN" : whoIs(reading.name, row.description, countries);
  return {
    kind,
    text: name === null ? row.description : `${row.description} ${name}`,
    reading,
    telling: name === null ? reading.text : `${reading.text} ${readingOf(name, openings).text}`,
    isLong: name === null && isCuttable(row.description),
    countries,
    who,
    isBetweenPeople: isBetween(row, kind, who, reading),
  };
}

/**
 * The catalogue's product, else the cleaned name of the payee, else how the money moved. A refund's own word is no
 * name.
 */
function keyOf(merchant: Merchant, product: Product | null, kind: PaymentKind): string {
  if (product !== null && !product.isGateway && !product.isUnknownStoreSubscription) return product.id;
  if (merchant.key === "") return kind;
  const [first = "", ...rest] = merchant.key.split(" ");
  return rest.length > 0 && hasMark(first, "refund") ? rest.join(" ") : merchant.key;
}

/**
 * Over an application everybody is a person who is not seen to be something else. Of a transfer's names those are that
 * can be; but a payer of whom nothing is known may employ, and is asked about where nothing else tells.
 */
function isBetween(row: BudgetTransaction, kind: PaymentKind, who: Who, { name }: Reading): boolean {
  if (row.mcc !== null || who === "COMPANY") return false;
  if (betweenPeople.test(row.description)) return kind === "TRANSFER" || kind === "OTHER";
  if (kind !== "TRANSFER" || typeOf(row.rawType) !== "ACCOUNT_TRANSFER" || row.merchantName !== null) return false;
  return person.test(name.trim()) && (who === "PERSON" || row.amountMinor < 0);
}
