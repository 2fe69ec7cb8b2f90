/** Keeping budgets in step with the ledger: stale ones are taken in bulk, made anew in a thread and stored there. */
import type { BudgetOutcome, BudgetTask } from "./task.ts";
import type { Clock } from "../time/clock.ts";
import { type Database, isDatabaseAway } from "../database/database.ts";
import type { Events } from "../events.ts";
import { isAnyStale, putOff } from "./store.ts";
import { businessDays } from "../partners/business-days.ts";

export type Refreshing = {
  database: Database;
  clock: Clock;
  events: Events;
  baseUrl: string;
  refreshBudgets(task: BudgetTask): Promise<BudgetOutcome>;
};

/** Budgets in one transaction: whoever changes one of them waits until all are done. */
const budgetsPerTransactionMax = 10;
/** A user has a few; more than this are finished by the rounds. */
const budgetsPerUserMax = 50;
/** As long as a fault of the program stands, more tries find it again. */
const putOffMinutes = 60;

/** Refreshes stale budgets until none is left. `shouldStop` is asked between transactions. @returns how many. */
export async function refreshStale(refreshing: Refreshing, shouldStop: () => boolean = () => false): Promise<number> {
  let total = 0;
  // Asked here first: a thread that is told of nothing gives its memory back.
  while (!shouldStop() && (await isAnyStale(refreshing.database))) {
    const budgets = await refreshNext(refreshing);
    total += budgets;
    if (budgets === 0) break;
  }
  return total;
}

/** One user's budgets now; when it returns, reads tell the new state. */
export async function refreshBudgetsOf(refreshing: Refreshing, userId: number): Promise<void> {
  await runTask(refreshing, { budgetsMax: budgetsPerUserMax, userId });
}

/**
 * In bulk, and when that fails user by user, so that one history that nobody foresaw holds up nobody else's budgets.
 */
async function refreshNext(refreshing: Refreshing): Promise<number> {
  try {
    return (await runTask(refreshing, { budgetsMax: budgetsPerTransactionMax })).budgets;
  } catch (error) {
    if (endsRun(error)) throw error;
    const counts = await refreshOneByOne(refreshing);
    if (counts.putOff === 0) throw error;
    return counts.refreshed + counts.putOff;
  }
}

function endsRun(error: unknown): boolean {
  return isDatabaseAway(error) || (error instanceof Error && error.name === "Stopping");
}

async function refreshOneByOne(refreshing: Refreshing): Promise<{ refreshed: number; putOff: number }> {
  const counts = { refreshed: 0, putOff: 0 };
  for (const userId of await findWaiting(refreshing.database)) {
    try {
      await refreshBudgetsOf(refreshing, userId);
      counts.refreshed += 1;
    } catch (error) {
      if (endsRun(error)) throw error;
      await putOff(refreshing.database, userId, putOffMinutes);
      counts.putOff += 1;
    }
  }
  return counts;
}

async function findWaiting(database: Database): Promise<number[]> {
  const { rows } = await database.query<{ userId: number }>(
    `select user_id as "userId"
       from budgets
      where stale_since <= now()
      order by stale_since
      limit $1`,
    [budgetsPerTransactionMax],
  );
  return [...new Set(rows.map((row) => row.userId))];
}

async function runTask(
  refreshing: Refreshing,
  task: Pick<BudgetTask, "budgetsMax" | "userId">,
): Promise<BudgetOutcome> {
  const startedAt = performance.now();
  const today = await businessDays(refreshing.database, refreshing.clock);
  try {
    const outcome = await refreshing.refreshBudgets({ ...task, today, baseUrl: refreshing.baseUrl });
    if (outcome.budgets > 0)
      refreshing.events.emit("budgets.refreshed", { ...outcome, durationMs: performance.now() - startedAt });
    return outcome;
  } catch (error) {
    refreshing.events.emit("budgets.failed", { error });
    throw error;
  }
}
