/**
 * What is neither spent nor earned is left out of a budget, and what comes in is income only where type, words, payer
 * or regularity say so.
 */
import test from "ava";
import { categorise } from "../../src/categories/categorised.ts";
import { history, row, only, series } from "./history.ts";

test("a purchase that comes back whole within sixty days is left out with its refund; later it lowers the category", (t) => {
  const bought = { amount: "-500.00", text: "ZARA AARHUS" };
  const back = { amount: "500.00", rawType: "CARD_REFUND", text: "ZARA AARHUS" };
  t.deepEqual(
    only(row({ day: "2026-08-01", ...bought }), row({ day: "2026-09-30", ...back })).map(({ exclusion }) => exclusion),
    ["REFUNDED", "REFUNDED"],
  );
  const [purchase, refund] = only(row({ day: "2026-08-01", ...bought }), row({ day: "2026-10-01", ...back }));
  t.like(purchase, { categoryId: "PERSONAL_CLOTHING", exclusion: null });
  t.like(refund, { categoryId: "PERSONAL_CLOTHING", exclusion: null, rule: "REFUND" });
});

test("part of a purchase that comes back lowers the merchant's category, and after 120 days nothing is known of it", (t) => {
  const [, partly, late] = only(
    row({ day: "2026-05-01", amount: "-500.00", text: "ZARA AARHUS" }),
    row({ day: "2026-08-29", amount: "200.00", rawType: "CARD_REFUND", text: "ZARA AARHUS" }),
    row({ day: "2026-08-30", amount: "100.00", rawType: "CARD_REFUND", text: "ZARA AARHUS" }),
  );
  t.like(partly, { categoryId: "PERSONAL_CLOTHING", rule: "REFUND" });
  t.like(late, { categoryId: null, rule: "NONE" });
});

test("a card's bill is left out where the card's purchases are here, and is a repayment where they are not", (t) => {
  const bill = { day: "2026-10-05", amount: "-900.00", rawType: "DIRECT_DEBIT", text: "MASTERCARD AFREGNING" };
  const purchase = row({
    day: "2026-09-12",
    amount: "-900.00",
    text: "ZARA AARHUS",
    accountId: null,
    cardId: "credit",
  });
  t.is(only(purchase, row(bill))[1]?.exclusion, "CARD_SETTLEMENT");
  t.is(only(row({ ...bill, text: "AMERICAN EXPRESS" }))[0]?.categoryId, "DEBT_CREDIT_CARD");
});

test("money between own accounts is neither spent nor earned", (t) => {
  const out = row({
    day: "2026-10-01",
    amount: "-1000.00",
    rawType: "ACCOUNT_TRANSFER",
    text: "Overførsel egen konto",
  });
  const back = row({
    day: "2026-10-02",
    amount: "1000.00",
    rawType: "ACCOUNT_TRANSFER",
    text: "Overførsel egen konto",
    accountId: "savings",
  });
  t.deepEqual(
    only(out, back).map(({ exclusion, categoryId }) => [exclusion, categoryId]),
    [
      ["OWN_TRANSFER", null],
      ["OWN_TRANSFER", null],
    ],
  );
});

test("pay, pension and benefits are told by type, words and payer", (t) => {
  const texts = [
    "LOENOVERFOERSEL",
    "FOLKEPENSION",
    "BOERNE- OG UNGEYDELSE",
    "BOLIGSTOETTE",
    "DAGPENGE MIN A-KASSE",
    "OVERSKYDENDE SKAT",
    "FERIEPENGE",
    "SU UDBETALING",
  ];
  const given = categorise(
    history(texts.map((text) => row({ day: "2026-10-01", amount: "1000.00", rawType: "ACCOUNT_TRANSFER", text }))),
  );
  t.deepEqual(
    given.map(({ categoryId }) => categoryId),
    [
      "INCOME_SALARY",
      "INCOME_PENSION_STATE",
      "INCOME_BENEFIT_CHILD",
      "INCOME_BENEFIT_HOUSING",
      "INCOME_BENEFIT_UNEMPLOYMENT",
      "INCOME_TAX_REFUND",
      "INCOME_BONUS_HOLIDAY",
      "INCOME_BENEFIT_STUDENT",
    ],
  );
});

test("a loan that is paid out is no income, and the same lender's odd small credit is no loan", (t) => {
  const [loan, odd] = only(
    row({ day: "2026-10-01", amount: "60000.00", rawType: "ACCOUNT_TRANSFER", text: "BASISBANK A/S" }),
    row({ day: "2026-10-02", amount: "12.34", rawType: "ACCOUNT_TRANSFER", text: "BASISBANK A/S" }),
  );
  t.is(loan?.exclusion, "LOAN_PAYOUT");
  t.is(odd?.exclusion, null);
});

test("what friends send is no income unless it comes in six months of twelve", (t) => {
  const months = ["05", "06", "07", "08", "09", "10"];
  const sent = (count: number) =>
    months
      .slice(0, count)
      .map((month) =>
        row({ day: `2026-${month}-02`, amount: "2500.00", rawType: "ACCOUNT_TRANSFER", text: "MobilePay Freja Holm" }),
      );
  t.deepEqual([...new Set(categorise(history(sent(5))).map(({ categoryId }) => categoryId))], ["OTHER_TRANSFERS"]);
  t.deepEqual([...new Set(categorise(history(sent(6))).map(({ categoryId }) => categoryId))], ["INCOME_UNSPECIFIED"]);
});

test("cash that is put in to the same amount in six months of twelve is income, any other is not", (t) => {
  const months = ["05", "06", "07", "08", "09", "10"];
  const put = (count: number, amount: (at: number) => string) =>
    months
      .slice(0, count)
      .map((month, at) =>
        row({ day: `2026-${month}-09`, amount: amount(at), rawType: "CASH_DEPOSIT", text: "INDBETALING" }),
      );
  const given = (rows: ReturnType<typeof put>) => [
    ...new Set(categorise(history(rows)).map(({ categoryId }) => categoryId)),
  ];
  t.deepEqual(given(put(6, () => "17366.00")), ["INCOME_UNSPECIFIED"]);
  t.deepEqual(given(put(5, () => "17366.00")), [null]);
  t.deepEqual(given(put(6, (at) => `${1000 + at}.00`)), [null]);
});

test("the largest regular credit of an unknown payer is the pay, a smaller one unspecified, a single one no income", (t) => {
  const large = ["08", "09", "10"].map((month) =>
    row({ day: `2026-${month}-28`, amount: "25000.00", rawType: "OTHER", text: "XQZVW HOLDING" }),
  );
  const small = ["08", "09", "10"].map((month) =>
    row({ day: `2026-${month}-15`, amount: "900.00", rawType: "OTHER", text: "WVZQX GMBH" }),
  );
  const single = row({ day: "2026-10-15", amount: "700.00", rawType: "OTHER", text: "QQXZ" });
  const given = categorise(history([...large, ...small, single], { series: [...series(large), ...series(small)] }));
  t.deepEqual(
    given.map(({ categoryId }) => categoryId),
    [
      "INCOME_SALARY",
      "INCOME_SALARY",
      "INCOME_SALARY",
      "INCOME_UNSPECIFIED",
      "INCOME_UNSPECIFIED",
      "INCOME_UNSPECIFIED",
      null,
    ],
  );
});

test("an authority's line says which benefit it is, whoever's name is longer", (t) => {
  const paid = (text: string) =>
    row({
      day: "2026-10-01",
      amount: "1400.00",
      rawType: "ACCOUNT_TRANSFER",
      text,
      merchantName: "Udbetaling Danmark",
    });
  t.deepEqual(
    only(paid("BOLIGSTOETTE"), paid("PENSION"), paid("UDBETALING DANMARK")).map((one) => one?.categoryId),
    ["INCOME_BENEFIT_HOUSING", "INCOME_PENSION_STATE", "INCOME_BENEFIT_SOCIAL"],
  );
});
