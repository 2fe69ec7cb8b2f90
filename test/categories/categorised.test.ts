/**
 * A payment's category comes from the surest that is known of it: the user's answer, the product, the merchant's code,
 * the terminal, known names, then words.
 */
import test from "ava";
import { categorise } from "../../src/categories/categorised.ts";
import { history, row, only, series } from "./history.ts";

test("the user's answer comes before everything that is known of the payee", (t) => {
  const purchase = row({ day: "2026-10-03", amount: "-89.00", text: "NETFLIX.COM", mcc: 4899 });
  const [before] = categorise(history([purchase]));
  const [after] = categorise(history([purchase], { userRules: new Map([[before!.payeeKey, ["EDUCATION_COURSES"]]]) }));
  t.like(after, {
    transactionId: purchase.txid,
    categoryId: "EDUCATION_COURSES",
    rule: "USER",
    confidence: 1,
    payeeKey: "netflix",
  });
});

test("a service's product says what it is for", (t) => {
  const purchase = row({ day: "2026-10-03", amount: "-89.00", text: "NETFLIX.COM" });
  const series = [
    { direction: "OUT" as const, productId: "netflix", paymentFrequency: "MONTHLY" as const, txids: [purchase.txid] },
  ];
  t.like(categorise(history([purchase], { series }))[0], {
    categoryId: "LEISURE_STREAMING",
    rule: "PRODUCT",
    regular: true,
  });
});

test("a merchant category code decides where it is sure, and is a candidate where it is not", (t) => {
  const [sure, unsure] = categorise(
    history([
      row({ day: "2026-10-03", amount: "-120.00", text: "XQZ 77 KLINIK", mcc: 742 }),
      row({ day: "2026-10-03", amount: "-120.00", text: "XQZ 78 HANDEL", mcc: 743 }),
    ]),
  );
  t.like(sure, { categoryId: "LEISURE_PETS", rule: "MERCHANT_CATEGORY_CODE", confidence: 0.9, regular: false });
  t.like(unsure, {
    categoryId: null,
    rule: "NONE",
    confidence: 0,
    candidates: [{ categoryId: "OTHER_EXPENSES", rule: "MERCHANT_CATEGORY_CODE", confidence: 0.2 }],
  });
});

test("a known chain is recognised behind bank words, branch numbers and cities", (t) => {
  const [plain, noted, cut] = only(
    row({ day: "2026-10-03", amount: "-120.00", text: "NETTO 1234 AARHUS C" }),
    row({ day: "2026-10-04", amount: "-80.00", text: "DANKORT-NOTA SUPERBRUGSEN VEJLE 88123" }),
    row({ day: "2026-10-05", amount: "-80.00", text: "SUPERBRUGS" }),
  );
  for (const one of [plain, noted, cut]) t.like(one, { categoryId: "FOOD_GROCERIES", rule: "MERCHANT" });
});

test("the line says which insurance an insurer is paid for", (t) => {
  const [car, house, unsaid] = only(
    row({ day: "2026-10-01", amount: "-400.00", rawType: "DIRECT_DEBIT", text: "TRYG BILFORSIKRING" }),
    row({ day: "2026-10-01", amount: "-300.00", rawType: "DIRECT_DEBIT", text: "TRYG INDBOFORSIKRING" }),
    row({ day: "2026-10-01", amount: "-200.00", rawType: "DIRECT_DEBIT", text: "TRYG 1234567" }),
  );
  t.deepEqual(
    [car, house, unsaid].map((one) => one?.categoryId),
    ["INSURANCE_VEHICLE", "INSURANCE_HOME", "INSURANCE_OTHER"],
  );
});

test("a direct debit of an unknown payee is told by its words, and not at all without any", (t) => {
  const [rent, union, unknown] = only(
    row({ day: "2026-10-01", amount: "-7000.00", rawType: "DIRECT_DEBIT", text: "XQZVW HUSLEJE 44" }),
    row({ day: "2026-10-01", amount: "-400.00", rawType: "DIRECT_DEBIT", text: "XQZVW A-KASSE" }),
    row({ day: "2026-10-01", amount: "-400.00", rawType: "DIRECT_DEBIT", text: "XQZVW 123456" }),
  );
  t.like(rent, { categoryId: "HOUSING_RENT", rule: "TEXT" });
  t.like(union, { categoryId: "WORK_UNEMPLOYMENT_FUND", rule: "TEXT" });
  t.like(unknown, { categoryId: null, rule: "NONE", confidence: 0 });
});

test("a friend who is called like a trade union is none", (t) => {
  t.is(
    only(row({ day: "2026-10-01", amount: "-200.00", rawType: "ACCOUNT_TRANSFER", text: "MobilePay Ida Hansen" }))[0]
      ?.categoryId,
    "OTHER_TRANSFERS",
  );
});

test("the order of the rows changes nothing", (t) => {
  const rows = [
    row({ day: "2026-08-01", amount: "-500.00", text: "ZARA AARHUS" }),
    row({ day: "2026-09-20", amount: "500.00", rawType: "CARD_REFUND", text: "ZARA AARHUS" }),
    row({ day: "2026-08-03", amount: "-500.00", text: "ZARA AARHUS" }),
    row({ day: "2026-09-01", amount: "20000.00", rawType: "SALARY", text: "LØN" }),
  ];
  const byId = (given: ReturnType<typeof categorise>) =>
    given.toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1));
  t.deepEqual(byId(categorise(history(rows.toReversed()))), byId(categorise(history(rows))));
});

test("two letters before an account number are a bank's code, and before a city a shop", (t) => {
  const [bank, shop] = categorise(
    history(
      [
        row({ day: "2026-10-01", amount: "-900.00", rawType: "TRANSFER_OUT", text: "CD/40862113" }),
        row({ day: "2026-10-01", amount: "-90.00", text: "CD PRAHA" }),
      ],
      { country: "CZ" },
    ),
  );
  t.is(bank?.categoryId, null);
  t.is(shop?.categoryId, "TRANSPORT_PUBLIC");
});

test("a shop whose name is garbled is known by its terminal, as long as the terminal serves one kind of shop", (t) => {
  const day = "2026-10-03";
  const [garbled, , mixed] = only(
    row({ day, amount: "-90.00", text: "XQZVW 77/1", merchantCid: "acceptor-1" }),
    row({ day, amount: "-120.00", text: "NETTO 1234 AARHUS C", merchantCid: "acceptor-1" }),
    row({ day, amount: "-90.00", text: "XQZVW 78/2", merchantCid: "acceptor-2" }),
    row({ day, amount: "-120.00", text: "NETTO 1234 AARHUS C", merchantCid: "acceptor-2" }),
    row({ day, amount: "-500.00", text: "ZARA AARHUS", merchantCid: "acceptor-2" }),
  );
  t.like(garbled, { categoryId: "FOOD_GROCERIES", rule: "MERCHANT", confidence: 0.8 });
  t.like(mixed, { categoryId: null, rule: "NONE" });
});

test("the last word that a bank cut off says what the whole one says", (t) => {
  const [heating, bill] = only(
    row({ day: "2026-10-01", amount: "-900.00", rawType: "DIRECT_DEBIT", text: "BETALINGSSERVICE XQZVW FJERNVA" }),
    row({ day: "2026-10-01", amount: "-900.00", rawType: "DIRECT_DEBIT", text: "FJERNVA" }),
  );
  t.like(heating, { categoryId: "UTILITIES_HEATING", rule: "TEXT", confidence: 0.74 });
  // Nothing was cut off a text as short as that.
  t.is(bill?.categoryId, null);
  // A whole word is no beginning of a longer phrase, and nothing is cut off behind a number.
  const whole = categorise(
    history(
      ["CSN ATERBETALNING", "XQZVW HUSHALLSE 400221"].map((text) =>
        row({ day: "2026-10-01", amount: "-900.00", rawType: "INVOICE", text }),
      ),
      { country: "SE" },
    ),
  );
  t.deepEqual(
    whole.map(({ categoryId }) => categoryId),
    ["DEBT_STUDENT_LOAN", null],
  );
  const [benefit] = categorise(
    history(
      [
        row({
          day: "2026-10-01",
          amount: "1400.00",
          rawType: "ACCOUNT_TRANSFER",
          text: "FORSAKRINGSKASSAN BOSTADSBID",
        }),
      ],
      { country: "SE" },
    ),
  );
  t.is(benefit?.categoryId, "INCOME_BENEFIT_HOUSING");
});

test("a number that stands at a name without a space hides it from nobody", (t) => {
  const [bought, none] = only(
    row({ day: "2026-10-01", amount: "-90.00", text: "PAYPAL *EBAY72323" }),
    row({ day: "2026-10-01", amount: "-90.00", text: "PAYPAL *XQZVW72323" }),
  );
  t.deepEqual([bought?.categoryId, none?.categoryId], ["OTHER_EXPENSES", null]);
});

test("a word for a loan alone is no answer, and asks about every kind", (t) => {
  const [loan] = categorise(
    history(
      [
        row({
          day: "2026-10-01",
          amount: "-13667.00",
          rawType: "DIRECT_DEBIT",
          text: "Avtalegiro Til: LAN 19458994450",
          currency: "NOK",
        }),
      ],
      { country: "NO" },
    ),
  );
  t.is(loan?.categoryId, null);
  t.deepEqual(
    loan?.candidates.map(({ categoryId }) => categoryId),
    ["DEBT_CONSUMER_LOAN", "HOUSING_MORTGAGE", "TRANSPORT_VEHICLE_FINANCE", "DEBT_STUDENT_LOAN"],
  );
});

test("a state's collector of debts is one, unless the line says that it is a student's loan", (t) => {
  const paid = (text: string) => row({ day: "2026-10-01", amount: "-400.00", rawType: "DIRECT_DEBIT", text });
  t.deepEqual(
    only(paid("GÆLDSSTYRELSEN 84410232"), paid("GÆLDSSTYRELSEN STUDIEGÆLD"), paid("GÆLDSSTYRELSEN SU-LÅN 7741")).map(
      (one) => one?.categoryId,
    ),
    ["DEBT_COLLECTION", "DEBT_STUDENT_LOAN", "DEBT_STUDENT_LOAN"],
  );
});

test("a code for merchandise of every kind says less than a name, and never that it was food", (t) => {
  const [crafts, unknown] = only(
    row({ day: "2026-10-01", amount: "-240.00", text: "ETSY.COM*88213", merchantName: "ETSY.COM*88213", mcc: 5399 }),
    row({ day: "2026-10-01", amount: "-240.00", text: "XQZVW", merchantName: "XQZVW", mcc: 5399 }),
  );
  t.like(crafts, { categoryId: "LEISURE_HOBBIES_GAMES", rule: "MERCHANT" });
  t.like(unknown, { categoryId: "OTHER_EXPENSES", rule: "MERCHANT_CATEGORY_CODE" });
});

test("what is paid through a lender once is the purchase, and what comes again is its instalments", (t) => {
  const parts = ["08", "09", "10"].map((month) =>
    row({
      day: `2026-${month}-08`,
      amount: "-499.00",
      text: "KLARNA*ELGIGANTEN",
      merchantName: "KLARNA*ELGIGANTEN",
      mcc: 5732,
    }),
  );
  const once = row({
    day: "2026-10-20",
    amount: "-1299.00",
    text: "KLARNA*ELGIGANTEN",
    merchantName: "KLARNA*ELGIGANTEN",
    mcc: 5732,
  });
  const given = categorise(history([...parts, once], { series: series(parts, "OUT") }));
  t.deepEqual(
    given.map(({ categoryId }) => categoryId),
    ["DEBT_PAY_LATER", "DEBT_PAY_LATER", "DEBT_PAY_LATER", "HOME_ELECTRONICS"],
  );
});

test("the rate of a purchase abroad is no lesson", (t) => {
  const [bought] = categorise(
    history(
      [row({ day: "2026-10-01", amount: "-90.00", text: "*4012 22.08 EUR 8.00 XQZVW Kurs: 11.2500", currency: "NOK" })],
      { country: "NO" },
    ),
  );
  t.deepEqual([bought?.categoryId, bought?.candidates], [null, []]);
});
