/** The year that a line counts behind a word, told from dates, references and whatever else looks like one. */
import test from "ava";
import type { Day } from "../../src/time/calendar.ts";
import { prepare } from "../../src/payments/history.ts";
import { countsYears } from "../../src/payments/line-day/year-counter.ts";
import { row } from "../recognition/payments.ts";

type Line = readonly [day: Day, line: string];

const counts = (...lines: readonly [Line, Line]): boolean => {
  const [earlier, later] = lines.map(([day, line]) => prepare([row(day, line, -9_900)], "2030-01-01")[0]!);
  return countsYears(earlier!, later!);
};
const inMarch = (before: string, after: string): boolean => counts(["2025-03-10", before], ["2026-03-12", after]);

test("a year behind a word that moves on with the payments is counted, whatever else is written", (t) => {
  t.true(inMarch("Tandlæge Kontingent 2025, nr 4", "Kontingent 2026 tandlæge"));
  t.true(inMarch("Kartenpreis für 2025/Karte", "Kartenpreis für 2026/Karte"));
  t.true(inMarch("4.Rate 25 Grundabgabe", "1.Rate 26 Grundabgabe"), "in two digits, behind an instalment's number");
  t.true(inMarch("20.Rate 25 Grundabgabe", "12.Rate 26 Grundabgabe"));
  t.true(inMarch("2.Rate 25 Grundabgabe", "4.Rate 26 Grundabgabe"), "which lies no week before the booking");
  t.true(inMarch("Nr 8 til Kontingent 2025", "Nr 9 til Kontingent 2026"));
  t.true(inMarch("Medlemsavgift (2025)", "Medlemsavgift: 2026"));
});

test("letters that a bank broke, and words that it wrote together, change no word", (t) => {
  t.true(inMarch("\u{FFFD}rsavgift 2025, BR1", "Årsavgift 2026, BR1"));
  t.true(inMarch("Gesamtrate 25", "Rate 26"));
  t.false(inMarch("Nr 25", "Knr 26"), "which end alike in too few letters");
  t.false(inMarch("Rate 25", "Raten 26"));
  t.false(inMarch("Gebuhr 2025", "Kontingent 2026"));
});

test("a year is paid in it, in the one before or in the one after, and the same each time", (t) => {
  t.true(inMarch("Kontingent 2024", "Kontingent 2025"));
  t.true(inMarch("Kontingent 2026", "Kontingent 2027"));
  t.false(inMarch("Kontingent 2023", "Kontingent 2024"));
  t.false(inMarch("Kontingent 2025", "Kontingent 2025"));
  t.false(inMarch("Kontingent 2025", "Kontingent 2027"));
  t.false(inMarch("Kontingent", "Kontingent 2026"));
});

test("as many years as have passed are counted, and within one year none", (t) => {
  t.true(counts(["2024-03-10", "Kontingent 2024"], ["2026-03-10", "Kontingent 2026"]));
  t.false(counts(["2024-03-10", "Kontingent 2024"], ["2026-03-10", "Kontingent 2025"]));
  t.false(counts(["2026-03-10", "Kontingent 2026"], ["2026-09-10", "Kontingent 2026"]));
});

test("the year of a date, of a reference or of an amount is none that is counted", (t) => {
  t.false(inMarch("Sundby Motion 10 MAR 25", "Sundby Motion 12 MAR 26"));
  t.false(inMarch("Sundby Motion 06MAR25", "Sundby Motion 05MAR26"), "booked days later");
  t.false(inMarch("Sundby den 25.03", "Sundby den 26.03"));
  t.false(inMarch("Faktura 2025-118", "Faktura 2026-204"));
  t.false(inMarch("Faktura 2025118", "Faktura 2026204"));
  t.false(inMarch("Sundby EUR 25,50", "Sundby EUR 26,50"));
  t.false(counts(["2025-01-02", "Sundby 30DEC25"], ["2026-01-02", "Sundby 30DEC26"]), "over a month's end");
  t.true(inMarch("20 Liter 25", "20 Liter 26"), "a day that lies not before the booking is no day");
});
