/** The results file: one line a round, appended when the round is over, so that figures of several runs add up. */
import { appendFile, readFile } from "node:fs/promises";

export type RoundResult = {
  kind: string;
  /** Faults that struck. */
  count: number;
  lost: number;
  doubled: number;
  foreign: number;
  receiptsWrong: number;
  /** From the last strike until everything sent was loaded and told of; null where nothing had to heal. */
  healedMs: number | null;
  /** Anything else that should not have been. */
  failures: string[];
  /** Why the kind could not be tried here. */
  skipped?: string;
};

export type RoundLine = RoundResult & { at: string; seed: number; examples: string[] };

export async function appendRound(file: string, line: RoundLine): Promise<void> {
  await appendFile(file, `${JSON.stringify(line)}\n`);
}

/** Lines of an earlier run; a file that is not there has none, and a last line that was cut counts as not written. */
export async function readRounds(file: string): Promise<RoundLine[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as RoundLine];
    } catch {
      return [];
    }
  });
}

export type Total = Omit<RoundResult, "failures" | "skipped" | "healedMs"> & {
  healedMsMax: number | null;
  failures: number;
  skipped: string | null;
};

/** One total a kind, in the order in which they first came. */
export function addUp(rounds: readonly RoundResult[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { kind, count, lost, doubled, foreign, receiptsWrong, healedMs, failures, skipped } of rounds) {
    const total = totals.get(kind) ?? {
      kind,
      count: 0,
      lost: 0,
      doubled: 0,
      foreign: 0,
      receiptsWrong: 0,
      healedMsMax: null,
      failures: 0,
      skipped: null,
    };
    total.count += count;
    total.lost += lost;
    total.doubled += doubled;
    total.foreign += foreign;
    total.receiptsWrong += receiptsWrong;
    total.failures += failures.length;
    if (healedMs !== null) total.healedMsMax = Math.max(total.healedMsMax ?? 0, healedMs);
    total.skipped = total.count > 0 ? null : (skipped ?? total.skipped);
    totals.set(kind, total);
  }
  return [...totals.values()];
}

export function isClean({ lost, doubled, foreign, receiptsWrong, failures }: Total): boolean {
  return lost + doubled + foreign + receiptsWrong + failures === 0;
}

const headings = [
  "fault",
  "count",
  "lost",
  "doubled",
  "foreign",
  "wrong receipts",
  "other failures",
  "healed in (max)",
];

/** The table for people. */
export function tableOf(totals: readonly Total[]): string {
  const sum = (of: "count" | "lost" | "doubled" | "foreign" | "receiptsWrong" | "failures") =>
    totals.reduce((all, one) => all + one[of], 0);
  const rows = totals.map((one) => [
    one.kind,
    one.skipped === null ? String(one.count) : `SKIPPED: ${one.skipped}`,
    String(one.lost),
    String(one.doubled),
    String(one.foreign),
    String(one.receiptsWrong),
    String(one.failures),
    describeMs(one.healedMsMax),
  ]);
  rows.push([
    "all",
    String(sum("count")),
    String(sum("lost")),
    String(sum("doubled")),
    String(sum("foreign")),
    String(sum("receiptsWrong")),
    String(sum("failures")),
    "",
  ]);
  const widths = headings.map((heading, column) =>
    Math.max(
      heading.length,
      ...rows.map((row) => (row[column]?.startsWith("SKIPPED") ? 0 : (row[column]?.length ?? 0))),
    ),
  );
  return [headings, widths.map((width) => "-".repeat(width)), ...rows]
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function describeMs(ms: number | null): string {
  return ms === null ? "-" : `${(ms / 1000).toFixed(1)} s`;
}
