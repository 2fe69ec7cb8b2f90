/** Rows and receipts past their age. What others still point to stays: a reference is worth more than a row. */
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { type Database, inTransaction, type Queryable, type Transaction } from "../../database/database.ts";
import { isSqlState } from "../../database/sql-states.ts";
import { receiptName } from "../receipt.ts";
import { unfinishedPrefix } from "../../deliveries/receipt-files/writing.ts";
import { settledCondition } from "./rules.ts";

export type ExpiredRow = {
  id: string;
  partnerId: string;
  name: string | null;
  door: string;
  ordinal: number | null;
  position: number;
};

const expiredRows = `
  bytes_removed_at is not null
  and partner_id = $1
  and finished_at < $2
  and ${settledCondition}
  and not exists (select 1 from import_markers where delivery_id = deliveries.id and applied_at is null)`;

/** Oldest first. `ordinal` as deliveries.name_place. */
export async function findExpiredRows(
  database: Queryable,
  partnerId: string,
  before: Date,
  limit: number,
): Promise<ExpiredRow[]> {
  const { rows } = await database.query<ExpiredRow>(
    `select id, partner_id as "partnerId", name, door, name_place as ordinal, position
       from deliveries
      where ${expiredRows}
      order by position
      limit $3`,
    [partnerId, before, limit],
  );
  return rows;
}

export async function countExpiredRows(database: Queryable, partnerId: string, before: Date): Promise<number> {
  const { rows } = await database.query<{ n: number }>(`select count(*) as n from deliveries where ${expiredRows}`, [
    partnerId,
    before,
  ]);
  return rows[0]?.n ?? 0;
}

/** @returns false when something else points to it, and then nothing was removed. */
export async function removeRow(database: Database, landingDirectory: string, expired: ExpiredRow): Promise<boolean> {
  const receipt = expired.door === "sftp" && expired.name !== null;
  let newer = false;
  try {
    await inTransaction(database, async (transaction) => {
      await transaction.query("delete from requests where delivery_id = $1", [expired.id]);
      await transaction.query("delete from import_markers where delivery_id = $1", [expired.id]);
      await transaction.query("update deliveries set duplicate_of = null where duplicate_of = $1", [expired.id]);
      await transaction.query("delete from deliveries where id = $1", [expired.id]);
      // Asked last: the name may have come again since the row was found.
      newer = receipt && (await hasNewer(transaction, expired));
    });
  } catch (error) {
    if (isSqlState(error, "foreignKeyViolation")) return false;
    throw error;
  }
  if (receipt) await removeReceipt(landingDirectory, expired, newer);
  return true;
}

async function hasNewer(transaction: Transaction, { partnerId, name, position }: ExpiredRow): Promise<boolean> {
  const { rowCount } = await transaction.query(
    `select 1
       from deliveries
      where partner_id = $1
        and name = $2
        and door = 'sftp'
        and position > $3
      limit 1`,
    [partnerId, name, position],
  );
  return rowCount === 1;
}

/** The newest of a name owns the path without a number. */
async function removeReceipt(
  landingDirectory: string,
  { partnerId, name, ordinal }: ExpiredRow,
  newer: boolean,
): Promise<void> {
  const file = receiptName(name ?? "", newer ? ordinal : null);
  await rm(path.join(landingDirectory, partnerId, "receipts", ...file.split("/")), { force: true });
}

/** Removes what crashes left of receipts that were being written. */
export async function removeUnfinishedReceipts(
  landingDirectory: string,
  partnerId: string,
  before: Date,
): Promise<void> {
  const folder = path.join(landingDirectory, partnerId);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const name of names.filter((one) => one.startsWith(unfinishedPrefix))) {
    const stats = await stat(path.join(folder, name)).catch(() => null);
    if (stats && stats.mtime < before) await rm(path.join(folder, name), { force: true });
  }
}
