/** Budgets of one user as an operator looks at them. */
import type { BudgetDocument } from "../interface/budgets.ts";
import type { Queryable } from "../database/database.ts";

export type BudgetLine = {
  id: string;
  status: "DRAFT" | "READY" | "ACCEPTED" | "DENIED";
  createdAt: Date;
  /** The ledger or the services know more than its figures. */
  isBehind: boolean;
  questions: number;
};

/** document null: it has no figures yet. */
export type BudgetOverview = BudgetLine & { currency: string; document: BudgetDocument | null };

const lineOf = `budgets.id, status, budgets.created_at as "createdAt", stale_since is not null as "isBehind",
            coalesce(json_array_length(shown.questions), 0) as questions`;

/** Newest first. */
export async function listBudgets(database: Queryable, userId: number): Promise<BudgetLine[]> {
  const { rows } = await database.query<BudgetLine>(
    `select ${lineOf}
       from budgets
       left join budget_documents shown on shown.budget_id = budgets.id
      where budgets.user_id = $1
      order by budgets.created_at desc, budgets.id`,
    [userId],
  );
  return rows;
}

/** Null: the user has no such budget. @param budgetId a UUID text */
export async function readBudgetOverview(
  database: Queryable,
  userId: number,
  budgetId: string,
): Promise<BudgetOverview | null> {
  const { rows } = await database.query<BudgetOverview>(
    `select ${lineOf}, brands.currency,
            -- There are figures once there are details.
            case when shown.details is not null then shown.document end as document
       from budgets
       join users on users.id = budgets.user_id
       join brands on brands.partner_id = users.partner_id and brands.id = users.brand_id
       left join budget_documents shown on shown.budget_id = budgets.id
      where budgets.id = $2
        and budgets.user_id = $1`,
    [userId, budgetId],
  );
  return rows[0] ?? null;
}
