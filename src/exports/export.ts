/**
 * Taking results away: the rows of a partner's users, some users at a time, into a target that says after each of those
 * pieces how far it is. Memory holds one piece of what the server sends, and of Parquet one row group.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Database, Transaction } from "../database/database.ts";
import { Fault } from "../errors.ts";
import { copyOutPieces } from "../ledger/copy-out.ts";
import { type Selection, selectOf } from "./datasets.ts";
import type { Encoder } from "./encoder.ts";
import type { Place, Target } from "./target.ts";

export type Plan = Selection & {
  /** The bank's ids of users; null: all of the partner. */
  bankUserIds: readonly string[] | null;
};

/** file: its whole path; null: a pipe. */
export type Destination = { file: string | null; open: () => Promise<Target> };

/** users: of `usersTotal`, so far. */
export type Advance = { users: number; usersTotal: number; rows: number };

export type Exported = {
  rows: number;
  users: number;
  files: string[];
  /** Whether it was called off between two pieces; then nothing is finished. */
  isBrokenOff: boolean;
};

/** So many that a piece's planning is lost in it, so few that a broken off run repeats little. */
const rowsAPiece = 50_000;
const usersAPieceMax = 5_000;
const usersAPieceFirst = 100;

/**
 * Some users' rows are read user after user by the index, whatever the statistics say: a plan that read all of a table
 * of 200,000 for each piece, and sorted 50,000 rows on the disk, took 590 ms where this one takes 324.
 */
const byUsers = "set enable_seqscan = off; set enable_bitmapscan = off; set work_mem = '64MB'";

const claimWithinMs = 5_000;
const claimAgainMs = 50;

/**
 * Exports what is there: each user's rows are of one moment, users of different pieces of different ones. A user who
 * comes meanwhile may be part of it. @throws Fault COMMAND_USAGE when another process writes the same file
 */
export async function exportRows(
  database: Database,
  plan: Plan,
  { file, open }: Destination,
  encoder: Encoder,
  { advance, signal }: { advance: (so: Advance) => void; signal: AbortSignal },
): Promise<Exported> {
  const connection = await database.connect();
  let target: Target | null = null;
  try {
    await connection.query(`set default_transaction_read_only = on; set statement_timeout = 0; ${byUsers}`);
    if (file !== null) await claim(connection, file);
    target = await open();
    const usersTotal = await countUsers(connection, plan);
    let place: Place = target.place;
    let limit = plan.dataset === "users" ? usersAPieceMax : usersAPieceFirst;
    for (;;) {
      advance({ users: place.users, usersTotal, rows: place.rows });
      const userIds = await nextUsers(connection, plan, place.userId, limit);
      const last = userIds.at(-1);
      if (last === undefined) break;
      if (signal.aborted) return { rows: place.rows, users: place.users, files: [], isBrokenOff: true };
      const rows = await copyPiece(connection, selectOf(plan, userIds), target, encoder);
      place = { userId: last, users: place.users + userIds.length, rows: place.rows + rows };
      await target.settle(encoder, place);
      limit = nextLimit(userIds.length, rows);
    }
    return { rows: place.rows, users: place.users, files: await target.finish(encoder), isBrokenOff: false };
  } finally {
    // What was set on it is nobody else's wish.
    connection.release(true);
    await target?.close();
  }
}

/**
 * For as long as the connection lasts, so that nothing is left of it when this process is killed. The server sees the end
 * of one that broke off a moment after its command has ended.
 */
async function claim(connection: Transaction, file: string): Promise<void> {
  const deadline = performance.now() + claimWithinMs;
  for (;;) {
    const { rows } = await connection.query<{ claimed: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('export ' || $1, 0)) as claimed",
      [file],
    );
    if (rows[0]?.claimed === true) return;
    if (performance.now() > deadline) throw new Fault("COMMAND_USAGE", `Another process writes ${file} already.`);
    await wait(claimAgainMs);
  }
}

async function copyPiece(connection: Transaction, select: string, target: Target, encoder: Encoder): Promise<number> {
  const pieces = copyOutPieces(connection, select, encoder.source);
  for await (const piece of pieces) {
    await target.begin();
    await encoder.add(piece, target.write);
  }
  return pieces.rowCount;
}

function nextLimit(users: number, rows: number): number {
  const wanted = rows === 0 ? users * 2 : Math.round((users * rowsAPiece) / rows);
  return Math.min(Math.max(wanted, 1), usersAPieceMax, users * 4);
}

async function countUsers(connection: Transaction, { partnerId, bankUserIds }: Plan): Promise<number> {
  const { rows } = await connection.query<{ users: number }>(
    `select count(*) as users
       from users
      where partner_id = $1
        and deleted_at is null
        and ($2::text[] is null or bank_user_id = any($2))`,
    [partnerId, bankUserIds],
  );
  const users = rows[0]?.users ?? 0;
  if (bankUserIds !== null && users < new Set(bankUserIds).size)
    throw new Fault("NOT_FOUND", `Partner "${partnerId}" does not have all of these users.`);
  return users;
}

async function nextUsers(
  connection: Transaction,
  { partnerId, bankUserIds }: Plan,
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await connection.query<{ id: number }>(
    `select id
       from users
      where partner_id = $1
        and id > $2
        and deleted_at is null
        and ($3::text[] is null or bank_user_id = any($3))
      order by id
      limit $4`,
    [partnerId, after, bankUserIds, limit],
  );
  return rows.map(({ id }) => id);
}
