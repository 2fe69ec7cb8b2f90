/** Prices that anybody may ask for or give, and prices that tell who does. */
import { exponentOf } from "../money.ts";
import type { Payment } from "./payment.ts";

/** Whole fives and tens are what people give each other. */
const roundMajorUnits = 5;

export function isRoundPrice({ price, priceCurrency }: Payment): boolean {
  return price % (roundMajorUnits * 10 ** exponentOf(priceCurrency)) === 0;
}

/** Amounts that somebody chooses are whole tens. */
const chosenMajorUnits = 10;
/** So many payments show whether amounts change, and so large a share of them must. */
const chosenPaymentsMin = 3;
const changedShareMin = 0.5;

/** Whether somebody chose each amount anew, by day: as cash is drawn and friends are paid, and nobody collects. */
export function areChosen(payments: readonly Payment[]): boolean {
  if (payments.length < chosenPaymentsMin || !areWholeTens(payments)) return false;
  const changed = payments.filter(({ price }, index) => index > 0 && price !== payments[index - 1]?.price);
  return changed.length >= changedShareMin * (payments.length - 1);
}

export function areWholeTens(payments: readonly Payment[]): boolean {
  return payments.every(
    ({ price, priceCurrency }) => price % (chosenMajorUnits * 10 ** exponentOf(priceCurrency)) === 0,
  );
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
