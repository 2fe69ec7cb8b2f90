/** A new budget. The caller owns the transaction. */
import type { Transaction } from "../database/database.ts";
import { markChanged } from "../partners/changed-users.ts";
import type { BudgetEvent } from "./events.ts";
import { foldBudget } from "./fold/fold.ts";
import {
  type ActingOwner,
  appendEvent,
  lockBudget,
  insertBudget,
  readinessOf,
  type Owner,
  writeBudget,
} from "./store.ts";

/**
 * Where the user's import is complete and nothing has been made of it yet, a run may be under way that does not see the
 * new budget: the mark waits for it and has another run follow, which does.
 */
export async function insertNewBudget(
  transaction: Transaction,
  owner: Owner,
  id: string,
  createdTime: string,
): Promise<void> {
  if ((await readinessOf(transaction, owner.userId)) === "IMPORTED") await markChanged(transaction, [owner.userId]);
  await insertBudget(transaction, owner, id, createdTime);
}

/** Something done at the creation itself. */
export async function appendFirst(
  transaction: Transaction,
  caller: ActingOwner,
  id: string,
  baseUrl: string,
  event: BudgetEvent,
): Promise<void> {
  const stored = await lockBudget(transaction, caller, id, baseUrl);
  if (stored === null) throw new Error("a budget has vanished while it was made");
  const logged = await appendEvent(transaction, stored, 1, event, caller.actor);
  await writeBudget(transaction, stored, null, foldBudget(stored.facts, null, [logged]), 1, caller.origin);
}
