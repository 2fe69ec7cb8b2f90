/** A number behind a word for customer, contract or policy that two lines in a row have. */
import test from "ava";
import { nameOneContract } from "../../src/payments/contracts.ts";
import { merchantOf } from "../../src/payments/merchant.ts";
import { paid } from "../recognition/obligations.ts";

const named = (...texts: string[]): boolean =>
  nameOneContract(texts.flatMap((text, index) => paid([`202${index + 4}-03-10`], 9_900, text)));

const two = test.macro({
  exec(t, expected: boolean, ...texts: string[]) {
    for (const text of texts) t.is(named(text, text), expected, text);
  },
  title: (title) => title ?? "",
});

test(
  "lines name a contract in many languages",
  two,
  true,
  "Havnsted Motion Kundenr. 4471982",
  "HAVNSTED KUNDENNUMMER: 4471-982",
  "Havnsted KDNR 4471",
  "Havnsted Försäkringsnr 4471982",
  "HAVNSTED POLICY NO. AB-4471982",
  "Havnsted polisnr 4471982",
  "HAVNSTED VERTRAGSKONTO 4471982",
  "Havnsted klantnummer 4471982",
  "HAVNSTED CONTRAT 4471982",
  "HAVNSTED MEMBERSHIP 44719",
  "HAVNSTED MREF+4471982",
);
test(
  "other numbers name none",
  two,
  false,
  "Havnsted Motion 4471982",
  "HAVNSTED TERM: 447198",
  "Havnsted Kundenr 447",
  "HAVNSTED RECORD NO 4471982",
  "Havnsted Kundecenter 4471982",
);

test("the number returns from one payment to the next, or it is the payment's", (t) => {
  t.false(named("Havnsted Kundenr 4471982", "Havnsted Kundenr 4471983"));
  t.false(named("Havnsted Kundenr 4471982"));
  t.false(named("Havnsted Kundenr 4471982", "Havnsted Kundenr 4471982", "Havnsted"));
  t.true(named("Havnsted", "Havnsted Kundenr 4471982", "Havnsted Faktura 99 Kundenr 4471982"));
});

test("of a line of numbers alone the first is the customer's, and those behind it are what is billed", (t) => {
  const key = (line: string): string => merchantOf(null, line).key;
  t.is(key("200010338561-112500982373-112500982374-412503006677"), "200010338561");
  t.is(key("200010338561-112501778193-412505287946"), "200010338561");
  t.is(key("1234 56 78901"), "1234 56 78901", "an account's number in groups is one number");
});
