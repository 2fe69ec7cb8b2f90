/** Prices that many shops ask for. */
import test from "ava";
import { isShopPrice } from "../../src/payments/price-kind.ts";
import { paid } from "../recognition/obligations.ts";

test("a shop's price is a whole one or ends as many do, in the price's own currency", (t) => {
  const shop = (minor: number, currency = "DKK"): boolean =>
    isShopPrice(paid(["2026-01-12"], minor, "A", { currency })[0]!);
  const endings = Array.from({ length: 100 }, (_, hundredths) => hundredths);
  t.deepEqual(
    endings.filter((ending) => shop(19_900 + ending)),
    [0, 25, 49, 50, 75, 79, 89, 90, 95, 98, 99],
  );
  t.true(shop(19_951, "JPY"), "without hundredths");
});
