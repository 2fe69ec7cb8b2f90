/** The budget report as a document: thirteen parts, in the order in which an adviser asks. Pure. */
import type { Document } from "../document/blocks.ts";
import { changes } from "./changes.ts";
import { coapplicant } from "./coapplicant.ts";
import { cover } from "./cover.ts";
import { expenses, obligations, services } from "./expenses.ts";
import { household } from "./household.ts";
import { income } from "./income.ts";
import { method } from "./method.ts";
import { risks, uncategorized, year } from "./observations.ts";
import { summary } from "./summary.ts";
import { type BudgetReport, writingOf } from "./writing.ts";

export function budgetReportDocument(report: BudgetReport): Document {
  const writing = writingOf(report);
  const { texts, shared, formats } = writing;
  const second = coapplicant(report, writing);
  return {
    language: formats.locale,
    title: texts.title,
    subtitle: texts.subtitle,
    brand: report.brand,
    identifier: report.reportId ?? report.budget.id,
    footer: texts.footer,
    pageNumber: shared.pageNumber,
    madeOn: report.budget.asOf,
    blocks: [
      ...cover(report, writing),
      summary(report, writing),
      household(report, writing),
      income(report, writing),
      expenses(report, writing),
      obligations(report, writing),
      services(report, writing),
      risks(report, writing),
      year(report, writing),
      uncategorized(report, writing),
      changes(report, writing),
      ...(second === null ? [] : [second]),
      method(report, writing),
    ],
  };
}
