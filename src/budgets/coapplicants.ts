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
 * Replaces whatever either was linked to. The partner's backend holds the agreement of both, so one call speaks for
 * both; with requireMirror the link stands only when the other budget names this one too.
 */
export async function linkApplicants(
  transaction: Transaction,
  partnerId: string,
  own: Applicant,
  other: Applicant,
  requireMirror: boolean,
): Promise<void> {
  const links = requireMirror
    ? [{ from: own, to: other }]
    : [
        { from: own, to: other },
        { from: other, to: own },
      ];
  if (!requireMirror) await unlink(transaction, [own.budgetId, other.budgetId]);
  await transaction.query(
    `insert into budget_coapplicants (budget_id, other_budget_id, partner_id, user_id)
     select row.budget_id, row.other_budget_id, $4, row.user_id
       from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as row (budget_id, other_budget_id, user_id)
      order by row.budget_id
     on conflict (budget_id) do update
        set other_budget_id = excluded.other_budget_id,
            linked_at = now()`,
    [
      links.map(({ from }) => from.budgetId),
      links.map(({ to }) => to.budgetId),
      links.map(({ from }) => from.userId),
      partnerId,
    ],
  );
}

/** From both sides. In one order, so that two calls never wait for each other. */
export async function unlink(transaction: Transaction, budgetIds: readonly string[]): Promise<void> {
  await transaction.query(
    `with locked as (
       select budget_id
         from budget_coapplicants
        where budget_id = any($1::uuid[])
           or other_budget_id = any($1::uuid[])
        order by budget_id
          for update
     )
     delete from budget_coapplicants using locked where budget_coapplicants.budget_id = locked.budget_id`,
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
