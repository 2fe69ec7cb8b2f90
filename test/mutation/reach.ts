/** The tests of a room: which test files there are for it, that they pass as it stands, and what of it each runs. */
import { readFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { runTestFile } from "./ava-worker.ts";
import { type Coverage, readCoverage } from "./coverage.ts";
import { type Imports, stepsTo } from "./imports.ts";

export type TestFile = { file: string; steps: number };
/** A test file that passed; `ms` is what it took. */
export type MeasuredTest = TestFile & {
  ms: number;
  coverage: Coverage;
  titles: readonly string[];
  /** Whether it may run in one process with others. */
  isJoinable: boolean;
};

const isOfTests = (file: string): boolean => file.startsWith("test/");
/** The first run compiles everything, and writes down what it ran. */
const wholeRunMs = 300_000;

/** Those that load the room over at most so many modules, nearest first. */
export function testsNear(
  imports: Imports,
  testFiles: readonly string[],
  isOfRoom: (file: string) => boolean,
  stepsMax: number,
): TestFile[] {
  return testFiles
    .flatMap((file) => {
      const steps = stepsTo(imports, file, isOfRoom, isOfTests);
      return steps === null || steps > stepsMax ? [] : [{ file, steps }];
    })
    .sort((a, b) => a.steps - b.steps);
}

/** Whether it stands on a database. */
export function needsPostgres(imports: Imports, { file }: TestFile): boolean {
  return stepsTo(imports, file, (one) => one === "test/world.ts", isOfTests) !== null;
}

/** Hooks are for every test of a process, snapshots by its file; and who waits at the top declares tests too late. */
const alone = /^\S.*\bawait\b|\btest\.(?:before|after)|\.snapshot\(|\bprocess\.(?:chdir\(|env\.\w+ =)/m;

/** Whether it may run in one process with other test files. */
export function isJoinable(imports: Imports, test: TestFile): boolean {
  return !needsPostgres(imports, test) && !alone.test(readFileSync(test.file, "utf8"));
}

/**
 * Runs it with the room as it stands.
 * @param folder for what V8 writes
 * @throws Error where it does not pass: nothing could be told from its failing then
 */
export async function measure(
  test: TestFile,
  rooms: readonly string[],
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<Omit<MeasuredTest, "isJoinable">> {
  const counts = path.join(folder, "coverage");
  await rm(counts, { recursive: true, force: true });
  await mkdir(counts, { recursive: true });
  const urls = new Set(rooms.map((file) => pathToFileURL(path.resolve(file)).href));
  // Code out of a cache is counted by the function only.
  const run = await runTestFile(test.file, {
    limitMs: wholeRunMs,
    isWhole: true,
    environment: { ...environment, NODE_COMPILE_CACHE: undefined, NODE_V8_COVERAGE: counts },
  });
  if (run.outcome !== "passed")
    throw new Error(
      `${test.file} does not pass without any mutant: ${run.outcome === "failed" ? run.by : "it did not end"}`,
    );
  return { ...test, ms: run.ms, titles: run.titles, coverage: await readCoverage(counts, (url) => urls.has(url)) };
}
