/** Putting users on the list of those to recognise, for an operator who wants their figures made anew. */
import type { Queryable } from "../database/database.ts";

export type Marked = { users: number; at: Date };

/** @param bankUserId null: all users of the partner. @param partnerId null: of every partner. */
export async function markForRecognition(
  database: Queryable,
  partnerId: string | null,
  bankUserId: string | null,
): Promise<Marked> {
  const { rows } = await database.query<Marked>(
    `with marked as (
       insert into changed_users (user_id, touched_at)
       -- As if untouched for long: nothing more is to be waited for.
       select id, now() - interval '1 day'
         from users
        where deleted_at is null
          and ($1::text is null or partner_id = $1)
          and ($2::text is null or bank_user_id = $2)
        order by id
       on conflict (user_id) do update set touched_at = excluded.touched_at
       returning user_id
     )
     select count(*) as users, now() as at from marked`,
    [partnerId, bankUserId],
  );
  const [marked] = rows;
  if (!marked) throw new Error("a count has no row");
  return marked;
}

/** How many users are still on the list since `at` or longer. */
export async function countMarked(database: Queryable, at: Date): Promise<number> {
  const { rows } = await database.query<{ waiting: number }>(
    "select count(*) as waiting from changed_users where since <= $1",
    [at],
  );
  return rows[0]?.waiting ?? 0;
}
