/** A sample that follows from its seed: spread over the files by how many mutants each has. */
import { createHash } from "node:crypto";
import type { Mutant } from "./mutant.ts";

/**
 * Within a file mutants are ranked by the seed and their own content, so that a change in one place hardly changes the
 * sample.
 * @param judged left out, whoever comes next in rank takes their place
 * @returns in the order of files and lines
 */
export function sampleOf(
  mutants: readonly Mutant[],
  count: number,
  seed: number,
  judged: (mutant: Mutant) => boolean = () => false,
): { taken: Mutant[]; left: Mutant[] } {
  const byFile = Map.groupBy(mutants, ({ file }) => file);
  const shares = sharesOf(
    new Map([...byFile].map(([file, own]) => [file, own.filter((one) => !judged(one)).length])),
    count,
  );
  const taken = new Set<Mutant>();
  const left = new Set<Mutant>();
  for (const [file, own] of byFile) {
    const share = shares.get(file) ?? 0;
    let found = 0;
    for (const mutant of ranked(own, seed)) {
      if (found === share) break;
      if (judged(mutant)) left.add(mutant);
      else {
        taken.add(mutant);
        found += 1;
      }
    }
  }
  return { taken: mutants.filter((one) => taken.has(one)), left: mutants.filter((one) => left.has(one)) };
}

function ranked(mutants: readonly Mutant[], seed: number): Mutant[] {
  const rank = (id: string): string => createHash("sha256").update(`${seed} ${id}`).digest("hex");
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant.id) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ mutant }) => mutant);
}

/** By largest remainders: whole numbers that add up to `count`, or to all there are. */
function sharesOf(sizes: ReadonlyMap<string, number>, count: number): Map<string, number> {
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (total <= count) return new Map(sizes);
  const exact = [...sizes].map(([file, size]) => ({ file, share: (size * count) / total }));
  const shares = new Map(exact.map(({ file, share }) => [file, Math.floor(share)]));
  let missing = count - [...shares.values()].reduce((sum, share) => sum + share, 0);
  for (const { file, share } of exact.toSorted((a, b) => (b.share % 1) - (a.share % 1) || (a.file < b.file ? -1 : 1))) {
    if (missing === 0) break;
    shares.set(file, Math.floor(share) + 1);
    missing -= 1;
  }
  return shares;
}
