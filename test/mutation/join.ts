/**
 * Several test files in one process: most of a small file's time goes into loading what they all load. A failure there is
 * looked at again in a process of the file's own; what passes there passes together as well.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { projectFolder } from "./ava-worker.ts";
import type { MeasuredTest } from "./reach.ts";

/** A file that takes more than so many times what the middle one does waits until the quick ones have passed. */
const slowTimes = 3;

/**
 * In which processes test files run: the likeliest alone, then the quick ones together, the slow ones, and one by one those
 * that cannot be joined.
 * @param tests likeliest first @param usualMs what a file takes as a rule
 */
export function runsOf(tests: readonly MeasuredTest[], usualMs: number): MeasuredTest[][] {
  const [first, ...others] = tests;
  if (first === undefined) return [];
  const joinable = others.filter((test) => test.isJoinable);
  return [
    [first],
    ...withOwnTitles(joinable.filter((test) => !isSlow(test, usualMs))),
    ...withOwnTitles(joinable.filter((test) => isSlow(test, usualMs))),
    ...others.filter((test) => !test.isJoinable).map((test) => [test]),
  ];
}

export function isSlow({ ms }: MeasuredTest, usualMs: number): boolean {
  return ms > slowTimes * usualMs;
}

/** AVA has no two tests of one title in a process, and by its title one tells its file. */
function withOwnTitles(tests: readonly MeasuredTest[]): MeasuredTest[][] {
  const groups: { tests: MeasuredTest[]; titles: Set<string> }[] = [];
  for (const test of tests) {
    const found = groups.find(({ titles }) => !test.titles.some((title) => titles.has(title)));
    const group = found ?? { tests: [], titles: new Set<string>() };
    if (found === undefined) groups.push(group);
    group.tests.push(test);
    for (const title of test.titles) group.titles.add(title);
  }
  return groups.map((group) => group.tests);
}

export function usualMsOf(tests: readonly MeasuredTest[]): number {
  return tests.map(({ ms }) => ms).toSorted((a, b) => a - b)[tests.length >> 1] ?? 0;
}

/** @param folder where a file is written that loads them all @returns that file */
export async function joined(tests: readonly MeasuredTest[], folder: string): Promise<string> {
  const file = path.join(folder, "joined.mjs");
  const lines = tests.map(
    (test) => `import ${JSON.stringify(pathToFileURL(path.resolve(projectFolder, test.file)).href)};\n`,
  );
  await writeFile(file, lines.join(""));
  return file;
}
