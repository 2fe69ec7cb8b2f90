/** Whose name stands in what a bank prints, and how sure it is: at the beginning, behind other words, cut, joined. */
import test from "ava";
import { findPayee, findPayer, longer, withoutName } from "../../src/categories/merchants.ts";
import { merchantOf } from "../../src/payments/merchant.ts";

const payee = (key: string, ...countries: string[]) => {
  const hit = findPayee(key, countries.length === 0 ? ["DK"] : countries);
  return hit === null ? null : [hit.name, hit.categoryId, hit.confidence, hit.letters, hit.isWeak];
};

test("a name at the beginning is nearly sure, with whatever stands behind it", (t) => {
  const netto = ["NETTO", "FOOD_GROCERIES", 0.92, 5, false];
  t.deepEqual(payee("NETTO"), netto);
  t.deepEqual(payee("NETTO VEJLE 4411"), netto);
  t.deepEqual(payee("FITNESS WORLD XQ"), ["FITNESS WORLD", "LEISURE_FITNESS_SPORT", 0.92, 13, false]);
});

test("the longest name decides", (t) => {
  t.deepEqual(payee("TRYG BIL 4411"), ["TRYG BIL", "INSURANCE_VEHICLE", 0.92, 8, false]);
  t.deepEqual(payee("TRYG XQ"), ["TRYG", "INSURANCE_OTHER", 0.92, 4, false]);
  t.deepEqual(payee("JYSK VIN"), ["JYSK VIN", "FOOD_ALCOHOL_TOBACCO", 0.92, 8, false]);
  t.deepEqual(payee("JYSK VEJLE"), ["JYSK", "HOME_FURNITURE", 0.92, 4, false]);
});

test("a short name may have a place behind it, but no long number and no more than two words", (t) => {
  t.deepEqual(payee("Q8"), ["Q8", "TRANSPORT_FUEL_CHARGING", 0.92, 2, false]);
  t.deepEqual(payee("Q8 VEJLE"), ["Q8", "TRANSPORT_FUEL_CHARGING", 0.7, 2, false]);
  t.deepEqual(payee("Q8 VEJLE NORD"), ["Q8", "TRANSPORT_FUEL_CHARGING", 0.7, 2, false]);
  t.is(payee("Q8 VEJLE NORD XQ"), null);
  t.is(payee("Q8 4411"), null);
  t.deepEqual(payee("Q8 441"), ["Q8", "TRANSPORT_FUEL_CHARGING", 0.7, 2, false]);
  t.deepEqual(payee("DSB VEJLE NORD XQ 4411"), ["DSB", "TRANSPORT_PUBLIC", 0.92, 3, false]);
});

test("a name that means other things elsewhere counts where it stands alone", (t) => {
  t.deepEqual(payee("MOTHER"), ["MOTHER", "FOOD_RESTAURANTS", 0.92, 6, false]);
  t.deepEqual(payee("MOT HER"), ["MOTHER", "FOOD_RESTAURANTS", 0.88, 6, false]);
  t.is(payee("MOTHER XQZV"), null);
  t.is(payee("XQZV MOTHER"), null);
});

test("spaces that are lost or put in hide no name of five letters and more", (t) => {
  t.deepEqual(payee("FITNESSWORLD"), ["FITNESS WORLD", "LEISURE_FITNESS_SPORT", 0.88, 13, false]);
  t.deepEqual(payee("FITNESSWORLD XQ"), ["FITNESS WORLD", "LEISURE_FITNESS_SPORT", 0.88, 13, false]);
  t.deepEqual(payee("SIL VAN"), ["SILVAN", "HOME_DIY_GARDEN", 0.88, 6, false]);
  t.deepEqual(payee("SIL VAN XQ"), ["SILVAN", "HOME_DIY_GARDEN", 0.88, 6, false]);
  t.deepEqual(payee("NET TO"), ["NETTO", "FOOD_GROCERIES", 0.88, 5, false]);
  t.is(payee("ZA RA"), null);
});

test("what a bank cut off is known by eight letters, where all that begin so are for one thing", (t) => {
  t.deepEqual(payee("SUPERBRU"), ["SUPERBRUGSEN", "FOOD_GROCERIES", 0.75, 12, false]);
  t.is(payee("SUPERBR"), null);
  t.is(payee("SUPERBRUX"), null);
  t.deepEqual(payee("SUPER BRUGS"), ["SUPERBRUGSEN", "FOOD_GROCERIES", 0.75, 12, false]);
  t.is(payee("SUPERBRU", "GB"), null);
});

test("behind other words a name of six letters is known, less surely", (t) => {
  t.deepEqual(payee("XQ FITNESS WORLD"), ["FITNESS WORLD", "LEISURE_FITNESS_SPORT", 0.72, 13, false]);
  t.deepEqual(payee("XQ ZV SILVAN VEJLE"), ["SILVAN", "HOME_DIY_GARDEN", 0.72, 6, false]);
  t.is(payee("XQ NETTO"), null);
  t.is(payee("XQ SILVAN", "GB"), null);
});

test("a letter that some write as two is one, in names that have both anyway, too", (t) => {
  t.like(payee("MUELLER", "DE"), ["MULLER", "PERSONAL_CARE"]);
  t.like(payee("BLUE CROSS OF OHIO", "US"), ["BLU CROSS", "INSURANCE_PERSON"]);
});

test("who is called just so at home is nobody where more follows, and nobody from abroad either", (t) => {
  t.like(payee("VISIBLE", "US"), ["VISIBLE", "COMMUNICATION_MOBILE"]);
  t.is(payee("VISIBLE THINGS XQ", "US"), null);
  t.like(payee("SPRINT ACHBILLPAY", "US"), ["SPRINT", "COMMUNICATION_MOBILE"]);
  t.like(payee("SPRINT ALSFELD", "DE"), ["SPRINT", "TRANSPORT_FUEL_CHARGING"]);
});

test("a number behind a name without a space hides none of four letters", (t) => {
  t.deepEqual(payee("EBAY72323"), ["EBAY", "OTHER_EXPENSES", 0.92, 4, false]);
  t.deepEqual(payee("NETTO12 VEJLE"), ["NETTO", "FOOD_GROCERIES", 0.92, 5, false]);
  t.is(payee("DSB12"), null);
  t.is(payee("12NETTO"), null);
  t.is(payee("NETTO12X"), null);
});

test("a shop of another country is known there and, by six letters, anywhere; of two the merchant's own", (t) => {
  t.deepEqual(payee("SILVAN", "GB"), ["SILVAN", "HOME_DIY_GARDEN", 0.7, 6, false]);
  t.is(payee("BILKA", "GB"), null);
  t.deepEqual(payee("BILKA", "GB", "DK"), ["BILKA", "FOOD_GROCERIES", 0.92, 5, false]);
  t.deepEqual(payee("REWE", "DK", "DE"), ["REWE", "FOOD_GROCERIES", 0.92, 4, false]);
  t.is(payee("REWE", "DK"), null);
  t.deepEqual(payee("NETFLIX", "CZ"), ["NETFLIX", "LEISURE_STREAMING", 0.92, 7, false]);
});

test("a name of a place that sells many things is weak, and one that says which is surer beside it", (t) => {
  t.deepEqual(payee("7 ELEVEN"), ["7 ELEVEN", "FOOD_GROCERIES", 0.65, 8, true]);
  t.deepEqual(payee("XQ CIRCLE K"), ["CIRCLE K", "TRANSPORT_FUEL_CHARGING", 0.65, 8, true]);
});

test("a user's own country says what a name means there", (t) => {
  t.is(payee("POWER", "DK")?.[1], "HOME_ELECTRONICS");
  t.is(payee("NORMAL", "DK")?.[1], "PERSONAL_CARE");
  t.is(payee("NORMAL", "GB", "DK")?.[1], "PERSONAL_CARE");
  t.is(payee("XQZVW"), null);
  t.is(payee(""), null);
});

test("payers have names of their own", (t) => {
  t.like(findPayer("UDBETALING DANMARK PENSION", ["DK"]), { categoryId: "INCOME_PENSION_STATE", confidence: 0.92 });
  t.is(findPayer("NETTO", ["DK"]), null);
});

test("of two hits the one of which more is known counts, the first of equals", (t) => {
  const hit = (name: string) => findPayee(name, ["DK"]);
  t.is(longer(hit("NETTO"), null)?.name, "NETTO");
  t.is(longer(null, hit("NETTO"))?.name, "NETTO");
  t.is(longer(null, null), null);
  t.is(longer(hit("NETTO"), hit("SILVAN"))?.name, "SILVAN");
  t.is(longer(hit("SILVAN"), hit("NETTO"))?.name, "SILVAN");
  t.is(longer(hit("NETTO"), hit("BILKA"))?.name, "NETTO");
});

test("what stands beside a name is left without it, wherever and however often it stands", (t) => {
  t.is(withoutName(["TRYG", "BIL"], "TRYG"), "BIL");
  t.is(withoutName(["XQ", "TRYG", "BIL", "TRYG"], "TRYG"), "XQ BIL");
  t.is(withoutName(["XQ", "FITNESS", "WORLD", "ZV"], "FITNESS WORLD"), "XQ ZV");
  t.is(withoutName(["TRYG", "TRYG"], "TRYG"), "");
  t.is(withoutName(["TRYGVE", "BIL"], "TRYG"), null);
  t.is(withoutName(["A", "TRYG", "B"], "A B"), null);
});

test("a name of another country behind other words hides none of this one behind it", (t) => {
  t.deepEqual(payee("XQ MORRISONS SILVAN"), ["SILVAN", "HOME_DIY_GARDEN", 0.72, 6, false]);
});

const paidFor = (line: string, country: string) => findPayee(merchantOf(null, line).key, [country])?.categoryId ?? null;

test("payees are known as American banks print them", (t) => {
  t.is(paidFor("VZWRLSS*APOCC VISB 800-922-0204 FL", "US"), "COMMUNICATION_MOBILE");
  t.is(paidFor("COMCAST CABLE COMM 800-266-2278", "US"), "COMMUNICATION_INTERNET_TV");
  t.is(paidFor("SPECTRUM 855-707-7328 MO", "US"), "COMMUNICATION_INTERNET_TV");
  t.is(paidFor("GEICO *AUTO 800-841-3000 DC", "US"), "INSURANCE_VEHICLE");
  t.is(paidFor("PGANDE WEB ONLINE", "US"), "UTILITIES_ELECTRICITY");
  t.is(paidFor("CON ED OF NY INTELL CK", "US"), "UTILITIES_ELECTRICITY");
  t.is(paidFor("NELNET STUDENT LN", "US"), "DEBT_STUDENT_LOAN");
  t.is(paidFor("DEPT EDUCATION STUDENT LN", "US"), "DEBT_STUDENT_LOAN");
  t.is(paidFor("PL*PLANETFITNESS 1234", "US"), "LEISURE_FITNESS_SPORT");
  t.is(paidFor("IRS USATAXPYMT", "US"), "FEES_TAX");
  t.is(paidFor("MEIJER # 123 GRAND RAPIDS MI", "US"), "FOOD_GROCERIES");
});

test("payees are known as Canadian, Australian and New Zealand banks print them", (t) => {
  t.is(paidFor("BELL CANADA (OB) MONTREAL", "CA"), "COMMUNICATION_INTERNET_TV");
  t.is(paidFor("ROGERS ******1234 888-764-3771 ON", "CA"), "COMMUNICATION_INTERNET_TV");
  t.is(paidFor("HYDRO ONE PAY", "CA"), "UTILITIES_ELECTRICITY");
  t.is(paidFor("PRESTO FARE/TORONTO", "CA"), "TRANSPORT_PUBLIC");
  t.is(paidFor("ICBC INSURANCE", "CA"), "INSURANCE_VEHICLE");
  t.is(paidFor("AGL SALES PTY LTD", "AU"), "UTILITIES_ELECTRICITY");
  t.is(paidFor("BPAY SYDNEY WATER", "AU"), "UTILITIES_WATER_WASTE");
  t.is(paidFor("LINKT SYDNEY", "AU"), "TRANSPORT_PARKING_TOLLS");
  t.is(paidFor("COLES 0423 RICHMOND", "AU"), "FOOD_GROCERIES");
  t.is(paidFor("WATERCARE", "NZ"), "UTILITIES_WATER_WASTE");
});

test("payees are known as Indian, Singaporean and South African banks print them", (t) => {
  t.is(paidFor("ACH D- LIC OF INDIA-123123", "IN"), "INSURANCE_PERSON");
  t.is(paidFor("NACH/BAJAJ FINANCE LTD/1234", "IN"), "DEBT_CONSUMER_LOAN");
  t.is(paidFor("BIL/ONL/000123/BESCOM", "IN"), "UTILITIES_ELECTRICITY");
  t.is(paidFor("UPI/SWIGGY/123412341234/swiggy@ybl", "IN"), "FOOD_RESTAURANTS");
  t.is(paidFor("ZERODHA BROKING LTD", "IN"), "SAVINGS_INVESTMENT");
  t.is(paidFor("SP SERVICES", "SG"), "UTILITIES_ELECTRICITY");
  t.is(paidFor("DISCHEALTH", "ZA"), "INSURANCE_PERSON");
  t.is(paidFor("DSTV DEBIT", "ZA"), "COMMUNICATION_INTERNET_TV");
});

test("a name that is also a word or a family's stands for none that goes on, nor is it found inside another", (t) => {
  for (const [line, country] of [
    ["SPECTRUM SPORTS SHOP", "US"],
    ["VISIBLE CHANGES SALON", "US"],
    ["PATH TO WELLNESS", "US"],
    ["BELLEVUE BAKERY", "CA"],
    ["ROGERS PLUMBING", "CA"],
    ["SIMONSON MOTORS", "CA"],
    ["BELONGING CAFE", "AU"],
    ["OPAL STREET BOOKS", "AU"],
    ["SPARKLE CLEAN", "NZ"],
    ["VI STORES", "IN"],
  ] as const)
    t.is(paidFor(line, country), null, line);
});

test("a name that is local to its country is nobody's elsewhere, and hides none that is known there", (t) => {
  for (const name of ["TARGET T", "SPARK NZ", "MEIJER", "WINNERS", "RAPIDO", "WOOLWORTHS"])
    t.is(payee(name, "DK"), null, name);
  t.is(payee("MEIJER", "DK", "US")?.[1], "FOOD_GROCERIES");
  // A British housing association that is an American hardware dealer.
  t.is(payee("GRAINGER", "US")?.[1], "HOME_DIY_GARDEN");
  t.deepEqual(payee("GRAINGER", "DK"), ["GRAINGER", "HOUSING_RENT", 0.7, 8, false]);
});

test("who is paid again and again is known in the south, in Brazil, in the Alps and in Belgium", (t) => {
  const sold = (key: string, country: string) => payee(key, country)?.[1];
  t.is(sold("IBERDROLA CLIENTES SAU", "ES"), "UTILITIES_ELECTRICITY");
  t.is(sold("EDP COMERCIAL", "PT"), "UTILITIES_ELECTRICITY");
  t.is(sold("ENEL ENERGIA SPA", "IT"), "UTILITIES_ELECTRICITY");
  t.is(sold("SABESP", "BR"), "UTILITIES_WATER_WASTE");
  t.is(sold("WIENER STADTISCHE", "AT"), "INSURANCE_OTHER");
  t.is(sold("SERAFE AG", "CH"), "COMMUNICATION_INTERNET_TV");
  t.is(sold("PROXIMUS NV", "BE"), "COMMUNICATION_INTERNET_TV");
});

test("a name there that is also a common word or a family's counts where it stands alone", (t) => {
  t.is(payee("PELAYO", "ES")?.[1], "INSURANCE_VEHICLE");
  t.is(payee("PELAYO XQZV", "ES"), null);
  t.is(payee("ABREU XQZV", "PT"), null);
  t.is(payee("ASSIM XQZV", "BR"), null);
});

test("a membership sold by a shop's name is known by the longer name, and the shop stays what it is", (t) => {
  for (const [membership, shop, sold, country] of [
    ["DD *DOORDASH DASHPASS", "DOORDASH*CHIPOTLE", "FOOD_RESTAURANTS", "US"],
    ["UBER   *ONE MEMBERSHIP", "UBER   *TRIP HELP.UBER.COM", "TRANSPORT_TAXI_SHARING", "US"],
    ["LYFT   *LYFT PINK", "LYFT   *RIDE SUN 8AM", "TRANSPORT_TAXI_SHARING", "US"],
    ["WALMART+ MEMBER 800-925-6278", "WALMART SUPERCENTER 1234", "FOOD_GROCERIES", "US"],
    ["COSTCO *ANNUAL RENEWAL", "COSTCO WHSE #0123", "FOOD_GROCERIES", "US"],
    ["SAMS CLUB MEMBERSHIP", "SAMS CLUB #6543", "FOOD_GROCERIES", "US"],
    ["AMC STUBS A-LIST", "AMC 9640 ONLINE", "LEISURE_CULTURE_EVENTS", "US"],
    ["DELIVEROO PLUS", "DELIVEROO LONDON", "FOOD_RESTAURANTS", "GB"],
    ["WOLT PLUS", "WOLT HELSINKI", "FOOD_RESTAURANTS", "FI"],
    ["TESCO CLUBCARD PLUS", "TESCO STORES 2233", "FOOD_GROCERIES", "GB"],
    ["OCADO SMART PASS", "OCADO RETAIL", "FOOD_GROCERIES", "GB"],
    ["PRET CLUB", "PRET A MANGER", "FOOD_RESTAURANTS", "GB"],
    ["CINEWORLD UNLIMITED", "CINEWORLD LEEDS", "LEISURE_CULTURE_EVENTS", "GB"],
    ["ZALANDO PLUS", "ZALANDO SE", "PERSONAL_CLOTHING", "DE"],
    ["ALLEGRO SMART", "ALLEGRO POZNAN", "OTHER_EXPENSES", "PL"],
  ] as const) {
    t.is(paidFor(membership, country), "FEES_DONATIONS_MEMBERSHIPS", membership);
    t.is(paidFor(shop, country), sold, shop);
  }
});

test("what people and small businesses subscribe to is known everywhere, as card statements print it", (t) => {
  for (const [line, sold] of [
    ["AMAZON WEB SERVICES AWS.AMAZON.CO", "COMMUNICATION_INTERNET_TV"],
    ["AWS EMEA aws.amazon.co", "COMMUNICATION_INTERNET_TV"],
    ["LINODE *AKAMAI CAMBRIDGE MA", "COMMUNICATION_INTERNET_TV"],
    ["SITEGROUND HOSTING SOFIA", "COMMUNICATION_INTERNET_TV"],
    ["FASTMAIL PTY LTD MELBOURNE", "COMMUNICATION_INTERNET_TV"],
    ["JETBRAINS AMERICAS", "LEISURE_STREAMING"],
    ["ATLASSIAN SYDNEY", "LEISURE_STREAMING"],
    ["Intuit *QuickBooks Online", "LEISURE_STREAMING"],
    ["AMAZON MUSIC*2K4AB1CD3", "LEISURE_STREAMING"],
    ["AMAZON KIDS+*AB1CD2EF3", "LEISURE_STREAMING"],
    ["BACKBLAZE INC", "LEISURE_STREAMING"],
    ["SLIMMING WORLD", "LEISURE_FITNESS_SPORT"],
    ["PIMSLEUR LANGUAGE", "EDUCATION_COURSES"],
  ] as const)
    for (const country of ["US", "GB", "DE", "DK"]) t.is(paidFor(line, country), sold, `${line} ${country}`);
});

test("a service that is called by a word is known where nothing else stands beside it", (t) => {
  t.is(paidFor("MONDAY.COM", "GB"), "LEISURE_STREAMING");
  t.is(paidFor("RENDER.COM", "GB"), "COMMUNICATION_INTERNET_TV");
  t.is(paidFor("MIRO.COM", "GB"), "LEISURE_STREAMING");
  for (const line of ["MONDAY MARKET", "RENDER PLASTERING", "MIRO BISTRO", "POSTMAN ARMS", "NORTON BUTCHERS"])
    t.not(paidFor(line, "GB"), "LEISURE_STREAMING", line);
  t.is(paidFor("RENDER PLASTERING", "GB"), null);
});
