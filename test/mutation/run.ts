/**
 * The mutation command: npm run mutate -- ROOM [--seed N] [--sample N] [--jobs N] [--resume] [--survivors] [--file F]
 * [--steps N] [--tests GLOB]… [--quick] [--out FILE] [--list]. ROOM is a folder of modules, or one module. How it works, and how to
 * judge a survivor, stands in README.md beside this file. Ends with 1 when the room's tests fail as they stand, or with --min
 * when the score is below it.
 */
import { existsSync } from "node:fs";
import { glob, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { ThrowAway } from "../throw-away.ts";
import { projectFolder } from "./ava-worker.ts";
import { equivalents } from "./equivalent.ts";
import { Imports } from "./imports.ts";
import { judge } from "./judged.ts";
import { type Mutant, mutantsOf } from "./mutant.ts";
import { TestOrder } from "./order.ts";
import { Progress } from "./progress.ts";
import { isSlow, runsOf, usualMsOf } from "./join.ts";
import { MeasuredFile } from "./measured.ts";
import { isJoinable, measure, type MeasuredTest, needsPostgres, type TestFile, testsNear } from "./reach.ts";
import { describe, scoreOf, scoreText, survivorsText, tallyOf } from "./report.ts";
import { type Result, ResultFile } from "./results.ts";
import { sampleOf } from "./sample.ts";
import { attempt, faultOfJoined, type Lane, openLane } from "./trial.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    sample: { type: "string", default: "300" },
    jobs: { type: "string", default: String(availableParallelism()) },
    steps: { type: "string", default: "1" },
    min: { type: "string", default: "0" },
    file: { type: "string" },
    tests: { type: "string", multiple: true },
    out: { type: "string" },
    resume: { type: "boolean", default: false },
    survivors: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
process.chdir(projectFolder);
const room = path.normalize(positionals[0] ?? "").replace(/\/$/, "");
const seed = Number(values.seed);
const stopped = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopped.abort());

const texts = await readRoom();
const all = [...texts].flatMap(([file, text]) => mutantsOf(file, text));
// One of a file that is gone is nobody's, and told in every room.
const isOfRoom = (file: string): boolean => file === room || file.startsWith(`${room}/`) || !existsSync(file);
const judged = judge(equivalents, all, isOfRoom);
const { taken, left } = sampleOf(all, Number(values.sample), seed, judged.isEquivalent);
console.log(
  `${room}: ${all.length} mutants in ${texts.size} files, ${taken.length} in the sample of seed ${seed}, ${left.length} judged equivalent`,
);
for (const about of judged.gone) console.log(`judged equivalent, but gone: ${about}`);
if (values.list) for (const mutant of taken) console.log(describe(mutant));
else await run();

async function readRoom(): Promise<Map<string, string>> {
  const isFolder = room !== "." && (await stat(room).catch(() => null))?.isDirectory();
  const found = isFolder ? await Array.fromAsync(glob(`${room}/**/*.ts`)) : [room];
  const files = found
    .filter((file) => !file.endsWith(".test.ts") && (values.file === undefined || file.endsWith(values.file)))
    .sort();
  if (files.length === 0)
    throw new Error(`No modules in ${room}${values.file === undefined ? "" : ` named ${values.file}`}`);
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")] as const)));
}

async function run(): Promise<void> {
  const outPath = values.out ?? path.join(".mutation", `${room.replaceAll("/", "-")}.jsonl`);
  const out = new ResultFile(outPath);
  const results = values.resume || values.survivors ? await out.read() : new Map<string, Result>();
  if (values.survivors)
    for (const { id, outcome } of results.values())
      if (outcome === "survived" || outcome === "uncovered") results.delete(id);
  await out.begin(results.values());
  const waiting = taken.filter(({ id }) => !results.has(id));
  if (waiting.length > 0) await tryAll(waiting, results, out, `${outPath}.measured`);
  console.log(`\n${survivorsText(taken, results)}\n${scoreText(room, taken, left, results)}`);
  const missing = taken.filter(({ id }) => !results.has(id)).length;
  if (missing > 0) console.log(`\nBroken off: ${missing} mutants wait. Go on with --resume.`);
  const score = scoreOf(tallyOf(taken.flatMap(({ id }) => results.get(id) ?? [])));
  if (missing > 0 || (score ?? 0) < Number(values.min)) process.exitCode = 1;
}

async function tryAll(
  waiting: readonly Mutant[],
  results: Map<string, Result>,
  out: ResultFile,
  measuredPath: string,
): Promise<void> {
  const imports = new Imports();
  const chosen = await chooseTests(imports);
  const postgres = chosen.some((test) => needsPostgres(imports, test)) ? await openPostgres() : null;
  const folder = postgres?.folder ?? (await mkdtemp(path.join(tmpdir(), "tideline-mutation-")));
  try {
    const environment = { ...process.env, ...postgres?.environment };
    const lanes = Array.from({ length: Math.max(1, Number(values.jobs)) }, (_, number) =>
      openLane(folder, number, environment, postgres?.url ?? null),
    );
    for (const lane of lanes) await mkdir(lane.folder, { recursive: true });
    const known = await MeasuredFile.open(measuredPath, imports, [...texts.keys()]);
    const tests: MeasuredTest[] = [];
    await inLanes(lanes, chosen, async (test, lane) => {
      const measured = known.of(test) ?? (await measure(test, [...texts.keys()], lane.folder, lane.environment));
      known.add(measured);
      tests.push({ ...measured, isJoinable: isJoinable(imports, test) });
    });
    await known.write();
    const usualMs = usualMsOf(tests);
    const used = values.quick ? tests.filter((test) => !isSlow(test, usualMs)) : tests;
    console.log(
      `${tests.length} test files pass as the room stands, ${used.length} are used: ${used.map(({ file, ms }) => `${file} ${(ms / 1000).toFixed(1)} s`).join(", ")}`,
    );
    await inLanes(lanes, runsOf(used, usualMs), async (own, lane) => {
      const fault = own.length > 1 && !stopped.signal.aborted ? await faultOfJoined(own, lane) : null;
      if (fault === null) return;
      console.log(`${own.length} test files do not pass in one process, and run one by one: ${fault}`);
      for (const test of own) test.isJoinable = false;
    });
    const order = new TestOrder(used);
    const progress = new Progress(waiting.length);
    await inLanes(lanes, waiting, async (mutant, lane) => {
      const result = await attempt(texts.get(mutant.file) ?? "", { mutant, order, lane, stopped: stopped.signal });
      if (result === null) return;
      results.set(mutant.id, result);
      await out.add(result);
      progress.add(result);
    });
    progress.end();
  } finally {
    await postgres?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Loaded only where it is needed: with it comes half of the product. */
async function openPostgres(): Promise<ThrowAway> {
  const { openThrowAway } = await import("../throw-away.ts");
  return openThrowAway();
}

async function chooseTests(imports: Imports): Promise<TestFile[]> {
  const patterns = values.tests ?? ["test/**/*.test.ts"];
  const files = (await Array.fromAsync(glob(patterns))).sort();
  const stepsMax = values.tests ? Number.POSITIVE_INFINITY : Number(values.steps);
  const near = testsNear(imports, files, (file) => texts.has(file), stepsMax).filter(
    (test) => !values.quick || !needsPostgres(imports, test),
  );
  if (near.length === 0) console.log(`No test file reaches ${room} in ${values.steps} steps.`);
  return near;
}

async function inLanes<Item>(
  lanes: readonly Lane[],
  items: readonly Item[],
  work: (item: Item, lane: Lane) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let item = queue.shift(); item !== undefined && !stopped.signal.aborted; item = queue.shift())
        await work(item, lane);
    }),
  );
}
