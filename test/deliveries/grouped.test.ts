/** Requests and small files are loaded together only while all of them are untouched, and each keeps its own record. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { findBodies, findLoadables, finishGroup, lockGroup, startGroup } from "../../src/deliveries/grouped.ts";
import { deliveryRow, lockedDeliveries, readAsStored, shareLedger, waitsFor } from "../ledger/world.ts";

const ledger = shareLedger();

const change = (id: string, assignments: string) =>
  ledger.database.query(`update deliveries set ${assignments} where id = $1`, [id]);

test("deliveries are loadable together when they are accepted and nothing of them was begun, in the order of acceptance", async (t) => {
  const { delivery, partnerId } = await ledger.party();
  const [first, second] = [await delivery("accepted"), await delivery("accepted")];
  const others = {
    loading: await delivery("loading"),
    batches: await delivery("accepted"),
    records: await delivery("accepted"),
    both: await delivery("accepted"),
  };
  await change(others.batches.id, "batches = 1");
  await change(others.records.id, "records = 1, records_new = 1");
  await change(others.both.id, "batches = 1, records = 1, records_new = 1");
  const ids = [second.id, ...Object.values(others).map((one) => one.id), randomUUID(), first.id];
  const found = await findLoadables(ledger.database, ids);
  t.deepEqual(
    found.map(({ id, position }) => ({ id, position })),
    [first, second],
  );
  t.like(found[0], { partnerId, format: "jsonl", state: "accepted", vaultReference: null });
});

test("the bodies of pushed requests are found by their deliveries", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other, without] = [await delivery("accepted"), await delivery("accepted"), await delivery("accepted")];
  for (const { id } of [one, other]) {
    await ledger.database.query("insert into delivery_bodies (delivery_id, body) values ($1, $2)", [
      id,
      Buffer.from(`body of ${id}`),
    ]);
  }
  const bodies = await findBodies(ledger.database, [one.id, without.id]);
  t.deepEqual([...bodies], [[one.id, Buffer.from(`body of ${one.id}`)]]);
});

const runColumns = `state, breakdowns, retry_at, started_at = timestamptz '2026-01-01T00:00:00Z' as is_first_start, started_at is not null as is_started,
  run_started_at > now() - interval '1 minute' as is_running, run_started_records`;

test("a run of a group is noted with each of its accepted deliveries", async (t) => {
  const { delivery } = await ledger.party();
  const [fresh, tried, other] = [await delivery("accepted"), await delivery("accepted"), await delivery("accepted")];
  await change(
    tried.id,
    "breakdowns = 2, retry_at = now(), started_at = '2026-01-01T00:00:00Z', run_started_records = 9, records = 3, records_new = 3",
  );
  await startGroup(ledger.database, [fresh.id, tried.id]);
  t.deepEqual(await deliveryRow(ledger.database, fresh.id, runColumns), {
    state: "loading",
    breakdowns: 1,
    retry_at: null,
    is_first_start: false,
    is_started: true,
    is_running: true,
    run_started_records: 0,
  });
  t.deepEqual(await deliveryRow(ledger.database, tried.id, runColumns), {
    state: "loading",
    breakdowns: 3,
    retry_at: null,
    is_first_start: true,
    is_started: true,
    is_running: true,
    run_started_records: 3,
  });
  t.like(await deliveryRow(ledger.database, other.id, runColumns), {
    state: "accepted",
    breakdowns: 0,
    is_started: false,
  });
});

test("what is no longer accepted is left as it is", async (t) => {
  const { delivery } = await ledger.party();
  for (const state of ["loading", "loaded", "refused"] as const) {
    const { id } = await delivery(state);
    await startGroup(ledger.database, [id]);
    t.like(await deliveryRow(ledger.database, id, runColumns), { state, breakdowns: 0, is_started: false });
  }
});

test("a group's deliveries are locked by their ids, whatever order they came in", async (t) => {
  const { database } = ledger;
  for (const [state, take] of [
    ["accepted", startGroup],
    ["loading", lockGroup],
  ] as const) {
    const { delivery } = await ledger.party();
    const ids = [(await delivery(state)).id, (await delivery(state)).id];
    const [lower = "", higher = ""] = ids.toSorted();
    // Stored behind the other one from now on.
    await change(lower, "correlation_id = 'moved'");
    const holder = await database.connect();
    await holder.query("begin");
    await holder.query("select 1 from deliveries where id = $1 for update", [lower]);
    const taking = inTransaction(database, async (transaction) => {
      await readAsStored(transaction);
      await take(transaction, [higher, lower]);
    });
    t.true(await waitsFor(database, holder, taking), take.name);
    t.deepEqual(await lockedDeliveries(database, [lower, higher]), [lower], take.name);
    await holder.query("rollback");
    holder.release();
    await taking;
  }
});

test("a group is held while all of its deliveries are where it found them, until its transaction ends", async (t) => {
  const { database } = ledger;
  const { delivery } = await ledger.party();
  const [one, other, unnamed] = [
    (await delivery("loading")).id,
    (await delivery("loading")).id,
    (await delivery("loading")).id,
  ];
  await inTransaction(database, async (transaction) => {
    t.is(await lockGroup(transaction, [one, other]), 2);
    t.deepEqual(await lockedDeliveries(database, [one, other, unnamed]), [one, other]);
  });
  t.deepEqual(await lockedDeliveries(database, [one, other, unnamed]), []);
});

test("what went on meanwhile is not held", async (t) => {
  const held = (ids: string[]) => inTransaction(ledger.database, (transaction) => lockGroup(transaction, ids));
  const { delivery } = await ledger.party();
  const [batches, records] = [(await delivery("loading")).id, (await delivery("loading")).id];
  await change(batches, "batches = 1");
  await change(records, "records = 1, records_new = 1");
  t.is(
    await held([
      (await delivery("accepted")).id,
      (await delivery("loaded")).id,
      batches,
      records,
      (await delivery("loading")).id,
    ]),
    1,
  );
});

test("a group ends with each delivery's own counts, and what failed before is forgotten", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other, unnamed] = [await delivery("loading"), await delivery("loading"), await delivery("loading")];
  await change(one.id, "attempts = 2, breakdowns = 3, size_bytes = 77");
  await inTransaction(ledger.database, (transaction) =>
    finishGroup(transaction, [
      { id: one.id, batches: 2, records: 5, recordsNew: 4, markers: 1 },
      { id: other.id, batches: 1, records: 2, recordsNew: 2, markers: 0 },
    ]),
  );
  const columns = `state, batches, records, records_new, markers, bytes_loaded, attempts, breakdowns, finished_at > now() - interval '1 minute' as is_finished`;
  t.deepEqual(await deliveryRow(ledger.database, one.id, columns), {
    state: "loaded",
    batches: 2,
    records: 5,
    records_new: 4,
    markers: 1,
    bytes_loaded: 77,
    attempts: 0,
    breakdowns: 0,
    is_finished: true,
  });
  t.like(await deliveryRow(ledger.database, other.id, columns), {
    state: "loaded",
    records: 2,
    records_new: 2,
    markers: 0,
    bytes_loaded: 10,
  });
  t.like(await deliveryRow(ledger.database, unnamed.id, columns), { state: "loading", batches: 0 });
});
