/** What a thread is asked about budgets, and what it answers: plain data. */
import type { Day } from "../time/calendar.ts";

/** Make budgets anew whose ledger or services have changed, longest waiting first. */
export type BudgetTask = {
  /** How many at most, in one database transaction. */
  budgetsMax: number;
  /** Only this user's. */
  userId?: number;
  /** The business day in each time zone of a brand. */
  today: Record<string, Day>;
  /** The API's base address, for image addresses. */
  baseUrl: string;
};

export type BudgetOutcome = { users: number; budgets: number; statusChanges: number };
