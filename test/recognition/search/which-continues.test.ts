/** Which of several runs that ended goes on where a new one begins. */
import test from "ava";
import { type Day, dayFromNumber } from "../../../src/time/calendar.ts";
import { confidenceOf } from "../../../src/recognition/search/confidence.ts";
import { joinContinuations } from "../../../src/recognition/search/continuation.ts";
import { kinshipOf } from "../../../src/recognition/search/kinship.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import type { Obligation } from "../../../src/recognition/search/obligation.ts";
import { daysOf, obligationWith, paid, payeeWith, prepared } from "../obligations.ts";
import { monthly, row } from "../payments.ts";
import { present } from "../../../src/present.ts";

test("after a pause the run goes on that has its number and its day, and not the one that ended last", (t) => {
  const numbered = (first: Day, count: number): Payment[] =>
    prepared(monthly(first, count).map((day) => row(day, "Sundby Motion", -19_951, { description: "KUNDE 4401277" })));
  const before = numbered("2024-08-05", 6);
  const between = paid(monthly("2025-04-20", 4), 19_951);
  const after = numbered("2025-09-05", 4);
  const payee = payeeWith([...before, ...between, ...after]);
  const runs = [before, between, after].map((run) => obligationWith(run, "MONTHLY", payee));
  const joined = joinContinuations(runs, kinshipOf([payee]), "DK");
  t.deepEqual(
    joined.map(({ payments }) => payments.length).toSorted((a, b) => a - b),
    [4, 10],
  );
  t.deepEqual(
    daysOf(joined.find(({ payments }) => payments.length === 10)!.payments),
    [...before, ...after].map(({ at }) => dayFromNumber(at)),
  );
});

test("of two names that end alike the new one is the one's that began first", (t) => {
  const bill = (name: string, first: Day, count: number): Obligation =>
    obligationWith(paid(monthly(first, count), 19_951, name));
  const runs = [bill("Sundby Motion", "2025-08-12", 7), bill("Nordlys Spa", "2025-09-12", 6)];
  const next = bill("Puls Form", "2026-03-12", 4);
  const all = [...runs, next];
  t.deepEqual(
    joinContinuations(all, kinshipOf(all.map(({ payee }) => payee)), "DK")
      .map(({ title, payments }) => `${title} ${payments.length}`)
      .toSorted(),
    ["Nordlys Spa 6", "Puls Form 11"],
  );
});

test("two short runs, one the other gone on, are together as sure as the surer of them", (t) => {
  const days = [monthly("2025-09-12", 2), monthly("2025-11-12", 3)].map((due) => paid(due, 999));
  const payee = payeeWith(days.flat());
  const [first, second] = days.map((run) => obligationWith(run, "MONTHLY", payee)) as [Obligation, Obligation];
  const runs = [
    { ...first, logOdds: 0.8 },
    { ...second, logOdds: 1.9 },
  ];
  const [one, ...others] = joinContinuations(runs, kinshipOf([payee]), "DK");
  t.deepEqual([one?.payments.length, others], [5, []]);
  t.true(confidenceOf(present(one, "what goes on")) >= Math.max(...runs.map(confidenceOf)));
});
