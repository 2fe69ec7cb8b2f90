/** Tries one mutant: the test files that run its place, until one tells it from the original. */
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { moduleAt, type MutatedModule, type Run, runTestFile } from "./ava-worker.ts";
import { type Mutant, mutated } from "./mutant.ts";
import type { TestOrder } from "./order.ts";
import { joined, runsOf } from "./join.ts";
import type { MeasuredTest } from "./reach.ts";
import type { Result } from "./results.ts";

/** Past so many times what it takes without a mutant, and some more, a test file is said not to end. */
export type Patience = { times: number; moreMs: number };
export const usualPatience: Patience = { times: 5, moreMs: 5000 };
/** Without a mutant every test file ends. */
const plainMs = 300_000;

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
      if (clusterUrl === null) return;
      // With it comes half of the product, which takes longer to load than a small room's tests to run.
      const { dropDatabasesOf } = await import("../world.ts");
      await dropDatabasesOf(clusterUrl, prefix);
    },
  };
}

type Trial = { mutant: Mutant; order: TestOrder; lane: Lane; stopped: AbortSignal; patience?: Patience };

/** @param text of the mutant's module, as it stands @returns null: stopped before anything was known */
export async function attempt(text: string, trial: Trial): Promise<Result | null> {
  const { mutant, order, stopped } = trial;
  const { id } = mutant;
  const tests = order.of(mutant);
  if (tests.length === 0) return { id, outcome: "uncovered", ms: 0 };
  const changed = moduleAt(mutant.file, mutated(text, mutant));
  const waiting = runsOf(tests, order.usualMs);
  let ms = 0;
  for (let own = waiting.shift(); own !== undefined; own = waiting.shift()) {
    const run = await runPatiently(own, changed, trial);
    if (stopped.aborted) return null;
    ms += run.ms;
    const [test] = own;
    if (own.length > 1) {
      if (run.outcome === "passed") for (const one of own) order.note(mutant, one, false);
      // Only what a file says by itself counts.
      else waiting.unshift(...suspectedFirst(own, run).map((one) => [one]));
    } else if (test !== undefined) {
      order.note(mutant, test, run.outcome !== "passed");
      if (run.outcome === "late") return { id, outcome: "late", by: test.file, ms };
      if (run.outcome === "failed") return { id, outcome: "killed", by: `${test.file}: ${run.by}`, ms };
    }
  }
  return { id, outcome: "survived", ms };
}

function suspectedFirst(tests: readonly MeasuredTest[], run: Run): MeasuredTest[] {
  const isSuspect = ({ titles }: MeasuredTest): boolean => run.outcome === "failed" && titles.includes(run.by);
  return tests.toSorted((a, b) => Number(isSuspect(b)) - Number(isSuspect(a)));
}

/**
 * Runs joined files as the room stands, before what they say together counts.
 * @returns by what they fail; null where they pass
 */
export async function faultOfJoined(tests: readonly MeasuredTest[], lane: Lane): Promise<string | null> {
  const run = await runTestFile(await fileOf(tests, lane), { limitMs: plainMs, environment: lane.environment });
  await lane.clean();
  if (run.outcome === "passed") return null;
  return run.outcome === "failed" ? run.by : "it did not end";
}

/** What is run: a test file, or one that loads several. */
async function fileOf(tests: readonly MeasuredTest[], lane: Lane): Promise<string> {
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only.file : joined(tests, lane.folder);
}

/** A machine may have more to do than when the test file was measured: before it is said not to end, that is done anew. */
async function runPatiently(tests: readonly MeasuredTest[], mutant: MutatedModule, trial: Trial): Promise<Run> {
  const { lane, stopped, patience = usualPatience } = trial;
  const limitOf = (ms: number): number => ms * patience.times + patience.moreMs;
  const run = async (limitMs: number, changed?: MutatedModule): Promise<Run> => {
    const { environment } = lane;
    const found = await runTestFile(await fileOf(tests, lane), {
      ...(changed && { mutant: changed }),
      limitMs,
      environment,
      stopped,
    });
    if (found.outcome !== "passed") await lane.clean();
    return found;
  };
  const measuredMs = tests.reduce((sum, { ms }) => sum + ms, 0);
  const first = await run(limitOf(measuredMs), mutant);
  if (first.outcome !== "late" || stopped.aborted) return first;
  const plain = await run(plainMs);
  return limitOf(plain.ms) > limitOf(measuredMs) ? run(limitOf(plain.ms), mutant) : first;
}
