/** The background pools' tasks by name: plain messages in, plain outcomes out; see messages.ts. */
import { task } from "./context.ts";
import { refreshStaleBudgets } from "./budgets.ts";
import { ingestGroup } from "./ingest/group.ts";
import { ingestDelivery } from "./ingest/ingest.ts";
import type { IngestTask } from "./messages.ts";
import { recogniseUsers } from "./recognise.ts";
import { makeBudgetReport, makeReport } from "./report.ts";
import { timed } from "./timed.ts";

export const ingest = task(timed((context, load: IngestTask) => ingestDelivery(context, load)));
export const group = task(timed(ingestGroup));
export const recognise = task(recogniseUsers);
export const budgets = task(refreshStaleBudgets);
export const report = task(makeReport);
export const budgetReport = task(makeBudgetReport);
