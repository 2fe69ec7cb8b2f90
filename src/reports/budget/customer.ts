/** One page for the customer, in plain language: what comes, what goes, what is left, and what to look at. Pure. */
import type { Block, Document } from "../document/blocks.ts";
import { effectiveOf, effectiveStanding, itemsOf } from "./figures.ts";
import { documentGroups, isNamed } from "./special.ts";
import { type BudgetReport, figures, fill, row, type Writing, writingOf } from "./writing.ts";
import { furnitureOf } from "./document.ts";

/** More than this do not fit on the page beside the rest. */
const overdueMax = 5;
/** Of fewer nothing that comes monthly is sure. */
const sureMonthsMin = 3;

export function customerDocument(report: BudgetReport): Document {
  const writing = writingOf(report);
  const { customer: texts } = writing.pages;
  return {
    ...furnitureOf(report, writing),
    title: texts.title,
    subtitle: texts.subtitle,
    blocks: [
      whose(report, writing),
      keyFigures(report, writing),
      ...incomeText(report, writing),
      ...groups(report, writing),
      ...attention(report, writing),
      ...rights(report, writing),
    ],
  };
}

function whose({ budget, customer, customerName }: BudgetReport, { texts: { cover }, formats }: Writing): Block {
  return {
    kind: "facts",
    facts: [
      { label: customerName === null ? cover.customer : cover.customerName, value: customerName ?? customer },
      { label: cover.asOf, value: formats.longDay(budget.asOf) },
    ],
  };
}

function keyFigures({ budget }: BudgetReport, { pages: { customer: texts }, money }: Writing): Block {
  const { incomeMinor, categorizedMinor, disposableMinor } = effectiveStanding(budget);
  const out = { label: texts.out, value: money(categorizedMinor) };
  if (budget.income === null) return { kind: "figures", figures: [out] };
  return {
    kind: "figures",
    figures: [
      { label: texts.in, value: money(incomeMinor) },
      out,
      { label: texts.left, value: money(disposableMinor) },
    ],
  };
}

function incomeText({ budget }: BudgetReport, { pages: { customer: texts }, money }: Writing): Block[] {
  if (budget.income === null || budget.totalMonthlyIncomeUserProvidedMinor !== null) return [];
  if (budget.incomeIrregularMinor === 0) return [];
  const values = { certain: money(budget.incomeCertainMinor), irregular: money(budget.incomeIrregularMinor) };
  return [{ kind: "paragraph", text: fill(texts.inText, values) }];
}

function groups({ budget }: BudgetReport, { pages, texts, amount }: Writing): Block[] {
  const { customer } = pages;
  const spent = documentGroups(budget.categories, pages.special)
    .filter((group) => effectiveOf(group) !== 0)
    .toSorted((a, b) => effectiveOf(b) - effectiveOf(a));
  if (spent.length === 0) return [];
  return [
    { kind: "heading", text: customer.groups },
    {
      kind: "table",
      summary: customer.groups,
      columns: [{ title: customer.group, weight: 4 }, figures(customer.monthly)],
      rows: [
        ...spent.map((group) => row("data", group.name, amount(effectiveOf(group)))),
        row("total", texts.total, amount(spent.reduce((sum, group) => sum + effectiveOf(group), 0))),
      ],
    },
  ];
}

/** What the customer should know before relying on the figures, then what was expected and not seen. */
function attention(report: BudgetReport, writing: Writing): Block[] {
  const texts = writing.pages.customer;
  const sentences = [...limits(report, writing), ...overdue(report, writing)];
  return [
    { kind: "heading", text: texts.attention },
    ...(sentences.length === 0 ? [texts.noAttention] : sentences).map((text) => ({ kind: "paragraph", text }) as const),
  ];
}

function limits({ budget }: BudgetReport, { pages: { customer: texts }, money, formats }: Writing): string[] {
  const { disposableMinor } = effectiveStanding(budget);
  const unknownMinor = budget.uncategorized.reduce((sum, item) => sum + item.paymentCostMonthlyMinor, 0);
  return [
    ...(budget.coveredMonths < sureMonthsMin
      ? [fill(texts.fewMonths, { months: formats.counted(budget.coveredMonths) })]
      : []),
    ...(budget.income !== null && disposableMinor < 0
      ? [fill(texts.moreOut, { amount: money(-disposableMinor) })]
      : []),
    ...(unknownMinor > 0 ? [fill(texts.unknown, { amount: money(unknownMinor) })] : []),
  ];
}

function overdue({ budget }: BudgetReport, { pages: { customer: texts }, formats }: Writing): string[] {
  const missed = itemsOf(budget.categories)
    .map(({ item }) => item)
    .filter((item) => item.overdue !== null && isNamed(item))
    .slice(0, overdueMax);
  const payees = missed.map(({ title, overdue: since }) => `${title} (${formats.day(since?.since ?? budget.asOf)})`);
  return payees.length === 0 ? [] : [fill(texts.overdue, { payees: payees.join(", ") })];
}

function rights({ brand }: BudgetReport, { pages: { customer: texts } }: Writing): Block[] {
  return [
    { kind: "heading", text: texts.rights },
    { kind: "paragraph", text: fill(texts.rightsText, { brand }) },
  ];
}
