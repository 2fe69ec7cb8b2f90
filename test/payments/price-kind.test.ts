/** Prices that many shops ask for. */
import test from "ava";
import { areChosen, isShopPrice } from "../../src/payments/price-kind.ts";
import { paid, paidAmounts } from "../recognition/obligations.ts";
import { monthly } from "../recognition/payments.ts";

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

test("whole tens that change from payment to payment are chosen, what stays or ends otherwise is not", (t) => {
  const chosen = (minors: number[]): boolean => areChosen(paidAmounts(monthly("2026-01-12", minors.length), minors));
  t.true(chosen([20_000, 15_000, 18_000, 18_000]));
  t.true(chosen([20_000, 15_000, 15_000]), "half of the steps change");
  t.false(chosen([20_000, 20_000, 20_000, 15_000]), "a third of them do");
  t.false(chosen([20_000, 15_000, 18_050, 17_000]));
  t.false(chosen([20_000, 15_000]), "two show nothing");
});
