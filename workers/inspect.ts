/** Opens and checks one pushed batch before its door answers: what is wrong must be in the answer. Writes nothing. */
import { problemsAnsweredMax } from "../config/limits.ts";
import { findOwners } from "../src/ledger/owners.ts";
import type { LoadSettings } from "../src/ledger/progress.ts";
import { errorCatalogue } from "../src/errors.ts";
import { strangerReason } from "./assign.ts";
import { type BatchOpener, openBatch } from "./batch.ts";
import type { WorkerContext } from "./context.ts";
import type { InspectOutcome, InspectTask, RecordProblem } from "./messages.ts";
import type { RecordPart } from "./formats/reader.ts";
import { createOpener } from "./opener.ts";
import { checkRecord, type InterfaceRecord } from "./record.ts";

export async function inspectBatch(context: WorkerContext, task: InspectTask): Promise<InspectOutcome> {
  const opener = await openerOf(context, task.partnerId);
  const batch = await openBatch(task.txs, opener, null);
  if (!batch.ok) return refuse(batch.errorCode, batch.errorCode === "TX_DATA_ERROR" ? [{ index: -1, field: "", reason: batch.reason }] : []);
  const { good, problems } = checkAll(batch.parts.flatMap(valuesOf));
  problems.push(...(await findStrangers(context, task.partnerId, good)));
  if (problems.length > 0) return refuse("TX_DATA_ERROR", problems.sort((a, b) => a.index - b.index));
  const markers = good.filter(({ record }) => record.kind === "marker").length;
  return { ok: true, contentSha256: batch.contentSha256.toString("hex"), records: batch.records, markers };
}

/** The batch was opened without rows. */
function valuesOf(part: RecordPart): readonly unknown[] {
  return part.kind === "values" ? part.values : [];
}

/** What opens a partner's batches is read at most so often: a key or a rule that changes is in force within a second. */
const rememberedMs = 1000;
/** Made-up partner ids never come here; real installations have tens. */
const rememberedMax = 1000;

type Remembered = Map<string, { untilMs: number; opener: Promise<BatchOpener> }>;
const rememberedBy = new WeakMap<WorkerContext, Remembered>();

/** Reading settings and keys, and parsing a private key, would cost as much again as the private operation itself. */
function openerOf(context: WorkerContext, partnerId: string): Promise<BatchOpener> {
  const remembered: Remembered = rememberedBy.get(context) ?? new Map();
  rememberedBy.set(context, remembered);
  const known = remembered.get(partnerId);
  if (known && known.untilMs > performance.now()) return known.opener;
  if (remembered.size >= rememberedMax) remembered.clear();
  const opener = findSettings(context, partnerId).then((settings) => createOpener(context, { id: partnerId, settings }, new Date()));
  remembered.set(partnerId, { untilMs: performance.now() + rememberedMs, opener });
  // A failed read answers those who wait for it and is not remembered.
  opener.catch(() => remembered.delete(partnerId));
  return opener;
}

type Placed = { index: number; record: InterfaceRecord };

function checkAll(records: readonly unknown[]): { good: Placed[]; problems: RecordProblem[] } {
  const good: Placed[] = [];
  const problems: RecordProblem[] = [];
  for (const [index, value] of records.entries()) {
    const record = checkRecord(value);
    if (Array.isArray(record)) problems.push(...record.map((problem) => ({ index, ...problem })));
    else good.push({ index, record });
  }
  return { good, problems };
}

/** Records whose user the partner does not have, by one query for all. */
async function findStrangers(context: WorkerContext, partnerId: string, good: readonly Placed[]): Promise<RecordProblem[]> {
  const owners = await findOwners(context.database, partnerId, [...new Set(good.map(({ record }) => record.uid))]);
  return good.filter(({ record }) => !owners.has(record.uid)).map(({ index }) => ({ index, field: "uid", reason: strangerReason }));
}

async function findSettings(context: WorkerContext, partnerId: string): Promise<LoadSettings> {
  const { rows } = await context.database.query<{ settings: LoadSettings }>("select settings from partners where id = $1", [partnerId]);
  return rows[0]?.settings ?? {};
}

type Refusal = InspectOutcome & { ok: false };

function refuse(errorCode: Refusal["errorCode"], problems: RecordProblem[]): Refusal {
  return { ok: false, errorCode, message: errorCatalogue[errorCode].sentence, details: problems.slice(0, problemsAnsweredMax), problems: problems.length };
}
