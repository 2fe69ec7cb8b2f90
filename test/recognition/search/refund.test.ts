/** What a payee gives back within ninety days belongs to the obligation that it was paid for. */
import test from "ava";
import { dayFromNumber } from "../../../src/time/calendar.ts";
import type { Obligation } from "../../../src/recognition/search/obligation.ts";
import { refundsOf } from "../../../src/recognition/search/refund.ts";
import { obligationWith, paid, payeeWith } from "../obligations.ts";
import { monthly } from "../payments.ts";

const gym = obligationWith(paid(monthly("2026-01-12", 3), 19_900));
const back = (day: string, minor: number, name = "Sundby Motion") => payeeWith(paid([day], -minor, name));
const days = (refunds: Map<Obligation, { day: string }[]>, obligation: Obligation): string[] | undefined =>
  refunds.get(obligation)?.map(({ day }) => day);

test("what the payee gives back after a payment belongs to the obligation, oldest first", (t) => {
  const income = payeeWith([...back("2026-02-20", 5_000).payments, ...back("2026-03-30", 19_900).payments]);
  t.deepEqual(days(refundsOf([gym], [gym.payee, income]), gym), ["2026-02-20", "2026-03-30"]);
});

test("on the day of the payment it may come back at once, before the first payment nothing can", (t) => {
  t.deepEqual(days(refundsOf([gym], [back("2026-01-12", 19_900)]), gym), ["2026-01-12"]);
  t.is(refundsOf([gym], [back("2026-01-11", 19_900)]).size, 0);
});

test("more than was paid is no refund", (t) => {
  t.is(refundsOf([gym], [back("2026-02-20", 19_901)]).size, 0);
  t.is(refundsOf([gym], [back("2026-02-20", 19_900)]).size, 1);
});

test("ninety days after the last payment it is no refund of it", (t) => {
  const last = gym.payments.at(-1)!.at;
  t.is(refundsOf([gym], [back(dayFromNumber(last + 90), 100)]).size, 1);
  t.is(refundsOf([gym], [back(dayFromNumber(last + 91), 100)]).size, 0);
});

test("what somebody else pays is nobody's refund", (t) => {
  t.is(refundsOf([gym], [back("2026-02-20", 5_000, "Puls Fitness")]).size, 0);
});

test("a refund under an earlier name belongs to the obligation", (t) => {
  const renamed = { ...gym, aliases: ["PULS FITNESS"] };
  t.deepEqual(days(refundsOf([renamed], [back("2026-02-20", 5_000, "Puls Fitness")]), renamed), ["2026-02-20"]);
});

test("of two obligations at the payee the one paid last before it is refunded, if it cost enough", (t) => {
  const early = obligationWith(paid(monthly("2026-01-05", 3), 30_000));
  const late = obligationWith(paid(monthly("2026-01-20", 3), 10_000));
  const refunded = (minor: number) => refundsOf([early, late], [back("2026-02-25", minor)]);
  t.deepEqual([days(refunded(9_000), early), days(refunded(9_000), late)], [undefined, ["2026-02-25"]]);
  t.deepEqual([days(refunded(20_000), early), days(refunded(20_000), late)], [["2026-02-25"], undefined]);
});

test("what is earned regularly is income and no refund", (t) => {
  const salary = payeeWith(paid(monthly("2026-01-15", 3), -1_000));
  const earned = obligationWith(salary.payments);
  t.is(refundsOf([gym, earned], [gym.payee, salary]).size, 0);
  t.is(refundsOf([gym], [gym.payee, salary]).get(gym)?.length, 3);
});

test("income has no refunds, and what leaves is none", (t) => {
  const earned = obligationWith(paid(monthly("2026-01-12", 3), -19_900));
  t.is(refundsOf([earned], [earned.payee, back("2026-02-20", 5_000)]).size, 0);
  t.is(refundsOf([gym], [payeeWith(paid(["2026-02-20"], 5_000))]).size, 0);
});
