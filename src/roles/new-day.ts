/** What becomes of users' figures when a business day begins for which nothing may have come. */
import { markStale } from "../budgets/store.ts";
import { type Database, inTransaction } from "../database/database.ts";
import { businessDays } from "../partners/business-days.ts";
import { markOutdated } from "../recognition/run.ts";
import { moveDayOn } from "../recognition/store.ts";
import type { Clock } from "../time/clock.ts";

/**
 * Figures that are the same on the new day move on to it as they are; those of others are made again.
 * @param usersMax of either
 */
export async function beginDay(database: Database, clock: Clock, usersMax: number): Promise<void> {
  const today = await businessDays(database, clock);
  await inTransaction(database, async (transaction) =>
    // Budgets look at the day, too.
    markStale(transaction, await moveDayOn(transaction, today, usersMax)),
  );
  await markOutdated(database, clock, usersMax);
}
