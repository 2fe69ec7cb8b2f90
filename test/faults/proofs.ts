/**
 * What the long forms have counted, added up from the lines that their runs recorded: node test/faults/proofs.ts writes
 * docs/proofs.md. recorded/COMMIT.jsonl has the lines of runs on that commit, as `--out` writes them.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { addUp, type RoundLine, type Total } from "./results.ts";

/** A run of the fuzz suite: cases by phase that ended well, and what ended it before its end. */
export type FuzzLine = { at: string; seed: number; passed: Readonly<Record<string, number>>; violation: string | null };
export type Recorded = { commit: string; rounds: RoundLine[]; fuzzed: FuzzLine[] };

const page = path.resolve(import.meta.dirname, "../../docs/proofs.md");
const folder = path.join(import.meta.dirname, "recorded");

/** Goals by what a kind's name begins with. */
const goals: readonly { title: string; begins: string; goal: number; resume: string }[] = [
  {
    title: "kill -9 at a step",
    begins: "kill -9 at ",
    goal: 500,
    resume: 'npm run faults -- --kinds "kill -9 at" --rounds 10 --resume faults.jsonl',
  },
  {
    title: "kill -9 at random moments, and with PostgreSQL",
    begins: "kill -9 random",
    goal: 1000,
    resume: 'npm run faults -- --kinds "at random moments,with PostgreSQL" --rounds 100 --resume faults.jsonl',
  },
  {
    title: "power cuts",
    begins: "power cut",
    goal: 200,
    resume: 'npm run faults -- --kinds "power cut" --rounds 10 --resume faults.jsonl',
  },
];

export async function readRecorded(): Promise<Recorded[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  return await Promise.all(
    files.map(async (name) => {
      const text = await readFile(path.join(folder, name), "utf8");
      const lines = text.trim().split("\n");
      const all = lines.map((line) => JSON.parse(line) as RoundLine | FuzzLine);
      return {
        commit: name.replace(".jsonl", ""),
        rounds: all.filter((line) => "kind" in line),
        fuzzed: all.filter((line) => "passed" in line),
      };
    }),
  );
}

export function pageOf(recorded: readonly Recorded[]): string {
  const rounds = recorded.flatMap((one) => one.rounds);
  const fuzzed = recorded.flatMap((one) => one.fuzzed);
  return `${[
    "# What breaking it has counted",
    "",
    "Rounds of the [fault harness](../test/faults/README.md) and runs of the [fuzz suite](../test/fuzz/README.md) in their long forms, added up by",
    "`node test/faults/proofs.ts` from the lines that they recorded (`test/faults/recorded/`, a file for each commit they ran on); a test holds this",
    "page against them. A round that ended badly stays in it.",
    "",
    "| what | goal | struck so far | to go on |",
    "| --- | --- | --- | --- |",
    ...goals.map(
      ({ title, begins, goal, resume }) =>
        `| ${title} | ${goal} | ${sumOf(rounds.filter(({ kind }) => groupOf(kind) === begins))} | \`${resume}\` |`,
    ),
    `| broken batches over HTTPS | 20000 | ${batchesOf(fuzzed)} | \`npm run fuzz -- --only batches --count 2500 --out fuzz.jsonl\` |`,
    "",
    "## Faults",
    "",
    "| kind | rounds | struck | lost | doubled | foreign | wrong receipts | other failures | healed in at most | seeds | days | commit |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...recorded.flatMap((one) => addUp(one.rounds.toSorted(byKind)).map((total) => lineOf(total, one))),
    "",
    "## Fuzz",
    "",
    "| run | seed | cases by phase that ended well | ended by | commit |",
    "| --- | --- | --- | --- | --- |",
    ...recorded.flatMap(({ commit, fuzzed: runs }) =>
      runs.map(
        ({ at, seed, passed, violation }) =>
          `| ${at.slice(0, 16)}Z | ${seed} | ${casesOf(passed)} | ${violation === null ? "its end" : `\`${violation}\``} | ${commit} |`,
      ),
    ),
    "",
    "The two runs that `write EPIPE` ended found a fault of the door: it meant to let whoever is refused in the middle of a body finish or read why for two",
    "seconds, and Node closed the connection with the answer, so that a client which was still writing lost it. Since then it lingers",
    '(`test/api/routes/push-farewell.test.ts`). Steps that were "not passed within 30 s" are the harness\' own limit, on a machine with twenty times as much to',
    "do as it has cores for: nothing struck in them, and they count as other failures all the same. So do the rounds of 9f3dc8fe that healed, with nothing lost,",
    "after 138 and 148 s instead of within 120, at a load of more than 30.",
  ].join("\n")}\n`;
}

function byKind(one: RoundLine, other: RoundLine): number {
  return one.kind < other.kind ? -1 : Number(one.kind > other.kind);
}

function lineOf(total: Total, { commit, rounds }: Recorded): string {
  const own = rounds.filter(({ kind }) => kind === total.kind);
  const { kind, count, lost, doubled, foreign, receiptsWrong, failures, healedMsMax } = total;
  const healed = healedMsMax === null ? "-" : `${(healedMsMax / 1000).toFixed(1)} s`;
  const seeds = rangeOf(own.map(({ seed }) => String(seed)));
  const days = rangeOf(own.map(({ at }) => at.slice(0, 10)));
  return `| ${[kind, own.length, count, lost, doubled, foreign, receiptsWrong, failures, healed, seeds, days, commit].join(" | ")} |`;
}

function rangeOf(texts: readonly string[]): string {
  const sorted = [...new Set(texts)].sort();
  const [first = "", last = ""] = [sorted[0], sorted.at(-1)];
  return first === last ? first : `${first} to ${last}`;
}

function groupOf(kind: string): string | null {
  if (kind === "kill -9 at random moments" || kind === "kill -9 with PostgreSQL") return "kill -9 random";
  return ["kill -9 at ", "power cut"].find((begins) => kind.startsWith(begins)) ?? null;
}

function sumOf(rounds: readonly RoundLine[]): number {
  return rounds.reduce((sum, { count }) => sum + count, 0);
}

function batchesOf(runs: readonly FuzzLine[]): number {
  return runs.reduce((sum, { passed }) => sum + (passed.batches ?? 0), 0);
}

function casesOf(passed: FuzzLine["passed"]): string {
  return (
    Object.entries(passed)
      .map(([phase, cases]) => `${phase} ${cases}`)
      .join(", ") || "none"
  );
}

if (import.meta.main) await writeFile(page, pageOf(await readRecorded()));
