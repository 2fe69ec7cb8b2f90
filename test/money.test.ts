/** Amounts are read, rounded, written, summed and converted exactly, in whole minor units of one currency. */
import test from "ava";
import { convert, exponentOf, formatAmount, parseAmount, sum, toNumber } from "../src/money.ts";
import fc from "./property.ts";

test("amounts are read as whole minor units", (t) => {
  t.deepEqual(parseAmount(-12.5, "DKK"), { minor: -1250, currency: "DKK" });
  t.deepEqual(parseAmount("0.1", "EUR"), { minor: 10, currency: "EUR" });
  t.deepEqual(parseAmount("500", "JPY"), { minor: 500, currency: "JPY" });
  t.deepEqual(parseAmount("1.2345", "KWD"), { minor: 1235, currency: "KWD" });
  t.deepEqual(parseAmount("1e3", "SEK"), { minor: 100_000, currency: "SEK" });
});

test("decimals beyond the currency's are rounded half away from zero, as they are written", (t) => {
  t.is(parseAmount(1.005, "DKK")?.minor, 101);
  t.is(parseAmount(-1.005, "DKK")?.minor, -101);
  t.is(parseAmount("2.5", "ISK")?.minor, 3);
  t.is(parseAmount(1e-7, "DKK")?.minor, 0);
});

test("what is no amount is refused", (t) => {
  for (const value of [
    "",
    ".",
    "-",
    "1,50",
    "12 kr",
    "NaN",
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "9".repeat(70),
    1e18,
  ]) {
    t.is(parseAmount(value, "DKK"), null, String(value));
  }
});

test("amounts are written with the currency's decimals", (t) => {
  t.is(formatAmount({ minor: -5, currency: "DKK" }), "-0.05");
  t.is(formatAmount({ minor: 500, currency: "JPY" }), "500");
  t.is(formatAmount({ minor: 1250, currency: "BHD" }), "1.250");
});

test("any amount survives text and JSON number", (t) => {
  const currencies = fc.constantFrom("DKK", "JPY", "KWD");
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.integer({ min: -1e14, max: 1e14 }), currencies, (minor, currency) => {
        const money = { minor, currency };
        return (
          parseAmount(formatAmount(money), currency)?.minor === minor &&
          parseAmount(toNumber(money), currency)?.minor === minor
        );
      }),
    ),
  );
});

test("sums stay exact and in one currency", (t) => {
  t.deepEqual(
    sum(
      [
        { minor: 10, currency: "DKK" },
        { minor: 20, currency: "DKK" },
      ],
      "DKK",
    ),
    { minor: 30, currency: "DKK" },
  );
  t.deepEqual(sum([], "SEK"), { minor: 0, currency: "SEK" });
  t.throws(() => sum([{ minor: 1, currency: "EUR" }], "DKK"), { instanceOf: TypeError });
});

test("conversion is exact for a decimal rate", (t) => {
  t.deepEqual(convert({ minor: 1000, currency: "EUR" }, "7.4727", "DKK"), { minor: 7473, currency: "DKK" });
  t.deepEqual(convert({ minor: 100, currency: "USD" }, 149.505, "JPY"), { minor: 150, currency: "JPY" });
  t.deepEqual(convert({ minor: -1000, currency: "EUR" }, "7.4725", "DKK"), { minor: -7473, currency: "DKK" });
  t.is(convert({ minor: 1, currency: "EUR" }, "dear", "DKK"), null);
});

test("currencies without or with three decimals are known", (t) => {
  t.deepEqual(["DKK", "ISK", "KWD", "CLF"].map(exponentOf), [2, 0, 3, 4]);
});
