/**
 * Removing a partner for good: its users, its deliveries with their bytes, its folder, its keys. A piece at a time, so that
 * nothing waits for it and whoever stops it has lost nothing: called again it goes on.
 */
import { rm } from "node:fs/promises";
import path from "node:path";
import {
  findSomeDeliveries,
  readPartnerContents,
  removeDeliveries,
  removePartnerRow,
  removeSomeOfRest,
  removeSomeUsers,
} from "../data-subjects/partner.ts";
import { type Database, inTransaction } from "../database/database.ts";
import { Fault } from "../errors.ts";
import { unlessBackingUp } from "../landing/retention/pause.ts";
import { recordAudit } from "../partners/audit.ts";
import type { Vault } from "../vault/vault.ts";

export type PartnerRemoval = { users: number; rows: number; deliveries: number; vaultFiles: number };

export type Removing = {
  database: Database;
  vault: Vault;
  landingDirectory: string;
  actor: string;
  /** Users and deliveries that are gone so far. */
  onProgress?: (removed: Readonly<PartnerRemoval>) => void;
  signal?: AbortSignal;
};

/** @returns why it is not to be removed yet, a sentence; null: nothing speaks against it. @throws Fault NOT_FOUND */
export async function findWhyNotRemovable(database: Database, partnerId: string): Promise<string | null> {
  const contents = await readPartnerContents(database, partnerId);
  if (contents === null) throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
  if (!contents.suspended) return `Partner ${partnerId} is active: suspend it first, so that nothing comes any more.`;
  return contents.open === 0
    ? null
    : `${contents.open} deliveries of ${partnerId} are not at their end: wait for them, or call them off.`;
}

/**
 * Nothing may speak against it (findWhyNotRemovable). Files go before the rows that name them, the partner last of all.
 * @throws Fault BACKUP_RUNS, VAULT_AWAY, and the signal's reason: what is gone until then stays gone
 */
export async function removePartner(removing: Removing, partnerId: string): Promise<PartnerRemoval> {
  const { database, landingDirectory, actor } = removing;
  const removed: PartnerRemoval = { users: 0, rows: 0, deliveries: 0, vaultFiles: 0 };
  await recordAudit(database, actor, { partnerId, event: "partner.removal-began", details: {} });
  await inPieces(removing, removed, async () => {
    const { users, rows } = await removeSomeUsers(database, partnerId);
    removed.users += users;
    removed.rows += rows;
    return users > 0;
  });
  await inPieces(removing, removed, async () => {
    const gone = await unlessBackingUp(database, () => removeSomeDeliveries(removing, partnerId, removed));
    if (gone === null) throw new Fault("BACKUP_RUNS", "Nothing is removed while a backup is being made.");
    return gone > 0;
  });
  await inPieces(removing, removed, async () => {
    const rows = await removeSomeOfRest(database, partnerId);
    removed.rows += rows;
    return rows > 0;
  });
  await rm(path.join(landingDirectory, partnerId), { recursive: true, force: true });
  await inTransaction(database, async (transaction) => {
    if (await removePartnerRow(transaction, partnerId))
      await recordAudit(transaction, actor, { partnerId, event: "partner.removed", details: { ...removed } });
  });
  return removed;
}

async function inPieces(
  { onProgress, signal }: Removing,
  removed: PartnerRemoval,
  removeNext: () => Promise<boolean>,
): Promise<void> {
  while (await removeNext()) {
    onProgress?.(removed);
    signal?.throwIfAborted();
  }
}

async function removeSomeDeliveries(
  { database, vault }: Removing,
  partnerId: string,
  removed: PartnerRemoval,
): Promise<number> {
  const deliveries = await findSomeDeliveries(database, partnerId);
  for (const { vaultReference } of deliveries) {
    if (vaultReference === null) continue;
    await vault.remove(vaultReference);
    removed.vaultFiles += 1;
  }
  if (deliveries.length === 0) return 0;
  await removeDeliveries(
    database,
    deliveries.map(({ id }) => id),
  );
  removed.deliveries += deliveries.length;
  return deliveries.length;
}
