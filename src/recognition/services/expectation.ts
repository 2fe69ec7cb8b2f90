/**
 * A service whose payments somebody named rather than found: when the next payment of a given or guessed frequency
 * falls.
 */
import { type Day, dayFromNumber, dayNumber } from "../../time/calendar.ts";
import { cadences, cadenceOf } from "../search/cadence.ts";
import type { Holding } from "../holding.ts";
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";
import { type Prediction, predict } from "../search/predict.ts";
import type { Evidence, RecognisedService } from "./recognised.ts";
import type { RecognitionContext } from "../recognise.ts";
import { dueOf, fitSchedule } from "../search/schedule.ts";
import { itemAt, lastOf } from "../../present.ts";

export type Expectation = {
  frequency: PaymentFrequency;
  prediction: Prediction;
  rule: Pick<Evidence, "habit" | "dueDayOfMonth" | "periodDays" | "pausedMonths" | "spreadDays">;
};

/** Without a second payment nothing tells the gap; most things recur within a month. */
const gapDaysUntold = 30;
/** Sporadic payments are over when nothing came for this many of their usual gaps (services.md, "Status machine"). */
const gapsUntilInactive = 2;

/** @param days of the payments, ascending, at least one. */
export function expectNext(
  days: readonly Day[],
  frequency: PaymentFrequency,
  { asOf, country, holding }: RecognitionContext,
): Expectation {
  const dates = days.map(dayNumber);
  const cadence = cadenceOf(frequency);
  if (cadence === null)
    return {
      frequency,
      prediction: afterUsualGap(dates, dayNumber(asOf), holding),
      rule: { habit: null, dueDayOfMonth: null, periodDays: null, pausedMonths: [], spreadDays: null },
    };
  const schedule = fitSchedule(dates, cadence, country);
  const rule = {
    habit: schedule.habit,
    ...dueOf(schedule),
    pausedMonths: schedule.pausedMonths,
    spreadDays: schedule.spreadDays,
  };
  return { frequency, prediction: predict(schedule, dates, dayNumber(asOf), country, holding), rule };
}

/** The cadence whose length is nearest to the usual gap, in proportion; monthly where there is no gap to look at. */
export function likeliestFrequency(days: readonly Day[]): PaymentFrequency {
  const gap = usualGapDays(days.map(dayNumber));
  if (gap === null) return "MONTHLY";
  const distance = (cadenceDays: number): number => Math.abs(Math.log(cadenceDays / gap));
  return cadences.reduce((nearest, one) => (distance(one.days) < distance(nearest.days) ? one : nearest)).frequency;
}

/** The service with another frequency: everything that follows from dates is told anew. */
export function withFrequency(
  service: RecognisedService,
  frequency: PaymentFrequency,
  context: RecognitionContext,
): RecognisedService {
  const { prediction, rule } = expectNext(
    service.payments.map(({ day }) => day),
    frequency,
    context,
  );
  return {
    ...service,
    paymentFrequency: frequency,
    status: prediction.status,
    isOverdue: prediction.isOverdue,
    nextExpectedDay: dayFromNumber(prediction.nextAt),
    evidence: { ...service.evidence, ...rule },
  };
}

function afterUsualGap(dates: readonly number[], asOfAt: number, holding?: Holding): Prediction {
  const gap = usualGapDays(dates) ?? gapDaysUntold;
  const nextAt = lastOf(dates) + gap;
  const overAt = nextAt + gapsUntilInactive * gap + 1;
  const isOver = asOfAt >= overAt;
  if (!isOver) holding?.changesAt(asOfAt > nextAt ? overAt : nextAt + 1);
  return { nextAt, status: isOver ? "INACTIVE" : "ACTIVE", isOverdue: !isOver && asOfAt > nextAt };
}

/** Median of the gaps, at least a day; null for a single payment. */
function usualGapDays(dates: readonly number[]): number | null {
  const gaps = dates
    .slice(1)
    .map((at, index) => at - itemAt(dates, index))
    .sort((a, b) => a - b);
  return gaps.length === 0 ? null : Math.max(1, itemAt(gaps, gaps.length >> 1));
}
