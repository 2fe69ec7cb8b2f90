/**
 * Amounts and names of a user are masked until somebody shows them, for a while and with a reason. What opens them is the
 * trail itself: nothing is shown that does not stand in it.
 */
import type { Queryable } from "../../database/database.ts";
import { type AuditEvent, recordAudit } from "../../partners/audit.ts";

export const shownMinutes = 15;
export const masked = "••••••";
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

/** Whose amounts and names this account sees now. */
export async function shownUserIds(database: Queryable, actor: string): Promise<ReadonlySet<unknown>> {
  const { rows } = await database.query<{ userId: unknown }>(
    `select "userId"
       from (select distinct on (partner_id, details -> 'userId') details -> 'userId' as "userId", event
               from audit_events
              where at > now() - make_interval(mins => $2)
                and actor = $1
                and event in ('user.shown', 'user.hidden')
              order by partner_id, details -> 'userId', id desc) as latest
      where event = 'user.shown'`,
    [actor, shownMinutes],
  );
  return new Set(rows.map(({ userId }) => userId));
}

/** What the trail tells of a user's money. */
const ofMoney: ReadonlySet<string> = new Set(["payee", "category", "amount", "from", "to"]);

/** The events with what they tell of users' money masked, but of whom it is shown to the account. */
export function maskMoney<Event extends Pick<AuditEvent, "event" | "details">>(
  events: readonly Event[],
  shownIds: ReadonlySet<unknown>,
): Event[] {
  return events.map((one) => {
    if (one.event !== "https.changed" || one.details.userId === undefined || shownIds.has(one.details.userId))
      return one;
    const details = Object.entries(one.details).map(([name, value]) => [name, ofMoney.has(name) ? masked : value]);
    return { ...one, details: Object.fromEntries(details) as AuditEvent["details"] };
  });
}
