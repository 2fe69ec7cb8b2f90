/** One page for the customer, in plain language: what comes, what goes, what is left, and what to look at. Pure. */
import type { Block, Document } from "../document/blocks.ts";
import { effectiveOf, effectiveStanding, itemsOf } from "./figures.ts";
import { documentGroups, isNamed } from "./special.ts";
import { type BudgetReport, figures, fill, row, type Writing, writingOf } from "./writing.ts";
import { furnitureOf } from "./document.ts";

/** More than this do not fit on the page beside the rest. */
const overdueMax = 5;

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

function attention({ budget }: BudgetReport, { pages: { customer: texts }, formats }: Writing): Block[] {
  const overdue = itemsOf(budget.categories)
    .map(({ item }) => item)
    .filter((item) => item.overdue !== null && isNamed(item))
    .slice(0, overdueMax);
  const payees = overdue.map(({ title, overdue: since }) => `${title} (${formats.day(since?.since ?? budget.asOf)})`);
  return [
    { kind: "heading", text: texts.attention },
    {
      kind: "paragraph",
      text: payees.length === 0 ? texts.noAttention : fill(texts.overdue, { payees: payees.join(", ") }),
    },
  ];
}

function rights({ brand }: BudgetReport, { pages: { customer: texts } }: Writing): Block[] {
  return [
    { kind: "heading", text: texts.rights },
    { kind: "paragraph", text: fill(texts.rightsText, { brand }) },
  ];
}
