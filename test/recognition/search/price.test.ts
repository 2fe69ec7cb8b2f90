/** Prices are told to be fixed, rising by steps or following use by their neighbours. */
import test from "ava";
import { hasFixedPrice } from "../../../src/recognition/search/price.ts";
import { paid, paidAmounts, prepared } from "../obligations.ts";
import { monthly, row } from "../payments.ts";

const isFixed = (...minors: number[]): boolean =>
  hasFixedPrice(paidAmounts(monthly("2025-01-10", minors.length), minors));

test("one payment's price counts as fixed, and so does one that is paid again and again", (t) => {
  t.true(isFixed(9_900));
  t.true(isFixed(9_900, 9_900, 9_900));
});

test("a price that rises by steps is fixed, one that is another each time follows use", (t) => {
  t.true(isFixed(9_900, 9_900, 10_900, 10_900, 11_900, 11_900));
  t.false(isFixed(41_250, 39_810, 45_500, 38_770));
});

test("half of the neighbours must have the same price", (t) => {
  t.true(isFixed(100, 100, 120), "one of two");
  t.false(isFixed(100, 100, 120, 130), "one of three");
  t.false(isFixed(100, 120));
});

test("only the latest eight prices say something about today's", (t) => {
  t.true(isFixed(1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7), "of the latest eight five neighbours of seven are alike");
  t.false(isFixed(7, 7, 7, 7, 7, 7, 7, 1, 2, 3, 4, 5, 6, 8));
  t.false(isFixed(1, 2, 3, 4, 5, 5, 5, 5), "three of seven; of the latest seven it would be half");
  t.false(isFixed(6, 6, 1, 2, 3, 4, 4, 4, 4), "three of seven; of the latest nine it would be half");
});

test("what a foreign price costs at home does not make it another price", (t) => {
  const abroad = monthly("2026-01-09", 4).map((day, index) =>
    row(day, "Cloudbase", -[6_512, 6_390, 6_603, 6_471][index]!, {
      originalAmountMinor: -900,
      originalCurrency: "USD",
    }),
  );
  t.true(hasFixedPrice(prepared(abroad)));
});

test("the same number in another currency is another price", (t) => {
  const [inKroner] = paid(["2026-01-09"], 900, "Cloudbase");
  const [inEuro] = paid(["2026-02-09"], 900, "Cloudbase", { currency: "EUR" });
  t.false(hasFixedPrice([inKroner!, inEuro!]));
});
