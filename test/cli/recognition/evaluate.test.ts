/** A labelled folder is scored as its population is, told in lines, and refused where it is no labelled set. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import type { Score, Tally } from "../../../src/evaluation/score.ts";
import { openCommandLine } from "../command.ts";

const generated = "generated:4x26:7";

test("a labelled folder is scored as the population it was written from, and drawn into one file that needs nothing else", async (t) => {
  const { tideline, dataDir } = await openCommandLine(t);
  const [folder, out] = [path.join(dataDir, "set"), path.join(dataDir, "report.html")];
  await tideline(
    "fixtures",
    "generate",
    "--users",
    "4",
    "--months",
    "26",
    "--seed",
    "7",
    "--until",
    "2026-06-30",
    "--out",
    folder,
  );
  const ran = await tideline("evaluate", folder, "--out", out, "--json");
  t.is(ran.code, 0, ran.stderr);
  const told = JSON.parse(ran.stdout) as { score: Score; counts: Omit<Tally, "slices"> };
  t.true(told.counts.due > 20);
  t.true(told.score.f1 > 0.8);
  t.is(told.counts.verdicts.hit, Math.round(told.score.recall * told.counts.due));
  const direct = JSON.parse(
    (await tideline("evaluate", generated, "--until", "2026-06-30", "--json")).stdout,
  ) as typeof told;
  t.deepEqual(direct.score, told.score);

  const html = await readFile(out, "utf8");
  t.true(html.includes("<h1>Recognition of recurring payments</h1><p>set</p>"));
  t.regex(
    html,
    /<p>4 users \(.*\), [\d,]+ payments from 2024-0[45]-\d\d to 2026-0[56]-\d\d, recognition version \d+\. Written \d{4}-/,
  );
  t.true(html.includes("<h2>Beside the baseline</h2>"));
  t.true(html.includes('<svg class="reliability"'));
  t.is(html.match(/<svg /g)?.length, html.match(/<\/svg>/g)?.length);
  t.notRegex(html, /<script|src=|href="[^#]|https?:|NaN|undefined|Infinity/);
});

test("every link of the report leads to a place in it, and all that is drawn can be gone through", async (t) => {
  const { tideline, dataDir } = await openCommandLine(t);
  const out = path.join(dataDir, "report.html");
  t.is((await tideline("evaluate", generated, "--until", "2026-06-30", "--out", out)).code, 0);
  const html = await readFile(out, "utf8");
  const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  t.deepEqual(
    links.filter((id) => !html.includes(` id="${id}"`)),
    [],
  );
  const articles = [...html.matchAll(/<article id="([^"]+)"/g)].map(([, id]) => id ?? "");
  t.true(articles.length > 10);
  t.deepEqual(
    articles.filter((id) => !id.endsWith("-1") && !links.includes(id)),
    [],
  );
});

test("an earlier version's figures stand beside, and those of another set are refused", async (t) => {
  const { tideline, dataDir } = await openCommandLine(t);
  const [earlier, out] = [path.join(dataDir, "earlier.json"), path.join(dataDir, "report.html")];
  const told = JSON.parse((await tideline("evaluate", generated, "--until", "2026-06-30", "--json")).stdout) as {
    extent: { algorithmVersion: number };
    score: Score;
  };
  told.extent.algorithmVersion = 3;
  told.score.f1 -= 0.125;
  told.score.falseAlarmsPerUserYear += 0.25;
  await writeFile(earlier, JSON.stringify(told));
  const beside = ["--until", "2026-06-30", "--beside", earlier];
  const ran = await tideline("evaluate", generated, ...beside, "--out", out);
  t.is(ran.code, 0, ran.stderr);
  t.regex(ran.stdout, /^ +VERSION 3, EARLIER +VERSION \d+ +DIFFERENCE$/m);
  t.regex(ran.stdout, /^F1 +\d+\.\d % +\d+\.\d % +\+12\.5$/m);
  t.regex(ran.stdout, /^precision +(\d+\.\d %) +\1 +same$/m);
  t.regex(ran.stdout, /^false alarms per user and year +\d\.\d\d +\d\.\d\d +−0\.25$/m);
  t.regex(await readFile(out, "utf8"), /<section id="earlier">[\s\S]*\+12\.5/);
  const other = await tideline("evaluate", "generated:3x26:7", ...beside);
  t.is(other.code, 1);
  t.regex(other.stderr, /SOURCE_INVALID: What was said earlier is of 4 users/);
  t.regex((await tideline("evaluate", generated, "--beside", out)).stderr, /is not what evaluate --json prints/);
});

test("the table is told in lines", async (t) => {
  const { tideline } = await openCommandLine(t);
  const ran = await tideline("evaluate", generated, "--until", "2026-06-30");
  t.is(ran.code, 0, ran.stderr);
  t.regex(ran.stdout, /^users +4$/m);
  t.regex(ran.stdout, /^F1 +\d+\.\d %$/m);
  t.regex(ran.stdout, /^ +RECOGNISED +VISIBLE ALONE +BASELINE$/m);
  t.regex(ran.stdout, /^F1 +\d+\.\d % +\d+\.\d % +\d+\.\d %/m);
  t.regex(ran.stdout, /^90–100 % +\d+ +\d+\.\d % +\d+\.\d %/m);
  t.regex(ran.stdout, /^frequency +MONTHLY +\d+\/\d+ +\d+\.\d % +\d+\.\d %$/m);
});

test("several sets are told one by one, messy populations among them", async (t) => {
  const { tideline } = await openCommandLine(t);
  const ran = await tideline("evaluate", "messy-GB:2x25:3", "messy-FR:2x25:3", "--until", "2026-06-30");
  t.is(ran.code, 0, ran.stderr);
  t.regex(ran.stdout, /^users +4$/m);
  t.regex(ran.stdout, /^messy-GB:2x25:3 +\d+\.\d % +\d+\.\d % +\d+\.\d %/m);
  t.regex(ran.stdout, /^messy-FR:2x25:3 +\d+\.\d %/m);
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

test("what categories got right, wrong and left to be asked is told by country, direction and kind, in payments and money", async (t) => {
  const { tideline } = await openCommandLine(t);
  const ran = await tideline("evaluate", "--categories", generated, "--until", "2026-06-30");
  t.is(ran.code, 0, ran.stderr);
  t.regex(ran.stdout, /^OF +RIGHT +WRONG +ASKED +MONEY RIGHT +WRONG +ASKED$/m);
  const shares = "( +\\d+\\.\\d %){6}";
  for (const name of ["all", "country [A-Z]{2}", "direction in", "direction out", "kind CARD", "kind TRANSFER"])
    t.regex(ran.stdout, new RegExp(`^${name}${shares}$`, "m"), name);
});

test("how many questions a budget asks and how often they offer the truth is told, of payees without codes and without known names", async (t) => {
  const { tideline } = await openCommandLine(t);
  const asked = async (form: string) => {
    const ran = await tideline("evaluate", "--budgets", "generated:2x15:5", form, "--until", "2026-06-30", "--json");
    t.is(ran.code, 0, ran.stderr);
    return JSON.parse(ran.stdout) as { questions: number[]; lists: number; listsWithTruth: number };
  };
  const known = await asked("--without-codes");
  t.true(known.questions.every((questions) => questions <= 8));
  const strange = await asked("--invented-names");
  t.true(strange.lists > 10);
  t.true(strange.listsWithTruth >= 0.5 * strange.lists);
});
