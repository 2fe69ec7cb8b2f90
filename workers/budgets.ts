/**
 * The thread's side of budgets: lock stale ones, read, build one snapshot a user, fold each, store; one transaction a task.
 */
import { buildSnapshot } from "../src/budgets/engine/build-snapshot.ts";
import type { ObservedBalance } from "../src/budgets/engine/balances.ts";
import type { KnownService } from "../src/budgets/engine/parts.ts";
import type { BudgetSnapshot } from "../src/budgets/engine/snapshot.ts";
import { foldBudget } from "../src/budgets/fold/fold.ts";
import {
  areMadeAlike,
  dropUnusedSnapshots,
  type StoredBudget,
  lockStaleBudgets,
  insertSnapshot,
  readLog,
  writeBudget,
} from "../src/budgets/store.ts";
import type { Day } from "../src/time/calendar.ts";
import { inTransaction, type Transaction } from "../src/database/database.ts";
import { readAccounts } from "../src/ledger/accounts.ts";
import { type ObservedBalanceRow, readBalances } from "../src/ledger/balances.ts";
import { parseAmount } from "../src/money.ts";
import { readHistory } from "../src/ledger/history.ts";
import { useCurrentProducts } from "../src/recognition/product-edits.ts";
import { readServiceDocuments } from "../src/recognition/remembered.ts";
import type { Convert } from "../src/rates/rates.ts";
import type { WorkerContext } from "./context.ts";
import { currentConversion } from "./ingest/conversion.ts";
import type { BudgetOutcome, BudgetTask } from "../src/budgets/task.ts";
import { firstOf, present } from "../src/present.ts";

/** Idempotent: a budget that is not stale is left alone. */
export async function refreshStaleBudgets({ database }: WorkerContext, task: BudgetTask): Promise<BudgetOutcome> {
  return await inTransaction(database, async (transaction) => {
    const stale = await lockStaleBudgets(transaction, task.budgetsMax, task.userId ?? null, task.baseUrl);
    const byUser = Map.groupBy(stale, ({ owner }) => owner.userId);
    const userIds = [...byUser.keys()];
    if (userIds.length === 0) return { users: 0, budgets: 0, statusChanges: 0 };
    await useCurrentProducts(database);
    const snapshots = await buildSnapshots(transaction, byUser, task, (await currentConversion(database)).convert);
    let statusChanges = 0;
    for (const [userId, budgets] of byUser)
      statusChanges += await refreshUser(transaction, budgets, present(snapshots.get(userId), "the user's snapshot"));
    await dropUnusedSnapshots(transaction, userIds);
    return { users: userIds.length, budgets: stale.length, statusChanges };
  });
}

async function buildSnapshots(
  transaction: Transaction,
  byUser: ReadonlyMap<number, readonly StoredBudget[]>,
  task: BudgetTask,
  convert: Convert,
): Promise<Map<number, BudgetSnapshot>> {
  const userIds = [...byUser.keys()];
  const histories = await readHistory(transaction, userIds);
  const services = await readServiceDocuments(transaction, userIds);
  const accounts = await readAccounts(transaction, userIds);
  const balances = Map.groupBy(await readBalances(transaction, userIds), ({ userId }) => userId);
  return new Map(
    [...byUser].map(([userId, budgets]) => {
      const { facts, brand } = firstOf(budgets);
      const snapshot = buildSnapshot({
        history: histories.get(userId) ?? [],
        services: services.get(userId) ?? ([] satisfies KnownService[]),
        accounts: accounts.get(userId) ?? [],
        brand: { id: brand.id, country: facts.country, currency: facts.currency },
        asOf: dayOf(brand.timeZone, task),
        baseUrl: task.baseUrl,
        convert,
        balances: balancesOf(balances.get(userId) ?? [], facts.currency),
      });
      return [userId, snapshot] as const;
    }),
  );
}

/** By account, oldest first; an amount that the currency's units cannot tell is none. */
function balancesOf(rows: readonly ObservedBalanceRow[], currency: string): Map<string, ObservedBalance[]> {
  const known = rows.flatMap(({ accountId, day, balance }) => {
    const money = parseAmount(balance, currency);
    return money === null ? [] : [{ accountId, day, minor: money.minor }];
  });
  return Map.groupBy(known, ({ accountId }) => accountId);
}

function dayOf(timeZone: string, { today }: BudgetTask): Day {
  const day = today[timeZone];
  if (day === undefined) throw new Error(`no business day for ${timeZone}`);
  return day;
}

/** @returns how many budgets have another status now. */
async function refreshUser(
  transaction: Transaction,
  budgets: readonly StoredBudget[],
  snapshot: BudgetSnapshot,
): Promise<number> {
  const snapshotId = await insertSnapshot(transaction, firstOf(budgets).owner, snapshot);
  let changed = 0;
  for (const stored of budgets) {
    const log = await readLog(transaction, stored.owner.userId, stored.facts.id);
    // A budget that was completed before anything was known of it: what comes now is another revision.
    const revision = stored.facts.revision > 0 ? stored.facts.revision + 1 : 0;
    const folded = foldBudget({ ...stored.facts, revision }, snapshot, log);
    const isNews =
      stored.snapshotId === null ||
      (await areMadeAlike(transaction, stored.owner.userId, stored.snapshotId, snapshotId));
    await writeBudget(transaction, stored, snapshotId, folded, log.length, null, isNews);
    if (folded.status !== stored.status) changed += 1;
  }
  return changed;
}
