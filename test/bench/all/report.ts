/** docs/performance.md, written from what the benchmarks said. */
import { cpus, totalmem } from "node:os";
import { type Judged, judge, type Line, lines } from "./lines.ts";

export type Said = {
  name: string;
  /** As typed. */ command: string;
  /** What it printed; null: it failed. */ text: string | null;
  /** YYYY-MM-DD. */ day: string;
};

export function report(sections: readonly Said[], sizes: string): string {
  const said = new Map(sections.flatMap(({ name, text }) => (text === null ? [] : [[name, text] as const])));
  const judged = lines.map((line) => judge(line, said));
  return [
    "# Performance",
    "",
    "<!-- Written by `npm run bench -- all --report`; what is not a figure stands in test/bench/all/. -->",
    "",
    "What was measured, beside its goal. Floors are measured in the same run as what they are compared with; a ratio says more than a",
    `rate, and a rate on a machine that does other work besides says little (each section names the load). Machine: ${machine()}.`,
    "",
    `Command: \`npm run bench -- all --report --sizes ${sizes}\`. ${sizes === "short" ? "Short sizes: files of 64 to 128 MiB, few rounds; `--sizes full` takes hours." : "Full sizes."}`,
    "",
    "| what | goal | measured | reached |",
    "| --- | --- | --- | --- |",
    ...judged.map(row),
    "",
    ...summary(judged),
    "",
    "## What each benchmark said",
    "",
    ...sections.flatMap(section),
  ].join("\n");
}

/** No names of hosts or folders: what anybody may know. */
function machine(): string {
  const [processor] = cpus();
  return `${cpus().length} processors (${processor?.model.replaceAll(/\s+/g, " ").trim() || process.arch}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB of memory, Node ${process.versions.node}, the PostgreSQL that comes along`;
}

function row({ line, figures, isReached }: Judged): string {
  const told = figures === null ? "not measured" : figures.map((figure) => String(figure)).join(", ");
  return `| ${line.what} | ${goalsOf(line)} | ${told} | ${figures === null ? "–" : isReached ? "yes" : "**no**"} |`;
}

function goalsOf({ goals }: Line): string {
  return goals
    .map((goal) => ("least" in goal ? `≥ ${goal.least} ${goal.unit}` : `≤ ${goal.most} ${goal.unit}`))
    .join(", ");
}

function summary(judged: readonly Judged[]): string[] {
  const measured = judged.filter(({ figures }) => figures !== null);
  const open = measured.filter(({ isReached }) => !isReached);
  const counted = `${measured.length - open.length} of ${judged.length} lines are reached, ${judged.length - measured.length} were not measured.`;
  if (open.length === 0) return [counted];
  return [`${counted} Not reached:`, "", ...open.map(({ line }) => `- ${line.what}`)];
}

function section({ name, command, text, day }: Said): string[] {
  const body = text === null ? ["It failed."] : ["```text", text.trimEnd().replaceAll("```", "'''"), "```"];
  return [`### ${name}`, "", `\`${command}\`, ${day}`, "", ...body, ""];
}
