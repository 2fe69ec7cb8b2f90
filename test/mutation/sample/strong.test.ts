/** A test of the sample module that holds each of its decisions, for the mutation command's own tests. */
import test from "ava";
import { hasDiscount } from "./discount.ts";

test("a member has a discount from a hundred on, and nobody else has one", (t) => {
  t.true(hasDiscount(100, true));
  t.false(hasDiscount(99, true));
  t.false(hasDiscount(100, false));
});
