/**
 * The background pools' tasks by name: plain messages in, plain outcomes out; see messages.ts. Each is read with its
 * first message, since a pool's threads have one or two of them: a thread that loads has no need of what lays out
 * reports, which it would otherwise read at its start and keep.
 */
import { task } from "./context.ts";
import type { IngestGroupTask, IngestTask } from "./messages.ts";
import type { BudgetTask } from "../src/budgets/task.ts";
import type { RecogniseTask } from "../src/recognition/task.ts";
import type { BudgetReportTask, ReportTask } from "../src/reports/task.ts";
import { timed } from "./timed.ts";

export const ingest = task(
  timed(async (context, load: IngestTask) => (await import("./ingest/ingest.ts")).ingestDelivery(context, load)),
);
export const group = task(
  timed(async (context, load: IngestGroupTask) => (await import("./ingest/group.ts")).ingestGroup(context, load)),
);
export const recognise = task(async (context, users: RecogniseTask) =>
  (await import("./recognise.ts")).recogniseUsers(context, users),
);
export const budgets = task(async (context, stale: BudgetTask) =>
  (await import("./budgets.ts")).refreshStaleBudgets(context, stale),
);
export const report = task(async (context, asked: ReportTask) =>
  (await import("./report.ts")).makeReport(context, asked),
);
export const budgetReport = task(async (context, asked: BudgetReportTask) =>
  (await import("./report.ts")).makeBudgetReport(context, asked),
);
