import test from "ava";
import { row, services } from "../payments.ts";

test("a first payment for a product sold by subscription is an undecided service", (t) => {
  const found = services([row("2026-06-09", "NETFLIX.COM 2042367", -12_900)]);
  t.is(found.length, 1);
  t.like(found[0], {
    paymentFrequency: "MONTHLY",
    visibility: "UNDECIDED",
    status: "ACTIVE",
    nextExpectedDay: "2026-07-09",
  });
});

test("long after a single payment there is nothing to show", (t) => {
  t.deepEqual(services([row("2026-01-09", "NETFLIX.COM", -12_900)]), []);
});

test("payments to an insurer without a cadence are one service of unknown frequency", (t) => {
  const days = ["2025-08-03", "2025-11-28", "2026-01-09", "2026-06-02"];
  const found = services(
    days.map((day, index) => row(day, "Kystens Assurance", -(90_000 + index * 71_000), { mcc: 6300 })),
  );
  t.is(found.length, 1);
  t.like(found[0], {
    paymentFrequency: "UNKNOWN",
    visibility: "UNDECIDED",
    status: "ACTIVE",
    nextExpectedDay: "2026-09-27",
  });
});

test("a first payment to a merchant that sells only subscriptions is an undecided service", (t) => {
  const [found] = services([row("2026-06-09", "Bladet Lyset", -9_900, { mcc: 5968 })]);
  t.like(found, {
    paymentFrequency: "MONTHLY",
    visibility: "UNDECIDED",
    status: "ACTIVE",
    nextExpectedDay: "2026-07-09",
  });
  t.deepEqual(services([row("2026-06-09", "Bladet Lyset", -9_900, { mcc: 5942 })]), []);
});

test("a year after a trial the full price shows a yearly service, still to be confirmed", (t) => {
  const [found] = services([
    row("2024-11-09", "Bladet Lyset", -900, { mcc: 5968 }),
    row("2025-11-10", "Bladet Lyset", -140_900, { mcc: 5968 }),
  ]);
  t.like(found, { paymentFrequency: "YEARLY", visibility: "UNDECIDED", status: "ACTIVE" });
  t.is(found?.payments.length, 2);
});
