/** Dispatching: one turn's deliveries, from waiting to finished. Threads load; this decides what a failure means. */
import type {
  IngestGroupOutcome,
  IngestGroupTask,
  IngestOutcome,
  IngestTask,
  ThreadTime,
} from "../../workers/messages.ts";
import { breakdownsMax, smallOpenedBytesMax, turnMs } from "../../config/staging.ts";
import type { Clock } from "../time/clock.ts";
import { codeOf, type Database, isDatabaseAway } from "../database/database.ts";
import { Fault } from "../errors.ts";
import type { Events } from "../events.ts";
import { type Delivery, findDeliveries, findDelivery, findRevisitsDue } from "../deliveries/deliveries.ts";
import type { Receipts } from "../landing/receipt.ts";
import { forgiveAttempt, giveUpRevisit, giveUpWhenTried } from "../deliveries/revisits.ts";
import { noteOutgrown, rest } from "../deliveries/failures.ts";
import { abandonBreaker, isOwnFault, noteFailure } from "./failure.ts";
import { completeImports } from "./imports.ts";
import { beginLoads } from "./load-spans.ts";
import type { ControlledTurn, Served } from "./loading.ts";
import { Stopping } from "./pools.ts";

export type Dispatching = {
  database: Database;
  events: Events;
  receipts: Pick<Receipts, "write" | "writeAll">;
  clock: Clock;
  ingest(task: IngestTask): Promise<IngestOutcome>;
  ingestGroup(task: IngestGroupTask): Promise<IngestGroupOutcome>;
  /** Something became open. */
  wake(): void;
  /** Looks whether the vault is there. Default: it is. */
  findVault?(): Promise<boolean>;
  /** Default: as config/staging.ts has it. */
  attemptsMax?: number;
  /** How old the receipt of a file that is being loaded may get. */
  receiptEveryMs?: number;
  /** Past which a turn begins with no more of what it took. Default: as config/staging.ts has it. */
  turnMs?: number;
};

/** Often enough to watch a file being loaded, seldom enough to cost nothing. */
const receiptEveryMsDefault = 3000;

/**
 * Loads what a turn took; several requests together as far as they can be, the others one by one.
 * @throws what broke when nothing more can be said about it: a database that is away, a service that stops.
 */
export async function serveTurn(
  dispatching: Dispatching,
  { partner, deliveryIds, lane, control }: ControlledTurn,
): Promise<Served> {
  const startedAtMs = performance.now();
  const rates = [partner.recordsPerSecond, partner.recordsPerSecondOfFile].filter((rate) => rate !== null);
  const how = {
    ...(rates.length === 0 ? {} : { recordsPerSecondMax: Math.min(...rates) }),
    ...(lane === "small" ? { openedBytesMax: smallOpenedBytesMax } : {}),
    ...(control === undefined ? {} : { control }),
  };
  const together =
    deliveryIds.length > 1
      ? await dispatchGroup(dispatching, partner.partnerId, deliveryIds)
      : { loaded: [], elsewhere: [], broken: [], records: 0 };
  const served = { records: together.records, elsewhere: [...together.elsewhere], wasCut: false };
  for (const id of deliveryIds.filter((one) => !together.loaded.includes(one) && !together.elsewhere.includes(one))) {
    // What a turn does not come to waits for the next one.
    served.wasCut = performance.now() - startedAtMs > (dispatching.turnMs ?? turnMs);
    if (served.wasCut) break;
    const one = await dispatch(dispatching, id, how);
    served.records += one.records;
    served.elsewhere.push(...one.elsewhere);
  }
  return served;
}

type HowToLoad = Omit<IngestTask, "deliveryId">;

const nothing: Served = { records: 0, elsewhere: [] };

/**
 * Loads one delivery to its end, or reads again what is due of a loaded one. Idempotent: a finished one only has its
 * receipt and its markers looked after again. A failure of its own is noted with it, and when it may be tried again.
 */
export async function dispatch(dispatching: Dispatching, deliveryId: string, how: HowToLoad = {}): Promise<Served> {
  const before = await findDelivery(dispatching.database, deliveryId);
  if (!before) return nothing;
  const isOpen = before.state === "accepted" || before.state === "loading";
  const outcome = isOpen
    ? await reporting(dispatching, before, () => load(dispatching, before, how))
    : await revisitWhenDue(dispatching, before, how);
  if (outcome === "elsewhere") return { records: 0, elsewhere: [deliveryId] };
  // What has just ended is found again by its time after a power cut; what was read again is not.
  if (isOpen) await writeReceipts(dispatching, [before]);
  else await dispatching.receipts.write(deliveryId);
  await completeImports(dispatching, before.partnerId);
  // A file of accounts makes records of other files due.
  if ((await findRevisitsDue(dispatching.database, before.partnerId)).some((id) => id !== deliveryId))
    dispatching.wake();
  const after = await findDelivery(dispatching.database, deliveryId);
  return { records: Math.max(0, (after?.records ?? 0) - before.records), elsewhere: [] };
}

/** What cannot be written now, the sweep writes. */
async function writeReceipts({ receipts, events }: Dispatching, deliveries: readonly Delivery[]): Promise<void> {
  const failures = await receipts.writeAll(deliveries.map(({ id }) => id));
  for (const delivery of deliveries) {
    const error = failures.get(delivery.id);
    if (error !== undefined) events.emit("receipt.failed", { ...idsOf(delivery), error });
  }
}

/** Rewrites the receipt with the counts so far while `work` runs. */
async function reporting<Result>(
  dispatching: Dispatching,
  delivery: Delivery,
  work: () => Promise<Result>,
): Promise<Result> {
  let writing: Promise<void> = Promise.resolve();
  // A receipt that cannot be written now is written at the end, or by the sweep.
  const tell = (error: unknown) => dispatching.events.emit("receipt.failed", { ...idsOf(delivery), error });
  const timer = setInterval(
    () => (writing = writing.then(() => dispatching.receipts.write(delivery.id)).catch(tell)),
    dispatching.receiptEveryMs ?? receiptEveryMsDefault,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await writing;
  }
}

async function load(dispatching: Dispatching, delivery: Delivery, how: HowToLoad): Promise<"done" | "elsewhere"> {
  const { database, events } = dispatching;
  const startedAt = performance.now();
  const spans = await beginLoads(database, delivery.partnerId, [delivery.id]);
  let broke: { error?: unknown } = {};
  let ran: ThreadTime | null = null;
  if (delivery.breakdowns >= breakdownsMax) await abandonBreaker(database, delivery.id);
  else events.emit("delivery.started", { ...idsOf(delivery), attempt: delivery.attempts + 1 });
  try {
    const timed = spans === null ? {} : { timed: true };
    const outcome = await dispatching.ingest({ deliveryId: delivery.id, ...how, ...timed });
    if (outcome.state === "loading") return "elsewhere";
    ran = outcome.ran ?? null;
    if (outcome.state === "paused") await rest(database, delivery.id, outcome.restMs);
    if (outcome.state === "yielded") await rest(database, delivery.id, 0);
    if (outcome.state === "outgrown") await leaveLane(dispatching, delivery);
  } catch (thrown) {
    if (thrown instanceof Stopping) throw thrown;
    const error = await judged(dispatching, thrown);
    broke = { error };
    const after = isDatabaseAway(error)
      ? delivery
      : await noteFailure(database, delivery.id, error, dispatching.attemptsMax);
    // Called off, withdrawn, or finished by another loader: that it broke off is as it should be.
    if (after !== null)
      events.emit(isOwnFault(error) ? "delivery.failed" : "delivery.interrupted", {
        ...idsOf(delivery),
        attempt: delivery.attempts + 1,
        error,
      });
    if (isDatabaseAway(error)) throw error;
  }
  const [after] = await findDeliveries(database, [delivery.id]);
  spans?.end(delivery.id, { outcome: after?.state ?? "gone", ran, ...broke });
  if (after) emitFinished(dispatching, after, performance.now() - startedAt);
  return "done";
}

/** That a file is gone says something of its delivery only where the vault is. */
async function judged({ findVault }: Dispatching, error: unknown): Promise<unknown> {
  const isGone = error instanceof Error && codeOf(error) === "VAULT_GONE";
  return isGone && findVault && !(await findVault()) ? new Fault("VAULT_AWAY", undefined, { cause: error }) : error;
}

/** It opens to more than small deliveries do, and goes on in a slot that takes any. */
async function leaveLane({ database, events, wake }: Dispatching, delivery: Delivery): Promise<void> {
  await noteOutgrown(database, delivery.id);
  events.emit("delivery.outgrown", idsOf(delivery));
  wake();
}

async function revisitWhenDue(
  dispatching: Dispatching,
  before: Delivery,
  how: HowToLoad,
): Promise<"done" | "elsewhere"> {
  if (before.revisitRequestedAt === null) return "done";
  if (before.revisitAttempts >= breakdownsMax)
    await giveUpRevisit(dispatching.database, before.id, {
      code: "LOAD_ABANDONED",
      reason: `The service ended ${breakdownsMax} times while reading it again, without a record in between.`,
    });
  try {
    const outcome = await dispatching.ingest({ deliveryId: before.id, ...how });
    if (outcome.state === "loading") return "elsewhere";
    if (outcome.state === "outgrown") {
      await forgiveAttempt(dispatching.database, before.id);
      await leaveLane(dispatching, before);
      return "done";
    }
  } catch (thrown) {
    if (thrown instanceof Stopping) throw thrown;
    const error = await judged(dispatching, thrown);
    dispatching.events.emit(isOwnFault(error) ? "delivery.failed" : "delivery.interrupted", {
      ...idsOf(before),
      attempt: before.revisitAttempts + 1,
      error,
    });
    if (isDatabaseAway(error)) throw error;
    if (isOwnFault(error)) await giveUpWhenTried(dispatching.database, before.id);
    else await forgiveAttempt(dispatching.database, before.id);
    await noteFailure(dispatching.database, before.id, error, dispatching.attemptsMax);
    return "done";
  }
  const after = await findDelivery(dispatching.database, before.id);
  if (!after) return "done";
  if (after.revisitRefusalCode !== null)
    dispatching.events.emit("delivery.revisit-refused", { ...idsOf(before), code: after.revisitRefusalCode });
  dispatching.events.emit("delivery.revisited", {
    ...idsOf(before),
    recordsNew: after.recordsNew - before.recordsNew,
    recordsRefused: after.recordsRefused - before.recordsRefused,
    recordsWaiting: after.recordsWaiting - before.recordsWaiting,
  });
  return "done";
}

/**
 * A group that cannot be loaded together is no failure: its members are loaded alone, and what is wrong shows there.
 */
async function dispatchGroup(
  dispatching: Dispatching,
  partnerId: string,
  deliveryIds: readonly string[],
): Promise<IngestGroupOutcome & { records: number }> {
  const startedAt = performance.now();
  const spans = await beginLoads(dispatching.database, partnerId, deliveryIds);
  let outcome: IngestGroupOutcome = { loaded: [], elsewhere: [], broken: [] };
  try {
    const timed = spans === null ? {} : { timed: true };
    outcome = await dispatching.ingestGroup({ deliveryIds: [...deliveryIds], ...timed });
  } catch (error) {
    if (error instanceof Stopping || isDatabaseAway(error)) throw error;
    dispatching.events.emit("delivery.group-failed", { partnerId, count: deliveryIds.length, error });
  }
  for (const { deliveryId, reason } of outcome.broken)
    dispatching.events.emit("delivery.left-group", { partnerId, deliveryId, reason });
  const loaded = await findDeliveries(dispatching.database, outcome.loaded);
  for (const delivery of loaded) {
    spans?.end(delivery.id, { outcome: delivery.state, ran: outcome.ran ?? null });
    emitFinished(dispatching, delivery, performance.now() - startedAt);
  }
  const files = loaded.filter(({ door }) => door === "sftp");
  if (files.length > 0) await writeReceipts(dispatching, files);
  if (loaded.length > 0) await completeImports(dispatching, partnerId);
  return { ...outcome, records: loaded.reduce((sum, one) => sum + one.records, 0) };
}

function idsOf(delivery: Delivery): { correlationId: string; partnerId: string; deliveryId: string } {
  return { correlationId: delivery.correlationId, partnerId: delivery.partnerId, deliveryId: delivery.id };
}

const refusalEvents: Readonly<Record<string, "delivery.cancelled" | "delivery.given-up">> = {
  LOAD_CANCELLED: "delivery.cancelled",
  LOAD_ABANDONED: "delivery.given-up",
};

function emitFinished({ events }: Dispatching, after: Delivery, durationMs: number): void {
  const ids = idsOf(after);
  if (after.state === "refused")
    events.emit(refusalEvents[after.refusalCode ?? ""] ?? "delivery.refused", {
      ...ids,
      code: after.refusalCode ?? "UNKNOWN_ERROR",
    });
  if (after.state !== "loaded") return;
  events.emit("delivery.loaded", {
    ...ids,
    durationMs,
    batches: after.batches,
    batchesRefused: after.batchesRefused,
    records: after.records,
    recordsNew: after.recordsNew,
    recordsKnown: after.recordsKnown,
    recordsConflicting: after.recordsConflicting,
    recordsCorrected: after.recordsCorrected,
    recordsRefused: after.recordsRefused,
    recordsWaiting: after.recordsWaiting,
    markers: after.markers,
  });
}
