/** A direct debit that came back and was charged again is one payment. */
import test from "ava";
import { type Day, addDays } from "../../src/time/calendar.ts";
import { prepare } from "../../src/payments/history.ts";
import type { Payment } from "../../src/payments/payment.ts";
import { withoutReversals } from "../../src/payments/reversal.ts";
import type { HistoryTransaction } from "../../src/recognition/recognise.ts";
import fc from "../property.ts";
import { row } from "../recognition/payments.ts";

const left = (...history: HistoryTransaction[]): string[] =>
  withoutReversals(prepare(history, "2026-12-31")).map(
    ({ transaction }) => `${transaction.day} ${transaction.amountMinor}`,
  );

const charged = (day: Day, minor = 47_013, name = "Havnsted Fitness"): HistoryTransaction => row(day, name, -minor);
const back = (day: Day, minor = 47_013, name = "Havnsted Fitness"): HistoryTransaction => row(day, name, minor);

test("the return and the second charge are left out, the first charge stands", (t) => {
  t.deepEqual(left(charged("2026-03-02"), back("2026-03-04"), charged("2026-03-16")), ["2026-03-02 -47013"]);
});

test("money that came back and was not charged again stays, and so does what was charged only once", (t) => {
  t.is(left(charged("2026-03-02"), back("2026-03-04")).length, 2);
  t.is(left(charged("2026-03-02"), charged("2026-04-02")).length, 2);
  t.is(left(back("2026-03-04"), charged("2026-03-16")).length, 2);
});

test("it comes back within ten days, and is charged again within three weeks of that", (t) => {
  const after = (days: number, then: number) =>
    left(charged("2026-03-02"), back(addDays("2026-03-02", days)), charged(addDays("2026-03-02", days + then))).length;
  t.deepEqual([after(10, 21), after(11, 21), after(10, 22)], [1, 3, 3]);
});

test("just the amount comes back; the second charge may cost a fee more, up to fifteen per cent or 150", (t) => {
  const again = (minor: number, first = 47_013) =>
    left(charged("2026-03-02", first), back("2026-03-04", first), charged("2026-03-16", minor)).length;
  t.is(left(charged("2026-03-02"), back("2026-03-04", 47_012), charged("2026-03-16")).length, 3);
  t.deepEqual([again(52_000), again(54_064), again(54_065), again(47_012)], [1, 1, 3, 3]);
  t.deepEqual([again(215_000, 200_000), again(215_001, 200_000)], [1, 3]);
});

test("the return may name the payee among the bank's words, and no other payee", (t) => {
  const named = (name: string) =>
    left(charged("2026-03-02"), back("2026-03-04", 47_013, name), charged("2026-03-16")).length;
  t.is(named("Ruecklastschrift Havnsted Fitness"), 1);
  t.is(named("Ruecklastschrift Havnsted"), 3, "only a part of the name");
  t.is(named("Lydbogen"), 3);
});

test("a name of short words must stand in the return's line whole", (t) => {
  const named = (paid: string, name: string) =>
    left(charged("2026-03-02", 47_013, paid), back("2026-03-04", 47_013, name), charged("2026-03-16", 47_013, paid))
      .length;
  t.is(named("EL NET", "Retur EL NET"), 1);
  t.is(named("EL NET", "Retur EL VAND"), 3);
});

test("the second charge is the same payee's", (t) => {
  t.is(left(charged("2026-03-02"), back("2026-03-04"), charged("2026-03-16", 47_013, "Lydbogen")).length, 3);
});

test("a second return is followed by a third charge of its own", (t) => {
  t.deepEqual(
    left(charged("2026-03-02"), back("2026-03-04"), charged("2026-03-09"), back("2026-03-11"), charged("2026-03-20")),
    ["2026-03-02 -47013"],
  );
});

test("what leaves comes in pairs of a return and a charge, and nothing else leaves", (t) => {
  const anyRow = fc.record({
    day: fc.integer({ min: 0, max: 60 }),
    minor: fc.constantFrom(-20_000, -20_000, -21_000, 20_000, 21_000),
    name: fc.constantFrom("Havnsted Fitness", "Lydbogen"),
  });
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 20 }), (drawn) => {
      const payments = prepare(
        drawn.map(({ day, minor, name }, index) => row(addDays("2026-01-01", day), name, minor, { txid: `${index}` })),
        "2026-12-31",
      );
      const kept = new Set<Payment>(withoutReversals(payments));
      const gone = payments.filter((payment) => !kept.has(payment));
      const signs = gone.map(({ transaction }) => Math.sign(transaction.amountMinor));
      t.is(signs.filter((sign) => sign > 0).length, signs.filter((sign) => sign < 0).length);
      t.deepEqual(
        [...kept],
        payments.filter((payment) => kept.has(payment)),
        "in their order",
      );
    }),
  );
});
