/**
 * What debts would cost at the rate that a country's rules ask for, and what they leave, all of what somebody gave: no
 * account knows a remaining debt. Pure.
 *
 * | country | rule | source |
 * | --- | --- | --- |
 * | Norway | three points more than the rate, and seven per cent at least | utlånsforskriften (FOR-2020-12-09-2648) § 5, so since 2023-01-01 |
 * | Denmark | what is available after fixed expenses and payments (rådighedsbeløb); no higher rate | kreditaftaleloven § 7 c, and the guidance of Finanstilsynet and the Consumer Ombudsman of 2025-11-26 |
 * | Sweden | what is left to live on (KALP) at a rate that each bank sets and the adviser gives | konsumentkreditlagen (2010:1846) 12 § |
 */
import type { CategoryNode, EnteredDebt, ReferenceCheck, StressedDebts, StressRule } from "../../budget.ts";
import { findCategory } from "../../../categories/tree.ts";
import { isLoan } from "../../kinds.ts";
import { monthsMax, sum } from "../../window.ts";
import { type CostPart, effectiveParts } from "../cost-types.ts";

export type StressContext = {
  country: string;
  debts: readonly EnteredDebt[];
  /** Hundredths of a per cent; null: none was given. */
  calculationRateHundredths: number | null;
  /** A month, by the user's values where there are any. */
  incomeMinor: number;
  categories: readonly CategoryNode[];
  reference: ReferenceCheck | null;
};

/** Hundredths of a per cent. */
const rules: Readonly<Record<StressRule, { more: number; least: number }>> = {
  NO: { more: 300, least: 700 },
  DK: { more: 0, least: 0 },
  SE: { more: 0, least: 0 },
};

function isRule(country: string): country is StressRule {
  return Object.hasOwn(rules, country);
}

/** Null: nobody gave the debts. */
export function stressedDebts(context: StressContext): StressedDebts | null {
  const { debts, country, calculationRateHundredths, incomeMinor } = context;
  if (debts.length === 0) return null;
  const rule = isRule(country) ? country : null;
  const lines = debts.map((debt) => {
    const { remainingMinor, rateHundredths, termMonths } = debt;
    const stressedRateHundredths = stressedRate(rateHundredths, rule, calculationRateHundredths);
    return {
      ...debt,
      monthlyMinor: annuityOf(remainingMinor, rateHundredths, termMonths),
      stressedRateHundredths,
      stressedMinor: annuityOf(remainingMinor, stressedRateHundredths, termMonths),
    };
  });
  const total = (of: (line: (typeof lines)[number]) => number): number => sum(lines.map(of));
  const stressedMinor = total((line) => line.stressedMinor);
  const remainingMinor = total((line) => line.remainingMinor);
  return {
    debts: lines,
    rule,
    calculationRateHundredths,
    remainingMinor,
    monthlyMinor: total((line) => line.monthlyMinor),
    stressedMinor,
    isStressed: lines.some((line) => line.stressedRateHundredths > line.rateHundredths),
    debtToIncome: incomeMinor > 0 ? remainingMinor / (incomeMinor * monthsMax) : null,
    ...leftAfter(stressedMinor, context),
  };
}

function stressedRate(rateHundredths: number, rule: StressRule | null, calculationRate: number | null): number {
  const { more, least } = rule === null ? { more: 0, least: 0 } : rules[rule];
  return Math.max(rateHundredths + more, least, calculationRate ?? 0);
}

/**
 * With the payments in the place of what goes to lenders now. Where a table of the whole household's living costs is
 * known, what it covers counts with its amount in the last figure, and savings do not count.
 */
function leftAfter(
  paidMinor: number,
  { incomeMinor, categories, reference }: StressContext,
): Pick<StressedDebts, "leftMinor" | "availableMinor" | "minimum"> {
  const others = effectiveParts(categories).filter(({ id }) => !isServedCategory(id));
  const sumOf = (counts: (part: CostPart) => boolean): number => sum(others.filter(counts).map(({ minor }) => minor));
  const before = incomeMinor - paidMinor;
  return {
    leftMinor: before - sumOf(() => true),
    availableMinor: before - sumOf(({ type }) => type === "FIXED" || type === "FINANCIAL"),
    minimum:
      reference === null || reference.isOfChildren
        ? null
        : {
            referenceMinor: reference.referenceMinor,
            source: reference.source,
            validFrom: reference.validFrom,
            isOlderThanTwelveMonths: reference.isOlderThanTwelveMonths,
            leftMinor:
              before - sumOf(({ type }) => type !== "SAVINGS") + reference.budgetMinor - reference.referenceMinor,
          },
  };
}

/** What is paid to lenders: loans, cards, pay-later and collection. */
export function isServedCategory(id: string): boolean {
  return isLoan(id) || id === "DEBT" || findCategory(id)?.parent === "DEBT";
}

/** Interest and instalment of a month, alike in all months. Rounded half up. @param rateHundredths a year's, of a per cent */
export function annuityOf(remainingMinor: number, rateHundredths: number, termMonths: number): number {
  const rate = rateHundredths / 10_000 / 12;
  const factor = rate === 0 ? 1 / termMonths : rate / (1 - (1 + rate) ** -termMonths);
  return Math.round(remainingMinor * factor);
}
