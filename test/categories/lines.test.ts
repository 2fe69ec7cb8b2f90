/** How a line is seen: under which key its payee's answers stand, what opens it, and what decides of several rules. */
import test from "ava";
import { categorise, payeeKeyOf } from "../../src/categories/categorised.ts";
import { openingsOf } from "../../src/categories/openings.ts";
import { history, type Row, row, series } from "./history.ts";

const paid = (text: string, more: Partial<Row> = {}) => row({ day: "2026-10-03", amount: "-480.00", text, ...more });
const keyOf = (text: string, more: Partial<Row> = {}) => payeeKeyOf(paid(text, more), "DK");
const transfer = { rawType: "ACCOUNT_TRANSFER" };

test("a payee's key is the catalogue's product, else its cleaned name, else how the money moved", (t) => {
  t.is(keyOf("NETFLIX.COM"), "netflix");
  t.is(keyOf("NETTO 1234"), "NETTO");
  t.is(keyOf("RETUR NETTO"), "NETTO");
  t.is(keyOf("RETUR"), "RETUR");
  t.is(keyOf("NETTO RETUR"), "NETTO RETUR");
  t.is(keyOf("PAYPAL *XQ"), "XQ");
  t.is(keyOf("APPLE.COM/BILL"), "APPLE");
  t.is(keyOf("", { rawType: "CASH_WITHDRAWAL" }), "CASH");
  t.is(keyOf("", { rawType: "FEE" }), "FEE");
  t.is(payeeKeyOf(paid("NETTO", { amount: "480.00" }), "DK"), "NETTO");
});

test("between people a product's name is a person's, and no code says so", (t) => {
  t.is(keyOf("MOBILEPAY ANNA", transfer), "ANNA");
  const isSent = (text: string, more: Partial<Row> = {}, country = "PL") =>
    categorise(history([paid(text, { ...transfer, ...more })], { country }))[0]?.categoryId === "OTHER_TRANSFERS";
  for (const application of [
    "MOBILEPAY",
    "MOBILE PAY",
    "VIPPS",
    "SWISH",
    "TIKKIE",
    "BLIK NA TELEFON",
    "NA TELEFON",
    "PAYM",
    "WERO",
    "SIIRTO",
    "KWITT",
    "PRZELEW NA TELEFON",
  ])
    t.true(isSent(`${application} 4411 QX`, { rawType: "OTHER" }), application);
  t.false(isSent("XVIPPS 4411 QX", { rawType: "OTHER" }));
  t.false(isSent("VIPPSX 4411 QX", { rawType: "OTHER" }));
  t.false(isSent("VIPPS 4411 QX", { rawType: "OTHER", mcc: 6012 }));
  t.false(isSent("VIPPS 4411 QX", { rawType: "DIRECT_DEBIT" }));
  t.false(isSent("VIPPS QX APS", { rawType: "OTHER" }));
});

test("a transfer to a name of two to four words is between people, unless it is a company or a merchant's", (t) => {
  const isSent = (text: string, more: Partial<Row> = {}) =>
    categorise(history([paid(text, { ...transfer, ...more })]))[0]?.categoryId === "OTHER_TRANSFERS";
  for (const text of ["QUENTA VOLTRIX", "QUENTA VOLTRIX ZORA YRSO", "QUENTA O'VOLTRIX", "QUENTA D-VOLTRIX ZORA"])
    t.true(isSent(text), text);
  for (const text of ["QUENTA", "QUENTA VOLTRIX ZORA YRSO XQ", "QUENTA 4411", "QUENTA VOLTRIX APS", "QUENTA/VOLTRIX"])
    t.false(isSent(text), text);
  t.false(isSent("QUENTA VOLTRIX", { rawType: "OTHER" }));
  t.false(isSent("QUENTA VOLTRIX", { merchantName: "QUENTA VOLTRIX" }));
  // A payer of whom nothing is known may employ; a person sends.
  t.false(isSent("QUENTA VOLTRIX", { amount: "480.00" }));
  t.true(isSent("ANNA VOLTRIX", { amount: "480.00" }));
});

test("the words of the user's country count, and of the merchant's where it is another", (t) => {
  const told = (country: string, merchantCountry: string | null) =>
    categorise(history([paid("XQZV BAKERY", { merchantCountry })], { country }))[0]?.categoryId;
  t.is(told("GB", null), "FOOD_GROCERIES");
  t.is(told("DK", null), null);
  t.is(told("DK", "GB"), "FOOD_GROCERIES");
  t.is(told("DK", "DK"), null);
});

test("a text that may be cut is told by its beginning, but not where the merchant's own name stands beside it", (t) => {
  const told = (text: string, merchantName: string | null) =>
    categorise(history([paid(text, { rawType: "DIRECT_DEBIT", merchantName })]))[0]?.categoryId;
  t.is(told("XQZVW XQZVW FJERNV", null), "UTILITIES_HEATING");
  t.is(told("XQZVW XQZVW FJERNV", "XQZVW"), null);
  t.is(told("XQZVW XQZVW FJERNV", "XQZVW XQZVW FJERNV"), "UTILITIES_HEATING");
  t.is(told("XQZVW", "HUSLEJE XQZVW"), "HOUSING_RENT");
});

test("the series' own product goes before one that the name says", (t) => {
  const row = paid("NETFLIX.COM");
  const told = (productId: string | null) =>
    categorise(
      history([row], { series: [{ direction: "OUT", productId, paymentFrequency: "MONTHLY", txids: [row.txid] }] }),
    )[0]?.categoryId;
  t.is(told("tryg"), "INSURANCE_OTHER");
  t.is(told(null), "LEISURE_STREAMING");
});

test("of several candidates five are kept, the deciding one first and each category once", (t) => {
  const [one] = categorise(
    history([paid("KLARNA LÅN", { rawType: "INVOICE", mcc: 5399 })], { userRules: new Map([["LAN", ["FEES_TAX"]]]) }),
  );
  t.is(one?.categoryId, "FEES_TAX");
  t.is(one?.candidates.length, 5);
  t.deepEqual(one?.candidates[0], { categoryId: "FEES_TAX", rule: "USER", confidence: 1 });
  t.is(new Set(one?.candidates.map(({ categoryId }) => categoryId)).size, 5);
  const confidences = one?.candidates.slice(1).map(({ confidence }) => confidence);
  t.deepEqual(
    confidences,
    confidences?.toSorted((a, b) => b - a),
  );
});

test("part of a series is regular, and nothing else is", (t) => {
  const [regular, other] = [paid("XQZVW"), paid("VWXQZ")];
  t.deepEqual(
    categorise(history([regular, other], { series: series([regular], "OUT") })).map((one) => one.regular),
    [true, false],
  );
});

const payees = ["NETTO", "ZARA", "SHELL", "MATAS", "SILVAN", "JYSK", "DSB", "FITNESS WORLD"];
const opened = (texts: readonly string[], more: (at: number) => Partial<Row> = () => ({})) =>
  [
    ...openingsOf(
      texts.map((text, at) => paid(text, more(at))),
      "DK",
    ),
  ].sort();

test("a bank's opening is learned from four names of three kinds behind it, once there are eight lines", (t) => {
  t.deepEqual(opened(payees.map((payee) => `FLURB ${payee}`)), ["FLURB"]);
  t.deepEqual(opened(payees.slice(0, 7).map((payee) => `FLURB ${payee}`)), []);
  const others = ["XQA", "XQB", "XQC", "XQD", "XQE", "XQF"].map((name) => `${name} ${name}`);
  t.deepEqual(opened([...payees.slice(0, 4).map((payee) => `FLURB ${payee}`), ...others]), ["FLURB"]);
  t.deepEqual(opened([...payees.slice(0, 3).map((payee) => `FLURB ${payee}`), ...others]), []);
  // Four shops of one kind are a street of them.
  const alike = ["NETTO", "BILKA", "LIDL", "ALDI", "FAKTA"].map((payee) => `FLURB ${payee}`);
  t.deepEqual(opened([...alike, ...others]), []);
});

test("openings have up to three words, and numbers between them and the name do not matter", (t) => {
  t.deepEqual(opened(payees.map((payee) => `FLURB BINK ${payee}`)), ["FLURB BINK"]);
  t.deepEqual(opened(payees.map((payee) => `FLURB BINK ZONK ${payee}`)), ["FLURB BINK ZONK"]);
  t.deepEqual(opened(payees.map((payee) => `FLURB BINK ZONK ARB ${payee}`)), []);
  t.deepEqual(opened(payees.map((payee, at) => `FLURB ${at}4411 ${payee}`)), ["FLURB"]);
  t.deepEqual(opened(payees.map((payee) => `VISA FLURB ${payee}`)), ["FLURB"]);
});

test("the same line with other numbers counts once", (t) => {
  t.deepEqual(opened(payees.flatMap((_, at) => [`FLURB NETTO ${at}44110${at}`, `FLURB ZARA ${at}`])), []);
});

test("a merchant's code tells its kind where nobody knows its name, and its own name where it begins", (t) => {
  const names = ["XQA", "XQB", "XQC", "XQD", "XQE", "XQF", "XQG", "XQH"];
  const codes = [5411, 5812, 5541, 5912, 5651, 5712, 4111, 7997];
  const lines = names.map((name) => `FLURB ${name} LTD`);
  t.deepEqual(opened(lines), []);
  t.deepEqual(
    opened(lines, (at) => ({ mcc: codes[at] ?? null })),
    ["FLURB"],
  );
  const named = (count: number) => opened(lines, (at) => ({ merchantName: at < count ? (names[at] ?? null) : null }));
  t.deepEqual(named(2), ["FLURB"]);
  t.deepEqual(named(1), []);
  t.deepEqual(
    opened(lines, (at) => ({ merchantName: at < 2 ? "FLURB" : null })),
    [],
  );
});

test("words behind an opening tell kinds too, where there are six names of five kinds", (t) => {
  const words = ["HUSLEJE", "FJERNVARME", "BREDBÅND", "BILFORSIKRING", "AVISABONNEMENT", "TENNISKLUB"];
  const others = ["XQA XQA", "XQB XQB"];
  t.deepEqual(opened([...words.map((word) => `FLURB ${word} XQ`), ...others]), ["FLURB"]);
  t.deepEqual(opened([...words.slice(0, 5).map((word) => `FLURB ${word} XQ`), ...others, "XQC XQC"]), []);
});

test("a word that names a payee itself needs eight names behind it", (t) => {
  t.deepEqual(opened(payees.map((payee) => `TRYG ${payee}`)), ["TRYG"]);
  t.deepEqual(opened([...payees.slice(0, 7).map((payee) => `TRYG ${payee}`), "XQA XQA"]), []);
});
