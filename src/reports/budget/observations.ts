/** Sections 8 to 10: risk indicators, the last twelve months, what has no category. */
import type { AverageSpending, FoldedBudget, RiskIndicator, Spending } from "../../budgets/budget.ts";
import type { Transaction } from "../../interface/services.ts";
import type { Bars, Row, Section } from "../document/blocks.ts";
import { exponentOf } from "../../money.ts";
import { effectiveStanding, sumOf } from "./figures.ts";
import { namedTransactions } from "./special.ts";
import { type Blocks, type BudgetReport, figures, fill, minorOf, row, tableOr, type Writing } from "./writing.ts";

export function risks({ budget }: BudgetReport, writing: Writing): Section {
  const { riskIndicators, additionalRiskIndicators } = budget;
  const {
    texts: { risks: texts },
  } = writing;
  const blocks: Blocks =
    riskIndicators === null
      ? [{ kind: "paragraph", text: texts.off }]
      : budget.coveredMonths === 0
        ? [{ kind: "paragraph", text: texts.nothing }]
        : [
            ...riskIndicators.flatMap((indicator) => riskBlocks(indicator, writing)),
            // The rows of these stand on the credit page.
            ...(additionalRiskIndicators ?? []).flatMap((one) => riskBlocks({ ...one, evidence: [] }, writing)),
          ];
  return { kind: "section", title: texts.title, blocks };
}

function riskBlocks({ title, isMarked, description, evidence }: Omit<RiskIndicator, "type">, writing: Writing): Blocks {
  const { texts } = writing;
  return [
    { kind: "heading", text: `${title} – ${isMarked ? texts.risks.marked : texts.risks.notMarked}` },
    { kind: "paragraph", text: description },
    ...(evidence.length === 0
      ? []
      : [
          {
            kind: "table",
            summary: title,
            columns: transactionColumns(writing),
            rows: evidence.map((one) => transactionRow(one, writing)),
          } as const,
        ]),
  ];
}

function transactionColumns({ texts: { columns } }: Writing) {
  return [{ title: columns.date }, { title: columns.payee, weight: 6 }, figures(columns.amount)];
}

function transactionRow(transaction: Transaction, { formats, paid }: Writing): Row {
  return row("data", formats.day(transaction.transactionDate), transaction.merchantName, paid(transaction));
}

/** Items named of what does not recur. */
const largestMax = 10;

export function year({ budget }: BudgetReport, writing: Writing): Section {
  const {
    texts: { year: texts },
    shared,
    currency,
  } = writing;
  const section = (...blocks: Blocks): Section => ({ kind: "section", title: texts.title, blocks });
  if (!budget.months.some(({ covered }) => covered)) return section({ kind: "paragraph", text: texts.empty });
  return section(
    { kind: "paragraph", text: `${fill(shared.amountsIn, { currency })} ${texts.explained}` },
    bars(budget, writing),
    {
      kind: "table",
      summary: texts.title,
      columns: [{ title: texts.month }, figures(texts.moneyIn), figures(texts.moneyOut), figures(texts.net)],
      rows: monthRows(budget, writing),
    },
    { kind: "heading", text: texts.nonrecurring },
    ...(hasOneOffs(budget) ? oneOffs(budget, writing) : [{ kind: "paragraph", text: texts.noLargest } as const]),
  );
}

/** A table of noughts says less than a sentence. */
function hasOneOffs({ nonrecurringTransactions, nonrecurringExpenses, nonrecurringIncome }: FoldedBudget): boolean {
  const isPaid = ({ averages, highs }: Spending): boolean =>
    averages.lastMonthMinor !== 0 ||
    (averages.lastTwelveMonthsMinor ?? 0) !== 0 ||
    (highs.lastTwelveMonthsMinor ?? 0) !== 0;
  return nonrecurringTransactions.length > 0 || isPaid(nonrecurringExpenses) || isPaid(nonrecurringIncome);
}

function oneOffs(budget: FoldedBudget, writing: Writing): Blocks {
  const texts = writing.texts.year;
  const largest = namedTransactions(budget, budget.nonrecurringTransactions)
    .toSorted((a, b) => Math.abs(minorOf(b)) - Math.abs(minorOf(a)))
    .slice(0, largestMax);
  return [
    {
      kind: "table",
      summary: texts.nonrecurring,
      columns: [texts.kind, texts.lastMonth, texts.average3, texts.average12, texts.low, texts.high].map(
        (title, index) => (index === 0 ? { title } : figures(title)),
      ),
      rows: [
        spendingRow(texts.outgoings, budget.nonrecurringExpenses, writing),
        spendingRow(texts.incomes, budget.nonrecurringIncome, writing),
        spendingRow(texts.spending, budget.nonrecurringSpending, writing),
      ],
    },
    { kind: "heading", text: texts.largest },
    tableOr(
      texts.noLargest,
      texts.largest,
      transactionColumns(writing),
      largest.map((one) => transactionRow(one, writing)),
    ),
  ];
}

function bars({ months }: FoldedBudget, { texts: { year: texts }, formats, currency, amount }: Writing): Bars {
  const unit = 10 ** exponentOf(currency);
  return {
    kind: "bars",
    description: texts.picture,
    first: texts.moneyIn,
    second: texts.moneyOut,
    months: months.map(({ month, incomeMinor, expensesMinor }) => ({
      label: formats.shortMonth(month),
      first: Math.max(0, incomeMinor),
      second: Math.max(0, expensesMinor),
    })),
    axisLabel: (minor) => (minor % unit === 0 ? formats.wholeAmount(minor, currency) : amount(Math.round(minor))),
  };
}

function monthRows({ months }: FoldedBudget, { texts, formats, amount, amountOrNone }: Writing): Row[] {
  const line = (kind: Row["kind"], label: string, inMinor: number, outMinor: number) =>
    row(kind, label, amount(inMinor), amount(outMinor), amount(inMinor - outMinor));
  const none = amountOrNone(null);
  return [
    ...months.map(({ month, covered, incomeMinor, expensesMinor }) => {
      if (covered) return line("data", formats.month(month), incomeMinor, expensesMinor);
      const label = `${formats.month(month)} (${texts.year.incomplete})`;
      // Of a month of which nothing is known nothing is said, not that nothing moved.
      const isKnown = incomeMinor !== 0 || expensesMinor !== 0;
      return isKnown ? line("data", label, incomeMinor, expensesMinor) : row("data", label, none, none, none);
    }),
    line(
      "total",
      texts.total,
      sumOf(months.map(({ incomeMinor }) => incomeMinor)),
      sumOf(months.map(({ expensesMinor }) => expensesMinor)),
    ),
  ];
}

function spendingRow(label: string, { averages, lows, highs }: Spending, { amount, amountOrNone }: Writing): Row {
  const year12 = ({ lastTwelveMonthsMinor }: AverageSpending) => amountOrNone(lastTwelveMonthsMinor);
  return row(
    "data",
    label,
    amount(averages.lastMonthMinor),
    amountOrNone(averages.lastThreeMonthsMinor),
    year12(averages),
    year12(lows),
    year12(highs),
  );
}

export function uncategorized({ budget }: BudgetReport, writing: Writing): Section {
  const {
    texts: { uncategorized: texts, columns, total },
    amount,
  } = writing;
  const items = budget.uncategorized;
  const hasPayments = budget.averageExpensesLastTwelveMonthsMinor !== 0 || budget.amountCategorizedMinor !== 0;
  const rows = items.map((item) =>
    row(
      "data",
      item.title,
      writing.howOften(item),
      amount(item.paymentCostMonthlyMinor),
      amount(item.averageLastThreeMonthsMinor),
      amount(item.averageLastTwelveMonthsMinor),
    ),
  );
  const sums = [
    items.map((item) => item.paymentCostMonthlyMinor),
    items.map((item) => item.averageLastThreeMonthsMinor),
    items.map((item) => item.averageLastTwelveMonthsMinor),
  ];
  const totalRow = row("total", total, "", ...sums.map((values) => amount(sumOf(values))));
  return {
    kind: "section",
    title: texts.title,
    blocks: [
      ...(hasPayments ? [{ kind: "paragraph", text: rateOf(budget, writing) } as const] : []),
      ...stoppedNote(budget, () => true, writing),
      tableOr(
        hasPayments ? texts.none : texts.nothing,
        texts.title,
        [
          { title: columns.payee, weight: 3 },
          { title: columns.frequency },
          figures(columns.monthly),
          figures(columns.three),
          figures(columns.twelve),
        ],
        rows.length === 0 ? [] : [...rows, totalRow],
      ),
    ],
  };
}

/** What stopped is in no figure of the budget: a page that finds nothing must not hide it. */
export function stoppedNote(
  { stopped }: FoldedBudget,
  isMeant: (categoryId: string) => boolean,
  { pages, money }: Writing,
): { kind: "paragraph"; text: string }[] {
  const meant = stopped.filter(({ side, categories }) => side === "EXPENSE" && isMeant(categories[0] ?? ""));
  const monthly = sumOf(meant.map(({ monthlyMinor }) => monthlyMinor));
  return monthly === 0 ? [] : [{ kind: "paragraph", text: fill(pages.unexplained, { amount: money(monthly) }) }];
}

function rateOf(budget: FoldedBudget, { texts: { uncategorized: texts }, money, formats }: Writing): string {
  const { categorizedMinor } = effectiveStanding(budget);
  const average = budget.averageExpensesLastTwelveMonthsMinor;
  if (average <= 0) return fill(texts.noRate, { categorized: money(categorizedMinor) });
  return fill(texts.rate, {
    categorized: money(categorizedMinor),
    percent: formats.percent(categorizedMinor / average),
    average: money(average),
    target: money(budget.categorizationTargetMinor),
  });
}
