/** A merchant's title is readable, and its name comes before the description where it says anything. */
import test from "ava";
import { type Merchant, merchantOf } from "../../src/payments/merchant.ts";
import fc from "../property.ts";

// What is kept of a text.

test("a merchant keeps the text as it was sent, and for the catalogue what is left of it without the bank's words", (t) => {
  t.like(merchantOf(null, "Kortkøb PAYPAL *Lydbøgen 40212"), {
    text: "Kortkøb PAYPAL *Lydbøgen 40212",
    searchText: "PAYPAL *LYDBOGEN 40212",
    key: "LYDBOGEN",
    gateway: "PAYPAL",
  });
});

test("the merchant name counts before the description", (t) => {
  t.is(merchantOf("Lydbogen", "Kortkøb 1234").key, "LYDBOGEN");
});

test("a name that is blank, has no letter or digit, or only says the gateway leaves it to the description", (t) => {
  t.is(merchantOf("  ", "Lydbogen 991234").text, "Lydbogen 991234");
  t.is(merchantOf("***", "Lydbogen 991234").text, "Lydbogen 991234");
  t.is(merchantOf("PayPal", "PAYPAL *LYDBOGEN 402").text, "PAYPAL *LYDBOGEN 402");
});

test("where the description says nothing the name stands, whatever it says", (t) => {
  t.like(merchantOf("PayPal", ""), { text: "PayPal", key: "PAYPAL" });
  t.like(merchantOf("***", "--"), { text: "***", key: "" });
  t.like(merchantOf(null, "--"), { text: "--", key: "" });
  t.like(merchantOf("", "--"), { text: "--", key: "" });
  t.like(merchantOf("  ", "--"), { text: "--", key: "" });
});

// Titles.

const titled = test.macro({
  exec(t, title: string, description: string) {
    t.is(merchantOf(null, description).title, title);
  },
  title: (_, title, description) => `"${description}" is shown as "${title}"`,
});

test(titled, "Nordlys Energi", "NORDLYS ENERGI A/S");

test(titled, "KBH Vand", "KBH VAND");

test(titled, "Fjordens Varmeværk", "FJORDENS VARMEVÆRK 771203");

test(titled, "Södra McDonald", "Kortköp Södra McDonald");

test(titled, "Nordlys IPhone", "nordlys iPhone");

test(titled, "Nordlys KBHv", "nordlys kBHv");

test(titled, "Nordlys Kbhv", "NORDLYS KBHV");

for (const vowel of ["A", "E", "I", "O", "U", "Y", "Æ", "Ø", "Å", "Ä", "Ö"])
  test(titled, `Nordlys K${vowel.toLowerCase()}s`, `NORDLYS K${vowel}S`);

test(titled, "Nordlys Amazon", "NORDLYS AMZN");

test(titled, "Stripe", "STRIPE *");

test(titled, "", "--");

// Memory.

/** Texts that differ in digits alone are read once. */
function lettersOf(number: number): string {
  return String(number).replace(/\d/g, (digit) => "ABCDEFGHIJ".charAt(Number(digit)));
}

test("a text is read once: met again it is the same merchant, as long as not too many others came between", (t) => {
  const first = merchantOf(null, "Rorets Gartneri");
  const title = first.title;
  t.is(merchantOf("Rorets Gartneri", ""), first);
  const others = (from: number, count: number): void => {
    for (let number = from; number < from + count; number++) merchantOf(null, lettersOf(number));
  };
  others(0, 30_000);
  const again: Merchant = merchantOf(null, "Rorets Gartneri");
  t.is(again, first);
  t.is(again.title, title);
  others(30_000, 30_000);
  t.is(merchantOf(null, "Rorets Gartneri"), first);
  others(60_000, 60_001);
  const readAgain = merchantOf(null, "Rorets Gartneri");
  t.not(readAgain, first);
  t.is(readAgain.title, title);
  t.deepEqual(readAgain, first);
});

test("whatever a bank prints, a key is words of A–Z and digits, one space between", (t) => {
  const anything = fc.property(fc.string({ maxLength: 300, unit: "binary" }), (text) =>
    /^(?:[A-Z0-9]+(?: [A-Z0-9]+)*)?$/.test(merchantOf(null, text).key),
  );
  t.notThrows(() => fc.assert(anything));
});
