/**
 * From the log odds that evidence adds up to, to how often that is right. Evidence that is not independent is counted
 * twice in a sum: near even odds it promises too much, far from them it makes no difference. The curve was read off
 * generated populations of six countries whose words and habits the search does not know, and is checked on others
 * (the evaluation report draws it): log odds said, log odds found.
 */
import type { Obligation } from "./obligation.ts";
import { itemAt } from "../../present.ts";

const curve: readonly (readonly [said: number, found: number])[] = [
  [-2, -3],
  [0, -0.8],
  [1, 0],
  [2, 1.2],
  [3, 2.2],
  [4, 2.7],
  [6, 3.8],
  [8, 4.3],
  [12, 5],
  [14, 5.4],
];
/** Two payments half a year or a year apart at one price: rarer by chance than the sum for two payments says. */
const sparsePair = 1.5;
const sparseMonthsMin = 6;

/** Worth a question: two of three are right. */
const askedMin = 0.7;
/** Shown without asking: of the least sure nearly one in twenty is wrong, of most far fewer. */
const visibleMin = 3;
/** Two payments may always be two purchases, unless they lie half a year or more apart. */
const visiblePaymentsMin = 3;
const visiblePaymentsMinSparse = 2;

type Judged = Pick<Obligation, "logOdds" | "payments" | "cadence">;

/** Probability that this is an obligation, 0–1, as often as it is one. */
export function confidenceOf(obligation: Judged): number {
  return 1 / (1 + Math.exp(-calibrated(obligation)));
}

/** What is less likely is not told at all. Two payments at short gaps have no more to show than their odds. */
export function isWorthAsking(obligation: Judged): boolean {
  return obligation.payments.length < paymentsMinOf(obligation) || calibrated(obligation) >= askedMin;
}

export function isSure(obligation: Judged): boolean {
  return calibrated(obligation) >= visibleMin && obligation.payments.length >= paymentsMinOf(obligation);
}

function paymentsMinOf({ cadence }: Judged): number {
  return cadence.months >= sparseMonthsMin ? visiblePaymentsMinSparse : visiblePaymentsMin;
}

function calibrated({ logOdds, payments, cadence }: Judged): number {
  const isSparsePair = cadence.months >= sparseMonthsMin && payments.length === 2;
  return onCurve(logOdds) + (isSparsePair ? sparsePair : 0);
}

/** Between the points in straight lines; level beyond the last. */
function onCurve(said: number): number {
  let [before, found] = itemAt(curve, 0);
  if (said <= before) return found;
  for (const [next, foundNext] of curve) {
    if (said < next) return found + ((said - before) / (next - before)) * (foundNext - found);
    [before, found] = [next, foundNext];
  }
  return found;
}
