/** How far a delivery is loaded: its row is the checkpoint, moved in the transaction that moves the rows. */
import { hostname } from "node:os";
import { threadId } from "node:worker_threads";
import { commitsQuickly, type Queryable, type Transaction } from "../database/database.ts";
import { Fault } from "../errors.ts";
import { hasDue } from "./held.ts";
import type { IbanRules } from "../partners/settings/iban-rules.ts";

export type LoadableDelivery = {
  id: string;
  position: number;
  partnerId: string;
  format: string;
  vaultReference: string | null;
  sizeBytes: number;
  state: "accepted" | "loading" | "loaded" | "refused" | "withdrawn";
  refusalCode: string | null;
  acceptedAt: Date;
  /** Committed so far. */
  batches: number;
  records: number;
  /** Whether held records are due to be read again. */
  revisitDue: boolean;
  /** The partner's settings as they are now, but for signedBatches, which is as it was at acceptance. */
  settings: LoadSettings;
};

/** Partner settings that loading looks at; all absent by default. */
export type LoadSettings = {
  signedBatches?: "required" | "optional";
  manifest?: "required";
  allOrNothing?: boolean;
  onConflict?: "keep" | "correct";
  ibanRules?: IbanRules;
  /** See readCsvDialect. */
  csv?: unknown;
};

/**
 * What one chunk adds: records = new + known + conflicting + refused + waiting + markers. What is read again moves
 * records from one of these to another, so there some are negative.
 */
export type LoadCounts = {
  batches: number;
  batchesRefused: number;
  records: number;
  recordsNew: number;
  recordsKnown: number;
  recordsConflicting: number;
  /** Those of recordsConflicting that replaced what was stored. */
  recordsCorrected: number;
  recordsRefused: number;
  recordsWaiting: number;
  markers: number;
};

export const noCounts: LoadCounts = {
  batches: 0,
  batchesRefused: 0,
  records: 0,
  recordsNew: 0,
  recordsKnown: 0,
  recordsConflicting: 0,
  recordsCorrected: 0,
  recordsRefused: 0,
  recordsWaiting: 0,
  markers: 0,
};

export function addUp(one: LoadCounts, other: LoadCounts): LoadCounts {
  const sum = { ...one };
  for (const name of Object.keys(noCounts) as (keyof LoadCounts)[]) sum[name] += other[name];
  return sum;
}

/** Null: no such delivery. */
export async function findLoadable(database: Queryable, deliveryId: string): Promise<LoadableDelivery | null> {
  const [found = null] = await findLoadableOf(database, [deliveryId]);
  return found;
}

/** Those of them that there are, in the order of acceptance. */
export async function findLoadableOf(database: Queryable, deliveryIds: readonly string[]): Promise<LoadableDelivery[]> {
  const { rows } = await database.query<LoadableDelivery>(
    `select d.id, d.position, d.partner_id as "partnerId", d.format, d.vault_reference as "vaultReference", d.size_bytes as "sizeBytes",
            d.state, d.refusal_code as "refusalCode", d.accepted_at as "acceptedAt", d.batches, d.records,
            d.revisit_requested_at is not null as "revisitDue",
            jsonb_set(p.settings, '{signedBatches}', to_jsonb(case when d.signing_required then 'required' else 'optional' end)) as settings
       from deliveries d
       join partners p on p.id = d.partner_id
      where d.id = any($1::uuid[])
      order by d.position`,
    [deliveryIds],
  );
  return rows;
}

/** The body of a pushed request; null when it was not kept in the database. */
export async function findBody(database: Queryable, deliveryId: string): Promise<Buffer | null> {
  const { rows } = await database.query<{ body: Buffer }>("select body from delivery_bodies where delivery_id = $1", [
    deliveryId,
  ]);
  return rows[0]?.body ?? null;
}

/** Where somebody looks who wants to know what happened to a load. */
export const thisThread = `${hostname()}, process ${process.pid}, thread ${threadId}`;

/**
 * Notes that a run begins, before anything else and in a transaction of its own: a delivery that kills its process is
 * found out. The server outlives that, and forgets a few seconds' notes only with its power.
 */
export async function startLoad(database: Queryable, deliveryId: string): Promise<void> {
  await database.query(
    `update deliveries
        set state = 'loading',
            breakdowns = breakdowns + 1,
            retry_at = null,
            started_at = coalesce(started_at, now()),
            run_started_at = now(),
            run_started_records = records,
            loaded_by = $2
      where id = $1
        and state in ('accepted', 'loading')
        and ${commitsQuickly}`,
    [deliveryId, thisThread],
  );
}

/**
 * Waits for the chunk that is being committed; the loader waits for this transaction with its next one. A row's lock
 * alone would not do that: it is not handed on in the order of asking, and a quick loader gets it again and again.
 */
export async function lockBetweenChunks(transaction: Transaction, deliveryId: string): Promise<void> {
  await transaction.query("select pg_advisory_xact_lock(hashtextextended('chunk ' || $1, 0))", [deliveryId]);
}

/** As lockBetweenChunks, and locks the delivery's row: before its held records, as everybody who moves both does. */
export async function lockDelivery(transaction: Transaction, deliveryId: string): Promise<void> {
  await lockBetweenChunks(transaction, deliveryId);
  await transaction.query("select 1 from deliveries where id = $1 for no key update", [deliveryId]);
}

/** For a chunk's transaction, before it locks the delivery's row: whoever waits for its turn goes first. */
export async function yieldToWaiting(transaction: Transaction, deliveryId: string): Promise<void> {
  await transaction.query("select pg_advisory_xact_lock_shared(hashtextextended('chunk ' || $1, 0))", [deliveryId]);
}

/** Whether somebody waits for a delivery's turn, so that a transaction of several chunks ends soon. */
export async function isWaitedFor(database: Queryable, deliveryId: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `select 1
       from pg_locks
      where locktype = 'advisory'
        and not granted
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32 | objid::bigint) = hashtextextended('chunk ' || $1, 0)`,
    [deliveryId],
  );
  return (rowCount ?? 0) > 0;
}

/**
 * Locks the delivery for a chunk's transaction, after whoever waits for its turn.
 * @throws Fault LOAD_OVERTAKEN when it is not where this loader left it: another one has gone on with it.
 */
export async function lockCheckpoint(
  transaction: Transaction,
  deliveryId: string,
  expected: { batches: number; records: number },
): Promise<void> {
  await yieldToWaiting(transaction, deliveryId);
  const { rows } = await transaction.query<{ state: string; batches: number; records: number }>(
    "select state, batches, records from deliveries where id = $1 for no key update",
    [deliveryId],
  );
  const found = rows[0];
  if (found?.state !== "loading" || found.batches !== expected.batches || found.records !== expected.records)
    throw new Fault("LOAD_OVERTAKEN");
}

/** Moves the checkpoint; `isLast` ends the load. The caller holds the checkpoint's lock. One statement. */
export async function advance(
  transaction: Transaction,
  deliveryId: string,
  counts: LoadCounts,
  isLast: boolean,
): Promise<void> {
  await update(transaction, deliveryId, counts, isLast ? endsLoad : "");
}

/** An account may have come while its records were being held. */
const endsLoad = `,
            state = 'loaded',
            finished_at = now(),
            revisit_requested_at = case when ${hasDue} then now() end`;

/**
 * How many of its landed bytes are behind the checkpoint, for whoever watches. The caller holds the checkpoint's lock.
 */
export async function noteBytesLoaded(transaction: Transaction, deliveryId: string, bytes: number): Promise<void> {
  await transaction.query("update deliveries set bytes_loaded = least(size_bytes, $2) where id = $1", [
    deliveryId,
    bytes,
  ]);
}

/** The caller holds the delivery's lock. */
export async function addCounts(transaction: Transaction, deliveryId: string, counts: LoadCounts): Promise<void> {
  await update(transaction, deliveryId, counts, "");
}

/** @param more SQL: what else is set */
async function update(transaction: Transaction, deliveryId: string, counts: LoadCounts, more: string): Promise<void> {
  await transaction.query(
    `update deliveries
        set batches = batches + $2,
            batches_refused = batches_refused + $3,
            records = records + $4,
            records_new = records_new + $5,
            records_known = records_known + $6,
            records_conflicting = records_conflicting + $7,
            records_corrected = records_corrected + $8,
            records_refused = records_refused + $9,
            records_waiting = records_waiting + $10,
            markers = markers + $11,
            -- Whatever failed before, it goes on.
            attempts = 0,
            breakdowns = 0,
            revisit_attempts = 0${more}
      where id = $1`,
    [
      deliveryId,
      counts.batches,
      counts.batchesRefused,
      counts.records,
      counts.recordsNew,
      counts.recordsKnown,
      counts.recordsConflicting,
      counts.recordsCorrected,
      counts.recordsRefused,
      counts.recordsWaiting,
      counts.markers,
    ],
  );
}

/** Ends a load of which nothing was committed. */
export async function refuse(
  transaction: Queryable,
  deliveryId: string,
  refusal: { code: string; reason: string },
): Promise<void> {
  await transaction.query(
    `update deliveries
        set state = 'refused',
            refusal_code = $2,
            refusal_reason = $3,
            finished_at = now()
      where id = $1
        and state = 'loading'`,
    [deliveryId, refusal.code, refusal.reason],
  );
}
