/** Sections 5 to 7: expenses by category, obligations, recurring payments. */
import type { CategoryNode, Item } from "../../budgets/budget.ts";
import type { Row, Section } from "../document/blocks.ts";
import { effectiveOf, itemsOf, sumOf } from "./figures.ts";
import { stoppedNote } from "./observations.ts";
import { documentGroups, isNamed, namedChildren } from "./special.ts";
import { type BudgetReport, figures, fill, lastPaymentCell, row, tableOr, type Writing } from "./writing.ts";

/** Titles named below a category; the rest are counted. */
const titlesMax = 4;

export function expenses({ budget }: BudgetReport, writing: Writing): Section {
  const {
    texts: { expenses: texts, columns, total },
    amount,
  } = writing;
  const given = budget.amountCategorizedUserProvidedMinor;
  const notes: string[] = [];
  const printing: Printing = { writing, notes, hasValues: given !== null };
  const rows = documentGroups(budget.categories, writing.pages.special)
    .filter(isShown)
    .flatMap((group) => [
      nodeRow("group", group, printing),
      ...namedChildren(group)
        .filter(isShown)
        .map((leaf) => nodeRow("data", leaf, printing)),
    ]);
  const sum = (of: (node: CategoryNode) => number) => amount(sumOf(budget.categories.map(of)));
  const totalRow = row(
    "total",
    total,
    amount(budget.amountCategorizedMinor),
    ...(given === null ? [] : [amount(given)]),
    sum((node) => node.averageLastThreeMonthsMinor),
    sum((node) => node.averageLastTwelveMonthsMinor),
    "",
    "",
  );
  const values = given === null ? [] : [figures(columns.user)];
  return {
    kind: "section",
    title: texts.title,
    blocks: [
      { kind: "paragraph", text: texts.explained },
      {
        kind: "table",
        summary: texts.title,
        rows: [...rows, totalRow],
        columns: [
          { title: columns.category },
          figures(columns.budget),
          ...values,
          figures(columns.three),
          figures(columns.twelve),
          { title: writing.pages.confidenceTitle },
          figures(columns.notes),
        ],
      },
      ...(notes.length === 0
        ? []
        : [
            { kind: "heading", text: texts.notes } as const,
            ...notes.map((text) => ({ kind: "paragraph", tone: "small", text }) as const),
          ]),
    ],
  };
}

function isShown(node: CategoryNode): boolean {
  const hasFigure =
    node.totalMonthlyMinor !== 0 || node.averageLastThreeMonthsMinor !== 0 || node.averageLastTwelveMonthsMinor !== 0;
  return (
    hasFigure ||
    node.totalMonthlyUserProvidedMinor !== null ||
    node.notes.length > 0 ||
    node.items.length > 0 ||
    node.children.some(isShown)
  );
}

/** Where a value was given anywhere, each row has one: its own or the program's, so that this column adds up, too. */
type Printing = { writing: Writing; notes: string[]; hasValues: boolean };

/** Numbers the notes in the order in which they are read. */
function nodeRow(kind: Row["kind"], node: CategoryNode, { writing, notes, hasValues }: Printing): Row {
  const { amount, formats, confidence } = writing;
  const sureness = Math.min(...node.items.map((item) => item.confidence));
  const marks = node.notes.map(({ message }) => {
    notes.push(`${formats.count(notes.length + 1)})  ${node.name}: ${message}`);
    return `${formats.count(notes.length)})`;
  });
  return row(
    kind,
    { text: node.name, detail: titlesOf(node.items, writing) },
    amount(node.totalMonthlyMinor),
    ...(hasValues ? [amount(effectiveOf(node))] : []),
    amount(node.averageLastThreeMonthsMinor),
    amount(node.averageLastTwelveMonthsMinor),
    node.items.length === 0 ? "" : confidence({ confidence: sureness }),
    marks.join(" "),
  );
}

function titlesOf(items: readonly Item[], { texts, formats }: Writing): string {
  const titles = [...new Set(items.map(({ title }) => title))];
  const more =
    titles.length > titlesMax ? [fill(texts.expenses.more, { count: formats.count(titles.length - titlesMax) })] : [];
  return [...titles.slice(0, titlesMax), ...more].join(", ");
}

/** Leaves whose payments are owed to someone, besides the group DEBT. */
const owedLeaves: ReadonlySet<string> = new Set([
  "HOUSING_MORTGAGE",
  "TRANSPORT_VEHICLE_FINANCE",
  "CHILDREN_MAINTENANCE_PAID",
]);
const owedGroup = "DEBT_";

export function obligations({ budget }: BudgetReport, writing: Writing): Section {
  const {
    texts: { obligations: texts, columns, total },
    amount,
  } = writing;
  const isOwed = (id: string): boolean => owedLeaves.has(id) || id.startsWith(owedGroup);
  const owed = itemsOf(budget.categories).filter(({ leaf }) => isOwed(leaf.id));
  const stopped = stoppedNote(budget, isOwed, writing);
  const rows = owed.map(({ item, leaf }) =>
    row(
      "data",
      item.title,
      leaf.name,
      writing.howOften(item),
      amount(item.paymentCostMonthlyMinor),
      amount(item.averageLastTwelveMonthsMinor),
      lastPaymentCell(item, writing),
    ),
  );
  const sum = (of: (item: Item) => number) => amount(sumOf(owed.map(({ item }) => of(item))));
  const totalRow = row(
    "total",
    total,
    "",
    "",
    sum((item) => item.paymentCostMonthlyMinor),
    sum((item) => item.averageLastTwelveMonthsMinor),
    "",
  );
  return {
    kind: "section",
    title: texts.title,
    blocks: [
      ...stopped,
      ...(stopped.length > 0 && rows.length === 0
        ? []
        : [
            tableOr(
              texts.none,
              texts.title,
              [
                { title: columns.payee, weight: 3 },
                { title: columns.kind, weight: 2 },
                { title: columns.frequency },
                figures(columns.monthly),
                figures(columns.twelve),
                { title: columns.last },
              ],
              rows.length === 0 ? [] : [...rows, totalRow],
            ),
          ]),
    ],
  };
}

export function services({ budget }: BudgetReport, writing: Writing): Section {
  const {
    texts: { services: texts, columns, total },
    amount,
    formats,
  } = writing;
  const found = [...itemsOf(budget.categories).map(({ item }) => item), ...budget.uncategorized].filter(
    ({ service }) => service !== null,
  );
  const ordered = found.filter(isNamed).toSorted((a, b) => b.paymentCostMonthlyMinor - a.paymentCostMonthlyMinor);
  const unnamed = sumOf(
    found.filter((item) => !isNamed(item)).map(({ paymentCostMonthlyMinor }) => paymentCostMonthlyMinor),
  );
  const rows = ordered.map((item) =>
    row(
      "data",
      { text: item.title, detail: namesOf(item, writing) },
      writing.frequency(item),
      amount(item.paymentCostMinor),
      amount(item.paymentCostMonthlyMinor),
      item.service === null || item.overdue !== null ? writing.shared.none : formats.day(item.service.nextExpectedOn),
    ),
  );
  if (unnamed !== 0) rows.push(row("data", writing.pages.special, "", "", amount(unnamed), ""));
  const totalRow = row(
    "total",
    total,
    "",
    "",
    amount(sumOf(found.map(({ paymentCostMonthlyMinor }) => paymentCostMonthlyMinor))),
    "",
  );
  return {
    kind: "section",
    title: texts.title,
    blocks: [
      tableOr(
        texts.none,
        texts.title,
        [
          { title: columns.payee, weight: 3 },
          { title: columns.frequency },
          figures(columns.amount),
          figures(columns.monthly),
          { title: columns.next },
        ],
        rows.length === 0 ? [] : [...rows, totalRow],
      ),
    ],
  };
}

function namesOf({ categories }: Item, { texts, categoryName }: Writing): string {
  return categories.length === 0 ? texts.summary.uncategorized : categories.map(categoryName).join(", ");
}
