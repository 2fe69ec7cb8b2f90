/** A test of the sample module that holds little, so that mutants survive it. */
import test from "ava";
import { hasDiscount } from "./discount.ts";

test("who is no member has no discount", (t) => {
  t.false(hasDiscount(50, false));
});
