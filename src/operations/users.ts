/** What an operator does to a user, from the command line and from the console alike: each with its trace. */
import { eraseUsers } from "../data-subjects/erase.ts";
import { type Database, inTransaction } from "../database/database.ts";
import { recordAudit } from "../partners/audit.ts";
import { claimEntry } from "../partners/changed-users.ts";
import { createUser, deleteUserWithin, type NewUser } from "../partners/users.ts";
import { type Guarded, guarded, lacksApproval } from "./approvals.ts";

/** @returns false: a live user of the partner has this id */
export async function makeUser(database: Database, actor: string, user: NewUser): Promise<boolean> {
  return await inTransaction(database, async (transaction) => {
    const created = await createUser(transaction, user);
    // Not the bank's id: what stands in the trail outlives an erasure.
    const details = { brandId: user.brandId, locale: user.locale };
    if (created) await recordAudit(transaction, actor, { partnerId: user.partnerId, event: "user.created", details });
    return created;
  });
}

type Known = { id: number; partnerId: string };

/** As its partner would: retention erases it when its time comes. @returns false: it was deleted already */
export async function deleteUserFor(database: Database, actor: string, { id, partnerId }: Known): Promise<boolean> {
  return await inTransaction(database, async (transaction) => {
    const deleted = await deleteUserWithin(transaction, id);
    if (deleted) await recordAudit(transaction, actor, { partnerId, event: "user.deleted", details: { userId: id } });
    return deleted;
  });
}

/**
 * Removes every row about a user at once and for good, live or deleted.
 * @param ids its registrations, as findSubjectUsers has them
 */
export async function eraseNow(
  database: Database,
  actor: string,
  { ids, partnerId }: { ids: readonly number[]; partnerId: string },
  approvalId: string | null = null,
): Promise<{ outcome: "erased"; rows: number } | { outcome: "gone" } | Guarded> {
  if (await lacksApproval(database, "erase", { userIds: ids }, approvalId)) return guarded;
  const rows = await inTransaction(database, async (transaction) => {
    // A run of recognition that has one of them writes what it found before this, or finds nobody after it.
    for (const id of ids.toSorted((a, b) => a - b)) await claimEntry(transaction, id);
    for (const id of ids) await deleteUserWithin(transaction, id);
    const removed = await eraseUsers(transaction, ids);
    const details = { userIds: ids, rows: removed };
    if (removed > 0) await recordAudit(transaction, actor, { partnerId, event: "user.erased", details });
    return removed;
  });
  return rows === 0 ? { outcome: "gone" } : { outcome: "erased", rows };
}
