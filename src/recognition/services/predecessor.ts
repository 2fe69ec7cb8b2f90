/**
 * One obligation with another counterparty: a new electricity supplier or insurer takes over where the old one ends.
 * Both stay services of their own; the newer one names the older. Pure.
 */
import { daysBetween } from "../../time/calendar.ts";
import { cadenceOf } from "../search/cadence.ts";
import { isFixedExpense, knownCategory } from "./product.ts";
import type { RecognisedService } from "../recognise.ts";
import { firstOf, lastOf } from "../../present.ts";

/** The new one begins so long before the old one's end or a period and so long after it. */
const overlapDaysMax = 31;
const gapDaysMax = 45;
/** Cost a day of the new by that of the old. */
const dailyCostRatioMax = 2;

/**
 * By index of a service the index of the one whose place it took. A service takes the place of one, and of each only
 * one takes it: the nearest in time. Fixed expenses of one budget category alone, of which nobody has two.
 */
export function predecessorsOf(services: readonly RecognisedService[], country: string): Map<number, number> {
  const ended = services.map((service) => (service.status === "INACTIVE" ? kindOf(service, country) : null));
  // Nothing has ended that anything could follow: what the others are need not be told.
  if (ended.every((kind) => kind === null)) return new Map();
  const kinds = services.map((service, at) => ended[at] ?? kindOf(service, country));
  const pairs: { older: number; newer: number; distance: number }[] = [];
  kinds.forEach((kind, newer) => {
    if (kind === null) return;
    kinds.forEach((other, older) => {
      if (other !== kind || older === newer) return;
      const distance = distanceBetween(services[older] as RecognisedService, services[newer] as RecognisedService);
      if (distance !== null) pairs.push({ older, newer, distance });
    });
  });
  pairs.sort((a, b) => a.distance - b.distance || a.newer - b.newer || a.older - b.older);
  const predecessors = new Map<number, number>();
  const taken = new Set<number>();
  for (const { older, newer } of pairs) {
    if (predecessors.has(newer) || taken.has(older)) continue;
    predecessors.set(newer, older);
    taken.add(older);
  }
  return predecessors;
}

/** Only what has a cadence and is a fixed expense has a successor. */
function kindOf(service: RecognisedService, country: string): string | null {
  if (service.direction === "IN" || cadenceOf(service.paymentFrequency) === null) return null;
  const category = knownCategory(service, country);
  return category !== null && isFixedExpense(category.categoryId) ? category.categoryId : null;
}

/** Days between the old one's expected next payment and the new one's first; null where it is no successor. */
function distanceBetween(older: RecognisedService, newer: RecognisedService): number | null {
  if (older.status !== "INACTIVE" || older.evidence.payeeKey === newer.evidence.payeeKey) return null;
  const begin = firstOf(newer.payments).day;
  const sinceLast = daysBetween(lastOf(older.payments).day, begin);
  const sinceDue = daysBetween(older.nextExpectedDay, begin);
  if (sinceLast < -overlapDaysMax || sinceDue > gapDaysMax || firstOf(older.payments).day >= begin) return null;
  const ratio = dailyCost(newer) / dailyCost(older);
  return Math.max(ratio, 1 / ratio) <= dailyCostRatioMax ? Math.abs(sinceDue) : null;
}

function dailyCost({ expectedAmountMinor, paymentFrequency }: RecognisedService): number {
  return expectedAmountMinor / (cadenceOf(paymentFrequency)?.days ?? 1);
}
