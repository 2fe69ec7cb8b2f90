/** What is paid once a year under names that differ is one obligation where its lines say so. */
import test from "ava";
import type { Day } from "../../../../src/time/calendar.ts";
import type { HistoryTransaction } from "../../../../src/recognition/recognise.ts";
import { explain } from "../../../../src/recognition/explain/explain.ts";
import { kinshipOf } from "../../../../src/recognition/search/kinship.ts";
import { yearLater } from "../../../../src/recognition/search/lone/year-later.ts";
import type { Obligation } from "../../../../src/recognition/search/obligation.ts";
import { groupByPayee } from "../../../../src/payments/payee.ts";
import { daysOf, prepared } from "../../obligations.ts";
import { row, rows, services } from "../../payments.ts";

type Bill = { day: Day; name: string; minor: number; more?: Partial<HistoryTransaction> };

const collected = { rawType: "DIRECT_DEBIT" };
const insured: readonly [Bill, Bill] = [
  { day: "2025-03-17", name: "VESTKREDS VERSICHE GEBAUDE B2-390-4844", minor: 43_578, more: collected },
  { day: "2026-03-16", name: "NORDPOOL HAFTUNG GEBAUDE B2-390-4844 X7", minor: 44_608, more: collected },
];
/** What is made of the bills where none of the payments is in a series; a stray is one that nobody has taken. */
const yearly = (history: readonly HistoryTransaction[], takenOn: Day | null = null): Obligation[] => {
  const payees = groupByPayee(prepared(history), "DK");
  const strays = payees.map((payee) => ({ payee, rest: payee.payments }));
  const taken = new Set(
    payees.flatMap(({ payments }) => payments).filter(({ transaction }) => transaction.day === takenOn),
  );
  return yearLater(strays, taken, kinshipOf(payees), "DK");
};
const rowOf = ({ day, name, minor, more }: Bill): HistoryTransaction => row(day, name, -minor, more);
const found = (bills: readonly Bill[], others: readonly HistoryTransaction[] = []): string[] =>
  yearly([...bills.map(rowOf), ...others]).map(({ payments }) => daysOf(payments).join(" "));
const both = ["2025-03-17 2026-03-16"];
const changed = (first: Partial<Bill>, second: Partial<Bill>): string[] =>
  found([
    { ...insured[0], ...first },
    { ...insured[1], ...second },
  ]);

test("a number that both lines have makes two names a year apart one obligation, shown under the later one", (t) => {
  const [obligation, ...others] = yearly(insured.map(rowOf));
  t.deepEqual(others, []);
  t.deepEqual(daysOf(obligation!.payments).join(" "), both[0]);
  t.regex(obligation!.payee.key, /^NORDPOOL/);
  t.like(obligation, { cadence: { frequency: "YEARLY" }, aliases: ["VESTKREDS VERSICHE GEBAUDE B2"] });
  t.deepEqual(
    obligation!.prior.map(({ reason, logOdds }) => [reason, logOdds]),
    [
      ["BASE", -2],
      ["PAYMENT_KIND", 3],
      ["AGREEMENT", 1.5],
    ],
  );
  const [one] = services(insured.map(rowOf));
  t.like(one, { visibility: "VISIBLE", expectedAmountMinor: 44_608 });
  t.regex(one!.title, /^Nordpool/);
  t.regex(explain(one!), /earlier under the name .*VESTKREDS.*a contract's number in the lines/);
});

test("without it, or where the number is a day or too short, they are two", (t) => {
  t.deepEqual(changed({}, { name: "NORDPOOL HAFTUNG GEBAUDE B2-390-4845" }), []);
  for (const number of ["16.03.2024", "4711", "16.03"])
    t.deepEqual(changed({ name: `VESTKREDS GEBAUDE ${number}` }, { name: `NORDPOOL HAFTUNG ${number}` }), [], number);
  for (const number of ["47113", "BR4711"])
    t.deepEqual(changed({ name: `VESTKREDS GEBAUDE ${number}` }, { name: `NORDPOOL HAFTUNG ${number}` }), both, number);
});

test("a number that many payees have is the user's own", (t) => {
  const having = (count: number): HistoryTransaction[] =>
    ["Ebbelund", "Hasselro", "Tornvig"]
      .slice(0, count)
      .flatMap((name, at) => rows([`2025-0${5 + at}-09`], `${name} B2-390-4844`, -6_000 * (at + 1)));
  t.deepEqual(found(insured, having(1)), both);
  t.deepEqual(found(insured, having(2)), []);
  const alsoWithout = [row("2025-11-20", "Ebbelund", -4_000), ...having(2)];
  t.deepEqual(found(insured, alsoWithout), [], "in one of its lines");
});

test("who is paid often without a series is paid for what comes up", (t) => {
  const days = (count: number): Day[] =>
    (["2025-05-02", "2025-05-11", "2025-06-20", "2025-06-25", "2025-08-01", "2025-08-09"] as Day[])
      .concat(["2025-10-03", "2025-10-19", "2025-12-05", "2025-12-24", "2026-01-15", "2026-01-21"])
      .slice(0, count);
  const besides = (count: number): string[] =>
    found(
      insured,
      days(count).map((day, at) => row(day, insured[1].name, -100_000 * 1.7 ** at, collected)),
    );
  t.deepEqual(besides(11), both);
  t.deepEqual(besides(12), []);
});

test("the year counted on does so under related names alone", (t) => {
  const fee = { rawType: "PAYMENT" };
  const counted = (before: string, after: string): string[] =>
    changed({ name: before, minor: 1_290, more: fee }, { name: after, minor: 1_320, more: fee });
  t.deepEqual(counted("Kortpris Vestkreds for 2025/kort", "Kortpris Nordpool Haftung for 2026/kort"), both);
  t.deepEqual(counted("Kortpris Vestkreds for 2025/kort", "Kortpris Nordpool Haftung for 2025/kort"), []);
  t.deepEqual(counted("Vestkreds for 2025/kort", "Nordpool Haftung for 2026/kort"), []);
});

test("the price rises or falls by no more than a year makes it", (t) => {
  for (const minor of [41_900, 48_800]) t.deepEqual(changed({}, { minor }), both, String(minor));
  for (const minor of [41_000, 49_500]) t.deepEqual(changed({}, { minor }), [], String(minor));
});

test("the dates lie a year apart", (t) => {
  for (const day of ["2026-03-07", "2026-03-26"] as Day[])
    t.deepEqual(changed({}, { day }), [`2025-03-17 ${day}`], day);
  for (const day of ["2026-03-01", "2026-04-02", "2025-09-16", "2027-03-16"] as Day[])
    t.deepEqual(changed({}, { day }), [], day);
});

test("who pays in another way, by card or in cash pays for something else", (t) => {
  t.deepEqual(changed({ more: { rawType: "TRANSFER" } }, {}), []);
  for (const rawType of ["CARD_PURCHASE", "CASH_WITHDRAWAL"])
    t.deepEqual(changed({ more: { rawType } }, { more: { rawType } }), [], rawType);
});

test("of two earlier bills the later one follows that from whose date it is less far", (t) => {
  const other: Bill = {
    ...insured[0],
    day: "2025-03-21",
    name: "TORNVIG HAUSRAT B2-390-4844",
    minor: 43_900,
  };
  t.deepEqual(found([...insured, other]), both);
  t.deepEqual(found([...insured, { ...other, day: "2025-03-13" }]), both);
});

test("two bills of one payee are told by its own search", (t) => {
  t.deepEqual(changed({}, { name: insured[0].name }), []);
});

test("what is in a series, or comes in, is not looked at", (t) => {
  t.deepEqual(yearly(insured.map(rowOf), "2025-03-17"), []);
  t.deepEqual(yearly(insured.map((bill) => rowOf({ ...bill, minor: -bill.minor }))), []);
});

test("each payment is one obligation's, and what else the payees are paid makes it less likely", (t) => {
  t.is(yearly(insured.map(rowOf))[0]!.logOdds.toFixed(1), "4.0");
  const third: Bill = { ...insured[1], day: "2026-03-18", name: "TORNVIG HAUSRAT B2-390-4844" };
  t.deepEqual(found([...insured, third]), both);
  const odds = (others: readonly HistoryTransaction[]): number =>
    yearly([...insured.map(rowOf), ...others])[0]!.logOdds;
  const besides = rows(["2025-06-02", "2025-09-11"], insured[1].name, -2_000, collected);
  t.true(Math.abs(odds([]) - odds(besides) - Math.log(3)) < 0.05);
});

test("both reasons are told where both are there, and a number alone makes kin of names for the year", (t) => {
  const reasons = (before: string, after: string): string[] =>
    yearly([rowOf({ ...insured[0], name: before }), rowOf({ ...insured[1], name: after })]).flatMap(({ prior }) =>
      prior.map(({ reason }) => reason).filter((reason) => reason === "AGREEMENT" || reason === "COUNTER"),
    );
  t.deepEqual(reasons("Vestkreds BR4711 for 2025", "Nordpool Haftung BR4711 for 2026"), ["AGREEMENT", "COUNTER"]);
  t.deepEqual(reasons("Kortpris Vestkreds for 2025", "Kortpris Nordpool Haftung for 2026"), ["COUNTER"]);
  t.deepEqual(reasons("Vestkreds 4471982", "Nordpool Haftung 4471982"), ["AGREEMENT"]);
});
