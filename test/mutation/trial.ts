/** Tries one mutant: the test files that run its place, one after the other, until one tells it from the original. */
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { dropDatabasesOf } from "../world.ts";
import { moduleAt, runTestFile } from "./ava-worker.ts";
import { type Mutant, mutated } from "./mutant.ts";
import type { MeasuredTest } from "./reach.ts";
import type { Result } from "./results.ts";

/** Past this many times what it takes without a mutant, and some seconds, a test file is said not to end. */
const limitTimes = 5;
const limitMoreMs = 5000;

/** What trials that go on beside each other do not share. */
export type Lane = { folder: string; environment: NodeJS.ProcessEnv; clean(): Promise<void> };

/** @param clusterUrl null: no test needs a database */
export function openLane(
  folder: string,
  number: number,
  environment: NodeJS.ProcessEnv,
  clusterUrl: string | null,
): Lane {
  const own = path.join(folder, `lane-${number}`);
  const prefix = `mutant_${number}`;
  return {
    folder: own,
    environment: {
      ...environment,
      TMPDIR: own,
      NODE_COMPILE_CACHE: path.join(folder, "compiled"),
      TIDELINE_TEST_DATABASES: prefix,
    },
    // A test file that is ended midway leaves its databases and files.
    clean: async () => {
      await rm(own, { recursive: true, force: true });
      await mkdir(own, { recursive: true });
      if (clusterUrl !== null) await dropDatabasesOf(clusterUrl, prefix);
    },
  };
}

/** @param text of the mutant's module, as it stands @returns null: stopped before anything was known */
export async function attempt(
  mutant: Mutant,
  text: string,
  tests: readonly MeasuredTest[],
  lane: Lane,
  stopped: AbortSignal,
): Promise<Result | null> {
  if (tests.length === 0) return { id: mutant.id, outcome: "uncovered", ms: 0 };
  const changed = moduleAt(mutant.file, mutated(text, mutant));
  let ms = 0;
  for (const test of tests) {
    const run = await runTestFile(test.file, {
      mutant: changed,
      limitMs: test.ms * limitTimes + limitMoreMs,
      environment: lane.environment,
      stopped,
    });
    ms += run.ms;
    if (run.outcome === "passed") continue;
    await lane.clean();
    if (stopped.aborted) return null;
    return run.outcome === "late"
      ? { id: mutant.id, outcome: "late", by: test.file, ms }
      : { id: mutant.id, outcome: "killed", by: `${test.file}: ${run.by}`, ms };
  }
  return { id: mutant.id, outcome: "survived", ms };
}
