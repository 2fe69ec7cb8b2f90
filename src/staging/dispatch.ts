/** Dispatching: one delivery's load as the queue sees it. Threads load; this decides what a failure means. */
import type { IngestOutcome, IngestTask } from "../../workers/messages.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database.ts";
import { codeOf, isDatabaseAway } from "../database.ts";
import type { Events } from "../events.ts";
import { type Delivery, findDelivery, findRevisitsDue } from "../landing/deliveries.ts";
import type { Receipts } from "../landing/receipt.ts";
import { giveUpWhenTried } from "../ledger/revisits.ts";
import { completeImports } from "./imports.ts";
import { Stopping } from "./pools.ts";

export type Dispatching = {
  database: Database;
  events: Events;
  receipts: Pick<Receipts, "write">;
  clock: Clock;
  ingest(task: IngestTask): Promise<IngestOutcome>;
  /** Adds deliveries to the queue. May fail: the sweep repairs it. */
  enqueue(deliveryIds: readonly string[]): Promise<void>;
  /** How old the receipt of a file that is being loaded may get. */
  receiptEveryMs?: number;
};

/** A delivery that breaks its loader this often is poison: it stops and says why, and `tideline retry` starts it again. */
export const attemptsMax = 5;

/** Often enough to watch a file being loaded, seldom enough to cost nothing. */
const receiptEveryMsDefault = 3000;

/**
 * Loads one delivery to its end, or reads again what is due of a loaded one. Idempotent: a finished one only has its
 * receipt and its markers looked after again.
 * @throws what broke the load when another attempt is due; the queue waits and repeats.
 */
export async function dispatch(dispatching: Dispatching, deliveryId: string): Promise<void> {
  const before = await findDelivery(dispatching.database, deliveryId);
  if (!before) return;
  if (before.state === "accepted" || before.state === "loading") await reporting(dispatching, deliveryId, () => load(dispatching, before));
  else if (before.revisit_requested_at !== null) await revisit(dispatching, before);
  await dispatching.receipts.write(deliveryId);
  await completeImports(dispatching, before.partner_id);
  await enqueueRevisits(dispatching, before);
}

/** Rewrites the receipt with the counts so far while `work` runs. */
async function reporting(dispatching: Dispatching, deliveryId: string, work: () => Promise<void>): Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  // A receipt that cannot be written now is written at the end, or by the sweep.
  const timer = setInterval(() => (writing = writing.then(() => dispatching.receipts.write(deliveryId)).catch(() => undefined)), dispatching.receiptEveryMs ?? receiptEveryMsDefault);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await writing;
  }
}

async function revisit(dispatching: Dispatching, before: Delivery): Promise<void> {
  const ids = { correlationId: before.correlation_id, partnerId: before.partner_id, deliveryId: before.id };
  try {
    await dispatching.ingest({ deliveryId: before.id });
  } catch (error) {
    if (error instanceof Stopping) throw error;
    dispatching.events.emit("delivery.failed", { ...ids, attempt: before.revisit_attempts + 1, error });
    if (!isDatabaseAway(error)) await giveUpWhenTried(dispatching.database, before.id);
    throw error;
  }
  const after = await findDelivery(dispatching.database, before.id);
  if (!after) return;
  if (after.revisit_refusal_code !== null) dispatching.events.emit("delivery.revisit-refused", { ...ids, code: after.revisit_refusal_code });
  dispatching.events.emit("delivery.revisited", {
    ...ids, recordsNew: after.records_new - before.records_new, recordsRefused: after.records_refused - before.records_refused,
    recordsWaiting: after.records_waiting - before.records_waiting,
  });
}

/** A file of accounts makes records of other files due. */
async function enqueueRevisits(dispatching: Dispatching, delivery: Delivery): Promise<void> {
  const due = (await findRevisitsDue(dispatching.database, delivery.partner_id)).filter((id) => id !== delivery.id);
  // The sweep does it otherwise.
  if (due.length > 0) await dispatching.enqueue(due).catch(() => undefined);
}

async function load(dispatching: Dispatching, delivery: Delivery): Promise<void> {
  const ids = { correlationId: delivery.correlation_id, partnerId: delivery.partner_id, deliveryId: delivery.id };
  const startedAt = performance.now();
  dispatching.events.emit("delivery.started", { ...ids, attempt: delivery.attempts + 1 });
  try {
    await dispatching.ingest({ deliveryId: delivery.id });
  } catch (error) {
    if (error instanceof Stopping) throw error;
    dispatching.events.emit("delivery.failed", { ...ids, attempt: delivery.attempts + 1, error });
    // A database that is away says nothing about the delivery: that attempt does not count against it.
    if (isDatabaseAway(error) || !(await abandonIfPoison(dispatching.database, delivery.id, error))) throw error;
  }
  await announce(dispatching, ids, performance.now() - startedAt);
}

async function abandonIfPoison(database: Database, deliveryId: string, error: unknown): Promise<boolean> {
  const { rowCount } = await database.query(
    `update deliveries
        set state = 'refused',
            refusal_code = 'LOAD_ABANDONED',
            refusal_reason = $3,
            finished_at = now()
      where id = $1
        and attempts >= $2
        and state in ('accepted', 'loading')`,
    [deliveryId, attemptsMax, `Loading failed ${attemptsMax} times; the last time: ${describe(error)}.`],
  );
  return rowCount === 1;
}

/** The kind of failure only: a message of the database may quote a row. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return `${error.name} ${codeOf(error)}`.trim();
}

async function announce(dispatching: Dispatching, ids: { correlationId: string; partnerId: string; deliveryId: string }, durationMs: number): Promise<void> {
  const after = await findDelivery(dispatching.database, ids.deliveryId);
  if (after?.state === "refused") dispatching.events.emit("delivery.refused", { ...ids, code: after.refusal_code ?? "UNKNOWN_ERROR" });
  if (after?.state !== "loaded") return;
  dispatching.events.emit("delivery.loaded", {
    ...ids, durationMs, records: after.records, recordsNew: after.records_new, recordsKnown: after.records_known,
    recordsConflicting: after.records_conflicting, recordsCorrected: after.records_corrected, recordsRefused: after.records_refused,
    recordsWaiting: after.records_waiting, markers: after.markers,
  });
}
