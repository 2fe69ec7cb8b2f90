/**
 * Sending through an open door, from records to a summary that adds up: cut → skip what the journal knows → pace →
 * users → door → journal.
 */
import type { RawTransaction } from "../interface/record.ts";
import { type Batch, cutBatches } from "../sealing/batches.ts";
import type { Door, FileDelivery } from "./door.ts";
import { type InFlight, limitInFlight } from "./in-flight.ts";
import type { Journal } from "./journal.ts";
import { createPace } from "./pace.ts";
import type { Refusal } from "./service.ts";

export type BatchOptions = {
  records: AsyncIterable<RawTransaction> | Iterable<RawTransaction>;
  partnerId: string;
  /** The caller opens and closes it. */
  door: Door;
  /** End each user with IMPORT_COMPLETED, when everything before has arrived. */
  complete: boolean;
  /** Create users as they occur, under this brand and locale; one who is there already is left as it is. */
  createUsers?: { brand: string; locale: string } | undefined;
  journal?: Journal | undefined;
  recordsPerSecondMax?: number | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((summary: Readonly<Summary>) => void) | undefined;
};

/** recordsRead = recordsSent + recordsKnown + recordsRefused + recordsUnsent. Added markers are counted apart. */
export type Summary = {
  recordsRead: number;
  /** Taken over by the service, durably. */
  recordsSent: number;
  /** Sent by an earlier run, as the journal says. */
  recordsKnown: number;
  recordsRefused: number;
  /** Read, and not sent because the run stopped. */
  recordsUnsent: number;
  markersSent: number;
  batchesSent: number;
  batchesKnown: number;
  usersCreated: number;
  usersExisting: number;
  retries: number;
  file: FileDelivery | null;
  /** The batch that stopped the run; its details count from the record after `recordsBefore`. */
  refusal: (Refusal & { recordsBefore: number }) | null;
  outcome: "complete" | "refused" | "interrupted";
  durationMs: number;
};

/**
 * Sends everything, or stops at the first batch that is refused for good or when the signal is raised: both are
 * outcomes. A second run with the same journal sends what is missing; without one everything again, which the service
 * recognises.
 * @throws Fault when the service, its key or the source fails.
 */
export async function sendThrough(options: BatchOptions): Promise<Summary> {
  const summary = emptySummary();
  const run = openRun(options);
  const startedAt = performance.now();
  try {
    await sendBatches(options, summary, run);
    await run.inFlight.idle();
    if (summary.outcome === "complete") await finish(options, summary, run);
  } catch (error) {
    await run.inFlight.settled();
    if (options.signal?.aborted !== true) throw error;
    summary.outcome = "interrupted";
  }
  summary.recordsUnsent = summary.recordsRead - summary.recordsSent - summary.recordsKnown - summary.recordsRefused;
  summary.retries = options.door.retries;
  summary.durationMs = Math.round(performance.now() - startedAt);
  return summary;
}

type Run = {
  inFlight: InFlight;
  /** Given to a file that is not delivered yet. */
  pending: Batch[];
  /** Each user once, so that batches which share one wait for the same answer. */
  users: Map<string, Promise<void>>;
  pace: (records: number) => Promise<void>;
};

function openRun(options: BatchOptions): Run {
  return {
    inFlight: limitInFlight(options.door.inFlightMax),
    pending: [],
    users: new Map(),
    pace: createPace(options.recordsPerSecondMax, options.signal),
  };
}

async function sendBatches(options: BatchOptions, summary: Summary, run: Run): Promise<void> {
  for await (const batch of cutBatches(options.records, { partnerId: options.partnerId, complete: options.complete })) {
    summary.recordsRead += batch.records;
    if (options.journal?.has(batch.requestId)) {
      summary.recordsKnown += batch.records;
      summary.batchesKnown += 1;
      options.onProgress?.(summary);
      continue;
    }
    if (options.signal?.aborted) summary.outcome = "interrupted";
    if (summary.outcome !== "complete") return;
    await run.pace(batch.records + batch.markersAdded);
    // IMPORT_COMPLETED speaks of everything before it: that must have been taken first.
    if (batch.completes) await run.inFlight.idle();
    await run.inFlight.add(() => sendBatch(batch, options, summary, run));
  }
}

async function sendBatch(batch: Batch, options: BatchOptions, summary: Summary, run: Run): Promise<void> {
  if (summary.outcome !== "complete") return;
  await createUsers(batch, options, summary, run);
  const refusal = await options.door.send(batch);
  if (refusal) {
    summary.recordsRefused += batch.records;
    summary.refusal ??= { ...refusal, recordsBefore: batch.recordsBefore };
    summary.outcome = "refused";
  } else if (options.door.durableAfter === "file") {
    run.pending.push(batch);
  } else {
    await options.journal?.acknowledge([batch.requestId]);
    count(batch, summary);
  }
  options.onProgress?.(summary);
}

async function createUsers(batch: Batch, options: BatchOptions, summary: Summary, run: Run): Promise<void> {
  const { createUsers: how, door } = options;
  if (!how) return;
  const create = async (bankUserId: string) => {
    if ((await door.createUser({ bankUserId, ...how })) === "created") summary.usersCreated += 1;
    else summary.usersExisting += 1;
  };
  for (const id of batch.userIds) if (!run.users.has(id)) run.users.set(id, create(id));
  await Promise.all([...batch.userIds].map((id) => run.users.get(id)));
}

async function finish(options: BatchOptions, summary: Summary, run: Run): Promise<void> {
  summary.file = await options.door.finish();
  for (const batch of run.pending) count(batch, summary);
  await options.journal?.acknowledge(run.pending.map((batch) => batch.requestId));
  options.onProgress?.(summary);
}

function count(batch: Batch, summary: Summary): void {
  summary.recordsSent += batch.records;
  summary.markersSent += batch.markersAdded;
  summary.batchesSent += 1;
}

function emptySummary(): Summary {
  return {
    recordsRead: 0,
    recordsSent: 0,
    recordsKnown: 0,
    recordsRefused: 0,
    recordsUnsent: 0,
    markersSent: 0,
    batchesSent: 0,
    batchesKnown: 0,
    usersCreated: 0,
    usersExisting: 0,
    retries: 0,
    file: null,
    refusal: null,
    outcome: "complete",
    durationMs: 0,
  };
}
