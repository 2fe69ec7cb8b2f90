/**
 * Retention and backups keep out of each other's way: while a backup goes from the database to the vault, nothing that
 * its rows name may go. Any number of retention runs may work at once; a backup works alone.
 */
import { type Database, restHolding, type Transaction } from "../../database/database.ts";
import { Fault } from "../../errors.ts";

/** Locks of the database that both sides take; the numbers spell KEEP and BACK. */
const removalLock = 0x4b454550;
const backupLock = 0x4241434b;

/** Runs `work` unless a backup is being made. @returns null when one is */
export async function unlessBackingUp<Result>(database: Database, work: () => Promise<Result>): Promise<Result | null> {
  return await holding(database, async (client) => {
    // For a transaction, which a pooler leaves on one connection.
    await client.query("begin");
    const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_xact_lock_shared($1) as mine", [
      removalLock,
    ]);
    await restHolding(client);
    return rows[0]?.mine === true ? await work() : null;
  });
}

/**
 * Waits until running removals have ended, then runs `work` while none begins. @param work is given a signal that is
 * aborted when the pause is lost, with its connection: what it did until then is no backup
 * @throws Fault BACKUP_RUNS when another one is being made
 */
export async function withRemovalPaused<Result>(
  database: Database,
  work: (lost: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return await holding(database, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [backupLock]);
    if (rows[0]?.mine !== true) throw new Fault("BACKUP_RUNS");
    await client.query("select pg_advisory_lock($1)", [removalLock]);
    const lost = new AbortController();
    const onLost = (error: Error) => lost.abort(error);
    client.on("error", onLost);
    try {
      return await work(lost.signal);
    } finally {
      client.off("error", onLost);
    }
  });
}

/** On a connection of its own, which ends afterwards, and the locks with it. */
async function holding<Result>(database: Database, work: (client: Transaction) => Promise<Result>): Promise<Result> {
  const client = await database.connect();
  try {
    return await work(client);
  } finally {
    client.release(true);
  }
}
