/** Section 4: where the money comes from, and how steadily. */
import type { Item } from "../../budgets/budget.ts";
import type { Row, Section } from "../document/blocks.ts";
import { itemsOf, sumOf, variationOf } from "./figures.ts";
import { type BudgetReport, figures, fill, lastPaymentCell, row, type Writing } from "./writing.ts";

export function income({ budget }: BudgetReport, writing: Writing): Section {
  const {
    texts: { income: texts, columns },
  } = writing;
  const section = (...blocks: Section["blocks"]): Section => ({ kind: "section", title: texts.title, blocks });
  if (budget.income === null) return section({ kind: "paragraph", text: texts.off });
  const items = itemsOf(budget.income);
  if (items.length === 0 && budget.totalMonthlyIncomeUserProvidedMinor === null)
    return section({ kind: "paragraph", text: texts.none });
  const rows = [
    ...items.map(({ item, leaf }) => incomeRow(item, leaf.name, budget, writing)),
    ...totals(
      budget,
      items.map(({ item }) => item),
      writing,
    ),
  ];
  return section(
    {
      kind: "table",
      summary: texts.title,
      rows,
      columns: [
        { title: columns.payer, weight: 3 },
        { title: columns.frequency },
        figures(columns.seen),
        figures(columns.monthly),
        figures(columns.three),
        figures(columns.twelve),
        { title: columns.last },
        figures(texts.variation),
      ],
    },
    { kind: "paragraph", tone: "small", text: texts.explained },
  );
}

function incomeRow(
  item: Item,
  category: string,
  { asOf, coveredMonths }: BudgetReport["budget"],
  writing: Writing,
): Row {
  const { texts, formats, shared, amount } = writing;
  const variation = variationOf(item, asOf);
  return row(
    "data",
    { text: item.title, detail: category },
    writing.frequency(item),
    fill(texts.months, { covered: formats.count(item.monthsSeen), count: formats.count(coveredMonths) }),
    amount(item.paymentCostMonthlyMinor),
    amount(item.averageLastThreeMonthsMinor),
    amount(item.averageLastTwelveMonthsMinor),
    lastPaymentCell(item, writing),
    variation === null ? shared.none : formats.percent(variation),
  );
}

function totals(budget: BudgetReport["budget"], items: readonly Item[], { texts, amount }: Writing): Row[] {
  const averages = [
    sumOf(items.map((item) => item.averageLastThreeMonthsMinor)),
    sumOf(items.map((item) => item.averageLastTwelveMonthsMinor)),
  ].map(amount);
  const given = budget.totalMonthlyIncomeUserProvidedMinor;
  return [
    row("total", texts.total, "", "", amount(budget.totalMonthlyIncomeMinor), ...averages, "", ""),
    ...(given === null ? [] : [row("total", texts.income.totalUser, "", "", amount(given), "", "", "", "")]),
  ];
}
