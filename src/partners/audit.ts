/**
 * The audit trail: who changed what about a partner, who came through a door and what was done there, and when. Rows
 * are only ever added, and chained (audit-chain.ts); retention removes what the doors wrote when its age is over.
 */
import { userInfo } from "node:os";
import { commitsQuickly, type Queryable } from "../database/database.ts";

export type AuditEntry = {
  partnerId: string | null;
  /** What happened, past tense, such as "partner.login-key-added". */
  event: string;
  /** Ids, names and fingerprints; never a secret. */
  details: Readonly<Record<string, unknown>>;
};

/** The caller owns the transaction: the change and its trace are committed together. */
export async function recordAudit(database: Queryable, actor: string, entry: AuditEntry): Promise<void> {
  await database.query(
    `insert into audit_events (partner_id, actor, event, details)
     values ($1, $2, $3, $4)`,
    [entry.partnerId, actor, entry.event, detailsText(entry)],
  );
}

/** An entry that is written some time after it happened. */
export type TimedAudit = { at: Date; actor: string; entry: AuditEntry };

/**
 * Several in one statement of its own transaction, in the order in which they are given.
 * @param isDurable false: a power cut may take them
 */
export async function recordAuditGroup(
  database: Queryable,
  group: readonly TimedAudit[],
  isDurable = true,
): Promise<void> {
  await database.query(
    `insert into audit_events (at, partner_id, actor, event, details)
     select *
       from unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::jsonb[])
      where case when $6 then true else ${commitsQuickly} end`,
    [
      group.map((one) => one.at),
      group.map((one) => one.entry.partnerId),
      group.map((one) => one.actor),
      group.map((one) => one.entry.event),
      group.map((one) => detailsText(one.entry)),
      isDurable,
    ],
  );
}

/**
 * JSON as PostgreSQL takes it: a stranger's path may hold NUL or half a surrogate pair, and stands there with signs for
 * them.
 */
function detailsText({ details }: AuditEntry): string {
  return JSON.stringify(details, (_key, value: unknown) =>
    typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\u2400") : value,
  );
}

export type AuditFilter = {
  partnerId: string | null;
  since: Date | null;
  until: Date | null;
  /** The event's name, or the beginning of it up to a dot: "sftp" or "sftp.login-refused". */
  event: string | null;
  sessionId: string | null;
};

export type AuditEvent = AuditEntry & { id: number; at: Date; actor: string };

/** The latest ones that pass the filter, in the order in which they happened. */
export async function listAudit(database: Queryable, filter: AuditFilter, limit: number): Promise<AuditEvent[]> {
  const { rows } = await database.query<AuditEvent>(
    `select id, at, partner_id as "partnerId", actor, event, details
       from audit_events
      where ($1::text is null or partner_id = $1)
        and ($2::timestamptz is null or at >= $2)
        and ($3::timestamptz is null or at < $3)
        and ($4::text is null or event = $4 or starts_with(event, $4 || '.'))
        and ($5::text is null or details->>'sessionId' = $5)
      order by id desc
      limit $6`,
    [filter.partnerId, filter.since, filter.until, filter.event, filter.sessionId, limit],
  );
  return rows.toReversed();
}

export type AuditSearch = Omit<AuditFilter, "sessionId"> & {
  /** Of which partners anything is found, and then nothing that is of none; null: of all. */
  partnerIds: readonly string[] | null;
  /** The whole name. */
  actor: string | null;
};

/** Newest first. @param before the id of the last one of the page before; null: the first page */
export async function searchAudit(
  database: Queryable,
  search: AuditSearch,
  limit: number,
  before: number | null,
): Promise<AuditEvent[]> {
  const { rows } = await database.query<AuditEvent>(
    `select id, at, partner_id as "partnerId", actor, event, details
       from audit_events
      where ($1::text[] is null or partner_id = any($1))
        and ($2::text is null or partner_id = $2)
        and ($3::text is null or event = $3 or starts_with(event, $3 || '.'))
        and ($4::text is null or actor = $4)
        and ($5::timestamptz is null or at >= $5)
        and ($6::timestamptz is null or at < $6)
        and ($7::bigint is null or id < $7)
      order by id desc
      limit $8`,
    [search.partnerIds, search.partnerId, search.event, search.actor, search.since, search.until, before, limit],
  );
  return rows;
}

/** What was done to one delivery, oldest first. */
export async function listAuditOfDelivery(
  database: Queryable,
  partnerId: string,
  deliveryId: string,
  limit: number,
): Promise<AuditEvent[]> {
  const { rows } = await database.query<AuditEvent>(
    `select id, at, partner_id as "partnerId", actor, event, details
       from audit_events
      where (details -> 'deliveryId') is not null
        and details ->> 'deliveryId' = $2
        and partner_id = $1
      order by id
      limit $3`,
    [partnerId, deliveryId, limit],
  );
  return rows;
}

/** Names of which each has an index by partner: found without reading all that a partner's doors wrote. */
export type IndexedEvent = "partner.settings-changed" | "sftp.login-refused" | "https.refusals";

/** Of one partner and of one kind, newest first. */
export async function listAuditOfPartner(
  database: Queryable,
  partnerId: string,
  event: IndexedEvent,
  limit: number,
): Promise<AuditEvent[]> {
  const { rows } = await database.query<AuditEvent>(
    // The name as text of the statement: an index of part of a table is not used for a parameter.
    `select id, at, partner_id as "partnerId", actor, event, details
       from audit_events
      where partner_id = $1
        and event = '${event}'
      order by id desc
      limit $2`,
    [partnerId, limit],
  );
  return rows;
}

/** At least as many as there are: numbers of writes that failed are left out. */
export async function countAuditAtMost(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ n: number }>("select coalesce(max(id), 0) as n from audit_events");
  return rows[0]?.n ?? 0;
}

/** What doors write of callers; changes of partners stay. */
export const doorEvents = ["sftp.", "https."] as const;

/** How many events of the doors are from before an instant. */
export async function countDoorEvents(database: Queryable, before: Date): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*) as n from audit_events
      where at < $1 and (${doorEvents.map((name) => `starts_with(event, '${name}')`).join(" or ")})`,
    [before],
  );
  return rows[0]?.n ?? 0;
}

/** Whoever runs a command, by the account on this machine. */
export function commandLineActor(): string {
  return `cli:${userInfo().username}`;
}
