import test from "ava";
import { discountOf } from "./discount.ts";

test("a member has a tenth off from a hundred on, and nobody else has anything", (t) => {
  t.is(discountOf(100, true), 10);
  t.is(discountOf(99, true), 0);
  t.is(discountOf(100, false), 0);
});
