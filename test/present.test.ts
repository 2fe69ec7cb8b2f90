/** What is missing against the rules is told at once, not carried on. */
import test from "ava";
import { firstOf, itemAt, lastOf, present } from "../src/present.ts";

test("what is there is given back, zero, the empty text and false among it", (t) => {
  t.deepEqual([present(0, "a"), present("", "a"), present(false, "a")], [0, "", false]);
  t.deepEqual([firstOf([4, 5, 6]), itemAt([4, 5, 6], 1), lastOf([4, 5, 6])], [4, 5, 6]);
});

test("what is not there is an error that says what it is", (t) => {
  t.throws(() => present(null, "the user"), { message: "the user is missing" });
  t.throws(() => present(undefined, "the user"), { message: "the user is missing" });
  t.throws(() => firstOf([]), { instanceOf: RangeError, message: "no item 0 in a list of 0" });
  t.throws(() => lastOf([]), { instanceOf: RangeError, message: "no item -1 in a list of 0" });
  t.throws(() => itemAt([4], 1), { instanceOf: RangeError, message: "no item 1 in a list of 1" });
  t.throws(() => itemAt([4], Number.NaN), { instanceOf: RangeError, message: "no item NaN in a list of 1" });
});
