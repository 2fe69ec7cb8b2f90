/** What is neither spent nor earned: own money moved, a card's bill, a purchase that came back, a loan paid out. */
import test from "ava";
import { categorise } from "../../src/categories/categorised.ts";
import { history, type Row, row, series } from "./history.ts";

const excluded = (rows: ReturnType<typeof row>[], more: Parameters<typeof history>[1] = {}) =>
  categorise(history(rows, more)).map(({ exclusion }) => exclusion);
const moved = (text: string, more: Partial<Row> = {}) =>
  row({ day: "2026-10-03", amount: "-900.00", rawType: "ACCOUNT_TRANSFER", text, ...more });

test("a line that says it goes to one's own account does, over transfers and debits, but not from a card or a person", (t) => {
  for (const rawType of ["ACCOUNT_TRANSFER", "OTHER", "DIRECT_DEBIT"])
    t.deepEqual(excluded([moved("MELLEM EGNE KONTI", { rawType })]), ["OWN_TRANSFER"], rawType);
  t.deepEqual(excluded([moved("MELLEM EGNE KONTI", { rawType: "CARD_PURCHASE" })]), [null]);
  t.deepEqual(excluded([moved("MELLEM EGNE KONTI", { mcc: 5411 })]), [null]);
  t.deepEqual(excluded([moved("MELLEM KONTI TIL ANNA VOLTRIX")]), [null]);
  t.deepEqual(excluded([moved("XQZVW")]), [null]);
});

test("a card's bill is left out when its purchases of the 65 days before come to half of it", (t) => {
  const bill = (more: Partial<Row> = {}) =>
    moved("MASTERCARD AFREGNING", { day: "2026-10-05", amount: "-900.00", rawType: "DIRECT_DEBIT", ...more });
  const bought = (day: string, amount: string, more: Partial<Row> = {}) =>
    row({ day, amount, text: "ZARA AARHUS", accountId: null, cardId: "credit", ...more });
  const isLeftOut = (...rows: ReturnType<typeof row>[]) => excluded(rows)[0] === "CARD_SETTLEMENT";
  t.true(isLeftOut(bill(), bought("2026-09-12", "-450.00")));
  t.false(isLeftOut(bill(), bought("2026-09-12", "-449.99")));
  t.true(isLeftOut(bill(), bought("2026-09-12", "-250.00"), bought("2026-09-13", "-200.00")));
  t.true(isLeftOut(bill(), bought("2026-08-01", "-900.00")));
  t.false(isLeftOut(bill(), bought("2026-07-31", "-900.00")));
  t.true(isLeftOut(bill(), bought("2026-10-05", "-900.00")));
  t.false(isLeftOut(bill(), bought("2026-10-06", "-900.00")));
  t.true(isLeftOut(bill({ amount: "900.00" }), bought("2026-10-06", "-900.00")));
  // Purchases of the account itself, without a card, or that came back, are not the card's.
  t.false(isLeftOut(bill(), bought("2026-09-12", "-900.00", { accountId: "main" })));
  t.false(isLeftOut(bill(), bought("2026-09-12", "-900.00", { cardId: null })));
  t.false(isLeftOut(bill(), bought("2026-09-12", "900.00")));
  t.true(isLeftOut(bill(), bought("2026-09-12", "-900.00", { accountId: "other" })));
});

test("a bill is no purchase, cash, fee or interest, and its words or its payee's name tell it", (t) => {
  const purchase = row({ day: "2026-09-12", amount: "-900.00", text: "ZARA", accountId: null, cardId: "credit" });
  const told = (text: string, more: Partial<Row> = {}) => excluded([moved(text, more), purchase])[0];
  t.is(told("AMERICAN EXPRESS"), "CARD_SETTLEMENT");
  t.is(told("DINERS"), "CARD_SETTLEMENT");
  t.is(told("KORTAFREGNING"), "CARD_SETTLEMENT");
  t.is(told("XQZVW"), null);
  for (const rawType of ["CARD_PURCHASE", "CASH_WITHDRAWAL", "FEE", "INTEREST"])
    t.is(told("KORTAFREGNING", { rawType }), null, rawType);
  t.is(told("KORTAFREGNING", { cardId: "credit" }), null);
  t.is(told("KORTAFREGNING", { mcc: 5411 }), null);
});

test("a purchase that comes back whole is none: of the same payee, amount and currency, within sixty days", (t) => {
  const bought = (more: Partial<Row> = {}) =>
    row({ day: "2026-08-01", amount: "-500.00", text: "ZARA AARHUS", ...more });
  const back = (more: Partial<Row> = {}) =>
    row({ day: "2026-09-30", amount: "500.00", rawType: "CARD_REFUND", text: "ZARA AARHUS", ...more });
  const both = ["REFUNDED", "REFUNDED"];
  t.deepEqual(excluded([bought(), back()]), both);
  t.deepEqual(excluded([bought(), back({ day: "2026-08-01" })]), both);
  for (const other of [
    { day: "2026-10-01" },
    { day: "2026-07-31" },
    { amount: "499.00" },
    { currency: "SEK" },
    { text: "SILVAN" },
    { rawType: "CASH_DEPOSIT" },
  ])
    t.deepEqual(excluded([bought(), back(other)]), [null, null], JSON.stringify(other));
});

test("each refund takes the latest purchase that is left, and no purchase goes twice", (t) => {
  const bought = (day: string) => row({ day, amount: "-500.00", text: "ZARA AARHUS" });
  const back = (day: string) => row({ day, amount: "500.00", rawType: "CARD_REFUND", text: "ZARA AARHUS" });
  t.deepEqual(excluded([bought("2026-09-01"), bought("2026-09-10"), back("2026-09-20")]), [
    null,
    "REFUNDED",
    "REFUNDED",
  ]);
  t.deepEqual(excluded([bought("2026-09-10"), bought("2026-09-01"), back("2026-09-20")]), [
    "REFUNDED",
    null,
    "REFUNDED",
  ]);
  t.deepEqual(excluded([bought("2026-09-01"), back("2026-09-20"), back("2026-09-21")]), ["REFUNDED", "REFUNDED", null]);
});

test("a collected bill and a payment to a named merchant can come back, money between people cannot", (t) => {
  const pair = (text: string, more: Partial<Row>) =>
    excluded([
      row({ day: "2026-09-01", amount: "-500.00", text, ...more }),
      row({ day: "2026-09-20", amount: "500.00", text, ...more }),
    ]);
  t.deepEqual(pair("XQZVW", { rawType: "DIRECT_DEBIT" }), ["REFUNDED", "REFUNDED"]);
  t.deepEqual(pair("XQZVW", { rawType: "OTHER", merchantName: "XQZVW" }), ["REFUNDED", "REFUNDED"]);
  t.deepEqual(pair("XQZVW", { rawType: "OTHER" }), [null, null]);
  t.deepEqual(pair("MobilePay Freja Holm", { rawType: "ACCOUNT_TRANSFER" }), [null, null]);
});

test("a lender's money is a loan when the line says so, the amount is round, or three months' income", (t) => {
  const lent = (text: string, amount: string, more: Partial<Row> = {}) => moved(text, { amount, ...more });
  const is = (text: string, amount: string, more: Partial<Row> = {}, country = "DK") =>
    excluded([lent(text, amount, more)], { country })[0] === "LOAN_PAYOUT";
  t.true(is("NYT LÅN XQ", "12.00"));
  t.true(is("BASISBANK", "5000.00"));
  t.false(is("BASISBANK", "4000.00"));
  t.false(is("BASISBANK", "5500.00"));
  t.true(is("BASISBANK", "6000.00"));
  t.true(is("BASISBANK", "500.00", { currency: "EUR" }, "FI"));
  t.false(is("BASISBANK", "400.00", { currency: "EUR" }, "FI"));
  t.false(is("BASISBANK", "550.00", { currency: "EUR" }, "FI"));
  for (const currency of ["GBP", "USD", "CHF"]) t.true(is("BASISBANK", "600.00", { currency }), currency);
  for (const currency of ["NOK", "SEK", "PLN"]) t.false(is("BASISBANK", "600.00", { currency }), currency);
});

test("lenders are told by name, code and words; cards, interest and what comes back are no loans", (t) => {
  const is = (text: string, more: Partial<Row> = {}) =>
    excluded([moved(text, { amount: "60000.00", ...more })])[0] === "LOAN_PAYOUT";
  for (const text of ["BASISBANK", "KLARNA", "NYKREDIT", "SANTANDER CONSUMER", "AMERICAN EXPRESS", "BANKLÅN XQZVW"])
    t.true(is(text), text);
  t.true(is("XQ", { merchantName: "BASISBANK" }));
  t.true(is("OVERFØRSEL FRA BASISBANK"));
  for (const text of ["TRYG", "XQZVW", "BASISBANK RETUR", "ANNA VOLTRIX BANKLÅN"]) t.false(is(text), text);
  t.false(is("BASISBANK", { rawType: "CARD_REFUND" }));
  t.false(is("BASISBANK", { rawType: "INTEREST" }));
});

test("a lender's odd amount is a loan from three times what comes in regularly in a month", (t) => {
  const pay = ["2026-08-03", "2026-09-03", "2026-10-03"].map((day) =>
    moved("LØN XQZV A/S", { day, amount: "10000.00" }),
  );
  const is = (amount: string) =>
    excluded([...pay, moved("BASISBANK", { amount })], { series: series(pay) }).at(-1) === "LOAN_PAYOUT";
  // Thirty thousand over the 61 days from first to last and a month: 30,000 / (61 / 30.4 + 1) = 9,978.12; thrice 29,934.35.
  t.true(is("29934.37"));
  t.false(is("29934.33"));
  t.false(is("12345.67"));
});

test("an answer counts before an exclusion, but not for a purchase that came back", (t) => {
  const rule = new Map([["BASISBANK", ["INCOME_CAPITAL"]]]);
  const [loan] = categorise(history([moved("BASISBANK", { amount: "60000.00" })], { userRules: rule }));
  t.like(loan, { categoryId: "INCOME_CAPITAL", exclusion: null, rule: "USER", confidence: 1 });
  const rows = [
    row({ day: "2026-09-01", amount: "-500.00", text: "ZARA" }),
    row({ day: "2026-09-20", amount: "500.00", rawType: "CARD_REFUND", text: "ZARA" }),
  ];
  const [bought] = categorise(history(rows, { userRules: new Map([["ZARA", ["EDUCATION_COURSES"]]]) }));
  t.like(bought, { categoryId: null, exclusion: "REFUNDED", rule: "EXCLUSION", confidence: 1, candidates: [] });
});

test("what leaves one own account and comes to another is own money, whatever either line says", (t) => {
  const rows = [moved("XQZVW"), moved("VWXQZ", { day: "2026-10-05", amount: "900.00", accountId: "savings" })];
  const ownAccounts = [
    { id: "main", iban: null },
    { id: "savings", iban: null },
  ];
  t.deepEqual(excluded(rows, { ownAccounts }), ["OWN_TRANSFER", "OWN_TRANSFER"]);
  t.deepEqual(excluded(rows.slice(0, 1), { ownAccounts }), [null]);
});

test("a lender's payment of three months' regular income is a loan; what came once is no income to hold it against", (t) => {
  const pay = ["2026-08-28", "2026-09-28", "2026-10-28"].map((day) =>
    row({ day, amount: "10000.00", rawType: "SALARY", text: "LØN NORDFIRMA" }),
  );
  const once = row({ day: "2026-09-10", amount: "200000.00", rawType: "OTHER", text: "XQZVW" });
  const lent = (amount: string) => moved("SANTANDER CONSUMER", { amount, rawType: "OTHER", day: "2026-10-10" });
  // 30,000.00 in the 61 days from the first to the last and a month more, three in all: 10,000.00 a month.
  const isLoan = (amount: string) => excluded([lent(amount), once, ...pay], { series: series(pay) })[0];
  t.is(isLoan("31234.56"), "LOAN_PAYOUT");
  t.is(isLoan("21234.56"), null);
});
