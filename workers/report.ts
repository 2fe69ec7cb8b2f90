/** The thread's side of reports: read, lay out, answer the bytes. Writes nothing. */
import { inTransaction, type Transaction } from "../src/database.ts";
import type { Document } from "../src/reports/document/blocks.ts";
import { renderDocument } from "../src/reports/document/render.ts";
import { nextOfKinDocument } from "../src/reports/next-of-kin/document.ts";
import { readEstate } from "../src/reports/next-of-kin/read.ts";
import type { WorkerContext } from "./context.ts";
import type { ReportOutcome, ReportTask } from "./messages.ts";

export async function makeReport({ database }: WorkerContext, task: ReportTask): Promise<ReportOutcome> {
  const document = await inTransaction(database, async (transaction) => {
    // One snapshot: a load in between must not make the totals disagree with the rows.
    await transaction.query("set transaction isolation level repeatable read, read only");
    return await readDocument(transaction, task);
  });
  const { bytes, sha256, pages } = await renderDocument(document);
  return { bytes, sha256, pages };
}

async function readDocument(transaction: Transaction, task: ReportTask): Promise<Document> {
  const { estate, language } = await readEstate(transaction, task);
  return nextOfKinDocument(estate, language);
}
