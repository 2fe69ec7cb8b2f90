/**
 * Two clocks. Real time serves tokens, logs, retention and delivery. The business clock says which day it is for
 * the figures; `--as-of DATE` starts it at that day and lets it tick, so that old data can be replayed.
 */
import type { Day } from "./calendar.ts";

export type Clock = {
  /** Real time. */
  now(): Date;
  /** The business day in an IANA time zone, such as Europe/Copenhagen. */
  today(timeZone: string): Day;
};

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The calendar day on which an instant falls in a time zone. */
export function dayIn(timeZone: string, instant: Date): Day {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    // sv-SE prints ISO 8601 days.
    formatter = new Intl.DateTimeFormat("sv-SE", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
    formatters.set(timeZone, formatter);
  }
  return formatter.format(instant);
}

/**
 * A clock whose business day is real, or starts at `asOf` at the moment `startedAt` and changes with each
 * midnight that passes in the asked zone since then.
 */
export function createClock(asOf?: Day, startedAt: Date = new Date(), now: () => Date = () => new Date()): Clock {
  if (asOf === undefined) return { now, today: (timeZone) => dayIn(timeZone, now()) };
  return {
    now,
    today(timeZone) {
      const midnights = (Date.parse(dayIn(timeZone, now())) - Date.parse(dayIn(timeZone, startedAt))) / 86_400_000;
      return new Date(Date.parse(asOf) + midnights * 86_400_000).toISOString().slice(0, 10);
    },
  };
}
