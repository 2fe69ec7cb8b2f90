/** Texts that are kept once for many rows come back as they are, also beyond what is kept. */
import test from "ava";
import { KnownTexts } from "../../src/ledger/known-texts.ts";

/** The text of a part of other bytes, as a row's field is. */
function ask(known: KnownTexts, text: string): string {
  const bytes = Buffer.from(text, "utf8");
  const around = Buffer.concat([Buffer.from("<"), bytes, Buffer.from(">")]);
  return known.of(around, 1, 1 + bytes.length);
}

test("every text comes back as it is, also when there are more than are kept", (t) => {
  const known = new KnownTexts();
  for (let round = 0; round < 2; round++) {
    for (let number = 0; number < 70_000; number++) {
      const text = `ORDER ${number} KØB ${"x".repeat(number % 150)}`;
      if (ask(known, text) !== text) t.fail(text);
    }
  }
  t.is(ask(known, ""), "");
});
