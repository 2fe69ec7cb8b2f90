/** Held records of many chunks: released in many, each once, also when a release breaks off between two of them. */
import test, { type ExecutionContext } from "ava";
import { setTimeout as wait } from "node:timers/promises";
import { chunkRecordsMax } from "../../../config/limits.ts";
import { inTransaction } from "../../../src/database/database.ts";
import { findDelivery } from "../../../src/deliveries/deliveries.ts";
import { markDue } from "../../../src/deliveries/held.ts";
import { lockBetweenChunks } from "../../../src/deliveries/progress.ts";
import { requestRevisit } from "../../../src/deliveries/revisits.ts";
import { ingestDelivery } from "../../../workers/ingest/ingest.ts";
import { answered, asked } from "../../../workers/turn.ts";
import { addUser } from "../../parties.ts";
import {
  accountsCsv,
  countsOf,
  ledgerSize,
  type LoadingWorld,
  openLoading,
  transaction,
  transactionsCsv,
} from "../world.ts";

test("records held in many chunks are released in many, each once", async (t) => {
  const world = await openLoading(t);
  const count = 45_000;
  const delivery = await world.load(
    Array.from({ length: count }, (_, n) => transaction(n % 3 === 0 ? "new" : "u1", `t${n}`)),
  );
  t.deepEqual(countsOf(delivery), { batches: 1, records: count, new: 30_000, refused: 15_000 });
  await addUser(world.database, world.partnerId, "new");
  await markDue(world.database, delivery.id, null);
  await requestRevisit(world.database, delivery.id);
  t.deepEqual(countsOf(await world.ingest(delivery.id)), { batches: 1, records: count, new: count });
  t.is(await ledgerSize(world.database), count);
  t.is((await world.database.query("select 1 from held_records")).rowCount, 0);
});

test("records that wait among others load account by account, in many chunks, each once and as it is", async (t) => {
  const world = await openLoading(t);
  const count = 45_000;
  const accounts = ["a0", "a1", "a2"];
  const rows = Array.from({ length: count }, (_, n) => ({
    transaction_id: `t${n}`,
    account_number: accounts[n % 3] ?? "",
    // Such a row is read field by field, beside rows that are not.
    ...(n % 500 === 7 ? { description: 'Café "Åben"\nOslo', transaction_date: n === 7 ? "never" : "2026-01-31" } : {}),
  }));
  const delivery = await world.loadCsv("transactions", transactionsCsv(rows));
  t.deepEqual(countsOf(delivery), { batches: 1, records: count, refused: 1, waiting: count - 1 });
  // Each chunk's, before and behind the one that is refused; and each account once.
  t.is((await world.database.query("select 1 from held_records where kind = 'waiting'")).rowCount, 4);
  t.is((await world.database.query("select 1 from waiting_accounts")).rowCount, 3);
  t.is((await world.loadCsv("accounts", accountsCsv({ a0: "u1" }))).recordsNew, 1);
  t.deepEqual(countsOf(await world.ingest(delivery.id)), {
    batches: 1,
    records: count,
    new: 15_000,
    refused: 1,
    waiting: 29_999,
  });
  await world.loadCsv("accounts", accountsCsv({ a1: "u2", a2: "u3" }));
  const after = await world.ingest(delivery.id);
  t.deepEqual(countsOf(after), { batches: 1, records: count, new: count - 1, refused: 1 });
  t.is(after.revisitRequestedAt, null);
  t.is(after.revisitRecords, 29_999);
  t.true(after.revisitBytes > after.sizeBytes / 2 && after.revisitBytes <= after.sizeBytes, `${after.revisitBytes}`);
  const { rows: stored } = await world.database.query<{ user_id: number; n: number; sum: string }>(
    "select user_id, count(*) as n, sum(substr(txid, 2)::bigint % 3) as sum from transactions group by user_id order by user_id",
  );
  t.deepEqual(
    stored.map(({ user_id, n, sum }) => [user_id, n, Number(sum)]),
    [
      [world.userIds[0], 15_000, 0],
      [world.userIds[1], 14_999, 14_999],
      [world.userIds[2], 15_000, 30_000],
    ],
  );
  const odd = await world.database.query("select 1 from transactions where description = $1", ['Café "Åben"\nOslo']);
  t.is(odd.rowCount, 89);
  t.is((await world.database.query("select 1 from waiting_accounts")).rowCount, 0);
});

test("a release that breaks off between two chunks leaves each record in one place, and goes on with the others", async (t) => {
  const world = await openLoading(t);
  const count = 45_000;
  const accounts = ["a0", "a1", "a2"];
  const rows = Array.from({ length: count }, (_, n) => ({
    transaction_id: `t${n}`,
    account_number: accounts[n % 3] ?? "",
  }));
  const delivery = await world.loadCsv("transactions", transactionsCsv(rows));
  await world.loadCsv("accounts", accountsCsv({ a0: "u1", a1: "u2" }));
  await world.database.query(`
    create function break() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
    create trigger break before insert on transactions for each row when (new.txid = 't30000') execute function break();`);
  await t.throwsAsync(world.ingest(delivery.id), { message: "broken" });
  const placesHeld = async () =>
    (await world.database.query<{ sum: number }>("select coalesce(sum(records), 0)::bigint as sum from held_records"))
      .rows[0]?.sum;
  const broken = await findDelivery(world.database, delivery.id);
  const loaded = await ledgerSize(world.database);
  t.true(loaded > 0 && loaded < 30_000, `${loaded}`);
  t.like(broken, { recordsNew: loaded, recordsWaiting: count - loaded });
  t.not(broken?.revisitRequestedAt, null);
  t.true((broken?.revisitBytes ?? 0) > 0);
  t.is(await placesHeld(), count - loaded);
  await world.database.query("drop trigger break on transactions");
  const after = await world.ingest(delivery.id);
  t.deepEqual(countsOf(after), { batches: 1, records: count, new: 30_000, waiting: 15_000 });
  t.is(await ledgerSize(world.database), 30_000);
  t.is(await placesHeld(), 15_000);
  t.is((await world.database.query("select 1 from waiting_accounts where not released")).rowCount, 1);
  await world.loadCsv("accounts", accountsCsv({ a2: "u3" }));
  t.deepEqual(countsOf(await world.ingest(delivery.id)), { batches: 1, records: count, new: count });
  t.is((await world.database.query("select 1 from waiting_accounts")).rowCount, 0);
});

/** A delivery of three chunks, all of whose records have become due. */
async function threeDue(t: ExecutionContext): Promise<{ world: LoadingWorld; id: string; count: number }> {
  const world = await openLoading(t);
  const count = 45_000;
  const rows = Array.from({ length: count }, (_, n) => ({
    transaction_id: `t${n}`,
    account_number: n % 2 === 0 ? "a0" : "a1",
  }));
  const { id } = await world.loadCsv("transactions", transactionsCsv(rows));
  await world.loadCsv("accounts", accountsCsv({ a0: "u1", a1: "u2" }));
  return { world, id, count };
}

/** Of a lock: its holder writes rows of this test's ledger. */
const isWriting = `relation = 'transactions'::regclass and mode = 'RowExclusiveLock'
  and database = (select oid from pg_database where datname = current_database())`;

/** As the release leaves it when it was let go on. */
async function isWhole(t: ExecutionContext, { database }: LoadingWorld, count: number): Promise<void> {
  t.is(await ledgerSize(database), count);
  t.is((await database.query("select 1 from held_records")).rowCount, 0);
  const { rows } = await database.query(
    "select count(*)::int as users, count(distinct user_id)::int as each from changed_users",
  );
  t.deepEqual(rows, [{ users: 2, each: 2 }]);
}

test("a release of many chunks locks no user and no account until it commits, which it does soon for who waits for its delivery", async (t) => {
  const { world, id, count } = await threeDue(t);
  const { database } = world;
  // The rows of the second chunk wait for one of its txids.
  const holder = await database.connect();
  await holder.query("begin");
  await holder.query(
    `insert into transactions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, delivery_position)
     values ($1, 't20001', '2026-01-31', now(), 'x', 'x', 1, 'DKK', 1)`,
    [world.userIds[1]],
  );
  const releasing = world.ingest(id);
  for (;;) {
    const { rows } = await database.query(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'copy transactions%' and datname = current_database()",
    );
    if (rows.length > 0) break;
  }
  t.is(await ledgerSize(database), 0);
  await database.query("update users set last_loaded_at = now()");
  await database.query("update accounts set name = 'Other'");
  await database.query("insert into changed_users (user_id) select id from users where id = $1", [world.userIds[0]]);
  const loadedThen = inTransaction(database, async (transaction) => {
    await lockBetweenChunks(transaction, id);
    return await ledgerSize(database);
  });
  while ((await database.query("select 1 from pg_locks where locktype = 'advisory' and not granted")).rowCount === 0)
    await wait(1);
  await holder.query("rollback");
  holder.release();
  const loaded = await loadedThen;
  t.true(loaded > chunkRecordsMax && loaded < count, `${loaded}`);
  t.deepEqual(countsOf(await releasing), { batches: 1, records: count, new: count });
  await isWhole(t, world, count);
});

test("a release that is parked for long commits what it has, and goes on behind it", async (t) => {
  const { world, id, count } = await threeDue(t);
  const control = new SharedArrayBuffer(12);
  const words = new Int32Array(control);
  const releasing = ingestDelivery(world.context, { deliveryId: id, control });
  const isAtWork = async () => (await world.database.query(`select 1 from pg_locks where ${isWriting}`)).rowCount === 1;
  while (!(await isAtWork())) await wait(1);
  Atomics.store(words, 0, asked.park);
  Atomics.notify(words, 0);
  while (Atomics.load(words, 1) !== answered.parked) await wait(2);
  while (await isAtWork()) await wait(20);
  const loaded = await ledgerSize(world.database);
  t.true(loaded > 0 && loaded < count, `${loaded}`);
  t.like(await findDelivery(world.database, id), { recordsNew: loaded, recordsWaiting: count - loaded });
  Atomics.store(words, 0, asked.run);
  Atomics.notify(words, 0);
  t.deepEqual(await releasing, { state: "loaded" });
  await isWhole(t, world, count);
});

test("a release whose connection ends in the middle leaves nothing, and releases each record once when it is tried again", async (t) => {
  const { world, id, count } = await threeDue(t);
  const releasing = t.throwsAsync(world.ingest(id));
  for (let ended = 0; ended === 0;) {
    const { rowCount } = await world.database.query(
      `select pg_terminate_backend(pid) from pg_locks where ${isWriting}`,
    );
    ended = rowCount ?? 0;
  }
  await releasing;
  t.is(await ledgerSize(world.database), 0);
  t.like(await findDelivery(world.database, id), { recordsNew: 0, recordsWaiting: count });
  t.deepEqual(countsOf(await world.ingest(id)), { batches: 1, records: count, new: count });
  await isWhole(t, world, count);
});
