/**
 * A budget's report lists the budget's figures, comparisons and changes, and leaves out what the brand does not show.
 */
import test from "ava";
import type { BudgetEvent } from "../../../src/budgets/budget.ts";
import { expenseCategories } from "../../../src/categories/tree.ts";
import type { Block, Document, Section, Table } from "../../../src/reports/document/blocks.ts";
import { budgetReportDocument } from "../../../src/reports/budget/document.ts";
import { effectiveStanding, engineTotals } from "../../../src/reports/budget/figures.ts";
import { renderDocument } from "../../../src/reports/document/render.ts";
import { languageCodes } from "../../../src/texts/languages.ts";
import { foldBudget } from "../../../src/budgets/fold/fold.ts";
import { facts, logOf, monthly, userData } from "../../budgets/household.ts";
import fc, { runs } from "../../property.ts";
import { elementsOf, readPdf } from "../pdf.ts";
import { folded, foldedOf, handCheckedSnapshot, reportOf } from "./reports.ts";

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");
const sections = (document: Document) => document.blocks.filter((block): block is Section => block.kind === "section");
const section = (document: Document, title: string) => sections(document).find((one) => one.title === title)!;
const tables = (blocks: readonly Block[]) => blocks.filter((block): block is Table => block.kind === "table");
const linesOf = (table: Table | undefined) =>
  table?.rows.map(
    ({ kind, cells }) =>
      `${kind}: ${cells.map(({ text, detail }) => plain(detail ? `${text} (${detail})` : text)).join(" | ")}`,
  );

const adjusted = (categoryId: string, amountMinor: number): BudgetEvent => ({
  type: "ADJUSTED",
  categoryId,
  amountMinor,
  frequency: "MONTHLY",
});

test("the summary says what is left, by the program and with the values given, and the margin to the reference", (t) => {
  const budget = folded([
    { type: "USER_DATA_SET", userData },
    adjusted("FOOD_GROCERIES", 300_000),
    adjusted("TRANSPORT", 100_000),
  ]);
  const { blocks } = section(budgetReportDocument(reportOf(budget)), "Summary");
  const figures = blocks.find((block) => block.kind === "figures");
  t.deepEqual(
    figures?.figures.map(({ label, value, detail }) => [label, plain(value), plain(detail ?? "")]),
    [
      ["Income", "DKK 25,000.00", ""],
      // 11,092.33 + (3,000.00 − 2,500.00) + 1,000.00
      ["Expenses with a category", "DKK 12,592.33", "program: DKK 11,092.33"],
      ["Disposable income", "DKK 12,407.67", "program: DKK 13,907.67"],
      // 25,000.00 − 8,459.00 − 0.00
      ["Available after fixed expenses and loans", "DKK 16,541.00", ""],
      ["Reference minimum", "DKK 7,240.00", ""],
      // 12,407.67 + 4,592.33, which the categories of the table come to, − 7,240.00
      ["Margin to the reference", "DKK 9,760.00", ""],
    ],
  );
  t.deepEqual(linesOf(tables(blocks)[0]), [
    "data: Income | 25,000.00 | 25,000.00",
    // Rent 8,000.00, phone 159.00, insurance 300.00
    "data: Fixed expenses | 8,459.00 | 8,459.00",
    "data: Loans and credit | 0.00 | 0.00",
    // Groceries, and what was given for transport as a whole
    "data: Variable expenses | 2,500.00 | 4,000.00",
    "data: Expenses by choice | 133.33 | 133.33",
    "data: Savings | 0.00 | 0.00",
    "total: Expenses with a category | 11,092.33 | 12,592.33",
    "total: Disposable income | 13,907.67 | 12,407.67",
    "total: Available after fixed expenses and loans | 16,541.00 | 16,541.00",
    "data: Without a category | 100.00 | 100.00",
  ]);
});

test("expenses are listed by category with their payees, and the notes below the table", (t) => {
  const { blocks } = section(
    budgetReportDocument(reportOf(folded([{ type: "USER_DATA_SET", userData }, adjusted("TRANSPORT", 100_000)]))),
    "Expenses by category",
  );
  t.deepEqual(linesOf(tables(blocks)[0]), [
    "group: Housing | 8,000.00 | 8,000.00 | 8,000.00 | 8,000.00 |  | ",
    "data: Rent (Boligselskabet Nord) | 8,000.00 | 8,000.00 | 8,000.00 | 8,000.00 | high | ",
    "group: Utilities | 0.00 | 0.00 | 0.00 | 0.00 |  | ",
    "data: Electricity | 0.00 | 0.00 | 0.00 | 0.00 |  | 1)",
    "group: Phone, internet and TV | 159.00 | 159.00 | 159.00 | 153.17 |  | ",
    "data: Mobile phone (Fjordtel) | 159.00 | 159.00 | 159.00 | 153.17 | medium | ",
    "group: Food and household | 2,633.33 | 2,633.33 | 2,633.33 | 2,633.33 |  | ",
    "data: Groceries (Kobmand Holm) | 2,500.00 | 2,500.00 | 2,500.00 | 2,500.00 | high | ",
    "data: Restaurants and takeaway (Other: restaurants and takeaway) | 133.33 | 133.33 | 133.33 | 133.33 | medium | ",
    "group: Transport | 0.00 | 1,000.00 | 0.00 | 0.00 |  | ",
    "group: Insurance | 300.00 | 300.00 | 0.00 | 300.00 |  | ",
    "data: Home and contents insurance | 0.00 | 0.00 | 0.00 | 0.00 |  | 2)",
    "data: Other insurance (Tryghed) | 300.00 | 300.00 | 0.00 | 300.00 | medium | ",
    "group: Home and electronics | 0.00 | 0.00 | 0.00 | 500.00 |  | ",
    "data: Furniture and household goods | 0.00 | 0.00 | 0.00 | 500.00 |  | ",
    "total: Total | 11,092.33 | 12,092.33 | 10,792.33 | 11,586.50 |  | ",
  ]);
  const notes = blocks.flatMap((block) => (block.kind === "paragraph" && block.tone === "small" ? [block.text] : []));
  t.is(notes.length, 2);
  t.regex(notes[0] ?? "", /^1\) {2}Electricity: /);
});

test("income, recurring payments, months and single items are told with what they come to", (t) => {
  const document = budgetReportDocument(reportOf(folded()));
  t.deepEqual(linesOf(tables(section(document, "Income").blocks)[0]), [
    "data: Lønoverførsel (Salary, certain) | Jun 2025 | 12 of 12 | 25,000.00 | 25,000.00 (25,000.00) | 100% | 0 | 28 May 2026 (25,000.00) | high",
    "total: Total |  |  | 25,000.00 |  |  |  |  | ",
  ]);
  t.deepEqual(linesOf(tables(section(document, "Recurring payments").blocks)[0]), [
    "data: Boligselskabet Nord (Rent) | monthly | 8,000.00 | 8,000.00 | 1 Jul 2026",
    "data: Tryghed (Other insurance) | yearly | 3,600.00 | 300.00 | 5 Oct 2026",
    "data: Fjordtel (Mobile phone) | monthly | 159.00 | 159.00 | 10 Jul 2026",
    "total: Total |  |  | 8,459.00 | ",
  ]);
  const [months, nonrecurring, largest] = tables(section(document, "The last twelve months").blocks);
  t.is(linesOf(months)?.[5], "data: November 2025 | 25,000.00 | 16,649.00 | 8,351.00");
  t.is(linesOf(months)?.at(-1), "total: Total | 301,000.00 | 140,238.00 | 160,762.00");
  t.deepEqual(linesOf(nonrecurring)?.[0], "data: Expenses | 0.00 | 66.67 | 600.00 | 0.00 | 6,000.00");
  t.deepEqual(linesOf(largest)?.slice(0, 2), [
    "data: 15 Nov 2025 | Sofahuset | −6,000.00",
    "data: 10 Feb 2026 | Zorbini | 1,000.00",
  ]);
  t.deepEqual(linesOf(tables(section(document, "Without a category").blocks)[0]), [
    "data: XQ Zorbo | irregular | 100.00 | 66.67 | 100.00",
    "total: Total |  | 100.00 | 66.67 | 100.00",
  ]);
});

test("a table with an amount for each category is compared line by line, one of children only gives no margin", (t) => {
  const of = (country: string, currency: string, children: number[]) => {
    const given: BudgetEvent = {
      type: "USER_DATA_SET",
      userData: {
        ...userData,
        personal: {
          ...userData.personal,
          hasChildren: children.length > 0,
          children: children.map((age) => ({ age })),
        },
      },
    };
    const snapshot = { ...handCheckedSnapshot, country, currency };
    return budgetReportDocument(
      reportOf({ ...foldBudget({ ...facts, country, currency }, snapshot, logOf([given])), asOf: snapshot.asOf }),
    );
  };
  const swedish = section(of("SE", "SEK", []), "Method, sources and limits");
  t.deepEqual(linesOf(tables(swedish.blocks)[0]), [
    "data: Electricity | 0.00 | 380.00",
    "data: Mobile phone | 159.00 | 120.00",
    "data: Groceries | 2,500.00 | 3,880.00",
    "data: Clothing and shoes | 0.00 | 800.00",
    "data: Personal care | 0.00 | 580.00",
    "data: Furniture and household goods | 0.00 | 920.00",
    "data: Leisure | 0.00 | 1,220.00",
    "total: Total | 2,659.00 | 7,900.00",
  ]);
  const irish = section(of("IE", "EUR", [4, 14]), "Summary");
  t.false(JSON.stringify(irish).includes("Margin to the reference"));
  // (72 + 158) × 52.18 ÷ 12
  t.true(
    plain(JSON.stringify(irish)).includes(
      "MESL (budgeting.ie) (IE-MESL-2025-CHILD) has only what children cost: EUR 1,000.12 a month.",
    ),
  );
});

test("changes are told with their time in the brand's zone, and what was before and after", (t) => {
  const events: BudgetEvent[] = [
    adjusted("FOOD_GROCERIES", 300_000),
    adjusted("FOOD_GROCERIES", 280_000),
    { type: "ADJUSTMENT_REMOVED", categoryId: "FOOD_GROCERIES" },
    { type: "COMMENTED", comment: "Seen\ntogether." },
  ];
  const log = logOf(events).map((logged) =>
    logged.event.type === "COMMENTED" ? { ...logged, actor: "adviser-17" } : logged,
  );
  const { blocks } = section(
    budgetReportDocument(reportOf({ ...foldBudget(facts, handCheckedSnapshot, log), asOf: handCheckedSnapshot.asOf })),
    "Changes and comments",
  );
  t.deepEqual(linesOf(tables(blocks)[0]), [
    "data: 15 Jun 2026, 10:00 (the customer) | Value for Groceries | program: 2,500.00 | 3,000.00, monthly",
    "data: 15 Jun 2026, 10:00 (the customer) | Value for Groceries | 3,000.00, monthly | 2,800.00, monthly",
    "data: 15 Jun 2026, 10:00 (the customer) | Value for Groceries removed | 2,800.00, monthly | program: 2,500.00",
    "data: 15 Jun 2026, 10:00 (adviser-17) | Comment |  | Seen together.",
  ]);
  t.deepEqual(blocks.at(-1), { kind: "paragraph", text: "Seen\ntogether." });
});

test("an answer that was undone says so", (t) => {
  const answer = {
    type: "USER_PROVIDED",
    categories: [{ id: "FOOD_RESTAURANTS", amountMinor: null }],
    subject: null,
    txid: null,
    amountMinor: 15_000,
    frequency: "MONTHLY",
    title: "Eating out",
  } as const;
  const actionId = "7b1c5a52-6f5f-5a55-9a53-0c5a7f3a9a10";
  const events: BudgetEvent[] = [
    { type: "ANSWERED", actionId, answer },
    { type: "REVOKED", actionId, notApplicable: true },
    { type: "ANSWERED", actionId, answer },
  ];
  const { blocks } = section(budgetReportDocument(reportOf(folded(events))), "Changes and comments");
  t.deepEqual(
    linesOf(tables(blocks)[0])?.map((line) => line.slice(line.indexOf("|") + 2)),
    [
      "Answer: Eating out (undone) |  | 150.00, monthly: Restaurants and takeaway",
      "Answer undone: a payment that is no longer asked about |  | does not apply",
      "Answer: Eating out |  | 150.00, monthly: Restaurants and takeaway",
    ],
  );
});

test("what the brand does not show is left out, and said to be", (t) => {
  const document = budgetReportDocument(reportOf(folded([], { showsIncome: false, showsRiskIndicators: false })));
  t.deepEqual(section(document, "Income").blocks, [{ kind: "paragraph", text: "Income is not part of this budget." }]);
  t.deepEqual(section(document, "Risk indicators").blocks, [
    { kind: "paragraph", text: "Risk indicators are not part of this budget." },
  ]);
  t.false(JSON.stringify(section(document, "Summary")).includes("Disposable"));
});

test("co-applicants stand side by side with their sum, whoever of them named the other", (t) => {
  const other = { ...folded([adjusted("FOOD_GROCERIES", 100_000)]), id: "11111111-2222-4333-8444-555555555555" };
  const told = (given: Parameters<typeof reportOf>[1], events: BudgetEvent[] = []) =>
    sections(budgetReportDocument(reportOf(folded(events), given))).find(({ title }) => title === "Co-applicant");
  const lines = linesOf(tables(told({ other })!.blocks)[0]);
  t.is(lines?.[0], "data: Income | 25,000.00 | 25,000.00 | 50,000.00");
  t.true(lines?.includes("total: Expenses with a category | 11,092.33 | 9,592.33 | 20,684.66"));
  t.true(JSON.stringify(told({ other })).includes("11111111-2222-4333-8444-555555555555"));
  const abroad = told({ other: { ...other, currency: "SEK" } })!.blocks;
  t.is(tables(abroad).length, 0);
  t.true(JSON.stringify(abroad).includes("The other budget is in SEK, and figures of two currencies make no sum."));
  t.true(
    JSON.stringify(told({ other: { ...other, asOf: null } })!.blocks).includes("The other budget has no figures yet"),
  );
  t.is(told({}), undefined);
  t.deepEqual(told({}, [{ type: "COAPPLICANT_SET", applicantType: "SHARED_FINANCES", budgetId: null }])?.blocks, [
    { kind: "paragraph", text: "Two applicants with shared finances: this budget speaks for both." },
  ]);
});

test("every column with a total adds up to it, whatever was given", (t) => {
  const ids = expenseCategories.map(({ id }) => id);
  const event = fc
    .record({ categoryId: fc.constantFrom(...ids), amountMinor: fc.integer({ min: 0, max: 10_000_000 }) })
    .map(({ categoryId, amountMinor }) => adjusted(categoryId, amountMinor));
  fc.assert(
    fc.property(fc.array(event, { maxLength: 8 }), (events) => {
      const budget = folded(events);
      const { byCostType, categorizedMinor } = effectiveStanding(budget);
      t.is(
        Object.values(byCostType).reduce((sum, minor) => sum + minor, 0),
        categorizedMinor,
      );
      t.is(
        Object.values(engineTotals(budget.categories)).reduce((sum, minor) => sum + minor, 0),
        budget.amountCategorizedMinor,
      );
      const table = tables(section(budgetReportDocument(reportOf(budget)), "Expenses by category").blocks)[0]!;
      for (const [index, { align, title }] of table.columns.entries()) {
        if (align !== "right" || title === "Notes") continue;
        t.is(sum(table, "group", index), sum(table, "total", index), title);
      }
    }),
    runs(20),
  );
});

/** In minor units, of what is printed. */
function sum(table: Table, kind: string, column: number): number {
  return table.rows
    .filter((one) => one.kind === kind)
    .reduce(
      (total, { cells }) => total + Math.round(Number(cells[column]?.text.replaceAll(",", "").replace("−", "-")) * 100),
      0,
    );
}

test("every language writes every part, and the pages hold all of it in order", async (t) => {
  const counts = new Set<number>();
  for (const language of languageCodes) {
    const document = budgetReportDocument(reportOf(folded([{ type: "USER_DATA_SET", userData }], { language })));
    const { bytes } = await renderDocument(document);
    const { root, pages } = readPdf(bytes);
    t.deepEqual(
      elementsOf(root, "H2")
        .slice(2)
        .map(({ text }) => text.trim()),
      sections(document).map(({ title }, index) => `${index + 1}. ${title}`),
    );
    t.true(pages.every(({ unmarked }) => unmarked === 0));
    counts.add(sections(document).length);
  }
  t.deepEqual([...counts], [13]);
});

test("one budget makes the same bytes twice, and another after a change", async (t) => {
  const made = async (events: BudgetEvent[]) =>
    (await renderDocument(budgetReportDocument(reportOf(folded(events))))).sha256;
  t.is(await made([]), await made([]));
  t.not(await made([]), await made([adjusted("FOOD_GROCERIES", 1)]));
});

test("a household of two hundred payees with long names fits its pages", async (t) => {
  // Letters tell them apart: digits in a payee's name are taken for a branch.
  const letters = (index: number) => String.fromCharCode(65 + (index % 26), 65 + Math.floor(index / 26) + 10).repeat(4);
  const name = (index: number) =>
    `${letters(index)} Ældrebyggeri Øresundsvejens Andelsboligforening (tidligere Fællesforeningen-for-Danmarks-Brugsforeninger)`;
  const paid = Array.from({ length: 210 }, (_, index) =>
    monthly("2025-05", "2026-06", String((index % 27) + 1).padStart(2, "0"), {
      name: name(index),
      amount: `-${1000 + index}.00`,
      type: "DIRECT_DEBIT",
    }),
  ).flat();
  const budget = foldedOf(paid, [{ type: "COMMENTED", comment: `${"Å".repeat(300)} ${"ord ".repeat(4000)}` }]);
  const { bytes } = await renderDocument(
    budgetReportDocument(reportOf(budget, { reportId: "x".repeat(50), brand: name(1) })),
  );
  const { pages, root } = readPdf(bytes);
  const services = elementsOf(root, "Table")
    .map((table) => elementsOf(table, "TR"))
    .find((rows) => rows.length > 180);
  t.truthy(services);
  // A date is one word.
  t.true(services!.slice(1, -1).every(({ children }) => /^\d+ \w+ 2026$/.test(children.at(-1)!.text)));
  for (const { items, unmarked } of pages) {
    t.is(unmarked, 0);
    for (const { x, y, text } of items) t.true(x >= 55.9 && x < 540 && y > 20 && y < 842, text);
  }
});
