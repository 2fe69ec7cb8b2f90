/**
 * Where the next payment of a series falls whose dates scatter. A rule that fits most dates exactly tells the day best;
 * of dates that nobody keeps it tells the commonest one, which lies often at the edge. Here every shift of the due day,
 * every width of the scatter and either way over closed days is weighed by the dates seen, and the day is told that is
 * most often right, or near.
 */
import { bankingDayFrom, isBankingDayNumber } from "../../time/calendar.ts";
import { type Schedule, dueDay, occurrenceNear } from "./schedule.ts";

/** Dates this close to their rule on the average keep to it. */
const spreadDaysMin = 0.25;
/**
 * The due day is looked for this far from the rule's, and payments this far from the due day, before closed days move
 * them.
 */
const shiftDaysMax = 4;
const reachDays = 7;
/**
 * Scatters that people and billing runs have: around a day (standard deviation), or anywhere in a few days (either
 * side).
 */
const aroundDays = [0.6, 1.2, 2, 3];
const withinDays = [1, 2, 3, 4];
/** P(a payment falls anywhere), so that one stray date rules nothing out. */
const anywhere = 0.02;
const elsewhere = 0.0005;
/** The rule's own due day is the likeliest: each day of shift costs so much. */
const logShiftPerDay = -0.15;
/** As in schedule.ts: what is older says less. */
const datesMax = 24;
const ageDecay = 0.95;
/**
 * A day within three of the payment is worth twice what the very day adds to it: that is what a customer needs to know.
 */
export const nearDays = 3;
const nearWorth = 2;

/** Chances of the days from −reachDays to reachDays, and the logs of what falls into runs of days. */
type Noise = { chances: Float64Array; logRuns: Float64Array };

/** One explanation of the dates: the due day moved by `shift`, and scattered before the bank moves it or after. */
type Explanation = { shift: number; noise: Noise; isMoved: boolean };
type Fit = { explanation: Explanation; weight: number };

export type Scatter = {
  schedule: Schedule;
  fits: readonly Fit[];
  /** None of the dates was a closed day, so none will be. */
  keepsBankingDays: boolean;
};

/** Explanations whose weight is less than this share of the best one's change no day. */
const weightMin = 0.001;

/**
 * How the dates (day numbers, ascending) scatter around the rule; null when they keep to it, or only follow each other.
 */
export function scatterOf(schedule: Schedule, dates: readonly number[], country: string): Scatter | null {
  if (schedule.spreadDays < spreadDaysMin || schedule.cadence.days === 1 || schedule.followsLast !== null) return null;
  const direction = directionOf(schedule);
  const seen = dates
    .slice(-datesMax)
    .toReversed()
    .map((date, age) => ({
      ...runEndingOn(date, direction, country),
      from: offset(schedule, date, country),
      weight: ageDecay ** age,
    }));
  const weights = explanations.map((one) => logLikelihood(one, seen) + Math.abs(one.shift) * logShiftPerDay);
  const best = Math.max(...weights);
  const fits: Fit[] = [];
  explanations.forEach((explanation, index) => {
    const weight = Math.exp((weights[index] as number) - best);
    if (weight >= weightMin) fits.push({ explanation, weight });
  });
  return { schedule, keepsBankingDays: seen.every(({ width }) => width > 0), fits };
}

/**
 * The day after `after` that is right, or within three days, most often for an occurrence; null when none is likely.
 */
export function likeliestDay(scatter: Scatter, occurrence: number, after: number, country: string): number | null {
  const { first, chances } = chancesOf(scatter, occurrence, country);
  const later = after < first ? chances : chances.slice().fill(0, 0, Math.min(chances.length, after - first + 1));
  const best = worthiest(later, (at) => !scatter.keepsBankingDays || isBankingDayNumber(first + at, country));
  return best === null ? null : first + best;
}

/** Of the days from `first` on, whatever the day after which one is asked for. */
type Chances = { scatter: Scatter; occurrence: number; first: number; chances: Float64Array };

/** The same is asked for several days in a row. */
let lastTold: Chances | null = null;

function chancesOf(scatter: Scatter, occurrence: number, country: string): Chances {
  if (lastTold?.scatter === scatter && lastTold.occurrence === occurrence) return lastTold;
  const { schedule, fits } = scatter;
  const due = dueDay(schedule, occurrence);
  const direction = directionOf(schedule);
  const moved = new Int32Array(2 * offDaysMax + 1);
  for (let index = 0; index < moved.length; index++)
    moved[index] = bankingDayFrom(due - offDaysMax + index, direction, country);
  const first = Math.min(due - offDaysMax, moved[0] as number) - nearDays;
  const chances = new Float64Array(Math.max(due + offDaysMax, moved[2 * offDaysMax] as number) + nearDays - first + 1);
  for (const {
    explanation: { shift, noise, isMoved },
    weight,
  } of fits) {
    for (let index = 0; index <= 2 * reachDays; index++) {
      const off = shift + index - reachDays;
      const at = (isMoved ? (moved[off + offDaysMax] as number) : due + off) - first;
      chances[at] = (chances[at] as number) + weight * (noise.chances[index] as number);
    }
  }
  return (lastTold = { scatter, occurrence, first, chances });
}

/** A payment lies no further from its due day, before closed days move it. */
const offDaysMax = shiftDaysMax + reachDays;

/** Of days with a chance; nearDays at either end have none. */
function worthiest(chances: Float64Array, mayBeTold: (at: number) => boolean): number | null {
  let best: number | null = null;
  let most = 0;
  for (let at = nearDays; at < chances.length - nearDays; at++) {
    if (chances[at] === 0 || !mayBeTold(at)) continue;
    let worth = chances[at] as number;
    for (let near = at - nearDays; near <= at + nearDays; near++) worth += nearWorth * (chances[near] as number);
    if (worth > most) {
      best = at;
      most = worth;
    }
  }
  return best;
}

function directionOf({ habit }: Schedule): 1 | -1 {
  return habit === "PREVIOUS_WEEKDAY" || habit === "PREVIOUS_BANKING_DAY" ? -1 : 1;
}

/**
 * A date seen: days after its due day, how much it counts, and the days from `first` to `first + width − 1` that the
 * bank books on it.
 */
type Seen = { from: number; weight: number; first: number; width: number };

/** Days, relative to the date, that are booked on it; a width of 0 when nothing is booked on such a day. */
function runEndingOn(date: number, direction: 1 | -1, country: string): { first: number; width: number } {
  if (!isBankingDayNumber(date, country)) return { first: 0, width: 0 };
  let width = 1;
  while (width < runDaysMax && !isBankingDayNumber(date - width * direction, country)) width++;
  return { first: direction === 1 ? 1 - width : 0, width };
}

function offset(schedule: Schedule, date: number, country: string): number {
  return date - dueDay(schedule, occurrenceNear(schedule, date, country));
}

function logLikelihood({ shift, noise, isMoved }: Explanation, seen: readonly Seen[]): number {
  let sum = 0;
  for (const { from, weight, first, width } of seen) {
    const at = from - shift;
    sum += weight * (isMoved ? logRun(noise, at + first, width) : logRun(noise, at, 1));
  }
  return sum;
}

/** Weekends and the holidays around them; longer runs of closed days are cut. */
const runDaysMax = 6;
/** Runs that begin further off have nothing of any noise. */
const runFromMax = reachDays + runDaysMax + 1;

/** Log of the chance that falls into a run of days. */
function logRun({ logRuns }: Noise, first: number, width: number): number {
  const from = Math.max(-runFromMax, Math.min(runFromMax, first));
  return logRuns[(from + runFromMax) * (runDaysMax + 1) + width] as number;
}

function noiseOf(density: (days: number) => number): Noise {
  const days = Array.from({ length: 2 * reachDays + 1 }, (_, index) => index - reachDays);
  const total = days.reduce((sum, day) => sum + density(day), 0);
  const chances = Float64Array.from(days, (day) => ((1 - anywhere) * density(day)) / total + anywhere / days.length);
  const logRuns = Float64Array.from({ length: (2 * runFromMax + 1) * (runDaysMax + 1) }, (_, index) => {
    const first = Math.floor(index / (runDaysMax + 1)) - runFromMax;
    const width = index % (runDaysMax + 1);
    const chance = chances.reduce(
      (sum, one, at) => (at - reachDays >= first && at - reachDays < first + width ? sum + one : sum),
      0,
    );
    return Math.log(chance + elsewhere);
  });
  return { chances, logRuns };
}

const noises: readonly Noise[] = [
  ...aroundDays.map((deviation) => noiseOf((days) => Math.exp(-((days / deviation) ** 2) / 2))),
  ...withinDays.map((either) => noiseOf((days) => (Math.abs(days) <= either ? 1 : 0))),
];

const shifts = Array.from({ length: 2 * shiftDaysMax + 1 }, (_, index) => index - shiftDaysMax);
const explanations: readonly Explanation[] = shifts.flatMap((shift) =>
  noises.flatMap((noise) => [true, false].map((isMoved) => ({ shift, noise, isMoved }))),
);
