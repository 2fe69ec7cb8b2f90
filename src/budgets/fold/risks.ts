/** Risk indicators. Both are always told, with the evidence or with what was looked for. Pure. */
import { addMonths } from "../../time/calendar.ts";
import type { ReferenceCheck, RiskIndicator } from "../budget.ts";
import type { Language } from "../../texts/languages.ts";
import type { BudgetSnapshot, PartTransaction } from "../engine/snapshot.ts";
import { amountText, budgetTexts, fill } from "./wording.ts";
import type { CategorisedPart } from "./categorised-parts.ts";

export type RiskContext = {
  language: Language;
  currency: string;
  snapshot: BudgetSnapshot | null;
  categorised: readonly CategorisedPart[];
  incomeMinor: number;
  disposableMinor: number;
  /** Inflow less outflow a month, over the twelve months. */
  surplusMinor: number;
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

function excessiveDisposableIncome({
  language,
  currency,
  incomeMinor,
  disposableMinor,
  surplusMinor,
  reference,
  snapshot,
}: RiskContext): RiskIndicator {
  const texts = budgetTexts[language];
  const isHigh = disposableMinor > disposableShareMax * incomeMinor || isMoreThanNeeded(disposableMinor, reference);
  const isMarked = snapshot !== null && disposableMinor > 0 && isHigh && surplusMinor < borneOutMin * disposableMinor;
  const values = {
    amount: amountText(disposableMinor, currency, language),
    observed: amountText(surplusMinor, currency, language),
  };
  const description = isMarked ? fill(texts.risks.excessive, values) : texts.risks.notExcessive;
  return {
    type: "EXCESSIVE_DISPOSABLE_INCOME",
    isMarked,
    title: texts.risks.excessiveTitle,
    description,
    evidence: [],
  };
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
  const texts = budgetTexts[language];
  const paid =
    snapshot === null
      ? []
      : categorised
          .filter(isCollection)
          .flatMap(({ part }) => part.transactions)
          .filter((one) => one.minor < 0 && isRecent(one, snapshot));
  const evidence = paid.toSorted((a, b) =>
    a.document.transactionDate + a.txid < b.document.transactionDate + b.txid ? -1 : 1,
  );
  const amount = evidence.reduce((sum, { minor }) => sum - minor, 0);
  const description =
    evidence.length === 0
      ? texts.risks.noDebtCollection
      : fill(texts.risks.debtCollection, {
          count: String(evidence.length),
          amount: amountText(amount, currency, language),
        });
  return {
    type: "DEBT_COLLECTION",
    isMarked: evidence.length > 0,
    title: texts.risks.debtCollectionTitle,
    description,
    evidence: evidence.map(({ document }) => document),
  };
}

/** The engine's word counts: an answer that moves the payment does not unmark it. */
function isCollection({ part, categories }: CategorisedPart): boolean {
  return part.categoryId === "DEBT_COLLECTION" || categories.some(({ id }) => id === "DEBT_COLLECTION");
}

/** Of the year to the business day, which is what its text says: a monthly payment comes twelve times in it. */
function isRecent({ document }: PartTransaction, { asOf }: BudgetSnapshot): boolean {
  return document.transactionDate > addMonths(asOf, -12);
}
