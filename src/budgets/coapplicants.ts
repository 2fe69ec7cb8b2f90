/** Links between the budgets of two applicants. SQL; the caller owns the transaction. */
import type { Queryable, Transaction } from "../database.ts";

/** The budget's user; null: the partner has no such budget of a live user. @param budgetId a UUID text */
export async function findApplicant(database: Queryable, partnerId: string, budgetId: string): Promise<{ userId: number } | null> {
  const { rows } = await database.query<{ userId: number }>(
    `select b.user_id as "userId"
       from budgets b
       join users on users.id = b.user_id and users.deleted_at is null
      where b.id = $1
        and b.partner_id = $2`,
    [budgetId, partnerId],
  );
  return rows[0] ?? null;
}

/**
 * Replaces whatever either was linked to. The partner's backend holds the agreement of both, so one call speaks for both;
 * with requireMirror the link stands only when the other budget names this one too.
 */
export async function linkApplicants(transaction: Transaction, partnerId: string, budgetId: string, otherBudgetId: string, requireMirror: boolean): Promise<void> {
  const pairs = requireMirror ? [[budgetId, otherBudgetId]] : [[budgetId, otherBudgetId], [otherBudgetId, budgetId]];
  if (!requireMirror) await unlink(transaction, [budgetId, otherBudgetId]);
  await transaction.query(
    `insert into budget_coapplicants (budget_id, other_budget_id, partner_id, user_id)
     select row.budget_id, row.other_budget_id, $3, budgets.user_id
       from unnest($1::uuid[], $2::uuid[]) as row (budget_id, other_budget_id)
       join budgets on budgets.id = row.budget_id
      order by row.budget_id
     on conflict (budget_id) do update
        set other_budget_id = excluded.other_budget_id,
            linked_at = now()`,
    [pairs.map(([from]) => from), pairs.map(([, to]) => to), partnerId],
  );
}

/** From both sides. In one order, so that two calls never wait for each other. */
export async function unlink(transaction: Transaction, budgetIds: readonly string[]): Promise<void> {
  await transaction.query(
    `with held as (
       select budget_id
         from budget_coapplicants
        where budget_id = any($1::uuid[])
           or other_budget_id = any($1::uuid[])
        order by budget_id
          for update
     )
     delete from budget_coapplicants using held where budget_coapplicants.budget_id = held.budget_id`,
    [budgetIds],
  );
}

/** The budget that speaks for the other applicant; null without one, or while the other has not named this one. */
export async function linkedBudget(database: Queryable, budgetId: string): Promise<string | null> {
  const { rows } = await database.query<{ other: string }>(
    `select link.other_budget_id as other
       from budget_coapplicants link
       join budget_coapplicants mirror on mirror.budget_id = link.other_budget_id and mirror.other_budget_id = link.budget_id
      where link.budget_id = $1`,
    [budgetId],
  );
  return rows[0]?.other ?? null;
}
