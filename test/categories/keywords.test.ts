/** Words say what a line is for: whole, at the beginning or end of a compound, cut off, in the countries' languages. */
import test from "ava";
import {
  findKeyword,
  findObject,
  hasMark,
  isCuttable,
  isInside,
  tellingWords,
  withoutNumbers,
  wordsOf,
} from "../../src/categories/keywords.ts";

const said = (text: string, country = "DK", isLong = false) => {
  const hit = findKeyword(text, "OUT", country.split(" "), isLong);
  return hit === null ? null : [hit.categoryId, hit.phrase, hit.confidence, hit.isWhole];
};

test("a whole word is surer than a part of one, and a word with other meanings is not sure", (t) => {
  t.deepEqual(said("HUSLEJE"), ["HOUSING_RENT", "HUSLEJE", 0.8, true]);
  t.deepEqual(said("XQHUSLEJE"), ["HOUSING_RENT", "HUSLEJE", 0.74, false]);
  t.deepEqual(said("LÅN"), ["DEBT_CONSUMER_LOAN", "LAN", 0.5, true]);
  t.deepEqual(said("HUSLEJEN"), ["HOUSING_RENT", "HUSLEJEN", 0.8, true]);
  t.is(said("XQZVW"), null);
  t.is(said(""), null);
});

test("a beginning and an end tell only where the word is written with one open", (t) => {
  t.deepEqual(said("BAGERXQ"), ["FOOD_GROCERIES", "BAGER", 0.74, false]);
  t.deepEqual(said("XQZVBAGERI"), ["FOOD_GROCERIES", "BAGERI", 0.74, false]);
  t.is(said("BAGERIXQ")?.[1], "BAGER");
  t.deepEqual(said("SKO"), ["PERSONAL_CLOTHING", "SKO", 0.8, true]);
  t.is(said("ELSE"), null);
  t.deepEqual(said("EL"), ["UTILITIES_ELECTRICITY", "EL", 0.8, true]);
});

test("phrases of up to four words stand as they are written", (t) => {
  t.is(said("XQ FRUGT OG GRØNT ZV")?.[1], "FRUGT OG GRONT");
  t.is(said("XQ TILBAGEBETALING AF LÅN")?.[0], "DEBT_PRIVATE");
  t.is(said("A-KASSE")?.[0], "WORK_UNEMPLOYMENT_FUND");
  t.is(said("KASSE A"), null);
});

test("the longer word says more, of equals the last, and a membership is of what stands beside it", (t) => {
  t.is(said("VIN HUSLEJE")?.[0], "HOUSING_RENT");
  t.is(said("HUSLEJE VIN")?.[0], "HOUSING_RENT");
  t.is(said("MEDLEMSKAB")?.[0], "FEES_DONATIONS_MEMBERSHIPS");
  t.is(said("TENNISKLUB MEDLEMSKAB")?.[0], "LEISURE_FITNESS_SPORT");
  t.is(said("MEDLEMSKAB TENNISKLUB")?.[0], "LEISURE_FITNESS_SPORT");
  t.is(said("TAXI CAFE")?.[0], "FOOD_RESTAURANTS");
  t.is(said("CAFE TAXI")?.[0], "TRANSPORT_TAXI_SHARING");
  // A word with other meanings comes after any other, however long.
  t.is(said("LÅNEYDELSE EL")?.[0], "UTILITIES_ELECTRICITY");
  t.is(said("EL LÅNEYDELSE")?.[0], "UTILITIES_ELECTRICITY");
  // Three letters more are worth as much as being whole.
  t.is(said("XQBAGERI FRISØR")?.[0], "PERSONAL_CARE");
});

test("words count in their languages' countries, of any of the countries", (t) => {
  t.is(said("RENT", "GB")?.[0], "HOUSING_RENT");
  t.is(said("RENT", "IE")?.[0], "HOUSING_RENT");
  t.is(said("RENT", "DK"), null);
  t.is(said("RENT", "DK GB")?.[0], "HOUSING_RENT");
  t.is(said("HUSLEJE", "GB"), null);
});

test("a language's words count wherever it is spoken", (t) => {
  for (const country of ["US", "CA", "AU", "NZ", "ZA", "IN", "SG", "KE"])
    t.is(said("COUNTY WATERWORKS", country)?.[0], "UTILITIES_WATER_WASTE", country);
  for (const country of ["AT", "CH", "LI", "LU"])
    t.is(said("HAUSVERWALTUNG", country)?.[0], said("HAUSVERWALTUNG", "DE")?.[0]);
  for (const country of ["CH", "CA", "MC"]) t.is(said("LOYER", country)?.[0], "HOUSING_RENT", country);
  t.is(said("HUUR", "BE")?.[0], "HOUSING_RENT");
});

test("Italian, Spanish and Portuguese words say what is owed and what is bought", (t) => {
  t.is(said("XQ SERVIZIO IDRICO", "IT")?.[0], "UTILITIES_WATER_WASTE");
  t.is(said("XQ ASSICURAZIONI", "CH")?.[0], "INSURANCE_OTHER");
  t.is(said("XQ TRATTORIA", "IT")?.[0], "FOOD_RESTAURANTS");
  t.is(said("COMUNIDAD DE PROPIETARIOS XQ", "ES")?.[0], "HOUSING_COOPERATIVE_FEE");
  t.is(said("XQ SEGUROS", "ES")?.[0], "INSURANCE_OTHER");
  t.is(said("XQ FERRETERIA", "ES")?.[0], "HOME_DIY_GARDEN");
  t.is(said("CONDOMÍNIO XQ", "PT")?.[0], "HOUSING_COOPERATIVE_FEE");
  t.is(said("XQ GINÁSIO", "PT")?.[0], "LEISURE_FITNESS_SPORT");
  t.is(said("XQ PASTELARIA", "PT")?.[0], "FOOD_RESTAURANTS");
  t.is(said("XQ SEGUROS", "DE"), null);
  t.is(findKeyword("NOMINA XQ", "IN", ["ES"])?.categoryId, "INCOME_SALARY");
  t.is(findKeyword("STIPENDIO XQ", "IN", ["IT"])?.categoryId, "INCOME_SALARY");
  t.is(findKeyword("VENCIMENTO XQ", "IN", ["PT"])?.categoryId, "INCOME_SALARY");
});

test("a telephone that is recharged is no fuel, and what is owed overseas is known by its words there", (t) => {
  t.is(said("XQ RECHARGE", "IN")?.[0], "COMMUNICATION_MOBILE");
  t.is(said("XQ MEDICAL AID", "ZA")?.[0], "INSURANCE_PERSON");
  t.is(said("XQ BODY CORPORATE", "AU")?.[0], "HOUSING_COOPERATIVE_FEE");
  t.is(said("XQ HYDRO", "CA")?.[0], "UTILITIES_ELECTRICITY");
  t.is(said("XQ CABLE", "US")?.[0], "COMMUNICATION_INTERNET_TV");
});

test("what comes in has words of its own", (t) => {
  t.like(findKeyword("LØN", "IN", ["DK"]), { categoryId: "INCOME_SALARY", confidence: 0.8 });
  t.is(findKeyword("LØN", "OUT", ["DK"]), null);
  t.is(findKeyword("HUSLEJE", "OUT", ["DK"])?.categoryId, "HOUSING_RENT");
  t.is(findKeyword("HUSLEJE", "IN", ["DK"])?.categoryId, "INCOME_RENTAL");
});

test("a text that was cut off is told by six letters of its last words, where all that go on so say the same", (t) => {
  t.deepEqual(said("XQ FJERNV", "DK", true), ["UTILITIES_HEATING", "FJERNVARME", 0.74, false]);
  t.is(said("XQ FJERNV", "DK", false), null);
  t.is(said("XQ FJERN", "DK", true), null);
  t.is(said("FJERNV XQ", "DK", true), null);
  t.is(said("FJERNV 4411", "DK", true), null);
  t.is(said("TILBAGEBETALING AF L", "DK", true)?.[0], "DEBT_PRIVATE");
  // What is whole says more than what is cut.
  t.is(said("HUSLEJE FJERNV", "DK", true)?.[0], "HOUSING_RENT");
  t.is(said("FORSIK", "DK", true)?.[0], "INSURANCE_OTHER");
});

test("banks cut texts from eighteen letters on", (t) => {
  t.true(isCuttable("123456789012345678"));
  t.false(isCuttable("12345678901234567"));
  t.is(findKeyword("XQZVW XQZVW FJERNV", "OUT", ["DK"])?.categoryId, "UTILITIES_HEATING");
  t.is(findKeyword("XQZVW XQZV FJERNV", "OUT", ["DK"]), null);
});

test("a rate of exchange is no lesson", (t) => {
  t.is(said("KURS", "NO")?.[0], "EDUCATION_COURSES");
  for (const text of ["KURS: 11.2500", "XQ KURS:11.2500", "VALUTAKURS: 11.2500", "KURS 11.2500"])
    t.is(said(text, "NO"), null, text);
  t.deepEqual(tellingWords("Kurs: 11.2500 Netto 12345678 A-B"), ["NETTO", "A", "B"]);
});

test("numbers of four digits and more say nothing, shorter ones may", (t) => {
  t.is(withoutNumbers("A 1234 B 123 C 12.05.2026 D 1.234,50 E 12"), "A # B 123 C # D #,50 E 12");
  t.deepEqual(wordsOf("Bøg A/S, 12"), ["BOG", "A", "S", "12"]);
});

test("letters that a bank drops hide no word, unless too few are left", (t) => {
  t.is(said("FRISR")?.[0], "PERSONAL_CARE");
  t.is(said("BNKLN")?.[0], undefined);
});

test("a name inside a longer phrase is no name of its own", (t) => {
  const phrase = (text: string) => ({ categoryId: "OTHER_EXPENSES", confidence: 0.8, phrase: text, isWhole: true });
  t.true(isInside("OFFICE", phrase("POST OFFICE")));
  t.true(isInside("POST", phrase("POST OFFICE")));
  t.false(isInside("POST OFFICE", phrase("POST OFFICE")));
  t.false(isInside("OFF", phrase("POST OFFICE")));
  t.false(isInside("ICE", phrase("POST OFFICE")));
});

test("what an insurance or a loan is for is said by its object, in the language of the country", (t) => {
  t.is(findObject("TRYG BIL", "insurance", ["DK"]), "INSURANCE_VEHICLE");
  t.is(findObject("LÅN BIL", "loan", ["DK"]), "TRANSPORT_VEHICLE_FINANCE");
  t.is(findObject("TRYG XQ", "insurance", ["DK"]), null);
  t.is(findObject("TRYG INDBO", "insurance", ["GB"]), null);
});

test("marks say what a line is, in any language", (t) => {
  t.true(hasMark("XQ KLUB", "organisation"));
  t.true(hasMark("TENNISKLUB", "organisation"));
  t.false(hasMark("KLUBXQ", "organisation"));
  t.false(hasMark("XQ KLUB", "refund"));
  t.true(hasMark("KREDITNOTA 441122", "refund"));
  t.true(hasMark("MELLEM EGNE KONTI", "ownTransfer"));
});

test("words of statements in English overseas say what is paid there, and nothing in Britain", (t) => {
  for (const [text, country, category] of [
    ["OAK HILLS HOA DUES", "US", "HOUSING_COOPERATIVE_FEE"],
    ["LAKE COUNTY TREASURER", "US", "HOUSING_PROPERTY_TAX"],
    ["XQZV COPAY", "US", "HEALTH_CARE"],
    ["XQZV RENTERS INSURANCE", "US", "INSURANCE_HOME"],
    ["XQZV COUNCIL RATES", "AU", "HOUSING_PROPERTY_TAX"],
    ["STRATA LEVIES", "AU", "HOUSING_COOPERATIVE_FEE"],
    ["REGO RENEWAL", "AU", "TRANSPORT_VEHICLE_TAX"],
    ["XQZV EMI", "IN", "DEBT_CONSUMER_LOAN"],
    ["XQZV SIP", "IN", "SAVINGS_INVESTMENT"],
    ["XQZV ELECTRICITY BOARD", "IN", "UTILITIES_ELECTRICITY"],
    ["XQZV FUNERAL COVER", "ZA", "INSURANCE_PERSON"],
  ] as const)
    t.is(said(text, country)?.[0], category, text);
  for (const text of ["XQZV COPAY", "XQZV EMI", "XQZV SIP"]) t.is(said(text, "GB"), null, text);
});

test("an American insurance and loan are told by their object, too", (t) => {
  t.is(findObject("AUTO", "insurance", ["US"]), "INSURANCE_VEHICLE");
  t.is(findObject("RENTERS", "insurance", ["US"]), "INSURANCE_HOME");
  t.is(findObject("TWO WHEELER", "loan", ["IN"]), "TRANSPORT_VEHICLE_FINANCE");
});
