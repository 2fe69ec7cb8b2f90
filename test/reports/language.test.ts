/** Amounts, days and texts are written as the reader's language writes them, and numbers of accounts in part. */
import test from "ava";
import { fill, formatsOf } from "../../src/reports/language.ts";
import { maskIban, maskNumber } from "../../src/reports/mask.ts";
import { languageCodes } from "../../src/texts/languages.ts";

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

test("amounts are written as each language writes them, to the currency's last decimal", (t) => {
  const written = languageCodes.map((language) => plain(formatsOf(language).amount(-123_456_789, "DKK")));
  t.deepEqual(written, ["−1,234,567.89", "−1.234.567,89", "−1 234 567,89", "−1 234 567,89"]);
  t.is(formatsOf("en").amount(9_007_199_254_740_991, "EUR"), "90,071,992,547,409.91");
  t.is(formatsOf("da").amount(1_250, "JPY"), "1.250");
  t.deepEqual(
    languageCodes.map((language) => plain(formatsOf(language).money(11_400, "NOK"))),
    ["NOK 114.00", "114,00 NOK", "114,00 kr", "114,00 NOK"],
  );
  t.is(plain(formatsOf("da").money(11_400, "DKK")), "114,00 kr.");
});

test("days and months are written as each language writes them, and stay on one line", (t) => {
  t.deepEqual(
    languageCodes.map((language) => plain(formatsOf(language).longDay("2026-03-05"))),
    ["5 March 2026", "5. marts 2026", "5. mars 2026", "5 mars 2026"],
  );
  t.deepEqual(
    languageCodes.map((language) => plain(formatsOf(language).month("2026-05"))),
    ["May 2026", "maj 2026", "mai 2026", "maj 2026"],
  );
  t.notRegex(formatsOf("da").day("2026-03-05"), / /);
});

test("a text with a place that nothing fills is a bug", (t) => {
  t.is(fill("{a} of {b}", { a: "1", b: "2" }), "1 of 2");
  // An abbreviation's full stop ends the sentence too.
  t.is(fill("Målet er {a}. Mere.", { a: "114,00 kr." }), "Målet er 114,00 kr. Mere.");
  t.throws(() => fill("{a}", {}), { instanceOf: RangeError });
});

test("account and card numbers are shown in part", (t) => {
  t.is(maskIban("DK50 0040 0440 1162 43"), "DK•• •••• 6243");
  t.is(maskNumber("*1234"), "•••• 1234");
  t.is(maskNumber("account-99887766"), "•••• 7766");
});
