/**
 * What does a night cost? npm run bench -- recognition [USERS ROWS-OF-A-USER | --long] [--tidy] [--scarce], by default
 * 200 1600, of households whose histories are as hard to read as real ones; --tidy makes them of tidy ones, --long is
 * 100000 100 of those. --scarce gives the database a quarter of the ledger's size as memory.
 *
 * Rows are loaded in the order of their arrival, day after day. Threads are warm before anything is measured
 * (recogniser.ts): a few hundred users are too few to carry what V8 compiles for a night of very many. All users are
 * recognised from nothing: nothing is kept of them, and their histories are read whole. Then come three nights, in each
 * of which every user gets the next three rows: in the first one pasts are not used, in the two others what the last run
 * kept is. Each of these is held against the same users from nothing, and against the night that used no pasts. What is
 * not shown is how a night compares with that of an older version of this program: what a night costs and what it is held
 * against change together.
 *
 * Then three nights in which nothing comes, so that only those are made again who have something else to tell on the new
 * day: those to a Saturday, to a Sunday and to a Monday, since what is overdue is told for the next banking day. The
 * floor, measured in the same run over as many connections, is reading the histories: by an ordinary query into objects,
 * as any client does, and, since that is less, by the reader that recognition has.
 */
import path from "node:path";
import { startCluster } from "../../src/database/embedded/cluster.ts";
import type { Database } from "../../src/database/database.ts";
import { readHistory } from "../../src/ledger/history.ts";
import { beginDay } from "../../src/roles/new-day.ts";
import { stages, type StageTimes } from "../../src/recognition/stages.ts";
import { addDays, type Day } from "../../src/time/calendar.ts";
import { createClock } from "../../src/time/clock.ts";
import { type Arrivals, asOf, bringNight, loadInOrderOfArrival, markWhole, tell } from "./recognition/arrivals.ts";
import { tellInMemory } from "./recognition/in-memory.ts";
import { lies, spent, type Spent } from "./recognition/measure.ts";
import { type Recogniser, recogniseAll, warm, withRecogniser } from "./recognition/recogniser.ts";

const usualForm = [200, 1_600] as const;
const longForm = [100_000, 100] as const;
/** As many users as recognition reads at a time. */
const usersPerRead = 10;
/** Threads start and compile, which is a matter of seconds and not of users: users with so many rows are recognised before. */
const warmRows = 40_000;
const sampleUsers = 200;
/** What is told of a night of so many users, on so many processors. */
const toldUsers = 1_000_000;
const toldProcessors = 2;

export async function bench(clusterUrl: string, folder: string, args: readonly string[]): Promise<void> {
  const numbers = args.filter((arg) => /^\d+$/.test(arg)).map(Number);
  const isLong = args.includes("--long");
  const [users, rowsPerUser] = isLong ? longForm : [numbers[0] ?? usualForm[0], numbers[1] ?? usualForm[1]];
  const isMessy = !isLong && !args.includes("--tidy");
  if (args.includes("--scarce")) await benchScarce(folder, users, rowsPerUser, isMessy);
  else await benchOn(clusterUrl, folder, users, rowsPerUser, isMessy);
  tellInMemory();
}

/** A ledger's row with its index entry, in bytes. */
const rowBytes = 330;
const part = 4;

async function benchScarce(folder: string, users: number, rowsPerUser: number, isMessy: boolean): Promise<void> {
  const kilobytes = Math.max(1_024, Math.round((users * rowsPerUser * rowBytes) / part / 1024));
  const cluster = await startCluster(path.join(folder, "scarce"), { settings: [`shared_buffers=${kilobytes}kB`] });
  try {
    console.log(`the database has ${(kilobytes / 1024).toFixed(0)} MB of memory`);
    await benchOn(cluster.url, folder, users, rowsPerUser, isMessy);
  } finally {
    await cluster.stop();
  }
}

async function benchOn(
  clusterUrl: string,
  folder: string,
  users: number,
  rowsPerUser: number,
  isMessy: boolean,
): Promise<void> {
  const url = `${clusterUrl.replace(/\/[^/]*$/, "")}/postgres`;
  await withRecogniser(url, folder, async (recogniser) => {
    const arrivals = await loadInOrderOfArrival(recogniser.database, users, rowsPerUser, isMessy);
    await tellSize(recogniser.database, arrivals, recogniser.threads);
    await measure(recogniser, arrivals);
  });
}

async function tellSize(database: Database, { userIds, rows }: Arrivals, threads: number): Promise<void> {
  const step = Math.max(1, Math.floor(userIds.length / sampleUsers));
  const { bytes, pagesOfUser, rowsOfUser } = await lies(
    database,
    userIds.filter((_, at) => at % step === 0),
  );
  console.log(
    `${userIds.length} users, ${rows} rows in ${(bytes / 2 ** 20).toFixed(0)} MB with their index; ${rowsOfUser.toFixed(0)} rows of a user on ${pagesOfUser.toFixed(0)} pages; ` +
      `${threads} threads, each with a connection`,
  );
}

async function measure(recogniser: Recogniser, { userIds, rows }: Arrivals): Promise<void> {
  const { database, threads } = recogniser;
  const users = userIds.length;
  await spent(database, users, "reading histories by a query", () => readAll(queryRows, database, userIds, threads));
  await spent(database, users, "reading histories by recognition's reader", () =>
    readAll(readHistory, database, userIds, threads),
  );
  await warm(recogniser, userIds.slice(0, Math.ceil((warmRows * users) / rows)));
  await markWhole(database, userIds);
  const nothing = await measureRun(recogniser, userIds, "recognising from nothing", asOf);
  await bringNight(database, userIds, 3);
  await markWhole(database, userIds);
  const whole = await measureRun(recogniser, userIds, "a night with histories read whole", addDays(asOf, 1));
  for (const night of [2, 1]) {
    await bringNight(database, userIds, night);
    const past = await measureRun(recogniser, userIds, "a night with kept pasts", addDays(asOf, 4 - night));
    tellShare("of recognising the same users from nothing", past, nothing);
    tellShare("of the night with histories read whole", past, whole);
  }
  for (const [night, to] of [
    [4, "a Saturday"],
    [5, "a Sunday"],
    [6, "a Monday"],
  ] as const)
    await measureNightWithoutRows(recogniser, userIds, addDays(asOf, night), to);
}

async function measureNightWithoutRows(
  recogniser: Recogniser,
  userIds: readonly number[],
  day: Day,
  to: string,
): Promise<void> {
  const { database } = recogniser;
  const users = userIds.length;
  let again = 0;
  await measured(recogniser, userIds, `a night to ${to} in which nothing comes`, async (times) => {
    await beginDay(database, createClock(day), users);
    again = await countListed(database);
    await recogniseAll(recogniser, again, day, times);
  });
  console.log(`  ${again} of ${users} users had something else to tell on the new day`);
}

async function countListed(database: Database): Promise<number> {
  const { rows } = await database.query<{ n: number }>("select count(*) as n from changed_users");
  return rows[0]!.n;
}

function tellShare(what: string, part_: Spent, whole: Spent): void {
  console.log(
    `  ${what}: ${share(part_, whole, "wallMs")} of its time, ${share(part_, whole, "processorMs")} of its processors, ${share(part_, whole, "pagesLooked")} of its pages`,
  );
}

function share(part_: Spent, whole: Spent, of: keyof Spent): string {
  return `1/${(whole[of] / part_[of]).toFixed(1)}`;
}

function measureRun(recogniser: Recogniser, userIds: readonly number[], what: string, day: Day): Promise<Spent> {
  return measured(recogniser, userIds, what, (times) => recogniseAll(recogniser, userIds.length, day, times));
}

async function measured(
  recogniser: Recogniser,
  userIds: readonly number[],
  what: string,
  work: (times: StageTimes) => Promise<void>,
): Promise<Spent> {
  // As time and autovacuum would have it; a bench gives them none.
  await recogniser.database.query("vacuum analyze");
  const times = Object.fromEntries(stages.map((stage) => [stage, 0])) as StageTimes;
  const one = await spent(recogniser.database, userIds.length, what, () => work(times));
  tellStages(
    {
      ...times,
      "the rest of the process": restOf(one, times, userIds.length),
      "the database": one.serverMs * userIds.length,
    },
    userIds.length,
  );
  return one;
}

/** Garbage, the driver's share between two laps, the main thread. */
function restOf(one: Spent, times: StageTimes, users: number): number {
  return (one.processorMs - one.serverMs) * users - stages.reduce((sum, stage) => sum + times[stage], 0);
}

function tellStages(times: Record<string, number>, users: number): void {
  const all = Object.values(times).reduce((sum, ms) => sum + ms, 0);
  const hours = (ms: number): string => `${((ms * toldUsers) / users / toldProcessors / 3_600_000).toFixed(3)} h`;
  const told = Object.entries(times).map(([stage, ms]) => `${stage} ${hours(ms)} (${((100 * ms) / all).toFixed(0)} %)`);
  console.log(`  of ${toldUsers} users on ${toldProcessors} processors: ${hours(all)}: ${told.join(", ")}`);
}

/** Each connection reads the next users until there are none. */
async function readAll(
  read: (database: Database, userIds: readonly number[]) => Promise<unknown>,
  database: Database,
  userIds: readonly number[],
  connections: number,
): Promise<void> {
  let next = 0;
  const startedAt = performance.now();
  const one = async (): Promise<void> => {
    while (next < userIds.length) {
      const some = userIds.slice(next, (next += usersPerRead));
      await read(database, some);
      tell("read", next, userIds.length, some.length, startedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
}

/** The columns that recognition needs, each row an object. */
async function queryRows(database: Database, userIds: readonly number[]): Promise<unknown> {
  const { rows } = await database.query(
    `select t.user_id, t.id, t.txid, t.booked_on, t.raw_type, t.description, t.amount::text, t.currency, t.original_amount::text, t.original_currency,
            t.merchant_name, t.merchant_cid, t.merchant_country, t.merchant_mcc, t.account_id, t.card_id, nullif(a.iban, '') as iban
       from transactions t
       left join accounts a on a.user_id = t.user_id and a.id = t.account_id and a.user_id = any($1::bigint[])
      where t.user_id = any($1::bigint[])
        and a.removed_after is null`,
    [userIds],
  );
  return rows;
}
