/** Risk indicators. Both are always told, with the evidence or with what was looked for. Pure. */
import type { Comparison, ReferenceCheck, RiskIndicator } from "../budget.ts";
import type { Language } from "../../texts/languages.ts";
import type { BudgetSnapshot } from "../engine/snapshot.ts";
import { evidenceOf, isEmpty, noEvidence } from "./credit/evidence.ts";
import { amountText, exactText, budgetTexts, counted, fill } from "./wording.ts";
import type { CategorisedPart } from "./categorised-parts.ts";
import { monthsMax } from "../window.ts";

export type RiskContext = {
  language: Language;
  currency: string;
  snapshot: BudgetSnapshot | null;
  categorised: readonly CategorisedPart[];
  incomeMinor: number;
  /** Null without data. */
  comparison: Comparison | null;
  reference: ReferenceCheck | null;
};

/** More than so much of the income left over is more than nearly every household has. */
const disposableShareMax = 0.5;
const disposableReferencesMax = 2.5;
/** The account must bear out at least this part of what the budget says is left. */
const borneOutMin = 0.5;

export function riskIndicatorsOf(context: RiskContext): RiskIndicator[] {
  return [excessiveDisposableIncome(context), debtCollection(context)];
}

/** What is told of the last twelve months, and so of no more of them than the accounts' data cover. */
const ofTwelveMonths: ReadonlySet<string> = new Set([
  "DEBT_COLLECTION",
  "NEW_CREDIT",
  "PAY_LATER",
  "GAMBLING",
  "OVERDRAFT",
  "REJECTED_PAYMENTS",
]);

/** Where less than twelve months are known, it is said: that nothing was found there says nothing of the others. */
export function withCoverage<Indicator extends { type: string; description: string }>(
  indicators: readonly Indicator[],
  { language, snapshot }: Pick<RiskContext, "language" | "snapshot">,
): Indicator[] {
  const covered = snapshot?.covered ?? 0;
  if (covered >= monthsMax) return [...indicators];
  const sentence = fill(budgetTexts[language].risks.coverage, { covered: counted(language, covered) });
  return indicators.map((one) =>
    ofTwelveMonths.has(one.type) ? { ...one, description: `${one.description} ${sentence}` } : one,
  );
}

function excessiveDisposableIncome(context: RiskContext): RiskIndicator {
  const { language, incomeMinor, comparison, reference } = context;
  const { risks } = budgetTexts[language];
  const { budgetMinor = 0, accountsMinor = 0 } = comparison ?? {};
  const isHigh = budgetMinor > disposableShareMax * incomeMinor || isMoreThanNeeded(budgetMinor, reference);
  const isMarked = comparison !== null && budgetMinor > 0 && isHigh && accountsMinor < borneOutMin * budgetMinor;
  return {
    type: "EXCESSIVE_DISPOSABLE_INCOME",
    isMarked,
    title: risks.excessiveTitle,
    description: comparisonText(comparison, context),
    evidence: [],
  };
}

/** Says what the figures say, whether the indicator is marked or not. */
export function comparisonText(
  comparison: Comparison | null,
  { language, currency }: Pick<RiskContext, "language" | "currency">,
): string {
  const { risks } = budgetTexts[language];
  if (comparison === null || comparison.verdict === "UNKNOWN") return risks.notComparable;
  const { verdict, budgetMinor, accountsMinor, incomeMinor, expensesMinor, oneOffMinor } = comparison;
  const amount = (minor: number): string => exactText(minor, currency, language);
  const signed = (minor: number): string => (minor > 0 ? "+" : "") + amount(minor);
  const values = { amount: amount(budgetMinor), observed: amount(accountsMinor) };
  if (verdict === "AGREES") return fill(risks.agrees, values);
  const terms = { income: signed(incomeMinor), expenses: signed(expensesMinor), once: signed(oneOffMinor) };
  const difference = amount(Math.abs(budgetMinor - accountsMinor));
  return fill(verdict === "BETTER" ? risks.better : risks.worse, { ...values, ...terms, difference });
}

/** What children cost is no measure of what a household has left. */
function isMoreThanNeeded(disposableMinor: number, reference: ReferenceCheck | null): boolean {
  return (
    reference !== null &&
    !reference.isOfChildren &&
    disposableMinor > disposableReferencesMax * reference.referenceMinor
  );
}

function debtCollection({ language, currency, snapshot, categorised }: RiskContext): RiskIndicator {
  const { risks } = budgetTexts[language];
  const paid =
    snapshot === null
      ? noEvidence
      : evidenceOf(
          categorised
            .filter(isCollection)
            .flatMap(({ part }) => part.transactions)
            .filter(({ minor }) => minor < 0),
          snapshot,
        );
  const told = (text: string, count: number, minor: number): string =>
    fill(text, { count: counted(language, count), amount: amountText(minor, currency, language) });
  const sentences = [
    paid.count === 0 ? risks.noDebtCollection : told(risks.debtCollection, paid.count, paid.minor),
    ...(paid.sinceCount === 0 ? [] : [told(risks.debtCollectionSince, paid.sinceCount, paid.sinceMinor)]),
  ];
  return {
    type: "DEBT_COLLECTION",
    isMarked: !isEmpty(paid),
    title: risks.debtCollectionTitle,
    description: sentences.join(" "),
    evidence: paid.transactions,
  };
}

/** The engine's word counts: an answer that moves the payment does not unmark it. */
function isCollection({ part, categories }: CategorisedPart): boolean {
  return part.categoryId === "DEBT_COLLECTION" || categories.some(({ id }) => id === "DEBT_COLLECTION");
}
