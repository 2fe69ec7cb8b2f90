/**
 * Opens and checks one pushed batch before its door answers: what is wrong must be in the answer. Writes nothing. Users
 * are looked up only for a batch that is refused anyhow: of a good one the statement that stores it tells whether they
 * are there.
 */
import { problemsAnsweredMax } from "../../config/limits.ts";
import { findOwners } from "../../src/ledger/owners.ts";
import type { LoadSettings } from "../../src/deliveries/progress.ts";
import { errorCatalogue } from "../../src/errors.ts";
import { unknownUserReason } from "./assign.ts";
import { type BatchOpener, type BatchRefusal, openBatch, type OpenedBatch } from "../records/batch.ts";
import { recordCounter } from "../bytes/json-rows.ts";
import { releaseRows, type ReadRows } from "../bytes/read-rows.ts";
import type { WorkerContext } from "../context.ts";
import type { InspectOutcome, InspectTask, RecordProblem } from "../messages.ts";
import type { RecordPart } from "../records/record-part.ts";
import { type CostlySteps, here } from "../jwe/open.ts";
import { OneByOne, type Place } from "./one-by-one.ts";
import { createOpener } from "../records/opener.ts";
import { checkRecord } from "../records/record.ts";

export async function inspectBatch(context: WorkerContext, task: InspectTask): Promise<InspectOutcome> {
  const opener = await openerOf(context, task.partnerId);
  const place = oneByOne.place();
  const judged = await judge(task.txs, opener, place).finally(place.end);
  if ("errorCode" in judged)
    return refuse(
      judged.errorCode,
      judged.errorCode === "TX_DATA_ERROR" ? [{ index: -1, field: "", reason: judged.reason }] : [],
    );
  const { uids, problems, markers, contentSha256, records } = judged;
  const named = [...new Set(uids)].filter((uid) => uid !== null);
  if (problems.length === 0 && task.unknownUsers === undefined) {
    return {
      ok: true,
      contentSha256: contentSha256.toString("hex"),
      records,
      markers,
      uids: named,
    };
  }
  const unknownUsers = new Set(task.unknownUsers ?? (await findUnknownUsers(context, task.partnerId, named)));
  problems.push(
    ...uids.flatMap((uid, index) =>
      uid !== null && unknownUsers.has(uid) ? [{ index, field: "uid", reason: unknownUserReason }] : [],
    ),
  );
  return refuse(
    "TX_DATA_ERROR",
    problems.sort((a, b) => a.index - b.index),
  );
}

const oneByOne = new OneByOne();

/** What there is to compute: it begins when the key is there, and asks nobody. */
async function judge(
  txs: string,
  opener: BatchOpener,
  place: Place,
): Promise<(Checked & Pick<OpenedBatch & { ok: true }, "contentSha256" | "records">) | BatchRefusal> {
  const steps: CostlySteps = {
    ...here,
    async unwrap(privateKey, encryptedKey) {
      await place.begin();
      return here.unwrap(privateKey, encryptedKey);
    },
  };
  // Only whether its records can be rows is asked: whoever loads them makes them.
  const batch = await openBatch(txs, { ...opener, steps }, recordCounter);
  return batch.ok ? { ...checkAll(batch.parts), contentSha256: batch.contentSha256, records: batch.records } : batch;
}

/**
 * What opens a partner's batches is read at most so often: a key or a rule that changes is in force within a second.
 */
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
  const opener = findSettings(context, partnerId).then((settings) =>
    createOpener(context, { id: partnerId, settings }, new Date()),
  );
  remembered.set(partnerId, { untilMs: performance.now() + rememberedMs, opener });
  // A failed read answers those who wait for it and is not remembered.
  opener.catch(() => remembered.delete(partnerId));
  return opener;
}

/** uids: whose each record is, by its index in the batch; null for those with problems. */
type Checked = { uids: (string | null)[]; problems: RecordProblem[]; markers: number };

/** What was read as rows is right; what was left to be checked as values mostly is not. */
function checkAll(parts: readonly RecordPart[]): Checked {
  const checked: Checked = { uids: [], problems: [], markers: 0 };
  for (const part of parts) {
    if (part.kind === "rows") noteRows(checked, part.rows);
    else for (const value of part.values) checkValue(checked, value);
  }
  releaseRows(parts.flatMap((part) => (part.kind === "rows" ? [part.rows] : [])));
  return checked;
}

function noteRows({ uids }: Checked, { count, owners, ownerOf }: ReadRows): void {
  for (let row = 0; row < count; row += 1) uids.push(owners[ownerOf[row] as number] as string);
}

function checkValue(checked: Checked, value: unknown): void {
  const index = checked.uids.length;
  const record = checkRecord(value);
  if (Array.isArray(record)) {
    checked.problems.push(...record.map((problem) => ({ index, ...problem })));
    checked.uids.push(null);
    return;
  }
  checked.uids.push(record.uid);
  if (record.kind === "marker") checked.markers += 1;
}

/** Those of the users that the partner does not have. */
async function findUnknownUsers(
  context: WorkerContext,
  partnerId: string,
  named: readonly string[],
): Promise<string[]> {
  const owners = await findOwners(context.database, partnerId, named);
  return named.filter((uid) => !owners.has(uid));
}

async function findSettings(context: WorkerContext, partnerId: string): Promise<LoadSettings> {
  const { rows } = await context.database.query<{ settings: LoadSettings }>(
    "select settings from partners where id = $1",
    [partnerId],
  );
  return rows[0]?.settings ?? {};
}

type Refusal = InspectOutcome & { ok: false };

function refuse(errorCode: Refusal["errorCode"], problems: RecordProblem[]): Refusal {
  return {
    ok: false,
    errorCode,
    message: errorCatalogue[errorCode].sentence,
    details: problems.slice(0, problemsAnsweredMax),
    problems: problems.length,
  };
}
