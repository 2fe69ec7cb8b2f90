/** A fixed expense that begins with another counterparty where one ended takes that one's place. */
import test from "ava";
import { addDays, type Day } from "../../../src/time/calendar.ts";
import type { HistoryTransaction, RecognisedService } from "../../../src/recognition/recognise.ts";
import { predecessorsOf } from "../../../src/recognition/services/predecessor.ts";
import { monthly, rows, services } from "../payments.ts";

/** Insurance by its merchant category, DKK 412 a month from the day on. */
const insured = (
  name: string,
  first: Day,
  count: number,
  minor = 41_213,
  more: Partial<HistoryTransaction> = { mcc: 6300 },
): RecognisedService => services(rows(monthly(first, count), name, -minor, { rawType: "DIRECT_DEBIT", ...more }))[0]!;
const pairs = (...all: RecognisedService[]): [number, number][] =>
  [...predecessorsOf(all, "DK")].toSorted((a, b) => a[0] - b[0]);

/** Last paid on 12 January, next due on 12 February. */
const old = insured("Kystens Assurance", "2025-06-12", 8);

test("the newer insurer names the older one, which has ended", (t) => {
  t.is(old.status, "INACTIVE");
  t.deepEqual(pairs(old, insured("Havnsted Forsikring", "2026-02-20", 5, 43_907)), [[1, 0]]);
  t.deepEqual(pairs(insured("Havnsted Forsikring", "2026-02-20", 5, 43_907), old), [[0, 1]], "in whatever order");
});

test("what still runs has no successor", (t) => {
  t.deepEqual(
    pairs(insured("Kystens Assurance", "2025-06-12", 13), insured("Havnsted Forsikring", "2026-02-20", 5)),
    [],
  );
});

test("it begins up to a month before the last payment, and to forty-five days after the next was due", (t) => {
  const from = (first: Day) =>
    pairs(old, {
      ...insured("Havnsted Forsikring", "2026-02-20", 5),
      payments: rows([first], "Havnsted Forsikring", -41_213),
    }).length;
  const due = old.nextExpectedDay;
  t.is(due, "2026-02-12");
  t.deepEqual([from(addDays(due, 45)), from(addDays(due, 46))], [1, 0]);
  t.deepEqual([from(addDays("2026-01-12", -31)), from(addDays("2026-01-12", -32))], [1, 0]);
});

test("it costs up to twice as much a day, or half", (t) => {
  const at = (minor: number) => pairs(old, insured("Havnsted Forsikring", "2026-02-20", 5, minor)).length;
  t.deepEqual([at(82_426), at(82_427), at(20_607), at(20_606)], [1, 0, 1, 0]);
});

test("the same payee takes no place of its own, and what is no fixed expense takes none", (t) => {
  t.deepEqual(pairs(old, { ...insured("Kystens Assurance", "2026-02-20", 5), key: "other" }), []);
  const paper = (name: string, first: Day, count: number) => insured(name, first, count, 41_213, { mcc: 5994 });
  t.deepEqual(pairs(paper("Bladet Lyset", "2025-06-12", 8), paper("Bladet Havn", "2026-02-20", 5)), []);
});

test("another kind of expense takes no place of an insurance", (t) => {
  t.deepEqual(pairs(old, insured("Havnsted Tele", "2026-02-20", 5, 41_213, { mcc: 4814 })), []);
});

test("one place is taken by one, the nearest to the day on which the old one was due", (t) => {
  const near = insured("Havnsted Forsikring", "2026-02-14", 5);
  const far = insured("Skovens Assurance", "2026-03-02", 4);
  t.deepEqual(pairs(old, far, near), [[2, 0]]);
  const another = insured("Dalens Forsikring", "2025-06-28", 9);
  t.is(another.nextExpectedDay, "2026-03-28");
  t.deepEqual(pairs(old, another, far, near), [
    [2, 1],
    [3, 0],
  ]);
});

test("without a cadence nothing takes a place, and income takes none", (t) => {
  const next = insured("Havnsted Forsikring", "2026-02-20", 5);
  t.deepEqual(pairs(old, { ...next, paymentFrequency: "UNKNOWN" }), []);
  t.deepEqual(pairs({ ...old, paymentFrequency: "UNKNOWN" }, next), []);
  t.deepEqual(pairs(old, { ...next, direction: "IN" }), []);
});
