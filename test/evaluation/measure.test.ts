/** Recognised services are counted as hits, misses, alarms, duplicates and mixtures against the labelled truth. */
import test from "ava";
import type { Label, LabelledUser } from "../../src/evaluation/labelled.ts";
import { judge, type Verdict } from "../../src/evaluation/measure.ts";
import { addUser, emptyTally, scoreOf } from "../../src/evaluation/score.ts";
import type { HistoryTransaction, RecognisedService } from "../../src/recognition/recognise.ts";
import { everyDays, monthly, rows, services } from "../recognition/payments.ts";

const gym = rows(monthly("2026-01-12", 7), "Sundby Motion", -19_900);
const asOf = "2026-06-30";
const label = (payments: readonly HistoryTransaction[], more: Partial<Label> = {}): Label => ({
  gtId: "gym",
  uid: "anna",
  frequency: "MONTHLY",
  strict: true,
  txids: payments.map(({ txid }) => txid),
  ...more,
});
const user = (
  history: readonly HistoryTransaction[],
  labels: Label[],
  more: Partial<LabelledUser> = {},
): LabelledUser => ({
  uid: "anna",
  asOf,
  country: "DK",
  currency: "DKK",
  history: [...history],
  labels,
  ...more,
});
const verdicts = (one: LabelledUser, found: readonly RecognisedService[]): Verdict[] =>
  judge(one, found).services.map(({ verdict }) => verdict);
const found = (history: readonly HistoryTransaction[], day = asOf): RecognisedService => services(history, day)[0]!;

test("a service of a running series is a hit, and its predictions are held against the next payment", (t) => {
  const tally = emptyTally();
  addUser(tally, judge(user(gym, [label(gym, { names: "stable" })]), services(gym)));
  t.like(tally, {
    users: 1,
    due: 1,
    frequencyRight: 1,
    dated: 1,
    dayExact: 1,
    dayWithinThree: 1,
    amountWithinFivePercent: 1,
  });
  t.deepEqual(tally.slices.names, { stable: { due: 1, found: 1, frequencyRight: 1 } });
  t.like(scoreOf(tally), { precision: 1, recall: 1, f1: 1, falseAlarmsPerUserYear: 0 });
});

test("a series without a service is a miss", (t) => {
  const tally = emptyTally();
  addUser(tally, judge(user(gym, [label(gym)]), []));
  t.like(scoreOf(tally), { precision: 0, recall: 0, f1: 0 });
  t.is(tally.due, 1);
});

test("a service of no series is an alarm, once a year of history and user", (t) => {
  const tally = emptyTally();
  addUser(tally, judge(user(gym, []), services(gym)));
  t.is(tally.verdicts.false, 1);
  // From 12 January to 30 June are 169 days.
  t.is(scoreOf(tally).falseAlarmsPerUserYear.toFixed(3), (365 / 169).toFixed(3));
});

test("the better of two services is the hit, the other a duplicate, and one that fits badly is mixed", (t) => {
  const whole = found(gym);
  const part = { ...whole, payments: whole.payments.slice(3) };
  t.deepEqual(verdicts(user(gym, [label(gym)]), [part, whole]), ["duplicate", "hit"]);
  t.deepEqual(verdicts(user(gym, [label(gym)]), [{ ...whole, payments: whole.payments.slice(4) }]), ["mixed"]);
});

test("what need not be found counts neither way", (t) => {
  const one = found(gym);
  t.deepEqual(verdicts(user(gym, [label(gym, { strict: false })]), [one]), ["unjudged"]);
  t.deepEqual(verdicts(user(gym, []), [{ ...one, direction: "IN" }]), ["unjudged"]);
  t.deepEqual(verdicts(user(gym, []), [{ ...one, visibility: "UNDECIDED", payments: one.payments.slice(0, 2) }]), [
    "early",
  ]);
  t.deepEqual(verdicts(user(gym, []), [{ ...one, status: "INACTIVE" }]), []);
});

test("an ended series that is still called active is told, but not in the days in which nobody could know", (t) => {
  const past = gym.slice(0, 4);
  const stale = found(past, "2026-04-20");
  t.deepEqual(verdicts(user(past, [label(past)]), [stale]), ["ended"]);
  t.deepEqual(verdicts(user(past, [label(past)], { asOf: "2026-05-15" }), [stale]), ["unjudged"]);
});

test("half of the payments decide to which series a service belongs", (t) => {
  const bread = rows(everyDays("2026-01-03", 8, 20), "Bageren", -3_000);
  const one = found(gym);
  const mostlyBread = { ...one, payments: [...one.payments.slice(0, 2), ...bread.slice(0, 6)] };
  t.deepEqual(verdicts(user([...gym, ...bread], [label(gym)]), [mostlyBread]), ["false"]);
});
