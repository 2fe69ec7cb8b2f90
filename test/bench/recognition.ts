/**
 * What does it cost to recognise every user? npm run bench -- recognition [USERS TRANSACTIONS], by default 1000 100000; the long
 * form is 100000 10000000. The floor, measured in the same run: reading the same rows, as recognition reads them. Recognised is
 * once from nothing, when everything is written, and once for the day after, when little of it changed, as every night.
 * At most some hundred generated households are copied to all users: making 10⁷ different rows takes longer than all the rest.
 */
import { availableParallelism } from "node:os";
import path from "node:path";
import { generatePopulation } from "../../fixtures/population.ts";
import { addDays, type Day } from "../../src/calendar.ts";
import { createClock } from "../../src/clock.ts";
import { type Database, inTransaction, openDatabase } from "../../src/database.ts";
import { createEvents } from "../../src/events.ts";
import type { RawTransaction } from "../../src/landing/record.ts";
import { readHistory } from "../../src/ledger/history.ts";
import { copyTogether } from "../../src/ledger/post.ts";
import { OwnedRows, type Posting, preparePosting } from "../../src/ledger/posting.ts";
import { copyColumns, RowBlock, rowTextBytes } from "../../src/ledger/row-block.ts";
import { migrate } from "../../src/migrate.ts";
import { recognise } from "../../src/recognition/recognise.ts";
import { recogniseChanged } from "../../src/recognition/run.ts";
import { openPools } from "../../src/staging/pools.ts";
import { checkRecord } from "../../workers/record.ts";
import { addPartner } from "../parties.ts";

const asOf = "2026-06-30";
const householdsMax = 300;
/** What a generated household has on the average. */
const transactionsPerMonth = 57;
/** As many users as recognition takes at a time. */
const usersPerRead = 10;
const usersPerCopy = 200;
const progressEvery = 20;
const deliveryPosition = 1;

export async function bench(clusterUrl: string, folder: string): Promise<void> {
  const [users = 1_000, transactions = 100_000] = process.argv.slice(3).map(Number);
  const url = `${clusterUrl.replace(/\/[^/]*$/, "")}/postgres`;
  await migrate(url);
  const database = openDatabase(url, { sizeMax: 4, applicationName: "bench" });
  try {
    const userIds = await addUsers(database, users);
    const rows = await timed("load", async () => await load(database, userIds, Math.round(transactions / users)));
    await database.query("analyze");
    const read = await timed("read", async () => await readAll(database, userIds));
    const threads = availableParallelism();
    const perUser = (seconds: number): string => `${((seconds * 1000) / users).toFixed(2)} ms a user`;
    console.log(`${users} users, ${rows.result} rows: reading ${read.seconds.toFixed(1)} s (${perUser(read.seconds)}, one connection)`);
    for (const [what, day] of [["from nothing", asOf], ["for the day after", addDays(asOf, 1)]] as const) {
      const run = await timed(`recognise ${what}`, async () => await recogniseAll(database, url, folder, userIds, threads, day));
      console.log(`recognising ${what} ${run.seconds.toFixed(1)} s on ${threads} threads (${perUser(run.seconds)}), ratio ${(run.seconds / read.seconds).toFixed(2)}, ${run.result} users`);
    }
    const alone = await recogniseInMemory(database, userIds.slice(0, householdsMax));
    console.log(`recognising in memory, one thread: ${alone.toFixed(2)} ms a user of 1,000 transactions`);
  } finally {
    await database.end();
  }
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  console.error(`${what}: ${seconds.toFixed(1)} s`);
  return { result, seconds };
}

async function addUsers(database: Database, count: number): Promise<number[]> {
  const partnerId = await addPartner(database);
  const { rows } = await database.query<{ id: number }>(
    `insert into users (partner_id, brand_id, bank_user_id, locale, import_completed_on)
     select $1, 'bank-dk', 'u' || number, 'da-DK', '2020-01-01' from generate_series(1, $2::integer) as number returning id`,
    [partnerId, count],
  );
  return rows.map(({ id }) => id);
}

/** Households one after the other, again and again. @returns the rows loaded. */
async function load(database: Database, userIds: readonly number[], rowsPerUser: number): Promise<number> {
  const months = Math.max(1, Math.round(rowsPerUser / transactionsPerMonth));
  const originals = userIds.slice(0, householdsMax);
  let household = 0;
  for (const { transactions } of generatePopulation({ users: originals.length, months, seed: 271_828, until: asOf })) {
    const posting = postingOf(transactions, originals[household]!);
    household += 1;
    await inTransaction(database, async (transaction) => await copyTogether(transaction, [posting]));
    tell("generated", household, originals.length, 1);
  }
  for (let from = originals.length; from < userIds.length; from += usersPerCopy) {
    const copies = userIds.slice(from, from + usersPerCopy);
    const columns = copyColumns.replace("user_id, ", "");
    await database.query(
      `insert into transactions (user_id, ${columns})
       select pair.copy, ${columns}
         from unnest($1::bigint[], $2::bigint[]) as pair (copy, original)
         join transactions t on t.user_id = pair.original`,
      [copies, copies.map((_, at) => originals[(from + at) % originals.length])],
    );
    tell("loaded", from + usersPerCopy, userIds.length, usersPerCopy);
  }
  const { rows } = await database.query<{ n: number }>("select count(*) as n from transactions");
  return rows[0]!.n;
}

function postingOf(transactions: readonly RawTransaction[], userId: number): Posting {
  const rows = new OwnedRows(transactions.length);
  let block = new RowBlock();
  for (const record of transactions) {
    const checked = checkRecord(record);
    if (Array.isArray(checked) || checked.kind !== "transaction") continue;
    if (!block.hasRoom(rowTextBytes(checked.row))) block = new RowBlock();
    block.add(checked.row, deliveryPosition);
    rows.add(block, block.rows - 1, userId);
  }
  return preparePosting(rows, deliveryPosition, "keep");
}

async function readAll(database: Database, userIds: readonly number[]): Promise<void> {
  for (let from = 0; from < userIds.length; from += usersPerRead) await readHistory(database, userIds.slice(from, from + usersPerRead));
}

/** The pure function alone, once it is warm. @returns milliseconds per 1,000 transactions. */
async function recogniseInMemory(database: Database, userIds: readonly number[]): Promise<number> {
  const histories = [...(await readHistory(database, userIds)).values()];
  let milliseconds = 0;
  for (const isWarm of [false, true]) {
    const startedAt = performance.now();
    for (const history of histories) recognise(history, { asOf, country: "DK", currency: "DKK" });
    if (isWarm) milliseconds = performance.now() - startedAt;
  }
  return (milliseconds * 1000) / histories.reduce((rows, history) => rows + history.length, 0);
}

async function recogniseAll(database: Database, url: string, folder: string, userIds: readonly number[], threads: number, day: Day): Promise<number> {
  await database.query("insert into changed_users (user_id, touched_at) select unnest($1::bigint[]), now() - interval '1 day' on conflict (user_id) do update set touched_at = excluded.touched_at", [userIds]);
  const pools = openPools({ databaseUrl: url, keyEncryptionKey: Buffer.alloc(32), vaultDirectory: path.join(folder, "vault") }, { doorThreads: 1, loadThreads: threads });
  let done = 0;
  try {
    return await recogniseChanged({
      database, clock: createClock(day), events: createEvents({ level: "silent" }), baseUrl: "https://bench.example",
      async recognise(task) {
        const outcome = await pools.recognise(task);
        done += outcome.users;
        tell("recognised", done, userIds.length, outcome.users);
        return outcome;
      },
    }, () => false, threads);
  } finally {
    await pools.close();
  }
}

/** A line now and then: a twentieth of the users at a time. */
function tell(what: string, done: number, total: number, step: number): void {
  const part = Math.max(1, Math.floor(total / progressEvery));
  if (Math.floor(done / part) > Math.floor((done - step) / part)) console.error(`${what} ${Math.min(done, total)} of ${total} users`);
}
