/** What two payments half a year or a year apart show at a payee who sells many things under one name. */
import type { Chain } from "../chain.ts";
import { isSamePrice, medianOf } from "../price.ts";
import type { Payment } from "../../../payments/payment.ts";
import { isOddPrice } from "../../../payments/price-kind.ts";
import { firstOf, itemAt } from "../../../present.ts";

/** Of all that is bought under one name, some two purchases at a usual price lie a year apart by chance. */
const logSparseInCrowd = -1.5;
const sparseMonthsMin = 6;

/** But of an odd or a high price that was paid just twice hardly any two payments lie a year apart to the day. */
const logRarePriceInCrowd = 1;
const highPriceTimes = 2;
const yearDays = 365;
const sameDayReach = 3;

/** What costs more than all else there is not bought in passing. */
export function sparseInCrowd({ indices, cadence }: Chain, payments: readonly Payment[]): number {
  if (cadence.months < sparseMonthsMin) return 0;
  const run = new Set(indices);
  const first = itemAt(payments, firstOf(indices));
  const { cost } = first;
  if (isRarePrice(first, indices.length, payments) && areYearsApart(indices.map((at) => itemAt(payments, at))))
    return logRarePriceInCrowd * (indices.length - 1);
  return payments.some((other, index) => !run.has(index) && other.cost >= cost) ? logSparseInCrowd : 0;
}

/** Whether no other payment has the price, and it is odd, or high for that payee, or came more than twice. */
function isRarePrice(payment: Payment, count: number, payments: readonly Payment[]): boolean {
  if (payments.filter((one) => isSamePrice(one, payment)).length !== count) return false;
  return (
    count > 2 || isOddPrice(payment) || payment.cost >= highPriceTimes * medianOf(payments.map(({ cost }) => cost))
  );
}

function areYearsApart(run: readonly Payment[]): boolean {
  return run.every((payment, at) => {
    const before = at === 0 ? null : itemAt(run, at - 1);
    if (before === null) return true;
    return isSamePrice(payment, before) && Math.abs(payment.at - before.at - yearDays) <= sameDayReach;
  });
}
