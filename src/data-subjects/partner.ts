/**
 * What is held about a whole partner, and removing it a piece at a time: users with every row about them, deliveries with
 * all that points to them, and whatever else bears the partner's id. Found in the database itself, so that a table added
 * later goes too.
 */
import { type Database, inTransaction, type Queryable, type Transaction } from "../database/database.ts";
import { claimEntry } from "../partners/changed-users.ts";
import { deleteUserWithin } from "../partners/users.ts";
import { eraseUsers } from "./erase.ts";

/** Of one transaction: a household's 25 months are some thousand rows. */
const usersPerTransaction = 20;
const deliveriesPerTransaction = 500;
const rowsPerTransaction = 5000;

/** Tables that keep what they say of a partner, and why. */
export const keptOfPartners: readonly { table: string; why: string }[] = [
  { table: "audit_events", why: "who did what, until its own age" },
  { table: "approvals", why: "who asked for what and who agreed" },
  { table: "feed_changes", why: "followers are told that the users departed; taken away once they were" },
];

export type PartnerContents = {
  name: string;
  suspended: boolean;
  brands: number;
  users: number;
  deliveries: number;
  /** Deliveries that are not at their end, or of which something is to be read again. */
  open: number;
};

/** Null: there is no such partner. */
export async function readPartnerContents(database: Queryable, partnerId: string): Promise<PartnerContents | null> {
  const { rows } = await database.query<PartnerContents>(
    `select name, suspended_at is not null as suspended,
            (select count(*) from brands where partner_id = partners.id) as brands,
            (select count(*) from users where partner_id = partners.id) as users,
            (select count(*) from deliveries where partner_id = partners.id) as deliveries,
            (select count(*)
               from deliveries
              where partner_id = partners.id
                and (state in ('accepted', 'loading') or revisit_requested_at is not null)) as open
       from partners
      where id = $1`,
    [partnerId],
  );
  return rows[0] ?? null;
}

/**
 * The next users and every row about them. Whoever has one of them in hand is waited for: what a run writes after its
 * user is gone nobody would ever find.
 */
export async function removeSomeUsers(database: Database, partnerId: string): Promise<{ users: number; rows: number }> {
  return await inTransaction(database, async (transaction) => {
    const { rows: found } = await transaction.query<{ id: number }>(
      "select id from users where partner_id = $1 order by id limit $2 for update",
      [partnerId, usersPerTransaction],
    );
    const userIds = found.map(({ id }) => id);
    if (userIds.length === 0) return { users: 0, rows: 0 };
    for (const userId of userIds) {
      await claimEntry(transaction, userId);
      await deleteUserWithin(transaction, userId);
    }
    return { users: userIds.length, rows: await eraseUsers(transaction, userIds) };
  });
}

export type RemovableDelivery = { id: string; vaultReference: string | null };

/** Latest first: what repeats another names it. */
export async function findSomeDeliveries(database: Queryable, partnerId: string): Promise<RemovableDelivery[]> {
  const { rows } = await database.query<RemovableDelivery>(
    `select id, vault_reference as "vaultReference"
       from deliveries
      where partner_id = $1
      order by position desc
      limit $2`,
    [partnerId, deliveriesPerTransaction],
  );
  return rows;
}

/** With whatever points to them. */
export async function removeDeliveries(database: Queryable, ids: readonly string[]): Promise<void> {
  const pointing = await findPointing(database, "deliveries");
  const deletes = pointing.map(
    ({ identifier, column }, at) => `gone_${at} as (delete from ${identifier} where ${column} = any($1::uuid[]))`,
  );
  await database.query(
    `with ${[...deletes, "gone as (delete from deliveries where id = any($1::uuid[]))"].join(",\n")}
     select`,
    [ids],
  );
}

/** Tables from which a row refers to the table, and does not go with what it refers to; itself left out. */
async function findPointing(database: Queryable, table: string): Promise<{ identifier: string; column: string }[]> {
  const { rows } = await database.query<{ identifier: string; column: string }>(
    `select conrelid::regclass::text as identifier, quote_ident(attname) as column
       from pg_constraint
       join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where contype = 'f'
        and confdeltype = 'a'
        and confrelid = $1::regclass
        and conrelid <> confrelid`,
    [table],
  );
  return rows;
}

/** What is left once users and deliveries are gone. @returns rows; 0: nothing is left but the partner itself */
export async function removeSomeOfRest(database: Database, partnerId: string): Promise<number> {
  for (const { identifier } of await findPartnerTables(database)) {
    const { rowCount } = await database.query(
      `delete from ${identifier}
        where ctid = any(array(select ctid from ${identifier} where partner_id = $1 limit ${rowsPerTransaction}))`,
      [partnerId],
    );
    if (rowCount !== null && rowCount > 0) return rowCount;
  }
  return 0;
}

/** Tables with a column partner_id, those before others that refer to them. */
export async function findPartnerTables(database: Queryable): Promise<{ name: string; identifier: string }[]> {
  const { rows: tables } = await database.query<{ name: string; identifier: string; refersTo: string[] }>(
    `select relname as name, quote_ident(relname) as identifier,
            array(select distinct target.relname::text
                    from pg_constraint
                    join pg_class target on target.oid = confrelid
                   where contype = 'f' and conrelid = c.oid and confrelid <> c.oid) as "refersTo"
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'partner_id' and not a.attisdropped
      where c.relnamespace = current_schema()::regnamespace
        and c.relkind in ('r', 'p')
        and not c.relispartition
        and relname <> all($1)
      order by relname`,
    [keptOfPartners.map(({ table }) => table)],
  );
  const ordered: typeof tables = [];
  for (let left = tables; left.length > 0;) {
    const free = left.filter(({ name }) => !left.some((one) => one.name !== name && one.refersTo.includes(name)));
    if (free.length === 0) throw new Error(`tables refer to each other: ${left.map(({ name }) => name).join(", ")}`);
    ordered.push(...free);
    left = left.filter((one) => !free.includes(one));
  }
  return ordered;
}

/** The caller has seen to it that nothing is left of it. @returns false: it was gone before */
export async function removePartnerRow(transaction: Transaction, partnerId: string): Promise<boolean> {
  return (await transaction.query("delete from partners where id = $1", [partnerId])).rowCount === 1;
}
