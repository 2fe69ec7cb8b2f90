/** Lines of banks, shops and payers in no list are read by what such lines have in common. */
import test from "ava";
import { categorise } from "../../src/categories/categorised.ts";
import { history, only, row, series, type Row } from "./history.ts";

const out = (text: string, fields: Partial<Row> = {}) => row({ day: "2026-10-03", amount: "-480.00", text, ...fields });
const came = (text: string, fields: Partial<Row> = {}) =>
  row({ day: "2026-10-03", amount: "4800.00", rawType: "ACCOUNT_TRANSFER", text, ...fields });
const categoryOf = (line: ReturnType<typeof out>, country = "DK") =>
  categorise(history([line], { country }))[0]?.categoryId;

test("words of cards, direct debits and bill payments stand before the payee and say nothing", (t) => {
  for (const text of ["DK-NOTA 4956 NETTO", "Dankort-køb NETTO", "MasterCard køb NETTO 1234", "Visa-køb NETTO"])
    t.is(categoryOf(out(text)), "FOOD_GROCERIES", text);
  for (const text of ["BANKAXEPT KIWI 12", "VISA VARE 03.10 KIWI", "Reservasjon KIWI", "*1494 04.05 NOK 86.62 KIWI"])
    t.is(categoryOf(out(text), "NO"), "FOOD_GROCERIES", text);
  for (const text of ["Kartenzahlung//REWE 4539//Koeln/DE", "SEPA-Basislastschrift REWE", "Debitkartenzahlung REWE"])
    t.is(categoryOf(out(text), "DE"), "FOOD_GROCERIES", text);
  t.is(categoryOf(out("OSTO 260525 PRISMA MF NRO 74795200"), "FI"), "FOOD_GROCERIES");
  t.is(categoryOf(out("CARD PAYMENT TO TESCO ON 15 MAY BCC"), "GB"), "FOOD_GROCERIES");
});

test("a bank's word is no purpose: internet, bill payment, mobile payment", (t) => {
  const invoice = { rawType: "INVOICE" };
  t.is(categoryOf(out("Bg-bet. via internet XQZVW", invoice), "SE"), null);
  t.is(categoryOf(out("ONLINE-UEBERWEISUNG XQZVW", invoice), "DE"), null);
  t.is(categoryOf(out("BP XQZVW WVQ", invoice), "GB"), null);
  t.is(categoryOf(out("MOBILE PAYMENT XQZVW", invoice), "GB"), null);
  t.is(categoryOf(out("KID 0012345 XQZVW", invoice), "NO"), null);
});

test("what a bank of which nothing is known begins its lines with is learned from the kinds of payees behind it", (t) => {
  const payees = ["NETTO", "ZARA", "SHELL", "MATAS", "SILVAN", "JYSK", "DSB", "FITNESS WORLD", "VAGTMESTER 7"];
  const lines = payees.map((payee) => out(`ALARM FLURB ${payee}`));
  t.deepEqual(
    only(...lines).map((one) => one.categoryId),
    [
      "FOOD_GROCERIES",
      "PERSONAL_CLOTHING",
      "TRANSPORT_FUEL_CHARGING",
      "HEALTH_PHARMACY",
      "HOME_DIY_GARDEN",
      "HOME_FURNITURE",
      "TRANSPORT_PUBLIC",
      "LEISURE_FITNESS_SPORT",
      null,
    ],
  );
  // Alone nothing says that the word is the bank's, and it says what it says.
  t.is(categoryOf(out("ALARM FLURB VAGTMESTER 7")), "HOUSING_MAINTENANCE");
});

test("letters that a bank's alphabet lacks are restored where a known word results", (t) => {
  for (const text of ["XQZV K?BMAND", "XQZV B[GERI BAGERI", "XQZV KBMAND"])
    t.is(categoryOf(out(text)), "FOOD_GROCERIES", text);
  t.is(categoryOf(out("F?TEX 8812")), "FOOD_GROCERIES");
});

test("trades are told by compounds and their ends, in every language", (t) => {
  for (const [text, country, category] of [
    ["XQZVDALENS ØSTERAPOTEK", "DK", "HEALTH_PHARMACY"],
    ["XQZVÅSENS SURDEGSBAGERI", "SE", "FOOD_GROCERIES"],
    ["XQZV NAPRAPATKLINIKKEN", "NO", "HEALTH_CARE"],
    ["XQZV HIUSSTUDIO", "FI", "PERSONAL_CARE"],
    ["XQZV DACHDECKERBETRIEB", "DE", "HOUSING_MAINTENANCE"],
    ["XQZV FISHMONGERS", "GB", "FOOD_GROCERIES"],
  ] as const)
    t.is(categoryOf(out(text), country), category, text);
});

test("an insurer's object says which insurance it is, a lender's which loan", (t) => {
  const debit = { rawType: "DIRECT_DEBIT" };
  for (const [text, country, category] of [
    ["TRYG INDBO", "DK", "INSURANCE_HOME"],
    ["ALKA BIL", "DK", "INSURANCE_VEHICLE"],
    ["TRYG 77123 HUSEJER", "DK", "INSURANCE_HOME"],
    ["XQZV FORSIKRING BIL", "DK", "INSURANCE_VEHICLE"],
    ["GJENSIDIGE HUS", "NO", "INSURANCE_HOME"],
    ["FOLKSAM GRUPPLIV", "SE", "INSURANCE_PERSON"],
    ["HUK-COBURG KFZ", "DE", "INSURANCE_VEHICLE"],
    ["TRYG 77123", "DK", "INSURANCE_OTHER"],
  ] as const)
    t.is(categoryOf(out(text, debit), country), category, text);
});

test("a town's charges are what the line says, not what towns are known for", (t) => {
  const invoice = { rawType: "INVOICE" };
  t.is(categoryOf(out("Nettgiro til: Trondheim kommune Kommunale avg.", invoice), "NO"), "UTILITIES_WATER_WASTE");
  t.is(categoryOf(out("Bergen kommune Eiendomsskatt", invoice), "NO"), "HOUSING_PROPERTY_TAX");
  t.is(categoryOf(out("BS betaling Gribskov Kommune børnepasning", invoice)), "CHILDREN_DAYCARE");
});

test("a short name does not win inside a longer one that says something else", (t) => {
  t.is(
    categoryOf(out("DIRECT DEBIT PAYMENT TO HALIFAX MORTGAGES", { rawType: "DIRECT_DEBIT" }), "GB"),
    "HOUSING_MORTGAGE",
  );
  t.is(categoryOf(out("AUTOGIRO STADSHYPOTEK", { rawType: "DIRECT_DEBIT" }), "SE"), "HOUSING_MORTGAGE");
  t.is(categoryOf(out("SKY XQZVW", { mcc: 7995 }), "GB"), "LEISURE_GAMBLING");
});

test("a person who is called like a brand is a person, and a club over an application is none", (t) => {
  const transfer = { rawType: "ACCOUNT_TRANSFER" };
  t.is(categoryOf(out("MobilePay: Viggo Thorup", transfer)), "OTHER_TRANSFERS");
  t.is(categoryOf(out("BILL PAYMENT TO ZARA OKAFIELD", transfer), "GB"), "OTHER_TRANSFERS");
  t.is(categoryOf(out("Gave til Nanna Højvang", transfer)), "OTHER_TRANSFERS");
  t.is(categoryOf(out("Swish Yogastudion Xqzv", transfer), "SE"), "LEISURE_FITNESS_SPORT");
  t.is(categoryOf(out("Vipps *KORPSET XQZV SKOLE", transfer), "NO"), "CHILDREN_ACTIVITIES");
  t.is(categoryOf(out("Avdrag lån til Ingrid Myrdalen", transfer), "NO"), "DEBT_PRIVATE");
});

test("a loan that is paid out is named so, and no transfer", (t) => {
  for (const [text, country] of [
    ["Utbetaling lån Santander", "NO"],
    ["Utbetalning lån Nordax", "SE"],
    ["Zopa Loan Advance", "GB"],
  ] as const)
    t.is(categorise(history([came(text)], { country }))[0]?.exclusion, "LOAN_PAYOUT", text);
});

test("money that a line says to go to one's own account is neither spent nor earned", (t) => {
  t.is(
    categorise(history([out("Overføring mellom egne konti", { rawType: "ACCOUNT_TRANSFER" })], { country: "NO" }))[0]
      ?.exclusion,
    "OWN_TRANSFER",
  );
});

test("a company that pays month by month employs, beside a known pay too; a person does not", (t) => {
  const monthly = (text: string, amount: string) =>
    ["08", "09", "10"].map((month) => came(text, { day: `2026-${month}-27`, amount }));
  const [first, second, person] = [
    monthly("LØN XQZV A/S", "31000.00"),
    monthly("Vestas Wind Systems", "12000.00"),
    monthly("Ingrid Myrdalen", "12000.00"),
  ];
  const given = categorise(
    history([...first, ...second, ...person], { series: [...series(first), ...series(second), ...series(person)] }),
  );
  t.deepEqual(
    given.map(({ categoryId }) => categoryId),
    [...Array(6).fill("INCOME_SALARY"), ...Array(3).fill("OTHER_TRANSFERS")],
  );
});

test("state pension, housing supplement and interest are told by the words beside the payer", (t) => {
  t.is(categoryOf(came("Bgs Udb. Danmark Pension")), "INCOME_PENSION_STATE");
  t.is(categoryOf(came("BOSTADSTILLÄGG PENSIONSMYNDIGHETEN"), "SE"), "INCOME_BENEFIT_HOUSING");
  t.is(categoryOf(came("Försäkringskassan Barnbidrag"), "SE"), "INCOME_BENEFIT_CHILD");
  t.is(categoryOf(came("Kontorente")), "INCOME_CAPITAL");
});

test("a collector is one whatever else it is known for", (t) => {
  t.is(categoryOf(out("E-faktura Kredinor", { rawType: "INVOICE" }), "NO"), "DEBT_COLLECTION");
  t.is(
    categoryOf(out("Fast Overføring NAV Innkreving Bidrag", { rawType: "INVOICE" }), "NO"),
    "CHILDREN_MAINTENANCE_PAID",
  );
});

test("a bill without a name stays open", (t) => {
  t.is(categoryOf(out("Faktura 20394", { rawType: "INVOICE" })), null);
});

test("a word stands in names with its article, in the plural and at the end of compounds", (t) => {
  for (const [text, country, category] of [
    ["XQZVDALENS GARNBUTIKKEN", "DK", "LEISURE_HOBBIES_GAMES"],
    ["DYREHANDLEN XQZV", "DK", "LEISURE_PETS"],
    ["HANDELSTRÄDGÅRDEN XQZV", "SE", "HOME_DIY_GARDEN"],
    ["XQZV LANDHANDLEREN", "NO", "FOOD_GROCERIES"],
    ["XQZV PLUMBERS", "GB", "HOUSING_MAINTENANCE"],
    ["XQZV FLEURISTES", "FR", "HOME_DIY_GARDEN"],
  ] as const)
    t.is(categoryOf(out(text), country), category, text);
});

test("a short name is no payee inside a longer phrase, nor before a word for another trade", (t) => {
  t.is(categoryOf(out("POST OFFICE COUNTER"), "GB"), "OTHER_EXPENSES");
  t.is(categoryOf(out("OFFICE LEEDS"), "GB"), "PERSONAL_CLOTHING");
  t.is(categoryOf(out("THE ANCHOR INN"), "GB"), "FOOD_RESTAURANTS");
  t.is(categoryOf(out("Anchor Rent", { rawType: "DIRECT_DEBIT" }), "GB"), "HOUSING_RENT");
  t.is(categoryOf(came("REVENU DE SOLIDARITE ACTIVE"), "FR"), "INCOME_BENEFIT_SOCIAL");
});

test("a name that says what it is for is not undone by the name of the authority that collects it", (t) => {
  t.is(categoryOf(out("GRUNDSTEUER STADTKASSE", { rawType: "INVOICE" }), "DE"), "HOUSING_PROPERTY_TAX");
  t.is(categoryOf(out("STUDENT LOAN REPAYMENT", { rawType: "DIRECT_DEBIT" }), "GB"), "DEBT_STUDENT_LOAN");
});

test("a bank's word is learned though it means something elsewhere, from what its lines say beside it", (t) => {
  const debit = { rawType: "DIRECT_DEBIT" };
  const said = [
    "VUOKRA",
    "SÄHKÖLASKU",
    "KUNTOSALI",
    "SANOMALEHTI",
    "VESIMAKSU",
    "AUTOVAKUUTUS",
    "PÄIVÄKOTI",
    "LAAJAKAISTA",
  ];
  const lines = said.map((word) => out(`Perintä ${word} XQZV`, debit));
  t.deepEqual(
    categorise(history(lines, { country: "FI" })).map((one) => one.categoryId),
    [
      "HOUSING_RENT",
      "UTILITIES_ELECTRICITY",
      "LEISURE_FITNESS_SPORT",
      "LEISURE_NEWS_BOOKS",
      "UTILITIES_WATER_WASTE",
      "INSURANCE_VEHICLE",
      "CHILDREN_DAYCARE",
      "COMMUNICATION_INTERNET_TV",
    ],
  );
  // Alone it is who collects debts.
  t.is(categoryOf(out("Perintä XQZV", debit), "FI"), "DEBT_COLLECTION");
});

test("families called by farms are people; a word with other meanings is a trade on a card's receipt alone", (t) => {
  const transfer = { rawType: "ACCOUNT_TRANSFER" };
  t.is(categoryOf(out("Mette Bjerregaard", transfer)), "OTHER_TRANSFERS");
  t.is(categoryOf(out("VISHANDEL XQZV"), "NL"), "FOOD_GROCERIES");
});

test("who pays about as much as an employer month by month is another one", (t) => {
  const monthly = (text: string, amount: string) =>
    ["2026-08-31", "2026-09-30", "2026-10-30"].map((day) => row({ day, amount, text, rawType: "ACCOUNT_TRANSFER" }));
  const told = (amount: string) => {
    const [pay, other] = [monthly("XQZV A/S LØN", "27000.00"), monthly("Hvidt Rådgivende", amount)];
    return categorise(history([...pay, ...other], { series: [...series(pay), ...series(other)] })).at(-1)?.categoryId;
  };
  t.is(told("13500.00"), "INCOME_SALARY");
  t.is(told("13400.00"), "INCOME_UNSPECIFIED");
});
