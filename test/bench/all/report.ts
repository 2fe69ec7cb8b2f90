/** docs/performance.md, written from what the benchmarks said. */
import { cpus, totalmem } from "node:os";
import { drawPlot } from "../plot.ts";
import { type Judged, judge, type Line, lines } from "./lines.ts";
import { drawings, plotOf } from "./plots.ts";

export type Said = {
  name: string;
  /** As typed. */ command: string;
  /** What it printed; null: it failed. */ text: string | null;
  /** YYYY-MM-DD. */ day: string;
  /** How many processes wanted a processor in the minute before it. */ load: number;
  seconds: number;
  /** Absent: its processor time was not sampled. */
  sampled?: Sampled;
};

/** command: of the benchmark that was sampled. text: a line a kind of thread. */
export type Sampled = { command: string; text: string };

/** text: of the page. drawings: SVG by the name of the file, in the folder that the page calls `performance`. */
export type Report = { text: string; drawings: ReadonlyMap<string, string> };

export function report(sections: readonly Said[], sizes: string): Report {
  const said = new Map(sections.flatMap(({ name, text }) => (text === null ? [] : [[name, text] as const])));
  const judged = lines.map((line) => judge(line, said));
  const drawn = drawings.flatMap((drawing) => {
    const plot = plotOf(drawing, said);
    return plot === null ? [] : [{ ...drawing, plot }];
  });
  const text = [
    "# Performance",
    "",
    "<!-- Written by `npm run bench -- all --report`; what is not a figure stands in test/bench/all/. -->",
    "",
    "What was measured, beside its goal. Floors are measured in the same run as what they are compared with; a ratio says more than a",
    `rate, and a rate on a machine that does other work besides says little: each section names the load before it. Machine: ${machine()}.`,
    "",
    `Command: \`npm run bench -- all --report --sizes ${sizes}\`, ${daysOf(sections)}. ${sizes === "short" ? "Short sizes and few rounds; `--sizes full` takes hours." : "Full sizes."}`,
    "",
    "| what | measured | goal | measured ÷ goal | reached |",
    "| --- | --- | --- | --- | --- |",
    ...judged.map(row),
    "",
    ...summary(judged),
    ...(drawn.length === 0 ? [] : ["## Cost against size", ""]),
    ...drawn.flatMap(({ file, title, why }) => [
      `![${title}](performance/${file})`,
      "",
      ...(why === undefined ? [] : [`It bends upward: ${why}.`, ""]),
    ]),
    "## What each benchmark said",
    "",
    ...sections.flatMap(section),
  ].join("\n");
  return { text, drawings: new Map(drawn.map(({ file, plot }) => [file, drawPlot(plot)])) };
}

/** No names of hosts or folders: what anybody may know. */
function machine(): string {
  const [processor] = cpus();
  return `${cpus().length} processors (${processor?.model.replaceAll(/\s+/g, " ").trim() || process.arch}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB of memory, Node ${process.versions.node}, the PostgreSQL that comes along`;
}

function daysOf(sections: readonly Said[]): string {
  const days = [...new Set(sections.map(({ day }) => day))].toSorted();
  return days.length < 2 ? (days[0] ?? "never run") : `${days[0]} to ${days.at(-1)}`;
}

function row({ line, figures, isReached }: Judged): string {
  const told = figures === null ? "not measured" : figures.map((figure) => String(figure)).join(", ");
  const reached = figures === null ? "–" : isReached ? "yes" : "**no**";
  return `| ${line.what} | ${told} | ${goalsOf(line)} | ${figures === null ? "–" : ratios(line, figures)} | ${reached} |`;
}

function ratios({ goals }: Line, figures: readonly number[]): string {
  return goals
    .map((goal, n) => ((figures[n] ?? Number.NaN) / ("least" in goal ? goal.least : goal.most)).toFixed(2))
    .join(", ");
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
  if (open.length === 0) return [counted, ""];
  return [`${counted} Not reached, and below them why:`, "", ...reasons(open)];
}

/** What several lines have in common is told once, below all of them. */
function reasons(open: readonly Judged[]): string[] {
  return [...Map.groupBy(open, ({ line }) => line.why)].flatMap(([why, group]) => [
    ...group.map(({ line }) => `- ${line.what}`),
    "",
    ...(why === undefined ? [] : [sentencesOf(why), ""]),
  ]);
}

function sentencesOf(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}

function section({ name, command, text, day, load, seconds, sampled }: Said): string[] {
  const body = text === null ? ["It failed."] : fenced(text);
  if (sampled !== undefined)
    body.push(
      "",
      `Where the processor time of \`${sampled.command}\` goes, by who had it in hand:`,
      "",
      ...fenced(sampled.text),
    );
  return [
    `### ${name}`,
    "",
    `\`${command}\`, ${day}, ${seconds} s, load ${load.toFixed(1)} when it began`,
    "",
    ...body,
    "",
  ];
}

function fenced(text: string): string[] {
  return ["```text sketch", text.trimEnd().replaceAll("```", "'''"), "```"];
}
