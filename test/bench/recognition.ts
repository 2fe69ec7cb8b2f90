/**
 * What does it cost to recognise every user? npm run bench -- recognition [USERS TRANSACTIONS | --long], by default
 * 1000 100000;
 * --long is 100000 10000000 and takes a quarter of an hour. The floor, measured in the same run over as many
 * connections, is reading the same rows: by an ordinary query into objects, as any client does, and, since that is
 * less, by the reader that recognition has. Recognised is once from nothing, when everything is written, once for the
 * day after, as every night, and once more for the same day, when nothing changes. At most some hundred generated
 * households are copied to all users: making 10⁷ different rows takes longer than all the rest.
 */
import { availableParallelism } from "node:os";
import path from "node:path";
import { generatePopulation } from "../../fixtures/population.ts";
import { addDays, type Day } from "../../src/time/calendar.ts";
import { createClock } from "../../src/time/clock.ts";
import { type Database, inTransaction, openDatabase } from "../../src/database/database.ts";
import { createEvents } from "../../src/events.ts";
import type { RawTransaction } from "../../src/interface/record.ts";
import { readHistory } from "../../src/ledger/history.ts";
import { copyTogether } from "../../src/ledger/transactions.ts";
import { OwnedRows, type Posting, preparePosting } from "../../src/ledger/posting.ts";
import { copyColumns, RowBlock, rowTextBytes } from "../../src/ledger/row-block.ts";
import { migrate } from "../../src/database/migrate.ts";
import { historyTransaction } from "../../src/payments/history-file.ts";
import { recognise } from "../../src/recognition/recognise.ts";
import { recogniseChanged } from "../../src/recognition/run.ts";
import { openPools, type Pools } from "../../src/staging/pools.ts";
import type { RecogniseOutcome, RecogniseTask } from "../../src/recognition/task.ts";
import { checkRecord } from "../../workers/records/record.ts";
import { addPartner } from "../parties.ts";
import { databaseCpuByProcess, ownCpuMs } from "./processor.ts";

const asOf = "2026-06-30";
const householdsMax = 300;
/** What a generated household has on the average. */
const transactionsPerMonth = 57;
const longForm = [100_000, 10_000_000];
/** As many users as recognition reads at a time. */
const usersPerRead = 10;
const usersPerCopy = 200;
const progressEvery = 20;
const deliveryPosition = 1;

export async function bench(clusterUrl: string, folder: string, args: readonly string[]): Promise<void> {
  const [users = 1_000, transactions = 100_000] = args.includes("--long") ? longForm : args.map(Number);
  const url = `${clusterUrl.replace(/\/[^/]*$/, "")}/postgres`;
  await migrate(url);
  const threads = availableParallelism();
  const database = openDatabase(url, { sizeMax: threads + 2, applicationName: "bench" });
  const pools = openPools(
    { databaseUrl: url, keyEncryptionKey: Buffer.alloc(32), vaultDirectory: path.join(folder, "vault") },
    { doorThreads: 1, loadThreads: 1, recognitionThreads: threads },
  );
  const recognising = { database, pools, threads };
  try {
    const userIds = await addUsers(database, users);
    console.log(
      `${users} users, ${await load(database, userIds, Math.round(transactions / users))} rows, ${threads} threads, each with a connection`,
    );
    await database.query("analyze");
    const queried = await timed(
      database,
      users,
      "reading by a query",
      async () => await readAll(queryRows, database, userIds, threads),
    );
    const read = await timed(
      database,
      users,
      "reading by recognition's reader",
      async () => await readAll(readHistory, database, userIds, threads),
    );
    // Threads start and compile, which is a matter of seconds and not of users.
    await recogniseAll(recognising, userIds.slice(0, householdsMax), asOf);
    await database.query("truncate services, read_models, membership_alerts");
    for (const [what, day] of [
      ["from nothing", asOf],
      ["for the day after", addDays(asOf, 1)],
      ["with nothing changed", addDays(asOf, 1)],
    ] as const) {
      const run = await timed(
        database,
        users,
        `recognising ${what}`,
        async () => await recogniseAll(recognising, userIds, day),
      );
      const ratio = (floor: Spent): string =>
        `${(run.seconds / floor.seconds).toFixed(2)} (processor ${(run.processorSeconds / floor.processorSeconds).toFixed(2)})`;
      console.log(`  ratio to reading by a query ${ratio(queried)}, by recognition's reader ${ratio(read)}`);
    }
    console.log(
      `recognising in memory, one thread: ${recogniseInMemory().toFixed(2)} ms of processor for a user of 1,000 transactions`,
    );
  } finally {
    await pools.close();
    await database.end();
  }
}

type Spent = { seconds: number; processorSeconds: number };

/** Time, and the processor time of this process and the server's, which other work on the machine touches less. */
async function timed(database: Database, users: number, what: string, work: () => Promise<unknown>): Promise<Spent> {
  const startedAt = performance.now();
  const before = await databaseCpuByProcess(database);
  const ownBefore = ownCpuMs();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const own = ownCpuMs() - ownBefore;
  const server = (await databaseCpuByProcess(database))
    .entries()
    .reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
  const perUser = (ms: number): string => `${(ms / users).toFixed(2)} ms`;
  console.log(
    `${what}: ${seconds.toFixed(1)} s; a user ${perUser(seconds * 1000)}, of processors ${perUser(own)} here and ${perUser(server)} in the server`,
  );
  return { seconds, processorSeconds: (own + server) / 1000 };
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
  const startedAt = performance.now();
  let household = 0;
  for (const { transactions } of generatePopulation({ users: originals.length, months, seed: 271_828, until: asOf })) {
    const posting = postingOf(transactions, originals[household]!);
    household += 1;
    await inTransaction(database, async (transaction) => await copyTogether(transaction, [posting]));
    tell("generated", household, originals.length, 1, startedAt);
  }
  await database.query(
    "insert into accounts (user_id, id, name, iban) select distinct user_id, account_id, 'Account', '' from transactions where account_id is not null",
  );
  for (let from = originals.length; from < userIds.length; from += usersPerCopy) {
    const copies = userIds.slice(from, from + usersPerCopy);
    const originalsOf = (some: readonly number[]): number[] =>
      some.map((_, at) => originals[(from + at) % originals.length]!);
    const columns = copyColumns.replace("user_id, ", "");
    await database.query(
      `insert into transactions (user_id, ${columns})
       select pair.copy, ${columns}
         from unnest($1::bigint[], $2::bigint[]) as pair (copy, original)
         join transactions t on t.user_id = pair.original`,
      [copies, originalsOf(copies)],
    );
    await database.query(
      `insert into accounts (user_id, id, name, iban)
       select pair.copy, id, name, iban
         from unnest($1::bigint[], $2::bigint[]) as pair (copy, original)
         join accounts a on a.user_id = pair.original`,
      [copies, originalsOf(copies)],
    );
    tell("loaded", from + usersPerCopy, userIds.length, usersPerCopy, startedAt);
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

/** Months that make about a thousand transactions; so many households, twice to get warm. */
const longMonths = 18;
const longHouseholds = 60;
const warmRounds = 2;

/** The pure function alone over long histories. @returns milliseconds of processor per 1,000 transactions. */
function recogniseInMemory(): number {
  const histories = [
    ...generatePopulation({ users: longHouseholds, months: longMonths, seed: 271_828, until: asOf }),
  ].map(({ transactions }) =>
    transactions.flatMap((record) => (record.tx ? (historyTransaction(record, record.tx) ?? []) : [])),
  );
  let milliseconds = 0;
  for (let round = 0; round <= warmRounds; round++) {
    const before = ownCpuMs();
    for (const history of histories) recognise(history, { asOf, country: "DK", currency: "DKK" });
    milliseconds = ownCpuMs() - before;
  }
  return (milliseconds * 1000) / histories.reduce((rows, history) => rows + history.length, 0);
}

type Recogniser = { database: Database; pools: Pools; threads: number };

async function recogniseAll(
  { database, pools, threads }: Recogniser,
  userIds: readonly number[],
  day: Day,
): Promise<void> {
  await database.query(
    "insert into changed_users (user_id, touched_at) select unnest($1::bigint[]), now() - interval '1 day' on conflict (user_id) do update set touched_at = excluded.touched_at",
    [userIds],
  );
  let done = 0;
  const startedAt = performance.now();
  const recognise = async (task: RecogniseTask): Promise<RecogniseOutcome> => {
    const outcome = await pools.recognise(task);
    done += outcome.users;
    tell("recognised", done, userIds.length, outcome.users, startedAt);
    return outcome;
  };
  const recognising = {
    database,
    clock: createClock(day),
    events: createEvents({ level: "silent" }),
    baseUrl: "https://bench.example",
    recognise,
  };
  const users = await recogniseChanged(recognising, () => false, threads);
  // A few are taken again by a lane whose look at the list is older than the other's commit; that finds nothing to
  // write.
  if (users < userIds.length) throw new Error(`${users} of ${userIds.length} users were recognised`);
}

/** A line now and then: a twentieth of the users at a time. */
function tell(what: string, done: number, total: number, step: number, startedAt: number): void {
  const part = Math.max(1, Math.floor(total / progressEvery));
  if (Math.floor(done / part) > Math.floor((done - step) / part))
    console.error(
      `${what} ${Math.min(done, total)} of ${total} users in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
    );
}
