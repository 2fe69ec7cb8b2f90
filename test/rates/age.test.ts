/** Rates are old after four banking days of the publisher's calendar; today's own are not due yet. */
import test from "ava";
import { ageOf, publishedBy } from "../../src/rates/age.ts";

test("banking days are counted between the newest rates and today", (t) => {
  // 2026-04-13 is a Monday.
  t.deepEqual(ageOf("2026-04-13", "2026-04-13"), { newest: "2026-04-13", bankingDays: 0, isOld: false });
  t.is(ageOf("2026-04-13", "2026-04-14").bankingDays, 0);
  t.is(ageOf("2026-04-13", "2026-04-15").bankingDays, 1);
  t.is(ageOf("2026-04-13", "2026-04-20").bankingDays, 4);
  t.false(ageOf("2026-04-13", "2026-04-20").isOld);
  t.deepEqual(ageOf("2026-04-13", "2026-04-21"), { newest: "2026-04-13", bankingDays: 5, isOld: true });
  t.is(ageOf("2026-04-13", "2026-08-11").bankingDays, 84, "120 days, 1 May and weekends left out");
});

test("holidays of the publisher make nothing old, and neither does a clock that stands earlier", (t) => {
  // Good Friday is 3 April and Easter Monday 6 April.
  t.is(ageOf("2026-04-02", "2026-04-07").bankingDays, 0);
  t.is(ageOf("2026-04-13", "2026-01-01").bankingDays, 0);
});

test("no rates at all are old", (t) => {
  t.deepEqual(ageOf(null, "2026-04-13"), { newest: null, bankingDays: null, isOld: true });
});

test("a banking day's rates are expected from its evening on", (t) => {
  t.is(publishedBy(new Date("2026-04-14T14:59:59Z")), "2026-04-13");
  t.is(publishedBy(new Date("2026-04-14T15:00:00Z")), "2026-04-14", "17:00 in summer");
  t.is(publishedBy(new Date("2026-01-14T15:59:59Z")), "2026-01-13");
  t.is(publishedBy(new Date("2026-01-14T16:00:00Z")), "2026-01-14");
  t.is(publishedBy(new Date("2026-04-18T20:00:00Z")), "2026-04-17", "on a Saturday Friday's");
  t.is(publishedBy(new Date("2026-04-06T20:00:00Z")), "2026-04-02", "on Easter Monday Maundy Thursday's");
});
