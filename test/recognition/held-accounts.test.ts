/**
 * Histories as strangers' accounts have them: dates that count up, contracts that cross, loans that are paid late,
 * memberships charged twice, sums parted into cents. Each stands for a cause of which several accounts had an instance.
 */
import test from "ava";
import { type Day, addDays } from "../../src/time/calendar.ts";
import type { HistoryTransaction } from "../../src/recognition/recognise.ts";
import { everyDays, monthly, row, services } from "./payments.ts";

const card = { rawType: "CARD_PURCHASE" };
const debit = { rawType: "DIRECT_DEBIT" };

/** Each service as "FREQUENCY payments at AMOUNT STATUS". */
const told = (history: readonly HistoryTransaction[], asOf?: Day): string[] =>
  services(history, asOf)
    .map(
      ({ paymentFrequency, payments, expectedAmountMinor, status }) =>
        `${paymentFrequency} ${payments.length} at ${expectedAmountMinor} ${status}`,
    )
    .toSorted();

/** A number that looks drawn, the same in every run: 0 to below `below`. */
const drawn = (index: number, below: number): number => (index * 7_919 + 3) % below;

test("a day that a bank prints as 04/04 is no last instalment of four", (t) => {
  const lines = monthly("2025-09-04", 8).map((day) =>
    row(day, `SUNDBYRANK.COM 8558144510 PA ${day.slice(5, 7)}/04`, -6_995),
  );
  t.deepEqual(told(lines, "2026-04-12"), ["MONTHLY 8 at 6995 ACTIVE"]);
});

test("a loan that is paid every other week in two parts a cent apart is one", (t) => {
  const parts = everyDays("2025-01-03", 38, 14).map((day, index) =>
    row(day, "SUNDBY HOME MTG AUTO PAY", index % 2 === 0 ? -95_468 : -95_469),
  );
  t.deepEqual(
    services(parts).map(({ paymentFrequency, payments }) => [paymentFrequency, payments.length]),
    [["BIWEEKLY", 38]],
  );
});

test("three contracts that one host collects are three, though a late payment came between two of them", (t) => {
  const at = (days: readonly Day[], minors: readonly number[]) =>
    days.map((day, index) => row(day, "Fjordens Hosting", -(minors[index] ?? minors.at(-1)!), debit));
  const small = at(monthly("2025-06-06", 12), [1_500]);
  const fixed = at(
    monthly("2025-06-03", 12).map((day) => (day === "2025-11-03" ? "2025-11-10" : day)),
    [6_499],
  );
  const stepped = at(
    monthly("2025-06-11", 12).map((day) => (day === "2025-11-11" ? "2025-11-12" : day)),
    [5_697, 5_697, 5_697, 5_697, 5_697, 5_697, 7_247],
  );
  const found = services([...small, ...fixed, ...stepped], "2026-05-20");
  t.deepEqual(found.map((one) => `${one.status} ${one.expectedAmountMinor}`).toSorted(), [
    "ACTIVE 1500",
    "ACTIVE 6499",
    "ACTIVE 7247",
  ]);
  for (const { payments, expectedAmountMinor } of found) {
    const own = expectedAmountMinor === 1_500 ? small : expectedAmountMinor === 6_499 ? fixed : stepped;
    t.true(payments.length >= 11);
    t.true(payments.every((payment) => own.includes(payment)));
  }
});

test("a car's loan that is paid late, in parts and twice at once is asked about", (t) => {
  const gaps = [32, 37, 30, 28, 35, 32, 35, 10, 27, 48, 22, 28, 33, 30];
  const minors = [0, 3_581, 0, 7_067, 0, 4_208, 0, 0, 36_529, 0, 0, 1_789];
  let day: Day = "2025-02-02";
  const loan = gaps.map((gap, index) => {
    const one = row(day, "ALLIANCE AUTO PAYMT", -(35_792 + (minors[index] ?? 0)));
    day = addDays(day, gap);
    return one;
  });
  const shops = everyDays("2025-02-01", 110, 4).map((on, at) =>
    row(addDays(on, drawn(at, 3)), `Butik ${"ABCDEFGHIJKLMN"[at % 14]!}strup`, -(4_013 + drawn(at, 97) * 90), card),
  );
  const [found, ...more] = services([...loan, ...shops], "2026-04-01");
  t.deepEqual([found?.paymentFrequency, found?.payments.length, found?.visibility], ["MONTHLY", 14, "UNDECIDED"]);
  t.deepEqual(more, []);
});

test("two equal memberships charged on one day go on, both, after half a year without", (t) => {
  const days: Day[] = [...monthly("2025-10-17", 6), ...monthly("2026-09-17", 2)];
  const [first, second] = [4_900, 4_950].map((base) =>
    days.map((day, index) => row(day, `SUNDBY FIT CLUB FEES ${2_007_600_000 + index * 1_000 + base}`, -10_000)),
  );
  const found = services([...first!, ...second!], "2026-10-20");
  t.deepEqual(
    found.map(({ payments, status }) => [payments.map(({ description }) => description.slice(-4)), status]),
    [first!, second!].map((own) => [own.map(({ description }) => description.slice(-4)), "ACTIVE"]),
  );
});

test("gas that swings with the year is shown though no word tells that it is collected", (t) => {
  const bills = monthly("2023-01-15", 40).map((day, index) =>
    row(
      addDays(day, drawn(index, 3)),
      "Kystens Gas",
      -Math.round(100 * Math.exp(4.86 + 1.3 * Math.cos((2 * Math.PI * index) / 12)) + drawn(index, 11) * 60),
    ),
  );
  const [found, ...more] = services(bills, "2026-05-02");
  t.deepEqual([found?.paymentFrequency, found?.visibility, more.length], ["MONTHLY", "VISIBLE", 0]);
});

test("what is rounded up or surcharged is left over from other payments, however often it comes", (t) => {
  const shops = everyDays("2025-02-01", 160, 3).map((day, at) =>
    row(addDays(day, drawn(at, 2)), `Butik ${"ABCDEFGHIJKLMN"[at % 14]!}strup`, -(4_013 + drawn(at, 97) * 90), card),
  );
  const rounded = everyDays("2025-02-04", 66, 7).flatMap((day, at) =>
    drawn(at, 9) === 0 ? [] : [row(addDays(day, drawn(at, 3)), "ROUND UP", -40)],
  );
  t.deepEqual(told([...shops, ...rounded], "2026-05-14"), []);
});

test("every thirty days after the last one is a rule where the price is one", (t) => {
  let day: Day = "2024-01-31";
  const billed = Array.from({ length: 26 }, (_, index) => {
    const one = row(day, "Sundby Soft", -1_360, card);
    day = addDays(day, 30 + (drawn(index, 3) - 1));
    return one;
  });
  const [found] = services(billed, billed.at(-1)!.day);
  t.deepEqual([found?.paymentFrequency, found?.payments.length, found?.visibility], ["MONTHLY", 26, "VISIBLE"]);
});

test("bills for the same day of each month stand out of purchases about once a month, by how they keep it", (t) => {
  const amount = (index: number): number => 31_000 + drawn(index, 97) * 340;
  const on = (spread: number, name: string) =>
    monthly("2025-01-12", 16).map((day, index) => row(addDays(day, drawn(index, spread)), name, -amount(index), card));
  const asOf: Day = "2026-04-20";
  t.regex(told(on(1, "Kystens El"), asOf).join(), /^MONTHLY 16 at \d+ ACTIVE$/);
  t.deepEqual(told(on(7, "Torvets Varer"), asOf), []);
});
