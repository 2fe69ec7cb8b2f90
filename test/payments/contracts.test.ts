/** Several contracts with one payee are told apart by numbers that return while others do. */
import test from "ava";
import type { Payment } from "../../src/payments/payment.ts";
import { contractsByName, contractsOf } from "../../src/payments/contracts.ts";
import { prepared } from "../recognition/obligations.ts";
import { monthly, row, services } from "../recognition/payments.ts";

const debit = { rawType: "DIRECT_DEBIT" };

/** Payments a month apart, each with its number in the line. */
const bills = (from: string, numbers: readonly string[], type = debit): Payment[] =>
  prepared(
    monthly(from, numbers.length).map((day, index) =>
      row(day, `Kystens El ${numbers[index]}`, -(9_100 + 13 * index), type),
    ),
  );
const same = (number: string, count: number): string[] => Array.from({ length: count }, () => number);
const both = (...all: Payment[][]): Payment[] => all.flat().sort((a, b) => a.at - b.at);
const told = (payments: Payment[]): number[] | null => {
  const found = contractsOf(payments);
  return found === null ? null : [...found.contracts.map(({ length }) => length), found.others.length];
};

test("two numbers that return beside each other are two contracts", (t) => {
  t.deepEqual(told(both(bills("2026-01-04", same("7004211", 6)), bills("2026-01-19", same("7004215", 5)))), [6, 5, 0]);
  t.deepEqual(
    told(both(bills("2026-01-04", same("70.042-11", 3)), bills("2026-01-19", same("70.042-15", 3)))),
    [3, 3, 0],
  );
});

test("numbers that never return tell nothing, nor does one that every payment has", (t) => {
  const invoices = Array.from({ length: 6 }, (_, index) => `R20260${index}411`);
  t.is(
    told(
      both(
        bills("2026-01-04", invoices),
        bills(
          "2026-01-19",
          invoices.map((one) => `${one}9`),
        ),
      ),
    ),
    null,
  );
  t.is(told(both(bills("2026-01-04", same("7004211", 6)), bills("2026-01-19", same("7004211", 6)))), null);
});

test("what was paid, as the lines have it, tells no contracts", (t) => {
  const priced = (from: string, prices: readonly string[]): Payment[] =>
    prepared(
      monthly(from, prices.length).map((day, index) =>
        row(day, `Kystens Tele CHF ${prices[index]}`, -Number(prices[index]!.replace(/[.,]/, "")), debit),
      ),
    );
  t.is(
    told(both(priced("2026-01-28", same("139.95", 6)), priced("2026-01-28", [...same("169.95", 5), "175.50"]))),
    null,
  );
  t.is(told(both(priced("2026-01-28", same("139,95", 6)), priced("2026-01-28", same("169,95", 6)))), null);
  const others = bills("2026-01-19", same("169.95", 5));
  t.deepEqual(told(both(bills("2026-01-04", same("139.95", 6)), others)), [6, 5, 0], "numbers of something else");
});

test("a number that takes another's place is one contract that has a new number", (t) => {
  t.is(told(bills("2025-06-04", [...same("7004211", 6), ...same("7004215", 6)])), null);
});

test("a contract's number counts beside one that changes with each payment", (t) => {
  const numbered = (number: string, from: number): string[] =>
    Array.from({ length: 4 }, (_, at) => `${number} FAKT ${from + at}`);
  t.deepEqual(
    told(both(bills("2026-01-04", numbered("7004211", 811_001)), bills("2026-01-19", numbered("7004215", 822_001)))),
    [4, 4, 0],
  );
});

test("few payments without a number are left beside the contracts, and many tell that numbers are something else", (t) => {
  const contracts = [bills("2026-01-04", same("7004211", 4)), bills("2026-01-19", same("7004215", 4))];
  t.deepEqual(told(both(...contracts, bills("2026-02-27", [""]))), [4, 4, 1]);
  t.is(told(both(...contracts, bills("2026-01-27", same("", 4)))), null);
});

test("short numbers, two payments of a contract, and purchases by card tell nothing", (t) => {
  t.is(told(both(bills("2026-01-04", same("4211", 6)), bills("2026-01-19", same("4215", 5)))), null);
  t.is(told(both(bills("2026-01-04", same("7004211", 6)), bills("2026-02-19", same("7004215", 2)))), null);
  const card = { rawType: "CARD_PURCHASE" };
  t.is(told(both(bills("2026-01-04", same("7004211", 6), card), bills("2026-01-19", same("7004215", 5), card))), null);
});

test("two bills of one company that cross in date and price are two services", (t) => {
  const crossing = (number: string, days: readonly number[], minors: readonly number[]) =>
    days.map((day, month) =>
      row(`2026-0${month + 1}-${String(day).padStart(2, "0")}`, `Kystens El AG ${number}`, -minors[month]!, debit),
    );
  const found = services([
    ...crossing("7004211", [7, 4, 5, 7, 6, 4], [15_147, 20_936, 15_504, 12_010, 9_877, 14_020]),
    ...crossing("7004215", [3, 5, 4, 2, 6, 3], [13_392, 15_058, 14_778, 16_120, 13_905, 9_920]),
  ]);
  t.deepEqual(
    found.map(({ payments }) => new Set(payments.map(({ description }) => description)).size),
    [1, 1],
  );
  t.deepEqual(
    found.map(({ payments }) => payments.length),
    [6, 6],
  );
});

const named = (name: string, from: string, count: number, type: object = debit): Payment[] =>
  prepared(monthly(from, count).map((day) => row(day, name, -9_100, type)));
const toldByName = (payments: Payment[]): number[] | null => {
  const found = contractsByName(payments);
  return found === null ? null : [...found.contracts.map(({ length }) => length), found.others.length];
};

test("two names that are paid beside each other are two contracts with who has both", (t) => {
  const [fund, fees] = [named("Kystens Akasse", "2026-01-04", 6), named("Kystens Kontingent", "2026-01-04", 5)];
  t.deepEqual(toldByName(both(fund, fees)), [6, 5, 0]);
  t.deepEqual(
    toldByName(both(fund, fees, named("Kystens Gebyr", "2026-03-09", 2))),
    [6, 5, 2],
    "once or twice is none",
  );
  t.is(toldByName(both(fund, fees, named("Kystens Gebyr", "2026-03-09", 2), named("Kystens", "2026-04-09", 2))), null);
});

test("one name, one that takes another's place, and what is bought by card are no contracts by name", (t) => {
  t.is(toldByName(named("Kystens Akasse", "2026-01-04", 8)), null);
  t.is(toldByName([...named("Kystens", "2026-01-04", 4), ...named("Kystens Nord", "2026-05-04", 4)]), null);
  const cards = (name: string): Payment[] => named(name, "2026-01-04", 6, { rawType: "CARD_PURCHASE" });
  t.is(toldByName(both(cards("Kystens Nord"), cards("Kystens Syd"))), null);
});

test("fees of a union and of its unemployment fund on one day stay apart when one of them rises", (t) => {
  const days = monthly("2024-01-04", 24);
  const rising = (name: string, before: number, after: number) =>
    days.map((day, index) => row(day, name, -(index < 12 ? before : after), debit));
  const found = services([...rising("3F A-kasse", 49_900, 52_700), ...rising("3F kontingent", 44_700, 46_300)]);
  t.deepEqual(
    found.map(({ payments }) => new Set(payments.map(({ description }) => description)).size),
    [1, 1],
  );
});
