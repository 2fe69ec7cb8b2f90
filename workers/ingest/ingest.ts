/** Ingesting: one landed delivery, from its sealed bytes to committed rows, or to the reason why it is refused. */
import { problemsKeptMax } from "../../config/limits.ts";
import { transact, type Transaction } from "../../src/database/database.ts";
import { Fault } from "../../src/errors.ts";
import { countProblems, keepProblems, type KeptProblem } from "../../src/deliveries/problems.ts";
import {
  advance,
  findLoadable,
  type LoadableDelivery,
  noCounts,
  refuse,
  startLoad,
} from "../../src/deliveries/progress.ts";
import { PostingHabit } from "../../src/ledger/post.ts";
import { giveUpRevisit, startRevisit } from "../../src/deliveries/revisits.ts";
import { assign } from "./assign.ts";
import { loadAtOnce } from "./at-once.ts";
import { chunksOf, releaseBlocks } from "./chunk.ts";
import type { WorkerContext } from "../context.ts";
import { openReader } from "../formats/open.ts";
import { type Checkpoint, DeliveryRefused, start } from "../formats/reader.ts";
import { type Load, loadChunks } from "./load.ts";
import { withDeliveriesLocked } from "./locked.ts";
import { startPace } from "./pace.ts";
import { revisitHeld } from "./revisit.ts";
import { Outgrown, type RestClock, threadClock, Turn } from "../turn.ts";
import type { IngestOutcome, IngestTask } from "../messages.ts";

/**
 * Loads a delivery to its end. Idempotent: a finished one answers what became of it, a broken-off one is continued, one
 * that another loader has in hand is left alone. Throws when the world failed; the queue repeats it then.
 */
export async function ingestDelivery(
  context: WorkerContext,
  { deliveryId, recordsPerSecondMax, ...turn }: IngestTask,
  clock: RestClock = threadClock,
): Promise<IngestOutcome> {
  return await withDeliveriesLocked(context, [deliveryId], async (client, locked) => {
    if (locked.length === 0) return { state: "loading" };
    const delivery = await findLoadable(client, deliveryId);
    if (delivery === null) throw new Fault("NOT_FOUND", "There is no such delivery.");
    const outcome = await ingest(context, client, delivery, {
      pace: recordsPerSecondMax === undefined ? null : startPace(recordsPerSecondMax, clock),
      turn: new Turn(turn, clock),
    });
    // What breaks off is gone on with soon, here most likely.
    if (outcome.state !== "loading" && outcome.state !== "outgrown") await discard(context, delivery);
    return outcome;
  });
}

/** A copy that stays behind is found by its age. */
export async function discard({ vault }: WorkerContext, { vaultReference }: LoadableDelivery): Promise<void> {
  if (vaultReference !== null) await vault.discard(vaultReference).catch(() => undefined);
}

async function ingest(
  context: WorkerContext,
  client: Transaction,
  delivery: LoadableDelivery,
  how: Pick<Load, "pace" | "turn">,
): Promise<IngestOutcome> {
  if (delivery.state === "loaded")
    return delivery.revisitDue ? await revisit(context, client, delivery, how) : { state: "loaded" };
  if (delivery.state === "withdrawn") return { state: "withdrawn" };
  if (delivery.state === "refused") return { state: "refused", refusalCode: delivery.refusalCode ?? "" };
  await startLoad(client, delivery.id);
  const load = await beginLoad(context, client, delivery, how);
  try {
    await load.reader.verify();
    if (isAllOrNothing(delivery) && !(await rehearse(load))) return { state: "refused", refusalCode: "TX_DATA_ERROR" };
    return (await loadAtOnce(load)) ?? (await loadChunks(load));
  } catch (error) {
    if (error instanceof Outgrown) return { state: "outgrown" };
    // What was loadable once cannot become refusable: then its bytes are damaged, which is a fault of the world.
    if (!(error instanceof DeliveryRefused) || hasBegun(load.checkpoint)) throw error;
    await refuse(client, delivery.id, { code: error.code, reason: error.message });
    return { state: "refused", refusalCode: error.code };
  }
}

/** What cannot be read any more, because a key is gone or the bytes are damaged, stays held. */
async function revisit(
  context: WorkerContext,
  client: Transaction,
  delivery: LoadableDelivery,
  how: Pick<Load, "pace" | "turn">,
): Promise<IngestOutcome> {
  await startRevisit(client, delivery.id);
  try {
    await revisitHeld(await beginLoad(context, client, delivery, { ...how, pace: null }));
    return { state: "loaded" };
  } catch (error) {
    if (error instanceof Outgrown) return { state: "outgrown" };
    if (!(error instanceof DeliveryRefused)) throw error;
    await giveUpRevisit(client, delivery.id, { code: error.code, reason: error.message });
    return { state: "loaded" };
  }
}

async function beginLoad(
  context: WorkerContext,
  client: Transaction,
  delivery: LoadableDelivery,
  how: Pick<Load, "pace" | "turn">,
): Promise<Load> {
  const checkpoint = { batches: delivery.batches, records: delivery.records };
  const begun = hasBegun(checkpoint);
  return {
    context,
    client,
    delivery,
    checkpoint,
    reader: await openReader(context, delivery, how.turn),
    surveyed: begun || isAllOrNothing(delivery),
    known: null,
    habit: new PostingHabit(),
    problemsKept: begun ? await countProblems(client, delivery.id) : 0,
    ...how,
  };
}

/**
 * For partners that take files whole or not at all: everything but the posting. @returns whether all of it may be
 * loaded.
 */
async function rehearse({ context, client, delivery, reader, checkpoint }: Load): Promise<boolean> {
  if (hasBegun(checkpoint)) return true;
  const seen = { batches: 0, batchesRefused: 0, records: 0, refused: 0 };
  const problems: KeptProblem[] = [];
  for await (const chunk of chunksOf(reader.groups(start), reader.check)) {
    const assigned = await assign(context.database, delivery, chunk, reader.fields);
    seen.batches += chunk.batches;
    seen.batchesRefused += assigned.batchesRefused;
    seen.records += chunk.records;
    seen.refused += assigned.recordsRefused;
    releaseBlocks(chunk);
    problems.push(...assigned.problems.slice(0, problemsKeptMax - problems.length));
  }
  if (seen.refused + seen.batchesRefused === 0) return true;
  await refuseWhole(client, delivery.id, seen, problems);
  return false;
}

async function refuseWhole(
  client: Transaction,
  deliveryId: string,
  seen: { batches: number; records: number; refused: number },
  problems: KeptProblem[],
): Promise<void> {
  const reason = `${seen.refused} of ${seen.records} records cannot be loaded, and the partner's files are taken whole or not at all.`;
  await transact(client, async () => {
    await keepProblems(client, deliveryId, problems);
    await advance(
      client,
      deliveryId,
      {
        ...noCounts,
        batches: seen.batches,
        batchesRefused: seen.batches,
        records: seen.records,
        recordsRefused: seen.records,
      },
      false,
    );
    await refuse(client, deliveryId, { code: "TX_DATA_ERROR", reason });
  });
}

/**
 * A file of a partner that wants it so. A pushed request was checked whole by its door, and its sender believes it
 * loaded.
 */
function isAllOrNothing(delivery: LoadableDelivery): boolean {
  return delivery.settings.allOrNothing === true && delivery.vaultReference !== null;
}

function hasBegun(checkpoint: Checkpoint): boolean {
  return checkpoint.batches + checkpoint.records > 0;
}
