/** What is told of a service beside its next payment follows from its payments, to the day asked for. */
import test from "ava";
import type { Day } from "../../../src/time/calendar.ts";
import type { HistoryTransaction, RecognisedService } from "../../../src/recognition/recognise.ts";
import { factsOf, paymentsPerYear } from "../../../src/recognition/services/facts.ts";
import { everyDays, monthly, row, rows, services } from "../payments.ts";

const service = (history: readonly HistoryTransaction[], asOf?: Day): RecognisedService => services(history, asOf)[0]!;
const gym = service(rows(monthly("2026-01-12", 6), "Sundby Motion", -19_900));
/** Monthly payments to the gym with these costs, the last one on 12 June. */
const gymAt = (...minors: number[]): RecognisedService =>
  service(
    monthly("2025-01-12", 18)
      .slice(-minors.length)
      .map((day, index) => row(day, "Sundby Motion", -minors[index]!)),
  );
const facts = (one: RecognisedService, asOf: Day = "2026-06-30") => factsOf(one, asOf);

test("first and last payment, the last amount and the confidence are told as they were recognised", (t) => {
  t.deepEqual(facts(gym), {
    periodDays: 30.4,
    confidence: gym.confidence,
    firstPaymentDate: "2026-01-12",
    lastPaymentDate: "2026-06-12",
    lastAmountMinor: 19_900,
    amountRange: { low: 19_900, median: 19_900, high: 19_900 },
    priceChange: null,
    endsOn: null,
    remainingPayments: null,
    isOverdue: false,
  });
  t.true(facts({ ...gym, isOverdue: true }).isOverdue);
});

test("a period is told in days to the tenth, by what is kept in place of a day of the month where that is days", (t) => {
  const period = (frequency: RecognisedService["paymentFrequency"]) =>
    facts({ ...gym, paymentFrequency: frequency }).periodDays;
  t.deepEqual(
    (["DAILY", "WEEKLY", "BIWEEKLY", "BIMONTHLY", "QUARTERLY", "HALFYEARLY", "YEARLY", "UNKNOWN"] as const).map(period),
    [1, 7, 14, 60.9, 91.3, 182.6, 365.3, null],
  );
  t.is(facts(service(rows(everyDays("2026-01-06", 6, 28), "Sundby Motion", -10_000))).periodDays, 28);
});

test("the range is that of the 365 days to the day asked for, of two in the middle the mean", (t) => {
  const bills = gymAt(90_000, 41_000, 32_000, 43_001, 34_000);
  t.deepEqual(facts(bills).amountRange, { low: 32_000, median: 41_000, high: 90_000 });
  t.deepEqual(
    facts(bills, "2027-02-12").amountRange,
    { low: 32_000, median: 37_500, high: 43_001 },
    "from 13 February on",
  );
  t.deepEqual(facts(bills, "2027-06-11").amountRange, { low: 34_000, median: 34_000, high: 34_000 });
  t.is(facts(bills, "2027-06-12").amountRange, null);
});

test("the latest step of a fixed price is told with its day", (t) => {
  t.deepEqual(facts(gymAt(9_900, 9_900, 10_900, 10_900, 11_900, 11_900)).priceChange, {
    from: 10_900,
    to: 11_900,
    date: "2026-05-12",
  });
  t.deepEqual(facts(gymAt(11_900, 11_900, 11_900, 9_900)).priceChange, { from: 11_900, to: 9_900, date: "2026-06-12" });
});

test("a step of two per cent or less is rounding, and bills that follow use have no step", (t) => {
  t.is(facts(gymAt(10_000, 10_000, 10_200, 10_200)).priceChange, null);
  t.like(facts(gymAt(10_000, 10_000, 10_201, 10_201)), { priceChange: { from: 10_000, to: 10_201 } });
  t.is(facts(gymAt(41_000, 32_000, 43_001, 34_000, 39_500)).priceChange, null);
});

test("a foreign price that stays has no step, whatever its rate does, nor has a price in another currency", (t) => {
  const rates = [6_500, 6_500, 6_900, 6_900];
  const abroad = monthly("2026-03-12", 4).map((day, index) =>
    row(day, "Cloudbase", -rates[index]!, { originalAmountMinor: -900, originalCurrency: "USD" }),
  );
  t.is(facts(service(abroad)).priceChange, null);
  const moved = {
    ...gym,
    payments: gym.payments.map((payment, index) => ({
      ...payment,
      currency: index < 3 ? "EUR" : "DKK",
      amountMinor: index < 3 ? -2_600 : -19_900,
    })),
  };
  t.is(facts(moved).priceChange, null);
});

test("of instalments their end and how many are left are told", (t) => {
  t.like(facts({ ...gym, instalments: { remaining: 3, endsOn: "2026-09-12" } }), {
    endsOn: "2026-09-12",
    remainingPayments: 3,
  });
});

test("a year has as many payments as periods, less the months of pause", (t) => {
  const perYear = (more: Partial<RecognisedService>) => paymentsPerYear({ ...gym, ...more });
  t.deepEqual(
    (["WEEKLY", "MONTHLY", "BIMONTHLY", "QUARTERLY", "HALFYEARLY", "YEARLY", "UNKNOWN"] as const).map((frequency) =>
      perYear({ paymentFrequency: frequency }),
    ),
    [365.25 / 7, 12, 6, 4, 2, 1, null],
  );
  t.is(perYear({ evidence: { ...gym.evidence, pausedMonths: [7, 8] } }), 10);
  t.is(perYear({ evidence: { ...gym.evidence, periodDays: 28 } }), 365.25 / 28);
});

test("of instalments no more are due than are left", (t) => {
  const left = (remaining: number) => paymentsPerYear({ ...gym, instalments: { remaining, endsOn: "2026-09-12" } });
  t.deepEqual([left(0), left(3), left(12), left(20)], [0, 3, 12, 12]);
});
