/** The score table over judged users. Pure; users are added one by one and nothing of them is kept. */
import { daysBetween } from "../time/calendar.ts";
import { type Slice, slices } from "./labelled.ts";
import type { Detected, JudgedUser, KnownSeries, Verdict } from "./measure.ts";

export type SliceScore = { due: number; found: number; frequencyRight: number };

export type Tally = {
  users: number;
  /** Years of history seen, one a user at most. */
  userYears: number;
  due: number;
  /** Known series that no longer run. */
  ended: number;
  verdicts: Record<Verdict, number>;
  /** Services that are no hits and count, by the frequency that they state. */
  alarms: Record<string, number>;
  frequencyRight: number;
  /** Hits whose next payment is known, and how far off its day was told. */
  dated: number;
  dayExact: number;
  dayWithinThree: number;
  amountWithinFivePercent: number;
  slices: Record<Slice, Record<string, SliceScore>>;
};

export function emptyTally(): Tally {
  return {
    users: 0,
    userYears: 0,
    due: 0,
    ended: 0,
    verdicts: { hit: 0, mixed: 0, duplicate: 0, ended: 0, false: 0, early: 0, unjudged: 0 },
    alarms: {},
    frequencyRight: 0,
    dated: 0,
    dayExact: 0,
    dayWithinThree: 0,
    amountWithinFivePercent: 0,
    slices: Object.fromEntries(slices.map((slice) => [slice, {}])) as Tally["slices"],
  };
}

const alarming: ReadonlySet<Verdict> = new Set(["false", "mixed", "duplicate", "ended"]);

export function addUser(tally: Tally, { user, services, series }: JudgedUser<Detected>): void {
  tally.users++;
  const first = user.history.reduce((day, row) => (row.day < day ? row.day : day), user.asOf);
  tally.userYears += Math.min(365, Math.max(0, daysBetween(first, user.asOf))) / 365;
  for (const { verdict, service } of services) {
    tally.verdicts[verdict]++;
    if (alarming.has(verdict))
      tally.alarms[service.paymentFrequency] = (tally.alarms[service.paymentFrequency] ?? 0) + 1;
  }
  for (const one of series) {
    if (one.isStrict && one.hasEnough && !one.runs) tally.ended++;
    if (!one.isDue) continue;
    tally.due++;
    addToSlices(tally, one);
    if (one.found !== null) addHit(tally, one, one.found);
  }
}

const dayNear = 3;
const amountNear = 0.05;

function addHit(tally: Tally, { label, next }: KnownSeries<Detected>, found: Detected): void {
  if (found.paymentFrequency === label.frequency) tally.frequencyRight++;
  if (next === null) return;
  tally.dated++;
  const off = Math.abs(daysBetween(next.day, found.nextExpectedDay));
  if (off === 0) tally.dayExact++;
  if (off <= dayNear) tally.dayWithinThree++;
  const cost = Math.abs(next.amountMinor);
  if (Math.abs(found.expectedAmountMinor - cost) <= amountNear * cost) tally.amountWithinFivePercent++;
}

function addToSlices(tally: Tally, { label, found }: KnownSeries<Detected>): void {
  for (const slice of slices) {
    const value = label[slice];
    if (value === undefined) continue;
    const score = (tally.slices[slice][value] ??= { due: 0, found: 0, frequencyRight: 0 });
    score.due++;
    if (found === null) continue;
    score.found++;
    if (found.paymentFrequency === label.frequency) score.frequencyRight++;
  }
}

/** Shares from 0 to 1, and alarms a user and year. */
export type Score = {
  precision: number;
  recall: number;
  f1: number;
  frequencyRight: number;
  nextDayExact: number;
  nextDayWithinThree: number;
  nextAmountWithinFivePercent: number;
  falseAlarmsPerUserYear: number;
  endedStillActive: number;
};

export function scoreOf({ verdicts, due, ended, userYears, ...tally }: Tally): Score {
  const wrong = verdicts.false + verdicts.mixed + verdicts.duplicate + verdicts.ended;
  const precision = share(verdicts.hit, verdicts.hit + wrong);
  const recall = share(verdicts.hit, due);
  return {
    precision,
    recall,
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    frequencyRight: share(tally.frequencyRight, verdicts.hit),
    nextDayExact: share(tally.dayExact, tally.dated),
    nextDayWithinThree: share(tally.dayWithinThree, tally.dated),
    nextAmountWithinFivePercent: share(tally.amountWithinFivePercent, tally.dated),
    falseAlarmsPerUserYear: share(verdicts.false + verdicts.mixed, userYears),
    endedStillActive: share(verdicts.ended, ended),
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
