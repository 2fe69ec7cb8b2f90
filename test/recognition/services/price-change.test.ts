/** A change of price is told when one price that stood gave way to another; what passes is none. */
import test from "ava";
import { priceChangeOf } from "../../../src/recognition/services/price-change.ts";
import { services } from "../payments.ts";
import { factsOf } from "../../../src/recognition/services/facts.ts";
import { monthly, row } from "../payments.ts";

/** Monthly payments with these costs, in whole crowns, from 5 January. */
const paid = (...crowns: number[]) =>
  monthly("2025-01-05", crowns.length).map((day, index) => row(day, "Havnsted Vand", -crowns[index]! * 100));
const change = (...crowns: number[]) => {
  const told = priceChangeOf(paid(...crowns));
  return told === null ? null : [told.from / 100, told.to / 100, told.date];
};

test("a price that never changes has no change, nor has a single payment", (t) => {
  t.is(change(99), null);
  t.is(change(99, 99, 99), null);
});

test("a rise that holds is a change, and so is a fall", (t) => {
  t.deepEqual(change(99, 99, 99, 109, 109), [99, 109, "2025-04-05"]);
  t.deepEqual(change(129, 129, 99, 99), [129, 99, "2025-03-05"]);
  t.deepEqual(change(200, 200, 390, 390), [200, 390, "2025-03-05"], "however large");
  t.deepEqual(change(149, 149, 449, 449), [149, 449, "2025-03-05"]);
});

test("of several the latest is told", (t) => {
  t.deepEqual(change(99, 99, 109, 109, 119, 119), [109, 119, "2025-05-05"]);
});

test("a new price is told with its first payment", (t) => {
  t.deepEqual(change(99, 99, 99, 109), [99, 109, "2025-04-05"]);
  t.deepEqual(change(99, 99, 99, 89), [99, 89, "2025-04-05"]);
});

test("whether the price doubled the second payment tells", (t) => {
  t.is(change(200, 200, 200, 400), null);
  t.deepEqual(change(200, 200, 200, 400, 400), [200, 400, "2025-04-05"]);
  t.is(change(400, 400, 400, 200), null);
  t.deepEqual(change(89, 99, 99, 99, 300), [89, 99, "2025-02-05"], "until then it is the change before");
});

test("a price that rises with each payment tells its latest rise", (t) => {
  t.deepEqual(change(1_000, 1_050, 1_100), [1_050, 1_100, "2025-03-05"]);
});

test("after arrears the price is what it was, or what is paid from then on", (t) => {
  t.is(change(580, 580, 180, 184, 184), null);
  t.is(change(580, 580, 184, 184, 184), null);
  t.is(change(580, 184, 184), null);
  t.is(change(184, 184, 184, 580, 580, 184, 184), null);
  t.is(change(184, 184, 184, 580, 580, 170, 184, 184), null);
  t.deepEqual(change(580, 580, 180, 184, 184, 199, 199), [184, 199, "2025-06-05"]);
  t.deepEqual(change(150, 150, 184, 184, 580, 580, 184, 184), [150, 184, "2025-03-05"], "a rise before them stays");
});

test("a price that stood for three payments was one, and its fall is a change", (t) => {
  t.deepEqual(change(399, 399, 399, 149, 149), [399, 149, "2025-04-05"]);
  t.is(change(399, 399, 149, 149), null);
});

test("one odd payment between others at the price changes nothing", (t) => {
  t.is(change(100, 100, 150, 100, 100), null);
  t.is(change(100, 100, 40, 100), null);
  t.deepEqual(change(90, 90, 100, 100, 150, 100), [90, 100, "2025-03-05"]);
});

test("the end of a trial is no change, the end of an introductory price is", (t) => {
  t.is(change(9, 399, 399), null);
  t.deepEqual(change(9, 9, 9, 399, 399), [9, 399, "2025-04-05"]);
  t.deepEqual(change(9, 399, 399, 449), [399, 449, "2025-04-05"]);
});

test("only what is paid in the present currency is told", (t) => {
  const [first, second, ...others] = paid(26, 30, 199, 199);
  t.is(priceChangeOf([{ ...first!, currency: "EUR" }, { ...second!, currency: "EUR" }, ...others]), null);
});

test("a price in another currency that stays is one price, whatever its rate", (t) => {
  const abroad = paid(65, 69, 75).map((one) => ({ ...one, originalAmountMinor: -900, originalCurrency: "USD" }));
  t.is(priceChangeOf(abroad), null);
});

test("a service after arrears expects the price, and tells no change of it", (t) => {
  const [water] = services(paid(580, 580, 180, 184, 184), "2025-05-20");
  t.is(water?.expectedAmountMinor, 18_400);
  t.is(factsOf(water!, "2025-05-20").priceChange, null);
});
