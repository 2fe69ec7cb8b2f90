/**
 * The API's reads of what recognition computed: each one indexed row, its JSON text passed on as it stands. Those that
 * apps ask for most find the token's user in the same statement: a call is one round trip. What they cost is the text:
 * fetching, unpacking and sending it; so they are told which versions the asker has, and leave it out for those.
 */
import type { Queryable } from "../database/database.ts";
import type { Caller } from "../partners/users.ts";
import type { Read } from "./stored-document.ts";

export type Visibility = "VISIBLE" | "HIDDEN";

/**
 * A ServiceResponse, none until a run has finished over the complete import; null: no live user. @param versions that
 * need no text
 */
export async function readServices(
  database: Queryable,
  caller: Caller,
  visibility: Visibility,
  versions: readonly string[],
): Promise<Read | null> {
  const { rows } = await database.query<Read>({
    name: "read-services",
    text: `select case when m.import_complete then m.digest end as version,
                  case when m.import_complete and m.digest <> all($4::text[])
                       then (case $3 when 'HIDDEN' then m.services_hidden else m.services_visible end)::text
                  end as document
             from users u
             left join read_models m on m.user_id = u.id
            where u.subject = $2
              and u.partner_id = $1
              and u.deleted_at is null`,
    values: [caller.partnerId, caller.subject, visibility, versions],
  });
  return rows[0] ?? null;
}

/**
 * An IncomeResponse, none until a run has finished over the complete import; isShown: whether the user's brand tells of
 * income; null: no live user. @param versions that need no text
 */
export async function readIncome(
  database: Queryable,
  caller: Caller,
  versions: readonly string[],
): Promise<(Read & { isShown: boolean }) | null> {
  const { rows } = await database.query<Read & { isShown: boolean }>({
    name: "read-income",
    text: `select i.digest as version,
                  case when i.digest <> all($3::text[]) then i.document::text end as document,
                  b.shows_income as "isShown"
             from users u
             join (select partner_id, id, coalesce((features ->> 'budgetIncome')::boolean, true) as shows_income from brands) b
               on b.partner_id = u.partner_id and b.id = u.brand_id
             left join read_models m on m.user_id = u.id and m.import_complete and b.shows_income
             left join income_models i on i.user_id = m.user_id
            where u.subject = $2
              and u.partner_id = $1
              and u.deleted_at is null`,
    values: [caller.partnerId, caller.subject, versions],
  });
  return rows[0] ?? null;
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

/**
 * An array of UpcomingPayment, none until there is something to tell; null: no live user. @param versions that need no
 * text
 */
export async function readUpcoming(
  database: Queryable,
  caller: Caller,
  versions: readonly string[],
): Promise<Read | null> {
  const { rows } = await database.query<Read>({
    name: "read-upcoming",
    text: `select m.digest as version,
                  case when m.digest <> all($3::text[]) then m.upcoming::text end as document
             from users u
             left join read_models m on m.user_id = u.id
            where u.subject = $2
              and u.partner_id = $1
              and u.deleted_at is null`,
    values: [caller.partnerId, caller.subject, versions],
  });
  return rows[0] ?? null;
}
