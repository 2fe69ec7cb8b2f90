/** Recognition's results over the sample population, held against the digest that is stored for its version. */
import test from "ava";
import { digestOf, problemOf, readDigest } from "../results-digest.ts";
import { recognition } from "./sample-results.ts";

test("what recognition makes of the sample population changes only with its version", async (t) => {
  const stored = await readDigest(recognition);
  t.is(problemOf(recognition, stored!, digestOf(recognition)), null);
});
