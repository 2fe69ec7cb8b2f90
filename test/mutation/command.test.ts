/** The mutation command tells which mutants the tests let live, and goes on where it was broken off. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import { moduleAt, runTestFile } from "./ava-worker.ts";
import { mutantsOf, mutated } from "./mutant.ts";
import { TestOrder } from "./order.ts";
import { measure } from "./reach.ts";
import { attempt, openLane } from "./trial.ts";

const command = fileURLToPath(new URL("run.ts", import.meta.url));
const room = "test/mutation/sample/discount.ts";
const strong = "test/mutation/sample/strong.test.ts";
const weak = "test/mutation/sample/weak.test.ts";

async function openFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-mutation-test-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** What the command prints. */
async function mutate(...given: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [command, room, ...given]);
  return stdout;
}

test("a test that holds every decision of a module kills all its mutants", async (t) => {
  const out = path.join(await openFolder(t), "results.jsonl");
  const printed = await mutate("--tests", strong, "--out", out);
  t.regex(printed, /discount\.ts: 9 mutants in 1 files, 9 in the sample of seed 1, 0 judged equivalent/);
  t.regex(printed, /9\/9 in .*: 9 killed, 0 late, 0 survived, 0 not covered/);
  t.regex(printed, /100\.0 %/);
});

test("one that holds little lets them survive, and each is printed with its place", async (t) => {
  const out = path.join(await openFolder(t), "results.jsonl");
  const printed = await mutate("--tests", weak, "--out", out);
  t.regex(printed, /9\/9 in .*: 1 killed, 0 late, 3 survived, 5 not covered/);
  const line = "    return isMember && amount >= 100;";
  t.true(printed.includes(`test/mutation/sample/discount.ts:3:19  && → ||\n${line}`), printed);
  t.true(printed.includes(`test/mutation/sample/discount.ts:3:32  100 → 99\n${line}`), printed);
  t.regex(printed, /11\.1 %/);
});

test("what was found out before is kept on resuming, and only the rest is tried", async (t) => {
  const out = path.join(await openFolder(t), "results.jsonl");
  const [first, second] = mutantsOf(room, await readFile(room, "utf8")).map(({ id }) => id);
  // Two results, and a third that was being written when the process ended.
  const known = [first, second].map((id) => JSON.stringify({ id, outcome: "late", ms: 1 }));
  await writeFile(out, `${known.join("\n")}\n{"id":"[`);
  const printed = await mutate("--tests", strong, "--out", out, "--resume");
  t.regex(printed, /7\/7 in .*: 7 killed/);
  t.regex(printed, /discount\.ts +7 +2 +0 +0 +0 +100\.0 %/);
  t.is((await readFile(out, "utf8")).trimEnd().split("\n").length, 9);
});

test("after tests were written, only what survived or was not covered is tried again", async (t) => {
  const out = path.join(await openFolder(t), "results.jsonl");
  const outcomes = ["survived", "uncovered", ...Array.from({ length: 7 }, () => "killed")];
  const known = mutantsOf(room, await readFile(room, "utf8")).map(({ id }, at) =>
    JSON.stringify({ id, outcome: outcomes[at], ms: 1 }),
  );
  await writeFile(out, `${known.join("\n")}\n`);
  const printed = await mutate("--tests", strong, "--out", out, "--survivors");
  t.regex(printed, /2\/2 in .*: 2 killed/);
  t.regex(printed, /100\.0 %/);
});

test("a run that is broken off says so, and its processes end", async (t) => {
  const out = path.join(await openFolder(t), "results.jsonl");
  const child = spawn(process.execPath, [command, room, "--tests", weak, "--out", out, "--jobs", "1"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    printed += chunk;
    if (printed.includes("test files pass as the room stands") && !child.killed) child.kill("SIGINT");
  }
  if (child.exitCode === null) await once(child, "exit");
  t.is(child.exitCode, 1);
  t.regex(printed, /Broken off: \d+ mutants wait/);
});

test("tests that fail as the module stands are no measure", async (t) => {
  const folder = await openFolder(t);
  const failing = path.join(folder, "failing.test.ts");
  const sample = fileURLToPath(new URL("sample/discount.ts", import.meta.url));
  await writeFile(
    failing,
    `import test from ${JSON.stringify(import.meta.resolve("ava"))};\nimport { hasDiscount } from ${JSON.stringify(sample)};\ntest("wrong", (t) => t.is(hasDiscount(100, true), false));\n`,
  );
  const verdict = await runTestFile(failing, { limitMs: 60_000 });
  t.like(verdict, { outcome: "failed", by: "wrong" });
});

test("a trial's verdict is that of AVA's own command", async (t) => {
  const text = await readFile(room, "utf8");
  const ava = fileURLToPath(new URL("../../node_modules/ava/entrypoints/cli.js", import.meta.url));
  const hook = new URL("load-hook.ts", import.meta.url).href;
  const verdicts: [here: string, there: string][] = [];
  for (const mutant of mutantsOf(room, text).filter((_, at) => at < 3)) {
    const changed = moduleAt(room, mutated(text, mutant));
    const here = await runTestFile(weak, { mutant: changed, limitMs: 60_000 });
    const there = await promisify(execFile)(process.execPath, [ava, weak], {
      env: { ...process.env, NODE_OPTIONS: `--import=${hook}`, TIDELINE_MUTANT: JSON.stringify(changed) },
    }).then(
      () => "passed",
      () => "failed",
    );
    verdicts.push([here.outcome, there]);
  }
  t.deepEqual(
    verdicts.map(([here]) => here),
    verdicts.map(([, there]) => there),
  );
  t.deepEqual(
    verdicts.map(([here]) => here),
    ["failed", "passed", "passed"],
  );
});

test("a test file that does not end in time is ended, and what it has started with it", async (t) => {
  const endless = moduleAt(room, "export function hasDiscount() { for (;;); }");
  t.like(await runTestFile(weak, { mutant: endless, limitMs: 1500 }), { outcome: "late" });
});

test("a test file that takes longer only because the machine has more to do is not said not to end", async (t) => {
  const text = await readFile(room, "utf8");
  const mutant = mutantsOf(room, text).find(({ original }) => original === "isMember && ")!;
  const lane = openLane(await openFolder(t), 0, process.env, null);
  await lane.clean();
  const measured = await measure({ file: weak, steps: 1 }, [room], lane.folder, lane.environment);
  // As if it had taken one millisecond when it was measured.
  const order = new TestOrder([{ ...measured, ms: 1, isJoinable: false }]);
  const result = await attempt(text, {
    mutant,
    order,
    lane,
    stopped: new AbortController().signal,
    patience: { times: 5, moreMs: 0 },
  });
  t.is(result?.outcome, "survived");
});
