/**
 * Amounts and names of a user are masked until somebody shows them, for a while and with a reason. What opens them is the
 * trail itself: nothing is shown that does not stand in it.
 */
import type { Queryable } from "../../database/database.ts";
import { recordAudit } from "../../partners/audit.ts";

export const shownMinutes = 15;
const [shown, hidden] = ["user.shown", "user.hidden"];

export type UserRef = { id: number; partnerId: string };

export async function showUser(database: Queryable, actor: string, user: UserRef, reason: string): Promise<void> {
  const details = { userId: user.id, reason, minutes: shownMinutes };
  await recordAudit(database, actor, { partnerId: user.partnerId, event: shown, details });
}

export async function hideUser(database: Queryable, actor: string, user: UserRef): Promise<void> {
  await recordAudit(database, actor, { partnerId: user.partnerId, event: hidden, details: { userId: user.id } });
}

/** Until when this account sees the user's amounts and names; null: it does not. */
export async function shownUntil(database: Queryable, actor: string, user: UserRef): Promise<Date | null> {
  const { rows } = await database.query<{ event: string; until: Date }>(
    `select event, at + make_interval(mins => $5) as until
       from audit_events
      where at > now() - make_interval(mins => $5)
        and actor = $1
        and partner_id = $2
        and event in ('user.shown', 'user.hidden')
        and details -> 'userId' = to_jsonb($3::bigint)
      order by id desc
      limit $4`,
    [actor, user.partnerId, user.id, 1, shownMinutes],
  );
  const [latest] = rows;
  return latest?.event === shown ? latest.until : null;
}
