/** The pages on money, income and credit, the customer's own page, and what no page names. */
import test from "ava";
import type { BudgetEvent } from "../../../src/budgets/budget.ts";
import { rulesVersion } from "../../../src/budgets/version.ts";
import { customerDocument } from "../../../src/reports/budget/customer.ts";
import { budgetReportDocument } from "../../../src/reports/budget/document.ts";
import type { Block, Document, Section, Table } from "../../../src/reports/document/blocks.ts";
import { renderDocument } from "../../../src/reports/document/render.ts";
import { languageCodes } from "../../../src/texts/languages.ts";
import { monthly, type Paid } from "../../budgets/household.ts";
import { readPdf } from "../pdf.ts";
import { foldedOf, reportOf } from "./reports.ts";

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");
const section = (document: Document, title: string) =>
  document.blocks.find((block): block is Section => block.kind === "section" && block.title === title)!;
const tables = (blocks: readonly Block[]) => blocks.filter((block): block is Table => block.kind === "table");
const linesOf = (table: Table | undefined) =>
  table?.rows.map(({ cells }) =>
    cells.map(({ text, detail }) => plain(detail ? `${text} (${detail})` : text)).join(" | "),
  );

const paid: Paid[] = [
  ...monthly("2025-05", "2026-05", "28", { name: "Løn Nordfirma A/S", amount: "30000.00", type: "ACCOUNT_TRANSFER" }),
  ...monthly("2025-05", "2026-05", "01", {
    name: "Husleje Boligselskabet Nord",
    amount: "-8000.00",
    type: "DIRECT_DEBIT",
  }),
  ...monthly("2025-05", "2026-05", "05", { name: "Kobmand Holm", amount: "-3500.00", mcc: 5411 }),
  ...monthly("2025-05", "2026-02", "10", { name: "Fjordtel", amount: "-149.00", mcc: 4814 }),
  ...monthly("2025-05", "2026-06", "12", { name: "3F Fagforening", amount: "-480.00", type: "DIRECT_DEBIT" }),
  ...monthly("2025-06", "2026-05", "07", { name: "Bet365", amount: "-700.00", mcc: 7995 }),
  { day: "2025-09-11", name: "Bet365", amount: "2500.00", mcc: 7995 },
  { day: "2026-02-11", name: "Tandlaege Ib", amount: "-2340.00", mcc: 8021 },
  { day: "2025-08-12", name: "Udbetaling af lån Santander", amount: "60000.00", type: "OTHER" },
];
const adviser = budgetReportDocument(reportOf(foldedOf(paid)));

test("page two tells where every amount went, and why the budget leaves another amount than the accounts kept", async (t) => {
  const money = tables(section(adviser, "Summary").blocks)[1];
  t.deepEqual(linesOf(money), [
    "Income that recurs | 12 | 360,000.00",
    // Rent 96,000.00, groceries 42,000.00, nine months' phone 1,341.00, union 5,760.00, gambling 8,400.00, dentist 2,340.00
    "Expenses that recur or are everyday | 58 | −155,841.00",
    "Loans paid out | 1 | 60,000.00",
    "Gambling winnings | 1 | 2,500.00",
    "Sum of all bank amounts |  | 266,659.00",
  ]);
  const { pages } = readPdf((await renderDocument(adviser)).bytes);
  const second = plain(pages[1]!.items.map(({ text }) => text).join(" "));
  for (const told of ["Where the money went", "Sum of all bank amounts", "Left a month: "])
    t.true(second.includes(told), told);
});

test("what was paid once is not told to come monthly because its mean is budgeted", (t) => {
  const once: Paid[] = [...paid, { day: "2025-12-19", name: "Inkasso Intrum", amount: "-2400.00", type: "INVOICE" }];
  const [owed] = tables(
    section(budgetReportDocument(reportOf(foldedOf(once))), "Loans, credit and other obligations").blocks,
  );
  // 2,400.00 / 12 = 200.00.
  t.deepEqual(
    linesOf(owed)?.[0],
    "Inkasso Intrum | Debt collection | irregular | 200.00 | 200.00 | 19 Dec 2025 (−2,400.00)",
  );
});

test("the income page tells payer, months, steadiness and what is not counted", (t) => {
  const [counted, excluded] = tables(section(adviser, "Income").blocks);
  t.deepEqual(
    linesOf(counted)?.[0],
    "Løn Nordfirma (Salary, certain) | Jun 2025 | 12 of 12 | 30,000.00 | 30,000.00 (30,000.00) | 100% | 0 | 28 May 2026 (30,000.00) | medium",
  );
  t.deepEqual(linesOf(excluded), [
    "Udbetaling Af Lån Santander | loan paid out | 1 | 60,000.00",
    "Bet365 | gambling winnings | 1 | 2,500.00",
  ]);
});

test("what is due and not seen, and what stopped, stand on a page of their own", (t) => {
  const [overdue, stopped] = tables(section(adviser, "Expected, not seen").blocks);
  t.deepEqual(linesOf(overdue), [
    "Husleje Boligselskabet Nord | Rent | 8,000.00 | 1 Jun 2026 | 1 May 2026 (−8,000.00)",
  ]);
  t.deepEqual(linesOf(stopped), ["Fjordtel | Mobile phone | 149.00 | 10 Feb 2026 | paid no more"]);
});

test("the credit page counts its signs, shows their rows, and computes nothing that no account tells", (t) => {
  const { blocks } = section(adviser, "Credit");
  const [signs, first] = tables(blocks);
  t.deepEqual(
    linesOf(signs)?.filter((line) => !line.includes("| 0 |")),
    ["Loans paid out | 1 | 60,000.00 | –", "Gambling: staked | 12 | 8,400.00 | –", "Gambling: won | 1 | 2,500.00 | –"],
  );
  t.deepEqual(linesOf(first), ["12 Aug 2025 | Udbetaling Af Lån Santander | 60,000.00"]);
  const ratios = blocks
    .find((block) => block.kind === "facts")!
    .facts.map(({ label, value }) => `${label}: ${plain(value)}`);
  t.deepEqual(ratios.slice(0, 4), [
    "To lenders a month: DKK 0.00",
    "To lenders, share of the income: 0%",
    "Gambling, net in 12 months: DKK 5,900.00",
    "Gambling, share of the income: 2%",
  ]);
  t.true(ratios.includes("Debt: not computable from account data"));
  const debts: BudgetEvent = {
    type: "DEBTS_SET",
    debts: [{ title: "Boliglån", remainingMinor: 100_000_000, rateHundredths: 450, termMonths: 240 }],
  };
  const given = section(budgetReportDocument(reportOf(foldedOf(paid, [debts]))), "Credit");
  // 1,000,000.00 × 0.00375 / (1 − 1.00375^−240) = 6,326.49
  t.deepEqual(linesOf(tables(given.blocks)[1]), [
    "Boliglån | 1,000,000.00 | 4.5% | 240 | 6,326.49",
    "Total | 1,000,000.00 |  |  | 6,326.49",
  ]);
  const told = given.blocks.filter((block) => block.kind === "facts").flatMap(({ facts }) => facts);
  t.deepEqual(
    told.slice(-5).map(({ label, value }) => `${label}: ${plain(value)}`),
    [
      // 1,000,000.00 of 12 × 30,000.00.
      "Debt: 2.8 times a year's income on the accounts, after tax",
      // 30,000.00 − 12,875.00 − 6,326.49; less fixed: 30,000.00 − 8,000.00 − 480.00 − 6,326.49.
      "Left a month after all expenses: DKK 10,798.51",
      "Available after fixed expenses and these payments: DKK 15,193.51",
      "Reference minimum: DKK 7,240.00 (Gældsstyrelsen (DK-DEBT-2024), in force from 1 January 2024)",
      // Covered: groceries 3,500.00, gambling 700.00. 30,000.00 − 8,675.00 − 7,240.00 − 6,326.49.
      "Left when living costs are the minimum: DKK 7,758.51",
    ],
  );
});

test("neither union nor dentist is named on any page, and both are in the sums", async (t) => {
  for (const language of languageCodes) {
    const answer: BudgetEvent = {
      type: "ANSWERED",
      actionId: "a",
      answer: {
        type: "RAW",
        categories: [{ id: "HEALTH_PHARMACY", amountMinor: null }],
        subject: "payee:KOBMAND HOLM",
        txid: null,
        amountMinor: null,
        frequency: null,
        title: null,
      },
    };
    for (const events of [[], [answer]]) {
      const report = reportOf(foldedOf(paid, events, { language }));
      for (const document of [budgetReportDocument(report), customerDocument(report)]) {
        const { text } = readPdf((await renderDocument(document)).bytes);
        t.notRegex(
          plain(text),
          /3F|Tandl|Fagfor|fagfor|[Ff]ackf|[Uu]nion\b|[Pp]harmac|[Aa]potek|[Dd]entist|[Tt]andl[æä]/u,
          language,
        );
      }
    }
  }
  const rows = linesOf(tables(section(adviser, "Expenses by category").blocks)[0])!;
  // 480.00 and 2,340.00 / 12 = 195.00.
  t.true(rows.some((line) => line.startsWith("Other living costs | 675.00 |")));
});

test("the customer's own page is one page in every language, and adds up", async (t) => {
  for (const language of languageCodes) {
    const { bytes } = await renderDocument(customerDocument(reportOf(foldedOf(paid, [], { language }))));
    const { pages } = readPdf(bytes);
    t.is(pages.length, 1, language);
    t.is(pages[0]?.unmarked, 0);
  }
  const page = customerDocument(reportOf(foldedOf(paid)));
  const figures = page.blocks.find((block) => block.kind === "figures")!;
  t.deepEqual(
    figures.figures.map(({ value }) => plain(value)),
    ["DKK 30,000.00", "DKK 12,875.00", "DKK 17,125.00"],
  );
  t.deepEqual(linesOf(tables(page.blocks)[0]), [
    "Housing | 8,000.00",
    "Food and household | 3,500.00",
    "Leisure | 700.00",
    "Other living costs | 675.00",
    "Total | 12,875.00",
  ]);
});

test("every page bears the day and the version of its figures, and the customer's name", async (t) => {
  const { pages } = readPdf(
    (await renderDocument(budgetReportDocument(reportOf(foldedOf(paid), { customerName: "Anna Holm" })))).bytes,
  );
  for (const { items } of pages)
    t.true(plain(items.map(({ text }) => text).join(" ")).includes(`15 June 2026 · ${rulesVersion.split(",")[0]}`));
  for (const { items } of pages) t.true(items.some(({ text }) => plain(text).includes("Anna Holm")));
  t.true(pages[0]!.items.some(({ text }) => plain(text) === "kunde-4711"));
});

const twoMonths: Paid[] = [
  ...monthly("2026-04", "2026-05", "25", { name: "Løn Nordfirma A/S", amount: "30000.00", type: "ACCOUNT_TRANSFER" }),
  ...monthly("2026-04", "2026-06", "03", { name: "Kobmand Holm", amount: "-2345.60", mcc: 5411 }),
];
const sentencesOf = ({ blocks }: Document) =>
  blocks.flatMap((block) => (block.kind === "paragraph" ? [plain(block.text)] : []));

test("of two known months no page claims twelve, and months of which nothing is known have no noughts", (t) => {
  const thin = budgetReportDocument(reportOf(foldedOf(twoMonths)));
  const months = linesOf(tables(section(thin, "The last twelve months").blocks)[0])!;
  t.is(months[0], "June 2025 (incomplete) | – | – | –");
  t.is(months[10], "April 2026 | 30,000.00 | 2,345.60 | 27,654.40");
  const risks = section(thin, "Risk indicators").blocks.flatMap((block) =>
    block.kind === "paragraph" ? [plain(block.text)] : [],
  );
  t.true(
    risks.includes(
      "No payments to debt collectors in the last 12 months. The accounts' data cover 2 of the 12 months.",
    ),
  );
  t.is(risks.filter((text) => text.endsWith("The accounts' data cover 2 of the 12 months.")).length, 6);
  const whole = section(adviser, "Risk indicators").blocks;
  t.false(whole.some((block) => block.kind === "paragraph" && block.text.includes("cover")));
});

test("the three lowest months of a short history are those that are known", (t) => {
  const [income] = foldedOf(twoMonths)
    .income!.flatMap(({ children }) => children)
    .flatMap(({ items }) => items);
  t.is(income?.income?.lowestThreeMonthsMinor, 3_000_000);
});

test("where nothing came or went once a sentence stands in the place of a table of noughts", (t) => {
  const { blocks } = section(budgetReportDocument(reportOf(foldedOf(twoMonths))), "The last twelve months");
  t.is(tables(blocks).length, 1);
  t.is(
    tables(section(adviser, "The last twelve months").blocks).length > 1,
    foldedOf(paid).nonrecurringTransactions.length > 0,
  );
});

test("the customer is told of thin data, of more going out than in and of what nobody knows, each in its language", (t) => {
  const page = (rows: readonly Paid[], language: (typeof languageCodes)[number] = "en") =>
    sentencesOf(customerDocument(reportOf(foldedOf(rows, [], { language }))));
  t.true(page(twoMonths).includes("We know only 2 complete months of your accounts, so these figures are uncertain."));
  t.false(page(twoMonths).includes("Nothing needs your attention."));
  const poor: Paid[] = [
    ...monthly("2025-05", "2026-05", "25", { name: "Løn Nordfirma A/S", amount: "10000.00", type: "ACCOUNT_TRANSFER" }),
    ...monthly("2025-05", "2026-06", "01", {
      name: "Husleje Boligselskabet Nord",
      amount: "-10450.17",
      type: "DIRECT_DEBIT",
    }),
    ...monthly("2025-05", "2026-05", "11", { name: "XQ Zorbo", amount: "-300.00", type: "OTHER" }),
  ];
  t.true(page(poor).includes("DKK 450.17 more goes out than comes in each month."));
  t.true(
    page(poor).includes("For DKK 300.00 a month we do not know what was paid for. It is not counted on this page."),
  );
  t.true(page(poor, "da").includes("Der går 450,17 kr. mere ud end ind om måneden."));
  t.true(page(poor, "nb").some((text) => text.includes("i måneden vet vi ikke hva som ble betalt")));
  t.true(page(twoMonths, "sv").some((text) => text.startsWith("Vi känner bara till 2 hela månader")));
});
