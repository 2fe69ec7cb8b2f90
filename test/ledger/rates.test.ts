import test from "ava";
import { convertAt, ensureRates, loadRates } from "../../src/ledger/rates.ts";
import { createTestDatabase } from "../world.ts";

test("shipped rates are loaded once and convert over the euro", async (t) => {
  const { database } = await createTestDatabase(t);
  const added = await ensureRates(database);
  t.true(added > 6900);
  t.is(await ensureRates(database), 0);
  const rates = await loadRates(database);
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
});

test("a day without a rate takes the last one before it, but not one older than ten days", (t) => {
  const rates = { days: ["2024-01-05"], perEuro: [{ DKK: 7.5 }] };
  const money = { minor: 10_00, currency: "EUR" };
  t.deepEqual(convertAt(rates, money, "DKK", "2024-01-07"), { minor: 75_00, currency: "DKK" });
  t.deepEqual(convertAt(rates, money, "DKK", "2024-01-15"), { minor: 75_00, currency: "DKK" });
  t.is(convertAt(rates, money, "DKK", "2024-01-16"), null);
  t.is(convertAt(rates, money, "DKK", "2024-01-04"), null);
  t.is(convertAt(rates, money, "XXX", "2024-01-07"), null);
});

test("the same currency needs no rate", (t) => {
  const money = { minor: 1, currency: "XAU" };
  t.is(convertAt({ days: [], perEuro: [] }, money, "XAU", "2024-01-01"), money);
});
