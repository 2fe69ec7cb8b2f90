/** The ledger as recognition reads it: whole histories of many users at once. */
import pg from "pg";
import { type Day, dayFromNumber } from "../time/calendar.ts";
import type { Database, Transaction } from "../database/database.ts";
import { exponentOf, parseAmount } from "../money.ts";
import { CopiedRows, copyOut } from "./copy-out.ts";
import { KnownTexts } from "./known-texts.ts";
import { type PaymentNumbers, paymentNumbersOf } from "./payment-numbers.ts";
import { dayNumberOfEpoch } from "./row-block.ts";
import { present } from "../present.ts";

/** One row in whole minor units; money leaving is negative. */
export type LedgerTransaction = {
  /** As callers see it (payment-numbers.ts). */
  id: number;
  txid: string;
  day: Day;
  rawType: string;
  description: string;
  amountMinor: number;
  currency: string;
  originalAmountMinor: number | null;
  originalCurrency: string | null;
  merchantName: string | null;
  merchantCid: string | null;
  merchantCountry: string | null;
  mcc: number | null;
  accountId: string | null;
  cardId: string | null;
  /** Of the user's account, as last delivered; null when the bank gave none. */
  iban: string | null;
};

/**
 * Every row of each user that lies on no removed account, in no particular order; users without rows are absent. One
 * query, one index range a user.
 */
export async function readHistory(
  database: Database | Transaction,
  userIds: readonly number[],
): Promise<Map<number, LedgerTransaction[]>> {
  const histories = new Map<number, LedgerTransaction[]>();
  if (userIds.length === 0) return histories;
  const callers = await paymentNumbersOf(database);
  const rows = new CopiedRows(await copyOut(database, selectRows(userIds)));
  let owner = Number.NaN;
  let history: LedgerTransaction[] = [];
  while (rows.next()) {
    const userId = rows.bigint();
    if (userId !== owner) [owner, history] = [userId, historyOf(histories, userId)];
    history.push(transactionIn(rows));
  }
  return numberedFor(callers, histories);
}

/** Each row's id as callers see it. */
function numberedFor(
  callers: PaymentNumbers,
  histories: Map<number, LedgerTransaction[]>,
): Map<number, LedgerTransaction[]> {
  const rows = [...histories.values()].flat();
  const told = callers.told(rows.map(({ id }) => id));
  rows.forEach((row, at) => (row.id = told[at] ?? row.id));
  return histories;
}

/** Rows by their txids, whatever account they lie on; what is not there is absent. */
export async function readRows(
  database: Database | Transaction,
  wanted: readonly { userId: number; txids: readonly string[] }[],
): Promise<Map<number, LedgerTransaction[]>> {
  const found = new Map<number, LedgerTransaction[]>();
  const pairs = wanted.flatMap(({ userId, txids }) =>
    txids.map((txid) => `(${bigintText(userId)}::bigint,${pg.escapeLiteral(txid)}::text)`),
  );
  if (pairs.length === 0) return found;
  const rows = new CopiedRows(
    await copyOut(
      database,
      `select ${columns}
         from (values ${pairs.join(",")}) wanted (user_id, txid)
         join transactions t on t.user_id = wanted.user_id and t.txid = wanted.txid
         left join accounts a on a.user_id = wanted.user_id and a.id = t.account_id`,
    ),
  );
  while (rows.next()) {
    const userId = rows.bigint();
    historyOf(found, userId).push(transactionIn(rows));
  }
  return numberedFor(await paymentNumbersOf(database), found);
}

/** In the order of transactionIn, behind the user: each currency before the amounts that are counted in it. */
const columns = `t.user_id, t.id, t.booked_on, t.currency, t.amount, t.original_currency, t.original_amount, t.merchant_mcc, t.txid, t.raw_type,
                 t.description, t.merchant_name, t.merchant_cid, t.merchant_country, t.account_id, t.card_id, nullif(a.iban, '')`;

/**
 * The users stand twice: told of the rows alone, the planner
 * merges them with everybody's accounts from the first on, and a read among 100,000 users takes a hundred times its
 * time.
 */
function selectRows(userIds: readonly number[]): string {
  const users = `'{${userIds.map(bigintText).join(",")}}'::bigint[]`;
  return `select ${columns}
            from transactions t
            left join accounts a on a.user_id = t.user_id and a.id = t.account_id and a.user_id = any(${users})
           where t.user_id = any(${users})
             and a.removed_after is null`;
}

/** COPY knows no parameters. */
function bigintText(value: number): string {
  if (!Number.isSafeInteger(value)) throw new TypeError("a user's id is a whole number");
  return String(value);
}

function historyOf(histories: Map<number, LedgerTransaction[]>, userId: number): LedgerTransaction[] {
  let history = histories.get(userId);
  if (history === undefined) histories.set(userId, (history = []));
  return history;
}

const known = new KnownTexts();
/** A text by its UTF-8 bytes, the same string wherever it was read before. */
export const knownText = known.of;
/** A txid comes once. */
const ownText = (bytes: Buffer, from: number, to: number): string => bytes.toString("utf8", from, to);

/** In the order of the columns. */
function transactionIn(rows: CopiedRows): LedgerTransaction {
  const id = rows.bigint();
  const day = dayOf(present(rows.integer(), "booked_on"));
  const currency = present(rows.text(knownText), "currency");
  const amountMinor = present(minorUnits(rows, currency), "amount");
  const originalCurrency = rows.text(knownText);
  const originalAmountMinor = minorUnits(rows, originalCurrency ?? currency);
  const mcc = rows.integer();
  return {
    id,
    txid: present(rows.text(ownText), "txid"),
    day,
    rawType: present(rows.text(knownText), "raw_type"),
    description: present(rows.text(knownText), "description"),
    amountMinor,
    currency,
    originalAmountMinor,
    originalCurrency,
    merchantName: rows.text(knownText),
    merchantCid: rows.text(knownText),
    merchantCountry: rows.text(knownText),
    mcc,
    accountId: rows.text(knownText),
    cardId: rows.text(knownText),
    iban: rows.text(knownText),
  };
}

/** By days since 2000-01-01. Days of a century; others are made each time. */
const days: Day[] = [];
const daysMax = 36_525;

function dayOf(sinceEpoch: number): Day {
  if (sinceEpoch < 0 || sinceEpoch >= daysMax) return dayFromNumber(sinceEpoch + dayNumberOfEpoch);
  return (days[sinceEpoch] ??= dayFromNumber(sinceEpoch + dayNumberOfEpoch));
}

/**
 * A numeric is two bytes each: how many digits to the base of 10,000, the first one's weight, the sign, the decimals to
 * show, the digits.
 */
const digitsAt = 8;
const base = 10_000;
const negative = 0x4000;
const weightSignBit = 0x8000;
/** Larger amounts, and such with more than four decimals, are counted in big integers. */
const digitsExactMax = 3;
const exactMax = 1e15;

/**
 * Null: none is there. Amounts that cannot be counted in minor units are refused when records are checked, so one here
 * is a bug.
 */
function minorUnits(rows: CopiedRows, currency: string): number | null {
  const at = rows.numericAt();
  if (at === null) return null;
  const digits = rows.short(at);
  const weight = (rows.short(at + 2) ^ weightSignBit) - weightSignBit;
  const sign = rows.short(at + 4);
  if (sign !== 0 && sign !== negative) throw new RangeError("a ledger amount is no number");
  const lastWeight = weight - digits + 1;
  if (digits > digitsExactMax || lastWeight < -1 || weight >= digitsExactMax)
    return parsed(numericText(rows, at, digits, weight, sign), currency);
  let whole = 0;
  for (let digit = 0; digit < digits; digit++) whole = whole * base + rows.short(at + digitsAt + 2 * digit);
  const scaled = whole * base ** Math.max(0, lastWeight) * 10 ** exponentOf(currency);
  if (scaled > exactMax) return parsed(numericText(rows, at, digits, weight, sign), currency);
  // Half away from zero, as amounts are rounded everywhere.
  const minor = lastWeight < 0 ? Math.floor((scaled + base / 2) / base) : scaled;
  return sign === negative && minor > 0 ? -minor : minor;
}

function numericText(rows: CopiedRows, at: number, digits: number, weight: number, sign: number): string {
  const group = (place: number): string =>
    place > weight || place <= weight - digits
      ? "0000"
      : String(rows.short(at + digitsAt + 2 * (weight - place))).padStart(4, "0");
  let text = sign === negative ? "-0" : "0";
  for (let place = Math.max(weight, 0); place >= 0; place--) text += group(place);
  text += ".";
  for (let place = -1; place > weight - digits; place--) text += group(place);
  return text;
}

function parsed(text: string, currency: string): number {
  const money = parseAmount(text, currency);
  if (money === null) throw new RangeError("a ledger amount is beyond what minor units can count");
  return money.minor;
}
