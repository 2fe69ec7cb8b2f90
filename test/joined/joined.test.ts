/** Test files that share a process run there as they do alone, and what fails there is told by its own name. */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import test, { type ExecutionContext } from "ava";
import { marker, unmarked } from "./marker.ts";
import { planOf } from "./plan.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

type Ran = { status: number | null; told: string[]; log: string[]; times: string[] };

/** A project of these test files, in these processes; each may `say` what it does. @returns what AVA tells of them, and what they said */
async function run(
  t: ExecutionContext,
  files: Record<string, string>,
  processes: readonly (readonly string[])[],
): Promise<Ran> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-joined-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  await mkdir(path.join(folder, "test"));
  const ava = { extensions: ["ts"], files: ["test/*.test.ts"], concurrency: 1, cache: false };
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ type: "module", ava }));
  const say = `import { appendFileSync } from "node:fs"; import test from "ava"; const say = (what: string) => appendFileSync("log", what + "\\n"); const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));`;
  await writeFile(path.join(folder, "log"), "");
  for (const [name, body] of Object.entries(files))
    await writeFile(path.join(folder, `test/${name}.test.ts`), `${say}\n${body}`);
  const plan = processes.map((names) => names.map((name) => `test/${name}.test.ts`));
  await writeFile(path.join(folder, "plan.json"), JSON.stringify(plan));
  const child = spawn(
    process.execPath,
    [path.join(root, "node_modules/ava/entrypoints/cli.js"), "--config", path.join(root, "test/joined/config.mjs")],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
      env: {
        ...process.env,
        JOINED_TESTS_PLAN: path.join(folder, "plan.json"),
        JOINED_TESTS_TIMES: path.join(folder, "times"),
      },
    },
  );
  const status = new Promise<number | null>((resolve) => child.once("close", resolve));
  const stdout = await text(child.stdout);
  const told = stripVTControlCharacters(stdout).split("\n").map(unmarked);
  const linesOf = async (name: string): Promise<string[]> =>
    (await readFile(path.join(folder, name), "utf8").catch(() => "")).trim().split("\n");
  return { status: await status, told, log: await linesOf("log"), times: await linesOf("times") };
}

/** Passed, failed, skipped and to be written, by title. */
const verdicts = ({ told }: Ran) =>
  told
    .filter((line) => /^ {2}(?:[✔✘]|- \[)/u.test(line))
    .map((line) => line.trim().replace(/ \(\S+\)$| Rejected promise.*$/, ""));

const orderly = {
  a: `
await pause(1);
test.before(() => say("a before"));
test.after.always(() => say("a after"));
test("at once", async (t) => { t.teardown(async () => { await pause(30); say("a tidied up"); }); say("a begins"); await pause(60); say("a ends"); t.pass(); });
test("too", async (t) => { say("a too begins"); await pause(10); say("a too ends"); t.pass(); });
test.serial("first", async (t) => { say("a first"); await pause(20); say("a first ends"); t.pass(); });
test.serial("second", (t) => { say("a second"); t.pass(); });`,
  b: `
const doubled = test.macro({ exec: (t, one: number, two: number) => { say("b " + one); t.is(one * 2, two); }, title: (given = "doubled", one) => given + " of " + one });
const plain = test.macro((t, one: number) => t.is(one, 1));
test(doubled, 1, 2);
test("twice", doubled, 2, 4);
test("at once", plain, 1);
test.skip("left out", (t) => t.fail());
test.skipIf(true)("left out here", (t) => t.fail());
test.serial.runIf(true)("run here", (t) => { say("b serial"); t.pass(); });
test.todo("to be written");
test.failing("known to fail", (t) => t.fail());
test.before(() => say("b before"));`,
};

test("hooks, serial tests, tests at once, and what tidies up come as they do alone, file by file", async (t) => {
  const [joined, alone] = [await run(t, orderly, [["a", "b"]]), await run(t, orderly, [["a"], ["b"]])];
  t.deepEqual([joined.status, alone.status], [0, 0], [...joined.told, ...alone.told].join("\n"));
  t.deepEqual(joined.log, [
    "a before",
    "a first",
    "a first ends",
    "a second",
    "a begins",
    "a too begins",
    "a too ends",
    "a ends",
    "a tidied up",
    "a after",
    "b before",
    "b serial",
    "b 1",
    "b 2",
  ]);
  t.deepEqual(alone.log, joined.log);
  t.deepEqual(
    joined.times.map((line) => line.replace(/^ *\d+\.\d {2}/, "")),
    ["a", "b"],
    "how long each took",
  );
  t.deepEqual(verdicts(joined).toSorted(), verdicts(alone).toSorted());
  t.deepEqual(
    verdicts(joined)
      .filter((line) => line.includes("b › "))
      .toSorted(),
    [
      "- [todo] b › to be written",
      "- [skip] b › left out",
      "- [skip] b › left out here",
      "✔ [expected fail] b › known to fail",
      "✔ b › at once",
      "✔ b › doubled of 1",
      "✔ b › run here",
      "✔ b › twice of 2",
    ].toSorted(),
  );
});

const broken = {
  a: `test("fails", (t) => t.is(1, 2)); test("passes", (t) => t.pass());`,
  b: `test.before(() => { throw new Error("no world"); }); test("has no world", (t) => t.pass()); test.serial("neither", (t) => t.pass());`,
  c: `test("passes", (t) => t.pass());`,
};

test("what fails is told by its file, a failing hook fails each test of its file, and the others pass", async (t) => {
  const ran = await run(t, broken, [["a", "b", "c"]]);
  t.is(ran.status, 1);
  t.deepEqual(verdicts(ran).toSorted(), [
    "✔ a › passes",
    "✔ c › passes",
    "✘ [fail]: a › fails",
    "✘ [fail]: b › has no world",
    "✘ [fail]: b › neither",
  ]);
});

/** Each beside a file that passes, in a process of their own. */
const refused: Record<string, string> = {
  after: `test.after.always(() => { throw new Error("left by a hook"); }); test("passes", (t) => t.pass());`,
  rejection: `test("passes", (t) => { void Promise.reject(new Error("left by a test")); t.pass(); });`,
  none: `say("none"); export { test };`,
  twice: `test("one", (t) => t.pass()); test("one", (t) => t.pass());`,
  untitled: `test((t) => t.pass());`,
  nothing: `test("nothing", () => undefined);`,
  each: `test.beforeEach(() => say("each")); test("one", (t) => t.pass());`,
};

test("what fails a file alone fails it beside others", async (t) => {
  const names = Object.keys(refused);
  const files = names.flatMap((name): [string, string][] => [
    [`beside-${name}`, broken.c],
    [name, refused[name] ?? ""],
  ]);
  const ran = await run(
    t,
    Object.fromEntries(files),
    names.map((name) => [`beside-${name}`, name]),
  );
  t.is(ran.status, 1);
  const all = ran.told.join("\n");
  for (const told of [
    "Error: left by a hook",
    "Error: left by a test",
    "Error: No tests found in none",
    "Error: Duplicate test title: twice › one",
    "TypeError: Tests must have a title",
    "✘ [fail]: nothing › nothing",
    "Error: each uses test.beforeEach: it has to run alone",
  ])
    t.true(all.includes(told), `${told}: ${all}`);
});

test("a file that changes or measures its process has one of its own", (t) => {
  t.deepEqual(planOf(["test/present.test.ts", "test/machine/unused-memory.test.ts", "test/money.test.ts"]), [
    ["test/machine/unused-memory.test.ts"],
    ["test/money.test.ts", "test/present.test.ts"],
  ]);
});

test("a line of the report is what it is for a file alone", (t) => {
  t.is(
    unmarked(`  ✔ first › of › ${marker}ledger › loads › counts (12) of 3 (1.2s)`),
    "  ✔ ledger › loads › counts (12) of 3",
  );
  t.is(unmarked(`  first › ${marker}ledger › loads`), "  ledger › loads");
  t.is(
    unmarked(`  \u001B[32m✔\u001B[39m first \u001B[2m›\u001B[22m ${marker}of (a) \u001B[90m(1m 1.2s)\u001B[39m`),
    "  \u001B[32m✔\u001B[39m of (a)",
  );
  t.is(unmarked(`  ✘ [fail]: ${marker}b › breaks Error`), "  ✘ [fail]: b › breaks Error");
  t.is(unmarked(`  Error: Duplicate test title: ${marker}b › one`), "  Error: Duplicate test title: b › one");
  t.is(unmarked("  ✔ first › of (1.2s)"), "  ✔ first › of (1.2s)");
});
