/** What a bank prints around names is in no title, and what belongs to names stays. */
import test from "ava";
import { type HistoryTransaction, recognise } from "../../../src/recognition/recognise.ts";
import { context, monthly, row } from "../payments.ts";

const days = monthly("2026-01-03", 7);

/** Each of the texts monthly, at a price of its own; `#` is a number of the payment's. Titles in the texts' order. */
function titles(texts: readonly string[], rawType = "PAYMENT"): (string | undefined)[] {
  const rows = texts.flatMap((text, payee) =>
    days.map((day, at) =>
      row(day, text.replaceAll("#", `${4_711_000 + 97 * payee + at}`), -(10_000 + 1_300 * payee), { rawType }),
    ),
  );
  return titlesOf(rows, texts.length);
}

function titlesOf(rows: readonly HistoryTransaction[], count: number): (string | undefined)[] {
  const { services } = recognise(rows, context);
  return Array.from(
    { length: count },
    (_, payee) => services.find(({ payments }) => payments[0]?.amountMinor === -(10_000 + 1_300 * payee))?.title,
  );
}

const names = ["Solvang", "Muntplein", "Fernhurst", "Bellerive", "Krogvig", "Ardenne"];

test("a label behind many names, with numbers behind it, ends a title", (t) => {
  t.deepEqual(titles(names.map((name) => `${name} Polnr #`)), names);
  t.deepEqual(titles(names.map((name) => `${name} Omschr: polis # Afd: zeven`)), names);
});

test("so many names make a label: fewer have the word in common", (t) => {
  const few = names.slice(0, 3);
  t.deepEqual(
    titles(few.map((name, at) => `${name} Polnr: ${["acht", "negen", "tien"][at]}`)),
    few.map((name, at) => `${name} Polnr ${["Acht", "Negen", "Tien"][at]}`),
  );
});

test("a word that mostly has no number behind it is a town or a legal form, and stays", (t) => {
  const towns = names.map((name) => `${name} Vestby`);
  t.deepEqual(titles(towns), towns);
});

test("words before many names that are paid without a card are the bank's", (t) => {
  t.deepEqual(titles(names.map((name) => `Zx Coll ${name}`)), names);
  const shops = names.slice(0, 5).map((name) => `Oktan ${name}`);
  t.deepEqual(titles(shops, "CARD_PURCHASE"), shops, "a chain's shops are paid by card");
  const few = names.slice(0, 4).map((name) => `Oktan ${name}`);
  t.deepEqual(titles(few), few, "four bills may be one company's");
});

test("a label's numbers may be masked", (t) => {
  t.deepEqual(titles(names.map((name) => `${name} Kaart xx4411 Boek datum: 11/05`)), names);
});

test("what three names end with, two words and more, is the account holder's own name", (t) => {
  const some = names.slice(0, 3);
  t.deepEqual(titles(some.map((name) => `${name} Rosa Q Lund`)), some);
  const two = names.slice(0, 2).map((name) => `${name} Rosa Q Lund`);
  t.deepEqual(titles(two), two);
});

test("a label directly behind the bank's words is skipped with them", (t) => {
  t.deepEqual(titles(names.map((name) => `Zx Coll Betr: ${name} Polnr #`)), names);
});

test("who collects for others is not named where the line says behind a label for whom", (t) => {
  const others = names.slice(0, 5).map((name) => `${name} Omschr: polis #`);
  const found = titles([...others, "PayPal Europe Omschr: Ardenne Kade #"]);
  t.is(found.at(-1), "Ardenne Kade");
});

test("two series of one payee keep what tells them apart", (t) => {
  const found = titles([...names.map((name) => `${name} Omschr: polis #`), "Ardenne Omschr: kade #"]);
  t.deepEqual(found.slice(0, 5), names.slice(0, 5));
  t.not(found.at(-1), found.at(-2));
  for (const title of found.slice(-2)) t.regex(title ?? "", /^Ardenne Omschr/);
});

test("an article is no bank's word before a name", (t) => {
  t.deepEqual(titles(["Den Krogvig"]), ["Den Krogvig"]);
});

test("a line that goes on behind the name is no title, and what tells two services of one payee apart is", (t) => {
  t.deepEqual(titles(["Sundby AG Sundby AG (Strom) Abschlag #", "Krogvig GmbH Fernsehen Abo #"]), [
    "Sundby",
    "Krogvig",
  ]);
  const [first, second] = titles(["Ardenne GmbH Konto Festnetz Abschlag #", "Ardenne GmbH Konto Mobilfunk Abschlag #"]);
  t.deepEqual([first, second], ["Ardenne Konto Festnetz", "Ardenne Konto Mobilfunk"]);
});

test("the merchant's name as the bank sent it stays whole", (t) => {
  const merchantName = "Sundby Boligforening Ældre Yngre Beboere Venner Nordsjælland";
  const rows = days.map((day) => row(day, "Husleje", -10_000, { merchantName, rawType: "DIRECT_DEBIT" }));
  t.deepEqual(titlesOf(rows, 1), [merchantName]);
});

test("behind PayPal's company its shop is named", (t) => {
  t.deepEqual(
    titles([
      "PayPal Europe S.a.r.l. et Cie S.C.A # Sundby Garn PAYPAL",
      "PRELEVEMENT EUROPEEN # DE: PAYPAL EUROPE S.A.R.L. ET CIE S.C.A MOTIF PAYPAL Krogvig",
    ]),
    ["Sundby Garn", "Krogvig"],
  );
});
