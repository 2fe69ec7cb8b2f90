/** Rounds of several runs are added up, and a kind with one wrong round is never called clean. */
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { addUp, appendRound, isClean, readRounds, type RoundLine, tableOf } from "./results.ts";

const round: RoundLine = {
  kind: "kill -9 at copy",
  count: 5,
  lost: 0,
  doubled: 0,
  foreign: 0,
  receiptsWrong: 0,
  healedMs: 3200,
  failures: [],
  examples: [],
  at: "2026-11-21T05:00:00.000Z",
  seed: 7,
};

test("rounds of several runs add up; the longest healing is told", (t) => {
  const [total] = addUp([
    round,
    { ...round, healedMs: 9100 },
    { ...round, lost: 2, receiptsWrong: 1, failures: ["late"] },
  ]);
  t.deepEqual(total, {
    kind: "kill -9 at copy",
    count: 15,
    lost: 2,
    doubled: 0,
    foreign: 0,
    receiptsWrong: 1,
    healedMsMax: 9100,
    failures: 1,
    skipped: null,
  });
});

test("a kind is clean only when nothing at all was wrong", (t) => {
  const figures: Partial<RoundLine>[] = [
    {},
    { lost: 1 },
    { doubled: 1 },
    { foreign: 1 },
    { receiptsWrong: 1 },
    { failures: ["late"] },
  ];
  t.deepEqual(
    figures.flatMap((more) => addUp([{ ...round, ...more }]).map(isClean)),
    [true, false, false, false, false, false],
  );
});

test("the file of a run that was cut in the middle of a line is read up to there", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-results-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, "faults.jsonl");
  t.deepEqual(await readRounds(file), []);
  await appendRound(file, round);
  await appendFile(file, '{"kind":"kill');
  t.deepEqual(await readRounds(file), [round]);
});

test("the table names what was skipped and why", (t) => {
  const table = tableOf(
    addUp([{ ...round, kind: "disk full", count: 0, healedMs: null, skipped: "needs root" }, round]),
  );
  t.true(table.includes("SKIPPED: needs root"));
  t.regex(table, /kill -9 at copy +5 +0 +0 +0 +0 +0 +3\.2 s/);
  t.regex(table, /all +5 +0 +0 +0 +0 +0/);
});
