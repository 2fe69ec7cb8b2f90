/** Money that is neither spent nor earned. Source: budgets.md, "Categorising a transaction", exclusions. */
import { merchantOf } from "../payments/merchant.ts";
import { merchantCategory } from "../payments/catalogue.ts";
import { ownTransfers } from "../payments/own-transfer.ts";
import type { BudgetHistory } from "./budget-history.ts";
import type { Exclusion } from "./candidate.ts";
import { findKeyword, hasMark } from "./keywords.ts";
import type { Line } from "./line.ts";
import { findPayee } from "./merchants.ts";

/** A purchase that comes back whole within so many days was none. */
const refundedDaysMax = 60;
/** A bill covers a month, and is due at most so long after the month's first purchase. */
const billedDays = 65;
/** A bill whose purchases are here by less than this is mostly about others. */
const presentShareMin = 0.5;
const lenders: ReadonlySet<string> = new Set([
  "DEBT_CONSUMER_LOAN",
  "DEBT_PAY_LATER",
  "DEBT_CREDIT_CARD",
  "HOUSING_MORTGAGE",
  "TRANSPORT_VEHICLE_FINANCE",
]);
/** A loan this many times what comes in a month is no income. */
const incomeMonthsMin = 3;
/** Loans are paid out in whole thousands, in major units of the small currencies; hundreds of the large. */
const roundMinor: Readonly<Record<string, number>> = { EUR: 50_000, GBP: 50_000, USD: 50_000, CHF: 50_000 };
const roundMinorDefault = 500_000;
const daysInMonth = 30.4;

/** By txid; what is not in it counts. */
export function exclusionsOf(
  lines: readonly Line[],
  { transactions, ownAccounts }: Pick<BudgetHistory, "transactions" | "ownAccounts">,
): ReadonlyMap<string, Exclusion> {
  const exclusions = new Map<string, Exclusion>();
  for (const txid of ownTransfers(transactions, ownAccounts)) exclusions.set(txid, "OWN_TRANSFER");
  for (const { row } of lines.filter(isSaidOwn)) exclusions.set(row.txid, "OWN_TRANSFER");
  const rest = lines.filter(({ row }) => !exclusions.has(row.txid));
  for (const txid of settlements(rest)) exclusions.set(txid, "CARD_SETTLEMENT");
  for (const txid of refunded(rest)) if (!exclusions.has(txid)) exclusions.set(txid, "REFUNDED");
  for (const txid of payouts(rest)) if (!exclusions.has(txid)) exclusions.set(txid, "LOAN_PAYOUT");
  return exclusions;
}

/** The other account may be at a bank of which nothing is known; the line says that it is one's own. */
function isSaidOwn({ row, kind, who, telling }: Line): boolean {
  const isTransfer = row.mcc === null && (kind === "TRANSFER" || kind === "OTHER" || kind === "DIRECT_DEBIT");
  return isTransfer && who !== "PERSON" && hasMark(telling, "ownTransfer");
}

/** Bills of credit cards whose purchases are here, and the payments that the cards' own accounts show for them. */
function settlements(lines: readonly Line[]): string[] {
  const bills = lines.filter(isCardBill);
  if (bills.length === 0) return [];
  const billed = new Set(bills.map(({ row }) => row.accountId));
  const purchases = lines.filter(
    ({ row }) => row.cardId !== null && row.amountMinor < 0 && (row.accountId === null || !billed.has(row.accountId)),
  );
  return bills.filter((bill) => isPresent(bill, purchases)).map(({ row }) => row.txid);
}

function isCardBill({ row, kind, text, countries, merchant }: Line): boolean {
  if (
    kind === "CARD" ||
    kind === "CASH" ||
    kind === "FEE" ||
    kind === "INTEREST" ||
    row.cardId !== null ||
    row.mcc !== null
  )
    return false;
  return hasMark(text, "settlement") || findPayee(merchant.key, countries)?.categoryId === "DEBT_CREDIT_CARD";
}

function isPresent(bill: Line, purchases: readonly Line[]): boolean {
  const near = purchases.filter(
    ({ at }) => Math.abs(bill.at - at) <= billedDays && (bill.row.amountMinor > 0 || at <= bill.at),
  );
  const sum = near.reduce((total, { row }) => total - row.amountMinor, 0);
  return sum >= presentShareMin * Math.abs(bill.row.amountMinor);
}

/** Each refund takes the latest purchase of its size from the same payee; both go. */
function refunded(lines: readonly Line[]): string[] {
  const purchases = Map.groupBy(lines.filter(isPurchase), ({ payeeKey }) => payeeKey);
  const taken = new Set<string>();
  for (const refund of lines) {
    if (refund.row.amountMinor <= 0 || refund.isBetweenPeople || refund.kind === "CASH") continue;
    const purchase = purchases
      .get(refund.payeeKey)
      ?.filter((one) => isReturned(one, refund) && !taken.has(one.row.txid))
      .sort((a, b) => b.at - a.at)[0];
    if (purchase === undefined) continue;
    taken.add(purchase.row.txid).add(refund.row.txid);
  }
  return [...taken];
}

function isPurchase({ row, isBetweenPeople, kind }: Line): boolean {
  return (
    row.amountMinor < 0 && !isBetweenPeople && (kind === "CARD" || kind === "DIRECT_DEBIT" || row.merchantName !== null)
  );
}

function isReturned(purchase: Line, refund: Line): boolean {
  const days = refund.at - purchase.at;
  return (
    purchase.row.amountMinor === -refund.row.amountMinor &&
    purchase.row.currency === refund.row.currency &&
    days >= 0 &&
    days <= refundedDaysMax
  );
}

function payouts(lines: readonly Line[]): string[] {
  const lent = lines.filter((line) => line.row.amountMinor > 0 && !line.isBetweenPeople && isLender(line));
  if (lent.length === 0) return [];
  const monthly = monthlyIncomeMinor(lines, new Set(lent));
  return lent
    .filter(
      ({ row, text }) =>
        hasMark(text, "loanPayout") ||
        isRound(row.amountMinor, row.currency) ||
        (monthly > 0 && row.amountMinor >= incomeMonthsMin * monthly),
    )
    .map(({ row }) => row.txid);
}

function isLender({ text, telling, countries, merchant, reading, row, kind }: Line): boolean {
  if (hasMark(text, "loanPayout")) return true;
  if (kind === "CARD" || kind === "INTEREST" || hasMark(text, "refund")) return false;
  const ofTrade = row.mcc === null ? null : merchantCategory(row.mcc);
  const category =
    findPayee(merchant.key, countries)?.categoryId ??
    findPayee(merchantOf(null, reading.name).key, countries)?.categoryId ??
    ofTrade?.category ??
    findKeyword(telling, "OUT", countries)?.categoryId;
  return category !== undefined && lenders.has(category);
}

function isRound(amountMinor: number, currency: string): boolean {
  const step = roundMinor[currency] ?? roundMinorDefault;
  return amountMinor >= step && amountMinor % (step / 5) === 0;
}

/** What comes in regularly, a month over the days that are known. */
function monthlyIncomeMinor(lines: readonly Line[], lent: ReadonlySet<Line>): number {
  const incoming = lines.filter(
    (line) => line.row.amountMinor > 0 && line.series?.direction === "IN" && !lent.has(line),
  );
  if (incoming.length === 0) return 0;
  const days = incoming.map(({ at }) => at);
  const months = Math.max(1, (Math.max(...days) - Math.min(...days)) / daysInMonth + 1);
  return incoming.reduce((total, { row }) => total + row.amountMinor, 0) / months;
}
