/** Times as pages show them: the bank's, and what they are in UTC, told so that nobody mistakes one day for the other. */
import test from "ava";
import { duration, when } from "../../src/console/templates/times.ts";

const year = new Date().getUTCFullYear();

function shown(instant: Date, zone: string | undefined): string {
  return when(instant, zone)
    .toString()
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

test("in UTC it has a day and a month of its own where the day is another", (t) => {
  const zone = "Europe/Copenhagen";
  t.is(shown(new Date(`${year}-11-23T22:09:30Z`), zone), "23 Nov 23:09:30 22:09 UTC");
  t.is(shown(new Date(`${year}-11-23T23:09:30Z`), zone), "24 Nov 00:09:30 23 Nov 23:09 UTC");
  t.is(shown(new Date(`${year}-11-30T23:09:30Z`), zone), "1 Dec 00:09:30 30 Nov 23:09 UTC");
  t.is(shown(new Date("2019-11-23T12:00:00Z"), zone), "23 Nov 2019 13:00:00 12:00 UTC");
  t.is(shown(new Date("2019-11-23T12:00:00Z"), undefined), "23 Nov 2019 12:00:00 UTC");
});

test("a duration has its two largest units, and no noughts", (t) => {
  t.deepEqual([0, 940, 61_000, 3_600_000, 11_520_000, 90_000_000].map(duration), [
    "0 ms",
    "940 ms",
    "1 min 1 s",
    "1 h",
    "3 h 12 min",
    "1 d 1 h",
  ]);
});
