/** What money that came in was: pay, pension, benefits, a refund, or nothing that can be counted on. */
import type { Candidate } from "./candidate.ts";
import { merchantOf } from "../payments/merchant.ts";
import { findKeyword, hasMark, isInside, tellingWords, wordsOf } from "./keywords.ts";
import type { Line } from "./line.ts";
import { findPayer, longer, type MerchantHit, withoutName } from "./merchants.ts";
import { firstOf } from "../present.ts";
import { groupOf } from "./tree.ts";

/** A refund follows its purchase by at most so many days. */
const refundDaysMax = 120;
/** What people send each other is income when it comes in so many of the last twelve months. */
const regularMonthsMin = 6;
/** Shorter names of payers are also names of people. */
const payerLettersMin = 8;
const yearDays = 365;
/** Of the usual pay; what pays less is a side income of any kind. */
const secondPayShareMin = 0.1;
/** Of whom nothing is known: nobody but an employer pays so much month by month. */
const unknownPayShareMin = 0.5;
const confidences = { type: 0.95, refund: 0.85, people: 0.7, largest: 0.65, regular: 0.6 } as const;

const byType: readonly (readonly [RegExp, string])[] = [
  [/SALARY|WAGE|PAYROLL/, "INCOME_SALARY"],
  [/INTEREST|DIVIDEND/, "INCOME_CAPITAL"],
  [/PENSION/, "INCOME_PENSION_PRIVATE"],
];
const refundTypes = /CARD|PURCHASE|REFUND|POS/;
/** Types that say who pays for what; the words of the text say it more closely. */
const closerBy: Readonly<Record<string, ReadonlySet<string>>> = {
  INCOME_SALARY: new Set(["INCOME_BONUS_HOLIDAY"]),
  INCOME_PENSION_PRIVATE: new Set(["INCOME_PENSION_STATE"]),
};

export type IncomeContext = {
  /** Day numbers of the payments that money left in, with their categories, by payee key; oldest first. */
  purchases: ReadonlyMap<string, readonly { at: number; categoryId: string | null }[]>;
  /** Payees that paid in at least six of the last twelve months. */
  regularPayers: ReadonlySet<string>;
  /** Amounts of cash that were put in, in as many months. */
  regularDeposits: ReadonlySet<string>;
};

export function incomeCandidates(
  line: Line,
  { purchases, regularPayers, regularDeposits }: IncomeContext,
): Candidate[] {
  const payer = payerOf(line);
  const byName = payer === null ? [] : [payerCandidate(payer, line)];
  const told = [...typeCandidate(line), ...byName, ...keywordCandidate(line)];
  const refund = line.isBetweenPeople ? [] : refundCandidate(line, purchases);
  const isReversal = refundTypes.test(line.row.rawType.toUpperCase());
  const isPayer = payer !== null && payer.letters >= payerLettersMin;
  if (line.isBetweenPeople)
    return [...told.filter(({ rule }) => isPayer || rule !== "MERCHANT"), ...peopleCandidate(line, regularPayers)];
  return [...(isReversal ? [...refund, ...told] : [...told, ...refund]), ...regularCandidate(line, regularDeposits)];
}

/** By payee key: who is regular by the calendar, whatever recognition makes of the amounts. */
export function regularPayersOf(lines: readonly Line[], asOf: number): ReadonlySet<string> {
  return regularOf(lines, asOf, ({ payeeKey }) => payeeKey);
}

/** Cash has no payer: what is put in month by month to the last unit, as pay in cash is, is told by its amount. */
export function regularDepositsOf(lines: readonly Line[], asOf: number): ReadonlySet<string> {
  return regularOf(
    lines.filter(({ kind }) => kind === "CASH"),
    asOf,
    depositOf,
  );
}

function depositOf({ row }: Line): string {
  return `${row.currency} ${row.amountMinor}`;
}

/** What came in so many of the last twelve months. */
function regularOf(lines: readonly Line[], asOf: number, keyOf: (line: Line) => string): ReadonlySet<string> {
  const months = new Map<string, Set<string>>();
  for (const line of lines) {
    const { row, at } = line;
    if (row.amountMinor <= 0 || at <= asOf - yearDays || at > asOf) continue;
    const key = keyOf(line);
    const own = months.get(key);
    if (own === undefined) months.set(key, new Set([row.day.slice(0, 7)]));
    else own.add(row.day.slice(0, 7));
  }
  return new Set([...months].filter(([, own]) => own.size >= regularMonthsMin).map(([key]) => key));
}

/**
 * Whose payments are pay though nothing says so: who pays most of what comes in regularly, where no other pay or pension
 * is known; and companies and authorities that pay regularly and not too little beside what is known.
 * @param known what was decided, line by line
 */
export function employersOf(
  undecided: readonly Line[],
  known: ReadonlyMap<Line, { categoryId: string | null }>,
): ReadonlySet<string> {
  const payers = [...Map.groupBy(undecided.filter(mayBePay), ({ payeeKey }) => payeeKey)]
    .map(([key, lines]) => ({ key, lines, sum: sumOf(lines) }))
    .sort((a, b) => b.sum - a.sum || (a.key < b.key ? -1 : 1));
  const pay = [...known].filter(([, { categoryId }]) => isPay(categoryId)).map(([line]) => line.row.amountMinor);
  const usual = Math.max(0, ...pay, ...payers.map(({ lines, sum }) => sum / lines.length));
  return new Set(
    payers
      .filter(({ lines, sum }, at) => {
        const isFirst = at === 0 && pay.length === 0;
        const { who } = firstOf(lines);
        const least = who === "COMPANY" ? secondPayShareMin : unknownPayShareMin;
        return isFirst || (who !== "PERSON" && sum / lines.length >= least * usual);
      })
      .map(({ key }) => key),
  );
}

function mayBePay({ series, isBetweenPeople, kind, telling }: Line): boolean {
  return (
    series?.direction === "IN" &&
    payFrequencies.has(series.paymentFrequency) &&
    !isBetweenPeople &&
    kind !== "CASH" &&
    !hasMark(telling, "windfall")
  );
}

function isPay(categoryId: string | null): boolean {
  return categoryId === "INCOME_SALARY" || categoryId?.startsWith("INCOME_PENSION") === true;
}

function sumOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { row }) => sum + row.amountMinor, 0);
}

const payFrequencies: ReadonlySet<string> = new Set(["WEEKLY", "BIWEEKLY", "MONTHLY"]);

export function employerCandidate(): Candidate {
  return { categoryId: "INCOME_SALARY", rule: "REGULAR", confidence: confidences.largest };
}

function typeCandidate({ row, telling, countries }: Line): Candidate[] {
  const name = row.rawType.toUpperCase();
  const [, categoryId] = byType.find(([pattern]) => pattern.test(name)) ?? [];
  if (categoryId === undefined) return [];
  const keyword = findKeyword(telling, "IN", countries)?.categoryId;
  const closer = keyword !== undefined && closerBy[categoryId]?.has(keyword) === true;
  return [{ categoryId: closer ? keyword : categoryId, rule: "TYPE", confidence: confidences.type }];
}

/** The words of a line say which benefit of an authority it is; its name alone says only the usual one. */
function payerCandidate(payer: MerchantHit, { telling, countries, isLong }: Line): Candidate {
  const beside = withoutName(tellingWords(telling), payer.name) ?? telling;
  const keyword = beside === "" ? null : findKeyword(beside, "IN", countries, isLong);
  const isSure = keyword !== null && keyword.confidence >= confidences.regular;
  return {
    categoryId: isSure ? saidOf(payer, keyword.categoryId, telling) : payer.categoryId,
    rule: "MERCHANT",
    confidence: payer.confidence,
  };
}

function payerOf({ merchant, reading, telling, countries }: Line): MerchantHit | null {
  const hit = longer(findPayer(merchant.key, countries), findPayer(merchantOf(null, reading.name).key, countries));
  const keyword = hit === null ? null : findKeyword(telling, "IN", countries);
  return hit !== null && keyword !== null && isInside(hit.name, keyword) ? null : hit;
}

/** What authorities are known by that pay every benefit. */
const anyBenefit = "INCOME_BENEFIT_SOCIAL";

/**
 * Of an authority any benefit may come, and a pension of an authority is the state's; of others the longer name
 * decides.
 */
function saidOf(payer: MerchantHit, keyword: string, text: string): string {
  const isAuthority = groupOf(payer.categoryId) === "INCOME_BENEFITS" || payer.categoryId === "INCOME_PENSION_STATE";
  // A benefit that is named by itself stays one beside the name of who pays it.
  if (groupOf(payer.categoryId) === "INCOME_BENEFITS" && payer.categoryId !== anyBenefit && isPay(keyword))
    return payer.categoryId;
  if (isAuthority && keyword === "INCOME_PENSION_PRIVATE") return "INCOME_PENSION_STATE";
  if (isAuthority && groupOf(keyword) === "INCOME_BENEFITS") return keyword;
  const isAlone = payer.letters < wordsOf(text).join(" ").length / 2;
  return isAlone ? keyword : payer.categoryId;
}

function keywordCandidate({ telling, countries, kind }: Line): Candidate[] {
  const keyword = kind === "CARD" || kind === "CASH" ? null : findKeyword(telling, "IN", countries);
  return keyword === null ? [] : [{ ...keyword, rule: "TEXT" }];
}

function refundCandidate({ payeeKey, at }: Line, purchases: IncomeContext["purchases"]): Candidate[] {
  const earlier = purchases
    .get(payeeKey)
    ?.findLast((purchase) => purchase.at <= at && at - purchase.at <= refundDaysMax);
  return earlier?.categoryId == null
    ? []
    : [{ categoryId: earlier.categoryId, rule: "REFUND", confidence: confidences.refund }];
}

/** Shares of a dinner lower what was sent to people; what comes most months is lived on. */
function peopleCandidate({ payeeKey }: Line, regularPayers: ReadonlySet<string>): Candidate[] {
  const categoryId = regularPayers.has(payeeKey) ? "INCOME_UNSPECIFIED" : "OTHER_TRANSFERS";
  return [{ categoryId, rule: categoryId === "OTHER_TRANSFERS" ? "TYPE" : "REGULAR", confidence: confidences.people }];
}

function regularCandidate(line: Line, regularDeposits: ReadonlySet<string>): Candidate[] {
  const isRegular = line.kind === "CASH" ? regularDeposits.has(depositOf(line)) : line.series?.direction === "IN";
  return isRegular ? [{ categoryId: "INCOME_UNSPECIFIED", rule: "REGULAR", confidence: confidences.regular }] : [];
}
