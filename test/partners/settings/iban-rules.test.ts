/** Rules say which digits of an IBAN are the numbers of the accounts table. */
import test from "ava";
import { parseIbanRules } from "../../../src/partners/settings/iban-rules.ts";

test("a rule a country, each with two spans of digits", (t) => {
  t.deepEqual(parseIbanRules("NO:1-4:1-11, DK:1-4:5-14"), {
    NO: { bankId: [1, 4], accountNumber: [1, 11] },
    DK: { bankId: [1, 4], accountNumber: [5, 14] },
  });
});

test("what is no such list is refused with an example", (t) => {
  for (const text of [
    "",
    "NO",
    "NO:1-4",
    "no:1-4:1-11",
    "NO:0-4:1-11",
    "NO:4-1:1-11",
    "NO:1-4:1-31",
    "NO:1-4:1-11;DK:1-4:5-14",
  ])
    t.throws(() => parseIbanRules(text), { message: /such as NO:1-4:1-11$/ }, text);
});
