import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import type { Score, Tally } from "../../src/evaluation/score.ts";
import { openCommandLine } from "./command.ts";

const sample = fileURLToPath(new URL("../../fixtures/sample", import.meta.url));

test("a labelled folder is scored, sliced and drawn into one file that needs nothing else", async (t) => {
  const { tideline, dataDir } = await openCommandLine(t);
  const out = path.join(dataDir, "report.html");
  const ran = await tideline("evaluate", sample, "--out", out, "--json");
  t.is(ran.code, 0, ran.stderr);
  const { score, counts } = JSON.parse(ran.stdout) as { score: Score; counts: Omit<Tally, "slices"> };
  t.true(counts.due > 0 && score.recall > 0);
  t.is(counts.verdicts.hit, Math.round(score.recall * counts.due));
  const html = await readFile(out, "utf8");
  t.true(html.includes("<h1>Recognition of recurring payments</h1><p>sample</p>"));
  t.is(html.match(/<svg /g)?.length, html.match(/<\/svg>/g)?.length);
  t.notRegex(html, /<script|src=|href=|https?:|NaN|undefined|Infinity/);
});

test("a generated population is scored, and its table is told in lines", async (t) => {
  const { tideline } = await openCommandLine(t);
  const ran = await tideline("evaluate", "generated:3x26:7", "--until", "2026-06-30");
  t.is(ran.code, 0, ran.stderr);
  t.regex(ran.stdout, /^users +3$/m);
  t.regex(ran.stdout, /^F1 +\d+\.\d %$/m);
  t.regex(ran.stdout, /^frequency +MONTHLY +\d+\/\d+ +\d+\.\d % +\d+\.\d %$/m);
});

test("what is no labelled set is refused", async (t) => {
  const { tideline, dataDir } = await openCommandLine(t);
  for (const [parameters, code, message] of [
    [[dataDir], 1, /SOURCE_INVALID: There is no tx.jsonl/],
    [["generated:3"], 2, /written generated:USERSxMONTHS/],
    [[], 2, /Name one/],
    [["generated:1x1", "--until", "2026-02-30"], 2, /--until must be a day/],
  ] as const) {
    const ran = await tideline("evaluate", ...parameters);
    t.is(ran.code, code, ran.stderr);
    t.regex(ran.stderr, message);
  }
});
