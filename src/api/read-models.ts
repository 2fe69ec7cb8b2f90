/** The API's reads of what recognition computed: each one indexed row, its JSON text passed on as it stands. */
import type { Queryable } from "../database.ts";

export type Visibility = "VISIBLE" | "HIDDEN";

/** A ServiceResponse as JSON text; null until a run has finished over the complete import. */
export async function readServices(database: Queryable, userId: number, visibility: Visibility): Promise<string | null> {
  const { rows } = await database.query<{ document: string }>(
    `select (case $2 when 'HIDDEN' then services_hidden else services_visible end)::text as document
       from read_models
      where user_id = $1
        and import_complete`,
    [userId, visibility],
  );
  return rows[0]?.document ?? null;
}

/** A Service as JSON text; null when the user has none of that id. @param serviceId a UUID text. */
export async function readService(database: Queryable, userId: number, serviceId: string): Promise<string | null> {
  const { rows } = await database.query<{ document: string }>(
    `select document::text as document
       from services
      where id = $2
        and user_id = $1
        and document is not null`,
    [userId, serviceId],
  );
  return rows[0]?.document ?? null;
}

/** An array of UpcomingPayment as JSON text; empty until there is something to tell. */
export async function readUpcoming(database: Queryable, userId: number): Promise<string> {
  const { rows } = await database.query<{ document: string }>("select upcoming::text as document from read_models where user_id = $1", [userId]);
  return rows[0]?.document ?? "[]";
}

/**
 * Stores the user's own decision, which outlives every later run, and marks the user's figures as out of date, both in
 * one statement. The mark comes first: a run that has the user in hand is waited for before anything of it is locked.
 * @returns false when the user has no such service.
 */
export async function decideHidden(database: Queryable, userId: number, serviceId: string, hidden: boolean): Promise<boolean> {
  const { rowCount } = await database.query(
    `with marked as (
       insert into changed_users (user_id)
       select user_id
         from services
        where id = $2
          and user_id = $1
          and document is not null
       on conflict (user_id) do update set touched_at = now()
       returning user_id
     )
     update services
        set hidden = $3,
            hidden_decided_at = now()
       from marked
      where services.id = $2
        and services.user_id = marked.user_id`,
    [userId, serviceId, hidden],
  );
  return rowCount === 1;
}
