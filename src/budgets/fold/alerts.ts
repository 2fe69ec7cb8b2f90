/** Alerts: what an adviser should look at before the budget is trusted. One of each type at most. Pure. */
import type { Alert, AlertType, CategoryNode, Item, ReferenceCheck, Severity } from "../budget.ts";
import type { Language } from "../../texts/languages.ts";
import type { BudgetSnapshot } from "../engine/snapshot.ts";
import { amountText, budgetTexts, fill } from "./wording.ts";
import { effectiveOf } from "./nodes.ts";
import { namesOf, noted } from "./notes.ts";

export type AlertContext = {
  language: Language;
  currency: string;
  snapshot: BudgetSnapshot;
  categories: readonly CategoryNode[];
  items: readonly Item[];
  hasRegularIncome: boolean;
  /** The user's value, else the engine's. */
  categorizedMinor: number;
  targetMinor: number;
  totalMinor: number;
  totalUserProvidedMinor: number | null;
  reference: ReferenceCheck | null;
};

const severities: readonly Severity[] = ["LOW", "MEDIUM", "HIGH"];
/** A part of all expenses that does not belong to the household is worth a look. */
const unexpectedShare = 0.05;
const ownTransfersMin = 2;

export function alertsOf(context: AlertContext): Alert[] {
  const found = [
    targetNotMet(context),
    missingExpenses(context),
    unexpectedExpenses(context),
    groupedCategories(context),
    missingAccounts(context),
    referenceMismatch(context),
    userProvided(context),
  ];
  return found.filter((alert) => alert !== null);
}

function targetNotMet({ categorizedMinor, targetMinor, currency, language }: AlertContext): Alert | null {
  if (categorizedMinor >= targetMinor) return null;
  const texts = budgetTexts[language];
  const values = {
    amount: amountText(categorizedMinor, currency, language),
    target: amountText(targetMinor, currency, language),
  };
  return alert(
    "CATEGORIZATION_TARGET_NOT_MET",
    below(categorizedMinor / targetMinor, 0.5, 0.8),
    fill(texts.alerts.targetNotMet, values),
  );
}

/** Up to the first bound HIGH, up to the second MEDIUM. */
function below(ratio: number, high: number, medium: number): Severity {
  return ratio < high ? "HIGH" : ratio < medium ? "MEDIUM" : "LOW";
}

function missingExpenses({ categories, language }: AlertContext): Alert | null {
  const missing = noted(categories, "EXPECTED_NONEMPTY");
  if (missing.length === 0) return null;
  const text = fill(budgetTexts[language].alerts.missingExpenses, {
    categories: namesOf(
      missing.map(({ node }) => node.id),
      language,
    ),
  });
  return alert("MISSING_EXPENSES", worst(missing.map(({ note }) => note.severity)), text);
}

function worst(all: readonly Severity[]): Severity {
  return severities[Math.max(...all.map((one) => severities.indexOf(one)))] ?? "LOW";
}

function unexpectedExpenses({ categories, language, totalMinor }: AlertContext): Alert | null {
  const unexpected = noted(categories, "EXPECTED_EMPTY");
  if (unexpected.length === 0) return null;
  const amount = unexpected.reduce((sum, { node }) => sum + effectiveOf(node), 0);
  const text = fill(budgetTexts[language].alerts.unexpectedExpenses, {
    categories: namesOf(
      unexpected.map(({ node }) => node.id),
      language,
    ),
  });
  return alert("UNEXPECTED_EXPENSES", amount > unexpectedShare * totalMinor ? "MEDIUM" : "LOW", text);
}

function groupedCategories({ items, language }: AlertContext): Alert | null {
  const grouped = items.filter(({ categories }) => categories.length > 1);
  if (grouped.length === 0) return null;
  const ids = [...new Set(grouped.flatMap(({ categories }) => categories))];
  return alert(
    "GROUPED_CATEGORIES",
    "LOW",
    fill(budgetTexts[language].alerts.groupedCategories, { categories: namesOf(ids, language) }),
  );
}

function missingAccounts({ snapshot, language, hasRegularIncome }: AlertContext): Alert | null {
  const { alerts } = budgetTexts[language];
  const { signals, accounts } = snapshot;
  const found: [boolean, Severity, string][] = [
    [!hasRegularIncome, "HIGH", alerts.noIncome],
    [signals.cardBillsWithoutPurchases > 0, "MEDIUM", alerts.cardBills],
    [signals.ownTransfersElsewhere >= ownTransfersMin, "LOW", alerts.transfersElsewhere],
    [accounts.some(({ selectedStatus }) => selectedStatus === "UNDECIDED"), "LOW", alerts.undecidedAccounts],
  ];
  const holding = found.filter(([holds]) => holds);
  if (holding.length === 0) return null;
  return alert(
    "MISSING_ACCOUNTS",
    worst(holding.map(([, severity]) => severity)),
    holding.map(([, , text]) => text).join(" "),
  );
}

/** Of the reference, or of one of its categories: what is nearer to it is as good as it. */
const referenceReached = 0.85;

function referenceMismatch({ reference, currency, language }: AlertContext): Alert | null {
  if (reference === null || reference.coveredMinor >= referenceReached * reference.referenceMinor) return null;
  const texts = budgetTexts[language];
  const text =
    mismatchText(reference, currency, language) +
    (reference.isOlderThanTwelveMonths ? ` ${texts.alerts.referenceIsOld}` : "");
  return alert("REFERENCE_MISMATCH", below(reference.coveredMinor / reference.referenceMinor, 0.5, 0.7), text);
}

/** The figures that the summary prints. A table by category names those that are short. */
function mismatchText(
  { byCategory, isOfChildren, budgetMinor, coveredMinor, referenceMinor, source }: ReferenceCheck,
  currency: string,
  language: Language,
): string {
  const { alerts } = budgetTexts[language];
  const short = byCategory.filter((one) => one.budgetMinor < referenceReached * one.referenceMinor);
  const isByCategory = short.length > 0;
  const values = {
    amount: amountText(isByCategory ? coveredMinor : budgetMinor, currency, language),
    reference: amountText(referenceMinor, currency, language),
    source,
    categories: namesOf(
      short.map(({ id }) => id),
      language,
    ),
  };
  return fill(
    isByCategory ? alerts.referenceByCategory : isOfChildren ? alerts.referenceOfChildren : alerts.reference,
    values,
  );
}

function userProvided({ totalMinor, totalUserProvidedMinor, currency, language }: AlertContext): Alert | null {
  if (totalUserProvidedMinor === null) return null;
  const texts = budgetTexts[language];
  const values = {
    amount: amountText(totalUserProvidedMinor, currency, language),
    engine: amountText(totalMinor, currency, language),
  };
  return alert(
    "USER_PROVIDED_EXPENSES",
    totalMinor === 0 ? "LOW" : below(totalUserProvidedMinor / totalMinor, 0.75, 0.9),
    fill(texts.alerts.userProvided, values),
  );
}

function alert(type: AlertType, severity: Severity, message: string): Alert {
  return { type, severity, message };
}
