/** A load that is called off or withdrawn stops after the chunk under way and can be continued. */
import test from "ava";
import { chunkRecordsMax } from "../../../config/limits.ts";
import { codeOf, inTransaction, type Transaction } from "../../../src/database/database.ts";
import { cancelLoad, type Cancelled } from "../../../src/deliveries/cancel.ts";
import { findDelivery } from "../../../src/deliveries/deliveries.ts";
import { progressOf } from "../../../src/deliveries/load-progress.ts";
import { retryAbandoned } from "../../../src/deliveries/reopen.ts";
import { lockCheckpoint, startLoad } from "../../../src/deliveries/progress.ts";
import { lockLoaded } from "../../../src/deliveries/revisits.ts";
import { withdraw } from "../../../src/ledger/withdraw.ts";
import { sealToken } from "../sealing.ts";
import {
  accountsCsv,
  countsOf,
  ledgerSize,
  type LoadingWorld,
  openLoading,
  transaction,
  transactions,
  transactionsCsv,
} from "../world.ts";

test("a load that is called off stops at its next chunk, tells how far it was, and can be continued", async (t) => {
  const world = await openLoading(t);
  const records = [
    ...transactions("u1", chunkRecordsMax, "a"),
    ...transactions("u2", chunkRecordsMax, "b"),
    ...transactions("u1", chunkRecordsMax, "c"),
  ];
  const id = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify(records)));
  let recordsLoaded = 0;
  const broken = await inTransaction(world.database, async (holder) => {
    // The second chunk waits for its user, and whoever calls the load off for the second chunk.
    await holder.query("select 1 from users where bank_user_id = 'u2' for update");
    const load = t.throwsAsync(world.ingest(id));
    await untilWaiting(world, 1);
    const before = (await findDelivery(world.database, id))?.records ?? 0;
    t.true(before > 0 && before <= chunkRecordsMax);
    const cancelling = callOff(world, id);
    await untilWaiting(world, 2);
    await holder.query("commit");
    recordsLoaded = (await cancelling)?.recordsLoaded ?? 0;
    t.true(recordsLoaded > before && recordsLoaded <= 2 * chunkRecordsMax);
    return await load;
  });
  t.is(broken && codeOf(broken), "LOAD_OVERTAKEN");
  t.is(await ledgerSize(world.database), recordsLoaded);
  t.like(await findDelivery(world.database, id), {
    state: "refused",
    refusalCode: "LOAD_CANCELLED",
    refusalReason: `Loading was called off after ${recordsLoaded} records.`,
  });
  t.is(await callOff(world, id), null);
  t.deepEqual(await retryAbandoned(world.database, null), []);
  t.deepEqual(await retryAbandoned(world.database, id), [id]);
  t.deepEqual(countsOf(await world.ingest(id)), { batches: 1, records: 3 * chunkRecordsMax, new: 3 * chunkRecordsMax });
});

for (const vaultShare of [1, 1 / 4])
  test(`while a file is loaded chunk by chunk whose bytes are kept as ${vaultShare} of themselves its row tells how much of it is behind, and at the end all of it`, async (t) => {
    const world = await openLoading(t);
    world.context.pieces = null;
    const records = [...transactions("u1", chunkRecordsMax, "a"), ...transactions("u2", chunkRecordsMax, "b")];
    const id = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify(records), { compress: false }));
    await world.database.query("update deliveries set size_bytes = round(size_bytes / $1::float8)", [vaultShare]);
    const loaded = await inTransaction(world.database, async (holder) => {
      await holder.query("select 1 from users where bank_user_id = 'u2' for update");
      const load = world.ingest(id);
      await untilWaiting(world, 1);
      const delivery = await findDelivery(world.database, id);
      if (delivery === null) throw new Error("the delivery is gone");
      const seen = progressOf(delivery, new Date((delivery.runStartedAt?.getTime() ?? 0) + 10_000));
      t.is(seen?.recordsPerSecond, Math.round(delivery.records / 10));
      t.true(seen?.percent !== null && (seen?.percent ?? 0) > 40 && (seen?.percent ?? 0) <= 100, String(seen?.percent));
      await holder.query("commit");
      return await load;
    });
    t.is(loaded.bytesLoaded, loaded.sizeBytes);
    t.is(progressOf(loaded, new Date()), null);
  });

test("whoever calls a load off is next after the chunk that is being committed, whatever chunk is asked for meanwhile", async (t) => {
  const world = await openLoading(t);
  const id = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify(transactions("u1", 1))));
  await startLoad(world.database, id);
  const chunk = () =>
    inTransaction(world.database, (transaction) => lockCheckpoint(transaction, id, { batches: 0, records: 0 }));
  let next = Promise.resolve();
  const cancelled = await inTransaction(world.database, async (first) => {
    await lockCheckpoint(first, id, { batches: 0, records: 0 });
    const cancelling = callOff(world, id);
    await untilWaiting(world, 1);
    next = chunk();
    next.catch(() => undefined);
    await untilWaiting(world, 2);
    await first.query("commit");
    return await cancelling;
  });
  t.deepEqual(cancelled, { deliveryId: id, recordsLoaded: 0 });
  t.is(codeOf(await t.throwsAsync(next)), "LOAD_OVERTAKEN");
});

test("whoever withdraws a delivery is next after the records that are being read again", async (t) => {
  const world = await openLoading(t);
  const { id } = await world.load([transaction("new", "t1")]);
  let next = Promise.resolve();
  const withdrawn = await inTransaction(world.database, async (first) => {
    await lockLoaded(first, id);
    const withdrawing = inTransaction(world.database, (transaction) => withdraw(transaction, id, "test"));
    await untilWaiting(world, 1);
    next = inTransaction(world.database, (transaction) => lockLoaded(transaction, id));
    next.catch(() => undefined);
    await untilWaiting(world, 2);
    await first.query("commit");
    return await withdrawing;
  });
  t.deepEqual(withdrawn, { transactions: 0, restored: 0, users: 0 });
  t.is(codeOf(await t.throwsAsync(next)), "LOAD_OVERTAKEN");
});

test("accounts that name what a running load waits for are next after its chunk", async (t) => {
  const world = await openLoading(t);
  const { id } = await world.loadCsv(
    "transactions",
    transactionsCsv([{ transaction_id: "t1", account_number: "later" }]),
  );
  await world.database.query("update deliveries set state = 'loading', finished_at = null where id = $1", [id]);
  const accounts = await world.deliverFile("accounts.csv", sealToken(world.key, accountsCsv({ later: "u1" })));
  const chunk = (transaction: Transaction) => lockCheckpoint(transaction, id, { batches: 1, records: 1 });
  await inTransaction(world.database, async (first) => {
    await chunk(first);
    const naming = world.ingest(accounts);
    await untilWaiting(world, 1);
    const dueAtNext = inTransaction(world.database, async (transaction) => {
      await chunk(transaction);
      return (await transaction.query("select 1 from waiting_accounts where released")).rowCount;
    });
    await untilWaiting(world, 2);
    await first.query("commit");
    t.is(await dueAtNext, 1);
    await naming;
  });
});

function callOff(world: LoadingWorld, id: string): Promise<Cancelled | null> {
  return inTransaction(world.database, (transaction) => cancelLoad(transaction, id));
}

/** Until so many statements wait for a lock. */
async function untilWaiting(world: LoadingWorld, count: number): Promise<void> {
  for (;;) {
    const { rows } = await world.database.query<{ waiting: number }>(
      "select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows[0]?.waiting === count) return;
  }
}
