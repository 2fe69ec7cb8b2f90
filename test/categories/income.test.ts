/** What money that came in was: which rule says so, how surely, and from how many months on. */
import test from "ava";
import { categorise } from "../../src/categories/categorised.ts";
import type { PaymentFrequency } from "../../src/interface/payment-frequency.ts";
import { history, type Row, row, series } from "./history.ts";

type More = Partial<Row> & { country?: string; isRegular?: boolean };

const came = (text: string, more: Partial<Row> = {}) =>
  row({ day: "2026-10-03", amount: "1400.00", rawType: "ACCOUNT_TRANSFER", text, ...more });

/** All that is thought of, the category itself first. */
function thought(text: string, { country = "DK", isRegular = false, ...fields }: More = {}): string[] {
  const paid = came(text, fields);
  const [one] = categorise(history([paid], { country, series: isRegular ? series([paid]) : [] }));
  const decided = one?.categoryId === null ? ["none"] : [];
  const others = one?.candidates.map(({ categoryId, rule, confidence }) => `${categoryId} ${rule} ${confidence}`) ?? [];
  return [...decided, ...others];
}

const first = (text: string, more: More = {}) => thought(text, more)[0]?.split(" ")[0];
const categoriesOf = (given: ReturnType<typeof categorise>) => given.map(({ categoryId }) => categoryId);

test("the type of a payment says what came in", (t) => {
  for (const [rawType, said] of [
    ["SALARY", "INCOME_SALARY TYPE 0.95"],
    ["wage", "INCOME_SALARY TYPE 0.95"],
    ["PAYROLL", "INCOME_SALARY TYPE 0.95"],
    ["INTEREST", "INCOME_CAPITAL TYPE 0.95"],
    ["DIVIDEND", "INCOME_CAPITAL TYPE 0.95"],
    ["PENSION", "INCOME_PENSION_PRIVATE TYPE 0.95"],
    ["OTHER", "none"],
  ] as const)
    t.deepEqual(thought("XQZVW", { rawType }), [said], rawType);
});

test("words say more closely what pay or which pension it is, and nothing else against the type", (t) => {
  t.deepEqual(thought("FERIEPENGE XQZVW", { rawType: "SALARY" }), ["INCOME_BONUS_HOLIDAY TYPE 0.95"]);
  t.deepEqual(thought("FOLKEPENSION XQZVW", { rawType: "PENSION" }), ["INCOME_PENSION_STATE TYPE 0.95"]);
  t.is(first("FOLKEPENSION", { rawType: "SALARY" }), "INCOME_SALARY");
  t.is(first("DAGPENGE", { rawType: "SALARY" }), "INCOME_SALARY");
  t.is(first("FERIEPENGE", { rawType: "PENSION" }), "INCOME_PENSION_PRIVATE");
});

test("an authority pays any benefit, and its pension is the state's", (t) => {
  t.is(first("UDBETALING DANMARK"), "INCOME_BENEFIT_SOCIAL");
  t.is(first("UDBETALING DANMARK BARSELSDAGPENGE"), "INCOME_BENEFIT_SICK_PARENTAL");
  t.deepEqual(thought("UDBETALING DANMARK RATEPENSION"), [
    "INCOME_PENSION_STATE MERCHANT 0.92",
    "INCOME_PENSION_PRIVATE TEXT 0.8",
  ]);
  // The authority's name is longer than what is said beside it.
  t.is(first("UDBETALING DANMARK LØN"), "INCOME_BENEFIT_SOCIAL");
});

test("a benefit that is named by itself stays one beside a word for pay", (t) => {
  t.is(first("BOLIGSTØTTE LØN"), "INCOME_BENEFIT_HOUSING");
  t.is(first("A-KASSE LØN XQZVW XQZVW"), "INCOME_BENEFIT_UNEMPLOYMENT");
});

test("of other payers the longer of name and words decides", (t) => {
  t.is(first("PFA LØNUDBETALING"), "INCOME_SALARY");
  t.is(first("PFA FOLKEPENSION"), "INCOME_PENSION_STATE");
  t.is(first("SKATTESTYRELSEN RENTE"), "INCOME_TAX_REFUND");
  t.is(first("SKAT RENTE XQZVW XQZVW"), "INCOME_CAPITAL");
});

test("a card's refund and cash are no pay, whatever their words say", (t) => {
  t.deepEqual(thought("LØN XQZVW", { rawType: "CARD_REFUND" }), ["none"]);
  t.deepEqual(thought("LØN XQZVW", { rawType: "CASH_DEPOSIT" }), ["none"]);
  t.is(first("LØN XQZVW"), "INCOME_SALARY");
});

test("what people send is a transfer, but for what its words or an authority's long name say", (t) => {
  t.deepEqual(thought("ANNA VOLTRIX"), ["OTHER_TRANSFERS TYPE 0.7"]);
  t.deepEqual(thought("FRA ANNA VOLTRIX HUSLEJE"), ["INCOME_RENTAL TEXT 0.8", "OTHER_TRANSFERS TYPE 0.7"]);
  t.is(first("MOBILEPAY UDBETALING DANMARK"), "INCOME_BENEFIT_SOCIAL");
});

test("who sends money in six months of the last twelve is lived on, whatever happened before and after", (t) => {
  const sent = (days: readonly string[]) =>
    categoriesOf(categorise(history(days.map((day) => came("MobilePay Freja Holm", { day }))))).at(-1);
  const months = ["2026-06-02", "2026-07-02", "2026-08-02", "2026-09-02", "2026-10-02"];
  t.is(sent(["2025-11-21", ...months]), "INCOME_UNSPECIFIED");
  t.is(sent(["2025-11-20", ...months]), "OTHER_TRANSFERS");
  t.is(sent([...months, "2026-11-20"]), "INCOME_UNSPECIFIED");
  t.is(sent([...months, "2026-11-21"]), "OTHER_TRANSFERS");
  t.is(sent([...months, "2026-10-28"]), "OTHER_TRANSFERS");
});

test("a payer's amounts that left are no months of it", (t) => {
  const days = ["2026-05-02", "2026-06-02", "2026-07-02", "2026-08-02", "2026-09-02", "2026-10-02"];
  const given = days.map((day, at) => came("MobilePay Freja Holm", { day, amount: at === 0 ? "-50.00" : "50.00" }));
  t.is(categoriesOf(categorise(history(given))).at(-1), "OTHER_TRANSFERS");
});

test("cash of the same amount in the same currency is regular, and an amount of each is not", (t) => {
  const months = ["05", "06", "07", "08", "09", "10"];
  const put = (currencyOf: (at: number) => string) =>
    months.map((month, at) =>
      came("INDBETALING", {
        day: `2026-${month}-09`,
        amount: "5000.00",
        rawType: "CASH_DEPOSIT",
        currency: currencyOf(at),
      }),
    );
  t.deepEqual(new Set(categoriesOf(categorise(history(put(() => "DKK"))))), new Set(["INCOME_UNSPECIFIED"]));
  t.deepEqual(new Set(categoriesOf(categorise(history(put((at) => (at % 2 === 0 ? "DKK" : "SEK")))))), new Set([null]));
});

test("an unknown payer's regular money is pay, a single one nothing, winnings unspecified", (t) => {
  t.deepEqual(thought("XQZVW", { isRegular: true }), ["INCOME_SALARY REGULAR 0.65", "INCOME_UNSPECIFIED REGULAR 0.6"]);
  t.deepEqual(thought("XQZVW"), ["none"]);
  t.deepEqual(thought("XQZVW GEVINST", { isRegular: true }), ["INCOME_UNSPECIFIED REGULAR 0.6"]);
  t.deepEqual(thought("XQZVW", { isRegular: true, rawType: "CASH_DEPOSIT" }), ["none"]);
});

test("pay comes by the week, the fortnight or the month; what comes seldom is none", (t) => {
  const by = (paymentFrequency: PaymentFrequency) => {
    const rows = ["2026-08-31", "2026-09-30", "2026-10-30"].map((day) => came("XQZVW", { day }));
    const [one] = series(rows);
    return categoriesOf(categorise(history(rows, { series: [{ ...one!, paymentFrequency }] })))[0];
  };
  for (const frequency of ["WEEKLY", "BIWEEKLY", "MONTHLY"] as const) t.is(by(frequency), "INCOME_SALARY", frequency);
  for (const frequency of ["QUARTERLY", "YEARLY"] as const) t.is(by(frequency), "INCOME_UNSPECIFIED", frequency);
});

const monthly = (text: string, amount: string) =>
  ["2026-08-31", "2026-09-30", "2026-10-30"].map((day) => came(text, { day, amount }));
const lastOf = (...payers: ReturnType<typeof monthly>[]) =>
  categoriesOf(categorise(history(payers.flat(), { series: payers.flatMap((rows) => series(rows)) }))).at(-1);

test("a company that pays a tenth of the usual pay employs too; of whom nothing is known must pay half of it", (t) => {
  const pay = monthly("LØN XQZV A/S", "30000.00");
  t.is(lastOf(pay, monthly("Volrix ApS", "3000.00")), "INCOME_SALARY");
  t.is(lastOf(pay, monthly("Volrix ApS", "2999.00")), "INCOME_UNSPECIFIED");
  t.is(lastOf(pay, monthly("Volrix", "15000.00")), "INCOME_SALARY");
  t.is(lastOf(pay, monthly("Volrix", "14999.00")), "INCOME_UNSPECIFIED");
});

test("beside a pension nobody of whom nothing is known employs by being the largest", (t) => {
  t.is(lastOf(monthly("FOLKEPENSION", "16000.00"), monthly("Volrix", "2000.00")), "INCOME_UNSPECIFIED");
  t.is(lastOf(monthly("Volrix", "2000.00")), "INCOME_SALARY");
  t.is(lastOf(monthly("Zolvex", "9000.00"), monthly("Volrix", "2000.00")), "INCOME_UNSPECIFIED");
  t.is(lastOf(monthly("Volrix", "2000.00"), monthly("Zolvex", "9000.00")), "INCOME_SALARY");
});

test("a refund is of the payee's latest purchase within 120 days, and a type that says reversal goes before words", (t) => {
  const bought = (day: string, mcc: number) => row({ day, amount: "-500.00", text: "XQZVW", mcc });
  const given = (...rows: ReturnType<typeof row>[]) => categorise(history(rows)).at(-1);
  const back = (more: Partial<Row> = {}) => came("XQZVW", { amount: "200.00", rawType: "CARD_REFUND", ...more });
  t.like(given(bought("2026-09-01", 5411), back()), { categoryId: "FOOD_GROCERIES", rule: "REFUND", confidence: 0.85 });
  t.is(given(bought("2026-09-01", 5411), bought("2026-09-20", 5812), back())?.categoryId, "FOOD_RESTAURANTS");
  t.is(given(bought("2026-09-20", 5812), bought("2026-09-01", 5411), back())?.categoryId, "FOOD_RESTAURANTS");
  t.is(given(bought("2026-10-03", 5411), back())?.categoryId, "FOOD_GROCERIES");
  t.is(given(bought("2026-10-04", 5411), back())?.categoryId, null);
  const spent = row({ day: "2026-09-01", amount: "-500.00", text: "LØN XQZVW", mcc: 5411 });
  for (const rawType of ["CARD_REFUND", "PURCHASE_RETURN", "REFUND", "POS_CREDIT"])
    t.is(
      categorise(history([spent, came("LØN XQZVW", { amount: "200.00", rawType })])).at(-1)?.rule,
      "REFUND",
      rawType,
    );
  t.is(categorise(history([spent, came("LØN XQZVW", { amount: "200.00" })])).at(-1)?.rule, "TEXT");
});

test("a payee's answered category holds for its bills, and for its refunds through them alone", (t) => {
  const bought = row({ day: "2026-09-01", amount: "-500.00", text: "XQZVW" });
  const back = came("XQZVW", { amount: "200.00", rawType: "CARD_REFUND" });
  const userRules = new Map([["XQZVW", ["EDUCATION_COURSES"]]]);
  t.deepEqual(
    categorise(history([bought, back], { userRules })).map(({ categoryId, rule }) => `${categoryId} ${rule}`),
    ["EDUCATION_COURSES USER", "EDUCATION_COURSES REFUND"],
  );
  t.deepEqual(categoriesOf(categorise(history([back], { userRules }))), [null]);
  const earned = new Map([["XQZVW", ["INCOME_RENTAL"]]]);
  t.deepEqual(categoriesOf(categorise(history([bought, back], { userRules: earned }))), [null, "INCOME_RENTAL"]);
  t.deepEqual(categoriesOf(categorise(history([bought], { userRules: new Map([["XQZVW", []]]) }))), [null]);
});

test("of two payers of whom nothing is known, the one that pays more employs, whoever stands first", (t) => {
  const months = ["2026-08", "2026-09", "2026-10"];
  const paid = (text: string, amount: string, on: string) =>
    months.map((month) => came(text, { day: `${month}-${on}`, amount }));
  const [small, large] = [paid("AAXQZ VWQX", "3000.00", "01"), paid("ZZVWX QXZV", "30000.00", "28")];
  const decided = categorise(history([...small, ...large], { series: [...series(small), ...series(large)] }));
  const categories = new Set(categoriesOf(decided).slice(0, 3));
  t.deepEqual(categories, new Set(["INCOME_UNSPECIFIED"]));
  t.deepEqual(new Set(categoriesOf(decided).slice(3)), new Set(["INCOME_SALARY"]));
});
