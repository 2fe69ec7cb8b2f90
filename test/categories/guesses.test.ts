/** What is asked about first where no rule is sure: pieces of names and words, which never decide. */
import test from "ava";
import { categorise } from "../../src/categories/categorised.ts";
import { history, row } from "./history.ts";

/** `CATEGORY confidence` of all guesses, behind what was decided. */
function guessed(text: string, rawType: string, country = "DK", merchantName: string | null = null): string[] {
  const paid = row({ day: "2026-10-03", amount: "-480.00", text, rawType, merchantName });
  const [one] = categorise(history([paid], { country, series: [] }));
  const guesses = (one?.candidates ?? []).filter(({ rule }) => rule === "GUESS");
  return [
    one?.categoryId ?? "none",
    ...guesses.map(({ categoryId, confidence }) => `${categoryId} ${confidence.toFixed(2)}`),
  ];
}

test("a name that was cut too short to be sure of is asked about as those that begin so", (t) => {
  t.deepEqual(guessed("XL-BY 4411", "CARD_PURCHASE"), ["none", "HOME_DIY_GARDEN 0.36"]);
  t.deepEqual(guessed("XL-", "CARD_PURCHASE"), ["none"]);
  t.is(guessed("XL-BYG 4411", "CARD_PURCHASE")[0], "HOME_DIY_GARDEN");
});

test("the merchant's own name goes before the line, and without it the name is read behind the bank's words", (t) => {
  t.deepEqual(guessed("XQZVW 4411", "CARD_PURCHASE", "DK", "XL-BY"), ["none", "HOME_DIY_GARDEN 0.36"]);
  t.deepEqual(guessed("IMERCU 4411", "CARD_PURCHASE", "DK", "XL-BY"), ["none", "HOME_DIY_GARDEN 0.36"]);
  t.deepEqual(guessed("Dankort-køb XL-BY 4411", "CARD_PURCHASE"), ["none", "HOME_DIY_GARDEN 0.36"]);
});

test("a beginning that many names share is shared by what they sell", (t) => {
  const [decided, ...guesses] = guessed("NORD", "CARD_PURCHASE");
  t.is(decided, "none");
  t.is(guesses.length, 5);
  for (const guess of guesses) t.true(Number(guess.split(" ")[1]) < 0.1, guess);
});

test("a name with one letter of its second half wrong, missing or too many is asked about as the name", (t) => {
  for (const text of ["IMERCU", "IMERCCO", "IMERKO 3321"])
    t.deepEqual(guessed(text, "CARD_PURCHASE"), ["none", "HOME_FURNITURE 0.36"], text);
  t.deepEqual(guessed("BAUHAS", "CARD_PURCHASE"), ["none", "HOME_DIY_GARDEN 0.36"]);
  for (const text of ["IMEKRU", "UMERCO"]) t.deepEqual(guessed(text, "CARD_PURCHASE"), ["none"], text);
});

test("a name of two letters with nothing but a number beside it is asked about", (t) => {
  t.deepEqual(guessed("IF 505896728", "DIRECT_DEBIT", "NO"), ["none", "INSURANCE_OTHER 0.36"]);
  t.deepEqual(guessed("IF ZQ XQZVW PLIMF 505896728", "DIRECT_DEBIT", "NO"), ["none"]);
});

test("a word that was cut is asked about as the words that begin so, at the end of a compound, too", (t) => {
  t.deepEqual(guessed("HASLEV P-H", "CARD_PURCHASE"), ["none", "TRANSPORT_PARKING_TOLLS 0.24"]);
  t.deepEqual(guessed("XQZVWARBEJDERFORB 14", "DIRECT_DEBIT"), ["none", "DEBT_CONSUMER_LOAN 0.12", "WORK_UNION 0.12"]);
  t.deepEqual(guessed("P-H HASLEV XQZVW", "CARD_PURCHASE"), ["none"]);
});

test("a whole word of another language is a hint of what a shop sells", (t) => {
  t.deepEqual(guessed("NORDKYST BAKERY", "CARD_PURCHASE"), ["none", "FOOD_GROCERIES 0.30"]);
  t.deepEqual(guessed("NORDKYST XBAKERYX", "CARD_PURCHASE"), ["none"]);
});

test("a bill that names nothing but a thing insures it or pays for it, and a card's purchase does not", (t) => {
  t.deepEqual(guessed("BIL 4411 202", "INVOICE"), ["none", "INSURANCE_VEHICLE 0.12", "TRANSPORT_VEHICLE_FINANCE 0.12"]);
  t.deepEqual(guessed("BIL 4411 202", "CARD_PURCHASE"), ["none"]);
});

test("where a rule is sure nothing is guessed, and cash is cash", (t) => {
  t.deepEqual(guessed("NETTO", "CARD_PURCHASE"), ["FOOD_GROCERIES"]);
  t.deepEqual(guessed("XL-BY 4411", "CASH_WITHDRAWAL"), ["OTHER_CASH"]);
});
