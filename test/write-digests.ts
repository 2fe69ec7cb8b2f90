/**
 * npm run digests [-- --new-sample]: stores the digests of what recognition and budgets make of the sample population,
 * each where its version was raised since the last. Ends with 1 where a result changed and the version was not.
 */
import { parseArgs } from "node:util";
import { budgets } from "./budgets/sample-results.ts";
import { recognition } from "./recognition/sample-results.ts";
import { digestOf, readDigest, refusalOf, writeDigest } from "./results-digest.ts";

const { values } = parseArgs({ options: { "new-sample": { type: "boolean", default: false } } });
for (const algorithm of [recognition, budgets]) {
  const [stored, now] = [await readDigest(algorithm), digestOf(algorithm)];
  const refusal = refusalOf(algorithm, stored, now, values["new-sample"]);
  if (refusal !== null) {
    console.error(refusal);
    process.exitCode = 1;
    continue;
  }
  await writeDigest(algorithm, now);
  console.log(`${algorithm.name} ${now.version}: ${now.results}`);
}
