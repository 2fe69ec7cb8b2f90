/** What is billed on one day, and what leaps from bill to bill, as real accounts have it. */
import test from "ava";
import { monthly, row, services } from "./payments.ts";

const told = (...args: Parameters<typeof services>): string[] =>
  services(...args)
    .map(({ title, paymentFrequency, payments, status }) => `${title} ${paymentFrequency} ${payments.length} ${status}`)
    .toSorted();

test("two bills of one payee on the same day of two years are two yearly services", (t) => {
  const bills = ["2025-03-20", "2026-03-20"].flatMap((day, at) => [
    row(day, `Årsavgift ${2025 + at}, DU9374`, -(41_500 + at * 1_000)),
    row(day, `Årsavgift ${2025 + at}, BR49448`, -(294_000 + at * 5_500)),
  ]);
  t.deepEqual(told(bills, "2026-03-22"), ["Årsavgift YEARLY 2 ACTIVE", "Årsavgift YEARLY 2 ACTIVE"]);
});

test("what is collected on its day is one service though next to nothing had been left to pay", (t) => {
  const costs = [720, 720, 720, 720, 720, 720, 15_886, 12_386, 11_386];
  const bills = monthly("2025-10-04", 9).map((day, at) =>
    row(day, "Kystens Tele", -costs[at]!, { rawType: "DIRECT_DEBIT" }),
  );
  t.deepEqual(told(bills), ["Kystens Tele MONTHLY 9 ACTIVE"]);
});
