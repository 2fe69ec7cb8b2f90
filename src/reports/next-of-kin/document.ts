/** The report for the next of kin as a document: sections, tables and sentences. Pure. */
import { categoryById, nameOf } from "../../categories/tree.ts";
import type { Money } from "../../money.ts";
import type { Block, Cell, Document, Row, Section, Table } from "../document/blocks.ts";
import { fill, type Formats, formatsOf, unbroken } from "../language.ts";
import { type Language, languages } from "../../texts/languages.ts";
import type { NextOfKinTexts, ReportTexts } from "../../texts/wording.ts";
import type { Agreement, Estate, RepayableIncome } from "./estate.ts";

/** What every part of the document is written with. */
type Writing = {
  language: Language;
  texts: NextOfKinTexts;
  shared: ReportTexts;
  formats: Formats;
  currency: string;
};

export function nextOfKinDocument(estate: Estate, language: Language): Document {
  const writing: Writing = {
    language,
    texts: languages[language].texts.nextOfKin,
    shared: languages[language].texts.reports,
    formats: formatsOf(language),
    currency: estate.currency,
  };
  const { texts, shared, formats } = writing;
  return {
    language: formats.locale,
    title: texts.title,
    subtitle: texts.subtitle,
    brand: estate.brand,
    logo: estate.logo,
    customer: estate.customer,
    identifier: estate.documentId,
    footer: [texts.footer, formats.longDay(estate.asOf), `recognition-${estate.algorithmVersion}`].join(" · "),
    pageNumber: shared.pageNumber,
    madeOn: estate.asOf,
    blocks: [
      { kind: "notice", text: texts.notice },
      cover(estate, writing),
      overview(estate, writing),
      agreements(texts.subscriptions, estate.subscriptions, writing),
      agreements(texts.fixed, estate.fixed, writing),
      stopped(estate, writing),
      income(estate, writing),
      method(estate, writing),
    ],
  };
}

function cover(estate: Estate, { texts: { cover: labels }, shared, formats }: Writing): Block {
  const { transactions } = estate;
  return {
    kind: "facts",
    facts: [
      { label: labels.customer, value: estate.customer },
      { label: labels.documentId, value: estate.documentId },
      { label: labels.madeOn, value: formats.longDay(estate.asOf) },
      ...(estate.effectiveDate === null
        ? []
        : [{ label: labels.effectiveDate, value: formats.longDay(estate.effectiveDate) }]),
      {
        label: labels.period,
        value:
          transactions === null
            ? shared.none
            : `${formats.longDay(transactions.from)} – ${formats.longDay(transactions.to)}`,
      },
      { label: labels.accounts, value: estate.accounts.length === 0 ? shared.none : estate.accounts.join("\n") },
    ],
  };
}

function overview(estate: Estate, writing: Writing): Section {
  const {
    texts: { overview: texts },
    formats,
    currency,
  } = writing;
  const counted = (agreements: readonly Agreement[]) =>
    fill(texts.agreements, { count: formats.count(agreements.length) });
  const yearly = (agreements: readonly Agreement[]) =>
    formats.money(
      totalOf(
        agreements.map((one) => one.yearly),
        currency,
      ),
      currency,
    );
  const steps = stepsOf(estate, writing);
  return {
    kind: "section",
    title: texts.title,
    blocks: [
      {
        kind: "figures",
        figures: [
          { label: texts.subscriptions, value: yearly(estate.subscriptions), detail: counted(estate.subscriptions) },
          { label: texts.fixed, value: yearly(estate.fixed), detail: counted(estate.fixed) },
          { label: texts.stopped, value: formats.count(estate.stopped.length) },
        ],
      },
      { kind: "paragraph", text: texts.intro },
      ...(steps.length === 0
        ? []
        : [{ kind: "heading", text: texts.stepsTitle } as const, { kind: "list", items: steps } as const]),
    ],
  };
}

/** What can be done, each only where there is something to do it about. */
function stepsOf(estate: Estate, { texts: { overview: texts }, formats }: Writing): string[] {
  const running = [...estate.subscriptions, ...estate.fixed];
  const count = (condition: (agreement: Agreement) => boolean) => running.filter(condition).length;
  const payers = new Set(estate.income.map(({ payer }) => payer)).size;
  const steps: [sentence: string, count: number][] = [
    [texts.directDebits, count(({ method: how }) => how === "DIRECT_DEBIT")],
    [texts.cards, count(({ method: how }) => how === "CARD")],
    [texts.invoices, count(({ method: how }) => how === "INVOICE" || how === "TRANSFER")],
    [texts.stores, count(({ storeUrl }) => storeUrl !== null)],
    [texts.repayable, payers],
  ];
  return steps
    .filter(([, found]) => found > 0)
    .map(([sentence, found]) => fill(sentence, { count: formats.count(found) }));
}

/** Names are the longest of all: what there is to spare is theirs, and the way to end it takes a second line. */
const productWeight = 9;

function agreements(
  texts: { title: string; intro: string; none: string },
  listed: readonly Agreement[],
  writing: Writing,
): Section {
  if (listed.length === 0)
    return { kind: "section", title: texts.title, blocks: [{ kind: "paragraph", text: texts.none }] };
  const {
    shared,
    texts: { total, columns },
    formats,
    currency,
  } = writing;
  const sum = totalOf(
    listed.map((one) => one.yearly),
    currency,
  );
  const table: Table = {
    kind: "table",
    summary: texts.title,
    columns: [
      { title: columns.product, weight: productWeight },
      { title: columns.payment, weight: 2 },
      { title: columns.amount, align: "right" },
      { title: columns.yearly, align: "right" },
      { title: columns.dates },
      { title: columns.cancelling, weight: 2 },
    ],
    rows: [
      ...listed.map((one): Row => ({ kind: "data", cells: agreementCells(one, writing) })),
      {
        kind: "total",
        cells: [
          { text: total },
          { text: "" },
          { text: "" },
          { text: formats.amount(sum, currency) },
          { text: "" },
          { text: "" },
        ],
      },
    ],
  };
  return {
    kind: "section",
    title: texts.title,
    blocks: [
      {
        kind: "paragraph",
        text: `${texts.intro} ${fill(shared.amountsIn, { currency })}${foreignNote(listed, writing)}`,
      },
      table,
    ],
  };
}

function agreementCells(one: Agreement, writing: Writing): Cell[] {
  const { texts, shared, formats } = writing;
  return [
    productCell(one, writing),
    paymentCell(one, texts),
    { text: amountIn(one.amount, writing), detail: shared.frequency[one.frequency] },
    { text: amountIn(one.yearly, writing) },
    {
      text: formats.day(one.lastDay),
      ...(one.nextDay === null ? {} : { detail: unbroken(fill(texts.next, { day: formats.day(one.nextDay) })) }),
    },
    { text: texts.cancelling[one.ending] },
  ];
}

function productCell({ title, company, marks, storeUrl }: Agreement, { texts }: Writing): Cell {
  const hints = [
    ...(company === null ? [] : [company]),
    ...marks.map((mark) => texts.mark[mark]),
    ...(storeUrl === null ? [] : [fill(texts.storeAt, { url: storeUrl.replace(/^https:\/\//, "") })]),
  ];
  return { text: title, detail: hints.join("\n") };
}

function paymentCell({ method: how, paidFrom }: Agreement, texts: NextOfKinTexts): Cell {
  return { text: texts.method[how], detail: paidFrom ?? "" };
}

function stopped(estate: Estate, writing: Writing): Section {
  const { texts, shared, formats } = writing;
  if (estate.stopped.length === 0)
    return { kind: "section", title: texts.stopped.title, blocks: [{ kind: "paragraph", text: texts.stopped.none }] };
  const rows = estate.stopped.map((one): Row => ({
    kind: "data",
    cells: [
      productCell(one, writing),
      paymentCell(one, texts),
      { text: amountIn(one.amount, writing), detail: shared.frequency[one.frequency] },
      { text: formats.day(one.lastDay) },
      { text: texts.cancelling[one.ending] },
    ],
  }));
  const { columns } = texts;
  return {
    kind: "section",
    title: texts.stopped.title,
    blocks: [
      { kind: "paragraph", text: `${texts.stopped.intro}${foreignNote(estate.stopped, writing)}` },
      {
        kind: "table",
        summary: texts.stopped.title,
        rows,
        columns: [
          { title: columns.product, weight: productWeight },
          { title: columns.payment, weight: 2 },
          { title: columns.amount, align: "right" },
          { title: columns.lastDates },
          { title: columns.cancelling, weight: 2 },
        ],
      },
    ],
  };
}

function income(estate: Estate, writing: Writing): Section {
  const {
    texts: { income: texts },
  } = writing;
  if (estate.income.length === 0)
    return { kind: "section", title: texts.title, blocks: [{ kind: "paragraph", text: texts.none }] };
  return {
    kind: "section",
    title: texts.title,
    blocks: [
      { kind: "paragraph", text: texts.intro },
      {
        kind: "table",
        summary: texts.title,
        rows: estate.income.map((one) => ({ kind: "data", cells: incomeCells(one, writing) })),
        columns: [
          { title: texts.payer, weight: 3 },
          { title: texts.kind, weight: 2 },
          { title: texts.frequency },
          { title: texts.lastDay },
          { title: texts.lastAmount, align: "right" },
          { title: texts.total, align: "right" },
        ],
      },
    ],
  };
}

function incomeCells(one: RepayableIncome, writing: Writing): Cell[] {
  const { shared, formats, language } = writing;
  return [
    { text: one.payer },
    { text: nameOf(categoryById(one.categoryId), language) },
    { text: one.frequency === null ? shared.frequency.UNKNOWN : shared.frequency[one.frequency] },
    { text: formats.day(one.lastDay) },
    { text: amountIn(one.lastAmount, writing) },
    { text: amountIn(one.total, writing) },
  ];
}

function method(estate: Estate, { texts: { methodSection: texts }, formats }: Writing): Section {
  const { transactions } = estate;
  const { source, rules, yearly, masked } = texts.paragraphs;
  const sources =
    transactions === null
      ? texts.empty
      : fill(source, {
          day: formats.longDay(estate.asOf),
          count: formats.counted(transactions.count),
          from: formats.longDay(transactions.from),
          to: formats.longDay(transactions.to),
        });
  const sentences = [sources, fill(rules, { version: String(estate.algorithmVersion) }), yearly, masked];
  return { kind: "section", title: texts.title, blocks: sentences.map((text) => ({ kind: "paragraph", text })) };
}

/** Only what is in the brand's currency can be added. */
function totalOf(amounts: readonly Money[], currency: string): number {
  return amounts.filter((amount) => amount.currency === currency).reduce((sum, { minor }) => sum + minor, 0);
}

function amountIn(amount: Money, { formats, currency }: Writing): string {
  return amount.currency === currency
    ? formats.amount(amount.minor, currency)
    : formats.money(amount.minor, amount.currency);
}

function foreignNote(listed: readonly Agreement[], { texts, currency }: Writing): string {
  return listed.some(({ yearly }) => yearly.currency !== currency) ? ` ${fill(texts.otherCurrency, { currency })}` : "";
}
