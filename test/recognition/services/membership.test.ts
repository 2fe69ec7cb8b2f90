/** A small first payment that looks like a trial of a membership is warned of in time. */
import test from "ava";
import { membershipPayments } from "../../../src/recognition/services/membership.ts";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import type { Money } from "../../../src/money.ts";
import { context, row } from "../payments.ts";

/** A Swedish krona for 0.09 euro; nothing else is known. */
const convert = ({ minor, currency: from }: Money, currency: string): Money | null =>
  from === "SEK" && currency === "EUR" ? { minor: Math.round(minor * 0.09), currency } : null;
const warned = (...history: HistoryTransaction[]): string[] =>
  membershipPayments(history, context, convert).map(({ payeeKey, payment }) => `${payeeKey} ${payment.day}`);

/** Continuity and subscription merchants. */
const club = { mcc: 5968 };

test("a small first payment to a merchant of memberships is warned of", (t) => {
  t.deepEqual(warned(row("2026-06-12", "Skonhedsklubben", -1_900, club)), ["SKONHEDSKLUBBEN 2026-06-12"]);
});

test("so are telemarketing, direct marketing and dating, and no other category", (t) => {
  t.deepEqual(
    [5967, 5969, 7273].map((mcc) => warned(row("2026-06-12", "Klubben", -1_900, { mcc })).length),
    [1, 1, 1],
  );
  t.deepEqual(warned(row("2026-06-12", "Klubben", -1_900, { mcc: 5411 })), []);
  t.deepEqual(warned(row("2026-06-12", "Klubben", -1_900)), []);
});

test("a trial costs at most DKK 50 or EUR 7, in other currencies what they are worth", (t) => {
  const costs = (minor: number, currency: string): number =>
    warned(row("2026-06-12", "Klubben", -minor, { ...club, currency })).length;
  t.deepEqual([costs(5_000, "DKK"), costs(5_001, "DKK")], [1, 0]);
  t.deepEqual([costs(700, "EUR"), costs(701, "EUR")], [1, 0]);
  t.deepEqual([costs(7_782, "SEK"), costs(7_789, "SEK")], [1, 0], "EUR 7.00 and EUR 7.01");
  t.is(costs(1, "JPY"), 0, "no rate is known");
});

test("a product known for its trials is warned of whatever it costs", (t) => {
  t.deepEqual(warned(row("2026-06-12", "STORYTEL.COM", -12_900)), ["storytel 2026-06-12"]);
  t.deepEqual(warned(row("2026-06-12", "NETFLIX.COM", -100)), []);
});

test("after thirty days a warning is of no use, and before the day nobody knows", (t) => {
  t.deepEqual(warned(row("2026-06-01", "Klubben", -1_900, club)), ["KLUBBEN 2026-06-01"]);
  t.deepEqual(warned(row("2026-05-31", "Klubben", -1_900, club)), []);
  t.deepEqual(warned(row("2026-06-30", "Klubben", -1_900, club)), ["KLUBBEN 2026-06-30"]);
  t.deepEqual(warned(row("2026-07-01", "Klubben", -1_900, club)), []);
});

test("of a payee only the first payment is warned of", (t) => {
  t.deepEqual(warned(row("2026-06-12", "Klubben", -1_900, club), row("2026-06-19", "Klubben", -1_900, club)), [
    "KLUBBEN 2026-06-12",
  ]);
  t.deepEqual(warned(row("2026-03-12", "Klubben", -29_900, club), row("2026-06-12", "Klubben", -1_900, club)), []);
  t.deepEqual(
    warned(row("2026-06-10", "Klubben", -29_900, club), row("2026-06-12", "Klubben", -1_900, club)),
    [],
    "the first was no trial",
  );
});

test("money that came back, or cash that was taken out, is no earlier payment", (t) => {
  t.deepEqual(warned(row("2026-03-12", "Klubben", 29_900, club), row("2026-06-12", "Klubben", -1_900, club)), [
    "KLUBBEN 2026-06-12",
  ]);
  t.deepEqual(
    warned(
      row("2026-03-12", "Klubben", -29_900, { rawType: "CASH_WITHDRAWAL" }),
      row("2026-06-12", "Klubben", -1_900, club),
    ),
    ["KLUBBEN 2026-06-12"],
  );
});

test("money that comes in starts no membership", (t) => {
  t.deepEqual(warned(row("2026-06-12", "Klubben", 1_900, club)), []);
});
