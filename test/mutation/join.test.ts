/** Test files run together in one process where they may, and say there what they say alone. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test, { type ExecutionContext } from "ava";
import { moduleAt } from "./ava-worker.ts";
import { Imports } from "./imports.ts";
import { runsOf } from "./join.ts";
import { MeasuredFile } from "./measured.ts";
import { mutantsOf } from "./mutant.ts";
import { TestOrder } from "./order.ts";
import { isJoinable, measure, type MeasuredTest } from "./reach.ts";
import type { Result } from "./results.ts";
import { attempt, type Lane, openLane } from "./trial.ts";

const room = "test/mutation/sample/discount.ts";
const strong = "test/mutation/sample/strong.test.ts";
const weak = "test/mutation/sample/weak.test.ts";

async function openLaneFor(t: ExecutionContext): Promise<Lane> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-mutation-join-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const lane = openLane(folder, 0, process.env, null);
  await lane.clean();
  return lane;
}

const measured = (file: string, ms: number, titles = [file], joinable = true): MeasuredTest => ({
  file,
  steps: 1,
  ms,
  titles,
  coverage: new Map(),
  isJoinable: joinable,
});

test("the likeliest runs alone, quick ones together, then slow ones together, and the others one by one", (t) => {
  const tests = [
    measured("first", 5),
    measured("slow", 100),
    measured("quick", 10),
    measured("alone", 10, ["alone"], false),
    measured("slower", 200),
    measured("quicker", 5),
  ];
  t.deepEqual(
    runsOf(tests, 10).map((own) => own.map(({ file }) => file)),
    [["first"], ["quick", "quicker"], ["slow", "slower"], ["alone"]],
  );
});

test("files with a test of the same title are in two processes", (t) => {
  const tests = [measured("first", 1), measured("a", 1, ["one", "two"]), measured("b", 1, ["two"]), measured("c", 1)];
  t.deepEqual(
    runsOf(tests, 1).map((own) => own.map(({ file }) => file)),
    [["first"], ["a", "c"], ["b"]],
  );
});

/** A test file beside the sample module, of one test with this body. */
async function writeTest(lane: Lane, name: string, body: string): Promise<string> {
  const file = path.join(lane.folder, name);
  const sample = fileURLToPath(new URL("sample/discount.ts", import.meta.url));
  await writeFile(
    file,
    `import test from ${JSON.stringify(import.meta.resolve("ava"))};\nimport { hasDiscount } from ${JSON.stringify(sample)};\ntest(${JSON.stringify(name)}, (t) => { ${body} });\n`,
  );
  return file;
}

async function attemptWith(lane: Lane, files: readonly string[], change: string): Promise<Result | null> {
  const text = await readFile(room, "utf8");
  const tests: MeasuredTest[] = [];
  for (const [at, file] of files.entries()) {
    const found = await measure({ file, steps: 1 }, [room], path.join(lane.folder, "counts"), lane.environment);
    tests.push({ ...found, ms: 1000 + at, isJoinable: true });
  }
  const mutant = mutantsOf(room, text).find(({ original, replacement }) => `${original} → ${replacement}` === change)!;
  const { signal } = new AbortController();
  return attempt(text, { mutant, order: new TestOrder(tests), lane, stopped: signal });
}

test("what a file tells of a mutant it tells beside others too, and by its own name", async (t) => {
  const lane = await openLaneFor(t);
  const other = await writeTest(
    { ...lane, folder: tmpdirOf(lane) },
    "other.test.ts",
    "t.false(hasDiscount(1, false));",
  );
  const result = await attemptWith(lane, [weak, other, strong], ">= → <");
  t.like(result, { outcome: "killed" });
  t.true(result?.by?.startsWith(`${strong}: a member has a discount`), result?.by);
});

test("what fails only beside others tells nothing of a mutant", async (t) => {
  const lane = await openLaneFor(t);
  const folder = tmpdirOf(lane);
  const a = await writeTest(
    { ...lane, folder },
    "a.test.ts",
    "globalThis.isMet = true; t.false(hasDiscount(1, true));",
  );
  const b = await writeTest({ ...lane, folder }, "b.test.ts", "t.falsy(globalThis.isMet || hasDiscount(1, true));");
  t.like(await attemptWith(lane, [weak, a, b], "100 → 99"), { outcome: "survived" });
});

/** Beside the lane's own folder, which is emptied after a failure. */
const tmpdirOf = (lane: Lane): string => path.dirname(lane.folder);

test("a file that sets something up for all of its process runs by itself", async (t) => {
  const lane = await openLaneFor(t);
  const plain = await writeTest(lane, "plain.test.ts", "t.false(hasDiscount(1, false));");
  const hooked = path.join(lane.folder, "hooked.test.ts");
  await writeFile(hooked, `${await readFile(plain, "utf8")}test.before(() => undefined);\n`);
  const imports = new Imports();
  t.true(isJoinable(imports, { file: plain, steps: 1 }));
  t.false(isJoinable(imports, { file: hooked, steps: 1 }));
});

test("what was measured of a test file holds until something changes that it loads", async (t) => {
  const lane = await openLaneFor(t);
  const kept = path.join(lane.folder, "kept.json");
  const file = await writeTest(lane, "changing.test.ts", "t.false(hasDiscount(1, false));");
  const mine = {
    ...measured(file, 7, ["changing"]),
    coverage: new Map([[moduleAt(room, "").url, [[{ startOffset: 0, endOffset: 1, count: 1 }]]]]),
  };
  const first = await MeasuredFile.open(kept, new Imports(), [room]);
  t.is(first.of(mine), null);
  first.add(mine);
  await first.write();
  const again = await MeasuredFile.open(kept, new Imports(), [room]);
  t.like(again.of(mine), { file, ms: 7, titles: ["changing"], coverage: mine.coverage });
  t.is((await MeasuredFile.open(kept, new Imports(), [room, weak])).of(mine), null, "of another room");
  await writeTest(lane, "changing.test.ts", "t.true(hasDiscount(100, true));");
  t.is((await MeasuredFile.open(kept, new Imports(), [room])).of(mine), null, "the file has changed");
});
