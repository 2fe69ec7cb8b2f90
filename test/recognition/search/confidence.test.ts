/** The odds that evidence adds up to are told as how often that is right, and decide what is shown, asked and left out. */
import test from "ava";
import type { RegularFrequency } from "../../../src/recognition/search/cadence.ts";
import {
  confidenceOf,
  isSure,
  isWorthAsking,
  thresholdsOf,
  thresholdsText,
} from "../../../src/recognition/search/confidence.ts";
import type { Obligation } from "../../../src/recognition/search/obligation.ts";
import fc from "../../property.ts";
import { obligationWith, paid, paidAmounts } from "../obligations.ts";
import { monthly } from "../payments.ts";

const due = (count: number, logOdds: number, frequency: RegularFrequency = "MONTHLY", months = 1): Obligation => ({
  ...obligationWith(paid(monthly("2020-01-12", count, months), 19_900), frequency),
  logOdds,
});

test("likelier odds are never told as less, and odds beyond the ends of the curve as those of its ends", (t) => {
  const odds = fc.double({ min: -20, max: 30, noNaN: true });
  fc.assert(
    fc.property(odds, odds, (a, b) => {
      t.true(confidenceOf(due(4, Math.min(a, b))) <= confidenceOf(due(4, Math.max(a, b))));
    }),
  );
  t.is(confidenceOf(due(3, -20)), confidenceOf(due(3, -3)));
  t.is(confidenceOf(due(3, 30)), confidenceOf(due(3, 8)));
  t.true(confidenceOf(due(4, 30)) < 1);
});

test("between two points the curve is straight", (t) => {
  const logit = (logOdds: number): number => {
    const confidence = confidenceOf(due(3, logOdds));
    return Math.log(confidence / (1 - confidence));
  };
  for (const [from, to] of [
    [0, 1],
    [4, 6],
    [6, 8],
  ] as const)
    t.is(logit((from + to) / 2).toFixed(9), ((logit(from) + logit(to)) / 2).toFixed(9));
});

test("log odds said are told as the log odds found in generated populations", (t) => {
  const found = (said: number): string => {
    const confidence = confidenceOf(due(3, said));
    return Math.log(confidence / (1 - confidence)).toFixed(2);
  };
  t.deepEqual([-4, -3, -2, -1, 0, 1, 1.5, 2, 3, 3.5, 4, 6, 8, 9].map(found), [
    "-2.20",
    "-2.20",
    "-1.90",
    "-1.60",
    "-0.80",
    "0.60",
    "1.60",
    "2.10",
    "3.00",
    "3.50",
    "4.00",
    "4.90",
    "5.40",
    "5.40",
  ]);
});

test("what is sure is wrong in hardly one of eight cases, and what is worth asking rather right than wrong", (t) => {
  const odds = Array.from({ length: 161 }, (_, index) => index / 10 - 2);
  for (const one of odds) {
    t.is(isSure(due(4, one)), confidenceOf(due(4, one)) >= 1 / (1 + Math.exp(-2)), `${one}`);
    t.is(isWorthAsking(due(4, one)), confidenceOf(due(4, one)) >= 0.5, `${one}`);
  }
});

test("two payments are never sure, unless half a year or a year lies between them", (t) => {
  t.deepEqual([isSure(due(2, 12)), isSure(due(3, 12))], [false, true]);
  t.deepEqual([isSure(due(2, 12, "QUARTERLY", 3)), isSure(due(3, 12, "QUARTERLY", 3))], [false, true]);
  t.true(isSure(due(2, 12, "HALFYEARLY", 6)));
  t.true(isSure(due(2, 12, "YEARLY", 12)));
  t.false(isSure(due(1, 12, "YEARLY", 12)));
});

test("two payments must be likelier than three to be sure, half a year apart more than a year apart", (t) => {
  const leastSure = (count: number, frequency: RegularFrequency, months: number): string =>
    (
      Array.from({ length: 161 }, (_, index) => index / 10 - 2).find((one) =>
        isSure(due(count, one, frequency, months)),
      ) ?? NaN
    ).toFixed(1);
  // Of three the odds that show 2; two gather 2.7 × ln(2 / 3) less by chance, and have more to show: .6, a year apart .2.
  t.deepEqual([leastSure(3, "HALFYEARLY", 6), leastSure(2, "HALFYEARLY", 6)], ["1.9", "1.5"]);
  t.deepEqual([leastSure(3, "YEARLY", 12), leastSure(2, "YEARLY", 12)], ["1.9", "1.1"]);
  const logit = (one: Obligation): number => Math.log(confidenceOf(one) / (1 - confidenceOf(one)));
  t.true(logit(due(2, 1.4, "HALFYEARLY", 6)) > 2, "which three would be sure with");
});

test("two payments a year apart whose prices are far from each other must be likelier still", (t) => {
  const pair = (second: number): Obligation => {
    const one = due(2, 1.4, "YEARLY", 12);
    return { ...one, payments: paidAmounts(monthly("2025-01-10", 2, 12), [100, second]) };
  };
  t.true(isSure(pair(100)));
  t.true(isSure(pair(130)));
  t.false(isSure(pair(140)));
  t.false(isSure(pair(70)));
});

test("odds that are good after three payments are poor after nine, and poorer no more after a year of months", (t) => {
  const logit = (count: number, logOdds: number, frequency: RegularFrequency = "MONTHLY"): string => {
    const confidence = confidenceOf(due(count, logOdds, frequency));
    return Math.log(confidence / (1 - confidence)).toFixed(2);
  };
  t.is(logit(3, 3), "3.00");
  // Less 2.7 × ln(n / 3): 0.78 for four, at most 2.6; more for two.
  t.is(logit(4, 3.78), "3.00");
  t.is(logit(2, 1.905), "3.00");
  t.is(logit(9, 5.6), "3.00");
  // Less 0.3 for each of the payments after the ninth, at most 1.4 of them.
  t.is(logit(11, 5), "3.00");
  t.is(logit(14, 4.2), "3.00");
  t.is(logit(60, 4.2), "3.00");
  t.is(logit(60, 5, "WEEKLY"), "3.00", "every week or two at most 2");
  t.is(logit(60, 5, "BIWEEKLY"), "3.00");
});

test("of two payments at short gaps one is asked whatever the odds", (t) => {
  t.true(isWorthAsking(due(2, -1)));
  t.false(isWorthAsking(due(3, -1)));
  t.false(isWorthAsking(due(2, -2, "YEARLY", 12)));
});

test("a brand may ask from another confidence on, and show from another; what is shown is always worth asking", (t) => {
  const odds = Array.from({ length: 161 }, (_, index) => index / 10 - 2);
  const own = thresholdsOf({ askedPercent: 80, visiblePercent: 90 });
  for (const one of odds) {
    t.is(isSure(due(4, one), own), confidenceOf(due(4, one)) >= 0.9, `${one}`);
    t.is(isWorthAsking(due(4, one), own), confidenceOf(due(4, one)) >= 0.8, `${one}`);
  }
  t.deepEqual(thresholdsOf({ askedPercent: null, visiblePercent: null }), { asked: 0, visible: 2 });
  t.deepEqual(thresholdsOf({ askedPercent: 90, visiblePercent: 50 }), { asked: 0, visible: 0 });
});

test("what made a read model is told apart from the usual", (t) => {
  t.is(thresholdsText({ askedPercent: null, visiblePercent: null }), null);
  t.is(thresholdsText({ askedPercent: 80, visiblePercent: null }), "80/-");
  t.is(thresholdsText({ askedPercent: null, visiblePercent: 90 }), "-/90");
  t.is(thresholdsText({ askedPercent: 80, visiblePercent: 90 }), "80/90");
});
