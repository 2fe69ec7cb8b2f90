/**
 * Fills a ledger night by night, each night a few rows of everybody, so that a user's lie scattered; indexes are made
 * afterwards. Each step is a transaction with the note that it was taken: what was stopped goes on where it was.
 */
import { statfs } from "node:fs/promises";
import { type Database, inTransaction } from "../../../src/database/database.ts";
import type { Day } from "../../../src/time/calendar.ts";
import { addPartner } from "../../parties.ts";
import { addAccounts, bringDay, prepareArrivals, tell } from "../recognition/arrivals.ts";

export const resident = "resident";
export const leaving = "leaving";
export const leavingUsers = 50;

/** For filling alone. A crash of the machine would spoil the folder, a stop of this program does not. */
export const fillSettings = [
  "shared_buffers=1GB",
  "maintenance_work_mem=1GB",
  "work_mem=256MB",
  "max_wal_size=6GB",
  "checkpoint_timeout=1h",
  "wal_compression=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "synchronous_commit=off",
  "autovacuum=off",
];

/** A row with its index, and what the server's log of changes takes meanwhile. */
const rowBytes = 340;
const logBytes = 7 * 2 ** 30;

export type Filling = { users: number; rows: number; rowsPerUser: number };

/** @throws where the disk has no room */
export async function assertRoom(folder: string, rows: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const needed = rows * rowBytes + (rows > 1_000_000 ? logBytes : 0);
  if (bavail * bsize < needed)
    throw new Error(
      `${rows} rows take ${(needed / 2 ** 30).toFixed(0)} GiB for a while, ${((bavail * bsize) / 2 ** 30).toFixed(0)} are free`,
    );
}

/** Idempotent. */
export async function fill(database: Database, folder: string, filling: Filling): Promise<void> {
  await database.query("create table if not exists filled (step text constraint filled_pk primary key)");
  const steps = await stepsOf(database);
  if (steps.has("vacuumed")) return;
  await assertRoom(folder, filling.rows);
  if (!steps.has("prepared")) await prepare(database, filling);
  const { rows: days } = await database.query<{ day: Day }>(
    "select distinct booked_on as day from generated where night is null order by day",
  );
  const startedAt = performance.now();
  for (const [at, { day }] of days.entries()) {
    await once(database, steps, day, (transaction) => bringDay(transaction, day));
    tell("nights", at + 1, days.length, 1, startedAt);
  }
  await once(database, steps, "accounts", (transaction) => addAccounts(transaction));
  const { rows: later } = await database.query<{ statement: string }>("select statement from made_later order by 1");
  for (const { statement } of later) {
    console.error(statement);
    await once(database, steps, statement, (transaction) => transaction.query(statement));
  }
  await database.query("vacuum (freeze, analyze)");
  await database.query("insert into filled values ('vacuumed')");
  console.error(`filled in ${((performance.now() - startedAt) / 60_000).toFixed(1)} min`);
}

export async function stepsOf(database: Database): Promise<Set<string>> {
  const { rows } = await database.query<{ step: string }>("select step from filled");
  return new Set(rows.map(({ step }) => step));
}

async function once(
  database: Database,
  steps: ReadonlySet<string>,
  step: string,
  take: (transaction: Parameters<Parameters<typeof inTransaction>[1]>[0]) => Promise<unknown>,
): Promise<void> {
  if (steps.has(step)) return;
  await inTransaction(database, async (transaction) => {
    await take(transaction);
    await transaction.query("insert into filled values ($1)", [step]);
  });
}

async function prepare(database: Database, { users, rows, rowsPerUser }: Filling): Promise<void> {
  // What a run left that was stopped before anything came.
  await database.query("drop table if exists copies, generated, made_later");
  await database.query("truncate transactions, users cascade");
  await database.query("delete from brands");
  await database.query("delete from partners");
  const withRows = Math.max(2 * leavingUsers, Math.round(rows / rowsPerUser));
  const { userIds } = await prepareArrivals(database, {
    users: Math.max(users, withRows),
    rowsPerUser,
    partnerId: resident,
    withRows,
  });
  await addPartner(database, leaving);
  const step = Math.floor(userIds.length / leavingUsers);
  await database.query("update users set partner_id = $1 where id = any($2::bigint[])", [
    leaving,
    userIds.filter((_, at) => at % step === 0).slice(0, leavingUsers),
  ]);
  // Files name users by their numbers, without gaps.
  await database.query(
    "insert into users (partner_id, brand_id, bank_user_id, locale, import_completed_on) select $1, brand_id, bank_user_id, locale, import_completed_on from users where partner_id = $2",
    [resident, leaving],
  );
  await inTransaction(database, async (transaction) => {
    await transaction.query(
      `create table made_later as
       select format('alter table transactions add constraint %I %s', conname, pg_get_constraintdef(oid)) as statement
         from pg_constraint
        where conrelid = 'transactions'::regclass and contype = 'p'
        union all
       select pg_get_indexdef(indexrelid)
         from pg_index
        where indrelid = 'transactions'::regclass and not indisprimary`,
    );
    await transaction.query("alter table transactions drop constraint transactions_once");
    await transaction.query(
      `do $$ declare one regclass; begin
         for one in select indexrelid::regclass from pg_index where indrelid = 'transactions'::regclass loop
           execute format('drop index %s', one);
         end loop;
       end $$`,
    );
    await transaction.query("insert into filled values ('prepared')");
  });
}
