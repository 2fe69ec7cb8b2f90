/** Rates convert over the euro by the last day before; old ones are marked, and what the euro replaced has its own. */
import test from "ava";
import { convertAt, gatherRates, type Rates } from "../../src/rates/rates.ts";

/** One set a day, units for one euro. */
function ratesOf({ days, perEuro }: { days: string[]; perEuro: Readonly<Record<string, number>>[] }): Rates {
  return gatherRates(
    days.length,
    days.map((day, at) => [day, perEuro[at] ?? {}]),
  );
}

const ten = { minor: 10_00, currency: "EUR" };

test("a day without a rate takes the last one before it, but of what is quoted no more none older than ten days", (t) => {
  const rates = ratesOf({ days: ["2024-01-05", "2024-03-01"], perEuro: [{ DKK: 7.5 }, { USD: 1.1 }] });
  t.deepEqual(convertAt(rates, ten, "DKK", "2024-01-05"), { minor: 75_00, currency: "DKK" });
  t.deepEqual(convertAt(rates, ten, "DKK", "2024-01-07"), { minor: 75_00, currency: "DKK" });
  t.deepEqual(convertAt(rates, ten, "DKK", "2024-01-15"), { minor: 75_00, currency: "DKK" });
  t.is(convertAt(rates, ten, "DKK", "2024-01-16"), null);
  t.is(convertAt(rates, ten, "DKK", "2024-01-04"), null);
  t.is(convertAt(rates, ten, "XXX", "2024-01-07"), null);
  t.is(convertAt(rates, { minor: 1, currency: "XXX" }, "EUR", "2024-01-07"), null);
  t.is(convertAt(ratesOf({ days: [], perEuro: [] }), ten, "DKK", "2024-01-07"), null);
});

test("each day has its own rates, and a currency that is absent on one has that of the day before", (t) => {
  const rates = ratesOf({
    days: ["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05"],
    perEuro: [{ DKK: 1, NOK: 9 }, { DKK: 2 }, { DKK: 3 }, { DKK: 4 }, { DKK: 5 }],
  });
  const converted = (day: string, currency = "DKK") => convertAt(rates, ten, currency, day)?.minor ?? null;
  t.deepEqual(
    rates.days.map((day) => converted(day)),
    [10_00, 20_00, 30_00, 40_00, 50_00],
  );
  t.is(converted("2023-12-31"), null);
  t.is(converted("2024-01-06"), 50_00);
  t.is(converted("2024-01-05", "NOK"), 90_00);
  t.is(converted("2024-01-11", "NOK"), 90_00);
  t.is(converted("2024-01-12", "NOK"), null);
  t.deepEqual(convertAt(rates, { minor: 90_00, currency: "NOK" }, "DKK", "2024-01-03"), {
    minor: 30_00,
    currency: "DKK",
  });
});

test("what is converted is exact, and rounded half away from zero once", (t) => {
  const rates = ratesOf({
    days: ["2024-01-05"],
    perEuro: [
      { DKK: 7.5, JPY: 160, KWD: 0.33, HUF: 380.125, USD: 0.1, SEK: 20, BIG: 1e9, LOW: 0.0001, FINE: 0.0000000002 },
    ],
  });
  const converted = (minor: number, from: string, to: string) =>
    convertAt(rates, { minor, currency: from }, to, "2024-01-05")?.minor ?? null;
  t.is(converted(1, "EUR", "DKK"), 8);
  t.is(converted(-1, "EUR", "DKK"), -8);
  t.is(converted(3, "EUR", "DKK"), 23);
  t.is(converted(100, "DKK", "EUR"), 13);
  t.is(converted(-100, "DKK", "EUR"), -13);
  t.is(converted(0, "EUR", "DKK"), 0);
  t.is(converted(1_00, "EUR", "JPY"), 160);
  t.is(converted(160, "JPY", "EUR"), 1_00);
  t.is(converted(1_00, "EUR", "KWD"), 330);
  t.is(converted(330, "KWD", "JPY"), 160);
  t.is(converted(8_00, "EUR", "HUF"), 3041_00);
  t.is(converted(1, "USD", "EUR"), 10);
  t.is(converted(10, "EUR", "SEK"), 200);
  t.is(converted(1, "LOW", "EUR"), 10_000);
  t.is(converted(1, "FINE", "EUR"), 5_000_000_000);
  t.is(converted(9_007_199_254_740_991, "SEK", "SEK"), 9_007_199_254_740_991);
  t.is(converted(9_007_199_254_740_991, "SEK", "EUR"), 450_359_962_737_050);
  t.is(converted(9_007_199, "EUR", "BIG"), 9_007_199_000_000_000);
  t.is(converted(9_007_200, "EUR", "BIG"), null);
});

test("the same currency needs no rate", (t) => {
  const money = { minor: 1, currency: "XAU" };
  t.is(convertAt(ratesOf({ days: [], perEuro: [] }), money, "XAU", "2024-01-01"), money);
});

/** The last days of 2025 and one of 2026, as published: Bulgaria has joined by then, and Russia's is quoted no more. */
const turn = ratesOf({
  days: ["2022-03-01", "2025-12-31", "2026-04-13"],
  perEuro: [
    { BGN: 1.9558, DKK: 7.4385, RUB: 117.201, USD: 1.1162 },
    { BGN: 1.9558, DKK: 7.469, USD: 1.175 },
    { DKK: 7.4727, USD: 1.1684 },
  ],
});

test("an old rate of a currency that is still quoted is used, and marked with its day", (t) => {
  const dollars = { minor: -10_00, currency: "USD" };
  t.deepEqual(convertAt(turn, dollars, "DKK", "2026-04-23"), { minor: -63_96, currency: "DKK" });
  t.deepEqual(convertAt(turn, dollars, "DKK", "2026-04-24"), {
    minor: -63_96,
    currency: "DKK",
    rateDate: "2026-04-13",
  });
  t.deepEqual(convertAt(turn, dollars, "EUR", "2026-08-11"), {
    minor: -8_56,
    currency: "EUR",
    rateDate: "2026-04-13",
  });
});

test("of two rates the older one's day is told", (t) => {
  const gap = ratesOf({
    days: ["2024-01-05", "2024-02-05", "2024-06-05"],
    perEuro: [{ ISK: 150, DKK: 7.5 }, { DKK: 7.5 }, { ISK: 140, DKK: 7.5 }],
  });
  t.deepEqual(convertAt(gap, { minor: 1000, currency: "ISK" }, "DKK", "2024-03-05"), {
    minor: 50_00,
    currency: "DKK",
    rateDate: "2024-01-05",
  });
});

test("a currency that the euro replaced converts at its fixed rate from that day on, and never grows old", (t) => {
  const leva = { minor: 100_00, currency: "BGN" };
  t.deepEqual(convertAt(turn, leva, "EUR", "2025-12-31"), { minor: 51_13, currency: "EUR" });
  t.deepEqual(convertAt(turn, leva, "EUR", "2026-01-01"), { minor: 51_13, currency: "EUR" });
  t.deepEqual(convertAt(turn, leva, "EUR", "2031-01-01"), { minor: 51_13, currency: "EUR" });
  t.deepEqual(convertAt(turn, leva, "DKK", "2026-04-14"), { minor: 382_07, currency: "DKK" });
  t.deepEqual(convertAt(turn, { minor: 7_53, currency: "HRK" }, "EUR", "2023-01-01"), { minor: 1_00, currency: "EUR" });
  t.is(convertAt(turn, { minor: 7_53, currency: "HRK" }, "EUR", "2022-12-31"), null);
  t.deepEqual(convertAt(turn, { minor: 1_00, currency: "EUR" }, "DEM", "2000-01-01"), { minor: 1_96, currency: "DEM" });
});

test("a currency that is quoted no more converts while its last rate is young, and never after", (t) => {
  const roubles = { minor: 1172_01, currency: "RUB" };
  t.deepEqual(convertAt(turn, roubles, "EUR", "2022-03-11"), { minor: 10_00, currency: "EUR" });
  t.is(convertAt(turn, roubles, "EUR", "2022-03-12"), null);
  t.is(convertAt(turn, roubles, "EUR", "2026-04-13"), null);
});
