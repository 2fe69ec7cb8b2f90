/** Everything held about one user, for a subject access request: every row of every table that has the user's id. */
import { type Database, inTransaction, type Queryable, type Transaction } from "../database/database.ts";
import { unpack } from "../interface/packed.ts";
import { findSubjectTables, type SubjectTable } from "./tables.ts";

/** One row as JSON text. Sealed columns are left out: keys and bank tokens are ours, not the user's. */
export type ExportedRow = { table: string; row: string };

/** Rows fetched at a time. */
const pageRows = 1000;

/** Users of the partner under this id: the live one and deleted ones that are not erased yet. */
export async function findSubjectUsers(database: Database, partnerId: string, bankUserId: string): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    "select id from users where partner_id = $1 and bank_user_id = $2 order by id",
    [partnerId, bankUserId],
  );
  return rows.map((row) => row.id);
}

/** Tells rows table by table, in one snapshot of the database. @returns how many. */
export async function exportUser(
  database: Database,
  userIds: readonly number[],
  tell: (row: ExportedRow) => Promise<void>,
): Promise<number> {
  return await inTransaction(database, async (transaction) => {
    await transaction.query("set transaction isolation level repeatable read, read only");
    let rows = await exportTable(transaction, { name: "users", identifier: "users" }, "id", userIds, tell);
    for (const table of await findSubjectTables(transaction))
      rows += await exportTable(transaction, table, "user_id", userIds, tell);
    return rows;
  });
}

/** {"table": [row, …], …}, written as it comes: a user's history need not fit into memory twice. @returns how many rows */
export async function exportDocument(
  database: Database,
  userIds: readonly number[],
  write: (text: string) => Promise<void>,
): Promise<number> {
  let table: string | null = null;
  const rows = await exportUser(database, userIds, async (row) => {
    const before = row.table === table ? ",\n" : `${table === null ? "{" : "\n],"}\n${JSON.stringify(row.table)}: [\n`;
    table = row.table;
    await write(before + row.row);
  });
  await write(table === null ? "{}\n" : "\n]\n}\n");
  return rows;
}

/** What an export would hold, by table. */
export async function countUserRows(
  database: Queryable,
  userIds: readonly number[],
): Promise<{ name: string; rows: number }[]> {
  const tables = await findSubjectTables(database);
  const counts = tables.map(
    ({ identifier }) => `(select count(*) from ${identifier} where user_id = any($1::bigint[]))`,
  );
  const { rows } = await database.query<{ counts: number[] }>(
    `select array[(select count(*) from users where id = any($1::bigint[])), ${counts.join(", ")}]::int[] as counts`,
    [userIds],
  );
  const found = rows[0]?.counts ?? [];
  return ["users", ...tables.map(({ name }) => name)].map((name, at) => ({ name, rows: found[at] ?? 0 }));
}

async function exportTable(
  transaction: Transaction,
  table: SubjectTable,
  column: string,
  userIds: readonly number[],
  tell: (row: ExportedRow) => Promise<void>,
): Promise<number> {
  let told = 0;
  const packed = await findPacked(transaction, table);
  await transaction.query(
    `declare exported no scroll cursor for
     select (to_jsonb(t) - array(select attname::text from pg_attribute where attrelid = $2::regclass and attname ~ 'sealed$'))::text as row
       from ${table.identifier} t
      where ${column} = any($1::bigint[])`,
    [userIds, table.identifier],
  );
  for (;;) {
    const { rows } = await transaction.query<{ row: string }>(`fetch ${pageRows} from exported`);
    for (const { row } of rows) await tell({ table: table.name, row: asItReads(row, packed) });
    told += rows.length;
    if (rows.length < pageRows) break;
  }
  await transaction.query("close exported");
  return told;
}

const packedSuffix = "_packed";

/** Its columns that hold a document as gzip: NAME_packed, beside NAME, which holds it as JSON where it is not kept packed alone. */
async function findPacked(transaction: Transaction, { identifier }: SubjectTable): Promise<string[]> {
  const { rows } = await transaction.query<{ name: string }>(
    "select attname::text as name from pg_attribute where attrelid = $1::regclass and attname ~ $2 and not attisdropped",
    [identifier, `${packedSuffix}$`],
  );
  return rows.map(({ name }) => name);
}

/** The row with documents in place of what is packed. */
function asItReads(row: string, packed: readonly string[]): string {
  if (packed.length === 0) return row;
  const told = JSON.parse(row) as Record<string, unknown>;
  for (const name of packed) {
    const document = name.slice(0, -packedSuffix.length);
    if (typeof told[name] === "string" && isPackedAlone(told[document]))
      told[document] = JSON.parse(unpack(bytesOf(told[name])).toString("utf8"));
    delete told[name];
  }
  return JSON.stringify(told);
}

/** Migrations 245 and 250. */
function isPackedAlone(document: unknown): boolean {
  return document === null || (typeof document === "object" && Object.keys(document).length === 0);
}

/** Of a bytea as PostgreSQL writes it: behind two characters, two digits a byte. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text.slice(2), "hex");
}
