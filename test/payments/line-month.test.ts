/** Lines that name the month for which is paid tell it where the days of the payments tell nothing. */
import test from "ava";
import { byMonthInLine } from "../../src/payments/line-day/line-month.ts";
import type { Payment } from "../../src/payments/payment.ts";
import { prepared } from "../recognition/obligations.ts";
import { row, services } from "../recognition/payments.ts";

const days = ["2026-01-07", "2026-02-19", "2026-03-02", "2026-04-26", "2026-05-11", "2026-06-03"];

const linesOf = (lineOf: (month: number) => string): Payment[] =>
  prepared(days.map((day, at) => row(day, lineOf(at + 1), -84_700)));

/** Day numbers, of the month in which each is put. */
const movedTo = (payments: readonly Payment[]): string[] =>
  byMonthInLine(payments).map(({ monthIndex, dayOfMonth }) => `${(monthIndex % 12) + 1}/${dayOfMonth}`);

const inTheMiddle = ["1/15", "2/15", "3/15", "4/15", "5/15", "6/15"];

test("a month and its year, in numbers or by name, are the month for which is paid", (t) => {
  t.deepEqual(movedTo(linesOf((month) => `Linje til Havnen ${month}/2026`)), inTheMiddle);
  t.deepEqual(movedTo(linesOf((month) => `Linje til Havnen 2026-0${month}`)), inTheMiddle);
  const german = ["Januar", "Februar", "März", "April", "Mai", "Juni"];
  t.deepEqual(movedTo(linesOf((month) => `Miete ${german[month - 1]} 2026`)), inTheMiddle);
  const czech = ["leden", "únor", "březen", "duben", "květen", "červen"];
  t.deepEqual(movedTo(linesOf((month) => `najem ${czech[month - 1]}`)).slice(0, 5), inTheMiddle.slice(0, 5), "without a year"); // prettier-ignore
});

test("what is part of a day or of a longer number is no month", (t) => {
  for (const lineOf of [
    (month: number) => `Linje til Havnen 07.0${month}.2026`,
    (month: number) => `Linje til Havnen 6076362/${month}/2026/7`,
    (month: number) => `Linje til Havnen 112${month}/2026`,
  ]) {
    const payments = linesOf(lineOf);
    t.is(byMonthInLine(payments), payments, lineOf(1));
  }
});

test("numbers far from the booking's month, or that come again, count something else", (t) => {
  for (const lineOf of [(month: number) => `Faktura ${month + 4}/2026`, () => "Kort 6/2026"]) {
    const payments = linesOf(lineOf);
    t.is(byMonthInLine(payments), payments, lineOf(1));
  }
});

test("lines of which some name no month stay where they are", (t) => {
  const payments = linesOf((month) => (month % 2 === 0 ? "Linje til Havnen" : `Linje til Havnen ${month}/2026`));
  t.is(byMonthInLine(payments), payments);
  const few = linesOf((month) => `Linje til Havnen ${month}/2026`).slice(0, 3);
  t.is(byMonthInLine(few), few, "three may be invoices");
});

test("who pays by hand for each month, on any day, pays monthly", (t) => {
  const paidFor = (lineOf: (month: number) => string) =>
    services(
      days.map((day, at) => row(day, lineOf(at + 1), -84_700)),
      "2026-06-20",
    ).map(({ paymentFrequency, payments }) => `${paymentFrequency} ${payments.length}`);
  t.deepEqual(
    paidFor((month) => `Linje til Havnen ${month}/2026`),
    ["MONTHLY 6"],
  );
});
