/** Prices that anybody may ask for or give, and prices that tell who does. */
import { exponentOf } from "../money.ts";
import type { Payment } from "./payment.ts";

/** Whole fives and tens are what people give each other. */
const roundMajorUnits = 5;

export function isRoundPrice({ price, priceCurrency }: Payment): boolean {
  return price % (roundMajorUnits * 10 ** exponentOf(priceCurrency)) === 0;
}

/** Endings of prices that many shops ask for, in hundredths. */
const shopEndings: ReadonlySet<number> = new Set([0, 25, 49, 50, 75, 79, 89, 90, 95, 98, 99]);

/** Whether the price is one that many ask for, so that it tells nobody. */
export function isShopPrice({ price, priceCurrency }: Payment): boolean {
  const unit = 10 ** exponentOf(priceCurrency);
  return shopEndings.has(Math.round(((price % unit) / unit) * 100));
}

/** Of prices below this there are so few that one comes again by chance. */
const oddMajorUnitsMin = 5;

export function isOddPrice(payment: Payment): boolean {
  return payment.price >= oddMajorUnitsMin * 10 ** exponentOf(payment.priceCurrency) && !isShopPrice(payment);
}
