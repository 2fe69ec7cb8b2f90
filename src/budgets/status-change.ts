/** What is kept and told when a budget's status changes. The caller owns the transaction. */
import type { Transaction } from "../database/database.ts";
import type { Origin } from "../interface/notification.ts";
import { writeNotices } from "../notifications/outbox.ts";
import type { BudgetStatus } from "./budget.ts";
import { firstOf } from "../present.ts";

type StatusChange = {
  before: BudgetStatus;
  after: BudgetStatus;
  /** The call that changed it; null: the user's data did. */ origin: Origin | null;
};

/**
 * The row is the notification's subject, so that each change is told once, and a second way back to a status too.
 * @param isNews false: kept, and told to nobody
 */
export async function recordStatusChange(
  transaction: Transaction,
  owner: { userId: number; partnerId: string },
  budgetId: string,
  status: StatusChange,
  isNews = true,
): Promise<void> {
  const { rows } = await transaction.query<{ id: number }>(
    `insert into budget_status_changes (partner_id, user_id, budget_id, status_before, status)
     values ($1, $2, $3, $4, $5)
     returning id`,
    [owner.partnerId, owner.userId, budgetId, status.before, status.after],
  );
  if (!isNews) return;
  const subject = `${budgetId} ${firstOf(rows).id}`;
  await writeNotices(
    transaction,
    [
      {
        userId: owner.userId,
        type: "BUDGET_CHANGED",
        subject,
        content: { budgetId, budgetStatus: status.after },
      },
    ],
    status.origin,
  );
}
