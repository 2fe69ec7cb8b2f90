/**
 * Balances of the window's days: the latest one that was observed, walked back through the account's rows; and whether
 * an earlier observation agrees with the rows between the two. Pure.
 */
import { addDays, addMonths, type Day, daysBetween } from "../../time/calendar.ts";
import { firstDayOf, isDayCovered, type Window } from "../window.ts";
import type { KnownAccount } from "./accounts.ts";
import type { AccountBalance } from "../budget.ts";
import { itemAt } from "../../present.ts";

/** In the brand's currency, on a day of the brand's zone. */
export type ObservedBalance = { day: Day; minor: number };

/** A row of an account in the brand's currency. */
export type Moved = { accountId: string | null; day: Day; minor: number };

/** Of each account that is seen and has a balance. @param observed by account id, oldest first */
export function balancesOf(
  accounts: readonly KnownAccount[],
  observed: ReadonlyMap<string, readonly ObservedBalance[]>,
  moved: readonly Moved[],
  window: Window,
): AccountBalance[] {
  return accounts
    .filter(({ isRemoved }) => !isRemoved)
    .flatMap(({ id, name }) => {
      const known = observed.get(id) ?? [];
      const latest = known.at(-1);
      if (latest === undefined) return [];
      const rows = moved.filter(({ accountId }) => accountId === id);
      return [{ name, ...walked(latest, rows, window), check: checkOf(known, rows) }];
    });
}

function walked(
  latest: ObservedBalance,
  rows: readonly Moved[],
  window: Window,
): Omit<AccountBalance, "name" | "check"> {
  const first = rows.reduce<Day | null>((day, row) => (day === null || row.day < day ? row.day : day), null);
  const closes = closesOf(latest, rows, firstDayOf(window));
  const monthEndsMinor = window.months.map((month): number | null => {
    const end = addDays(addMonths(`${month}-01`, 1), -1);
    return first === null || end < first ? null : (closes.get(end) ?? null);
  });
  const covered = [...closes].filter(([day]) => isDayCovered(window, day) && first !== null && day >= first);
  return {
    observedOn: latest.day,
    observedMinor: latest.minor,
    monthEndsMinor,
    openingMinor: openingOf(latest, rows, window),
    daysBelowZero: covered.filter(([, minor]) => minor < 0).length,
    lowestMinor: covered.reduce((lowest, [, minor]) => Math.min(lowest, minor), latest.minor),
  };
}

/** What the account closed the day before the covered months with. */
function openingOf(latest: ObservedBalance, rows: readonly Moved[], window: Window): number | null {
  const [first] = window.months.slice(window.months.length - window.covered);
  if (first === undefined || window.covered === 0 || `${first}-01` > latest.day) return null;
  const since = rows.filter(({ day }) => day >= `${first}-01` && day <= latest.day);
  return latest.minor - since.reduce((total, { minor }) => total + minor, 0);
}

/** What the account closed each day with, from a day until the observation. */
function closesOf(latest: ObservedBalance, rows: readonly Moved[], from: Day): Map<Day, number> {
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const closes = new Map<Day, number>();
  let minor = latest.minor;
  for (let back = 0; back <= Math.max(0, daysBetween(from, latest.day)); back++) {
    const day = addDays(latest.day, -back);
    closes.set(day, minor);
    minor -= (byDay.get(day) ?? []).reduce((total, row) => total + row.minor, 0);
  }
  return closes;
}

/** Rows of the day of an observation are before it, as a balance told in the evening has them. */
function checkOf(known: readonly ObservedBalance[], rows: readonly Moved[]): AccountBalance["check"] {
  if (known.length < 2) return null;
  const [first, last] = [itemAt(known, 0), itemAt(known, known.length - 1)];
  const between = rows.filter(({ day }) => day > first.day && day <= last.day);
  const seen = between.reduce((total, { minor }) => total + minor, 0);
  return { from: first.day, missingMinor: last.minor - first.minor - seen };
}
