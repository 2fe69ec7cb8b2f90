/**
 * IMPORT_COMPLETED: a marker takes effect only when every delivery that its partner had accepted up to the marker's own
 * is finished, however jobs overtook each other. Records that are about to be read again are not finished; those that
 * wait for an account whose user nobody has named are nobody's, and hold nothing up.
 */
import type { Clock } from "../time/clock.ts";
import { type Database, inTransaction, type Transaction } from "../database/database.ts";
import { type DueUser, applyDueMarkers } from "../deliveries/import-markers.ts";
import type { Events } from "../events.ts";
import { markSettled } from "../partners/changed-users.ts";
import { completeImport } from "../partners/users.ts";

type Completing = { database: Database; events: Events; clock: Clock };

/** Applies the markers of one partner that are due. Idempotent. */
export async function completeImports(completing: Completing, partnerId: string): Promise<void> {
  const users = await inTransaction(completing.database, async (transaction) => {
    const due = await applyDueMarkers(transaction, partnerId);
    await complete(transaction, completing.clock, due);
    return due.length;
  });
  if (users > 0) completing.events.emit("import.completed", { users, reason: "marker" });
}

/**
 * Applies what is due of every partner. A load applies its own markers when it ends; this makes up for a process that
 * died between the load's commit and that.
 */
export async function resumeImports(completing: Completing): Promise<void> {
  const { rows } = await completing.database.query<{ partnerId: string }>(
    `select distinct users.partner_id as "partnerId"
       from import_markers as marker
       join users on users.id = marker.user_id
      where marker.applied_at is null`,
  );
  for (const { partnerId } of rows) await completeImports(completing, partnerId);
}

/** Completes the import of users for whom no marker came within the configured time after their last record. */
export async function assumeImports(completing: Completing, afterHours: number): Promise<void> {
  const users = await inTransaction(completing.database, async (transaction) => {
    const due = await lockSilentUsers(transaction, afterHours);
    await complete(transaction, completing.clock, due);
    return due.length;
  });
  if (users > 0) completing.events.emit("import.completed", { users, reason: "assumed" });
}

/** At most this many a round, so that one transaction stays short. */
const silentUsersMax = 5000;

async function lockSilentUsers(transaction: Transaction, afterHours: number): Promise<DueUser[]> {
  const { rows } = await transaction.query<DueUser>(
    `select users.id as "userId", brands.time_zone as "timeZone"
       from users
       join brands on brands.partner_id = users.partner_id and brands.id = users.brand_id
      where users.deleted_at is null
        and users.import_completed_at is null
        and users.last_loaded_at < now() - make_interval(hours => $1)
        and not exists (
          select 1 from import_markers as marker where marker.user_id = users.id and marker.applied_at is null
        )
      order by users.id
      limit $2
        for update of users skip locked`,
    [afterHours, silentUsersMax],
  );
  return rows;
}

async function complete(transaction: Transaction, clock: Clock, due: readonly DueUser[]): Promise<void> {
  if (due.length === 0) return;
  const userIds = due.map((user) => user.userId);
  const days = due.map((user) => clock.today(user.timeZone));
  await completeImport(transaction, userIds, days);
  // All that was sent before is loaded, and the user waits to see something at all.
  await markSettled(transaction, userIds);
}
