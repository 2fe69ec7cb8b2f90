/** Rates convert over the euro by the last day before, and not when that is older than ten days. */
import test from "ava";
import type { Queryable } from "../../src/database/database.ts";
import { convertAt, ensureRates, loadRates, openConversion } from "../../src/ledger/rates.ts";
import { shareLedger } from "./world.ts";

const ledger = shareLedger();

test("shipped rates are loaded once and convert over the euro", async (t) => {
  const { database } = ledger;
  const added = await ensureRates(database);
  t.true(added > 6900);
  t.is(await ensureRates(database), 0);
  const rates = await loadRates(database);
  t.is(rates.days.length, added);
  t.is(rates.days[0], "1999-01-04");
  t.deepEqual(rates.days, rates.days.toSorted());
  t.deepEqual(rates.perEuro[0], {
    USD: 1.1789,
    JPY: 133.73,
    CYP: 0.58231,
    CZK: 35.107,
    DKK: 7.4501,
    EEK: 15.6466,
    GBP: 0.7111,
    HUF: 251.48,
    LTL: 4.717,
    LVL: 0.6668,
    MTL: 0.4432,
    PLN: 4.0712,
    ROL: 13_111,
    SEK: 9.4696,
    SIT: 189.045,
    SKK: 42.991,
    TRL: 372_274,
    CHF: 1.6168,
    ISK: 81.48,
    NOK: 8.855,
    AUD: 1.91,
    CAD: 1.8004,
    HKD: 9.1332,
    KRW: 1398.59,
    NZD: 2.2229,
    SGD: 1.9554,
    ZAR: 6.9358,
  });
  // 2026-04-13: 7.4727 DKK, 1.1684 USD, 10.892 SEK for one euro.
  t.deepEqual(convertAt(rates, { minor: 100_00, currency: "EUR" }, "DKK", "2026-04-13"), {
    minor: 747_27,
    currency: "DKK",
  });
  t.deepEqual(convertAt(rates, { minor: -9_99, currency: "USD" }, "DKK", "2026-04-13"), {
    minor: -63_89,
    currency: "DKK",
  });
  t.deepEqual(convertAt(rates, { minor: 18_675, currency: "JPY" }, "EUR", "2026-04-13"), {
    minor: 100_00,
    currency: "EUR",
  });
  // A table that is behind gets the newer days only, and keeps the others as they are.
  const newest = rates.days.at(-1) ?? "";
  const before = rates.days.at(-2) ?? "";
  await database.query("delete from exchange_rates where day = $1", [newest]);
  await database.query("update exchange_rates set per_euro = '{}' where day = $1", [before]);
  t.is(await ensureRates(database), 1);
  const again = await loadRates(database);
  t.deepEqual(again.days.slice(-2), [before, newest]);
  t.deepEqual(again.perEuro.slice(-2), [{}, rates.perEuro.at(-1)]);
});

const ten = { minor: 10_00, currency: "EUR" };

test("a day without a rate takes the last one before it, but not one older than ten days", (t) => {
  const rates = { days: ["2024-01-05"], perEuro: [{ DKK: 7.5 }] };
  t.deepEqual(convertAt(rates, ten, "DKK", "2024-01-05"), { minor: 75_00, currency: "DKK" });
  t.deepEqual(convertAt(rates, ten, "DKK", "2024-01-07"), { minor: 75_00, currency: "DKK" });
  t.deepEqual(convertAt(rates, ten, "DKK", "2024-01-15"), { minor: 75_00, currency: "DKK" });
  t.is(convertAt(rates, ten, "DKK", "2024-01-16"), null);
  t.is(convertAt(rates, ten, "DKK", "2024-01-04"), null);
  t.is(convertAt(rates, ten, "XXX", "2024-01-07"), null);
  t.is(convertAt(rates, { minor: 1, currency: "XXX" }, "EUR", "2024-01-07"), null);
  t.is(convertAt({ days: [], perEuro: [] }, ten, "DKK", "2024-01-07"), null);
});

test("each day has its own rates, and a currency that is absent on one has that of the day before", (t) => {
  const rates = {
    days: ["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05"],
    perEuro: [{ DKK: 1, NOK: 9 }, { DKK: 2 }, { DKK: 3 }, { DKK: 4 }, { DKK: 5 }],
  };
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
  const rates = {
    days: ["2024-01-05"],
    perEuro: [
      { DKK: 7.5, JPY: 160, KWD: 0.33, HUF: 380.125, USD: 0.1, SEK: 20, BIG: 1e9, LOW: 0.0001, FINE: 0.0000000002 },
    ],
  };
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
  t.is(convertAt({ days: [], perEuro: [] }, money, "XAU", "2024-01-01"), money);
});

/** A table whose rate changes with each reading; the third one fails. */
function changingTable(): { database: Queryable; readings: Promise<void>[] } {
  const readings: Promise<void>[] = [];
  const query = (): Promise<{ rows: { day: string; perEuro: Record<string, number> }[] }> => {
    const number = readings.length + 1;
    const answer =
      number === 3
        ? Promise.reject(new Error("away"))
        : Promise.resolve({ rows: [{ day: "2024-01-05", perEuro: { DKK: number } }] });
    readings.push(
      answer.then(
        () => undefined,
        () => undefined,
      ),
    );
    return answer;
  };
  return { database: { query } as unknown as Queryable, readings };
}

test.serial(
  "rates are read again behind a call when an hour is over, and a reading that fails keeps what is known",
  async (t) => {
    const { now } = performance;
    let elapsedMs = 0;
    performance.now = () => elapsedMs;
    t.teardown(() => {
      performance.now = now;
    });
    const { database, readings } = changingTable();
    const convert = await openConversion(database);
    const converted = async (atMs: number): Promise<number | undefined> => {
      elapsedMs = atMs;
      const minor = convert(ten, "DKK", "2024-01-05")?.minor;
      await Promise.all(readings);
      return minor;
    };
    t.is(await converted(3_600_000), 10_00);
    t.is(readings.length, 1);
    t.is(await converted(3_600_001), 10_00);
    t.is(readings.length, 2);
    t.is(await converted(7_200_001), 20_00);
    t.is(readings.length, 2);
    t.is(await converted(7_200_002), 20_00);
    t.is(readings.length, 3);
    t.is(await converted(7_200_003), 20_00);
    t.is(await converted(10_800_003), 20_00);
    t.is(readings.length, 4);
    t.is(await converted(10_800_004), 40_00);
  },
);
