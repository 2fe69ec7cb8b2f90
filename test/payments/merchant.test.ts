import test from "ava";
import { findProduct } from "../../src/payments/catalogue.ts";
import { merchantOf } from "../../src/payments/merchant.ts";
import fc from "../property.ts";

const cleaned = test.macro({
  exec(t, key: string, ...descriptions: string[]) {
    for (const description of descriptions) t.is(merchantOf(null, description).key, key, description);
  },
  title: (_, key) => `descriptions of ${key} are cleaned to one name`,
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

test("what stands behind an asterisk and is no order is part of the name", (t) => {
  t.is(merchantOf(null, "MICROSOFT*OFFICE365").key, "MICROSOFT OFFICE365");
  t.is(merchantOf(null, "VOGNEN *TRIP").key, "VOGNEN TRIP");
});

test("numbers are kept where they are all the name there is", (t) => {
  t.not(merchantOf(null, "KL/70831024").key, merchantOf(null, "KL/70831025").key);
  t.is(merchantOf(null, "3").key, "3");
});

test("a bare gateway names itself", (t) => {
  t.like(merchantOf(null, "PAYPAL *"), { key: "PAYPAL", gateway: "PAYPAL" });
  t.like(merchantOf("PayPal", "PAYPAL *LYDBOGEN 402"), { key: "LYDBOGEN", gateway: "PAYPAL" });
});

test("the merchant name counts before the description", (t) => {
  t.is(merchantOf("Lydbogen", "Kortkøb 1234").key, "LYDBOGEN");
  t.is(merchantOf("  ", "Lydbogen 991234").key, "LYDBOGEN");
});

test("titles are readable", (t) => {
  t.is(merchantOf(null, "NORDLYS ENERGI A/S").title, "Nordlys Energi");
  t.is(merchantOf(null, "KBH VAND").title, "KBH Vand");
  t.is(merchantOf(null, "FJORDENS VARMEVÆRK 771203").title, "Fjordens Varmeværk");
  t.is(merchantOf(null, "Kortköp Södra McDonald").title, "Södra McDonald");
});

test("no text breaks the cleaning, and cleaning a key changes nothing", (t) => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: "binary" }), (text) => {
      const { key } = merchantOf(null, text);
      return /^(?:[A-Z0-9]+(?: [A-Z0-9]+)*)?$/.test(key);
    }),
  );
  t.pass();
});

test("products are found under their aliases, in the countries where they are sold", (t) => {
  t.is(findProduct(merchantOf(null, "GOOGLE *Google Storage"), "DK")?.id, "google-one");
  t.is(findProduct(merchantOf(null, "GOOGLE *XYZ GAMES"), "DK")?.id, "app-store-subscription-store-b");
  t.is(findProduct(merchantOf(null, "PAYPAL *UKENDT BUTIK"), "DK")?.id, "paypal");
  t.is(findProduct(merchantOf(null, "LÄNSFÖRSÄKRINGAR"), "SE")?.id, "lansforsakringar");
  t.is(findProduct(merchantOf(null, "LÄNSFÖRSÄKRINGAR"), "DK"), null);
  t.is(findProduct(merchantOf(null, "Kaffehuset"), "DK"), null);
});
