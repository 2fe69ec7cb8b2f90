/** Of a store's many payments two at one price a year apart are a subscription's where the price is seldom. */
import test from "ava";
import type { Day } from "../../../../src/time/calendar.ts";
import { row, services } from "../../payments.ts";

const bought = (day: Day, minor: number) => row(day, "APPLE.COM/BILL", -minor, { rawType: "CARD_PURCHASE" });
/** Purchases at other prices, small ones and a large one. */
const others = [
  ["2024-05-03", 2_900],
  ["2024-07-19", 1_900],
  ["2024-09-02", 900],
  ["2024-12-27", 54_900],
  ["2025-02-14", 4_900],
  ["2025-08-08", 1_200],
  ["2025-11-21", 900],
  ["2026-02-02", 6_100],
] as const;

const yearly = (...pairs: (readonly [Day, number])[]): number =>
  services([...others, ...pairs].map(([day, minor]) => bought(day, minor))).filter(
    ({ paymentFrequency }) => paymentFrequency === "YEARLY",
  ).length;

test("an odd price that was paid just twice, a year apart to the day, is a yearly subscription's", (t) => {
  t.is(yearly(["2025-03-31", 3_869], ["2026-03-31", 3_869]), 1);
  t.is(yearly(["2025-03-31", 3_869], ["2026-04-03", 3_869]), 1);
  t.is(yearly(["2025-03-31", 3_869], ["2026-04-05", 3_869]), 0, "five days later");
  t.is(yearly(["2025-03-31", 3_869], ["2025-06-11", 3_869], ["2026-03-31", 3_869]), 0, "paid between as well");
});

test("so is a price that shops ask for where it is high for that store, and no other", (t) => {
  t.is(yearly(["2025-03-31", 8_599], ["2026-03-31", 8_599]), 1);
  t.is(yearly(["2025-03-31", 1_999], ["2026-03-31", 1_999]), 0);
});
