/** What money that left was for: what each rule says, how surely, and which goes before which. */
import test from "ava";
import { categorise } from "../../src/categories/categorised.ts";
import { history, type Row, row, series } from "./history.ts";

type More = Partial<Row> & { country?: string; isRegular?: boolean };

/** All that is thought of, the category itself first: `CATEGORY rule confidence`. */
function thought(text: string, { country = "DK", isRegular = false, ...fields }: More = {}): string[] {
  const paid = row({ day: "2026-10-03", amount: "-480.00", text, ...fields });
  const [one] = categorise(history([paid], { country, series: isRegular ? series([paid], "OUT") : [] }));
  const decided = one?.categoryId === null ? ["none"] : [];
  const others = one?.candidates.map(({ categoryId, rule, confidence }) => `${categoryId} ${rule} ${confidence}`) ?? [];
  return [...decided, ...others];
}

const first = (text: string, more: More = {}) => thought(text, more)[0]?.split(" ")[0];
const debit = { rawType: "DIRECT_DEBIT" };
const invoice = { rawType: "INVOICE" };
const transfer = { rawType: "ACCOUNT_TRANSFER" };

test("the type of a payment says what it is where nobody is known", (t) => {
  for (const [rawType, ...said] of [
    ["CASH_WITHDRAWAL", "OTHER_CASH TYPE 0.95"],
    ["ATM", "OTHER_CASH TYPE 0.95"],
    ["FEE", "FEES_BANK TYPE 0.9"],
    ["CHARGE", "FEES_BANK TYPE 0.9"],
    ["PENALTY", "FEES_BANK TYPE 0.9"],
    ["INTEREST", "FEES_BANK TYPE 0.9"],
    ["TAX", "FEES_TAX TYPE 0.85"],
    ["tax", "FEES_TAX TYPE 0.85"],
    ["LOAN", "DEBT_CONSUMER_LOAN TYPE 0.7"],
    ["SECURITIES", "SAVINGS_INVESTMENT TYPE 0.85"],
    ["PENSION", "SAVINGS_PENSION TYPE 0.8"],
    ["XTAX", "none"],
    ["TAXX", "none"],
    ["OTHER", "none"],
    ["ACCOUNT_TRANSFER", "none", "OTHER_TRANSFERS TYPE 0.5"],
    ["TRANSFER_OUT", "none", "OTHER_TRANSFERS TYPE 0.5"],
    ["DIRECT_DEBIT", "none"],
  ] as const)
    t.deepEqual(thought("XQZVW", { rawType }), said, rawType);
});

test("cash, fees, taxes and securities are what their type says, whoever is named; a loan and a pension are not", (t) => {
  t.deepEqual(thought("NETTO", { rawType: "FEE" }), ["FEES_BANK TYPE 0.9", "FOOD_GROCERIES MERCHANT 0.92"]);
  t.is(first("NETTO", { rawType: "SECURITIES" }), "SAVINGS_INVESTMENT");
  t.is(first("NETTO", { rawType: "TAX" }), "FEES_TAX");
  t.deepEqual(thought("NETTO", { rawType: "LOAN" }), ["FOOD_GROCERIES MERCHANT 0.92", "DEBT_CONSUMER_LOAN TYPE 0.7"]);
  t.deepEqual(thought("NETTO", { rawType: "PENSION" }), ["FOOD_GROCERIES MERCHANT 0.92", "SAVINGS_PENSION TYPE 0.8"]);
  t.deepEqual(thought("KONTANT HUSLEJE", { rawType: "CASH_WITHDRAWAL" }), ["OTHER_CASH TYPE 0.95"]);
});

test("a product is surer where it was recognised to recur", (t) => {
  t.deepEqual(thought("NETFLIX.COM"), ["LEISURE_STREAMING PRODUCT 0.9"]);
  t.deepEqual(thought("NETFLIX.COM", { isRegular: true }), ["LEISURE_STREAMING PRODUCT 0.95"]);
  t.deepEqual(thought("MOBILEPAY NETFLIX", transfer), ["LEISURE_STREAMING PRODUCT 0.9", "OTHER_TRANSFERS TYPE 0.5"]);
});

test("a gateway says nothing of what was bought, and paying by instalments does", (t) => {
  t.deepEqual(thought("PAYPAL *XQZVW"), ["none"]);
  t.is(first("PAYPAL *NETFLIX"), "LEISURE_STREAMING");
  t.deepEqual(thought("KLARNA"), ["DEBT_PAY_LATER PRODUCT 0.9"]);
  t.deepEqual(thought("KLARNA HUSLEJE", invoice), ["HOUSING_RENT PRODUCT 0.9"]);
  t.is(first("KLARNA LÅN", invoice), "DEBT_CONSUMER_LOAN");
});

test("telephone companies sell both, and words or the network's code say which was billed", (t) => {
  t.is(first("TELENOR", { mcc: 4899 }), "COMMUNICATION_INTERNET_TV");
  t.is(first("TELENOR", { mcc: 4814 }), "COMMUNICATION_MOBILE");
  t.is(first("TELENOR BREDBÅND", debit), "COMMUNICATION_INTERNET_TV");
  t.is(first("YOUSEE MOBIL", debit), "COMMUNICATION_MOBILE");
});

test("a name goes before the network's code, unless the name is short and begins a longer one", (t) => {
  t.deepEqual(thought("IKEA", { mcc: 5812 }), [
    "HOME_FURNITURE MERCHANT 0.92",
    "FOOD_RESTAURANTS MERCHANT_CATEGORY_CODE 0.95",
  ]);
  t.deepEqual(thought("DSB XQ", { mcc: 5812 }), [
    "FOOD_RESTAURANTS MERCHANT_CATEGORY_CODE 0.95",
    "TRANSPORT_PUBLIC MERCHANT 0.92",
  ]);
  t.is(first("DSB", { mcc: 5812 }), "TRANSPORT_PUBLIC");
  t.is(first("NETTO XQ", { mcc: 7995 }), "FOOD_GROCERIES");
  t.is(first("Q8 XQ", { mcc: 5411 }), "FOOD_GROCERIES");
  t.is(first("Q8 XQ", { mcc: 5399 }), "TRANSPORT_FUEL_CHARGING");
  t.is(first("Q8 XQ", { mcc: 6012 }), "TRANSPORT_FUEL_CHARGING");
});

test("a place that sells many things is what the code says, and its usual trade where the code says as little", (t) => {
  t.deepEqual(thought("7-ELEVEN", { mcc: 5541 }), [
    "TRANSPORT_FUEL_CHARGING MERCHANT_CATEGORY_CODE 0.95",
    "FOOD_GROCERIES MERCHANT 0.65",
  ]);
  t.deepEqual(thought("7-ELEVEN", { mcc: 5399 }), [
    "FOOD_GROCERIES MERCHANT 0.65",
    "OTHER_EXPENSES MERCHANT_CATEGORY_CODE 0.6",
  ]);
  t.deepEqual(thought("XQ", { mcc: 5399 }), ["OTHER_EXPENSES MERCHANT_CATEGORY_CODE 0.6"]);
  t.deepEqual(thought("XQ", { mcc: 6012 }), ["none", "FEES_BANK MERCHANT_CATEGORY_CODE 0.4"]);
});

test("insurers, utilities, authorities and lenders sell more than one thing: their words say which", (t) => {
  for (const [text, category] of [
    ["PFA ULYKKESFORSIKRING", "INSURANCE_PERSON"],
    ["NORDNET RATEPENSION", "SAVINGS_PENSION"],
    ["HK A-KASSE", "WORK_UNEMPLOYMENT_FUND"],
    ["BØRNEHAVE XQ SKOLEPENGE", "CHILDREN_SCHOOL"],
    ["AARHUS VAND FJERNVARME", "UTILITIES_HEATING"],
    ["DEAS BOLIGAFGIFT", "HOUSING_COOPERATIVE_FEE"],
    ["LEJERBO EJERFORENING", "HOUSING_COOPERATIVE_FEE"],
    ["DSB PARKERING", "TRANSPORT_PARKING_TOLLS"],
    ["LUNAR PREMIUM MEDLEMSKAB", "FEES_DONATIONS_MEMBERSHIPS"],
    ["BASISBANK KREDITKORT", "DEBT_CREDIT_CARD"],
    ["TELMORE BREDBÅND", "COMMUNICATION_INTERNET_TV"],
    ["LOWELL FORBRUGSLÅN", "DEBT_CONSUMER_LOAN"],
  ] as const)
    t.is(first(text, debit), category, text);
});

test("a shop's words do not refine what it sells", (t) => {
  t.is(first("NETTO FRISØR", debit), "FOOD_GROCERIES");
  t.is(first("NETTO BØRNEHAVE", debit), "FOOD_GROCERIES");
});

test("a shop's name beside a word for another business is that business, billed by the shop", (t) => {
  for (const [text, category] of [
    ["NETTO MOBIL", "COMMUNICATION_MOBILE"],
    ["IKEA FORSIKRING", "INSURANCE_OTHER"],
    ["NETTO EL", "UTILITIES_ELECTRICITY"],
    ["NETTO INVESTERING", "SAVINGS_INVESTMENT"],
    ["NETTO REALKREDIT", "HOUSING_MORTGAGE"],
    ["NETTO BILLÅN", "TRANSPORT_VEHICLE_FINANCE"],
    ["NETTO INKASSO", "DEBT_COLLECTION"],
    ["NETTO OPLADNING", "TRANSPORT_FUEL_CHARGING"],
    ["NETTO APOTEK", "HEALTH_PHARMACY"],
    ["NETTO LOTTO", "LEISURE_GAMBLING"],
  ] as const)
    t.is(first(text, debit), category, text);
});

test("an authority collects for others, and the line says for what", (t) => {
  for (const [text, category] of [
    ["SKATTESTYRELSEN HUSLEJE", "HOUSING_RENT"],
    ["BORGERSERVICE PARKERING", "TRANSPORT_PARKING_TOLLS"],
    ["VURDERINGSSTYRELSEN SKOLEPENGE", "CHILDREN_SCHOOL"],
    ["GÆLDSSTYRELSEN BØRNEBIDRAG", "CHILDREN_MAINTENANCE_PAID"],
    ["GÆLDSSTYRELSEN EJERAFGIFT", "TRANSPORT_VEHICLE_TAX"],
    ["SKAT EJENDOMSSKAT", "HOUSING_PROPERTY_TAX"],
    ["SKATTESTYRELSEN", "FEES_TAX"],
  ] as const)
    t.is(first(text, debit), category, text);
  // Who is no authority is paid for itself.
  t.is(first("KONTOGEBYR SKOLEPENGE", debit), "FEES_BANK");
});

test("an insurance's and a loan's object say which it is, where nothing says it more closely", (t) => {
  t.is(first("TRYG HUS", debit), "INSURANCE_HOME");
  t.is(first("TRYG HUND", debit), "INSURANCE_OTHER");
  t.deepEqual(thought("LÅN BIL", debit), ["TRANSPORT_VEHICLE_FINANCE TEXT 0.78"]);
  t.is(first("BASISBANK BIL", debit), "TRANSPORT_VEHICLE_FINANCE");
  t.is(first("AMERICAN EXPRESS BIL", debit), "DEBT_CREDIT_CARD");
});

test("a word for a loan alone is no answer and asks for every kind; a loan's whole word is one", (t) => {
  t.deepEqual(thought("LÅN", debit), [
    "none",
    "DEBT_CONSUMER_LOAN TEXT 0.5",
    "HOUSING_MORTGAGE TEXT 0.4",
    "TRANSPORT_VEHICLE_FINANCE TEXT 0.35",
    "DEBT_STUDENT_LOAN TEXT 0.3",
  ]);
  t.deepEqual(thought("BANKLÅN", debit), ["DEBT_CONSUMER_LOAN TEXT 0.8"]);
});

test("between people a loan and a rent are what the words say, presents and fees a transfer", (t) => {
  t.deepEqual(thought("LÅN ANNA VOLTRIX", transfer), [
    "DEBT_PRIVATE TEXT 0.7",
    "OTHER_TRANSFERS TYPE 0.75",
    "DEBT_CONSUMER_LOAN TEXT 0.5",
  ]);
  t.deepEqual(thought("HUSLEJE ANNA VOLTRIX", transfer), ["HOUSING_RENT TEXT 0.8", "OTHER_TRANSFERS TYPE 0.75"]);
  t.deepEqual(thought("STØTTE ANNA VOLTRIX", transfer), ["OTHER_TRANSFERS TYPE 0.75"]);
});

test("a word with other meanings is a trade on a card's receipt, and nothing anywhere else", (t) => {
  t.deepEqual(thought("XQZV PLAY"), ["LEISURE_STREAMING TEXT 0.62"]);
  t.deepEqual(thought("XQZV PLAY", invoice), ["none", "LEISURE_STREAMING TEXT 0.5"]);
  t.is(first("XQZV FLY"), "LEISURE_TRAVEL");
  t.is(first("XQZV MARKET"), "FOOD_GROCERIES");
  t.is(first("XQZV MASSØR"), "HEALTH_CARE");
  t.is(first("XQZV CARS"), "TRANSPORT_TAXI_SHARING");
  t.is(first("XQZV DATA"), "HOME_ELECTRONICS");
  t.is(first("XQZV URE"), "PERSONAL_CLOTHING");
  t.deepEqual(thought("XQZV RYKKER"), ["none", "DEBT_COLLECTION TEXT 0.5"]);
});

test("a short name before a word for another trade is a shop called alike, on a card's receipt", (t) => {
  t.deepEqual(thought("IKEA RESTAURANT"), ["FOOD_RESTAURANTS TEXT 0.8"]);
  t.is(first("IKEA RESTAURANT", debit), "HOME_FURNITURE");
  t.is(first("MATAS FRISØR"), "PERSONAL_CARE");
  // The same trade, a longer name, a name of two words, a part of a word: the shop itself.
  t.is(first("SPAR INN", { country: "GB" }), "FOOD_GROCERIES");
  t.is(first("NETTO BAGERI"), "FOOD_GROCERIES");
  t.is(first("SILVAN FRISØR"), "PERSONAL_CARE");
  t.is(first("BAUHAUS FRISØR"), "HOME_DIY_GARDEN");
  t.is(first("H & M FRISØR"), "PERSONAL_CLOTHING");
  t.is(first("MATAS XQFRISØR"), "HEALTH_PHARMACY");
});

test("a name known from behind other words is no surer than a whole word for something else", (t) => {
  t.is(first("XQ SILVAN HUSLEJE", debit), "HOUSING_RENT");
  t.is(first("SILVAN HUSLEJE", debit), "HOME_DIY_GARDEN");
  t.is(first("XQ SILVAN XQHUSLEJE", debit), "HOUSING_RENT");
});

test("between people a brand of few letters is a name, a longer one a payee", (t) => {
  t.is(first("VOLTRIX ZARA", transfer), "OTHER_TRANSFERS");
  t.is(first("MOBILEPAY MATAS", transfer), "HEALTH_PHARMACY");
  t.is(first("MATAS QUENTA", transfer), "HEALTH_PHARMACY");
  t.is(first("MATAS XQVSEN", transfer), "HEALTH_PHARMACY");
  t.is(first("MOBILEPAY DSB", transfer), "TRANSPORT_PUBLIC");
});

test("the merchant's field and the description name the payee, whichever says more", (t) => {
  t.is(first("FAKTURA XQ", { ...invoice, merchantName: "NETTO" }), "FOOD_GROCERIES");
  t.is(first("NETTO", { merchantName: "XQZV" }), "FOOD_GROCERIES");
  t.is(first("NETTO VEJLE", { merchantName: "SILVAN" }), "HOME_DIY_GARDEN");
  t.is(first("TRYG BIL", { ...debit, merchantName: "TRYG" }), "INSURANCE_VEHICLE");
});

test("a name may go on into the last of the bank's words", (t) => {
  t.is(first("DANKORT-NOTA 7-ELEVEN 12"), "FOOD_GROCERIES");
  t.is(first("MC DONALDS 12"), "FOOD_RESTAURANTS");
});

test("lines that differ in one thing alone are told apart in one history", (t) => {
  const day = "2026-10-03";
  const paid = (more: Partial<Row>) => row({ day, amount: "-480.00", text: "XQZVW", ...more });
  const rows = [
    paid({}),
    paid({ mcc: 5411 }),
    paid({ rawType: "FEE" }),
    paid({ merchantName: "ZARA" }),
    paid({ text: "XQZVW HUSLEJE", rawType: "INVOICE" }),
    paid({ merchantCountry: "GB", text: "XQZVW RENT", rawType: "INVOICE" }),
    paid({ text: "XQZVW RENT", rawType: "INVOICE" }),
    paid({ text: "KLARNA*ELGIGANTEN", merchantName: "KLARNA*ELGIGANTEN", mcc: 5732 }),
    paid({ text: "KLARNA*ELGIGANTEN", merchantName: "KLARNA*ELGIGANTEN", mcc: 5732 }),
  ];
  t.deepEqual(
    categorise(history(rows, { series: series(rows.slice(-1), "OUT") })).map(({ categoryId }) => categoryId),
    [
      null,
      "FOOD_GROCERIES",
      "FEES_BANK",
      "PERSONAL_CLOTHING",
      "HOUSING_RENT",
      "HOUSING_RENT",
      null,
      "HOME_ELECTRONICS",
      "DEBT_PAY_LATER",
    ],
  );
});

test("a terminal lends its shop's name to a line without one, and to no line that has a code of its own", (t) => {
  const day = "2026-10-03";
  const at = (text: string, more: Partial<Row> = {}) =>
    row({ day, amount: "-90.00", text, merchantCid: "acceptor", ...more });
  const told = (...rows: ReturnType<typeof at>[]) => categorise(history(rows)).map(({ categoryId }) => categoryId);
  t.deepEqual(told(at("XQZVW 1"), at("NETTO")), ["FOOD_GROCERIES", "FOOD_GROCERIES"]);
  t.deepEqual(told(at("XQZVW 1"), at("7-ELEVEN")), [null, "FOOD_GROCERIES"]);
  t.deepEqual(told(at("XQZVW 1"), at("NETTO"), at("ZARA"), at("NETTO VEJLE")), [
    null,
    "FOOD_GROCERIES",
    "PERSONAL_CLOTHING",
    "FOOD_GROCERIES",
  ]);
  t.deepEqual(told(at("XQZVW 1", { merchantCid: null }), at("NETTO")), [null, "FOOD_GROCERIES"]);
  t.deepEqual(told(at("XQZVW 1", { merchantCid: "other" }), at("NETTO")), [null, "FOOD_GROCERIES"]);
});

test("lines that read alike are told apart by the terminal at which they were paid", (t) => {
  const at = (text: string, merchantCid: string | null) =>
    row({ day: "2026-10-03", amount: "-80.00", text, merchantCid });
  const rows = [at("XQZVW", "unknown"), at("XQZVW", "till 7"), at("NETTO VEJLE", "till 7"), at("XQZVW", null)];
  t.deepEqual(
    categorise(history(rows)).map(({ categoryId }) => categoryId),
    [null, "FOOD_GROCERIES", "FOOD_GROCERIES", null],
  );
});
