/** The hand-checked household's budget after given events, and what it is held against. */
import type { BudgetEvent } from "../../src/budgets/events.ts";
import { foldBudget } from "../../src/budgets/fold/fold.ts";
import type { UserData } from "../../src/interface/user-data.ts";
import { facts, logOf, snapshotOf, userData } from "./household.ts";
import { handChecked } from "./hand-checked.ts";

export const snapshot = snapshotOf(handChecked);

export const fold = (...events: BudgetEvent[]) => foldBudget(facts, snapshot, logOf(events));

export const alertOf = (budget: ReturnType<typeof fold>, type: string) =>
  budget.alerts.find((alert) => alert.type === type);

export const adjust = (categoryId: string, amountMinor: number): BudgetEvent => ({
  type: "ADJUSTED",
  categoryId,
  amountMinor,
  frequency: "MONTHLY",
});

export const household = (change: (data: UserData) => unknown): UserData => {
  const data = structuredClone(userData);
  change(data);
  return data;
};
