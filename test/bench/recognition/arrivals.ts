/**
 * Users whose rows come as they do in life: night after night, each night a few of everybody, so that a user's rows lie
 * on about as many pages as there are nights. At most some hundred generated households are copied to all users: making
 * 10⁷ different rows takes longer than all the rest.
 */
import { setTimeout as wait } from "node:timers/promises";
import { generatePopulation } from "../../../fixtures/population.ts";
import { type Database, inTransaction, type Queryable } from "../../../src/database/database.ts";
import type { RawTransaction } from "../../../src/interface/record.ts";
import { OwnedRows, type Posting, preparePosting } from "../../../src/ledger/posting.ts";
import { copyColumns, RowBlock, rowTextBytes } from "../../../src/ledger/row-block.ts";
import { copyTogether } from "../../../src/ledger/transactions.ts";
import { type Arrival, markArrived } from "../../../src/partners/changed-users.ts";
import { checkRecord } from "../../../workers/records/record.ts";
import { addPartner, danishBrand, type TestBrand } from "../../parties.ts";

export const asOf = "2026-06-30";
/** Of each user's rows the latest come in nights of their own, which are measured. */
export const rowsPerNight = 3;
export const nightsMeasured = 3;

const householdsMax = 300;
const messyHouseholdsMax = 200;
/** What a generated household has on the average. */
const transactionsPerMonth = 57;
const deliveryPosition = 1;
const usersPerStatement = 5_000;

export type Arrivals = { userIds: number[]; rows: number; households: number };

/** What a messy household has. */
const messyTransactionsPerMonth = 69;
const germanBrand: TestBrand = {
  id: "bank-de",
  country: "DE",
  currency: "EUR",
  timeZone: "Europe/Berlin",
  locale: "de-DE",
};

/**
 * withRows: for the first so many of the users rows will come; default: for all of them. isMessy: German households
 * whose histories are as hard to read as real ones.
 */
export type Arriving = {
  users: number;
  rowsPerUser: number;
  partnerId?: string;
  withRows?: number;
  isMessy?: boolean;
};

/** Users and the rows that will come for them, of which none is in the ledger yet. @returns days, and who has which rows */
export async function prepareArrivals(
  database: Database,
  { users, rowsPerUser, partnerId = "bank", withRows = users, isMessy = false }: Arriving,
): Promise<{ userIds: number[]; days: string[]; households: number }> {
  const brand = isMessy ? germanBrand : danishBrand;
  const userIds = (await addUsers(database, users, partnerId, brand)).slice(0, withRows);
  const households = Math.min(withRows, isMessy ? messyHouseholdsMax : householdsMax);
  const perMonth = isMessy ? messyTransactionsPerMonth : transactionsPerMonth;
  await generate(database, userIds.slice(0, households), {
    months: Math.max(1, Math.round(rowsPerUser / perMonth)),
    messy: isMessy ? brand.country : null,
  });
  await database.query("create unlogged table copies (user_id bigint, household bigint)");
  await database.query(
    `insert into copies
     select user_id, ($2::bigint[])[1 + (ordinal - 1) % $3]
       from unnest($1::bigint[]) with ordinality as copy (user_id, ordinal)`,
    [userIds, userIds.slice(0, households), households],
  );
  const days = await database.query<{ day: string }>(
    "select distinct booked_on as day from generated where night is null order by day",
  );
  return { userIds, days: days.rows.map(({ day }) => day), households };
}

/** @param rowsPerUser about so many */
export async function loadInOrderOfArrival(
  database: Database,
  users: number,
  rowsPerUser: number,
  isMessy = false,
): Promise<Arrivals> {
  const { userIds, days, households } = await prepareArrivals(database, { users, rowsPerUser, isMessy });
  const startedAt = performance.now();
  for (const [at, day] of days.entries()) {
    await bring(database, "generated.booked_on = $1 and generated.night is null", day);
    tell("loaded night", at + 1, days.length, 1, startedAt);
  }
  await addAccounts(database);
  await database.query("vacuum analyze");
  const { rows } = await database.query<{ n: number }>("select count(*) as n from transactions");
  return { userIds, rows: rows[0]!.n, households };
}

/** Everybody's accounts, as their rows name them. */
export async function addAccounts(database: Queryable): Promise<void> {
  await database.query(
    `insert into accounts (user_id, id, name, iban)
     select distinct copies.user_id, account_id, 'Account', 'DK50' || account_id
       from generated join copies using (household) where account_id is not null`,
  );
}

/** One day's rows of everybody, as a night brings them, without a word to recognition. @returns how many */
export async function bringDay(database: Queryable, day: string): Promise<number> {
  const { rowCount } = await database.query(
    `insert into transactions (${copyColumns})
     select ${copyColumns.replace("user_id", "copies.user_id")}
       from generated
       join copies using (household)
      where generated.booked_on = $1 and generated.night is null
      order by copies.user_id, txid`,
    [day],
  );
  return rowCount ?? 0;
}

/** The rows of one of the nights that are measured, told as a load tells them; all are on the list, as on a new day. */
export async function bringNight(database: Database, userIds: readonly number[], night: number): Promise<void> {
  const brought = new Map((await bring(database, "generated.night = $1", night)).map((one) => [one.userId, one.txids]));
  await markAsCome(database, new Map(userIds.map((userId) => [userId, brought.get(userId) ?? []])));
}

/** Puts users on the list with what came of each, and lets them rest. */
export async function markAsCome(database: Database, came: ReadonlyMap<number, readonly string[]>): Promise<void> {
  const arrivals = [...came].map(([userId, txids]) => ({ userId, txids: [...txids] }));
  await inTransaction(database, async (transaction) => {
    for (let from = 0; from < arrivals.length; from += usersPerStatement)
      await markArrived(transaction, arrivals.slice(from, from + usersPerStatement), null);
  });
  // Figures are made once a user has been at rest for a second.
  await wait(1_100);
}

/** Puts all users on the list, at rest, as users for whom nothing came: their kept pasts are used. */
export async function markUnchanged(database: Database, userIds: readonly number[]): Promise<void> {
  await database.query(
    `insert into changed_users (user_id, touched_at, arrived, arrived_until)
     select unnest($1::bigint[]), now() - interval '1 hour', '[]', now() - interval '1 hour'
     on conflict (user_id) do update
        set touched_at = excluded.touched_at, arrived = excluded.arrived, arrived_until = excluded.arrived_until`,
    [userIds],
  );
}

/** Puts all users on the list without a word of what came: their histories are read whole. */
export async function markWhole(database: Database, userIds: readonly number[]): Promise<void> {
  await database.query(
    `insert into changed_users (user_id, touched_at)
     select unnest($1::bigint[]), now() - interval '1 hour'
     on conflict (user_id) do update set touched_at = excluded.touched_at, arrived = null`,
    [userIds],
  );
}

async function bring(database: Database, condition: string, value: string | number): Promise<Arrival[]> {
  const { rows } = await database.query<Arrival>(
    `with brought as (
       insert into transactions (${copyColumns})
       select ${copyColumns.replace("user_id", "copies.user_id")}
         from generated
         join copies using (household)
        where ${condition}
        order by copies.user_id, txid
       returning user_id, txid
     )
     select user_id as "userId", json_agg(txid) as txids from brought group by user_id order by user_id`,
    [value],
  );
  return rows;
}

async function addUsers(
  database: Database,
  count: number,
  partnerId: string,
  { id, locale, ...brand }: TestBrand,
): Promise<number[]> {
  await addPartner(database, partnerId, { id, locale, ...brand });
  const { rows } = await database.query<{ id: number }>(
    `insert into users (partner_id, brand_id, bank_user_id, locale, import_completed_on)
     select $1, $3, 'user-' || number, $4, '2020-01-01' from generate_series(0, $2::integer - 1) as number returning id`,
    [partnerId, count, id, locale],
  );
  return rows.map(({ id }) => id);
}

/** Households into a table of their own, each row with the night it comes in; null: before those that are measured. */
async function generate(
  database: Database,
  owners: readonly number[],
  kind: { months: number; messy: string | null },
): Promise<void> {
  let household = 0;
  for (const { transactions } of generatePopulation({ users: owners.length, ...kind, seed: 271_828, until: asOf })) {
    const posting = postingOf(transactions, owners[household]!);
    household += 1;
    await inTransaction(database, async (transaction) => await copyTogether(transaction, [posting]));
  }
  const columns = copyColumns.replace("user_id, ", "");
  await database.query(
    `create unlogged table generated as
     select user_id as household, ${columns}, case when place <= ${rowsPerNight * nightsMeasured} then 1 + (place - 1) / ${rowsPerNight} end::integer as night
       from (select *, row_number() over (partition by user_id order by booked_on desc, txid) as place from transactions) placed`,
  );
  await database.query("create index on generated (booked_on)");
  await database.query("truncate transactions");
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

const progressEvery = 20;

/** A line now and then: a twentieth at a time. */
export function tell(what: string, done: number, total: number, step: number, startedAt: number): void {
  const part = Math.max(1, Math.floor(total / progressEvery));
  if (Math.floor(done / part) > Math.floor((done - step) / part))
    console.error(
      `${what} ${Math.min(done, total)} of ${total} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
    );
}
