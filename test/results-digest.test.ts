/** How a digest of an algorithm's results is made, held, and stored. */
import test from "ava";
import { type Algorithm, canonical, digestOf, problemOf, refusalOf } from "./results-digest.ts";

const algorithm = (version: string, ...results: unknown[]): Algorithm => ({
  name: "doubling",
  version,
  versionFile: "src/doubling/version.ts",
  stored: new URL("file:///nowhere/digest.json"),
  *results() {
    for (const [at, result] of results.entries()) yield { sample: at, result };
  },
});
const stored = digestOf(algorithm("doubling-9", 0, 2, 4));
const problem = (...given: Parameters<typeof algorithm>) =>
  problemOf(algorithm(...given), stored, digestOf(algorithm(...given)));
const refusal = (isNewSample: boolean, ...given: Parameters<typeof algorithm>) =>
  refusalOf(algorithm(...given), stored, digestOf(algorithm(...given)), isNewSample);

test("results are the same in whatever order their members are written, and not in another order of a list", (t) => {
  t.is(canonical({ b: [2, { d: null, c: "x" }], a: 1 }), '{"a":1,"b":[2,{"c":"x","d":null}]}');
  t.is(canonical({ a: 1, b: 2 }), canonical({ b: 2, a: 1 }));
  t.not(canonical([1, 2]), canonical([2, 1]));
});

test("the last digits of a number that is not whole do not count, all of a whole one do", (t) => {
  t.is(canonical(0.1 + 0.2), "0.3");
  t.not(canonical(1.00000000001), canonical(1));
  t.is(canonical(900_719_925_474_099), "900719925474099");
});

test("the same results of the same version are no problem, and may be stored", (t) => {
  t.is(problem("doubling-9", 0, 2, 4), null);
  t.is(refusal(false, "doubling-9", 0, 2, 4), null);
});

test("a result that changed without the version is a problem that says what to do, and is not stored", (t) => {
  const said = problem("doubling-9", 0, 2, 5);
  t.is(
    said,
    "Results of doubling over the sample population have changed, and its version is still doubling-9. Where that was " +
      "meant: raise the version in src/doubling/version.ts, then store the new digest: npm run digests",
  );
  t.is(refusal(false, "doubling-9", 0, 2, 5), said);
  t.is(refusal(true, "doubling-9", 0, 2, 5), said);
});

test("with a raised version the new digest is still to be stored, and may be", (t) => {
  const said =
    "The digest of doubling is of doubling-9, the version is doubling-10. Store the new one: npm run digests";
  t.is(problem("doubling-10", 0, 2, 5), said);
  t.is(problem("doubling-10", 0, 2, 4), said);
  t.is(refusal(false, "doubling-10", 0, 2, 5), null);
  t.is(refusal(false, "doubling-10", 0, 2, 4), null);
});

test("a lowered version is never stored", (t) => {
  t.is(refusal(true, "doubling-8", 0, 2, 4), "The version of doubling was lowered from doubling-9 to doubling-8.");
  t.regex(problem("doubling-8", 0, 2, 5) ?? "", /have changed/);
});

test("of another population nothing can be said: its digest is stored only on purpose", (t) => {
  t.regex(
    problem("doubling-9", 0, 2, 4, 6) ?? "",
    /^The sample population is another .+ npm run digests -- --new-sample$/,
  );
  t.is(refusal(false, "doubling-9", 0, 2, 4, 6), problem("doubling-9", 0, 2, 4, 6));
  t.is(refusal(true, "doubling-9", 0, 2, 4, 6), null);
});

test("the first digest may be stored", (t) => {
  t.is(refusalOf(algorithm("doubling-9", 0), null, stored, false), null);
});
