/**
 * How old the newest rates are. The European Central Bank publishes on each day on which its settlement system is open,
 * at about 16:00 in Frankfurt. Pure.
 */
import { addDays, type Day, daysBetween, isBankingDay, previousBankingDay } from "../time/calendar.ts";
import { dayIn } from "../time/clock.ts";

/** Its calendar is the one that the euro area's countries without their own follow. */
const publisher = "EU";
export const publisherTimeZone = "Europe/Berlin";
/** An hour late is no reason to ask in vain each time. */
const publishedByHour = 17;
/** A long weekend and a day of trouble pass unnoticed; more must not. */
export const ratesAgeMax = 4;

/** newest: null when there are no rates at all, and then bankingDays is. */
export type RatesAge = { newest: Day | null; bankingDays: number | null; isOld: boolean };

/** @param today the business day where rates are published; its own are not due before the evening */
export function ageOf(newest: Day | null, today: Day): RatesAge {
  const bankingDays = newest === null ? null : bankingDaysBetween(newest, today);
  return { newest, bankingDays, isOld: bankingDays === null || bankingDays > ratesAgeMax };
}

/** The day whose rates should be there by now. */
export function publishedBy(now: Date): Day {
  const today = dayIn(publisherTimeZone, now);
  const hour = Number(
    new Intl.DateTimeFormat("en-GB", { timeZone: publisherTimeZone, hour: "2-digit", hourCycle: "h23" }).format(now),
  );
  return previousBankingDay(hour >= publishedByHour ? today : addDays(today, -1), publisher);
}

/** Banking days after `from` and before `to`. */
function bankingDaysBetween(from: Day, to: Day): number {
  const days = Math.max(0, daysBetween(from, to) - 1);
  return Array.from({ length: days }, (_, at) => addDays(from, at + 1)).filter((day) => isBankingDay(day, publisher))
    .length;
}
