/**
 * Money that a user moves between own accounts: neither spent nor earned, so no service, no expense and no income.
 * Pure. Source: budgets.md, "Categorising a transaction", exclusions.
 */
import { dayNumber } from "../time/calendar.ts";
import { kindOf } from "./history.ts";
import type { HistoryTransaction, PaymentKind } from "./payment.ts";

/** The part of a ledger row that tells. */
export type MovedMoney = Pick<
  HistoryTransaction,
  | "txid"
  | "day"
  | "rawType"
  | "description"
  | "amountMinor"
  | "currency"
  | "merchantName"
  | "merchantCid"
  | "mcc"
  | "accountId"
  | "iban"
>;

/** An account of the user; `iban` null when the bank gave none. */
export type OwnAccount = { id: string; iban: string | null };

/** Both sides of a transfer are booked at most so many days apart: a weekend, and the cut-off before it. */
const daysApartMax = 3;
/** What cannot be a transfer between accounts: a purchase, cash, and what the bank itself takes and gives. */
const otherKinds: ReadonlySet<PaymentKind> = new Set<PaymentKind>(["CARD", "CASH", "FEE", "INTEREST"]);

/**
 * Txids of the rows that move money between the user's own accounts: those that name another account of the user, and
 * opposite equal amounts on two accounts within three days. The order of the rows and rows sent twice change nothing.
 * @param accounts further accounts of the user; those of the rows are known from them.
 */
export function ownTransfers(
  history: readonly MovedMoney[],
  accounts: readonly OwnAccount[] = [],
): ReadonlySet<string> {
  const rows = [...new Map(history.filter(mayBeTransfer).map((row) => [row.txid, row])).values()];
  return new Set([...transfersAmong(rows, accountsIn(history, accounts))].map(({ txid }) => txid));
}

/** The same rows themselves, of which none is there twice: nobody asks nearly all of them what they are called. */
export function ownTransferRows<Row extends MovedMoney>(history: readonly Row[]): ReadonlySet<Row> {
  return transfersAmong(history.filter(mayBeTransfer), accountsIn(history, []));
}

/** @param rows that may be transfers, each once */
function transfersAmong<Row extends MovedMoney>(
  rows: readonly Row[],
  known: ReadonlyMap<string, string | null>,
): ReadonlySet<Row> {
  return known.size < 2 ? new Set() : new Set([...rows.filter(namesAnother(known)), ...oppositePairs(rows).flat()]);
}

/** A merchant's category says that something was sold. */
function mayBeTransfer({ rawType, mcc, amountMinor }: MovedMoney): boolean {
  return mcc === null && amountMinor !== 0 && !otherKinds.has(kindOf(rawType));
}

/** IBAN by account; a row without an account stands for none. */
function accountsIn(history: readonly MovedMoney[], accounts: readonly OwnAccount[]): Map<string, string | null> {
  const known = new Map(accounts.map(({ id, iban }) => [id, iban]));
  let before: MovedMoney | null = null;
  for (const row of history) {
    const { accountId, iban } = row;
    // Row after row is of one account.
    if (accountId === before?.accountId && iban === before.iban) continue;
    if (accountId !== null && (iban !== null || !known.has(accountId))) known.set(accountId, iban);
    before = row;
  }
  return known;
}

/** Shorter account ids, and such with fewer digits, turn up in texts by chance. */
const identifierLengthMin = 8;
const identifierDigitsMin = 4;
/** However numbers are grouped, some digits stand together; most texts have none and are spared the search. */
const digitsTogether = /\d{3}/;
/** Between the groups of a number. */
const separators = /[ ./-]/g;
/** Country code and check digits, which texts at home leave out. */
const ibanHeadLength = 4;

/** Whether a row names an account of the user other than its own. */
function namesAnother(known: ReadonlyMap<string, string | null>): (row: MovedMoney) => boolean {
  const owners = new Map<string, string>();
  for (const [id, iban] of known) {
    const names = iban === null ? [id] : [id, iban, compact(iban).slice(ibanHeadLength)];
    for (const name of names.map(compact).filter(isTelling)) owners.set(name, id);
  }
  if (owners.size === 0) return () => false;
  const names = [...owners.keys()];
  // Made when a row may name one: with most users none does.
  let made: RegExp | null = null;
  const pattern = (): RegExp =>
    (made ??= new RegExp(`(?<![A-Z0-9])(?:${names.toSorted(longestFirst).map(spaced).join("|")})(?![A-Z0-9])`, "g"));
  return ({ description, merchantName, merchantCid, accountId }) => {
    const text = `${description}\n${merchantName ?? ""}\n${merchantCid ?? ""}`.toUpperCase();
    // The search itself costs ten times what it costs to see that there is nothing to find.
    if (!digitsTogether.test(text) || !mayName(text, names)) return false;
    return [...text.matchAll(pattern())].some(([name]) => owners.get(compact(name)) !== accountId);
  };
}

/** @param text in capitals */
function mayName(text: string, names: readonly string[]): boolean {
  const together = text.replace(separators, "");
  return names.some((name) => together.includes(name));
}

function compact(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, "");
}

function isTelling(name: string): boolean {
  return name.length >= identifierLengthMin && name.replace(/\D/g, "").length >= identifierDigitsMin;
}

function longestFirst(a: string, b: string): number {
  return b.length - a.length || (a < b ? -1 : 1);
}

/** Account numbers are printed in groups. */
function spaced(name: string): string {
  return [...name].join("[ ./-]?");
}

type Dated<Row extends MovedMoney> = { row: Row; at: number };

/** Each row is in one pair at most; the nearest in time are paired first. */
function oppositePairs<Row extends MovedMoney>(rows: readonly Row[]): [Row, Row][] {
  const bySum = new Map<string | number, Row[]>();
  const usual = rows[0]?.currency;
  for (const row of rows) {
    if (row.accountId === null) continue;
    const amount = Math.abs(row.amountMinor);
    const sum = row.currency === usual ? amount : `${amount} ${row.currency}`;
    const group = bySum.get(sum);
    if (group) group.push(row);
    else bySum.set(sum, [row]);
  }
  return [...bySum.values()].flatMap((group) => (bothWays(group) ? pairsIn(group.map(dated).sort(byDay)) : []));
}

/** Nearly all amounts that return go one way. */
function bothWays(rows: readonly MovedMoney[]): boolean {
  return rows.length > 1 && rows.some(({ amountMinor }) => amountMinor < 0 !== (rows[0] as MovedMoney).amountMinor < 0);
}

function dated<Row extends MovedMoney>(row: Row): Dated<Row> {
  return { row, at: dayNumber(row.day) };
}

function byDay(a: Dated<MovedMoney>, b: Dated<MovedMoney>): number {
  return a.at - b.at || (a.row.txid < b.row.txid ? -1 : 1);
}

/** @param group rows of one absolute amount, by day. */
function pairsIn<Row extends MovedMoney>(group: readonly Dated<Row>[]): [Row, Row][] {
  const pairs: [Row, Row][] = [];
  const paired = new Set<Dated<Row>>();
  for (let apart = 0; apart <= daysApartMax; apart++) {
    group.forEach((first, index) => {
      if (paired.has(first)) return;
      const second = oppositeOf(first, group, index + 1, apart, paired);
      if (second === null) return;
      paired.add(first).add(second);
      pairs.push([first.row, second.row]);
    });
  }
  return pairs;
}

/** The first free row exactly so many days later that books the same amount the other way on another account. */
function oppositeOf<Row extends MovedMoney>(
  { row, at }: Dated<Row>,
  group: readonly Dated<Row>[],
  start: number,
  apart: number,
  paired: ReadonlySet<Dated<Row>>,
): Dated<Row> | null {
  for (let index = start; index < group.length && (group[index] as Dated<MovedMoney>).at <= at + apart; index++) {
    const other = group[index] as Dated<Row>;
    if (other.at < at + apart || paired.has(other)) continue;
    if (other.row.accountId !== row.accountId && other.row.amountMinor === -row.amountMinor) return other;
  }
  return null;
}
