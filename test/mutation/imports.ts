/** Which test files reach a room, and over how many modules of the product: read from the imports, types left out. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "oxc-parser";

/** Which modules each loads, from the repository's root; read when asked for. */
export class Imports {
  readonly #known = new Map<string, readonly string[]>();

  of(file: string): readonly string[] {
    const known =
      this.#known.get(file) ??
      (file.endsWith(".ts") && existsSync(file) ? importsIn(file, readFileSync(file, "utf8")) : []);
    this.#known.set(file, known);
    return known;
  }
}

/** All that is loaded with a file, itself among them. */
export function loadedWith(imports: Imports, file: string): ReadonlySet<string> {
  const loaded = new Set([file]);
  for (const one of loaded) for (const next of imports.of(one)) loaded.add(next);
  return loaded;
}

/** What threads and processes are started from is loaded too: a file named by `new URL("…", import.meta.url)`. */
const besides = /new URL\(\s*["']([^"']+\.ts)["'],\s*import\.meta\.url/g;

export function importsIn(file: string, text: string): string[] {
  const { module } = parseSync(file, text);
  const named = [
    ...module.staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.filter(({ isType }) => !isType).flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
    ...[...text.matchAll(besides)].map((match) => match[1] ?? ""),
  ];
  return [
    ...new Set(
      named.filter((name) => name.startsWith(".")).map((name) => path.posix.join(path.posix.dirname(file), name)),
    ),
  ];
}

/**
 * How far a test file is from a room: how many modules are loaded on the shortest way, up to the room's own, what stands
 * beside the tests not counted. 1: it, or what it shares with other tests, imports the room. Null: it never loads it.
 */
export function stepsTo(
  imports: Imports,
  testFile: string,
  isOfRoom: (file: string) => boolean,
  isOfTests: (file: string) => boolean,
): number | null {
  const steps = new Map([[testFile, 0]]);
  const queue = [testFile];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const sofar = steps.get(file) ?? 0;
    if (isOfRoom(file)) return sofar;
    for (const next of imports.of(file)) {
      const reached = sofar + (isOfTests(next) ? 0 : 1);
      if ((steps.get(next) ?? Number.POSITIVE_INFINITY) <= reached) continue;
      steps.set(next, reached);
      // Shortest first: what costs no step is looked at before all that does.
      if (reached === sofar) queue.unshift(next);
      else queue.push(next);
    }
  }
  return null;
}
