/** Payments that count themselves are instalments, and a date or a number beside a name is none. */
import test from "ava";
import { type Instalments, instalmentsOf } from "../../../src/recognition/search/instalments.ts";
import type { Day } from "../../../src/time/calendar.ts";
import fc from "../../property.ts";
import { prepared } from "../obligations.ts";
import { monthly, row } from "../payments.ts";

/** Of monthly payments with these texts. */
const counted = (...texts: string[]): Instalments | null =>
  instalmentsOf(prepared(monthly("2026-01-12", texts.length).map((day, index) => row(day, texts[index]!, -20_000))));

test("payments that count up against one total say how far it is paid", (t) => {
  t.deepEqual(counted("Sofahuset RATE 3/12", "Sofahuset RATE 4/12", "Sofahuset RATE 5/12"), { paid: 5, total: 12 });
  t.deepEqual(counted("Sofahuset 11/12", "Sofahuset 12/12"), { paid: 12, total: 12 });
});

for (const word of ["OF", "VON", "AV", "AF", "VAN", "SUR", "DE", "Z", "ZE", "DI", "von", "of"])
  test(`"2 ${word} 3" counts`, (t) => {
    t.deepEqual(counted(`Sofahuset 1 ${word} 3`, `Sofahuset 2 ${word} 3`), { paid: 2, total: 3 });
  });

test("the count may stand in the description behind the merchant's name, or in the name", (t) => {
  const named = (index: number) =>
    row(monthly("2026-01-12", 3)[index]!, `Rate ${index + 1} von 3`, -20_000, { merchantName: "Sofahuset" });
  t.deepEqual(instalmentsOf(prepared([named(0), named(1)])), { paid: 2, total: 3 });
  const inName = (index: number) =>
    row(monthly("2026-01-12", 3)[index]!, "Kortkøb", -20_000, { merchantName: `Sofahuset ${index + 1}/3` });
  t.deepEqual(instalmentsOf(prepared([inName(0), inName(1)])), { paid: 2, total: 3 });
});

test("a single payment counts nothing: 12/12 is also a date", (t) => {
  t.is(counted("Sofahuset 12/12"), null);
});

test("what does not count up by one at the end counts nothing", (t) => {
  t.is(counted("Sofahuset 3/12", "Sofahuset 3/12"), null);
  t.is(counted("Sofahuset 5/12", "Sofahuset 4/12"), null);
  t.is(counted("Sofahuset 3/12", "Sofahuset 5/12"), null);
  t.is(counted("Sofahuset 3/12", "Sofahuset 4/11"), null, "against another total");
  t.is(counted("Sofahuset 3/12", "Sofahuset"), null);
});

test("a number that came back earlier counts nothing: on the 11th and 12th of each December it is a date", (t) => {
  t.is(counted("Sofahuset 11/12", "Sofahuset 12/12", "Sofahuset 11/12", "Sofahuset 12/12"), null);
});

test("the day of the purchase, in whatever order, counts up month by month and is no count", (t) => {
  const lines = ["02/04", "03/04", "04/04"];
  const on = (days: readonly Day[], texts: readonly string[]): Instalments | null =>
    instalmentsOf(prepared(days.map((day, index) => row(day, `Sofahuset CA ${texts[index]}`, -20_000))));
  t.is(on(["2026-02-06", "2026-03-04", "2026-04-06"], lines), null, "months first");
  t.is(
    on(["2026-04-02", "2026-04-03", "2026-04-11"], ["02/04", "03/04", "04/04"]),
    null,
    "days first, seven days late",
  );
  t.deepEqual(
    on(["2026-02-06", "2026-03-04", "2026-05-06"], lines),
    { paid: 4, total: 4 },
    "one that is no day of its",
  );
  t.deepEqual(on(["2026-02-04", "2026-03-04", "2026-04-04"], ["2/4", "3/4", "4/4"]), { paid: 4, total: 4 });
});

test("a payment without a count in between leaves the count what it is", (t) => {
  t.deepEqual(counted("Sofahuset 1/6", "Sofahuset", "Sofahuset 3/6", "Sofahuset 4/6"), { paid: 4, total: 6 });
});

test("nothing is counted from nought, beyond the total, towards one, or towards more than a hundred and twenty", (t) => {
  t.is(counted("Sofahuset 0/12", "Sofahuset 1/12"), null, "of nought");
  t.is(counted("Sofahuset 12/12", "Sofahuset 13/12"), null);
  t.is(counted("Sofahuset 0/1", "Sofahuset 1/1"), null);
  t.deepEqual(counted("Sofahuset 1/2", "Sofahuset 2/2"), { paid: 2, total: 2 });
  t.deepEqual(counted("Sofahuset 1/120", "Sofahuset 2/120"), { paid: 2, total: 120 });
  t.is(counted("Sofahuset 1/121", "Sofahuset 2/121"), null);
});

test("a number within a word or a longer number is no count", (t) => {
  t.is(counted("Sofahuset A1/6", "Sofahuset A2/6"), null);
  t.is(counted("Sofahuset 0001/6", "Sofahuset 0002/6"), null);
});

test("a plan is told as far as its last payment says, whatever the number it began with", (t) => {
  const plan = fc.record({
    total: fc.integer({ min: 2, max: 120 }),
    from: fc.nat(),
    length: fc.integer({ min: 2, max: 40 }),
  });
  fc.assert(
    fc.property(plan, ({ total, from, length }) => {
      const first = 1 + (from % (total - 1));
      const numbers = Array.from({ length }, (_, index) => first + index).filter((number) => number <= total);
      t.deepEqual(counted(...numbers.map((number) => `Sofahuset ${number}/${total}`)), {
        paid: numbers.at(-1)!,
        total,
      });
    }),
  );
});
