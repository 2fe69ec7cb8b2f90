/** What a run of payments says about its price. */
import { isSamePrice } from "./chain.ts";
import type { Payment } from "../../payments/payment.ts";
import { itemAt } from "../../present.ts";

/** Prices that repeat at least this often are fixed, with steps; else the bill follows use. */
const fixedPriceShare = 0.5;
/** Older prices say nothing about today's tariff. */
const pricesMax = 8;

/** Whether the price is fixed (changing by steps) or follows use. One payment counts as fixed. */
export function hasFixedPrice(payments: readonly Payment[]): boolean {
  const recent = payments.slice(-pricesMax);
  if (recent.length < 2) return true;
  let same = 0;
  for (let index = 1; index < recent.length; index++)
    if (isSamePrice(itemAt(recent, index - 1), itemAt(recent, index))) same++;
  return same >= fixedPriceShare * (recent.length - 1);
}
