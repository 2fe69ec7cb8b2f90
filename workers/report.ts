/** The thread's side of reports: read one snapshot of the database, lay out, answer the bytes. Writes nothing. */
import { type Database, inTransaction, type Transaction } from "../src/database/database.ts";
import { useCurrentProducts } from "../src/recognition/product-edits.ts";
import { customerDocument } from "../src/reports/budget/customer.ts";
import { budgetReportDocument } from "../src/reports/budget/document.ts";
import { readBudgetReport } from "../src/reports/budget/read.ts";
import { renderDocument } from "../src/reports/document/render.ts";
import { nextOfKinDocument } from "../src/reports/next-of-kin/document.ts";
import { readEstate } from "../src/reports/next-of-kin/read.ts";
import type { WorkerContext } from "./context.ts";
import type { BudgetReportOutcome, BudgetReportTask, ReportOutcome, ReportTask } from "../src/reports/task.ts";

export async function makeReport({ database }: WorkerContext, task: ReportTask): Promise<ReportOutcome> {
  await useCurrentProducts(database);
  const { estate, language } = await inSnapshot(database, (transaction) => readEstate(transaction, task));
  return await renderDocument(nextOfKinDocument(estate, language));
}

export async function makeBudgetReport(
  { database }: WorkerContext,
  task: BudgetReportTask,
): Promise<BudgetReportOutcome> {
  const report = await inSnapshot(database, (transaction) => readBudgetReport(transaction, task));
  if (typeof report === "string") return { state: report };
  const documentOf = task.edition === "CUSTOMER" ? customerDocument : budgetReportDocument;
  return { state: "MADE", ...(await renderDocument(documentOf(report))) };
}

/** A load or an answer in between must not make a report disagree with itself. */
async function inSnapshot<Result>(
  database: Database,
  read: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(database, async (transaction) => {
    await transaction.query("set transaction isolation level repeatable read, read only");
    return await read(transaction);
  });
}
