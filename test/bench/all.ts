/**
 * Every benchmark, one after the other, and one table of what they say beside its goals.
 *
 *   npm run bench -- all [--sizes short|full] [--only NAME,…] [--again] [--within MINUTES] [--profiles] [--report]
 *
 * Each is a process with a PostgreSQL of its own. What it prints is kept, so that a run that was interrupted goes on with
 * the next one; --again measures what was measured already. --within begins none after so many minutes: those that hold
 * lines of the table come first, and together take some twenty of a machine of two processors that does nothing else.
 * --profiles runs some of them once more, where their processor time is sampled: all/profiles.ts.
 * --report writes docs/performance.md and its drawings. Whatever lies in test/bench takes part; the table's lines and
 * where each finds its figures: all/lines.ts. Exit code 1: one failed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { judge, lines } from "./all/lines.ts";
import { profile } from "./all/profiles.ts";
import { report, type Report, type Said, type Sampled } from "./all/report.ts";

const here = import.meta.dirname;
const outputFolder = process.env.TIDELINE_BENCH_OUTPUT ?? path.join(here, "output");
const docsFolder = process.env.TIDELINE_BENCH_REPORT ?? path.join(here, "../../docs");

/** What stands behind a benchmark's name; of one that is not named: --short, or nothing. */
const options: Readonly<Record<string, Readonly<Record<Sizes, readonly string[]>>>> = {
  // A file of 1 GiB is a line of the table.
  sftp: { short: ["--disk", "--memory", "--rounds", "3"], full: ["--disk", "--memory"] },
  // Files of some seconds, or shares say nothing: they come in turns of a second.
  partners: { short: ["--records", "1000000", "--rounds", "1"], full: [] },
  export: { short: ["--rows", "300000"], full: ["--long"] },
  // A million rows and 200,000 are lines of the table.
  ingest: { short: ["--sizes", "20000,200000,1000000", "--formats", "jwe,jsonl"], full: ["--long"] },
  recognition: { short: [], full: ["--long"] },
  release: { short: ["--rows", "1000000"], full: ["--rows", "1000000"] },
  growth: { short: [], full: ["--long"] },
  feed: { short: ["--rows", "50000", "--rounds", "1"], full: [] },
  console: {
    short: ["--deliveries", "100000", "--pages", "10", "--rounds", "1"],
    full: ["--transactions", "10000000"],
  },
  "small-files": { short: ["3000"], full: [] },
  // The full form takes half an hour and 24 GB of disk.
  resident: { short: ["--rows", "400000", "--beside", "40000"], full: [] },
};

/** What is sampled, at sizes at which its threads do what is asked about and little else. */
const profiled: Readonly<Record<string, readonly string[]>> = {
  ingest: ["--sizes", "200000", "--formats", "jwe"],
  push: ["--short"],
  read: ["--short"],
  recognition: ["100", "1600"],
  release: [],
  "small-files": ["1500"],
};

type Sizes = "short" | "full";

export async function bench(_clusterUrl: string, _folder: string, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: "string", default: "short" },
      only: { type: "string" },
      again: { type: "boolean", default: false },
      within: { type: "string", default: "Infinity" },
      profiles: { type: "boolean", default: false },
      report: { type: "boolean", default: false },
    },
  });
  const { sizes } = values;
  if (sizes !== "short" && sizes !== "full") throw new Error("--sizes is short or full");
  const folder = path.join(outputFolder, sizes);
  await mkdir(folder, { recursive: true });
  const names = await benchmarks();
  const wanted = values.only?.split(",") ?? names;
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new Error(`no benchmark is called ${missing.join(", ")}; there are ${names.join(", ")}`);
  const endsAtMs = performance.now() + minutes(values.within) * 60_000;
  for (const name of linesFirst(wanted)) {
    if (!values.again && (await readSaid(folder, name))?.text) console.log(`${name}: measured already`);
    else if (performance.now() > endsAtMs) console.log(`${name}: not begun, ${values.within} minutes are over`);
    else await measure(folder, name, sizes);
  }
  if (values.profiles)
    for (const [name, ownArgs] of Object.entries(profiled)) {
      const isDone = !values.again && (await readProfile(folder, name)) !== null;
      if (wanted.includes(name) && !isDone && performance.now() < endsAtMs) await sample(folder, name, ownArgs);
    }
  const all = await Promise.all(names.map((name) => readSaid(folder, name)));
  const sections = all.filter((said) => said !== null);
  tell(sections);
  if (values.report) await writeReport(report(sections, sizes));
  if (sections.some(({ text }) => text === null)) process.exitCode = 1;
}

function minutes(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error("--within is a number of minutes");
  return value;
}

function linesFirst(names: readonly string[]): string[] {
  const holdsLine = (name: string) => lines.some((line) => line.of === name);
  return [...names.filter(holdsLine), ...names.filter((name) => !holdsLine(name))];
}

async function writeReport({ text, drawings }: Report): Promise<void> {
  const folder = path.join(docsFolder, "performance");
  await rm(folder, { recursive: true, force: true });
  if (drawings.size > 0) await mkdir(folder, { recursive: true });
  for (const [file, svg] of drawings) await writeFile(path.join(folder, file), `${svg}\n`);
  await writeFile(path.join(docsFolder, "performance.md"), text);
}

/** Files of this folder that hold one, by name. */
async function benchmarks(): Promise<string[]> {
  const names: string[] = [];
  for (const file of (await readdir(here)).toSorted()) {
    if (!file.endsWith(".ts") || file === path.basename(import.meta.filename)) continue;
    if ((await readFile(path.join(here, file), "utf8")).includes("export async function bench("))
      names.push(path.basename(file, ".ts"));
  }
  return names;
}

async function measure(folder: string, name: string, sizes: Sizes): Promise<void> {
  const args = options[name]?.[sizes] ?? (sizes === "short" ? ["--short"] : []);
  console.log(`${name} ${args.join(" ")}`);
  const [startedAt, load] = [performance.now(), loadavg()[0] ?? Number.NaN];
  const child = spawn(process.execPath, [path.join(here, "run.ts"), name, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (piece: Buffer) => {
    text += piece.toString();
    process.stdout.write(piece);
  });
  const [code] = (await once(child, "close")) as [number | null];
  // Where a plot was drawn is this machine's business, and how far it was nobody's any more.
  const told = text.replaceAll(/^(plot: .*|\w[\w ]* \d+ of \d+ in [\d.]+ s)\n/gm, "");
  const said: Said = {
    name,
    command: ["npm run bench --", name, ...args].join(" "),
    text: code === 0 ? told : null,
    day: new Date().toISOString().slice(0, 10),
    load,
    seconds: Math.round((performance.now() - startedAt) / 1000),
  };
  await writeFile(path.join(folder, `${name}.json`), JSON.stringify(said));
}

async function sample(folder: string, name: string, args: readonly string[]): Promise<void> {
  console.log(`${name}, sampled`);
  const profileText = await profile(name, args);
  if (profileText === null) return;
  console.log(profileText);
  const command = ["npm run bench --", name, ...args].join(" ");
  await writeFile(profileFile(folder, name), JSON.stringify({ command, text: profileText } satisfies Sampled));
}

function profileFile(folder: string, name: string): string {
  return path.join(folder, `${name}.profile.json`);
}

async function readProfile(folder: string, name: string): Promise<Sampled | null> {
  const text = await readFile(profileFile(folder, name), "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as Sampled);
}

async function readSaid(folder: string, name: string): Promise<Said | null> {
  const text = await readFile(path.join(folder, `${name}.json`), "utf8").catch(() => null);
  if (text === null) return null;
  const sampled = await readProfile(folder, name);
  return { ...(JSON.parse(text) as Said), ...(sampled === null ? {} : { sampled }) };
}

function tell(sections: readonly Said[]): void {
  const said = new Map(sections.flatMap(({ name, text }) => (text === null ? [] : [[name, text] as const])));
  for (const line of lines) {
    const { figures, isReached } = judge(line, said);
    const state = figures === null ? "not measured" : isReached ? "reached" : "NOT REACHED";
    console.log(`${state.padEnd(13)} ${line.what}: ${figures?.join(", ") ?? "–"}`);
  }
}
