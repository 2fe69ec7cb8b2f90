/**
 * Section 13: how the figures came about, what they stand on, what they cannot tell, and what the customer may ask for.
 */
import type { FoldedBudget } from "../../budgets/budget.ts";
import type { Section } from "../document/blocks.ts";
import { type Blocks, type BudgetReport, figures, fill, row, type Writing } from "./writing.ts";

export function method({ budget }: BudgetReport, writing: Writing): Section {
  const {
    texts: { method: texts },
    formats,
    shared,
  } = writing;
  const gaps = gapsOf(budget, writing);
  return {
    kind: "section",
    title: texts.title,
    blocks: [
      {
        kind: "paragraph",
        text: fill(texts.rules, { ...versionsOf(budget, shared.none), day: formats.longDay(budget.asOf) }),
      },
      { kind: "paragraph", text: texts.recognised },
      { kind: "paragraph", text: texts.averages },
      { kind: "paragraph", text: referenceOf(budget, writing) },
      ...referenceTable(budget, writing),
      { kind: "heading", text: texts.gaps },
      { kind: "list", items: [...(gaps.length === 0 ? [texts.noGaps] : gaps), texts.outside] },
      { kind: "heading", text: texts.rights },
      { kind: "paragraph", text: texts.review },
    ],
  };
}

/** "budget-7, categories 2026-11": as version.ts writes it. */
function versionsOf({ rulesVersion }: FoldedBudget, none: string): { rules: string; tree: string } {
  const [rules = none, tree = none] = rulesVersion?.split(", categories ") ?? [];
  return { rules, tree };
}

function referenceOf({ reference }: FoldedBudget, { texts: { method: texts, checked }, formats }: Writing): string {
  if (reference === null) return texts.noReference;
  const sentence = fill(texts.referenceSet, {
    source: reference.source,
    from: formats.longDay(reference.validFrom),
    checked: reference.checked.startsWith("VERIFIED") ? checked.VERIFIED : checked.OTHER,
    adults: formats.count(reference.adults),
    children: formats.count(reference.children),
  });
  return reference.isOlderThanTwelveMonths ? `${sentence} ${texts.referenceOld}` : sentence;
}

/** Where the table has an amount for each category, the household is compared category by category. */
function referenceTable({ reference }: FoldedBudget, { texts, categoryName, amount }: Writing): Blocks {
  if (reference === null || reference.byCategory.length === 0) return [];
  const {
    method: { byCategory },
    columns,
    summary,
    total,
  } = texts;
  const rows = reference.byCategory.map(({ id, budgetMinor, referenceMinor }) =>
    row("data", categoryName(id), amount(budgetMinor), amount(referenceMinor)),
  );
  return [
    { kind: "heading", text: byCategory },
    {
      kind: "table",
      summary: byCategory,
      columns: [{ title: columns.category, weight: 3 }, figures(columns.budget), figures(summary.reference)],
      rows: [...rows, row("total", total, amount(reference.budgetMinor), amount(reference.referenceMinor))],
    },
  ];
}

function gapsOf(
  { months, unconvertedTransactions, accounts }: FoldedBudget,
  { texts: { method: texts }, formats }: Writing,
): string[] {
  const missing = months.filter(({ covered }) => !covered).map(({ month }) => formats.month(month));
  const out = accounts.filter(({ selectedStatus }) => selectedStatus !== "SELECTED").length;
  return [
    ...(missing.length === 0 ? [] : [fill(texts.monthsMissing, { months: missing.join(", ") })]),
    ...(unconvertedTransactions === 0
      ? []
      : [fill(texts.unconverted, { count: formats.count(unconvertedTransactions) })]),
    ...(out === 0 ? [] : [fill(texts.accountsOut, { count: formats.count(out) })]),
  ];
}
