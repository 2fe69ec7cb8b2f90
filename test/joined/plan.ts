/**
 * Which test files run in one process. Of what a small file takes, most goes into starting Node and AVA and into loading
 * what all load: 24 files took 35 s of the processors alone and 8 together.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { Imports } from "../mutation/imports.ts";

/** Test files by process, the likely longest first; the first of a process is the one that AVA is told. */
export type Plan = readonly (readonly string[])[];

/** What a file does to all of its process, or measures of it. */
const alone =
  /\btest\.(?:serial\.)?(?:beforeEach|afterEach|meta)\b|\.snapshot\(|\bprocess\.(?:chdir\(|env = |env\.\w+ = |env\[\w+\] = |on\(|once\(|exit|memoryUsage|cpuUsage|umask\()|\(process\.env,|\bdelete process\.env|\bglobalThis\.\w+ = |\bmock\.\w+\(/;
/** Processes of so many take some ten seconds, or half a minute with a database each, so that two end at much the same time. */
const filesMax = { plain: 24, withDatabase: 8 };

/** @param files from the repository's root */
export function planOf(files: readonly string[]): Plan {
  const imports = new Imports();
  const own: string[] = [];
  const plain: string[] = [];
  const withDatabase: string[] = [];
  for (const file of files.toSorted()) {
    const loaded = testsLoadedWith(imports, file);
    if (loaded.some((one) => alone.test(readFileSync(one, "utf8")))) own.push(file);
    else if (loaded.includes("test/world.ts")) withDatabase.push(file);
    else plain.push(file);
  }
  return [
    ...own.map((file) => [file]),
    ...inRuns(withDatabase, filesMax.withDatabase),
    ...inRuns(plain, filesMax.plain),
  ];
}

export function allTestFiles(): string[] {
  return globSync("test/**/*.test.ts").map((file) => file.replaceAll("\\", "/"));
}

/** The file itself and what it loads of the tests: of the product, nothing does anything to its process when loaded. */
function testsLoadedWith(imports: Imports, file: string): string[] {
  const loaded = new Set([file]);
  for (const one of loaded)
    for (const next of imports.of(one)) if (next.startsWith("test/") && next.endsWith(".ts")) loaded.add(next);
  return [...loaded].filter((one) => existsSync(one));
}

/** Neighbours, which load much the same. */
function inRuns(files: readonly string[], filesMax: number): string[][] {
  const count = Math.ceil(files.length / filesMax);
  return Array.from({ length: count }, (_, at) =>
    files.slice(Math.floor((at * files.length) / count), Math.floor(((at + 1) * files.length) / count)),
  );
}
