/** Due days that may explain dates: those seen, and those from which closed days may have moved them. */
import { daysInMonth, partsFromNumber } from "../../time/calendar.ts";
import type { Cadence } from "./cadence.ts";
import { lastOf } from "../../present.ts";

/** Rules worth trying: due days near those seen, in the phase of the dates. */
export function anchors(dates: readonly number[], cadence: Cadence): { anchor: number; phase: number }[] {
  const last = lastOf(dates);
  if (cadence.months === 0) {
    const reach = Math.min(cadence.toleranceDays, Math.floor(cadence.days / 2));
    return range(-reach, reach).map((shift) => ({ anchor: last + shift, phase: 0 }));
  }
  const phases = phasesNear(last, cadence.months);
  return dueDaysSeen(dates).flatMap((anchor) => phases.map((phase) => ({ anchor, phase })));
}

/** The due month of the last date is its own or, where it was moved over a month's end, a neighbour. */
function phasesNear(date: number, months: number): number[] {
  const { year, month } = partsFromNumber(date);
  const own = year * 12 + month - 1;
  return months === 1 ? [own] : [own, own - 1, own + 1];
}

const dueDayReach = 3;

/** Days of the month seen and those just around them, month ends standing for 29–31 as well; the latest days first. */
function dueDaysSeen(dates: readonly number[]): number[] {
  seen.fill(0);
  for (const date of dates) {
    const { year, month, dayOfMonth } = partsFromNumber(date);
    const length = daysInMonth(year, month);
    for (let shift = -dueDayReach; shift <= dueDayReach; shift++)
      seen[((dayOfMonth - 1 + shift + length) % length) + 1] = 1;
    if (dayOfMonth >= length - dueDayReach || dayOfMonth <= dueDayReach) seen.fill(1, 29, 32);
  }
  const days: number[] = [];
  for (let day = seen.length - 1; day >= 1; day--) if (seen[day] === 1) days.push(day);
  return days;
}

const seen = new Uint8Array(32);

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
