/** The credit page: loans, signs with the rows behind them, ratios, what was given of debts, and balances. */
import type { CreditView, Evidence, StressedDebts } from "../../budgets/budget.ts";
import type { Facts, Row, Section } from "../document/blocks.ts";
import { type Blocks, type BudgetReport, figures, fill, row, tableOr, type Writing } from "./writing.ts";

/** Rows printed of one sign; the budget's details have all. */
const evidenceMax = 12;

export function credit({ budget }: BudgetReport, writing: Writing): Section {
  const { pages } = writing;
  const view = budget.riskIndicators === null ? null : budget.credit;
  if (view === null)
    return { kind: "section", title: pages.credit.title, blocks: [{ kind: "paragraph", text: pages.credit.off }] };
  return {
    kind: "section",
    title: pages.credit.title,
    startsPage: budget.coveredMonths > 0,
    blocks: [
      ...(budget.coveredMonths === 0
        ? [{ kind: "paragraph", text: writing.texts.risks.nothing } as const]
        : [
            { kind: "paragraph", text: pages.credit.intro } as const,
            ...loanBlocks(view, writing),
            ...signBlocks(view, writing),
          ]),
      ...ratioBlocks(view, writing),
      ...debtBlocks(view.entered, writing),
      ...balanceBlocks(view, writing),
      ...evidenceBlocks(view, writing),
    ],
  };
}

function loanBlocks({ loans }: CreditView, writing: Writing): Blocks {
  const { pages, amount, formats, shared, categoryName } = writing;
  const { credit: texts } = pages;
  const rows = loans.map((loan) =>
    row(
      "data",
      {
        text: loan.title,
        detail: loan.isNew ? `${categoryName(loan.categoryId)}, ${texts.isNew}` : categoryName(loan.categoryId),
      },
      loan.firstOn === null ? shared.none : formats.day(loan.firstOn),
      formats.count(loan.paid.count),
      amount(loan.paid.minor),
      amount(loan.monthlyMinor),
      loan.remainingPayments === null ? shared.none : formats.count(loan.remainingPayments),
      loan.overdueSince === null ? shared.none : formats.day(loan.overdueSince),
    ),
  );
  return [
    { kind: "heading", text: texts.loans },
    tableOr(
      texts.noLoans,
      texts.loans,
      [
        { title: texts.loan, weight: 3 },
        { title: texts.first },
        figures(texts.payments),
        figures(texts.paid),
        figures(writing.texts.columns.monthly),
        figures(texts.left),
        { title: pages.overdue.since },
      ],
      rows,
    ),
  ];
}

type Sign = readonly [label: string, evidence: Evidence];

function signsOf(view: CreditView, { pages: { credit: texts } }: Writing): Sign[] {
  return [
    [texts.payouts, view.payouts],
    [texts.cards, view.cards],
    [texts.payLater, view.payLater],
    [texts.collection, view.collection],
    [texts.stakes, view.gambling.stakes],
    [texts.winnings, view.gambling.winnings],
    [texts.overdraft, view.overdraft],
    [texts.rejected, view.rejected],
    [texts.returned, view.returned],
  ];
}

function signBlocks(view: CreditView, writing: Writing): Blocks {
  const { pages, amount, formats, shared } = writing;
  const { credit: texts } = pages;
  const since = ({ sinceCount, sinceMinor }: Evidence): string =>
    sinceCount === 0 ? shared.none : `${formats.count(sinceCount)}: ${amount(sinceMinor)}`;
  return [
    { kind: "heading", text: texts.signs },
    {
      kind: "table",
      summary: texts.signs,
      columns: [{ title: texts.sign, weight: 4 }, figures(texts.count), figures(texts.amount), figures(texts.since)],
      rows: signsOf(view, writing).map(([label, evidence]) =>
        row("data", label, formats.count(evidence.count), amount(evidence.minor), since(evidence)),
      ),
    },
  ];
}

function ratioBlocks(view: CreditView, { pages: { credit: texts }, money, formats }: Writing): Blocks {
  const { gambling, entered } = view;
  const ratio = (value: number | null): string => (value === null ? texts.notComputable : formats.percent(value));
  const hasGambled = gambling.stakes.count > 0;
  return [
    { kind: "heading", text: texts.ratios },
    {
      kind: "facts",
      facts: [
        { label: texts.service, value: money(view.serviceMinor) },
        { label: texts.serviceRatio, value: ratio(view.serviceRatio) },
        ...(hasGambled
          ? [
              { label: texts.gamblingNet, value: money(gambling.netMinor) },
              { label: texts.gamblingShare, value: ratio(gambling.shareOfIncome) },
              { label: texts.gamblingTrend, value: ratio(gambling.trend) },
            ]
          : []),
        ...(entered === null ? [{ label: texts.debtToIncome, value: texts.notComputable }] : []),
      ],
    },
  ];
}

function debtBlocks(entered: StressedDebts | null, writing: Writing): Blocks {
  if (entered === null) return [];
  const {
    pages: { credit: texts },
    amount,
    formats,
  } = writing;
  const stressed = entered.isStressed ? [figures(texts.stressed)] : [];
  const line = (kind: Row["kind"], cells: readonly string[], stressedMinor: number): Row =>
    row(kind, ...cells, ...(entered.isStressed ? [amount(stressedMinor)] : []));
  return [
    { kind: "heading", text: texts.debts },
    { kind: "paragraph", tone: "small", text: stressText(entered, writing) },
    {
      kind: "table",
      summary: texts.debts,
      columns: [
        { title: texts.debt, weight: 3 },
        figures(texts.remaining),
        figures(texts.rate),
        figures(texts.term),
        figures(texts.given),
        ...stressed,
      ],
      rows: [
        ...entered.debts.map((debt) =>
          line(
            "data",
            [
              debt.title,
              amount(debt.remainingMinor),
              formats.percentage(debt.rateHundredths),
              formats.count(debt.termMonths),
              amount(debt.monthlyMinor),
            ],
            debt.stressedMinor,
          ),
        ),
        line(
          "total",
          [writing.texts.total, amount(entered.remainingMinor), "", "", amount(entered.monthlyMinor)],
          entered.stressedMinor,
        ),
      ],
    },
    { kind: "facts", facts: stressFacts(entered, writing) },
  ];
}

function stressFacts(entered: StressedDebts, { pages: { credit: texts }, money, formats }: Writing): Facts["facts"] {
  const { debtToIncome, calculationRateHundredths, minimum } = entered;
  const rate =
    calculationRateHundredths === null
      ? []
      : [{ label: texts.calculationRate, value: formats.percentage(calculationRateHundredths) }];
  const table =
    minimum === null
      ? []
      : [
          {
            label: texts.minimum,
            value: fill(texts.minimumFrom, {
              amount: money(minimum.referenceMinor),
              source: minimum.source,
              day: formats.longDay(minimum.validFrom),
            }),
          },
          { label: texts.afterMinimum, value: money(minimum.leftMinor) },
        ];
  return [
    {
      label: texts.debtToIncome,
      value:
        debtToIncome === null ? texts.notComputable : fill(texts.factor, { factor: formats.counted(debtToIncome, 1) }),
    },
    ...rate,
    { label: texts.left2, value: money(entered.leftMinor) },
    { label: texts.available, value: money(entered.availableMinor) },
    ...table,
  ];
}

/** By which rule, from what source, and what the figures do not hold. */
function stressText(
  { rule, calculationRateHundredths, minimum }: StressedDebts,
  { pages: { credit: texts }, texts: { method } }: Writing,
): string {
  return [
    ...(rule === null ? [] : [texts.rules[rule]]),
    ...(rule === "SE" && calculationRateHundredths === null ? [texts.noCalculationRate] : []),
    ...(minimum === null ? [] : [texts.minimumExplained]),
    ...(minimum?.isOlderThanTwelveMonths ? [method.referenceOld] : []),
  ].join(" ");
}

function balanceBlocks({ balances, buffer }: CreditView, writing: Writing): Blocks {
  const {
    pages: { credit: texts },
    amount,
    money,
    formats,
  } = writing;
  if (balances.length === 0 || buffer === null)
    return [
      { kind: "heading", text: texts.balances },
      { kind: "paragraph", text: texts.noBalances },
    ];
  const lasting =
    buffer.months === null
      ? fill(texts.bufferOnly, { amount: money(buffer.balanceMinor) })
      : fill(texts.buffer, { amount: money(buffer.balanceMinor), months: formats.counted(buffer.months, 1) });
  return [
    { kind: "heading", text: texts.balances },
    {
      kind: "table",
      summary: texts.balances,
      columns: [
        { title: texts.account, weight: 3 },
        figures(texts.observed),
        figures(texts.lowest),
        figures(texts.days),
      ],
      rows: balances.map((balance) =>
        row(
          "data",
          { text: balance.name, detail: formats.day(balance.observedOn) },
          amount(balance.observedMinor),
          amount(balance.lowestMinor),
          formats.count(balance.daysBelowZero),
        ),
      ),
    },
    { kind: "paragraph", text: lasting },
  ];
}

function evidenceBlocks(view: CreditView, writing: Writing): Blocks {
  const { pages, formats, paid, texts } = writing;
  const shown = signsOf(view, writing).filter(([, { transactions }]) => transactions.length > 0);
  return shown.flatMap(([label, { transactions }]): Blocks => {
    const latest = transactions.slice(-evidenceMax);
    const more = transactions.length - latest.length;
    return [
      { kind: "heading", text: `${pages.credit.evidence}: ${label}` },
      {
        kind: "table",
        summary: label,
        columns: [
          { title: texts.columns.date },
          { title: texts.columns.payee, weight: 6 },
          figures(texts.columns.amount),
        ],
        rows: latest.map((one) => row("data", formats.day(one.transactionDate), one.merchantName, paid(one))),
      },
      ...(more === 0
        ? []
        : [
            {
              kind: "paragraph",
              tone: "small",
              text: fill(pages.credit.more, { count: formats.counted(more) }),
            } as const,
          ]),
    ];
  });
}
