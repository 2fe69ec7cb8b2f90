/**
 * What a test file runs of a module: V8's own counts, block by block, from every process and thread that the test
 * started.
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

type Range = { startOffset: number; endOffset: number; count: number };
type Script = { url: string; functions: readonly { ranges: readonly Range[] }[] };

/** By the module's address: for each process or thread that loaded it, all its ranges. */
export type Coverage = ReadonlyMap<string, readonly (readonly Range[])[]>;

/** @param folder where NODE_V8_COVERAGE had its files written @param isWanted by a module's address */
export async function readCoverage(folder: string, isWanted: (url: string) => boolean): Promise<Coverage> {
  const coverage = new Map<string, (readonly Range[])[]>();
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const { result } = JSON.parse(await readFile(path.join(folder, name), "utf8")) as { result: readonly Script[] };
    for (const { url, functions } of result) {
      if (!isWanted(url)) continue;
      const ranges = functions.flatMap((one) => one.ranges);
      coverage.set(url, [...(coverage.get(url) ?? []), ranges]);
    }
  }
  return coverage;
}

/** Whether what stands at `offset` ran: the innermost range around it says. */
export function isCovered(coverage: Coverage, file: string, offset: number): boolean {
  const loads = coverage.get(pathToFileURL(path.resolve(file)).href) ?? [];
  return loads.some((ranges) => (innermost(ranges, offset)?.count ?? 0) > 0);
}

function innermost(ranges: readonly Range[], offset: number): Range | undefined {
  let found: Range | undefined;
  for (const range of ranges) {
    if (range.startOffset > offset || range.endOffset <= offset) continue;
    if (!found || range.endOffset - range.startOffset <= found.endOffset - found.startOffset) found = range;
  }
  return found;
}
