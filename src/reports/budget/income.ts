/** Section 4: where the money comes from, how steadily, what is not counted on, and what stopped. */
import type { ExcludedReason, Item } from "../../budgets/budget.ts";
import type { Row, Section } from "../document/blocks.ts";
import { itemsOf, sumOf } from "./figures.ts";
import {
  type Blocks,
  type BudgetReport,
  figures,
  fill,
  lastPaymentCell,
  minorOf,
  row,
  tableOr,
  type Writing,
} from "./writing.ts";

export function income(report: BudgetReport, writing: Writing): Section {
  const { budget } = report;
  const {
    texts: { income: texts },
    pages: { income: pages },
  } = writing;
  const section = (...blocks: Blocks): Section => ({ kind: "section", title: texts.title, blocks });
  if (budget.income === null) return section({ kind: "paragraph", text: texts.off });
  const items = itemsOf(budget.income);
  const hasRows = items.length > 0 || budget.totalMonthlyIncomeUserProvidedMinor !== null;
  const rows = [
    ...items.map(({ item, leaf }) => incomeRow(item, leaf.name, report, writing)),
    ...totals(report, writing),
  ];
  return section(
    { kind: "paragraph", text: figuresText(report, writing) },
    tableOr(pages.noPayers, texts.title, columnsOf(writing), hasRows ? rows : []),
    {
      kind: "paragraph",
      tone: "small",
      text: fill(pages.explained, { percent: writing.formats.percent(report.irregularPercent / 100) }),
    },
    { kind: "heading", text: pages.excluded },
    excludedTable(report, writing),
    ...stoppedBlocks(report, writing),
  );
}

/** What came in and is in no figure of the income. */
type NotCounted = { title: string; reason: string; count: number | null; minor: number };

function notCounted({ budget }: BudgetReport, { pages: { income: pages }, formats }: Writing): NotCounted[] {
  const { reconciliation, uncountedPayers } = budget;
  const excluded = (reconciliation?.excluded ?? []).flatMap(({ reason, transactions }): NotCounted[] => {
    const came = transactions.filter(({ amount }) => amount > 0);
    const minor = sumOf(came.map(minorOf));
    return came.length === 0
      ? []
      : [
          {
            title: titlesOf(came.map(({ merchantName }) => merchantName)),
            reason: pages[reason satisfies ExcludedReason],
            count: came.length,
            minor,
          },
        ];
  });
  const seldom = uncountedPayers.map(({ title, months, minor }) => ({
    title,
    reason: fill(pages.PAYER, { months: formats.counted(months) }),
    count: null,
    minor,
  }));
  return [...excluded, ...seldom];
}

const namesMax = 3;

function titlesOf(names: readonly string[]): string {
  const different = [...new Set(names)];
  return different.length > namesMax ? `${different.slice(0, namesMax).join(", ")} …` : different.join(", ");
}

function excludedTable(report: BudgetReport, writing: Writing): Blocks[number] {
  const { pages, amount, shared, formats } = writing;
  const rows = notCounted(report, writing).map(({ title, reason, count, minor }) =>
    row("data", title, reason, count === null ? shared.none : formats.count(count), amount(minor)),
  );
  return tableOr(
    pages.income.noExcluded,
    pages.income.excluded,
    [
      { title: pages.income.payer, weight: 3 },
      { title: pages.income.reason, weight: 2 },
      figures(pages.money.count),
      figures(pages.money.amount),
    ],
    rows,
  );
}

function stoppedBlocks({ budget }: BudgetReport, { pages, amount, formats }: Writing): Blocks {
  const listed = budget.stopped.filter(({ side }) => side === "INCOME");
  if (listed.length === 0) return [];
  return [
    { kind: "heading", text: pages.income.stopped },
    {
      kind: "table",
      summary: pages.income.stopped,
      columns: [
        { title: pages.income.payer, weight: 3 },
        figures(pages.stopped.was),
        { title: pages.stopped.last },
        { title: pages.stopped.reason, weight: 2 },
      ],
      rows: listed.map((one) =>
        row("data", one.title, amount(one.monthlyMinor), formats.day(one.lastPaidOn), pages.stopped[one.reason]),
      ),
    },
  ];
}

function figuresText(report: BudgetReport, writing: Writing): string {
  const { budget } = report;
  return fill(writing.pages.income.figures, {
    certain: writing.money(budget.incomeCertainMinor),
    irregular: writing.money(budget.incomeIrregularMinor),
    excluded: writing.money(sumOf(notCounted(report, writing).map(({ minor }) => minor))),
    count: writing.formats.counted(budget.coveredMonths),
  });
}

function columnsOf({ pages: { income: pages, confidenceTitle } }: Writing) {
  return [
    { title: pages.payer, weight: 3 },
    { title: pages.since },
    figures(pages.seen),
    figures(pages.monthly),
    figures(pages.median),
    figures(pages.trend),
    figures(pages.gap),
    { title: pages.last },
    { title: confidenceTitle },
  ];
}

function incomeRow(item: Item, category: string, { budget }: BudgetReport, writing: Writing): Row {
  const { texts, pages, formats, shared, amount } = writing;
  const { income: told } = item;
  if (told === null || told.class === "GIVEN")
    return row(
      "data",
      { text: item.title, detail: category },
      "",
      "",
      amount(item.paymentCostMonthlyMinor),
      "",
      "",
      "",
      "",
      pages.income.class.GIVEN,
    );
  const isExtra = told.class === "EXTRA";
  const ofMonths = isExtra
    ? [shared.none, shared.none, shared.none]
    : [
        { text: amount(told.medianMonthMinor), detail: amount(told.lowestThreeMonthsMinor) },
        told.trend === null ? shared.none : formats.percent(told.trend),
        formats.count(told.longestGapMonths),
      ];
  return row(
    "data",
    { text: item.title, detail: `${category}, ${pages.income.class[told.class]}` },
    told.since === null ? shared.none : formats.monthInColumn(told.since.slice(0, 7)),
    fill(texts.months, { covered: formats.count(item.monthsSeen), count: formats.count(budget.coveredMonths) }),
    amount(item.paymentCostMonthlyMinor),
    ...ofMonths,
    lastPaymentCell(item, writing),
    writing.confidence(item),
  );
}

function totals({ budget }: BudgetReport, { texts, amount }: Writing): Row[] {
  const given = budget.totalMonthlyIncomeUserProvidedMinor;
  const line = (label: string, minor: number): Row => row("total", label, "", "", amount(minor), "", "", "", "", "");
  return [
    line(texts.total, budget.totalMonthlyIncomeMinor),
    ...(given === null ? [] : [line(texts.income.totalUser, given)]),
  ];
}
