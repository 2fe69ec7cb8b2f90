/** What banks print around a payee's name: their own words before it, and the fields beside it. */
import test from "ava";
import { merchantOf } from "../../src/payments/merchant.ts";

test("of a company that sells much else the line says what, where it goes on behind the company's name", (t) => {
  t.is(merchantOf("Apple", "Apple APPLE.COM/BILL 45449486051 IRL").searchText.slice(0, 20), "APPLE APPLE.COM/BILL");
  t.is(merchantOf("Apple", "APPLE R123 OXFORD ST").key, "APPLE");
  t.is(merchantOf("Google", "").key, "GOOGLE");
  t.is(merchantOf("Roret", "RORET.COM/BILL 123").text, "Roret");
});

test("a French field says who is paid", (t) => {
  t.is(merchantOf(null, "VIREMENT SEPA EMIS /MOTIF CLT 98305196 /BEN RORET AUCH /REFDO 7781").key, "RORET AUCH");
  t.is(merchantOf(null, "VIREMENT SEPA EMIS /MOTIF LOYER/BEN RORET NORD/REFDO").key, "RORET NORD");
});

test("an address on the web names its host, without its scheme and numbers before the name", (t) => {
  for (const line of ["HTTPS://RORET.PL/", "http://www.roret.pl/zakup", "24.RORET.PL/EBOK/", "https://24.roret.pl"])
    t.is(merchantOf(null, line).key, "RORET", line);
  t.is(merchantOf(null, "RORET 24.KRO").key, merchantOf(null, "RORET 24 KRO").key);
});

// Words of banks.

for (const words of [
  "DANKORTNOTA",
  "DANKORT-NOTA",
  "VISA/DK",
  "VISADK",
  "VISA/DANKORT",
  "VISADANKORT",
  "MASTERCARD",
  "MC/SE",
  "KORTKOB",
  "KORTKOP",
  "VAREKJOP",
  "VISA VAREKJOP",
  "KORTBETALING",
  "KORTTIOSTO",
  "KARTENZAHLUNG",
  "LASTSCHRIFT",
  "SEPA LASTSCHRIFT",
  "SEPA-LASTSCHRIFT",
  "SEPA BASISLASTSCHRIFT",
  "SEPA-FIRMENLASTSCHRIFT",
  "SEPA DIRECT DEBIT",
  "SEPA INCASSO",
  "DAUERAUFTRAG",
  "BETALAUTOMAT",
  "INCASSO",
  "IDEAL",
  "POLECENIE ZAPLATY",
  "OBCIAZENIE",
  "CARTE",
  "CARTE BANCAIRE",
  "PAIEMENT CARTE",
  "PAIEMENT PAR CARTE",
  "ACHAT CB",
  "ACHAT CARTE",
  "PRLV",
  "PRELEVEMENT",
  "PRLV SEPA",
  "PRELEVEMENT SEPA",
  "VIR",
  "VIREMENT",
  "VIR SEPA",
  "VIREMENT PERMANENT",
  "DD",
  "SDD",
  "RECIBO",
  "ADEUDO",
  "ADEUDO SEPA",
  "COMPRA",
  "COMPRA TARJ",
  "COMPRA TARJETA",
  "PAGO CON TARJETA",
  "ADDEBITO",
  "ADDEBITO DIRETTO",
  "ADDEBITO SDD",
  "ADDEBITO RID",
  "MANDATO SDD",
  "SDD A :",
  "COBR SEPA",
  "DEBITO DIRECTO",
  "ORDRE PERMANENT",
  "DAUERAUFTRAEGE",
  "DOMICILIERING VAN",
  "DEBICHECK DEBIT ORDER",
  "PREAUTHORIZED DEBIT",
  "AUTOMATIC PAYMENT",
  "ACH WITHDRAWAL",
  "WITHDRAWAL-ACH-A-",
  "BPAY",
  "PAY BILL TO",
  "PAY BILL ONLINE TO",
  "BILL PMT",
  "CSOPORTOS BESZEDES",
  "TRAJNI NALOG",
  "SUORAMAKSU",
  "PUSIKORRALDUS",
  "AVTGI",
  "PAGAMENTO",
  "PAGAMENTO POS",
  "PLATBA KARTOU",
  "ZAKUP PRZY UZYCIU KARTY",
  "ZAKUP KARTA",
  "PLATNOSC KARTA",
  "CARD PAYMENT",
  "CARD PURCHASE",
  "CARD PAYMENT TO",
  "CONTACTLESS",
  "CONTACTLESS PAYMENT",
  "POS",
  "POS PURCHASE",
  "PURCHASE",
  "DIRECT DEBIT",
  "DIRECT DEBIT TO",
  "STANDING ORDER",
  "STANDING ORDER TO",
  "BILL PAYMENT",
  "BILL PAYMENT TO",
  "BETALINGSSERVICE",
  "PAYMENT TO",
  "BETALING TIL",
  "BETALNING TILL",
  "ZAHLUNG AN",
  "OVERFORSEL TIL",
  "OVERFORING TIL",
  "OVERFORING TILL",
  "INKASO",
  "TRVALY PRIKAZ",
  "ZLECENIE STALE",
  "LEVERANDORSERVICE",
  "PBS",
  "BS",
  "AUTOGIRO",
  "AVTALEGIRO",
  "ELASKU",
  "E-LASKU",
  "VISA KOB",
  "TIL",
  "FRA",
  "EFAKTURA",
  "E-FAKTURA",
  "NETTGIRO",
  "GIRO",
  "RECURRING",
  "RECURRING PAYMENT",
  "APPLE PAY",
  "GOOGLE PAY",
]) {
  test(`${words} is the bank's word and not the payee's`, (t) => {
    t.like(merchantOf(null, `${words} RORETS GARTNERI`), { key: "RORETS GARTNERI", searchText: "RORETS GARTNERI" });
  });
}

test("a bank's word ends with a space, colon, asterisk, comma, point or hyphen; glued to a name it is the name's", (t) => {
  for (const end of [" ", ":", "*", ",", ".", "-", " - "])
    t.is(merchantOf(null, `Kortkøb${end}Roret`).searchText, "RORET", end);
  t.is(merchantOf(null, "Kortkøbsroret").key, "KORTKOBSRORET");
  t.is(merchantOf(null, "Tilia").key, "TILIA");
});

test("a bank's word counts only where the line begins, and signs before a name are no word", (t) => {
  t.is(merchantOf(null, "-- Roret").searchText, "-- RORET");
  t.is(merchantOf(null, "Roret giro nord").key, "RORET GIRO NORD");
});

test("DD and BS are the bank's before a name, not before a number", (t) => {
  t.is(merchantOf(null, "DD 12 RORET").searchText, "DD 12 RORET");
  t.is(merchantOf(null, "BS 12 RORET").searchText, "BS 12 RORET");
});

test("three words of a bank's are taken off, a fourth is the payee's", (t) => {
  t.is(merchantOf(null, "PBS GIRO FRA RORET").searchText, "RORET");
  t.is(merchantOf(null, "PBS GIRO FRA TIL RORET").searchText, "TIL RORET");
});

// Lists of fields.

const fields = test.macro({
  exec(t, searchText: string, ...descriptions: string[]) {
    for (const description of descriptions) t.is(merchantOf(null, description).searchText, searchText, description);
  },
  title: (idea = "") => idea,
});

test(
  "the name is told where a line says which of its fields that is",
  fields,
  "RORETS GARTNERI",
  "/REMI/maj/NAME/Rorets Gartneri/EREF/1",
  "/NAME/Rorets Gartneri",
  "/IBAN/X/NAME/Giro Rorets Gartneri",
  "Incassant: NL12 Naam: Rorets Gartneri Omschrijving: maj",
  "Naam:Rorets Gartneri",
  "SVWZ+maj ABWA+Rorets Gartneri EREF+1",
  "ABWA+Rorets Gartneri",
  "ABWA+Rorets Gartneri IBAN+1",
);
for (const field of [
  "EREF+",
  "KREF+",
  "MREF+",
  "CRED+",
  "DEBT+",
  "SVWZ+",
  "ABWE+",
  "IBAN+",
  "BIC+",
  "ECH/",
  "ID EMETTEUR/",
  "MDT/",
  "RUM/",
  "ICS/",
  "REF/",
]) {
  test(
    `what stands at ${field} and behind it is no name`,
    fields,
    "RORETS GARTNERI",
    `RORETS GARTNERI ${field}X ANYONE ELSE`,
  );
}
test(
  "a field's name may be broken where the bank breaks its lines",
  fields,
  "RORETS GARTNERI",
  "RORETS GARTNERI ERE F+X ANYONE ELSE",
  "RORETS GARTNERI E REF+X ANYONE ELSE",
  "RORETS GARTNERI SVW Z +X ANYONE ELSE",
);
test(
  "a creditor's identifier and a mandate behind a name are none",
  fields,
  "RORETS GARTNERI",
  "Rorets Gartneri Gläubiger-ID: DE00ROR00000000001",
  "Rorets Gartneri Mandatsreferenz: 7001-9",
  "Rorets Gartneri Creditor-ID: DE00ROR00000000001",
);
test("a purchase through a gateway ends before the fields behind it, and its words may be broken too", (t) => {
  for (const line of [
    "PAYPAL SVWZ+ 1 . Ror et, Ihr Einkauf bei Roret EREF+ 1018 PAYPAL MREF+ 4X",
    "PAYPAL SVWZ+ 1 . Ror et, Ihr Einka uf bei Roret ER EF+ 1018 PAYPAL MREF+ 4X",
  ])
    t.like(merchantOf(null, line), { key: "RORET", gateway: "PAYPAL" }, line);
});
test("a gateway's company is the gateway where no shop is named behind it", (t) => {
  for (const line of ["PayPal Europe S.a.r.l. et Cie S.C.A", "PAYPAL EUROPE SEPA-BASISLASTSCHR IFT SVWZ+ 1018"])
    t.like(merchantOf(null, line), { key: "PAYPAL", gateway: "PAYPAL" }, line);
  t.is(merchantOf(null, "PayPal Europe Roret").key, "PAYPAL EUROPE RORET");
});
test("what the bank calls a reference is no name, whatever letters it has", (t) => {
  t.is(merchantOf(null, "RORET REF #RP0QX9JZZQ HUS").key, merchantOf(null, "RORET HUS").key);
  t.is(merchantOf(null, "RORET REFORM 9JZZQ").key, "RORET REFORM 9JZZQ");
});
test("a field may be empty, or of one sign", fields, "RORET", "RORET EREF+", "RORET EREF+1", "RORET REF/1");
test(
  "a name's field may be empty, and others are left out then",
  fields,
  "RORET",
  "RORET EREF+1 NAAM:",
  "RORET EREF+1 ABWA+",
);
test(
  "of an empty name between slashes what stands behind is kept, but for the fields",
  fields,
  "/NAME//RORET",
  "/NAME//RORET EREF+12",
);
test("a colon alone ends no name", fields, "RORETS GARTNERI : NORD", "Naam: Rorets Gartneri : nord");
test("a French field's value follows its slash at once", fields, "RORET REF/ NORD", "RORET REF/ NORD");
test(
  "a name of fewer than three letters is none: the whole line is read",
  fields,
  "/REMI/RORET/NAME/AB",
  "/REMI/RORET/NAME/AB",
);
test("a line that is nothing but fields is kept", fields, "12 EREF+ABC", "12 EREF+ABC");
test("a word that ends like a field's name is none", fields, "RORETSNAM: NORD", "RORETSNAM: NORD");
test("nor is one that ends like a German field's", fields, "RORETSABWA+NORD", "RORETSABWA+NORD");

test("PayPal's mark tells that it collected, where the bank gives its name elsewhere", (t) => {
  const line = "1022959782897 PP.4616.PP . Roret, Ihr Einkauf bei Roret";
  t.like(merchantOf("PayPal (Europe) S.a r.l. et Cie, S.C.A.", line), { key: "RORET", gateway: "PAYPAL" });
  t.is(merchantOf(null, "Havnen, Ihr Einkauf bei Roret").gateway, null);
});
