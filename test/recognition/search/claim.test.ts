/** A payment near a due date that was missed is claimed by its series, and no other is. */
import test from "ava";
import { type Day, dayFromNumber } from "../../../src/time/calendar.ts";
import { claimDue, introductoryPayment, paidOccurrences } from "../../../src/recognition/search/claim.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import { occurrenceNear, postingDay } from "../../../src/recognition/search/schedule.ts";
import type { Series } from "../../../src/recognition/search/series.ts";
import { at, costsOf, daysOf, paid, paidAmounts, runOf } from "../obligations.ts";
import { everyDays, monthly } from "../payments.ts";

/** Due on the 12th, at DKK 199, from January to June. */
const gym = runOf(paid(monthly("2026-01-12", 6), 19_900));
const claimed = (run: Series, free: readonly Payment[]): string[] =>
  daysOf(claimDue(run, run.schedule, free, "DK").payments);
const added = (run: Series, free: readonly Payment[]): string[] => {
  const before = new Set(daysOf(run.payments));
  return claimed(run, free).filter((day) => !before.has(day));
};

test("a payment on a due date that was missed is claimed, by day among the others", (t) => {
  const gap = runOf(paid(["2026-01-12", "2026-02-12", "2026-04-13", "2026-05-12"], 19_900));
  t.deepEqual(claimed(gap, paid(["2026-03-12"], 20_900)), [
    "2026-01-12",
    "2026-02-12",
    "2026-03-12",
    "2026-04-13",
    "2026-05-12",
  ]);
});

test("with nothing free, or nothing due, the series stays the very same", (t) => {
  t.is(claimDue(gym, gym.schedule, [], "DK"), gym);
  t.is(claimDue(gym, gym.schedule, paid(["2026-03-25"], 19_900), "DK"), gym);
});

test("a due date that is paid claims nothing more", (t) => {
  t.deepEqual(added(gym, paid(["2026-03-13"], 19_900)), []);
});

test("payments before the first and after the last one are claimed, over as many misses as the cadence allows", (t) => {
  t.deepEqual(added(gym, paid(["2025-11-12", "2025-12-12", "2026-07-12", "2026-08-12"], 19_900)), [
    "2025-11-12",
    "2025-12-12",
    "2026-07-12",
    "2026-08-12",
  ]);
  t.deepEqual(
    added(gym, paid(["2025-09-12", "2026-10-12"], 19_900)),
    ["2025-09-12", "2026-10-12"],
    "three due dates without a payment",
  );
  t.deepEqual(added(gym, paid(["2025-08-12", "2026-11-12"], 19_900)), [], "four");
  t.deepEqual(
    added(gym, paid(["2026-10-12", "2027-02-12"], 19_900)),
    ["2026-10-12", "2027-02-12"],
    "each payment begins the count anew",
  );
});

test("a due date claims up to six days off, and no further", (t) => {
  t.deepEqual(added(gym, paid(["2026-07-18"], 19_900)), ["2026-07-18"]);
  t.deepEqual(added(gym, paid(["2026-07-19"], 19_900)), []);
  t.deepEqual(added(gym, paid(["2026-07-06"], 19_900)), ["2026-07-06"]);
  t.deepEqual(added(gym, paid(["2026-07-05"], 19_900)), []);
});

test("of several payments the nearest to the due date is claimed, and it alone", (t) => {
  t.deepEqual(added(gym, paid(["2026-07-08", "2026-07-14", "2026-07-17"], 19_900)), ["2026-07-14"]);
});

test("one payment is claimed by one due date only", (t) => {
  const weekly = runOf(paid(everyDays("2026-01-05", 6, 7), 5_000), "WEEKLY");
  // Four days after 9 February and three before 16 February.
  t.deepEqual(added(weekly, paid(["2026-02-13"], 5_000)), ["2026-02-13"]);
  t.is(claimed(weekly, paid(["2026-02-13"], 5_000)).length, 7);
});

test("a fixed price may step by half, a bill by use to two and a half times", (t) => {
  t.deepEqual(added(gym, paid(["2026-07-12"], 29_600)), ["2026-07-12"]);
  t.deepEqual(added(gym, paid(["2026-07-12"], 29_800)), []);
  t.deepEqual(added(gym, paid(["2026-07-12"], 13_400)), ["2026-07-12"]);
  t.deepEqual(added(gym, paid(["2026-07-12"], 13_300)), []);
  const bills = runOf(paidAmounts(monthly("2026-01-12", 4), [20_000, 24_000, 21_000, 20_000]));
  t.deepEqual(added(bills, paid(["2026-05-12"], 49_100)), ["2026-05-12"]);
  t.deepEqual(added(bills, paid(["2026-05-12"], 49_300)), []);
});

test("the price is compared with the first one and the latest, whichever is nearer", (t) => {
  const risen = runOf(paidAmounts(monthly("2026-01-12", 6), [10_000, 10_000, 10_000, 20_000, 20_000, 20_000]));
  t.deepEqual(added(risen, paid(["2026-07-12"], 11_000)), ["2026-07-12"]);
  t.deepEqual(added(risen, paid(["2026-07-12"], 24_000)), ["2026-07-12"]);
  t.deepEqual(added(risen, paid(["2026-07-12"], 31_000)), []);
  t.deepEqual(added(risen, paid(["2026-07-12"], 6_000)), []);
});

test("a price in another currency is the same price though it costs more at home", (t) => {
  const dollars = { originalAmountMinor: -900, originalCurrency: "USD" };
  const abroad = runOf(paid(monthly("2026-01-12", 4), 6_500, "Cloudbase", dollars));
  t.deepEqual(added(abroad, paid(["2026-05-12"], 12_000, "Cloudbase", dollars)), ["2026-05-12"]);
  t.deepEqual(added(abroad, paid(["2026-05-12"], 12_000, "Cloudbase")), []);
});

test("each payment stands for the due date that it is nearest to, and no two for the same", (t) => {
  const payments = paid(["2026-01-12", "2026-02-12", "2026-02-13", "2026-05-12"], 19_900);
  const dues = [...paidOccurrences(payments, gym.schedule, "DK").keys()].map((n) =>
    dayFromNumber(postingDay(gym.schedule, n, "DK")),
  );
  t.deepEqual(dues, ["2026-01-12", "2026-02-12", "2026-03-12", "2026-05-12"]);
  t.is(
    paidOccurrences(payments, gym.schedule, "DK").get(occurrenceNear(gym.schedule, at("2026-05-12"), "DK")),
    payments[3],
  );
});

test("a cheaper payment on the due date before the first one is the introduction", (t) => {
  const introduction = (day: string, minor: number): number[] => {
    const payment = introductoryPayment(gym.payments, gym.schedule, paid([day], minor), "DK");
    return payment === null ? [] : costsOf([payment]);
  };
  t.deepEqual(introduction("2025-12-12", 100), [100], "however much cheaper");
  t.deepEqual(introduction("2025-12-18", 100), [100], "six days off");
  t.deepEqual(introduction("2025-12-19", 100), [], "seven days off");
  t.deepEqual(introduction("2025-12-12", 19_900), [], "not cheaper");
  t.deepEqual(introduction("2025-11-12", 100), [], "two due dates before");
  t.deepEqual(introduction("2026-01-12", 100), [], "on the day of the first one");
  t.is(introductoryPayment(gym.payments, gym.schedule, [], "DK"), null);
  const daily = runOf(paid(everyDays("2026-06-15", 5, 1), 3_000), "DAILY");
  t.is(
    introductoryPayment(daily.payments, daily.schedule, paid(["2026-06-15"], 100), "DK"),
    null,
    "on the day of the first of daily ones",
  );
});

test("a bill on a date between two that were paid may leap to eleven times the last one, a card's may not", (t) => {
  const days: Day[] = ["2026-01-12", "2026-02-12", "2026-04-13", "2026-05-12"];
  const minors = [20_000, 31_000, 23_000, 20_000];
  const leaps = (times: number, day: Day, rawType = "TRANSFER"): Day[] =>
    added(
      runOf(days.flatMap((paidOn, index) => paid([paidOn], minors[index]!, "Sundby Varme", { rawType }))),
      paid([day], 20_000 * times, "Sundby Varme", { rawType }),
    );
  t.deepEqual([leaps(11, "2026-03-12"), leaps(11.1, "2026-03-12")], [["2026-03-12"], []]);
  t.deepEqual([leaps(11, "2026-06-12"), leaps(2.4, "2026-06-12")], [[], ["2026-06-12"]], "after the last one");
  t.deepEqual(
    [leaps(11, "2026-03-12", "CARD_PURCHASE"), leaps(2.4, "2026-03-12", "CARD_PURCHASE")],
    [[], ["2026-03-12"]],
  );
});
