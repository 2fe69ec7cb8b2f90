/** A new budget. The caller owns the transaction. */
import type { Transaction } from "../database/database.ts";
import { markChanged } from "../partners/changed-users.ts";
import type { BudgetEvent } from "./events.ts";
import { foldBudget } from "./fold/fold.ts";
import {
  type ActingOwner,
  appendEvent,
  holdBudget,
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
  const held = await holdBudget(transaction, caller, id, baseUrl);
  if (held === null) throw new Error("a budget has vanished while it was made");
  const logged = await appendEvent(transaction, held, 1, event, caller.actor);
  await writeBudget(transaction, held, null, foldBudget(held.facts, null, [logged]), 1, caller.origin);
}
