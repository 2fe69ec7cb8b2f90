/** Landed bytes past their age: out of the vault, out of the inbox, out of the table of request bodies. */
import { link, lstat, rename, unlink } from "node:fs/promises";
import path from "node:path";
import type { Queryable } from "../../database/database.ts";
import { stageOf } from "../sftp/files/stages.ts";
import type { Vault } from "../../vault/vault.ts";
import { settledCondition } from "./rules.ts";

export type Expired = {
  id: string;
  partnerId: string;
  name: string | null;
  door: string;
  vaultReference: string | null;
  sizeBytes: number;
  newer: boolean;
};

/** Finished before, by their partner's age. `newer`: the same name was delivered again since. Oldest first. */
export async function findExpiredBytes(
  database: Queryable,
  partnerId: string,
  before: Date,
  limit: number,
): Promise<Expired[]> {
  const { rows } = await database.query<Expired>(
    `select id, partner_id as "partnerId", name, door, vault_reference as "vaultReference", size_bytes as "sizeBytes",
            exists (select 1
                      from deliveries as later
                     where later.partner_id = deliveries.partner_id
                       and later.name = deliveries.name
                       and later.door = 'sftp'
                       and later.position > deliveries.position) as newer
       from deliveries
      where bytes_removed_at is null
        and partner_id = $1
        and finished_at < $2
        and ${settledCondition}
      order by finished_at
      limit $3`,
    [partnerId, before, limit],
  );
  return rows;
}

export async function summariseExpiredBytes(
  database: Queryable,
  partnerId: string,
  before: Date,
): Promise<{ deliveries: number; sizeBytes: number }> {
  const { rows } = await database.query<{ deliveries: number; sizeBytes: number }>(
    `select count(*) as deliveries, coalesce(sum(size_bytes), 0)::bigint as "sizeBytes"
       from deliveries
      where bytes_removed_at is null
        and partner_id = $1
        and finished_at < $2
        and ${settledCondition}`,
    [partnerId, before],
  );
  return rows[0] ?? { deliveries: 0, sizeBytes: 0 };
}

/** Files first, the row after them: a crash between leaves a row that is looked at again, and no file without one. */
export async function removeBytes(
  database: Queryable,
  vault: Vault,
  landingDirectory: string,
  expired: Expired,
): Promise<void> {
  // A later delivery of the name owns the entry in the inbox.
  if (expired.door === "sftp" && expired.name !== null && !expired.newer)
    await removeLanded(landingDirectory, expired.partnerId, expired.name, expired.id);
  if (expired.vaultReference !== null) await vault.remove(expired.vaultReference);
  await database.query("delete from delivery_bodies where delivery_id = $1", [expired.id]);
  await database.query("update deliveries set bytes_removed_at = now(), vault_reference = null where id = $1", [
    expired.id,
  ]);
}

/**
 * Takes a delivered file out of the inbox. The partner may be replacing it this moment, and the door may be another
 * process: so the entry is taken away first and looked at then; what is not a delivered file goes back.
 */
async function removeLanded(
  landingDirectory: string,
  partnerId: string,
  name: string,
  deliveryId: string,
): Promise<void> {
  const entry = path.join(landingDirectory, partnerId, "inbox", ...name.split("/"));
  const taken = path.join(landingDirectory, partnerId, `.removed-${deliveryId}`);
  if (await isDelivered(entry)) await rename(entry, taken).catch(ignoreAbsence);
  // Also what a run took away that did not come to its end.
  if (!(await isDelivered(taken))) await link(taken, entry).catch(ignoreAbsence);
  await unlink(taken).catch(ignoreAbsence);
}

async function isDelivered(file: string): Promise<boolean> {
  const stats = await lstat(file).catch(ignoreAbsence);
  return stats?.isFile() === true && stageOf(stats) === "delivered";
}

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
  throw error;
}
