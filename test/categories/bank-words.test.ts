/** Which words of a line are a bank's, numbers, or the end of a name. */
import test from "ava";
import { isNumberLike } from "../../src/categories/bank-words.ts";

test("a word of which half is digits is a number, whichever digits; a letter and a digit are a name", (t) => {
  const isNumber = (text: string) => isNumberLike({ text, at: 0 });
  t.deepEqual(["9999", "0000", "AB99", "A99", "7"].map(isNumber), [true, true, true, true, true]);
  t.deepEqual(["ABC99", "A9", "O2", "NETTO"].map(isNumber), [false, false, false, false]);
});
