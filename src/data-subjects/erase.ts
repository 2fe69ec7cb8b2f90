/**
 * Erasing users whom their partner deleted, once the partner's `retention.deletedUserDays` are over. Landed originals
 * hold many users and have an age of their own, after which the erasure is complete.
 */
import { type Database, inTransaction, type Queryable, type Transaction } from "../database/database.ts";
import type { Events } from "../events.ts";
import { recordAudit } from "../partners/audit.ts";
import { forgetChangesOf } from "../partners/change-feed.ts";
import { readRetention } from "../partners/settings/landing-rules.ts";
import { listSettings } from "../partners/overview.ts";
import { forgetPiecesOf } from "../partners/loaded-pieces.ts";
import { forgetDepartures } from "../partners/departures.ts";
import { countUserRows } from "./export.ts";
import { findSubjectTables, type SubjectTable } from "./tables.ts";

export type Erasure = { partners: { partnerId: string; deletedUserDays: number; users: number; rows: number }[] };

export type Erasing = { database: Database; events: Events; now: Date };

/** Users in one transaction: a household's 25 months are some thousand rows, and each batch is told as progress. */
const usersPerTransaction = 20;

/** Counts users and rows that would go, and removes nothing. */
export async function previewErasure({ database, now }: Erasing): Promise<Erasure> {
  const tables = await findSubjectTables(database);
  return await forEachPartner(
    database,
    async (partnerId, before) => {
      const userIds = await findErasable(database, partnerId, before, null);
      return { users: userIds.length, rows: userIds.length + (await countRows(database, tables, userIds)) };
    },
    now,
  );
}

/** Idempotent, and safe to run from several machines: a user that another run has in hand is left to it. */
export async function eraseDeleted({ database, events, now }: Erasing, actor: string): Promise<Erasure> {
  const startedAt = performance.now();
  const tables = await findSubjectTables(database);
  const erasure = await forEachPartner(
    database,
    async (partnerId, before) => {
      const gone = { users: 0, rows: 0 };
      for (
        let erased = await eraseSome(database, tables, partnerId, before, actor);
        erased.users > 0;
        erased = await eraseSome(database, tables, partnerId, before, actor)
      ) {
        gone.users += erased.users;
        gone.rows += erased.rows;
      }
      return gone;
    },
    now,
  );
  await forgetDepartures(database, now);
  const sum = (of: "users" | "rows") => erasure.partners.reduce((total, one) => total + one[of], 0);
  if (sum("users") > 0)
    events.emit("users.erased", { users: sum("users"), rows: sum("rows"), durationMs: performance.now() - startedAt });
  return erasure;
}

/** Removes users and every row about them, whatever their partner's retention says. @returns rows; 0: there were none */
export async function eraseUsers(transaction: Transaction, userIds: readonly number[]): Promise<number> {
  return await removeRows(transaction, await findSubjectTables(transaction), userIds);
}

export type UserErasure = {
  /** Those that hold something. */
  tables: { name: string; rows: number }[];
  rows: number;
  /**
   * Landed originals that the user's payments came in and that are still kept: they are encrypted, hold many users, and
   * go by their own age. Until then the erasure is not complete.
   */
  originals: { deliveries: number; keptDays: number | null };
};

/** What erasing a user would remove and leave now; changes nothing. */
export async function previewUserErasure(
  database: Database,
  { ids, partnerId }: { ids: readonly number[]; partnerId: string },
): Promise<UserErasure> {
  const tables = (await countUserRows(database, ids)).filter(({ rows }) => rows > 0);
  const { rows } = await database.query<{ deliveries: number; settings: object }>(
    `select (select count(*)
               from deliveries
              where bytes_removed_at is null
                and position in (select delivery_position from transactions where user_id = any($1::bigint[]))) as deliveries,
            settings
       from partners
      where id = $2`,
    [ids, partnerId],
  );
  return {
    tables,
    rows: tables.reduce((sum, one) => sum + one.rows, 0),
    originals: {
      deliveries: rows[0]?.deliveries ?? 0,
      keptDays: rows[0] === undefined ? null : readRetention(rows[0].settings).landedDays,
    },
  };
}

async function forEachPartner(
  database: Queryable,
  work: (partnerId: string, before: Date) => Promise<{ users: number; rows: number }>,
  now: Date,
): Promise<Erasure> {
  const partners: Erasure["partners"] = [];
  const failures: unknown[] = [];
  for (const { partnerId, settings } of await listSettings(database)) {
    const ofPartner = async () => {
      const { deletedUserDays } = readRetention(settings);
      return {
        partnerId,
        deletedUserDays,
        ...(await work(partnerId, new Date(now.getTime() - deletedUserDays * 86_400_000))),
      };
    };
    // One partner's settings must not keep other partners' users.
    await ofPartner().then(
      (done) => partners.push(done),
      (error: unknown) => failures.push(error),
    );
  }
  if (failures.length > 0) throw failures[0];
  return { partners };
}

async function eraseSome(
  database: Database,
  tables: readonly SubjectTable[],
  partnerId: string,
  before: Date,
  actor: string,
): Promise<{ users: number; rows: number }> {
  return await inTransaction(database, async (transaction) => {
    const userIds = await findErasable(transaction, partnerId, before, usersPerTransaction);
    if (userIds.length === 0) return { users: 0, rows: 0 };
    const rows = await removeRows(transaction, tables, userIds);
    await recordAudit(transaction, actor, {
      partnerId,
      event: "users.erased",
      details: { users: userIds.length, rows },
    });
    return { users: userIds.length, rows };
  });
}

/** @param limit null counts all without locking them */
async function findErasable(
  database: Queryable,
  partnerId: string,
  before: Date,
  limit: number | null,
): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    `select id
       from users
      where partner_id = $1
        and deleted_at < $2
      order by id
      ${limit === null ? "" : `limit ${limit} for update skip locked`}`,
    [partnerId, before],
  );
  return rows.map((row) => row.id);
}

async function countRows(
  database: Queryable,
  tables: readonly SubjectTable[],
  userIds: readonly number[],
): Promise<number> {
  if (userIds.length === 0) return 0;
  const counts = tables.map(
    ({ identifier }) => `(select count(*) from ${identifier} where user_id = any($1::bigint[]))`,
  );
  const { rows } = await database.query<{ n: number }>(`select (${counts.join(" + ")})::bigint as n`, [userIds]);
  return rows[0]?.n ?? 0;
}

/** One statement: references between the tables are checked at its end, when everything is gone. */
async function removeRows(
  transaction: Transaction,
  tables: readonly SubjectTable[],
  userIds: readonly number[],
): Promise<number> {
  const deletes = tables.map(
    ({ identifier }, at) => `gone_${at} as (delete from ${identifier} where user_id = any($1::bigint[]) returning 1)`,
  );
  const counts = [...tables.keys()].map((at) => `(select count(*) from gone_${at})`);
  await forgetChangesOf(transaction, userIds);
  await forgetPiecesOf(transaction, userIds);
  const { rows } = await transaction.query<{ n: number }>(
    `with ${deletes.join(",\n")},
     gone as (delete from users where id = any($1::bigint[]) returning 1)
     select (${[...counts, "(select count(*) from gone)"].join(" + ")})::bigint as n`,
    [userIds],
  );
  return rows[0]?.n ?? 0;
}
