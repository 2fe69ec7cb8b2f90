/** Recognised services and read models are stored for who is due, and kept as they are for everyone else. */
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { createEvents } from "../../src/events.ts";
import { markOutdated, type Recognising, recogniseChanged, refreshUser } from "../../src/recognition/run.ts";
import type { ServiceResponse } from "../../src/interface/services.ts";
import { leaveList } from "../../src/partners/changed-users.ts";
import { claimChangedUsers, claimUser } from "../../src/recognition/claimed.ts";
import type { WorkerContext } from "../../workers/context.ts";
import { recogniseUsers } from "../../workers/recognise.ts";
import { standingOn } from "../time/clocks.ts";
import { type LoadingWorld, openLoading, transaction } from "../workers/world.ts";
import { visibleListOf } from "./visible-list.ts";

test("a loaded history becomes services and read models, and the user leaves the list", async (t) => {
  const world = await openLoading(t);
  const recognising = recogniserOf(world, "2026-07-10");
  await world.load(subscription("u1", "Streamly", 79, 6));
  await completeImport(world.database, world.userIds[0]!);
  t.is(await recogniseChanged(recognising), 1);
  const list = await visible(world.database, world.userIds[0]!);
  t.is(list.services.length, 1);
  t.like(list.services[0], {
    amount: 79,
    currency: "DKK",
    paymentFrequency: "MONTHLY",
    status: "ACTIVE",
    visibility: "VISIBLE",
    nextExpectedTransactionDate: "2026-07-15",
  });
  t.is(list.services[0]?.payments.length, 6);
  t.is(list.averageTotalAmount, 79);
  t.deepEqual(await rows(world.database, "select * from changed_users"), []);
  t.like((await rows(world.database, "select import_complete, computed_for from read_models"))[0], {
    import_complete: true,
    computed_for: "2026-07-10",
  });
});

test("ids stay when history is sent again, a price changes and a later batch comes", async (t) => {
  const world = await openLoading(t);
  const recognising = recogniserOf(world, "2026-08-20");
  await world.load(subscription("u1", "Streamly", 79, 6));
  await recogniseChanged(recognising);
  const [before] = (await visible(world.database, world.userIds[0]!)).services;
  await world.load([
    ...subscription("u1", "Streamly", 79, 6),
    transaction("u1", "later", { txTime: "2026-07-15", amount: -89, merchant: { name: "Streamly" } }),
  ]);
  t.is(await recogniseChanged(recognising), 1);
  const [after] = (await visible(world.database, world.userIds[0]!)).services;
  t.is(after?.id, before?.id);
  t.is(after?.amount, 89);
  t.is(after?.payments.length, 7);
});

test("a user's decision to hide survives recomputation and is told at once", async (t) => {
  const world = await openLoading(t);
  const recognising = recogniserOf(world, "2026-07-10");
  const [userId] = world.userIds as [number];
  await world.load(subscription("u1", "Streamly", 79, 6));
  await recogniseChanged(recognising);
  await world.database.query("update services set hidden = true where user_id = $1", [userId]);
  await refreshUser(recognising, userId);
  t.deepEqual((await visible(world.database, userId)).services, []);
  t.is((await hidden(world.database, userId)).services[0]?.visibility, "HIDDEN");
  await world.load([transaction("u1", "later", { txTime: "2026-07-09", merchant: { name: "Bakery" } })]);
  await recogniseChanged(recognising);
  t.deepEqual((await visible(world.database, userId)).services, []);
});

test("a new business day or another version of the algorithm puts users back on the list", async (t) => {
  const world = await openLoading(t);
  await world.load(subscription("u1", "Streamly", 79, 6));
  const onTheTenth = recogniserOf(world, "2026-07-10");
  await recogniseChanged(onTheTenth);
  t.is(await markOutdated(world.database, onTheTenth.clock, 100), 0);
  const inAutumn = recogniserOf(world, "2026-10-01");
  t.is(await markOutdated(world.database, inAutumn.clock, 100), 1);
  await recogniseChanged(inAutumn);
  t.is((await visible(world.database, world.userIds[0]!)).services[0]?.status, "INACTIVE");
  await world.database.query("update read_models set algorithm_version = 0");
  t.is(await markOutdated(world.database, inAutumn.clock, 100), 1);
});

test("rows dated after the business day are stored and not yet seen", async (t) => {
  const world = await openLoading(t);
  await world.load(subscription("u1", "Streamly", 79, 6));
  await recogniseChanged(recogniserOf(world, "2026-04-20"));
  t.is((await visible(world.database, world.userIds[0]!)).services[0]?.payments.length, 4);
});

test("users of a running import wait until it pauses, deleted users are dropped", async (t) => {
  const world = await openLoading(t);
  await world.load([...subscription("u1", "Streamly", 79, 6), ...subscription("u2", "Streamly", 79, 6)]);
  await world.database.query("update users set deleted_at = now() where bank_user_id = 'u2'");
  await world.database.query("update changed_users set touched_at = now() + interval '1 minute'");
  const recognising = {
    ...recogniserOf(world, "2026-07-10"),
    recognise: recogniseUsers.bind(null, computingOf(world)),
  };
  t.is(await recogniseChanged(recognising), 0);
  await world.database.query("update changed_users set touched_at = now() - interval '1 minute'");
  t.is(await recogniseChanged(recognising), 1);
  t.deepEqual(await rows(world.database, "select user_id from read_models"), [{ user_id: world.userIds[0] }]);
  t.deepEqual(await rows(world.database, "select * from changed_users"), []);
});

test("what stays as it is from one day to the next is not written again, and the day moves on", async (t) => {
  const world = await openLoading(t);
  await world.load([...subscription("u1", "Streamly", 79, 6), ...subscription("u1", "Lydbogen", 49, 5)]);
  await recogniseChanged(recogniserOf(world, "2026-06-20"));
  const versions = async (): Promise<unknown[]> =>
    await rows(world.database, "select xmin::text as version, digest, document::text from services order by id");
  const before = await versions();
  t.is(before.length, 2);
  await refreshUser(recogniserOf(world, "2026-06-21"), world.userIds[0]!);
  t.deepEqual(await versions(), before);
  t.is(
    (await rows<{ day: string }>(world.database, "select computed_for as day from read_models"))[0]?.day,
    "2026-06-21",
  );
  await world.load([
    transaction("u1", "later", { txTime: "2026-06-15", amount: -49, merchant: { name: "Lydbogen", mcc: 4899 } }),
  ]);
  await refreshUser(recogniserOf(world, "2026-06-21"), world.userIds[0]!);
  const after = await versions();
  t.is(
    after.filter((service, at) => JSON.stringify(service) !== JSON.stringify(before[at])).length,
    1,
    "only the service with the new payment",
  );
  t.is(
    (await visible(world.database, world.userIds[0]!)).services.find(({ product }) => product.title === "Lydbogen")
      ?.payments.length,
    6,
  );
});

test("texts with quotation marks, backslashes and control characters are stored as they came", async (t) => {
  const world = await openLoading(t);
  const name = 'Str"ea\\mly\u001e';
  await world.load([...subscription("u1", name, 79, 6), ...subscription("u1", "Lydbogen", 49, 5)]);
  await recogniseChanged(recogniserOf(world, "2026-06-20"));
  const { services } = await visible(world.database, world.userIds[0]!);
  t.is(services.length, 2);
  const txids = Array.from({ length: 6 }, (_, month) => `u1-${name}-${month}`);
  const odd = services.find(({ amount }) => amount === 79);
  t.deepEqual(odd?.payments.map(({ sourceTransactionId }) => sourceTransactionId).toSorted(), txids);
  t.deepEqual(await rows(world.database, `select document, txids from services where id = '${odd?.id}'`), [
    { document: odd, txids },
  ]);
});

test("amounts in another currency are told in the brand's", async (t) => {
  const world = await openLoading(t);
  await world.database.query(
    "insert into exchange_rates (day, per_euro) select day::date, '{\"DKK\": 7.5}' from generate_series('2026-01-01'::date, '2026-07-10', '1 day') as day",
  );
  await world.load(subscription("u1", "Streamly", 10, 6, "EUR"));
  await recogniseChanged(recogniserOf(world, "2026-07-10"));
  const [service] = (await visible(world.database, world.userIds[0]!)).services;
  t.like(service, { amount: 75, currency: "DKK" });
  t.like(service?.payments[0], { amount: 75, currency: "DKK", originalAmount: 10, originalCurrency: "EUR" });
});

/** Monthly payments on the 15th from January 2026. */
function subscription(uid: string, name: string, amount: number, months: number, currency = "DKK"): unknown[] {
  return Array.from({ length: months }, (_, month) =>
    transaction(uid, `${uid}-${name}-${month}`, {
      txTime: `2026-0${month + 1}-15`,
      amount: -amount,
      currency,
      description: name,
      merchant: { name, mcc: 4899 },
    }),
  );
}

/** Recognition with the thread's own task, in this thread, on a business day. Nothing needs to settle first. */
/** The loader's login, which the context has, knows nothing of services; the test's own connection may do all. */
function computingOf({ context, database }: LoadingWorld): WorkerContext {
  return { ...context, database };
}

function recogniserOf(world: LoadingWorld, today: string): Recognising {
  return {
    database: world.database,
    clock: standingOn(today),
    events: createEvents({ level: "silent" }),
    baseUrl: "https://bank.example",
    recognise: (task) => recogniseUsers(computingOf(world), { ...task, settledMs: 0 }),
  };
}

async function completeImport(database: Database, userId: number): Promise<void> {
  await database.query(
    "update users set import_completed_at = now(), import_completed_on = '2026-07-01' where id = $1",
    [userId],
  );
}

async function visible(database: Database, userId: number): Promise<ServiceResponse> {
  return await visibleListOf(database, userId);
}

async function hidden(database: Database, userId: number): Promise<ServiceResponse> {
  return (
    await rows<{ list: ServiceResponse }>(
      database,
      `select services_hidden as list from read_models where user_id = ${userId}`,
    )
  )[0]!.list;
}

async function rows<Row extends Record<string, unknown>>(database: Database, statement: string): Promise<Row[]> {
  return (await database.query<Row>(statement)).rows;
}

test("who loads for a user that a run has in hand does not wait, and the user is recognised again", async (t) => {
  const world = await openLoading(t);
  await world.load(subscription("u1", "Streamly", 79, 6));
  await world.database.query("update changed_users set touched_at = now() - interval '1 minute'");
  const run = await world.database.connect();
  await run.query("begin");
  const taken = await claimChangedUsers(run, 10, 1000);
  t.deepEqual(
    taken.users.map(({ id }) => id),
    [world.userIds[0]!],
  );
  await world.load([transaction("u1", "meanwhile", { txTime: "2026-07-01" })]);
  await leaveList(run, taken);
  await run.query("commit");
  run.release();
  t.is((await rows(world.database, "select user_id from changed_users")).length, 1);
});

test("two runs never have one user at once; the second takes others or waits", async (t) => {
  const world = await openLoading(t);
  await world.load([...subscription("u1", "Streamly", 79, 6), ...subscription("u2", "Streamly", 79, 6)]);
  await world.database.query("update changed_users set touched_at = now() - interval '1 minute'");
  const [first, second] = [await world.database.connect(), await world.database.connect()];
  for (const run of [first, second]) await run.query("begin");
  const one = await claimChangedUsers(first, 1, 1000);
  const other = await claimChangedUsers(second, 10, 1000);
  t.is(one.users.length, 1);
  t.is(other.users.length, 1);
  t.not(one.users[0]!.id, other.users[0]!.id);
  const waiting = claimUser(second, one.users[0]!.id);
  await leaveList(first, one);
  await first.query("commit");
  t.is((await waiting).users[0]?.id, one.users[0]!.id);
  await second.query("rollback");
  for (const run of [first, second]) run.release();
});
