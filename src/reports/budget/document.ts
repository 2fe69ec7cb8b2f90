/** The budget report as a document: its parts in the order in which an adviser asks. Pure. */
import type { Document } from "../document/blocks.ts";
import { changes } from "./changes.ts";
import { coapplicant } from "./coapplicant.ts";
import { cover } from "./cover.ts";
import { credit } from "./credit.ts";
import { expenses, obligations, services } from "./expenses.ts";
import { household } from "./household.ts";
import { income } from "./income.ts";
import { lapses } from "./lapses.ts";
import { method } from "./method.ts";
import { risks, uncategorized, year } from "./observations.ts";
import { summary } from "./summary.ts";
import { type BudgetReport, type Writing, writingOf } from "./writing.ts";

export function budgetReportDocument(report: BudgetReport): Document {
  const writing = writingOf(report);
  const { texts } = writing;
  const second = coapplicant(report, writing);
  return {
    ...furnitureOf(report, writing),
    title: texts.title,
    subtitle: texts.subtitle,
    blocks: [
      ...cover(report, writing),
      summary(report, writing),
      household(report, writing),
      income(report, writing),
      expenses(report, writing),
      obligations(report, writing),
      services(report, writing),
      credit(report, writing),
      lapses(report, writing),
      risks(report, writing),
      year(report, writing),
      uncategorized(report, writing),
      changes(report, writing),
      ...(second === null ? [] : [second]),
      method(report, writing),
    ],
  };
}

/** What every page bears: whose it is, which it is, and of which day and rules its figures are. */
export function furnitureOf(
  { budget, brand, logo, customer, customerName, reportId }: BudgetReport,
  { texts, shared, formats }: Writing,
): Omit<Document, "title" | "subtitle" | "blocks"> {
  // "budget-4, categories 2026-11": the first names the rules; the last page tells both.
  const version = budget.rulesVersion?.split(",", 1) ?? [];
  return {
    language: formats.locale,
    brand,
    logo,
    customer: customerName ?? customer,
    identifier: reportId ?? budget.id,
    footer: [texts.footer, formats.longDay(budget.asOf), ...version].join(" · "),
    pageNumber: shared.pageNumber,
    madeOn: budget.asOf,
  };
}
