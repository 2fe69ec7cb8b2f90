/** Recognition and budgets of some users among all. */
import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import path from "node:path";
import { insertNewBudget } from "../../../src/budgets/create.ts";
import { refreshStale } from "../../../src/budgets/refresh.ts";
import { type Database, inTransaction } from "../../../src/database/database.ts";
import { createEvents } from "../../../src/events.ts";
import { recogniseChanged } from "../../../src/recognition/run.ts";
import { openPools } from "../../../src/staging/pools.ts";
import { addDays, type Day } from "../../../src/time/calendar.ts";
import { createClock } from "../../../src/time/clock.ts";
import { asOf, bringNight, markWhole, nightsMeasured, rowsPerNight } from "../recognition/arrivals.ts";
import { spent } from "../recognition/measure.ts";
import { measureDisk, sizesOf } from "./disk.ts";
import { keyEncryptionKey, type Measuring, note } from "./figures.ts";
import { resident, stepsOf } from "./fill.ts";

/** A user's first recognition compiles what a thread needs. */
const warmUsers = 40;
export const readOn = addDays(asOf, 2);

export async function measureNights(measuring: Measuring): Promise<void> {
  const { database, url, folder, userIds } = measuring;
  const night = await nextNight(database);
  const threads = availableParallelism();
  const pools = openPools(
    { databaseUrl: url, keyEncryptionKey, vaultDirectory: path.join(folder, "vault") },
    { doorThreads: 1, loadThreads: 1, recognitionThreads: threads },
  );
  const running = (day: Day) => ({
    database,
    clock: createClock(day),
    events: createEvents({ level: "silent" }),
    baseUrl: "https://bench.example",
    recognise: pools.recognise,
    refreshBudgets: pools.refreshBudgets,
  });
  const recognise = (day: Day) => recogniseChanged(running(day), () => false, threads);
  try {
    await database.query(
      "truncate changed_users, services, read_models, packed_pasts, income_models, budgets, budget_snapshots cascade",
    );
    const sizes = await sizesOf(database);
    await markWhole(database, userIds.slice(0, warmUsers));
    await recognise(asOf);
    await markWhole(database, userIds);
    const whole = await spent(database, userIds.length, "  from nothing", () => recognise(asOf));
    note(measuring, "a user recognised from nothing", whole.processorMs, "ms of processors");
    note(measuring, "pages fetched for it", whole.pagesFetched, "pages");
    const startedAt = performance.now();
    await bringNight(database, userIds, night);
    await database.query("insert into filled values ($1)", [`night ${night}`]);
    const { rows } = await database.query<{ n: number }>("select count(*) as n from copies");
    const brought = (rows[0]?.n ?? 1) * rowsPerNight;
    console.log(
      `  a night of ${brought} rows, three for everybody, into the ledger: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
    );
    const past = await spent(database, userIds.length, "  a night by what was kept", () => recognise(addDays(asOf, 1)));
    note(measuring, "a night of a user with three new rows", past.processorMs, "ms of processors");
    note(measuring, "by the clock, on two connections", past.wallMs, "ms a user");
    note(measuring, "pages fetched in that night", past.pagesFetched, "pages");
    await addBudgets(database, userIds);
    await markWhole(database, userIds);
    await recognise(readOn);
    const budgets = await spent(database, userIds.length, "  budgets", () => refreshStale(running(readOn)));
    note(measuring, "a user's first budget", budgets.processorMs, "ms of processors");
    await measureDisk(measuring, sizes);
  } finally {
    await pools.close();
  }
}

/** @throws when all were used up */
async function nextNight(database: Database): Promise<number> {
  const steps = await stepsOf(database);
  for (let night = 1; night <= nightsMeasured; night += 1) if (!steps.has(`night ${night}`)) return night;
  throw new Error("this folder's nights were measured all: fill another one");
}

async function addBudgets(database: Database, userIds: readonly number[]): Promise<void> {
  await database.query("update users set import_completed_at = now() where id = any($1::bigint[])", [userIds]);
  for (const userId of userIds)
    await inTransaction(database, (transaction) =>
      insertNewBudget(transaction, { userId, partnerId: resident }, randomUUID(), `${asOf}T12:00:00`),
    );
}
