/**
 * A large file is loaded while it is read for the first time: until its end is seen nobody sees a row of it, and nobody
 * waits for more than these; what does not simply go in is loaded as it would have been anyway.
 */
import test from "ava";
import { setTimeout as wait } from "node:timers/promises";
import { chunkRecordsMax } from "../../../config/limits.ts";
import { codeOf, inTransaction } from "../../../src/database/database.ts";
import { cancelLoad } from "../../../src/deliveries/cancel.ts";
import { findDelivery } from "../../../src/deliveries/deliveries.ts";
import { openContext } from "../../../workers/context.ts";
import { ingestDelivery } from "../../../workers/ingest/ingest.ts";
import { answered, asked } from "../../../workers/turn.ts";
import { sealToken } from "../sealing.ts";
import { countsOf, ledgerSize, type LoadingWorld, problemsOf, transaction, transactions } from "../world.ts";
import { loseLedger, many, openCutting, small } from "./pieces-twin.ts";

const seal = (world: LoadingWorld, text: string): Promise<string> =>
  world.deliverFile("jwe", sealToken(world.key, text));

/** More than two chunks, of two users. */
const long = () => [...transactions("u1", chunkRecordsMax + 500, "a"), ...transactions("u2", chunkRecordsMax, "b")];

/** Of a lock: its holder writes rows of this test's ledger. */
const isWriting = `relation = 'transactions'::regclass and mode = 'RowExclusiveLock'
  and database = (select oid from pg_database where datname = current_database())`;

/** In how many database transactions the ledger's rows were committed; a subtransaction counts as its own. */
async function transactionsOf({ database }: LoadingWorld): Promise<number> {
  const { rows } = await database.query<{ n: number }>("select count(distinct xmin::text) as n from transactions");
  return rows[0]?.n ?? 0;
}

test("no row is seen before the file's end is, and one that is cut off there leaves none", async (t) => {
  const world = await openCutting(t);
  const records = long();
  const cut = await seal(world, JSON.stringify(records).slice(0, -1));
  const seen: number[] = [];
  const loading = world.ingest(cut);
  for (let isOver = false; !isOver;) {
    isOver = await Promise.race([loading.then(() => true), wait(5, false)]);
    seen.push(await ledgerSize(world.database));
  }
  t.like(await loading, { state: "refused", refusalCode: "TX_DATA_ERROR", records: 0 });
  t.deepEqual([...new Set(seen)], [0]);
  t.is((await world.database.query("select 1 from loaded_pieces")).rowCount, 0);
  t.is((await world.database.query("select 1 from changed_users")).rowCount, 0);
});

test("until its end it locks no user and no account, and those who come meanwhile are not waited for", async (t) => {
  const world = await openCutting(t);
  await world.load(many("u1", 30, 900_000));
  const records = long();
  const id = await seal(world, JSON.stringify(records));
  // The rows of the second chunk wait for one of its txids.
  const holder = await world.database.connect();
  await holder.query("begin");
  await holder.query(
    `insert into transactions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, delivery_position)
     select $1, 'b7', booked_on, tx_time, raw_type, description, amount, currency, delivery_position
       from transactions limit 1`,
    [world.userIds[1]],
  );
  const loading = world.ingest(id);
  for (;;) {
    const { rows } = await world.database.query(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'copy transactions%' and datname = current_database()",
    );
    if (rows.length > 0) break;
  }
  await world.database.query("update users set last_loaded_at = now()");
  await world.database.query("update accounts set name = 'Other'");
  await world.database.query("update changed_users set touched_at = now()");
  await holder.query("rollback");
  holder.release();
  t.deepEqual(countsOf(await loading), { batches: 1, records: records.length, new: records.length });
});

test("the small chunks that a file begins with go in one COPY", async (t) => {
  const world = await openCutting(t);
  const records = transactions("u1", (7 * chunkRecordsMax) / 8, "a");
  t.deepEqual(countsOf(await world.load(records)), { batches: 1, records: records.length, new: records.length });
  t.is(await transactionsOf(world), 1);
});

test("of a file that goes in whole the pieces are kept that a look through it would have told", async (t) => {
  const world = await openCutting(t);
  const records = long();
  t.deepEqual(countsOf(await world.load(records)), { batches: 1, records: records.length, new: records.length });
  const { rows } = await world.database.query<{ kept: number }>(
    "select sum(records)::bigint as kept from loaded_pieces",
  );
  t.is(rows[0]?.kept, records.length);
  await loseLedger(world);
  t.deepEqual(countsOf(await world.load(records)), { batches: 1, records: records.length, known: records.length });
});

test("a file that begins with something new and goes on as an earlier one is read to there only", async (t) => {
  const world = await openCutting(t);
  const records = transactions("u1", chunkRecordsMax, "a");
  await world.load(records);
  await loseLedger(world);
  const fresh = transactions("u2", chunkRecordsMax / 16, "b");
  const { new: read = 0, known = 0 } = countsOf(await world.load([...fresh, ...records]));
  t.is(read + known, fresh.length + records.length);
  // A piece that has some of both is new, and the last record is always read.
  t.true(read >= fresh.length && read <= fresh.length + 2 * small.rules.recordsMax, `${read}`);
  t.is(await ledgerSize(world.database), read);
});

test("what is known, conflicts, is refused or says nothing new in it counts as it does chunk by chunk", async (t) => {
  const counts: unknown[] = [];
  const problems: unknown[] = [];
  for (const pieces of [null, small]) {
    const world = await openCutting(t);
    world.context.pieces = pieces;
    await world.load([transaction("u2", "b5"), transaction("u2", "b6", { amount: 77 })]);
    const records: unknown[] = [{ uid: "u1", type: "TX", tx: 7 }, ...long(), { uid: "nobody", type: "TX" }];
    records.splice(chunkRecordsMax / 2, 0, transaction("nobody", "n1"), { uid: "u2", type: "IMPORT_COMPLETED" });
    const id = await seal(world, JSON.stringify(records));
    counts.push(countsOf(await world.ingest(id)));
    problems.push(await problemsOf(world.database, id));
    t.is(await ledgerSize(world.database), long().length);
    counts.push(countsOf(await world.load(records)));
  }
  t.deepEqual(counts.slice(2), counts.slice(0, 2));
  t.deepEqual(problems[1], problems[0]);
});

test("a file that ends otherwise than it should is refused whole, also when a row in it was there already", async (t) => {
  const world = await openCutting(t);
  await world.load([transaction("u2", "b5")]);
  const id = await seal(world, `${JSON.stringify(long())},`);
  t.like(await world.ingest(id), { state: "refused", records: 0 });
  t.is(await ledgerSize(world.database), 1);
});

test("a load that is parked for long leaves nothing behind that others would wait for, and is gone on with", async (t) => {
  const world = await openCutting(t);
  const records = long();
  const id = await seal(world, JSON.stringify(records));
  const control = new SharedArrayBuffer(12);
  const words = new Int32Array(control);
  const loading = ingestDelivery(world.context, { deliveryId: id, control });
  const isAtWork = async () => (await world.database.query(`select 1 from pg_locks where ${isWriting}`)).rowCount === 1;
  while (!(await isAtWork())) await wait(1);
  Atomics.store(words, 0, asked.park);
  Atomics.notify(words, 0);
  while (Atomics.load(words, 1) !== answered.parked) await wait(2);
  while (await isAtWork()) await wait(20);
  t.is(await ledgerSize(world.database), 0);
  Atomics.store(words, 0, asked.run);
  Atomics.notify(words, 0);
  t.deepEqual(await loading, { state: "loaded" });
  t.is(await ledgerSize(world.database), records.length);
  t.true((await transactionsOf(world)) > 1);
});

test("whoever calls a load off need not wait for the file's end", async (t) => {
  const world = await openCutting(t);
  const records = long();
  const id = await seal(world, JSON.stringify(records));
  const loading = t.throwsAsync(world.ingest(id));
  const isLoading = async () =>
    (await world.database.query(`select 1 from pg_locks where ${isWriting}`)).rowCount === 1;
  while (!(await isLoading())) await wait(1);
  const called = await inTransaction(world.database, (transaction) => cancelLoad(transaction, id));
  const recordsLoaded = called?.recordsLoaded ?? 0;
  t.true(recordsLoaded > 0 && recordsLoaded < records.length, `${recordsLoaded}`);
  const thrown = await loading;
  t.is(thrown && codeOf(thrown), "LOAD_OVERTAKEN");
  t.is(await ledgerSize(world.database), recordsLoaded);
  t.like(await findDelivery(world.database, id), { state: "refused", refusalCode: "LOAD_CANCELLED" });
});

test("a load whose connection ends in the middle leaves nothing, and is loaded once when it is tried again", async (t) => {
  const world = await openCutting(t);
  const records = long();
  const id = await seal(world, JSON.stringify(records));
  const loading = t.throwsAsync(world.ingest(id));
  for (let ended = 0; ended === 0;) {
    const { rowCount } = await world.database.query(
      `select pg_terminate_backend(pid) from pg_locks where ${isWriting}`,
    );
    ended = rowCount ?? 0;
  }
  await loading;
  t.is(await ledgerSize(world.database), 0);
  t.like(await findDelivery(world.database, id), { state: "loading", records: 0 });
  t.deepEqual(countsOf(await world.ingest(id)), { batches: 1, records: records.length, new: records.length });
});

test("a load whose turn is over commits what it has, and the next turn goes on there", async (t) => {
  const world = await openCutting(t);
  const records = long();
  const id = await seal(world, JSON.stringify(records));
  const control = new SharedArrayBuffer(12);
  Atomics.store(new Int32Array(control), 0, asked.end);
  t.deepEqual(await ingestDelivery(world.context, { deliveryId: id, control }), { state: "yielded" });
  const loadedFirst = await ledgerSize(world.database);
  t.true(loadedFirst > 0 && loadedFirst <= chunkRecordsMax, `${loadedFirst}`);
  t.deepEqual(countsOf(await world.ingest(id)), { batches: 1, records: records.length, new: records.length });
});

test("loaders that bring the same rows in other orders end, and each row is one's", async (t) => {
  const world = await openCutting(t);
  const [first, second] = [transactions("u1", chunkRecordsMax, "a"), transactions("u2", chunkRecordsMax, "b")];
  const ids: string[] = [];
  for (const records of [
    [...first, ...second],
    [...second, ...first],
  ])
    ids.push(await seal(world, JSON.stringify(records)));
  const loaders = ids.map(() => ({ ...openContext(world.settings), pieces: small }));
  t.teardown(() => Promise.all(loaders.map((loader) => loader.database.end())));
  await Promise.all(loaders.map((loader, n) => ingestDelivery(loader, { deliveryId: ids[n] as string })));
  const { rows } = await world.database.query(
    "select sum(records_new)::int as new, sum(records_known)::int as known, count(*) filter (where state = 'loaded')::int as loaded from deliveries",
  );
  t.deepEqual(rows, [{ new: 2 * chunkRecordsMax, known: 2 * chunkRecordsMax, loaded: 2 }]);
  t.is(await ledgerSize(world.database), 2 * chunkRecordsMax);
});
