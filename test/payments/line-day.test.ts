/** The day that a line names, in the ways in which banks write days, and numbers that only look like one. */
import test from "ava";
import { byDayInLine } from "../../src/payments/line-day/line-day.ts";
import { type Day, dayFromNumber } from "../../src/time/calendar.ts";
import { prepared } from "../recognition/obligations.ts";
import type { RecognisedService } from "../../src/recognition/recognise.ts";
import { row, services } from "../recognition/payments.ts";

const booked: readonly Day[] = ["2026-03-16", "2026-04-14", "2026-05-18"];

const told = (lines: readonly string[], days: readonly Day[] = booked): Day[] =>
  byDayInLine(prepared(lines.map((line, index) => row(days[index]!, line, -4_500)))).map(({ at }) => dayFromNumber(at));

test("a day that each line has in one way is the payment's", (t) => {
  const charged = ["2026-03-14", "2026-04-14", "2026-05-14"];
  t.deepEqual(told(["KORT 14.03 SUNDBY", "KORT 14.04 SUNDBY", "KORT 14.05 SUNDBY"]), charged);
  t.deepEqual(told(["KORT 14/03/26 SUNDBY", "KORT 14/04/26 SUNDBY", "KORT 14/05/26 SUNDBY"]), charged);
  t.deepEqual(told(["CARD 03/14 SUNDBY", "CARD 04/14 SUNDBY", "CARD 05/14 SUNDBY"]), charged);
  t.deepEqual(told(["CARD SUNDBY 14 MAR", "CARD SUNDBY 14 APR", "CARD SUNDBY 14 MAY"]), charged);
  t.deepEqual(told(["SUNDBY/140326/08:12", "SUNDBY/140426/11:40", "SUNDBY/140526/09:01"]), charged);
  t.deepEqual(told(["SUNDBY 2026-03-14", "SUNDBY 2026-04-14", "SUNDBY 2026-05-14"]), charged);
  t.deepEqual(told(["SUNDBY 20260314", "SUNDBY 20260414", "SUNDBY 20260514"]), charged);
});

test("of two days that a line names the earlier is that of the purchase", (t) => {
  t.deepEqual(
    told(["KORT 16.03.26 14.03.26 SUNDBY", "KORT 14.04.26 14.04.26 SUNDBY", "KORT 18.05.26 14.05.26 SUNDBY"]),
    ["2026-03-14", "2026-04-14", "2026-05-14"],
  );
});

test("a day of the year before is told across its end", (t) => {
  t.deepEqual(
    told(["KORT 30.12 SUNDBY", "KORT 30.01 SUNDBY", "KORT 27.02 SUNDBY"], ["2026-01-02", "2026-02-02", "2026-03-02"]),
    ["2025-12-30", "2026-01-30", "2026-02-27"],
  );
});

test("numbers that one line lacks, that lie after the booking or long before it are no days", (t) => {
  t.deepEqual(told(["KORT 14.03 SUNDBY", "KORT SUNDBY", "KORT 14.05 SUNDBY"]), booked);
  t.deepEqual(told(["KORT 17.03 SUNDBY", "KORT 14.04 SUNDBY", "KORT 14.05 SUNDBY"]), booked);
  t.deepEqual(told(["KORT 01.03 SUNDBY", "KORT 14.04 SUNDBY", "KORT 14.05 SUNDBY"]), booked);
  t.deepEqual(told(["KORT 14.03.25 SUNDBY", "KORT 14.04.26 SUNDBY", "KORT 14.05.26 SUNDBY"]), booked);
  t.deepEqual(told(["KORT 14.03 SUNDBY", "KORT 14.04 SUNDBY"]), booked.slice(0, 2));
  t.deepEqual(told(["KORT A14.03 SUNDBY", "KORT A14.04 SUNDBY", "KORT A14.05 SUNDBY"]), booked);
});

test("a month with its year is no day", (t) => {
  const days = ["2026-03-27", "2026-04-29", "2026-05-26"];
  t.deepEqual(told(["SUNDBY 03/26", "SUNDBY 04/26", "SUNDBY 05/26"], days), days);
});

test("lines that begin otherwise, as fees do, stay on their days", (t) => {
  t.deepEqual(
    told(
      ["KORT 14.03 SUNDBY", "KORT 14.04 SUNDBY", "GEBYR SUNDBY", "KORT 14.05 SUNDBY"],
      ["2026-03-16", "2026-04-14", "2026-05-17", "2026-05-18"],
    ),
    ["2026-03-14", "2026-04-14", "2026-05-14", "2026-05-17"],
  );
});

const charges = (days: readonly Day[], lines: readonly string[], amounts: readonly number[]): RecognisedService[] =>
  services(
    lines.map((line, index) => row(days[index]!, line, -amounts[index]!, { rawType: "CARD" })),
    "2026-06-30",
  );

test("charged to the day is an obligation, whatever days that was booked on; the next is a booking", (t) => {
  const days = ["2026-04-15", "2026-05-20", "2026-06-16"];
  const amounts = [47_127, 45_102, 43_936];
  t.deepEqual(charges(days, ["SUNDBY LYD", "SUNDBY LYD", "SUNDBY LYD"], amounts), []);
  const [service, ...more] = charges(days, ["SUNDBY LYD 14 APR", "SUNDBY LYD 14 MAY", "SUNDBY LYD 14 JUN"], amounts);
  t.deepEqual(more, []);
  t.deepEqual(
    service?.payments.map(({ day }) => day),
    days,
  );
  t.true((service?.nextExpectedDay ?? "") >= "2026-07-15", service?.nextExpectedDay);
});

test("what is booked on one day of the month is no obligation where the lines say that it was bought on others", (t) => {
  const days = ["2026-04-16", "2026-05-18", "2026-06-16"];
  const amounts = [45_000, 45_000, 45_000];
  t.is(charges(days, ["KORT SUNDBY BAR", "KORT SUNDBY BAR", "KORT SUNDBY BAR"], amounts).length, 1);
  t.deepEqual(charges(days, ["KORT 15.04 SUNDBY BAR", "KORT 11.05 SUNDBY BAR", "KORT 16.06 SUNDBY BAR"], amounts), []);
});
