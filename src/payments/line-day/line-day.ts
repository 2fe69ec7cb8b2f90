/**
 * The day in the line: many banks write into it on which day was bought or collected, and book days later, over a
 * weekend later still. What is charged on each 14th is charged on the 14th, whatever days that is booked on. How a bank
 * writes its days nobody says, so a payee's lines show it: where each of them has a day written in one way, and all of
 * these lie in the week before the booking, they are no numbers that only look like days.
 */
import { chronologically } from "../history.ts";
import { movedPayment, type Payment } from "../payment.ts";
import { dayMonth, findWrittenDays, lagsFound, monthDay } from "./written-days.ts";
import { itemAt, lastOf } from "../../present.ts";

/** In fewer lines some number may look like the day. */
const linesMin = 3;
/** Who is paid more often is a shop, whose days tell nothing. */
const linesMax = 150;

/**
 * The payments on the days that their lines name, by day; the same list where the lines name none, or only those of the
 * bookings. Lines that begin with another word than the latest, as fees and refunds do, stay where they are.
 * @param payments one payee's, by day.
 */
export function byDayInLine(payments: readonly Payment[]): readonly Payment[] {
  if (payments.length < linesMin || payments.length > linesMax) return payments;
  const latest = lastOf(payments);
  // Of most payees the latest line tells that there is nothing to look for.
  let told = daysIn(latest);
  if (told === 0) return payments;
  const [opening = ""] = /^[^\s\d]*/.exec(latest.transaction.description) ?? [];
  const named: Payment[] = [];
  const found: Int8Array[] = [];
  for (const payment of payments) {
    if (!payment.transaction.description.startsWith(opening)) continue;
    told &= daysIn(payment);
    if (told === 0) return payments;
    named.push(payment);
    found.push(lagsFound());
  }
  const way = lowestBit(told);
  const lags = new Map(named.map((payment, index) => [payment, itemAt(found, index)[way] as number]));
  if (named.length < linesMin || [...lags.values()].every((lag) => lag === 0)) return payments;
  const moved = payments.map((payment) => {
    const lag = lags.get(payment) ?? 0;
    return lag === 0 ? payment : movedPayment(payment, payment.at - lag);
  });
  return areMonths(moved, way) ? payments : moved.sort(chronologically);
}

function daysIn({ transaction: { description }, at, monthIndex }: Payment): number {
  return findWrittenDays(description, at, Math.floor(monthIndex / 12));
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** Whether what looks like the day is but the year: 07/26 is no day, but July's bill, and July's alone. */
function areMonths(payments: readonly Payment[], way: number): boolean {
  return (
    (way === dayMonth || way === monthDay) &&
    payments.every(({ dayOfMonth, monthIndex }) => dayOfMonth === Math.floor(monthIndex / 12) % 100)
  );
}
