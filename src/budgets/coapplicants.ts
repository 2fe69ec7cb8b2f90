/** Links between the budgets of two applicants. SQL; the caller owns the transaction. */
import type { Queryable, Transaction } from "../database/database.ts";

/** The budget's user; null: the partner has no such budget of a live user. @param budgetId a UUID text */
export async function findApplicant(
  database: Queryable,
  partnerId: string,
  budgetId: string,
): Promise<{ userId: number } | null> {
  const { rows } = await database.query<{ userId: number | null }>(
    // Another user's rows are not to be seen by a caller; whose the budget is, is.
    `select applicant_of($2, $1) as "userId"`,
    [budgetId, partnerId],
  );
  const { userId = null } = rows[0] ?? {};
  return userId === null ? null : { userId };
}

export type Applicant = { budgetId: string; /** Whose the budget is. */ userId: number };

/**
 * The owner's own word, which replaces what he said before and nothing that anybody else did. With requireMirror the
 * other one says the same himself, or nothing comes of it; without, the other budget is linked back where its owner has
 * named nobody, so that its report tells this one's figures. Its own are told by its own owner's call alone.
 */
export async function linkApplicants(
  transaction: Transaction,
  partnerId: string,
  own: Applicant,
  other: Applicant,
  requireMirror: boolean,
): Promise<void> {
  await unlink(transaction, own.budgetId, other.budgetId);
  const links = [{ from: own, to: other, isOwn: true }];
  if (!requireMirror) links.push({ from: other, to: own, isOwn: false });
  await transaction.query(
    `insert into budget_coapplicants (budget_id, other_budget_id, partner_id, user_id, is_own)
     select row.budget_id, row.other_budget_id, $5, row.user_id, row.is_own
       from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::boolean[]) as row (budget_id, other_budget_id, user_id, is_own)
      order by row.budget_id
     on conflict (budget_id) do update
        set other_budget_id = excluded.other_budget_id,
            is_own = true,
            linked_at = now()
      where excluded.is_own`,
    [
      links.map(({ from }) => from.budgetId),
      links.map(({ to }) => to.budgetId),
      links.map(({ from }) => from.userId),
      links.map(({ isOwn }) => isOwn),
      partnerId,
    ],
  );
}

/**
 * Takes back the owner's word, and what it alone put at other budgets; what their owners said stays, and stands for
 * nothing without this one. In one order, so that two calls never wait for each other.
 * @param besides another budget whose link is about to be written; null: none
 */
export async function unlink(transaction: Transaction, budgetId: string, besides: string | null): Promise<void> {
  await transaction.query(
    `with locked as (
       select budget_id
         from budget_coapplicants
        where budget_id = $1
           or budget_id = $2
           or (other_budget_id = $1 and not is_own)
        order by budget_id
          for update
     )
     delete from budget_coapplicants link
      using locked
      where link.budget_id = locked.budget_id
        and ((link.budget_id = $1 and link.is_own) or (link.other_budget_id = $1 and not link.is_own))`,
    [budgetId, besides],
  );
}

/**
 * The budget that speaks for the other applicant, when its own owner has named this one; null without one, or while he
 * has not.
 */
export async function linkedBudget(database: Queryable, budgetId: string): Promise<string | null> {
  const { rows } = await database.query<{ other: string }>(
    `select link.other_budget_id as other
       from budget_coapplicants link
       join budget_coapplicants mirror on mirror.budget_id = link.other_budget_id and mirror.other_budget_id = link.budget_id
      where link.budget_id = $1
        and mirror.is_own`,
    [budgetId],
  );
  return rows[0]?.other ?? null;
}
