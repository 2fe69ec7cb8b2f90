/**
 * The year for which something is paid, where lines count it: behind a word, alone, and neither part of a date nor of a
 * reference. What is bought carries no such number; fees, taxes and premiums often do.
 */
import { normaliseText } from "../normalise.ts";
import type { Payment } from "../payment.ts";

/** A word, what may stand between it and the year, and the year in four digits or two. */
const counted = /[A-Z]{2,}(?=[ .:,(/-]{0,3}(20\d\d|\d\d)(?!\d|[./-]\d|,\d\d))/g;
/** Before a month its day, which lies in the days before the booking. */
const dayBefore = /(?<!\d)(\d{1,2})[ .-]{0,2}$/;
const dayBeforeMax = 7;
const monthDaysMin = 28;
/** Words that end alike are one: banks break letters, and write words together. */
const endLengthMin = 4;
/** What is paid for a year is paid in it, or in one beside it. */
const yearsOffMax = 1;
const century = 2_000;

/** isDated: a number that may be its day stands before the word. */
type Counted = { word: string; year: number; isDated: boolean };

/** Whether the lines of two payments in different years count the year behind one word, by as many as have passed. */
export function countsYears(earlier: Payment, later: Payment): boolean {
  const passed = yearOf(later) - yearOf(earlier);
  const told = passed < 1 ? none : yearsIn(later);
  if (told.length === 0) return false;
  const before = yearsIn(earlier);
  return told.some((one) => before.some((other) => goesOn(other, one, passed)));
}

/** A day and a month move on with the bookings as years do. */
function goesOn(before: Counted, after: Counted, passed: number): boolean {
  return after.year - before.year === passed && endAlike(after.word, before.word) && !(before.isDated && after.isDated);
}

function yearOf({ monthIndex }: Payment): number {
  return Math.floor(monthIndex / 12);
}

const none: readonly Counted[] = [];
/** What a line with a year has in it, before its letters are made plain. */
const hint = /[^\d\s][ .:,(/-]{0,3}(?:20)?\d\d(?!\d)/;

function yearsIn(payment: Payment): readonly Counted[] {
  if (!hint.test(payment.transaction.description)) return none;
  const paid = yearOf(payment);
  const line = normaliseText(payment.transaction.description);
  return [...line.matchAll(counted)]
    .map((match): Counted => {
      const [word, year] = match;
      const day = dayBefore.exec(line.slice(0, match.index))?.[1];
      return {
        word,
        year: century + (Number(year) % century),
        isDated: day !== undefined && isDayBefore(Number(day), payment),
      };
    })
    .filter(({ year }) => Math.abs(year - paid) <= yearsOffMax);
}

function isDayBefore(day: number, { dayOfMonth }: Payment): boolean {
  const before = dayOfMonth - day;
  return (before >= 0 ? before : before + monthDaysMin) <= dayBeforeMax;
}

function endAlike(a: string, b: string): boolean {
  if (a === b) return true;
  return Math.min(a.length, b.length) >= endLengthMin && (a.endsWith(b) || b.endsWith(a));
}
