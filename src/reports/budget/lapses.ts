/** What is due and was not seen, and what recurs no more. */
import type { Row, Section } from "../document/blocks.ts";
import { itemsOf } from "./figures.ts";
import { isNamed } from "./special.ts";
import { type BudgetReport, figures, lastPaymentCell, row, tableOr, type Writing } from "./writing.ts";

export function lapses(report: BudgetReport, writing: Writing): Section {
  const {
    pages: { overdue: texts, stopped },
    texts: { columns },
  } = writing;
  const rows = overdueRows(report, writing);
  return {
    kind: "section",
    title: texts.title,
    blocks: [
      ...(rows.length === 0 ? [] : [{ kind: "paragraph", text: texts.intro } as const]),
      tableOr(
        texts.none,
        texts.title,
        [
          { title: columns.payee, weight: 3 },
          { title: columns.kind, weight: 2 },
          figures(columns.monthly),
          { title: texts.since },
          { title: columns.last },
        ],
        rows,
      ),
      { kind: "heading", text: stopped.title },
      ...stoppedBlocks(report, writing),
    ],
  };
}

function overdueRows({ budget }: BudgetReport, writing: Writing): Row[] {
  const { amount, formats } = writing;
  return [...itemsOf(budget.categories).map(({ item }) => item), ...budget.uncategorized]
    .filter((item) => item.overdue !== null && isNamed(item))
    .map((item) =>
      row(
        "data",
        item.title,
        categoriesOf(item.categories, writing),
        amount(item.paymentCostMonthlyMinor),
        formats.day(item.overdue?.since ?? budget.asOf),
        lastPaymentCell(item, writing),
      ),
    );
}

function stoppedBlocks({ budget }: BudgetReport, writing: Writing): Section["blocks"] {
  const { pages, texts, amount, formats } = writing;
  const { stopped } = pages;
  const listed = budget.stopped.filter((one) => one.side === "EXPENSE" && isNamed(one));
  const rows = listed.map((one) =>
    row(
      "data",
      one.title,
      categoriesOf(one.categories, writing),
      amount(one.monthlyMinor),
      formats.day(one.lastPaidOn),
      stopped[one.reason],
    ),
  );
  return [
    ...(rows.length === 0 ? [] : [{ kind: "paragraph", text: stopped.intro } as const]),
    tableOr(
      stopped.none,
      stopped.title,
      [
        { title: texts.columns.payee, weight: 3 },
        { title: texts.columns.kind, weight: 2 },
        figures(stopped.was),
        { title: stopped.last },
        { title: stopped.reason, weight: 2 },
      ],
      rows,
    ),
  ];
}

function categoriesOf(ids: readonly string[], { texts, categoryName }: Writing): string {
  return ids.length === 0 ? texts.summary.uncategorized : ids.map(categoryName).join(", ");
}
