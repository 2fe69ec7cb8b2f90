/** The odds that payments of nothing gather, and so what a run of as many must have more than them. */

/**
 * What is nothing gathers odds with its payments too, for a while: by the log of their number, against three. Where it
 * comes every week or two less can be gathered either way.
 */
const oddsByChance = 2.7;
const oddsByChanceMax = 2.6;
const oddsByChanceMaxOften = 2;
export const oftenDaysMax = 14;
const paymentsUsual = 3;
/**
 * Where dates are months apart, that while ends: what is nothing has come off its day, or changed its price, within a
 * year or so.
 */
const paymentsShowing = 9;
const shownPerPayment = 0.3;
const shownMax = 1.4;

/** The odds that so many payments of nothing gather, as long as they are taken for something. */
export function byChance(count: number, isOften: boolean): number {
  const gathered = oddsByChance * Math.log(count / paymentsUsual);
  if (isOften) return Math.min(oddsByChanceMaxOften, gathered);
  const shown = Math.min(shownMax, Math.max(0, count - paymentsShowing) * shownPerPayment);
  return Math.min(oddsByChanceMax, gathered) - shown;
}

/** Said of so many payments, somewhat more than these odds are rather right than wrong. */
const logOddsEven = 0.6;

/** The odds from which on so many payments are asked about. */
export function oddsToAsk(count: number): number {
  return byChance(count, false) + logOddsEven;
}
