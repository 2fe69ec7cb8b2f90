/** Amounts of any frequency come to the right sum a month, and are split to the last unit however large. */
import test from "ava";
import { allocate, type KnownFrequency, monthlyOf, partOf } from "../../src/budgets/monthly.ts";
import fc from "../property.ts";

const minor = fc.oneof(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.maxSafeInteger());
/** What a decimal calculator says: whole arithmetic throughout. */
const exactly = (amount: number, numerator: number, denominator: number): number => {
  const product = BigInt(amount) * BigInt(numerator);
  const [twice, divisor] = [2n * (product < 0n ? -product : product) + BigInt(denominator), 2n * BigInt(denominator)];
  return Number((product < 0n ? -1n : 1n) * (twice / divisor));
};

test("what an amount is a month, worked out by hand", (t) => {
  const months: [KnownFrequency, number][] = [
    // 100.00 · 365.25 / 12 = 3,043.75; / 84 = 434.8214…; / 168 = 217.4107…
    ["DAILY", 304_375],
    ["WEEKLY", 43_482],
    ["BIWEEKLY", 21_741],
    ["MONTHLY", 10_000],
    ["BIMONTHLY", 5000],
    ["QUARTERLY", 3333],
    ["HALFYEARLY", 1667],
    ["YEARLY", 833],
  ];
  for (const [frequency, expected] of months) t.is(monthlyOf(10_000, frequency), expected, frequency);
  // 999,999,999,999.99 · 1461 / 48 = 30,437,499,999,999.6956…: the product alone is beyond what a double holds exactly.
  t.is(monthlyOf(99_999_999_999_999, "DAILY"), 3_043_749_999_999_970);
});

test("a part of an amount is exact however large the amount is", (t) => {
  fc.assert(
    fc.property(
      minor,
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 100, max: 5000 }),
      (amount, numerator, denominator) => {
        t.is(partOf(amount, numerator, denominator) + 0, exactly(amount, numerator, denominator) + 0);
      },
    ),
  );
});

test("an amount is split to the last unit, however large it and its weights are", (t) => {
  const positive = fc.oneof(fc.integer({ min: 0, max: 500_000 }), fc.integer({ min: 0, max: 1e14 }));
  fc.assert(
    fc.property(minor, fc.array(positive, { minLength: 1, maxLength: 20 }), (total, weights) => {
      const shares = allocate(total, weights);
      t.is(Number(shares.reduce((sum, share) => sum + BigInt(share), 0n)), total);
      const whole = weights.reduce((sum, weight) => sum + weight, 0);
      if (whole === 0) return;
      for (const [at, share] of shares.entries()) {
        // Within one unit of its exact part.
        const off = BigInt(share) * BigInt(whole) - BigInt(total) * BigInt(weights[at]!);
        t.true(off < BigInt(whole) && -off < BigInt(whole));
      }
    }),
  );
});
