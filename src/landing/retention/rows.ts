/** Rows and receipts past their age. What others still point to stays: a reference is worth more than a row. */
import { rm } from "node:fs/promises";
import path from "node:path";
import { type Database, inTransaction, type Queryable } from "../../database.ts";
import { receiptName } from "../receipt.ts";
import { settledCondition } from "./rules.ts";

export type ExpiredRow = { id: string; partnerId: string; name: string | null; door: string; place: number | null; newer: boolean };

const expiredRows = `
  bytes_removed_at is not null
  and partner_id = $1
  and finished_at < $2
  and ${settledCondition}
  and not exists (select 1 from import_markers where delivery_id = deliveries.id and applied_at is null)`;

/** Oldest first. `place` as deliveries.name_place. */
export async function findExpiredRows(database: Queryable, partnerId: string, before: Date, limit: number): Promise<ExpiredRow[]> {
  const { rows } = await database.query<ExpiredRow>(
    `select id, partner_id as "partnerId", name, door, name_place as place,
            exists (select 1
                      from deliveries as later
                     where later.partner_id = deliveries.partner_id
                       and later.name = deliveries.name
                       and later.door = 'sftp'
                       and later.position > deliveries.position) as newer
       from deliveries
      where ${expiredRows}
      order by position
      limit $3`,
    [partnerId, before, limit],
  );
  return rows;
}

export async function countExpiredRows(database: Queryable, partnerId: string, before: Date): Promise<number> {
  const { rows } = await database.query<{ n: number }>(`select count(*) as n from deliveries where ${expiredRows}`, [partnerId, before]);
  return rows[0]?.n ?? 0;
}

/** @returns false when something else points to it, and then nothing was removed. */
export async function removeRow(database: Database, landingDirectory: string, expired: ExpiredRow): Promise<boolean> {
  try {
    await inTransaction(database, async (transaction) => {
      await transaction.query("delete from requests where delivery_id = $1", [expired.id]);
      await transaction.query("delete from import_markers where delivery_id = $1", [expired.id]);
      await transaction.query("update deliveries set duplicate_of = null where duplicate_of = $1", [expired.id]);
      await transaction.query("delete from deliveries where id = $1", [expired.id]);
    });
  } catch (error) {
    if (isStillReferenced(error)) return false;
    throw error;
  }
  if (expired.door === "sftp" && expired.name !== null) await removeReceipt(landingDirectory, expired);
  return true;
}

async function removeReceipt(landingDirectory: string, { partnerId, name, place, newer }: ExpiredRow): Promise<void> {
  const file = receiptName(name ?? "", newer ? place : null);
  await rm(path.join(landingDirectory, partnerId, "receipts", ...file.split("/")), { force: true });
}

function isStillReferenced(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23503";
}
