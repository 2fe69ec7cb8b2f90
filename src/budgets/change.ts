/** One thing done to a budget: the event, the fold over it and what is served are committed together. */
import { type Database, inTransaction, type Transaction } from "../database/database.ts";
import type { FoldedBudget } from "./budget.ts";
import type { BudgetSnapshot } from "./engine/snapshot.ts";
import type { BudgetEvent, LoggedEvent } from "./events.ts";
import { foldBudget } from "./fold/fold.ts";
import {
  type ActingOwner,
  appendEvent,
  type StoredBudget,
  lockBudget,
  readLog,
  readSnapshot,
  writeBudget,
} from "./store.ts";
import { rulesVersion } from "./version.ts";

/** A budget as it stands, and as it would stand with other events. */
export type BudgetInHand = {
  stored: StoredBudget;
  snapshot: BudgetSnapshot | null;
  log: readonly LoggedEvent[];
  /** Folds it again with these events instead of its own. */
  foldOf(log: readonly LoggedEvent[]): FoldedBudget;
};

/** The event, or null when nothing is to be done. Throws to refuse: then nothing is done. */
export type Decide = (
  budget: BudgetInHand,
  transaction: Transaction,
) => BudgetEvent | null | Promise<BudgetEvent | null>;

/** Null: the user has no such budget. @returns the budget after the change. */
export async function changeBudget(
  database: Database,
  caller: ActingOwner,
  budgetId: string,
  baseUrl: string,
  decide: Decide,
): Promise<FoldedBudget | null> {
  return await inTransaction(database, async (transaction) => {
    const stored = await lockBudget(transaction, caller, budgetId, baseUrl);
    if (stored === null) return null;
    const snapshot = await readSnapshot(transaction, caller.userId, stored.snapshotId);
    const log = await readLog(transaction, caller.userId, budgetId);
    const foldOf = (events: readonly LoggedEvent[]): FoldedBudget => foldBudget(stored.facts, snapshot, events);
    const event = await decide({ stored, snapshot, log, foldOf }, transaction);
    return event === null ? foldOf(log) : await append(transaction, stored, snapshot, log, event, caller);
  });
}

async function append(
  transaction: Transaction,
  stored: StoredBudget,
  snapshot: BudgetSnapshot | null,
  log: readonly LoggedEvent[],
  event: BudgetEvent,
  { actor, origin }: ActingOwner,
): Promise<FoldedBudget> {
  const logged = await appendEvent(transaction, stored, log.length + 1, event, actor);
  const isCompleted = stored.facts.revision > 0 || event.type === "COMPLETED";
  const facts = { ...stored.facts, revision: isCompleted ? stored.facts.revision + 1 : 0 };
  const folded = foldBudget(facts, snapshot, [...log, logged]);
  // Newer rules may fold the same events to another status, which is none of the event's doing.
  const isOfRules = snapshot !== null && snapshot.rulesVersion !== rulesVersion;
  const isNews = !isOfRules || foldBudget(stored.facts, snapshot, log).status !== folded.status;
  await writeBudget(transaction, stored, stored.snapshotId, folded, logged.sequence, origin, isNews);
  return folded;
}
