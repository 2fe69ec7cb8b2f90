/** What every section of the budget report is written with. */
import type { FoldedBudget, Item } from "../../budgets/budget.ts";
import { categoryById, nameOf } from "../../categories/tree.ts";
import { parseAmount } from "../../money.ts";
import type { Transaction } from "../../interface/services.ts";
import type { Cell, Column, Logo, Row, Section } from "../document/blocks.ts";
import { nameOfCategory } from "./special.ts";
import { fill, type Formats, formatsOf, unbroken } from "../language.ts";
import { type Language, languages } from "../../texts/languages.ts";
import type { BudgetPagesTexts, BudgetReportTexts, ReportTexts } from "../../texts/wording.ts";

/** A budget with figures, and what its report says besides. */
export type BudgetReport = {
  budget: FoldedBudget & { asOf: string };
  /** As the caller calls it; null when it gave none. */
  reportId: string | null;
  /** Who gives the report out. */
  brand: string;
  /** Null: the brand's name stands for it. */
  logo: Logo | null;
  /** The bank's own number of the customer. */
  customer: string;
  /** As the caller calls the customer; null when it gave no name. */
  customerName: string | null;
  /** What counts of an irregular income. */
  irregularPercent: number;
  timeZone: string;
  /** Of the co-applicant with separate finances, as far as the two are linked. */
  other: FoldedBudget | null;
};

export type Blocks = Section["blocks"];

export type Writing = {
  language: Language;
  texts: BudgetReportTexts;
  pages: BudgetPagesTexts;
  shared: ReportTexts;
  formats: Formats;
  currency: string;
  /** A figure in the budget's currency, without its name. */
  amount(minor: number): string;
  /** As amount; a dash for null. */
  amountOrNone(minor: number | null): string;
  money(minor: number): string;
  /** A transaction's amount with the bank's sign; another currency than the budget's is named. */
  paid(transaction: Transaction): string;
  /** Of a leaf or a group; what no document names is told as a living cost. */
  categoryName(id: string): string;
  /** How sure the engine is of what a line is, or that somebody said it. */
  confidence(item: Pick<Item, "confidence">): string;
  frequency(item: Pick<Item, "paymentFrequency">): string;
  /** How often a payee is really paid: what is only budgeted by its monthly mean does not come every month. */
  howOften(item: Pick<Item, "paymentFrequency" | "type" | "monthsSeen">): string;
  /** Who did something: the partner's name of them, or the customer. */
  actor(name: string | null): string;
  /** An instant in the brand's time zone. @param at ISO 8601 */
  moment(at: string): string;
};

export function writingOf({ budget, timeZone }: BudgetReport): Writing {
  const { language, currency } = budget;
  const formats = formatsOf(language);
  const shared = languages[language].texts.reports;
  const moments = new Intl.DateTimeFormat(formats.locale, { dateStyle: "medium", timeStyle: "short", timeZone });
  const amount = (minor: number) => formats.amount(minor, currency);
  return {
    language,
    formats,
    shared,
    currency,
    amount,
    texts: languages[language].texts.budgetReport,
    pages: languages[language].texts.budgetPages,
    amountOrNone: (minor) => (minor === null ? shared.none : amount(minor)),
    money: (minor) => formats.money(minor, currency),
    paid: (transaction) => {
      const minor = minorOf(transaction);
      return transaction.currency === currency ? amount(minor) : formats.money(minor, transaction.currency);
    },
    categoryName: (id) =>
      nameOfCategory(id, nameOf(categoryById(id), language), languages[language].texts.budgetPages.special),
    confidence: ({ confidence }) => languages[language].texts.budgetPages.confidence[levelOf(confidence)],
    frequency: ({ paymentFrequency }) => unbroken(shared.frequency[paymentFrequency]),
    howOften: ({ paymentFrequency, type, monthsSeen }) => {
      const isMean = type === "DERIVED_FROM_TRANSACTIONS" || type === "RAW";
      const isSeldom = isMean && monthsSeen < budget.coveredMonths;
      return unbroken(shared.frequency[isSeldom ? "UNKNOWN" : paymentFrequency]);
    },
    actor: (name) => name ?? languages[language].texts.budgetReport.changes.customer,
    moment: (at) => unbroken(moments.format(new Date(at))),
  };
}

/** From these on a line is sure, and fairly sure. */
const sureFrom = 0.85;
const fairFrom = 0.7;

function levelOf(confidence: number): "HIGH" | "MEDIUM" | "LOW" {
  return confidence >= sureFrom ? "HIGH" : confidence >= fairFrom ? "MEDIUM" : "LOW";
}

/** JSON numbers of transactions are made from minor units, so they go back exactly. */
export function minorOf({ amount, currency }: Pick<Transaction, "amount" | "currency">): number {
  const money = parseAmount(amount, currency);
  if (money === null) throw new RangeError("a transaction's amount is beyond what minor units can count");
  return money.minor;
}

export function latestOf({ transactions }: Pick<Item, "transactions">): Transaction | null {
  return transactions.at(-1) ?? null;
}

/** Date of the last payment, its amount below it. */
export function lastPaymentCell(item: Item, { formats, paid, shared }: Writing): Cell {
  const latest = latestOf(item);
  return latest === null ? { text: shared.none } : { text: formats.day(latest.transactionDate), detail: paid(latest) };
}

export function figures(title: string): Column {
  return { title, align: "right" };
}

export function row(kind: Row["kind"], ...cells: (string | Cell)[]): Row {
  return { kind, cells: cells.map((cell) => (typeof cell === "string" ? { text: cell } : cell)) };
}

/** A table, or the sentence that there is nothing to put into it. */
export function tableOr(
  none: string,
  summary: string,
  columns: readonly Column[],
  rows: readonly Row[],
): Blocks[number] {
  return rows.length === 0 ? { kind: "paragraph", text: none } : { kind: "table", summary, columns, rows };
}

export { fill };
