/** The next payment of a service is expected by the frequency it was given, or by its usual gap. */
import test from "ava";
import type { Day } from "../../../src/time/calendar.ts";
import { dayFromNumber } from "../../../src/time/calendar.ts";
import type { PaymentFrequency } from "../../../src/interface/payment-frequency.ts";
import { expectNext, likeliestFrequency, withFrequency } from "../../../src/recognition/services/expectation.ts";
import { context, everyDays, monthly, rows, services } from "../payments.ts";

const next = (days: Day[], frequency: PaymentFrequency, asOf: Day = context.asOf): [Day, string] => {
  const { prediction } = expectNext(days, frequency, { ...context, asOf });
  return [dayFromNumber(prediction.nextAt), prediction.status];
};

test("a named frequency is expected by the rule that fits the dates", (t) => {
  t.deepEqual(next(["2026-06-12"], "MONTHLY"), ["2026-07-13", "ACTIVE"], "12 July is a Sunday");
  t.deepEqual(next(["2026-05-20"], "QUARTERLY"), ["2026-08-20", "ACTIVE"]);
  t.deepEqual(next(["2025-01-12", "2025-02-12"], "MONTHLY"), ["2025-03-12", "INACTIVE"]);
  t.deepEqual(expectNext(["2026-04-12", "2026-05-12", "2026-06-12"], "MONTHLY", context).rule, {
    habit: "AS_DUE",
    dueDayOfMonth: 12,
    periodDays: null,
    pausedMonths: [],
    spreadDays: 0,
  });
});

test("a cadence of days has no due day of the month, and four weeks are told as such", (t) => {
  t.like(expectNext(everyDays("2026-05-01", 4, 7), "WEEKLY", context).rule, { dueDayOfMonth: null, periodDays: null });
  t.like(expectNext(everyDays("2026-01-06", 6, 28), "MONTHLY", context).rule, { dueDayOfMonth: null, periodDays: 28 });
});

test("without a frequency the usual gap is expected again, over when two more passed", (t) => {
  const gaps: Day[] = ["2026-01-01", "2026-01-11", "2026-02-20", "2026-03-12"];
  t.deepEqual(next(gaps, "UNKNOWN", "2026-03-20"), ["2026-04-01", "ACTIVE"], "gaps of 10, 20 and 40 days");
  t.deepEqual(next(gaps, "UNKNOWN", "2026-05-11"), ["2026-04-01", "ACTIVE"]);
  t.deepEqual(next(gaps, "UNKNOWN", "2026-05-12"), ["2026-04-01", "INACTIVE"]);
  t.deepEqual(expectNext(gaps, "UNKNOWN", context).rule, {
    habit: null,
    dueDayOfMonth: null,
    periodDays: null,
    pausedMonths: [],
    spreadDays: null,
  });
});

test("one payment of no frequency is expected again after thirty days, payments of one day after a day", (t) => {
  t.deepEqual(next(["2026-06-10"], "UNKNOWN"), ["2026-07-10", "ACTIVE"]);
  t.deepEqual(next(["2026-06-30", "2026-06-30"], "UNKNOWN"), ["2026-07-01", "ACTIVE"]);
});

test("the likeliest frequency is the one whose length is nearest in proportion to the usual gap", (t) => {
  const ofGap = (days: number): PaymentFrequency => likeliestFrequency(everyDays("2025-01-01", 3, days));
  t.deepEqual([1, 7, 14, 30, 60, 91, 182, 365].map(ofGap), [
    "DAILY",
    "WEEKLY",
    "BIWEEKLY",
    "MONTHLY",
    "BIMONTHLY",
    "QUARTERLY",
    "HALFYEARLY",
    "YEARLY",
  ]);
  t.deepEqual(
    [2, 3].map(ofGap),
    ["DAILY", "WEEKLY"],
    "2 is twice 1 and 7 is 3.5 times 2; 3 is three times 1 and 7 is 2.3 times 3",
  );
  t.deepEqual([20, 21].map(ofGap), ["BIWEEKLY", "MONTHLY"]);
  t.is(likeliestFrequency(["2026-06-10"]), "MONTHLY");
  t.is(likeliestFrequency(["2026-06-10", "2026-06-10"]), "DAILY");
});

test("a service with another frequency is told anew in everything that follows from dates, and in nothing else", (t) => {
  const [gym] = services(rows(monthly("2026-01-12", 6), "Sundby Motion", -19_900));
  const yearly = withFrequency(gym!, "YEARLY", context);
  t.like(yearly, { paymentFrequency: "YEARLY", status: "ACTIVE", evidence: { dueDayOfMonth: 12, periodDays: null } });
  t.true(yearly.nextExpectedDay > "2026-12-31");
  const {
    paymentFrequency: _frequency,
    status: _status,
    nextExpectedDay: _next,
    evidence: _evidence,
    ...rest
  } = yearly;
  t.like(gym, rest);
  t.deepEqual([yearly.evidence.logOdds, yearly.evidence.payeeKey], [gym!.evidence.logOdds, "SUNDBY MOTION"]);
});
