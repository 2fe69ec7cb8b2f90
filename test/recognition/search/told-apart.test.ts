/** Before names are compared, what only follows other payments is left out, and contracts are told apart by their numbers. */
import test from "ava";
import type { Day } from "../../../src/time/calendar.ts";
import type { Payee } from "../../../src/payments/payee.ts";
import { outgoingOf } from "../../../src/recognition/search/follower.ts";
import { kinshipOf } from "../../../src/recognition/search/kinship.ts";
import { type Searched, searchAll } from "../../../src/recognition/search/search.ts";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import { costsOf, daysOf, payeeWith, prepared } from "../obligations.ts";
import { monthly, row, rows } from "../payments.ts";

const searchedAll = (...payees: Payee[]): Searched[] =>
  searchAll(payees, outgoingOf(payees.flatMap(({ payments }) => payments)), kinshipOf(payees), "DK");

// Contracts

const debit = { rawType: "DIRECT_DEBIT" };
const billed = (number: string, days: readonly Day[], minor = -24_900): HistoryTransaction[] =>
  days.map((day) => row(day, `Kystens El ${number}`, minor, debit));
/** How many payments each obligation has, and of how many numbers; and what is left over. */
const contracts = (...lists: HistoryTransaction[][]): { series: string[]; rest: Day[] } => {
  const [found] = searchedAll(payeeWith(prepared(lists.flat())));
  return {
    series: found!.obligations
      .map(({ payments }) => {
        const lines = new Set(payments.map(({ transaction }) => transaction.description));
        return `${payments.length} of ${lines.size}`;
      })
      .toSorted(),
    rest: daysOf(found!.rest),
  };
};
/** In July their due days change places, two days apart and at one price: by dates and prices alone they are mixed. */
const first = billed("7004211", [...monthly("2025-01-12", 6), ...monthly("2025-07-14", 6)]);
const second = billed("7004215", [...monthly("2025-01-14", 6), ...monthly("2025-07-12", 6)]);

test("contracts that numbers tell apart are obligations of their own, though dates and prices would mix them", (t) => {
  t.deepEqual(contracts(first, second), { series: ["12 of 1", "12 of 1"], rest: [] });
});

test("what has no number is searched as well, and all that is left over is told by day", (t) => {
  const water = billed("Vand", monthly("2025-02-25", 4, 3), -61_300);
  const strays = [
    ...billed("7004211", ["2025-05-29"], -9_100),
    ...billed("Gebyr", ["2025-03-03"], -1_130),
    ...billed("7004215", ["2025-08-30"], -3_700),
  ];
  t.deepEqual(contracts(first, second, water, strays), {
    series: ["12 of 1", "12 of 1", "4 of 1"],
    rest: ["2025-03-03", "2025-05-29", "2025-08-30"],
  });
});

test("numbers of which the payments keep no dates are a shop's: then all payments are looked at together", (t) => {
  const months = monthly("2024-06-12", 25);
  // Five tills in turn: each comes again after five months, which no cadence has.
  const tills = ["70042", "70043", "70044", "70045", "70046"];
  t.deepEqual(contracts(...months.map((day, index) => billed(tills[index % 5]!, [day]))), {
    series: ["25 of 5"],
    rest: [],
  });
});

test("four of five payments must be in contracts that keep dates", (t) => {
  const others = (count: number): HistoryTransaction[] =>
    (["2025-02-03", "2025-03-27", "2025-04-01", "2025-06-23", "2025-09-02"] as const)
      .slice(0, count)
      .flatMap((day, index) => billed("Gebyr", [day], -1_130 * (index + 1) ** 2));
  const ofContract = (...days: Day[]): HistoryTransaction[] =>
    days.flatMap((day, index) => billed("7004211", [day], -9_100 * (index + 3) ** 2));
  t.deepEqual(contracts(first, second, others(5), ofContract("2025-05-29")).series, ["12 of 1", "12 of 1"]);
  t.deepEqual(
    contracts(first, second, others(5), ofContract("2025-05-29", "2025-10-03")).series,
    ["12 of 2", "12 of 2"],
    "24 of 31 are fewer",
  );
});

// Followers

const wandering: Day[] = ["2026-01-03", "2026-01-21", "2026-01-24", "2026-03-02", "2026-03-05", "2026-05-19"];
const amounts = [100_000, 64_000, 230_000, 51_000, 180_000, 77_000];
/** What is told of a fee beside what was paid: how many obligations, and what is left over. */
const told = (fee: HistoryTransaction[], ...others: HistoryTransaction[][]): [number, number[]] => {
  const [found] = searchedAll(payeeWith(prepared(fee)), ...others.map((list) => payeeWith(prepared(list))));
  return [found!.obligations.length, costsOf(found!.rest)];
};

test("a fee that is a share of bills is no obligation of its own, however regular, and nothing of it is left over", (t) => {
  const days = monthly("2025-07-06", 12);
  const minor = (index: number): number => 100_000 + ((index * 7) % 5) * 1_500;
  const bills = days.map((day, index) => row(day, "Bergstrom", -minor(index), debit));
  const fees = days.map((day, index) => row(day, "Betalingsgebyr", -minor(index) / 50));
  t.deepEqual(told(fees, bills), [0, []]);
  t.deepEqual(told(fees), [1, []], "by itself it is one");
});

test("a fee of one price that comes with cash is nothing that may come again, one of many prices is no service anyway", (t) => {
  const cash = wandering.map((day, index) => row(day, `Automat ${index}`, -50_000, { rawType: "CASH_WITHDRAWAL" }));
  t.deepEqual(told(rows(wandering, "Automatgebyr", -2_000), cash), [0, []]);
  t.deepEqual(told(rows(wandering, "Automatgebyr", -2_000)), [0, [2_000, 2_000, 2_000, 2_000, 2_000, 2_000]]);
  const shares = wandering.map((day, index) => row(day, "Valutagebyr", -amounts[index]! / 50));
  const abroad = wandering.map((day, index) => row(day, "Kasa Praha", -amounts[index]!));
  t.deepEqual(told(shares, abroad), [0, [2_000, 1_280, 4_600, 1_020, 3_600, 1_540]]);
});

test("a contract that is regular is told apart though what comes under another number is not", (t) => {
  const [good, bad] = [
    [182, 157, 170, 182, 165, 158, 169, 131],
    [28, 0.5, 30, 39, 0.7, 40, 2.5, 20],
  ];
  const lines = (number: string, first: Day, amounts: number[]): HistoryTransaction[] =>
    monthly(first, 8).map((day, at) => row(day, `Kystens El ${number}`, -Math.round(amounts[at]! * 100), debit));
  const found = contracts(lines("7004211", "2025-01-11", good!), lines("7004215", "2025-01-12", bad!));
  t.true(found.series.includes("8 of 1"), found.series.join(", "));
});

test("what is collected is told apart from other payments to the same payee", (t) => {
  const premiums = monthly("2025-01-04", 9).map((day, at) => row(day, "Kystens Bank forsikring", at < 4 ? -17_232 : -17_574, debit)); // prettier-ignore
  const moved = [...monthly("2025-01-01", 9), ...monthly("2025-01-15", 9)].map((day, at) => row(day, "Kystens Bank flytning", at % 3 === 0 ? -320_000 : -5_000)); // prettier-ignore
  const [found] = searchedAll(payeeWith(prepared([...premiums, ...moved]), { key: "KYSTENS BANK" }));
  const collected = found!.obligations.find(({ payments }) => payments.every(({ kind }) => kind === "DIRECT_DEBIT"));
  t.is(collected?.payments.length, 9);
  t.true((collected?.logOdds ?? 0) > 5, "by what speaks for a direct debit");
});
