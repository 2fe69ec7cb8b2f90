/** Amounts that follow a season speak for a bill, and amounts that follow nothing do not speak. */
import test from "ava";
import type { RegularFrequency } from "../../../src/recognition/search/cadence.ts";
import { habitLogOdds } from "../../../src/recognition/search/habit.ts";
import { seasonEvidence } from "../../../src/recognition/search/evidence/season.ts";
import fc from "../../property.ts";
import { paidAmounts } from "../obligations.ts";
import { monthly } from "../payments.ts";

/** Of so many payments, each so many months after the one before. */
const evidence = (count: number, minorOf: (index: number) => number, months = 1): number =>
  seasonEvidence(
    paidAmounts(
      monthly("2022-01-15", count, months),
      Array.from({ length: count }, (_, index) => minorOf(index)),
    ),
    ({ 1: "MONTHLY", 2: "BIMONTHLY", 3: "QUARTERLY" } as Record<number, RegularFrequency>)[months]!,
  );

/** Between 35 and 472, most in January; a few per cent are chance. */
const gas =
  (months = 1) =>
  (index: number): number =>
    Math.round(100 * Math.exp(4.86 + 1.3 * Math.cos((2 * Math.PI * index * months) / 12)) + ((index * 37) % 11) * 60);
/** Looks drawn, without order. */
const basket = (index: number): number => 4_000 + ((index * 7_919 + 3) % 97) * 150;

test("what swings with the year speaks for itself within a year of months, and more after two", (t) => {
  t.true(evidence(12, gas()) > 2);
  t.true(evidence(30, gas()) > evidence(12, gas()));
});

test("every two or three months it takes longer: each resembles the one a year before", (t) => {
  t.true(evidence(18, gas(2), 2) > 2);
  t.true(evidence(14, gas(3), 3) > 2);
  t.is(evidence(6, gas(3), 3), 0, "too few to resemble any");
});

test("four bills a year that swing much show by the third that comes back at what it was a year before", (t) => {
  const winters = [66_712, 31_541, 9_175, 28_877, 65_924, 24_563, 9_583, 30_010];
  const swinging = (count: number) => evidence(count, (index) => winters[index]!, 3);
  t.true(swinging(7) > 2);
  t.true(swinging(8) > swinging(7));
  t.is(swinging(6), 0);
  const mixed = [66_712, 31_541, 9_175, 28_877, 9_583, 65_924, 24_563];
  t.is(
    evidence(7, (index) => mixed[index]!, 3),
    0,
    "in another order they do not come back",
  );
  const level = [20_000, 21_500, 19_000, 22_000, 20_200, 21_000, 19_500];
  t.is(
    evidence(7, (index) => level[index]!, 3),
    0,
    "what hardly swings has no season",
  );
});

test("amounts without order, and equal ones, say nothing", (t) => {
  t.is(evidence(12, basket), 0);
  t.is(evidence(36, basket), 0);
  t.is(
    evidence(24, () => 19_900),
    0,
  );
});

test("it is never less than nothing", (t) => {
  const minors = fc.array(fc.integer({ min: 100, max: 90_000 }), { minLength: 1, maxLength: 40 });
  fc.assert(fc.property(minors, (all) => t.true(evidence(all.length, (index) => all[index]!) >= 0)));
});

test("weeks and years have no season", (t) => {
  const payments = paidAmounts(
    monthly("2022-01-15", 30),
    Array.from({ length: 30 }, (_, index) => gas()(index)),
  );
  for (const frequency of ["DAILY", "WEEKLY", "BIWEEKLY", "HALFYEARLY", "YEARLY"] as const)
    t.is(seasonEvidence(payments, frequency), 0, frequency);
});

test("a bill that follows the season is owed, a basket bought as often is a habit", (t) => {
  const odds = (minorOf: (index: number) => number): number =>
    habitLogOdds({
      payments: paidAmounts(
        monthly("2022-01-15", 30),
        Array.from({ length: 30 }, (_, index) => minorOf(index)),
      ),
      frequency: "MONTHLY",
      kind: "OTHER",
      misses: 0,
      spreadDays: 1,
      extras: 0,
    });
  t.true(odds(gas()) > odds(basket) + 5);
});
