/** Figures of flow: added up by minute, read once a minute, thinned with age, and never more than so many. */
import test from "ava";
import type { Database } from "../../../src/database/database.ts";
import { readFlow } from "../../../src/observation/flow/flow.ts";
import { readFlowNow } from "../../../src/observation/flow/reading.ts";
import { addCounts, takeReading, thin } from "../../../src/observation/flow/table.ts";
import { createTestDatabase } from "../../world.ts";

type Row = { step: number; figure: string; label: string; sum: number; highest: number };

async function rowsOf(database: Database): Promise<Row[]> {
  const { rows } = await database.query<Row>(
    "select step_seconds as step, figure, label, sum, highest from flow_figures order by step_seconds, at, figure, label",
  );
  return rows;
}

const records = (label: string, value: number) => ({ figure: "records", label, value });

/** As kept by the minute so long ago. */
async function putMinute(database: Database, age: string, figure: string, label: string, sum: number): Promise<void> {
  await database.query(
    `insert into flow_figures (step_seconds, at, figure, label, sum, highest)
     values (60, date_bin('10 minutes', now() - $1::interval, 'epoch') + interval '3 minutes', $2, $3, $4, $4)`,
    [age, figure, label, sum],
  );
}

test("what several processes count in a minute adds up, label by label", async (t) => {
  const { database } = await createTestDatabase(t);
  await Promise.all([
    addCounts(database, [records("new", 40), records("known", 2)]),
    addCounts(database, [records("known", 1), records("new", 2)]),
    addCounts(database, []),
  ]);
  const { rows } = await database.query<{ label: string; sum: number }>(
    "select label, sum(sum) as sum from flow_figures where figure = 'records' group by label order by label",
  );
  t.deepEqual(rows, [
    { label: "known", sum: 3 },
    { label: "new", sum: 42 },
  ]);
});

test("of schedulers that read at once one has the minute, and one that fails leaves it to the next", async (t) => {
  const { database } = await createTestDatabase(t);
  await t.throwsAsync(
    takeReading(database, () => Promise.reject(new Error("the database is slow"))),
    {
      message: "the database is slow",
    },
  );
  const taken = await Promise.all([1, 2, 3, 4].map(() => takeReading(database, async () => [records("new", 5)])));
  const { rows } = await database.query<{ minutes: number; readings: number; sums: number }>(
    `select count(distinct at) as minutes, sum(sum) filter (where figure = 'readings') as readings,
            sum(sum) filter (where figure = 'records') as sums
       from flow_figures`,
  );
  // The next minute may have begun in between: then it has its own.
  const { minutes = 0, readings, sums } = rows[0] ?? {};
  t.is(taken.filter(Boolean).length, minutes);
  t.deepEqual([readings, sums], [minutes, 5 * minutes]);
});

test("a reading tells what waits, who loads, and how large the database is", async (t) => {
  const { database } = await createTestDatabase(t);
  t.true(await takeReading(database, readFlowNow));
  const kept = (await rowsOf(database)).map(({ figure }) => figure);
  t.deepEqual(kept, [
    "budgets-behind",
    "database-bytes",
    "loading",
    "notifications-pending",
    "oldest-user-seconds",
    "oldest-waiting-seconds",
    "readings",
    "users-behind",
    "waiting",
  ]);
  t.true(((await rowsOf(database)).find(({ figure }) => figure === "database-bytes")?.sum ?? 0) > 1_000_000);
});

test("what ages goes to the next step with its sums and its highest, and is gone after the last", async (t) => {
  const { database } = await createTestDatabase(t);
  await putMinute(database, "30 minutes", "records", "new", 1);
  await putMinute(database, "5 hours", "records", "new", 10);
  await putMinute(database, "5 hours", "records", "known", 7);
  await database.query("update flow_figures set highest = 99 where sum = 10");
  await putMinute(database, "3 days", "records", "new", 100);
  await putMinute(database, "36 days", "records", "new", 1000);
  t.true(await thin(database));
  const thinned = [
    { step: 60, figure: "records", label: "new", sum: 1, highest: 1 },
    { step: 600, figure: "records", label: "known", sum: 7, highest: 7 },
    { step: 600, figure: "records", label: "new", sum: 10, highest: 99 },
    { step: 14_400, figure: "records", label: "new", sum: 100, highest: 100 },
  ];
  t.deepEqual(await rowsOf(database), thinned);
  t.true(await thin(database), "again changes nothing");
  t.deepEqual(await rowsOf(database), thinned);
  await putMinute(database, "5 hours", "records", "new", 5);
  await thin(database);
  t.is((await rowsOf(database)).find(({ step, label }) => step === 600 && label === "new")?.sum, 15);
});

test("forty days by the minute leave a few hundred rows, and lose nothing of the last five weeks", async (t) => {
  const { database } = await createTestDatabase(t);
  await database.query(
    `insert into flow_figures (step_seconds, at, figure, label, sum, highest)
     select 60, at, 'records', 'new', 2, 2
       from generate_series(date_trunc('minute', now()) - interval '40 days', date_trunc('minute', now()), '1 minute') as at`,
  );
  await thin(database);
  const { rows } = await database.query<{ step: number; rows: number; sum: number }>(
    "select step_seconds as step, count(*) as rows, sum(sum) as sum from flow_figures group by 1 order by 1",
  );
  t.deepEqual(
    rows.map(({ step }) => step),
    [60, 600, 14_400],
  );
  const [minutes = 0, tens = 0, fours = 0] = rows.map((one) => one.rows);
  t.true(minutes >= 119 && minutes <= 122, String(minutes));
  t.true(tens >= 274 && tens <= 290, String(tens));
  t.true(fours >= 196 && fours <= 211, String(fours));
  const sum = rows.reduce((all, one) => all + one.sum, 0);
  // Of the oldest four hours what is past its age has gone.
  t.true(Math.abs(sum - 35 * 24 * 60 * 2) <= 2 * 240, String(sum));
});

test("of hundreds of partners that had a slot in one bucket twenty are named, and the rest stands together", async (t) => {
  const { database } = await createTestDatabase(t);
  for (let at = 1; at <= 50; at += 1)
    await putMinute(database, "5 hours", "slots", `bank-${String(at).padStart(2, "0")}`, at);
  await thin(database);
  const kept = await rowsOf(database);
  t.is(kept.length, 21);
  t.deepEqual(kept.at(-1), { step: 600, figure: "slots", label: "other", sum: 465, highest: 30 });
  t.deepEqual([kept[0]?.label, kept[19]?.label], ["bank-31", "bank-50"]);
});

test("a range tells rates by the second, means over readings, and nothing where nobody read", async (t) => {
  const { database } = await createTestDatabase(t);
  const put = async (minutesAgo: number, figure: string, label: string, sum: number) =>
    await database.query(
      `insert into flow_figures (step_seconds, at, figure, label, sum, highest)
       values (60, date_trunc('minute', now()) - $1 * interval '1 minute', $2, $3, $4, $4)`,
      [minutesAgo, figure, label, sum],
    );
  for (const minutesAgo of [10, 9]) await put(minutesAgo, "readings", "", 1);
  await put(10, "records", "new", 120);
  await put(10, "slots", "north", 3);
  await put(9, "waiting", "", 7);
  await put(10, "reads-seconds", "0.01", 98);
  await put(10, "reads-seconds", "0.05", 2);
  const { plots, stepSeconds } = await readFlow(database, "hour");
  t.is(stepSeconds, 60);
  const linesOf = (id: string) => plots.find((plot) => plot.id === id)?.lines ?? [];
  const [fresh] = linesOf("records");
  t.is(fresh?.points.length, 60);
  // The hour may have moved on by a minute.
  const at = fresh?.points.indexOf(2) ?? -1;
  t.true(at === 49 || at === 48, String(at));
  t.deepEqual(fresh?.points.slice(at - 1, at + 3), [null, 2, 0, null]);
  t.like(fresh, { name: "new", latest: 0, mean: 1, highest: 2 });
  t.like(linesOf("slots")[0], { name: "north", latest: 0, highest: 3 });
  t.like(linesOf("queue")[0], { name: "waiting", latest: 7, mean: 7 });
  t.is(linesOf("read-latency").find(({ name }) => name === "99 of 100")?.latest, 0.03);
});
