/** Section 2: the budget on one page. */
import type { Alert, FoldedBudget, Severity } from "../../budgets/budget.ts";
import type { Figures, Row, Section } from "../document/blocks.ts";
import {
  costTypes,
  effectiveStanding,
  engineStanding,
  hasSharedValue,
  referenceMargin,
  type Standing,
  sumOf,
} from "./figures.ts";
import { comparisonBlocks, moneyBlocks } from "./money.ts";
import { type BudgetReport, figures, fill, row, tableOr, type Writing } from "./writing.ts";

const severities: readonly Severity[] = ["HIGH", "MEDIUM", "LOW"];

export function summary({ budget }: BudgetReport, writing: Writing): Section {
  const {
    texts: { summary: texts, columns },
    currency,
  } = writing;
  const [engine, effective] = [engineStanding(budget), effectiveStanding(budget)];
  return {
    kind: "section",
    title: texts.title,
    startsPage: true,
    blocks: [
      { kind: "paragraph", text: fill(hasValues(budget) ? texts.introValues : texts.intro, { currency }) },
      keyFigures(budget, engine, effective, writing),
      ...comparisonBlocks(budget, writing),
      {
        kind: "table",
        summary: texts.title,
        columns: [
          { title: texts.line },
          figures(columns.budget),
          ...(hasValues(budget) ? [figures(columns.user)] : []),
        ],
        rows: lines(budget, hasValues(budget) ? [engine, effective] : [engine], writing),
      },
      ...moneyBlocks(budget, writing),
      { kind: "paragraph", tone: "small", text: explanations(budget, writing).join(" ") },
      { kind: "heading", text: texts.alerts },
      tableOr(
        texts.noAlerts,
        texts.alerts,
        [{ title: texts.severity }, { title: texts.message, weight: 6 }],
        alertRows(budget.alerts, writing),
      ),
    ],
  };
}

function keyFigures(
  budget: FoldedBudget,
  engine: Standing,
  effective: Standing,
  { texts: { summary: texts }, money }: Writing,
): Figures {
  const figure = (label: string, value: number, own: number) => ({
    label,
    value: money(value),
    ...(value === own ? {} : { detail: fill(texts.engineValue, { amount: money(own) }) }),
  });
  const { reference } = budget;
  const ofReference = reference === null ? [] : [{ label: texts.reference, value: money(reference.referenceMinor) }];
  const expenses = figure(texts.expenses, effective.categorizedMinor, engine.categorizedMinor);
  if (budget.income === null) return { kind: "figures", figures: [expenses, ...ofReference] };
  const margin = referenceMargin(budget, effective);
  return {
    kind: "figures",
    figures: [
      figure(texts.income, effective.incomeMinor, engine.incomeMinor),
      expenses,
      figure(texts.disposable, effective.disposableMinor, engine.disposableMinor),
      figure(texts.available, effective.availableMinor, engine.availableMinor),
      ...ofReference,
      ...(margin === null ? [] : [{ label: texts.margin, value: money(margin) }]),
    ],
  };
}

/** Whether anything was given that changes a figure; without it one column says all. */
function hasValues({ amountCategorizedUserProvidedMinor, totalMonthlyIncomeUserProvidedMinor }: FoldedBudget): boolean {
  return amountCategorizedUserProvidedMinor !== null || totalMonthlyIncomeUserProvidedMinor !== null;
}

function lines(
  budget: FoldedBudget,
  standings: readonly Standing[],
  { texts: { summary: texts }, amount }: Writing,
): Row[] {
  const line = (kind: Row["kind"], label: string, of: (standing: Standing) => number) =>
    row(kind, label, ...standings.map((standing) => amount(of(standing))));
  const uncategorized = sumOf(budget.uncategorized.map(({ paymentCostMonthlyMinor }) => paymentCostMonthlyMinor));
  const hasIncome = budget.income !== null;
  return [
    ...(hasIncome ? [line("data", texts.income, ({ incomeMinor }) => incomeMinor)] : []),
    ...costTypes.map((type) => line("data", texts.costType[type], ({ byCostType }) => byCostType[type])),
    line("total", texts.expenses, ({ categorizedMinor }) => categorizedMinor),
    ...(hasIncome
      ? [
          line("total", texts.disposable, ({ disposableMinor }) => disposableMinor),
          line("total", texts.available, ({ availableMinor }) => availableMinor),
        ]
      : []),
    line("data", texts.uncategorized, () => uncategorized),
  ];
}

function explanations(
  { income, reference, categories }: FoldedBudget,
  { texts: { summary: texts, method }, pages, money }: Writing,
): string[] {
  const ofReference =
    reference === null
      ? texts.noReference
      : fill(reference.isOfChildren ? texts.referenceOfChildren : texts.referenceExplained, {
          reference: money(reference.referenceMinor),
          source: reference.source,
          budget: money(reference.budgetMinor),
        });
  return [
    ...(income === null ? [] : [texts.explained]),
    ...(hasSharedValue(categories) ? [texts.shared] : []),
    ...(income === null && reference !== null ? [] : [ofReference]),
    ...(reference?.isOlderThanTwelveMonths ? [method.referenceOld] : []),
    ...(reference?.isHouseholdAssumed ? [pages.assumed] : []),
  ];
}

/** The weightiest first; of equal weight in the budget's order. */
function alertRows(alerts: readonly Alert[], { texts }: Writing): Row[] {
  const ordered = alerts.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  return ordered.map(({ severity, message }) => row("data", texts.severity[severity], message));
}
