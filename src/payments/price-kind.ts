/** Prices that anybody may ask for or give, and prices that tell who does. */
import { exponentOf } from "../money.ts";
import type { Payment } from "./payment.ts";

/** Minor units in a major one, by the currency's exponent. */
const unitByExponent = [1, 10, 100, 1_000, 10_000];

/** Minor units in a major one. */
export function unitOf(currency: string): number {
  const exponent = exponentOf(currency);
  return unitByExponent[exponent] ?? 10 ** exponent;
}

/** Whole fives and tens are what people give each other. */
const roundMajorUnits = 5;

export function isRoundPrice({ price, priceCurrency }: Payment): boolean {
  return price % (roundMajorUnits * unitOf(priceCurrency)) === 0;
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
  return payments.every(({ price, priceCurrency }) => price % (chosenMajorUnits * unitOf(priceCurrency)) === 0);
}

/** Endings of prices that many shops ask for, in hundredths. */
const shopEndings: ReadonlySet<number> = new Set([0, 25, 49, 50, 75, 79, 89, 90, 95, 98, 99]);

/** Whether the price is one that many ask for, so that it tells nobody. */
export function isShopPrice({ price, priceCurrency }: Payment): boolean {
  const unit = unitOf(priceCurrency);
  return shopEndings.has(Math.round(((price % unit) / unit) * 100));
}

/** Of prices below this there are so few that one comes again by chance. */
const oddMajorUnitsMin = 5;

export function isOddPrice(payment: Payment): boolean {
  return payment.price >= oddMajorUnitsMin * unitOf(payment.priceCurrency) && !isShopPrice(payment);
}
