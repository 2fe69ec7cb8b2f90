/** A merchant's key comes out of a bank's text without its numbers, dates, legal forms and gateways. */
import test from "ava";
import { merchantOf } from "../../src/payments/merchant.ts";

const cleaned = test.macro({
  exec(t, key: string, ...descriptions: string[]) {
    for (const description of descriptions) t.is(merchantOf(null, description).key, key, description);
  },
  title: (idea, key) => idea ?? `descriptions of ${key} are cleaned to one name`,
});

test(
  cleaned,
  "NORDLYS ENERGI",
  "NORDLYS ENERGI A/S",
  "BS NORDLYS ENERGI",
  "Nordlys Energi 7712093",
  "Kortkøb 12.03 NORDLYS ENERGI",
  "Nordlys Energi ref 881234",
);

test(
  cleaned,
  "CALLOWAY BILL PAY",
  "CALLOWAY8005550142 BILL PAY",
  "CALLOWAY18005550142 BILL PAY 07 03",
  "CALLOWAY 800-555-0142 BILL PAY",
);
test(cleaned, "BILL PAY", "INVOICE8005550142 BILL PAY", "CALL8005550142 BILL PAY", "CALLOWAY800555014 BILL PAY");
test(cleaned, "BILLER", "BILLER CALLOWAY8005550142");

test(
  cleaned,
  "KAFFEHUSET",
  "DANKORT-NOTA KAFFEHUSET 4321",
  "VISA/DK KAFFEHUSET",
  "SQ *KAFFEHUSET",
  "SUMUP *KAFFEHUSET",
  "XXXX1234 Kaffehuset",
  "Kaffehuset 2026-03-01 14:22",
);

test(
  cleaned,
  "STREAMHUB",
  "STREAMHUB.COM 2042367",
  "HELP.STREAMHUB.COM",
  "PAYPAL *STREAMHUB",
  "Streamhub P0193482",
  "STREAMHUB.COM/BILL",
  "Streamhub Ltd",
);

test(cleaned, "SODRA MALARSTRANDS EL", "Södra Mälarstrands El", "SODRA MALARSTRANDS EL AB");

test(
  cleaned,
  "HAVNENS HUSLEJE",
  "Havnens Husleje marts 2026",
  "HAVNENS HUSLEJE APRIL",
  "Betaling til Havnens husleje juni",
  "Havnens Husleje kvartal 2",
);

test(
  cleaned,
  "BRITANNIA GAS",
  "DIRECT DEBIT PAYMENT TO BRITANNIA GAS REF 881234",
  "CARD PAYMENT TO Britannia Gas Ltd 12-03-2026",
);

test(
  cleaned,
  "STROM UND WARME",
  "SEPA-Basislastschrift Strom und Wärme GmbH",
  "Dauerauftrag Strom und Wärme",
  "PRLV SEPA Strom und Wärme",
  "Paiement par carte 12/03/26 STROM UND WARME",
  "Recibo STROM UND WARME",
  "Polecenie zapłaty Strom und Wärme",
);

test(
  cleaned,
  "BOLGEN WONEN",
  "/TRTP/SEPA OVERBOEKING/IBAN/NL20RABO0232595311/BIC/RABONL2U/NAME/Bolgen Wonen/REMI/huur 03-2026/EREF/NOTPROVIDED",
  "SEPA Incasso algemeen doorlopend Incassant: NL12ZZZ123456780000 Naam: Bolgen Wonen Machtiging: 123456789 IBAN: NL20INGB0001234567",
  "EREF+123456789012 MREF+123456789 CRED+DE12ZZZ00000123456 SVWZ+RG 1234567890 vom 01.02.2026 ABWA+Bolgen Wonen GmbH",
  "SEPA-BASISLASTSCHRIFT BOLGEN WONEN GMBH EREF+123456789012 MREF+123456789 SVWZ+RG 1234567890 vom 01.02.2026",
  "PRLV SEPA BOLGEN WONEN ECH/050326 ID EMETTEUR/FR47BOL001007 MDT/0012345 REF/123456789012",
  "DIRECT DEBIT PAYMENT TO BOLGEN WONEN REF 900012345678, MANDATE NO 0012",
  "VISA/DK BOLGEN WONEN",
);

test(cleaned, "NAME MARF", "/NAME//MARF/037081302");

test(
  cleaned,
  "NAVNEBUREAU",
  "NAVNEBUREAU.COM* WZF98KSXE",
  "Visa køb NAVNEBUREAU.COM* 6ZCR68ED9",
  "NAVNEBUREAU *2K3L45AB1",
);

test(cleaned, "PAYPAL", "PAYPAL *270404151", "PAYPAL *5055609 44012", "PP*759740012");

// Dates, amounts, cards.

for (const date of [
  "kl 14.22",
  "KL. 14:22",
  "KL 8:05",
  "2026-03-01",
  "01.03.2026",
  "1/3/26",
  "1-3-26",
  "12-03-2026",
  "den 12.03",
  "12/3",
  "1.3",
  "14:22",
  "8:05",
  "14:22:05",
  "den 12.03 kl. 14.22",
]) {
  test(
    `${date} is no part of a name, wherever it stands`,
    cleaned,
    "RORET NORD",
    `${date} Roret Nord`,
    `Roret ${date} Nord`,
    `Roret Nord ${date}`,
  );
}

for (const amount of [
  ...["EUR", "USD", "GBP", "DKK", "SEK", "NOK", "ISK", "PLN", "CZK", "CHF"].flatMap((currency) => [
    `${currency} 12,03`,
    `${currency}1.203,00`,
    `12,50 ${currency}`,
    `129.50${currency}`,
  ]),
  "DKK1.234,50",
  "DKK 1 234.50",
  "EUR 1,234,567.00",
  "HUF 3500,00",
  "HUF12.03",
  "KURS 7,4512",
  "Kurs: 745.12",
  "RATE 0.134",
  "RATE:1.2345",
  "KURS7,4512",
  "EUR 12,03 KURS 745,12",
  "EUR 12.03",
  "DKK12.03",
]) {
  test(
    `${amount} is no part of a name, wherever it stands`,
    cleaned,
    "RORET NORD",
    `${amount} Roret Nord`,
    `Roret ${amount} Nord`,
    `Roret Nord ${amount}`,
  );
}

for (const card of [
  "XX12",
  "XXXX 1234",
  "XX-XX-12",
  "XX XX 12",
  "X*1234",
  "4571XXXXXXXXXX12",
  "4571**",
  "457112XXXXXXXXXX",
  "4571XX",
]) {
  test(
    `the masked card ${card} is no part of a name`,
    cleaned,
    "RORET NORD",
    `${card} Roret Nord`,
    `Roret ${card} Nord`,
  );
}

test("what stands within a word is no date, no amount and no card", (t) => {
  for (const [description, key] of [
    ["Roret V1.2 Nord", "RORET V1 NORD"],
    ["Roret V14:22 Nord", "RORET V14 NORD"],
    ["Roret V12-03-26 Nord", "RORET V12 NORD"],
    ["Tarkl 14.22", "TARKL"],
    ["Rordkk 12,03", "RORDKK 12"],
    ["Nordxx12 Roret", "NORDXX12 RORET"],
    ["XX12ABC Roret", "XX12ABC RORET"],
    ["A4571XX Roret", "RORET"],
    ["4571XXCD Roret", "RORET"],
  ] as const)
    t.is(merchantOf(null, description).key, key, description);
});

test("a version is no date and no card", (t) => {
  t.is(merchantOf(null, "Roret Q12 Nord").key, "RORET Q12 NORD");
  t.is(merchantOf(null, "RORET X12 NORD").key, "RORET X12 NORD");
});

// Numbers.

test("words that are mostly digits are references, three digits at least and half of the word", (t) => {
  t.is(merchantOf(null, "RORET AB12 NORD").key, "RORET AB12 NORD");
  t.is(merchantOf(null, "RORET B123 NORD").key, "RORET NORD");
  t.is(merchantOf(null, "RORET ABC123 NORD").key, "RORET NORD");
  t.is(merchantOf(null, "RORET ABC999 NORD").key, "RORET NORD");
  t.is(merchantOf(null, "RORET ABCD123 NORD").key, "RORET ABCD123 NORD");
});

test("a short number belongs to a name of one word, and is an instalment behind two", (t) => {
  t.is(merchantOf(null, "Roret 12").key, "RORET 12");
  t.is(merchantOf(null, "2 Roret").key, "2 RORET");
  t.is(merchantOf(null, "Roret Nord 12").key, "RORET NORD");
  t.is(merchantOf(null, "Roret Nord B2").key, "RORET NORD B2");
  t.is(merchantOf(null, "Roret Nord 12B").key, "RORET NORD 12B");
});

test("numbers are kept where fewer than three letters stand beside them", (t) => {
  t.is(merchantOf(null, "KL/70831024").key, "KL 70831024");
  t.is(merchantOf(null, "ABC/70831024").key, "ABC");
  t.is(merchantOf(null, "A/BC 70831024").key, "A BC");
  t.is(merchantOf(null, "A B C 70831024").key, "A B C");
  t.is(merchantOf(null, "AS 70831024").key, "AS 70831024");
  t.is(merchantOf(null, "AS 12 KL").key, "AS 12 KL");
  t.is(merchantOf(null, "AS 9 KL").key, "AS 9 KL");
  t.is(merchantOf(null, "3").key, "3");
});

test("one letter at the end may be part of the name: Fund A is not Fund E", (t) => {
  t.is(merchantOf(null, "Roret P").key, "RORET P");
  t.is(merchantOf(null, "Roret P Nord").key, "RORET P NORD");
  t.is(merchantOf(null, "Roret Q P").key, "RORET Q P");
  t.is(merchantOf(null, "Q").key, "Q");
});

// Words that come and go.

for (const form of "AS APS AB OY OYJ LTD LIMITED GMBH AG BV NV INC LLC PLC SRO SPZOO SA SARL KG IVS AMBA SE CO CORP INTL".split(
  " ",
)) {
  test(`the legal form ${form} is no part of a name`, cleaned, "NIVALA", `NIVALA ${form}`, `${form} NIVALA`);
}
test("the legal form ASA is no part of a name that it stands behind; in front it is a person's", (t) => {
  t.is(merchantOf(null, "NIVALA ASA").key, "NIVALA");
  t.is(merchantOf(null, "Skickad Åsa Nivala").key, "ASA NIVALA");
});

for (const word of "REF REFERENCE MANDATE ORDER ORDRE ORDRENR INVOICE FAKTURA RECHNUNG FACTUUR KVARTAL QUARTER QUARTAL NR NO TRN TERMINAL TERM KVITTERING RECEIPT ID THE PENDING SUBSCRIPTION SUBSCR ABO".split(
  " ",
)) {
  test(`${word} is a processor's word`, cleaned, "NIVALA NORD", `NIVALA ${word} NORD`, `NIVALA NORD ${word}`);
}

for (const month of [
  "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER JAN FEB MAR APR JUN JUL AUG SEP SEPT OCT NOV DEC",
  "januar februar marts mars maj juni juli oktober januari februari augusti okt des desember März Mai Dezember dez mart mei augustus",
  "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu",
  "styczeń luty marzec kwiecień czerwiec lipiec sierpień wrzesień październik listopad grudzień",
  "leden únor březen duben květen červen červenec srpen září říjen prosinec",
]
  .join(" ")
  .split(" ")) {
  test(`the month ${month} says which bill it is`, cleaned, "NIVALA", `Nivala ${month}`, `Nivala ${month} 2026`);
}

test("a name may begin with a month", (t) => {
  t.is(merchantOf(null, "Maj Nivala").key, "MAJ NIVALA");
});

for (const [short, long] of [
  ["AMZN", "AMAZON"],
  ["AMZNPRIME", "AMAZON PRIME"],
  ["MSFT", "MICROSOFT"],
  ["FBPAY", "FACEBOOK"],
  ["FACEBK", "FACEBOOK"],
  ["GOOGL", "GOOGLE"],
  ["MKTPLACE", "MARKETPLACE"],
  ["MKTP", "MARKETPLACE"],
] as const) {
  test(`${short} is short for ${long}`, cleaned, `NIVALA ${long}`, `Nivala ${short}`);
}

// Addresses and points.

for (const host of [
  "WWW",
  "HELP",
  "PAY",
  "BILLING",
  "ACCOUNT",
  "ACCOUNTS",
  "SHOP",
  "STORE",
  "MY",
  "https://www",
  "http://my",
]) {
  test(`${host}. before a domain is no part of its name`, cleaned, "NIVALA", `${host}.nivala.com`);
}

for (const domain of "COM NET ORG IO AI APP TV EU DK NO SE FI IS CO.UK UK IE DE NL PL CZ".split(" ")) {
  test(
    `.${domain} is no part of a name`,
    cleaned,
    "NIVALA NORD",
    `nivala.${domain} Nord`,
    `nivala-nord.${domain}`,
    `nivala.${domain}/help Nord`,
  );
}

test("a host's name is a name where no domain follows or letters precede, and an unknown domain is a word", (t) => {
  t.is(merchantOf(null, "Help.nivala").key, "HELP NIVALA");
  t.is(merchantOf(null, "Romy.nivala.com").key, "ROMY NIVALA");
  t.is(merchantOf(null, "nivala.comet").key, "NIVALA COMET");
  t.is(merchantOf(null, "nivala.xyz").key, "NIVALA XYZ");
});

test("a path says which page, not who", (t) => {
  t.is(merchantOf(null, "nivala.xyz/pay/me nord").key, "NIVALA XYZ NORD");
  t.is(merchantOf(null, "nivala/nord 1.2").key, "NIVALA NORD");
});

test("a point, slash or apostrophe before a single letter joins it to what it stands at", (t) => {
  t.is(merchantOf(null, "Nivala s.r.o.").key, "NIVALA");
  t.is(merchantOf(null, "NIVALA A/S").key, "NIVALA");
  t.is(merchantOf(null, "NIVALA'S").key, "NIVALAS");
  t.is(merchantOf(null, "O'NIVALA").key, "O NIVALA");
  t.is(merchantOf(null, "Nivala B.Nord").key, "NIVALA B NORD");
  t.is(merchantOf(null, "Nivala/S").key, "NIVALA S");
  t.is(merchantOf(null, "Nivala/Nord").key, "NIVALA NORD");
});

// Letters.

test(
  "letters are folded to A–Z: those of the Nordic countries to one, whether written as one or as two",
  cleaned,
  "RAVAROR OST",
  "Rævårør Ost",
  "RAEVAAROER OEST",
  "Rävårör Øst",
  "rávârör Öst",
);

test(
  "letters of other languages are folded too",
  cleaned,
  "THORDIS LODZ STRASSE DOKO",
  "Þórdís Łódź Straße Đoko",
  "ÞÓRDÍS ŁÓDŹ STRASSE ÐOKO",
);

test("a ligature is its two letters, and two letters that fold are one", cleaned, "COR FIN", "Cœr ﬁn");

test(
  "printed quotes and dashes are plain ones",
  cleaned,
  "NIVALAS NORD",
  "Nivala’s – Nord",
  "Nivala's — Nord",
  "Nivala’s-Nord",
  "Nivalas–Nord",
  "Nivalas—Nord",
);

test(cleaned, "O NIVALA", "O’Nivala", "O'Nivala");

test("a name may have no plain letter at all", cleaned, "ADO", "ÅÐØ");

test("wide spaces and several of them are one", (t) => {
  t.is(merchantOf(null, "  Nivala \t\u00a0 Nord  ").searchText, "NIVALA NORD");
});

test("only the first two hundred characters of a text are read", (t) => {
  t.is(merchantOf(null, "X".repeat(200)).key.length, 200);
  t.is(merchantOf(null, "X".repeat(201)).key.length, 200);
  t.is(merchantOf(null, `Nivala${" ".repeat(190)}Nord`).key, "NIVALA NORD");
  t.is(merchantOf(null, `Nivala${" ".repeat(191)}Nord`).key, "NIVALA NOR");
});
