/** SQL of the table of reports. */
import { abandonedAfterMs, attemptsMax } from "../../config/reports.ts";
import type { Day } from "../time/calendar.ts";
import type { Queryable } from "../database/database.ts";
import { firstOf, present } from "../present.ts";

export type ReportType = "NEXT_OF_KIN";
export type NewReport = { userId: number; partnerId: string; type: ReportType; effectiveDate: Day | null };
/** A report to be made. */
export type ClaimedReport = NewReport & { id: string; attempts: number; timeZone: string };
export type FoundReport =
  | { state: "waiting" | "making" | "failed" }
  | { state: "ready"; type: ReportType; document: Buffer; sha256: string };

/** @returns its id; of a report that waits and says the same, that one's. */
export async function requestReport(
  database: Queryable,
  { userId, partnerId, type, effectiveDate }: NewReport,
): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    `insert into reports (user_id, partner_id, type, effective_date)
     values ($1, $2, $3, $4)
     on conflict (user_id, type, coalesce(effective_date, '-infinity')) where state = 'waiting' and started_at is null do update
        set partner_id = excluded.partner_id
     returning id`,
    [userId, partnerId, type, effectiveDate],
  );
  return firstOf(rows).id;
}

/** Null: the user has none of that id. @param id a UUID text. */
export async function findReport(database: Queryable, userId: number, id: string): Promise<FoundReport | null> {
  const { rows } = await database.query<{
    state: FoundReport["state"];
    type: ReportType;
    document: Buffer | null;
    sha256: string | null;
  }>(
    `select state, type, document, encode(sha256, 'hex') as sha256
       from reports
      where id = $2
        and user_id = $1`,
    [userId, id],
  );
  const [found] = rows;
  if (found === undefined) return null;
  const { state, type, document, sha256 } = found;
  if (state === "ready")
    return { state, type, document: present(document, "a report's document"), sha256: present(sha256, "its digest") };
  return { state };
}

/**
 * Takes the oldest report that waits, or was left in hand by a process that died; several processes take different
 * ones. Those of deleted users wait for their erasure. One that failed is left alone for ten seconds an attempt. Null:
 * none is due.
 */
export async function claimReport(database: Queryable): Promise<ClaimedReport | null> {
  await giveUpAbandoned(database);
  const { rows } = await database.query<ClaimedReport>(
    `with due as (
       select id
         from reports
        where ((state = 'waiting' and (started_at is null or started_at < now() - make_interval(secs => 10 * attempts)))
               or (state = 'making' and started_at < now() - make_interval(secs => $1)))
          and exists (select 1 from users where users.id = reports.user_id and users.deleted_at is null)
        order by requested_at
        limit 1
          for update skip locked
     )
     update reports
        set state = 'making',
            attempts = attempts + 1,
            started_at = now()
       from due, users, brands
      where reports.id = due.id
        and users.id = reports.user_id
        and brands.partner_id = users.partner_id
        and brands.id = users.brand_id
     returning reports.id, reports.user_id as "userId", reports.partner_id as "partnerId", reports.type, reports.effective_date as "effectiveDate",
               reports.attempts, brands.time_zone as "timeZone"`,
    [abandonedAfterMs / 1000],
  );
  return rows[0] ?? null;
}

/** Whether its user was deleted since it was claimed. */
export async function isUserGone(database: Queryable, { userId }: ClaimedReport): Promise<boolean> {
  const { rows } = await database.query("select 1 from users where id = $1 and deleted_at is null", [userId]);
  return rows.length === 0;
}

/** What took its process along on each attempt would do so for ever. */
async function giveUpAbandoned(database: Queryable): Promise<void> {
  await database.query(
    `update reports
        set state = 'failed',
            finished_at = now()
      where state = 'making'
        and attempts >= $1
        and started_at < now() - make_interval(secs => $2)`,
    [attemptsMax, abandonedAfterMs / 1000],
  );
}

/**
 * @param attempt as taken: a report that another process has taken meanwhile is that one's. @returns whether it was
 * written.
 */
export async function finishReport(
  database: Queryable,
  { id, attempts }: ClaimedReport,
  document: Uint8Array,
  sha256: string,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update reports
        set state = 'ready',
            document = $3,
            sha256 = decode($4, 'hex'),
            finished_at = now()
      where id = $1
        and state = 'making'
        and attempts = $2`,
    [id, attempts, document, sha256],
  );
  return rowCount === 1;
}

/** Back to the waiting ones, or failed for good after the last attempt. @returns the state it has now. */
export async function putBack(database: Queryable, { id, attempts }: ClaimedReport): Promise<"waiting" | "failed"> {
  const state = attempts >= attemptsMax ? "failed" : "waiting";
  await database.query(
    `update reports
        set state = $3,
            finished_at = case when $3 = 'failed' then now() end
      where id = $1
        and state = 'making'
        and attempts = $2`,
    [id, attempts, state],
  );
  return state;
}

/** Nothing was wrong with it: it is as if it had never been claimed. */
export async function releaseReport(database: Queryable, { id, attempts }: ClaimedReport): Promise<void> {
  await database.query(
    "update reports set state = 'waiting', attempts = attempts - 1, started_at = '-infinity' where id = $1 and state = 'making' and attempts = $2",
    [id, attempts],
  );
}

/** Documents past their age, and every report of a user who was deleted. @returns how many went. */
export async function removeReports(database: Queryable, before: Date): Promise<number> {
  const { rowCount } = await database.query(
    `delete from reports
      where finished_at < $1
         or exists (select 1 from users where users.id = reports.user_id and users.deleted_at is not null)`,
    [before],
  );
  return rowCount ?? 0;
}
