/**
 * Where a bank's types do not say how money moved, the wording of its lines does, by what the user's payees with that
 * wording are like.
 */
import test from "ava";
import { type Day, addDays } from "../../src/time/calendar.ts";
import { prepare } from "../../src/payments/history.ts";
import { withKindsOfLines } from "../../src/payments/line-kind.ts";
import { groupByPayee } from "../../src/payments/payee.ts";
import type { HistoryTransaction, PaymentKind } from "../../src/payments/payment.ts";
import { monthly, row } from "../recognition/payments.ts";

type More = Partial<HistoryTransaction>;
const names = ["Nordhus", "Sydkro", "Vestby", "Fjordly", "Bakkedal", "Lunden", "Kildevang", "Havnevig"];

/** Six payments to each, worded by the bank, at these costs and this far apart. */
function lines(
  who: readonly string[],
  wording: string,
  costs: readonly number[],
  gaps: readonly number[],
  more: More = {},
): HistoryTransaction[] {
  return who.flatMap((name, at) => {
    let day: Day = addDays("2025-01-05", at);
    return costs.map((cost, index) => {
      if (index > 0) day = addDays(day, gaps[index - 1]!);
      return row(day, `${wording} ${name.toUpperCase()}`, -cost * 100, { merchantName: name, ...more });
    });
  });
}

const changing = [120, 87, 203, 55, 149, 310];
const steady = [99, 99, 99, 99, 99, 99];
const anyDays = [2, 21, 5, 40, 1];
const eachMonth = [30, 31, 30, 31, 30];

const shopped = (who: readonly string[], wording = "Visa køb", more: More = {}) =>
  lines(who, wording, changing, anyDays, more);
const collected = (who: readonly string[], wording = "Autobetaling", more: More = {}) =>
  lines(who, wording, steady, eachMonth, more);

/** By payee the kinds of its payments. */
function kinds(...history: HistoryTransaction[][]): Record<string, PaymentKind[]> {
  const payees = withKindsOfLines(groupByPayee(prepare(history.flat(), "2026-06-30"), "DK"));
  return Object.fromEntries(
    payees.map(({ direction, key, payments }) => [
      direction === "OUT" ? key : `${key} (in)`,
      [...new Set(payments.map(({ kind }) => kind))],
    ]),
  );
}
const every = (who: readonly string[], kind: PaymentKind) =>
  Object.fromEntries(who.map((name) => [name.toUpperCase(), [kind]]));

test("a wording of payees paid at changing prices on changing days is that of purchases", (t) => {
  t.deepEqual(kinds(shopped(names.slice(0, 5))), every(names.slice(0, 5), "CARD"));
});

test("a wording of payees that keep price and date is that of what is collected", (t) => {
  t.deepEqual(kinds(collected(names.slice(0, 5))), every(names.slice(0, 5), "DIRECT_DEBIT"));
});

test("one of the two is enough: a price on any day, and any price on its day", (t) => {
  t.deepEqual(
    kinds(lines(names.slice(0, 5), "Autobetaling", steady, anyDays)),
    every(names.slice(0, 5), "DIRECT_DEBIT"),
  );
  t.deepEqual(
    kinds(lines(names.slice(0, 5), "Autobetaling", changing, eachMonth)),
    every(names.slice(0, 5), "DIRECT_DEBIT"),
  );
});

test("two wordings of one bank are judged apart", (t) => {
  const more = ["Engholm", "Skovsted"];
  const all = [...names, ...more];
  t.deepEqual(kinds(shopped(all.slice(0, 5)), collected(all.slice(5))), {
    ...every(all.slice(0, 5), "CARD"),
    ...every(all.slice(5), "DIRECT_DEBIT"),
  });
});

test("where payees of one wording are of both sorts it tells nothing", (t) => {
  t.deepEqual(
    kinds(shopped(names.slice(0, 4), "Overført"), collected(names.slice(4), "Overført")),
    every(names, "OTHER"),
  );
});

test("most payees of a wording decide for the few others", (t) => {
  t.deepEqual(kinds(shopped(names.slice(0, 6)), collected(names.slice(6), "Visa køb")), every(names, "CARD"));
  t.deepEqual(
    kinds(collected(names.slice(0, 7)), shopped(names.slice(7), "Autobetaling")),
    every(names, "DIRECT_DEBIT"),
  );
});

test("payees that were paid a few times judge nothing, and are of the kind that others tell", (t) => {
  const once = names
    .slice(5)
    .map((name) => row("2025-03-03", `Visa køb ${name.toUpperCase()}`, -4_900, { merchantName: name }));
  t.deepEqual(kinds(shopped(names.slice(0, 5)), once), every(names, "CARD"));
  const [three, ...four] = [3, 4].map((count) => names.slice(0, 5).flatMap((name) => shopped([name]).slice(0, count)));
  t.deepEqual(kinds(three!), every(names.slice(0, 5), "OTHER"));
  t.deepEqual(kinds(...four), every(names.slice(0, 5), "CARD"));
});

test("three payees tell nothing", (t) => {
  t.deepEqual(kinds(shopped(names.slice(0, 3))), every(names.slice(0, 3), "OTHER"));
});

test("words that few payees have are no wording of the bank's", (t) => {
  const places = ["Odense", "Aarhus", "Vejle", "Ribe", "Skive"].flatMap((place, at) =>
    shopped([names[at]!], `Visa køb ${place}`),
  );
  t.deepEqual(kinds(places), every(names.slice(0, 5), "CARD"));
});

test("stars and brackets are words too", (t) => {
  t.deepEqual(
    kinds(shopped([...names.slice(0, 4), "Engholm"], "**"), collected([...names.slice(4), "Skovsted"], "))))")),
    { ...every([...names.slice(0, 4), "Engholm"], "CARD"), ...every([...names.slice(4), "Skovsted"], "DIRECT_DEBIT") },
  );
});

test("what the bank's type says holds", (t) => {
  const debits = collected(["Ravnsholt"], "Visa køb", { rawType: "DIRECT_DEBIT" });
  const cash = monthly("2025-01-09", 6).map((day) =>
    row(day, "Visa køb", -50_000, { rawType: "FEE", merchantName: "Gebyr" }),
  );
  t.like(kinds(shopped(names.slice(0, 5)), debits, cash), { RAVNSHOLT: ["DIRECT_DEBIT"], GEBYR: ["FEE"] });
});

test("of one payee only payments whose type does not say it are told by the wording", (t) => {
  const mixed = shopped(["Nordhus"]).map((one, at) => (at < 2 ? { ...one, rawType: "DIRECT_DEBIT" } : one));
  t.deepEqual(kinds(shopped(names.slice(1, 6)), mixed)["NORDHUS"], ["DIRECT_DEBIT", "CARD"]);
});

test("transfers are told by their wording, and what comes in is not", (t) => {
  const transfers = { rawType: "TRANSFER" };
  t.deepEqual(kinds(shopped(names.slice(0, 5), "Visa køb", transfers)), every(names.slice(0, 5), "CARD"));
  const paidIn = shopped(["Ravnsholt"], "Visa køb").map((one) => ({ ...one, amountMinor: -one.amountMinor }));
  t.deepEqual(kinds(shopped(names.slice(0, 5)), paidIn)["RAVNSHOLT (in)"], ["OTHER"]);
});

test("a wording is one in whatever letters the bank writes it, and names are no part of it", (t) => {
  const shouted = shopped(names.slice(0, 3), "VISA KØB");
  const calm = names
    .slice(3, 6)
    .flatMap((name) => shopped([name]).map((one) => ({ ...one, description: `visa køb ${name.toLowerCase()}` })));
  t.deepEqual(kinds(shouted, calm), every(names.slice(0, 6), "CARD"));
});

test("a wording of which three payees are paid often tells nothing, whatever another one tells", (t) => {
  const seldom = ["Engholm", "Skovsted", "Ravnsholt"].flatMap((name) => collected([name], "Autobetaling").slice(0, 2));
  const told = kinds(shopped(names.slice(0, 5)), collected(names.slice(5), "Autobetaling"), seldom);
  t.deepEqual(told, {
    ...every(names.slice(0, 5), "CARD"),
    ...every([...names.slice(5), "Engholm", "Skovsted", "Ravnsholt"], "OTHER"),
  });
});

test("nothing else of a payment changes", (t) => {
  const payees = groupByPayee(prepare(shopped(names.slice(0, 5)), "2026-06-30"), "DK");
  const told = withKindsOfLines(payees);
  t.deepEqual(
    told.map((payee) => payee.payments.map((payment) => ({ ...payment, kind: "OTHER" }))),
    payees.map(({ payments }) => payments),
  );
});

test("six in ten payees are most of them, one in four a few", (t) => {
  const [three, two] = [names.slice(0, 3), names.slice(3, 5)];
  t.deepEqual(kinds(shopped(three), collected(two, "Visa køb")), every([...three, ...two], "CARD"));
  const [one, others] = [names.slice(0, 1), names.slice(1, 4)];
  t.deepEqual(kinds(shopped(one), collected(others, "Visa køb")), every([...one, ...others], "DIRECT_DEBIT"));
});

test("prices within two per cent are one price", (t) => {
  const drifting = [100, 101, 102, 101, 100, 101];
  t.deepEqual(
    kinds(lines(names.slice(0, 5), "Autobetaling", drifting, anyDays)),
    every(names.slice(0, 5), "DIRECT_DEBIT"),
  );
});

test("amounts that somebody chose are not collected, whatever the wording tells of others", (t) => {
  const people = names.slice(0, 5);
  const friend = lines(["Ingolf"], "Autobetaling", [200, 150, 180, 210, 150, 190], eachMonth);
  t.deepEqual(kinds(collected(people), friend), { ...every(people, "DIRECT_DEBIT"), INGOLF: ["OTHER"] });
});

test("where hardly a line has a word of the bank's, that most payees are shops says nothing of the others", (t) => {
  const told = kinds(shopped(names.slice(0, 6), ""), collected(["Lejlund"], ""));
  t.deepEqual(told["LEJLUND"], ["OTHER"]);
});

test("that nearly none of them is shopped at says that they are collected", (t) => {
  const told = kinds(collected(names.slice(0, 6), ""), collected(["Lejlund"], ""));
  t.deepEqual(told["LEJLUND"], ["DIRECT_DEBIT"]);
});

test("what companies of one kind are called behind their names is no wording, but for the word that opens the line", (t) => {
  const companies = names.map((name) => shopped([name], ""));
  const named = (own: HistoryTransaction[], at: number): HistoryTransaction[] =>
    own.map((one) => ({ ...one, description: `${names[at]!.toUpperCase()} OY`, merchantName: null }));
  t.deepEqual(
    Object.values(kinds(...companies.map(named))).flat(),
    names.map(() => "OTHER"),
  );
  const opened = companies.map((own, at) => own.map((one) => ({ ...one, description: `AG ${names[at]}` })));
  t.deepEqual(kinds(...opened), every(names, "CARD"));
});
