/**
 * Income in three figures: what is certain, what comes often without a cadence, and what is no income. A payer's ordinary
 * pay and what it pays beside it never come to more than it paid in the year. Pure.
 */
import { addDays, daysBetween } from "../../time/calendar.ts";
import { uuidVersion5 } from "../../recognition/services/identity.ts";
import { categoryById, groupOf, nameOf } from "../../categories/tree.ts";
import type { IncomeClass, IncomeFacts, Item, UncountedPayer } from "../budget.ts";
import { isSamePayer } from "../engine/payer-name.ts";
import type { BudgetSnapshot, Part } from "../engine/snapshot.ts";
import { divideHalfUp, medianOf, partOf } from "../monthly.ts";
import { divisorOf, isDayCovered, monthIndexOf, monthOf, monthsMax, sum, sumOfLast } from "../window.ts";
import { averageOf, byMonth, quarterMonths } from "./amounts.ts";
import { type CategorisedPart, monthsSeen } from "./categorised-parts.ts";
import type { BudgetFacts } from "./facts.ts";
import { itemsOf } from "./items.ts";
import { firstOf, itemAt } from "../../present.ts";

export const extraCategory = "INCOME_BONUS_HOLIDAY";
/** From so many months with pay on an income without a cadence is one. */
const irregularMonthsMin = 6;
/** Pay of a new payer counts from the second month on, while it comes. */
const newMonthsMin = 2;
const newDaysMax = 125;
const stillComesDays = 40;
const payGroups: ReadonlySet<string> = new Set(["INCOME_WORK", "INCOME_PENSION", "INCOME_BENEFITS"]);

export type BudgetedIncome = { items: Item[]; taken: Set<CategorisedPart> };

/** @param own all that came in, by payer and category */
export function incomeItems(
  own: readonly CategorisedPart[],
  facts: BudgetFacts,
  snapshot: BudgetSnapshot,
): BudgetedIncome {
  const taken = new Set<CategorisedPart>();
  const made = own.flatMap((one): { item: Item; source: CategorisedPart }[] => {
    const kind = incomeClassOf(one, snapshot);
    if (kind === null || one.categories.length === 0) return [];
    const items = itemsOf(one, facts.id, snapshot).map((item) => costed(item, kind, one, facts, snapshot));
    if (items.length > 0) taken.add(one);
    const beside = kind === "CERTAIN" && one.answer === null ? extraItem(one, facts, snapshot) : null;
    return [...items, ...(beside === null ? [] : [beside])].map((item) => ({ item, source: one }));
  });
  return { items: capped(made, snapshot), taken };
}

/** Null: it came once or seldom, or it has stopped. */
export function incomeClassOf(one: CategorisedPart, snapshot: BudgetSnapshot): IncomeClass | null {
  const { part, answer, categories } = one;
  if (answer?.answer.type === "USER_PROVIDED") return "GIVEN";
  if (part.standing === "ENDED") return null;
  const seen = monthsSeen(part.transactions, snapshot);
  if (part.standing !== "PAYEE") {
    if (answer !== null || isSteady(part)) return "CERTAIN";
    return seen >= irregularMonthsMin ? "IRREGULAR" : null;
  }
  if (seen > 0 && answer === null && categories[0]?.id === extraCategory) return "EXTRA";
  if (seen >= irregularMonthsMin || answer !== null) return "IRREGULAR";
  return isNewPay(categories[0]?.id ?? "", part, snapshot) ? "CERTAIN" : null;
}

/** Of the middle payment: hours worked vary by about a twentieth, work found on a platform by a fifth and more. */
const deviationMax = 0.15;

/**
 * Whether a cadence is all that an income needs: the payment or its payer says what it is, or the amounts hardly vary.
 * Five months of work found on a platform have a cadence by chance, and promise nothing.
 */
function isSteady({ rule, transactions }: Part): boolean {
  if (rule !== "REGULAR" || transactions.length === 0) return true;
  const amounts = transactions.map(({ minor }) => minor);
  const middle = medianOf(amounts);
  const deviation = sum(amounts.map((minor) => Math.abs(minor - middle))) / amounts.length;
  return deviation <= deviationMax * middle;
}

/** Somebody began to pay wages, a pension or a benefit, too lately for a cadence to be seen. */
function isNewPay(categoryId: string, { transactions }: Part, { asOf }: BudgetSnapshot): boolean {
  const days = transactions.map(({ document }) => document.transactionDate);
  const [first, last] = [days[0], days.at(-1)];
  return (
    first !== undefined &&
    last !== undefined &&
    payGroups.has(groupOf(categoryId) ?? "") &&
    new Set(days.map(monthOf)).size >= newMonthsMin &&
    daysBetween(first, asOf) <= newDaysMax &&
    last >= addDays(asOf, -stillComesDays)
  );
}

function costed(
  item: Item,
  kind: IncomeClass,
  { part, answer }: CategorisedPart,
  { irregularPercent }: BudgetFacts,
  snapshot: BudgetSnapshot,
): Item {
  const sums = ordinaryByMonth(part, snapshot);
  const told = { ...item, income: factsOf(kind, part, sums, snapshot) };
  if (kind === "CERTAIN" && part.extra !== null && answer === null)
    Object.assign(told, {
      averageLastThreeMonthsMinor: averageOf(sums, quarterMonths, snapshot),
      averageLastTwelveMonthsMinor: averageOf(sums, monthsMax, snapshot),
    });
  if (answer !== null || (part.standing !== "PAYEE" && kind !== "IRREGULAR")) return told;
  return { ...told, ...monthlyCost(countedMinor(kind, part, sums, irregularPercent, snapshot)) };
}

/** What of an income without a cadence the budget counts a month. */
function countedMinor(
  kind: IncomeClass,
  part: Part,
  sums: readonly number[],
  irregularPercent: number,
  snapshot: BudgetSnapshot,
): number {
  if (kind === "EXTRA") return divideHalfUp(sumOfLast(snapshot, sums, monthsMax), monthsMax);
  if (kind === "CERTAIN") return leastMonthOf(part);
  const means = [averageOf(sums, quarterMonths, snapshot), averageOf(sums, monthsMax, snapshot)];
  return partOf(Math.min(...means), irregularPercent, 100);
}

/** Of a new payer, the months of the first and the latest pay included: one of them may be half a month. */
function leastMonthOf({ transactions }: Part): number {
  const byMonths = Map.groupBy(transactions, ({ document }) => monthOf(document.transactionDate));
  return Math.min(...[...byMonths.values()].map((paid) => sum(paid.map(({ minor }) => minor))));
}

function monthlyCost(minor: number) {
  return { paymentCostMinor: minor, paymentFrequency: "MONTHLY", paymentCostMonthlyMinor: minor } as const;
}

/** Twelve sums without what came beside the ordinary pay. */
function ordinaryByMonth(part: Part, snapshot: BudgetSnapshot): number[] {
  const sums = byMonth(part.transactions, part.side, snapshot);
  for (const [at, minor] of extraByMonth(part, snapshot).entries()) sums[at] = itemAt(sums, at) - minor;
  return sums;
}

/** Twelve sums of what came beside the ordinary pay, in its own line. */
export function extraByMonth({ extra }: Part, snapshot: BudgetSnapshot): number[] {
  const sums = snapshot.months.map(() => 0);
  for (const { day, extraMinor } of extra?.transactions ?? []) {
    const at = monthIndexOf(snapshot, day);
    if (at >= 0) sums[at] = itemAt(sums, at) + extraMinor;
  }
  return sums;
}

function extraItem(one: CategorisedPart, facts: BudgetFacts, snapshot: BudgetSnapshot): Item | null {
  const { part } = one;
  if (part.extra === null) return null;
  const sums = extraByMonth(part, snapshot);
  const monthly = divideHalfUp(sumOfLast(snapshot, sums, monthsMax), monthsMax);
  const txids = new Set(part.extra.transactions.map(({ txid }) => txid));
  const [base] = itemsOf(one, facts.id, snapshot);
  if (monthly <= 0 || base === undefined) return null;
  const key = `${part.key}:extra`;
  return {
    ...base,
    id: uuidVersion5(facts.id, `item:${key}`),
    key,
    subject: null,
    payeeKey: null,
    title: `${base.title}: ${nameOf(categoryById(extraCategory), facts.language)}`,
    ...monthlyCost(monthly),
    averageLastThreeMonthsMinor: averageOf(sums, quarterMonths, snapshot),
    averageLastTwelveMonthsMinor: averageOf(sums, monthsMax, snapshot),
    categories: [extraCategory],
    transactions: part.transactions.filter(({ txid }) => txids.has(txid)).map(({ document }) => document),
    monthsSeen: txids.size,
    income: factsOf("EXTRA", part, sums, snapshot),
  };
}

function factsOf(
  kind: IncomeClass,
  { transactions, standing, paymentCostMinor, monthlyMinor }: Part,
  sums: readonly number[],
  snapshot: BudgetSnapshot,
): IncomeFacts {
  const covered = sums.slice(sums.length - snapshot.covered);
  const lowest = covered.toSorted((a, b) => a - b).slice(0, quarterMonths);
  const before = covered.slice(0, -quarterMonths);
  const earlier = before.length === 0 ? 0 : sum(before) / before.length;
  return {
    class: kind,
    since: transactions[0]?.document.transactionDate ?? null,
    monthsEmpty: covered.filter((minor) => minor === 0).length,
    medianMonthMinor:
      standing === "REGULAR" && covered.length === 0 ? (monthlyMinor ?? paymentCostMinor) : medianOf(covered),
    lowestThreeMonthsMinor: divideHalfUp(sum(lowest), Math.max(1, lowest.length)),
    trend: earlier <= 0 ? null : sum(covered.slice(-quarterMonths)) / quarterMonths / earlier,
    longestGapMonths: longestGap(covered),
  };
}

function longestGap(sums: readonly number[]): number {
  const paid = sums.flatMap((minor, at) => (minor === 0 ? [] : [at]));
  return paid.slice(1).reduce((longest, at, before) => Math.max(longest, at - itemAt(paid, before) - 1), 0);
}

type Made = { item: Item; source: CategorisedPart };

/**
 * What is certain of one payer comes to no more than a twelfth of what it paid in a whole covered year, unless its
 * ordinary pay is more than that by now: holiday pay often takes the place of a month's pay.
 */
function capped(made: readonly Made[], snapshot: BudgetSnapshot): Item[] {
  const certain = made.filter(({ item }) => item.income?.class === "CERTAIN");
  const extras = made.filter(({ item }) => item.income?.class === "EXTRA");
  const lowered = new Map<Item, number>();
  for (const [payer, beside] of Map.groupBy(extras, (one) => payerOf(one, certain, snapshot))) {
    if (payer === null || snapshot.covered < monthsMax) continue;
    const ordinary = payer.item.paymentCostMonthlyMinor;
    const parts = new Set([payer.source.part, ...beside.map(({ source }) => source.part)]);
    const paid = sum([...parts].map((part) => sumOfLast(snapshot, byMonth(part.transactions, "INCOME", snapshot), 12)));
    let left = Math.max(0, divideHalfUp(paid, divisorOf(snapshot, monthsMax)) - ordinary);
    for (const { item } of beside) {
      const kept = Math.min(item.paymentCostMonthlyMinor, left);
      left -= kept;
      lowered.set(item, kept);
    }
  }
  return made.map(({ item }) => {
    const kept = lowered.get(item);
    return kept === undefined ? item : { ...item, ...monthlyCost(kept) };
  });
}

/** The ordinary pay beside which it came: of the same payer by name, or in the place of a month's pay. Null: none. */
function payerOf({ source }: Made, certain: readonly Made[], snapshot: BudgetSnapshot): Made | null {
  const byName = certain.find(({ source: { part } }) => isSamePayer(part.payeeKey, source.part.payeeKey));
  if (byName !== undefined) return byName;
  const months = source.part.transactions
    .filter(({ document }) => isDayCovered(snapshot, document.transactionDate))
    .map(({ document }) => monthOf(document.transactionDate));
  return (
    certain.find(({ source: { part }, item }) => {
      if (item.categories[0] !== "INCOME_SALARY" || part.transactions.length === 0) return false;
      const paid = new Set(part.transactions.map(({ document }) => monthOf(document.transactionDate)));
      const first = monthOf(firstOf(part.transactions).document.transactionDate);
      return months.some((month) => month > first && !paid.has(month));
    }) ?? null
  );
}

/** What the three figures come to. */
export type IncomeSums = { certainMinor: number; irregularMinor: number };

export function incomeSums(items: readonly Item[]): IncomeSums {
  const of = (isOf: (item: Item) => boolean) =>
    sum(items.filter(isOf).map(({ paymentCostMonthlyMinor }) => paymentCostMonthlyMinor));
  return {
    certainMinor: of(({ income }) => income?.class !== "IRREGULAR"),
    irregularMinor: of(({ income }) => income?.class === "IRREGULAR"),
  };
}

/** Who paid in more than was paid to them, and is not counted on; people who give are among them. The largest first. */
export function uncountedPayersOf(
  categorised: readonly CategorisedPart[],
  budgeted: ReadonlySet<CategorisedPart>,
  snapshot: BudgetSnapshot,
): UncountedPayer[] {
  return categorised
    .filter(({ part }) => part.side === "INCOME" || part.standing === "PAYEE")
    .filter((one) => one.part.standing !== "ENDED" && !budgeted.has(one))
    .map(({ part }) => ({
      title: part.title,
      months: monthsSeen(part.transactions, snapshot),
      minor: sumOfLast(snapshot, byMonth(part.transactions, "INCOME", snapshot), monthsMax),
    }))
    .filter(({ minor }) => minor > 0)
    .toSorted((a, b) => b.minor - a.minor || (a.title < b.title ? -1 : 1));
}
