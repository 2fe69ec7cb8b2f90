/** The business day is that of the brand's zone, or starts at the day that is given and goes on from there. */
import test from "ava";
import { createClock, dayIn } from "../../src/time/clock.ts";

test("the business day is the day in the brand's zone", (t) => {
  const clock = createClock(undefined, undefined, () => new Date("2026-03-29T22:30:00Z"));
  t.is(clock.today("Europe/Copenhagen"), "2026-03-30");
  t.is(clock.today("Atlantic/Reykjavik"), "2026-03-29");
});

test("as of a day, the business clock starts there and ticks at each zone's midnight", (t) => {
  let now = new Date("2026-10-24T20:00:00Z");
  const clock = createClock("1994-02-28", now, () => now);
  t.is(clock.today("Europe/Prague"), "1994-02-28");
  // Summer time ends in that night: it has 25 hours and is still one midnight.
  now = new Date("2026-10-24T22:30:00Z");
  t.is(clock.today("Europe/Prague"), "1994-03-01");
  t.is(clock.today("Europe/London"), "1994-02-28");
  now = new Date("2026-10-25T22:59:00Z");
  t.is(clock.today("Europe/Prague"), "1994-03-01");
  now = new Date("2026-10-25T23:00:00Z");
  t.is(clock.today("Europe/Prague"), "1994-03-02");
});

test("a day in a zone is written as ISO 8601", (t) => {
  t.is(dayIn("Pacific/Auckland", new Date("2025-12-31T11:00:00Z")), "2026-01-01");
});
