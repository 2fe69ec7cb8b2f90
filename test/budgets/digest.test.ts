/**
 * Snapshots and budgets of the sample population, held against the digest that is stored for the version of the rules.
 */
import test from "ava";
import { digestOf, problemOf, readDigest } from "../results-digest.ts";
import { budgets } from "./sample-results.ts";

test("what budgets make of the sample population changes only with the version of their rules", async (t) => {
  const stored = await readDigest(budgets);
  t.is(problemOf(budgets, stored!, digestOf(budgets)), null);
});
