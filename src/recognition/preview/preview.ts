/**
 * Recognition as this program would do it, over users in the database, beside what is in force: services, read models,
 * notifications and the list of changed users stay as they are.
 */
import { type Database, inTransaction, type Transaction } from "../../database/database.ts";
import type { Service } from "../../interface/services.ts";
import { businessDays } from "../../partners/business-days.ts";
import type { Convert } from "../../rates/rates.ts";
import type { Day } from "../../time/calendar.ts";
import type { Clock } from "../../time/clock.ts";
import { present } from "../../present.ts";
import { assess } from "../assess.ts";
import { readWhole } from "../past/past.ts";
import { readRemembered } from "../remembered.ts";
import { useCurrentProducts } from "../product-edits.ts";
import { type ClaimedUser, readUsers, wasMadeByEarlier } from "../claimed.ts";
import { countUsersOf, finishRun, keepFound, nextUsers, type Run } from "./runs.ts";

export type Previewing = {
  database: Database;
  clock: Clock;
  /** The API's base address, for image addresses. */
  baseUrl: string;
  convert: Convert;
};

/** Histories in memory at a time, and what a run that is broken off does again. */
const usersPerTransaction = 20;

/**
 * Goes on where the run was broken off. @param shouldStop is asked between transactions.
 * @param onProgress of all users of the run. @returns whether it came to its end.
 */
export async function preview(
  previewing: Previewing,
  run: Run,
  shouldStop: () => boolean,
  onProgress: (users: number, total: number) => void,
): Promise<boolean> {
  const { database, clock } = previewing;
  const today = run.asOf === null ? await businessDays(database, clock) : null;
  const total = await countUsersOf(database, run);
  let reached = run;
  for (;;) {
    onProgress(reached.users, Math.max(total, reached.users));
    if (shouldStop()) return false;
    const userIds = await nextUsers(database, reached, usersPerTransaction);
    if (userIds.length === 0) break;
    await inTransaction(database, async (transaction) => {
      const found = await foundOf(transaction, userIds, previewing, run, today);
      await keepFound(transaction, run, userIds, found);
    });
    reached = { ...reached, lastUserId: Math.max(...userIds), users: reached.users + userIds.length };
  }
  await finishRun(database, run);
  return true;
}

async function foundOf(
  transaction: Transaction,
  userIds: readonly number[],
  { baseUrl, convert }: Previewing,
  run: Run,
  today: Record<string, Day> | null,
): Promise<{ userId: number; service: Service }[]> {
  // One state of everything: a run that is in force may write meanwhile.
  await transaction.query("set transaction isolation level repeatable read");
  await useCurrentProducts(transaction);
  const users = await readUsers(transaction, userIds);
  const pasts = await readWhole(transaction, userIds);
  const remembered = await readRemembered(transaction, userIds);
  return users.flatMap((user) => {
    const day = today === null ? run.asOf : today[user.timeZone];
    const { history } = present(pasts.get(user.id), "a user's past");
    const known = present(remembered.get(user.id), "what is remembered of a user");
    const one = withPercents(user, run);
    // What others made is no news, as it will be none when this is put in force.
    const arrived = wasMadeByEarlier(one) ? new Set<string>() : null;
    const context = { today: present(day, `a business day for ${user.timeZone}`), baseUrl, convert, arrived };
    return assess(one, history, known, context).found.map((service) => ({
      userId: user.id,
      service,
    }));
  });
}

/** The run's own thresholds before those that the brand sets, in force or not. */
function withPercents(user: ClaimedUser, run: Run): ClaimedUser {
  const askedPercent = run.askedPercent ?? user.percentsSet.askedPercent;
  const visiblePercent = run.visiblePercent ?? user.percentsSet.visiblePercent;
  return { ...user, percents: { askedPercent, visiblePercent } };
}
