/** When an expected file is due follows from its days, holidays, cutoff, zone and grace, through summer time too. */
import test from "ava";
import {
  cutoffOf,
  dueBefore,
  isDueDay,
  namePattern,
  occurrencesDue,
} from "../../../src/landing/expected/occurrences.ts";
import type { ExpectedFile } from "../../../src/partners/settings/expected-files.ts";

const nightly: ExpectedFile = {
  name: "nightly",
  pattern: "tx-{YYYY}{MM}{DD}.jwe",
  cutoff: "06:00",
  timeZone: "Europe/Copenhagen",
  days: "daily",
  graceMinutes: 15,
  since: "2026-01-01T00:00:00.000Z",
};

function daysAmong(days: ExpectedFile["days"], from: number, to: number, country?: string): string[] {
  const all = Array.from({ length: to - from + 1 }, (_, index) => `2026-05-${String(from + index).padStart(2, "0")}`);
  return all.filter((day) => isDueDay({ ...nightly, days, ...(country ? { country } : {}) }, day));
}

test("weekdays are Monday to Friday", (t) => {
  t.deepEqual(daysAmong("weekdays", 8, 12), ["2026-05-08", "2026-05-11", "2026-05-12"]);
});

test("banking days leave out a country's holidays", (t) => {
  // In Denmark Ascension is 14 May 2026, and banks are closed on the Friday after it.
  t.deepEqual(daysAmong("banking-days", 13, 18, "DK"), ["2026-05-13", "2026-05-18"]);
  t.deepEqual(daysAmong("banking-days", 13, 18, "NO"), ["2026-05-13", "2026-05-15", "2026-05-18"]);
});

test("chosen weekdays are due", (t) => {
  t.deepEqual(daysAmong({ weekdays: [1, 7] }, 1, 14), ["2026-05-03", "2026-05-04", "2026-05-10", "2026-05-11"]);
});

test("days of the month end with the month, and move to a banking day where a country is named", (t) => {
  t.deepEqual(daysAmong({ monthDays: [1, -1] }, 1, 31), ["2026-05-01", "2026-05-31"]);
  t.true(isDueDay({ ...nightly, days: { monthDays: [31] } }, "2026-02-28"));
  // 1 May is a holiday in Norway and a Friday: due on Monday. 31 May is a Sunday.
  t.deepEqual(daysAmong({ monthDays: [1, -1] }, 1, 31, "NO"), ["2026-05-04"]);
  t.true(isDueDay({ ...nightly, days: { monthDays: [-1] }, country: "NO" }, "2026-06-01"));
});

test("a cutoff is a time of day in its zone, summer and winter", (t) => {
  t.is(cutoffOf(nightly, "2026-01-15").toISOString(), "2026-01-15T05:00:00.000Z");
  t.is(cutoffOf(nightly, "2026-07-15").toISOString(), "2026-07-15T04:00:00.000Z");
  t.is(
    cutoffOf({ cutoff: "23:30", timeZone: "Atlantic/Reykjavik" }, "2026-07-15").toISOString(),
    "2026-07-15T23:30:00.000Z",
  );
});

test("a time that summer time leaves out is an hour later, and of one that comes twice the later counts", (t) => {
  const early = { cutoff: "02:30", timeZone: "Europe/Copenhagen" };
  t.is(cutoffOf(early, "2026-03-29").toISOString(), "2026-03-29T01:30:00.000Z");
  t.is(cutoffOf(early, "2026-10-25").toISOString(), "2026-10-25T01:30:00.000Z");
});

test("an occurrence is due after its grace, once, however long nobody looked", (t) => {
  const at = (text: string) => new Date(text);
  t.deepEqual(occurrencesDue(nightly, at("2026-03-28T05:00:00Z"), at("2026-03-28T05:14:59Z")), []);
  t.deepEqual(occurrencesDue(nightly, at("2026-03-28T05:15:00Z"), at("2026-03-28T05:15:00Z")), []);
  const due = occurrencesDue(nightly, at("2026-03-28T05:14:59Z"), at("2026-03-30T12:00:00Z"));
  t.deepEqual(
    due.map((one) => [one.day, one.dueAt.toISOString()]),
    [
      ["2026-03-28", "2026-03-28T05:15:00.000Z"],
      ["2026-03-29", "2026-03-29T04:15:00.000Z"],
      ["2026-03-30", "2026-03-30T04:15:00.000Z"],
    ],
  );
  t.is(dueBefore(nightly, "2026-03-29").toISOString(), "2026-03-28T05:15:00.000Z");
});

test("grace may reach into the next day", (t) => {
  const late: ExpectedFile = { ...nightly, cutoff: "23:50", graceMinutes: 60 };
  const [due] = occurrencesDue(late, new Date("2026-07-01T22:00:00Z"), new Date("2026-07-01T22:50:00Z"));
  t.is(due?.day, "2026-07-01");
});

test("at most a thousand occurrences are made up for, the latest", (t) => {
  const due = occurrencesDue(nightly, new Date(0), new Date("2026-07-01T12:00:00Z"));
  t.is(due.length, 1000);
  t.is(due.at(-1)?.day, "2026-07-01");
});

const names: readonly (readonly [pattern: string, name: string, fits: boolean])[] = [
  ["tx-{YYYY}{MM}{DD}.jwe", "tx-20260501.jwe", true],
  ["tx-{YYYY}{MM}{DD}.jwe", "tx-20260502.jwe", false],
  ["tx-{YY}-{MM}-{DD}*.jwe", "tx-26-05-01-a.jwe", true],
  ["*.jwe", "any.jwe", true],
  ["*.jwe", "folder/any.jwe", false],
  ["*/day-?.jwe", "2026/day-1.jwe", true],
  ["a+b(c).jwe", "a+b(c).jwe", true],
  ["a.jwe", "aXjwe", false],
];

for (const [pattern, name, fits] of names) {
  test(`${name} ${fits ? "fits" : "does not fit"} ${pattern}`, (t) => {
    t.is(namePattern(pattern, "2026-05-01").test(name), fits);
  });
}
