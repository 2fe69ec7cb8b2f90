/** The table of rates: filled from what is shipped, added to by files, in versions that those who convert follow. */
import test from "ava";
import type { Queryable } from "../../src/database/database.ts";
import { openConversion } from "../../src/rates/conversion.ts";
import { convertAt, perEuroAt, type Rates } from "../../src/rates/rates.ts";
import { addRates, ensureRates, loadRates, newestDay, ratesVersion } from "../../src/rates/table.ts";
import { createTestDatabase } from "../world.ts";

/** What is known of the day at that index. */
function setAt(rates: Rates, at: number): Record<string, number> {
  return Object.fromEntries(
    [...rates.currencies.keys()].flatMap((currency) => {
      const perEuro = perEuroAt(rates, at, currency);
      return perEuro === undefined ? [] : [[currency, perEuro]];
    }),
  );
}

test("shipped rates are loaded once and convert over the euro", async (t) => {
  const { database } = await createTestDatabase(t);
  const added = await ensureRates(database);
  t.true(added > 6900);
  t.is(await ensureRates(database), 0);
  const rates = await loadRates(database);
  t.is(rates.days.length, added);
  t.is(rates.days[0], "1999-01-04");
  t.deepEqual(rates.days, rates.days.toSorted());
  t.deepEqual(setAt(rates, 0), {
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
  t.is(await ensureRates(database), 0);
  const again = await loadRates(database);
  t.deepEqual(again.days.slice(-2), [before, newest]);
  const last = again.days.length - 1;
  t.deepEqual([setAt(again, last - 1), setAt(again, last)], [{}, setAt(rates, last)]);
});

const ten = { minor: 10_00, currency: "EUR" };

test("a load adds days and rates, replaces others, takes none away, and makes a version when it changed something", async (t) => {
  const { database } = await createTestDatabase(t);
  t.is(await newestDay(database), null);
  t.is(await ratesVersion(database), 0);
  const monday = { day: "2026-08-10", perEuro: { DKK: 7.4, USD: 1.1 } };
  const tuesday = { day: "2026-08-11", perEuro: { DKK: 7.5 } };
  t.deepEqual(await addRates(database, [monday, tuesday], "a.csv"), { days: 2, newest: "2026-08-11" });
  const first = await ratesVersion(database);
  t.true(first > 0);
  t.deepEqual(await addRates(database, [monday, tuesday], "a.csv"), { days: 0, newest: "2026-08-11" });
  t.is(await ratesVersion(database), first);
  t.deepEqual(await addRates(database, [{ day: "2026-08-10", perEuro: { DKK: 7.41 } }], "b.csv"), {
    days: 1,
    newest: "2026-08-11",
  });
  t.true((await ratesVersion(database)) > first);
  const loaded = await loadRates(database);
  t.deepEqual(loaded.days, ["2026-08-10", "2026-08-11"]);
  t.deepEqual([setAt(loaded, 0), setAt(loaded, 1)], [{ DKK: 7.41, USD: 1.1 }, { DKK: 7.5 }]);
  // A day between two that are known had the rates of the one before.
  await addRates(database, [{ day: "2026-08-13", perEuro: { DKK: 7.6 } }], "c.csv");
  await addRates(database, [{ day: "2026-08-12", perEuro: { DKK: 7.55 } }], "d.csv");
  const { rows } = await database.query("select source, days, newest, corrects from exchange_rate_loads order by id");
  t.deepEqual(rows, [
    { source: "a.csv", days: 2, newest: "2026-08-11", corrects: false },
    { source: "b.csv", days: 1, newest: "2026-08-11", corrects: true },
    { source: "c.csv", days: 1, newest: "2026-08-13", corrects: false },
    { source: "d.csv", days: 1, newest: "2026-08-13", corrects: true },
  ]);
});

test("what converts much is told of newer rates, and reads them only then", async (t) => {
  const { database } = await createTestDatabase(t);
  await addRates(database, [{ day: "2026-08-11", perEuro: { DKK: 7.5 } }], "a.csv");
  const asked: string[] = [];
  const watched = {
    query: (text: string, values?: unknown[]) => {
      asked.push(/from (\w+)/.exec(text)?.[1] ?? "");
      return database.query(text, values);
    },
  } as unknown as Queryable;
  const conversion = await openConversion(watched);
  const before = await conversion.current();
  t.deepEqual(before.convert(ten, "DKK", "2026-08-12"), { minor: 75_00, currency: "DKK" });
  t.deepEqual(asked, ["exchange_rate_loads", "exchange_rates", "exchange_rate_loads"]);
  await addRates(database, [{ day: "2026-08-12", perEuro: { DKK: 7.6 } }], "b.csv");
  const after = await conversion.current();
  t.true(after.version > before.version);
  t.deepEqual(after.convert(ten, "DKK", "2026-08-12"), { minor: 76_00, currency: "DKK" });
  t.deepEqual(
    before.convert(ten, "DKK", "2026-08-12"),
    { minor: 75_00, currency: "DKK" },
    "one task, one set of rates",
  );
});

/** A table whose version and rate change with each reading; the third look fails. */
function changingTable(): { database: Queryable; looks: () => number; settled(): Promise<unknown> } {
  let looks = 0;
  const answers: Promise<unknown>[] = [];
  const query = (text: string): Promise<unknown> => {
    const isLook = text.includes("as version");
    if (isLook) looks += 1;
    const rows = isLook ? [{ version: looks }] : [{ day: "2024-01-05", perEuro: JSON.stringify({ DKK: looks }) }];
    const answer = isLook && looks === 4 ? Promise.reject(new Error("away")) : Promise.resolve({ rows });
    answers.push(answer.catch(() => undefined));
    return answer;
  };
  const settled = async () => {
    for (let seen = -1; seen !== answers.length;) {
      seen = answers.length;
      await Promise.all(answers);
      await new Promise(setImmediate);
    }
  };
  return { database: { query } as unknown as Queryable, looks: () => looks, settled };
}

test.serial(
  "rates are looked for behind a call every ten seconds, and a look that fails keeps what is known",
  async (t) => {
    const { now } = performance;
    let elapsedMs = 0;
    performance.now = () => elapsedMs;
    t.teardown(() => {
      performance.now = now;
    });
    const table = changingTable();
    const { convert } = await openConversion(table.database);
    const converted = async (atMs: number): Promise<number | undefined> => {
      elapsedMs = atMs;
      const minor = convert(ten, "DKK", "2024-01-05")?.minor;
      await table.settled();
      return minor;
    };
    t.is(await converted(10_000), 10_00);
    t.is(table.looks(), 1);
    t.is(await converted(10_001), 10_00);
    t.is(table.looks(), 3, "one to see that there is a newer version, one to read it with");
    t.is(await converted(20_001), 30_00);
    t.is(table.looks(), 3);
    t.is(await converted(20_002), 30_00);
    t.is(table.looks(), 4);
    t.is(await converted(20_003), 30_00);
    t.is(await converted(30_003), 30_00);
    t.is(table.looks(), 6);
    t.is(await converted(30_004), 60_00);
  },
);
