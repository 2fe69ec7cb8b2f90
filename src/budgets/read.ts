/**
 * The API's reads of parts of budgets: each one indexed row, its JSON text passed on as it stands. Whole ones:
 * src/api/documents/served.ts.
 */
import type { Queryable } from "../database/database.ts";
import type { UserData } from "../interface/user-data.ts";
import type { Owner } from "./store.ts";

/** document null: nothing is known yet. */
export type Read = { document: string | null };

/** Null: the user has no such budget. document null: it has no such expense. @param expenseId a UUID text */
export async function readExpense(
  database: Queryable,
  owner: Owner,
  budgetId: string,
  expenseId: string,
): Promise<Read | null> {
  const { rows } = await database.query<Read>(
    `select (d.expenses -> $4)::text as document
       from budgets b
       left join budget_documents d on d.budget_id = b.id and d.user_id = b.user_id
      where b.id = $1
        and b.user_id = $2
        and b.partner_id = $3`,
    [budgetId, owner.userId, owner.partnerId, expenseId.toLowerCase()],
  );
  return rows[0] ?? null;
}

/** Null: the user has no such budget. document null: it has no open question. */
export async function readNextQuestion(database: Queryable, owner: Owner, budgetId: string): Promise<Read | null> {
  const { rows } = await database.query<Read>(
    `select (d.questions -> 0)::text as document
       from budgets b
       left join budget_documents d on d.budget_id = b.id and d.user_id = b.user_id
      where b.id = $1
        and b.user_id = $2
        and b.partner_id = $3`,
    [budgetId, owner.userId, owner.partnerId],
  );
  return rows[0] ?? null;
}

/** Null: the user has no such budget. userData null: none was given. */
export async function readGivenUserData(
  database: Queryable,
  owner: Owner,
  budgetId: string,
): Promise<{ userData: UserData | null } | null> {
  const { rows } = await database.query<{ userData: UserData | null }>(
    `select (select event -> 'userData'
               from budget_events e
              where e.budget_id = b.id
                and e.user_id = b.user_id
                and e.type = 'USER_DATA_SET'
              order by sequence desc
              limit 1) as "userData"
       from budgets b
      where b.id = $1
        and b.user_id = $2
        and b.partner_id = $3`,
    [budgetId, owner.userId, owner.partnerId],
  );
  return rows[0] ?? null;
}

const secondsWhileRunning = 2;
const secondsWhileQueued = 10;
const secondsWhileImporting = 60;

/**
 * When to ask again for a budget of which nothing is known yet; null: the user has no such budget. A run holds the rows
 * that it works on.
 */
export async function retryAfterSeconds(database: Queryable, owner: Owner, budgetId: string): Promise<number | null> {
  const { rows } = await database.query<{ known: boolean; imported: boolean; waiting: boolean; free: boolean }>(
    `with free_user as (
       select 1 from changed_users where user_id = $1 for update skip locked
     ),
     free_budget as (
       select 1 from budgets where id = $2 and user_id = $1 and stale_since is not null for update skip locked
     )
     select exists (select 1 from budgets where id = $2 and user_id = $1 and partner_id = $3) as known,
            exists (select 1 from users where id = $1 and import_completed_at is not null) as imported,
            exists (select 1 from changed_users where user_id = $1)
              or exists (select 1 from budgets where id = $2 and user_id = $1 and stale_since is not null) as waiting,
            exists (select 1 from free_user) or exists (select 1 from free_budget) as free`,
    [owner.userId, budgetId, owner.partnerId],
  );
  const found = rows[0];
  if (!found?.known) return null;
  if (!found.imported) return secondsWhileImporting;
  return found.waiting && !found.free ? secondsWhileRunning : secondsWhileQueued;
}
