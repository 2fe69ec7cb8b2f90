import test from "ava";
import { discountOf } from "./discount.ts";

test("a member has something off a large amount", (t) => {
  t.true(discountOf(1000, true) > 0);
});
