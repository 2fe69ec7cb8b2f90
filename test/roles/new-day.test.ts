/** A new business day reads only those users again of whom it may have something else to tell. */
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { createEvents } from "../../src/events.ts";
import { addRates } from "../../src/rates/table.ts";
import { recogniseChanged } from "../../src/recognition/run.ts";
import { beginDay } from "../../src/roles/new-day.ts";
import { recogniseUsers } from "../../workers/recognise.ts";
import { standingOn } from "../time/clocks.ts";
import { type LoadingWorld, openLoading, transaction } from "../workers/world.ts";

const today = "2026-06-30";
const usersMax = 100;

/** u1 has a service that is due on the 7th; u2 one that is due tomorrow. Both were recognised today. */
async function openDay(t: Parameters<typeof openLoading>[0]): Promise<LoadingWorld> {
  const world = await openLoading(t);
  for (const [uid, day] of [
    ["u1", "07"],
    ["u2", "29"],
  ] as const)
    await world.load(
      Array.from({ length: 6 }, (_, month) =>
        transaction(uid, `${uid}-${month}`, {
          txTime: month === 0 ? `2025-12-${day}` : `2026-0${month}-${day}`,
          amount: -79,
          merchant: { name: "Streamly", mcc: 4899 },
        }),
      ),
    );
  await world.load([transaction("u1", "u1-6", { txTime: "2026-06-08", amount: -79, merchant: { name: "Streamly" } })]);
  await recogniseAll(world, today);
  return world;
}

async function recogniseAll({ context, database }: LoadingWorld, day: string): Promise<number> {
  await database.query("update changed_users set touched_at = touched_at - interval '1 minute'");
  return await recogniseChanged({
    database,
    clock: standingOn(day),
    events: createEvents({ level: "silent" }),
    baseUrl: "https://bank.example",
    recognise: (task) => recogniseUsers({ ...context, database }, { ...task, settledMs: 0 }),
  });
}

async function listed(database: Database): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>("select user_id as id from changed_users order by user_id");
  return rows.map(({ id }) => id);
}

async function daysOf(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ day: string }>(
    "select computed_for::text as day from read_models order by user_id",
  );
  return rows.map(({ day }) => day);
}

test("who has nothing else to tell moves on to the day unread, and the others are made again", async (t) => {
  const world = await openDay(t);
  const [, u2] = world.userIds as [number, number];
  await beginDay(world.database, standingOn("2026-07-01"), usersMax);
  t.deepEqual(await listed(world.database), [u2], "whose payment is overdue");
  t.deepEqual(await daysOf(world.database), ["2026-07-01", today]);
  t.is(await recogniseAll(world, "2026-07-01"), 1);
  t.deepEqual(await daysOf(world.database), ["2026-07-01", "2026-07-01"]);
});

test("a day that comes late, or is gone back to, makes everything again", async (t) => {
  const world = await openDay(t);
  const [u1, u2] = world.userIds as [number, number];
  await beginDay(world.database, standingOn("2026-07-08"), usersMax);
  t.deepEqual(await listed(world.database), [u1, u2], "something was due meanwhile");
  await world.database.query("delete from changed_users");
  await beginDay(world.database, standingOn("2026-06-29"), usersMax);
  t.deepEqual(await listed(world.database), [u1, u2]);
});

for (const [who, change] of Object.entries({
  "whose figures another version made": "update read_models set algorithm_version = algorithm_version - 1",
  "whose brand moved to another country": "update brands set country = 'SE'",
  "whose account has another IBAN":
    "insert into accounts (user_id, id, name, iban) select id, 'a', 'Account', 'DK1' from users",
  "whose rates may have been corrected": `insert into exchange_rate_loads (source, days, newest, corrects) values ('b.csv', 1, '2026-06-20', true)`,
  "of whom nobody told at which rates the figures were made": "update read_models set rates_version = null",
  "whose figures nobody told how long they hold": "update read_models set holds_until = null",
  "of whom something came":
    "insert into changed_users (user_id, touched_at) select id, now() - interval '1 minute' from users",
}))
  test(`who does not move on: one ${who}`, async (t) => {
    const world = await openDay(t);
    await world.database.query(change);
    await beginDay(world.database, standingOn("2026-07-01"), usersMax);
    t.true((await listed(world.database)).includes(world.userIds[0]!));
    t.deepEqual(await daysOf(world.database), [today, today]);
  });

test("rates of days of which there were none hold nobody up", async (t) => {
  const world = await openDay(t);
  await addRates(world.database, [{ day: "2026-07-01", perEuro: { SEK: 11 } }], "a.csv");
  await addRates(world.database, [{ day: "2026-07-02", perEuro: { SEK: 12 } }], "b.csv");
  await beginDay(world.database, standingOn("2026-07-01"), usersMax);
  t.deepEqual(await daysOf(world.database), ["2026-07-01", today]);
});

test("whom a run has in hand is left to it", async (t) => {
  const world = await openDay(t);
  const [u1] = world.userIds as [number];
  const run = await world.database.connect();
  await run.query("begin");
  await run.query("update read_models set computed_at = now() where user_id = $1", [u1]);
  await beginDay(world.database, standingOn("2026-07-01"), usersMax);
  t.deepEqual(await daysOf(world.database), [today, today]);
  await run.query("rollback");
  run.release();
});

test("budgets are made again on the new day, whether the figures moved on or not", async (t) => {
  const world = await openDay(t);
  await world.database.query("update read_models set import_complete = true");
  await world.database.query(
    `insert into budgets (id, partner_id, user_id, created_time, stale_since)
     select gen_random_uuid(), partner_id, id, '2026-06-30T00:00:00', null from users`,
  );
  const stale = async (): Promise<number[]> => {
    const { rows } = await world.database.query<{ id: number }>(
      "select user_id as id from budgets where stale_since is not null order by user_id",
    );
    return rows.map(({ id }) => id);
  };
  await beginDay(world.database, standingOn("2026-07-01"), usersMax);
  t.deepEqual(await stale(), world.userIds.slice(0, 1));
  await recogniseAll(world, "2026-07-01");
  t.deepEqual(await stale(), world.userIds.slice(0, 2));
});
