/** What the command prints: survivors to write tests for, the score by file and of the room. */
import type { Mutant } from "./mutant.ts";
import type { Outcome, Result } from "./results.ts";

export type Tally = Record<Outcome, number>;

const textWidthMax = 100;

export function tallyOf(results: Iterable<Result>): Tally {
  const tally: Tally = { killed: 0, late: 0, survived: 0, uncovered: 0 };
  for (const { outcome } of results) tally[outcome] += 1;
  return tally;
}

/** Of the mutants that a test can tell from the original, how many one does, in percent. Null where there are none. */
export function scoreOf({ killed, late, survived, uncovered }: Tally): number | null {
  const all = killed + late + survived + uncovered;
  return all === 0 ? null : (100 * (killed + late)) / all;
}

/** `file:line:col  original → mutant`, and below it the line that it stands in. */
export function describe({ file, line, column, original, replacement, lineText, indent }: Mutant): string {
  return `${file}:${line}:${column}  ${ends(original)} → ${ends(replacement) || "(nothing)"}\n    ${around(lineText, column - 1 - indent)}`;
}

/** Of a long line the part around a place. */
function around(text: string, at: number): string {
  const from = Math.max(0, Math.min(at - textWidthMax / 2, text.length - textWidthMax));
  const to = from + textWidthMax;
  return `${from > 0 ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
}

/** On one line; of a long one both ends. */
function ends(text: string): string {
  const onOneLine = text.replace(/\s+/g, " ").trim();
  return onOneLine.length <= textWidthMax
    ? onOneLine
    : `${onOneLine.slice(0, textWidthMax / 2)} … ${onOneLine.slice(-textWidthMax / 2)}`;
}
export function survivorsText(mutants: readonly Mutant[], results: ReadonlyMap<string, Result>): string {
  const of = (outcome: Outcome): Mutant[] => mutants.filter(({ id }) => results.get(id)?.outcome === outcome);
  const part = (title: string, found: readonly Mutant[]): string[] =>
    found.length === 0 ? [] : [`${title}\n`, ...found.map(describe), ""];
  return [
    ...part("Survived: no test tells these from the original", of("survived")),
    ...part("Not covered: no test runs these", of("uncovered")),
  ].join("\n");
}

/** @param judged those left out as equivalent */
export function scoreText(
  room: string,
  mutants: readonly Mutant[],
  judged: readonly Mutant[],
  results: ReadonlyMap<string, Result>,
): string {
  const row = (name: string, own: readonly Mutant[], left: number): string[] => {
    const tally = tallyOf(own.flatMap(({ id }) => results.get(id) ?? []));
    const score = scoreOf(tally);
    return [
      name,
      ...[tally.killed, tally.late, tally.survived, tally.uncovered, left].map(String),
      score === null ? "" : `${score.toFixed(1)} %`,
    ];
  };
  const files = [...new Set([...mutants, ...judged].map(({ file }) => file))].sort();
  const rows = [
    ["file", "killed", "late", "survived", "not covered", "equivalent", "score"],
    ...files.map((file) =>
      row(
        file,
        mutants.filter((one) => one.file === file),
        judged.filter((one) => one.file === file).length,
      ),
    ),
    ...(files.length === 1 ? [] : [row(room, mutants, judged.length)]),
  ];
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0))) ?? [];
  return rows
    .map((cells) =>
      cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  "),
    )
    .join("\n");
}
