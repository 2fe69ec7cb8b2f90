/**
 * The latest change of a fixed price: a step from one price that stood to another. What was paid for a while beside the
 * price is none: a trial, a single odd payment, arrears. Pure.
 */
import type { Day } from "../../time/calendar.ts";
import type { HistoryTransaction } from "../../payments/payment.ts";
import { itemAt, lastOf } from "../../present.ts";

/** Positive, in minor units of the latest payment's currency; date: of the first payment at the new price. */
export type PriceChange = { from: number; to: number; date: Day };

/** Payments in a row at one price. */
type Level = { first: HistoryTransaction; last: HistoryTransaction; count: number };

/** Smaller steps are rounding, or the rate of a foreign price. */
const stepShareMin = 0.02;
/** Of a hundred real steps of a price two or three are larger; more often it is arrears, or a trial. */
const ratioMax = 2;
/** Paid so often in a row, an amount was the price. */
const standingPaymentsMin = 3;

/** @param payments of a fixed price, oldest first. Null: it never changed, as far as they tell. */
export function priceChangeOf(payments: readonly HistoryTransaction[]): PriceChange | null {
  const { currency } = lastOf(payments);
  const moved = payments.findLastIndex((payment) => payment.currency !== currency);
  const levels = withoutUnsure(withoutArrears(withoutOdd(withoutTrial(levelsOf(payments.slice(moved + 1))))));
  const [before, now] = levels.slice(-2);
  return before === undefined || now === undefined
    ? null
    : { from: costOf(before.last), to: costOf(now.first), date: now.first.day };
}

function levelsOf(payments: readonly HistoryTransaction[]): Level[] {
  return joined(payments.map((payment) => ({ first: payment, last: payment, count: 1 })));
}

/** Neighbours at one price become one. */
function joined(levels: readonly Level[]): Level[] {
  const joint: Level[] = [];
  for (const level of levels) {
    const before = joint.at(-1);
    if (before !== undefined && isOnePrice(before.last, level.first))
      joint[joint.length - 1] = { first: before.first, last: level.last, count: before.count + level.count };
    else joint.push(level);
  }
  return joint;
}

function isOnePrice(earlier: HistoryTransaction, later: HistoryTransaction): boolean {
  if (earlier.originalAmountMinor !== null && earlier.originalAmountMinor === later.originalAmountMinor) return true;
  return Math.abs(costOf(later) - costOf(earlier)) <= stepShareMin * costOf(earlier);
}

function costOf({ amountMinor }: HistoryTransaction): number {
  return Math.abs(amountMinor);
}

/** The first payment is a trial, or for a part of a period, where the next is for more than twice as much. */
function withoutTrial(levels: readonly Level[]): readonly Level[] {
  const [first, next] = levels;
  const isTrial = first?.count === 1 && next !== undefined && costOf(next.first) > ratioMax * costOf(first.last);
  return isTrial ? levels.slice(1) : levels;
}

/** Single payments between payments at one price. */
function withoutOdd(levels: readonly Level[]): Level[] {
  return joined(
    levels.filter(({ count }, at) => {
      const [before, after] = [levels[at - 1], levels[at + 1]];
      return count > 1 || before === undefined || after === undefined || !isOnePrice(before.last, after.first);
    }),
  );
}

/**
 * What was paid for a while at twice the price or more, with the payment that made up the rest: the price is what is
 * paid again and again afterwards.
 */
function withoutArrears(levels: readonly Level[]): Level[] {
  const left: Level[] = [];
  let areArrears = false;
  levels.forEach((level, at) => {
    const isRest = areArrears && level.count === 1 && at < levels.length - 1;
    const after = levels[at + 1];
    areArrears =
      level.count < standingPaymentsMin &&
      after !== undefined &&
      costOf(level.last) >= ratioMax * (1 - stepShareMin) * costOf(after.first);
    if (!areArrears && !isRest) left.push(level);
  });
  return joined(left);
}

/** Whether so large a step was one, its next payment will tell. */
function withoutUnsure(levels: readonly Level[]): readonly Level[] {
  if (levels.length < 2) return levels;
  const [before, now] = [itemAt(levels, levels.length - 2), lastOf(levels)];
  const ratio = costOf(now.first) / costOf(before.last);
  return now.count === 1 && Math.max(ratio, 1 / ratio) >= ratioMax * (1 - stepShareMin) ? levels.slice(0, -1) : levels;
}
