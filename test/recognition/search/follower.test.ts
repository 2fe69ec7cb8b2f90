/** Fees that only follow other payments are told from what is owed by itself. */
import test from "ava";
import { type Day, addDays } from "../../../src/time/calendar.ts";
import { followsOthers, outgoingOf } from "../../../src/recognition/search/follower.ts";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import type { Payee } from "../../../src/payments/payee.ts";
import { payeeWith, prepared } from "../obligations.ts";
import { everyDays, monthly, row } from "../payments.ts";

/** Days that keep no date. */
const days: Day[] = ["2026-01-03", "2026-01-21", "2026-01-24", "2026-03-02", "2026-03-05", "2026-05-19"];
const purchases = [100_000, 64_000, 230_000, 51_000, 180_000, 77_000];

const paidTo = (
  name: string,
  on: readonly Day[],
  minors: readonly number[],
  more: Partial<HistoryTransaction> = {},
  payee: Parameters<typeof payeeWith>[1] = {},
): Payee => payeeWith(prepared(on.map((day, index) => row(day, name, -minors[index % minors.length]!, more))), payee);
const follows = (fee: Payee, ...others: Payee[]): boolean =>
  followsOthers(fee, outgoingOf([fee, ...others].flatMap(({ payments }) => payments)));

const abroad = paidTo("Kasa Praha", days, purchases);
const share = (times: number): number[] => purchases.map((minor) => Math.round(minor * times));

test("a fee that is the same share of each purchase follows the purchases", (t) => {
  t.true(follows(paidTo("Valutagebyr", days, share(0.02)), abroad));
  t.false(follows(paidTo("Valutagebyr", days, share(0.02))), "by itself it follows nothing");
  const manyShops = days.map((day, index) => paidTo(`Kasa ${"ABCDEF"[index]}`, [day], [purchases[index]!]));
  t.true(follows(paidTo("Valutagebyr", days, share(0.02)), ...manyShops), "wherever they were made");
});

test("it comes on the day of the purchase or up to two days later", (t) => {
  const late = (lag: number) =>
    follows(
      paidTo(
        "Valutagebyr",
        days.map((day) => addDays(day, lag)),
        share(0.02),
      ),
      abroad,
    );
  t.deepEqual([late(0), late(2), late(3), late(-1)], [true, true, false, false]);
});

test("it is a small part of the purchase: an eighth is none", (t) => {
  t.true(follows(paidTo("Valutagebyr", days, share(0.119)), abroad));
  t.false(follows(paidTo("Valutagebyr", days, share(0.125)), abroad));
});

test("amounts that are now this and now that share of the purchases are their own", (t) => {
  const fees = [2_000, 3_100, 2_400, 1_900, 5_400, 1_000];
  const regular = paidTo("Kasa Praha", monthly("2026-01-12", 6), purchases);
  t.false(follows(paidTo("Lydbogen", monthly("2026-01-12", 6), fees), regular));
});

test("a fee that was raised once is the old share of the purchases before and the new one of those since", (t) => {
  const often = everyDays("2026-01-03", 16, 11);
  const prices = often.map((_, index) => 40_000 + ((index * 7_919) % 13) * 5_000);
  const shops = paidTo("Kasa Praha", often, prices);
  const raised = (before: number, since: number) =>
    prices.map((minor, index) => Math.round(minor * (index < 8 ? before : since)));
  t.true(follows(paidTo("Valutagebyr", often, raised(0.03, 0.035)), shops));
  t.false(follows(paidTo("Valutagebyr", often, raised(0.02, 0.035)), shops), "not to nearly twice as much");
});

test("a price that wanders by a few per cent is no share of what is fixed, however often both come together", (t) => {
  const firsts = monthly("2025-01-01", 16);
  const rent = paidTo("Roret Bolig", firsts, [80_000]);
  const abroad = firsts.map((_, index) => 4_200 + ((index * 7) % 9) * 25);
  t.false(follows(paidTo("Skydisk", firsts, abroad), rent));
  t.true(follows(paidTo("Skydisk", firsts, [800, 1_000, 1_300]), paidTo("Kasa", firsts, [80_000, 100_000, 130_000])));
});

test("two fixed prices are no two shares of what is fixed as well", (t) => {
  const firsts = monthly("2025-01-01", 16);
  const rent = paidTo("Roret Bolig", firsts, [800_000]);
  const premium = firsts.map((_, index) => (index < 8 ? 13_320 : 14_645));
  t.false(follows(paidTo("Garn Forsikring", firsts, premium), rent));
});

test("three payments must be there, in most of which something is followed", (t) => {
  t.false(follows(paidTo("Valutagebyr", days.slice(0, 2), share(0.02)), abroad));
  t.true(follows(paidTo("Valutagebyr", days.slice(0, 3), share(0.02)), abroad));
  const oneAlone = [...days, "2026-06-20"];
  t.true(follows(paidTo("Valutagebyr", oneAlone, [...share(0.02), 1_000]), abroad), "six of seven");
  t.false(
    follows(paidTo("Valutagebyr", [...oneAlone, "2026-06-29"], [...share(0.02), 1_000, 900]), abroad),
    "six of eight",
  );
});

test("a fee of one amount that comes with one payee's irregular payments follows them", (t) => {
  t.true(follows(paidTo("Automatgebyr", days, [2_000]), paidTo("Udbetaling Kasse", days, [50_000])));
  t.false(follows(paidTo("Automatgebyr", days, [2_000]), paidTo("Kasse", days.slice(0, 4), [50_000])), "four of six");
});

test("a fee that comes with each drawing of cash follows it, wherever it was drawn and however regularly", (t) => {
  const cash = days.map((day, index) => paidTo(`Automat ${index}`, [day], [50_000], { rawType: "CASH_WITHDRAWAL" }));
  t.true(follows(paidTo("Automatgebyr", days, [2_000]), ...cash));
  t.false(follows(paidTo("Automatgebyr", days, [2_000]), ...cash.slice(1)), "five of six");
  const due = monthly("2026-01-12", 6);
  const regular = due.map((day, index) => paidTo(`Automat ${index}`, [day], [50_000], { rawType: "CASH_WITHDRAWAL" }));
  t.true(follows(paidTo("Automatgebyr", due, [2_000]), ...regular));
});

test("a payee most of whose payments come without the fee is not what it follows", (t) => {
  const more = [...days, "2026-02-10", "2026-04-01"].toSorted();
  t.false(follows(paidTo("Automatgebyr", days, [2_000]), paidTo("Kasse", more, [50_000])), "six of eight");
  t.true(follows(paidTo("Automatgebyr", days, [2_000]), paidTo("Kasse", more.slice(0, -1), [50_000])) === false);
});

test("what comes with payments that keep their date may be owed beside them", (t) => {
  const due = monthly("2026-01-12", 6);
  t.false(follows(paidTo("Nordkraft Abonnement", due, [2_000]), paidTo("Nordkraft", due, [50_000])));
});

test("a fee of one amount that comes with amounts that somebody chose follows them, whatever the date", (t) => {
  const due = monthly("2026-01-24", 6);
  const drawn = paidTo("Kassen Torvet", due, [20_000, 15_000, 18_000]);
  t.true(follows(paidTo("Gebyr Kasse", due, [150]), drawn));
  t.false(follows(paidTo("Gebyr Kasse", due, [150, 170]), drawn), "its own amount changes");
  t.false(follows(paidTo("Gebyr Kasse", due, [150]), paidTo("Kassen Torvet", due, [20_000, 15_050, 18_000])));
});

test("what keeps its day of the month is owed by itself, with a pause among its dates too", (t) => {
  const before: Day[] = ["2026-01-02", "2026-02-02", "2026-03-02", "2026-04-02", "2026-05-04"];
  const after: Day[] = ["2026-08-03", "2026-09-02", "2026-10-02", "2026-11-02"];
  const due = [...before, ...after];
  const beside = (days: readonly Day[]): boolean => {
    const more: Day[] = [...days, "2026-06-02", "2026-07-02"];
    return follows(paidTo("Sundby Motion", days, [2_000]), paidTo("Boligselskab", more.toSorted(), [50_000]));
  };
  const withMarch = (day: Day): Day[] => due.map((one, index) => (index === 2 ? day : one));
  t.false(beside(due));
  t.false(beside(withMarch("2026-03-05")), "three days late, as after holidays");
  t.true(beside(withMarch("2026-03-06")), "four days late is another day");
  t.true(beside(withMarch("2026-03-01")), "on a Sunday only who keeps the very day is owed");
  t.false(beside(due.map((day): Day => `${day.slice(0, 8)}02` as Day)), "as is whatever falls on Saturdays too");
  t.true(beside([...before, "2026-05-06", ...after]), "twice in one month");
});

test("what was collected, is in the catalogue or came in follows nothing", (t) => {
  t.false(follows(paidTo("Valutagebyr", days, share(0.02), { rawType: "DIRECT_DEBIT" }), abroad));
  t.false(follows(paidTo("Valutagebyr", days, share(0.02), {}, { product: "netflix" }), abroad));
  t.false(follows(paidTo("Valutagebyr", days, share(-0.02)), abroad));
});

test("money that came in is nothing to follow", (t) => {
  const salary = paidTo("Arbejdsgiver", days, share(-1));
  t.false(follows(paidTo("Valutagebyr", days, share(0.02)), salary));
});

test("payments to the same name are not followed", (t) => {
  t.false(follows(paidTo("Kasa Praha", days, share(0.02)), abroad));
});

test("bills that one payee collects together, each month on its day, follow nothing dearer that is paid then", (t) => {
  const months = monthly("2026-01-01", 8);
  const rent = paidTo("Boligforeningen", months, [980_000]);
  const bills = paidTo("Kystens Bank", [...months, ...months].toSorted(), [6_245, 100]);
  t.false(follows(bills, rent));
});
