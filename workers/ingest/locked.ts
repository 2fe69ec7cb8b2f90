/**
 * Deliveries that one loader has in hand, so that no other does the same work in vain. Locks of the database hold that,
 * which a killed process takes with it. That nothing is loaded twice does not hang on them (`lockCheckpoint`).
 */
import { restHolding, type Transaction } from "../../src/database/database.ts";
import type { WorkerContext } from "../context.ts";

/**
 * Runs `work` with a connection while those of the deliveries are locked that nobody else has. @param work is given the
 * connection for what it does, and which of them it got
 */
export async function withDeliveriesLocked<Result>(
  context: WorkerContext,
  deliveryIds: readonly string[],
  work: (client: Transaction, locked: string[]) => Promise<Result>,
): Promise<Result> {
  return context.pooledLocks === undefined
    ? await lockedBySession(context, deliveryIds, work)
    : await lockedByTransaction(context, context.pooledLocks, deliveryIds, work);
}

async function lockedBySession<Result>(
  { database }: WorkerContext,
  deliveryIds: readonly string[],
  work: (client: Transaction, locked: string[]) => Promise<Result>,
): Promise<Result> {
  const client = await database.connect();
  let broken: Error | undefined;
  try {
    return await work(client, await lock(client, "pg_try_advisory_lock", deliveryIds));
  } finally {
    // A connection that cannot unlock is closed, and its locks go with it.
    await client.query("select pg_advisory_unlock_all()").catch((error: Error) => (broken = error));
    client.release(broken);
  }
}

/**
 * A pooler gives each transaction whichever connection of the server's is free, and what a session locked stays with
 * that one, long after the loader has ended. So a transaction of its own holds the locks, on a connection that it keeps
 * until its end.
 */
async function lockedByTransaction<Result>(
  { database }: WorkerContext,
  locks: NonNullable<WorkerContext["pooledLocks"]>,
  deliveryIds: readonly string[],
  work: (client: Transaction, locked: string[]) => Promise<Result>,
): Promise<Result> {
  const holder = await locks.connect();
  let broken: Error | undefined;
  try {
    await holder.query("begin");
    const locked = await lock(holder, "pg_try_advisory_xact_lock", deliveryIds);
    await restHolding(holder);
    const client = await database.connect();
    try {
      return await work(client, locked);
    } finally {
      client.release();
    }
  } finally {
    await holder.query("commit").catch((error: Error) => (broken = error));
    holder.release(broken);
  }
}

async function lock(
  client: Transaction,
  how: "pg_try_advisory_lock" | "pg_try_advisory_xact_lock",
  deliveryIds: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string; locked: boolean }>(
    `select id, ${how}(hashtextextended('delivery ' || id, 0)) as locked from unnest($1::text[]) with ordinality as asked (id, place) order by place`,
    [deliveryIds],
  );
  return rows.filter((row) => row.locked).map((row) => row.id);
}
