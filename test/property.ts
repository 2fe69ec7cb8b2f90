/**
 * fast-check with the same cases in every run: a suite that fails by chance is not believed. TIDELINE_TEST_SEED looks
 * for new ones, and each property is then tried TIDELINE_TEST_TIMES as often; what is found becomes a test of its own.
 */
import fc from "fast-check";

const { TIDELINE_TEST_SEED: seed = "1", TIDELINE_TEST_TIMES: times = "1" } = process.env;

fc.configureGlobal({ seed: Number(seed), numRuns: 100 * Number(times) });

/** How often a property is tried that is dearer or cheaper than the others, which are tried a hundred times. */
export const runs = (count: number): { numRuns: number } => ({ numRuns: count * Number(times) });

export default fc;
