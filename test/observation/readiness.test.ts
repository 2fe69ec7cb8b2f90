/** Reads and writes are answered apart: what ends writes alone sends no reader away. */
import test from "ava";
import { type Check, judgeReadiness, lookNowAndThen } from "../../src/observation/readiness.ts";

const checks = (found: Readonly<Record<string, string>>): Check[] => [
  { name: "database", found: found.database ?? "ok", needs: "everything" },
  { name: "disk", found: found.disk ?? "ok", needs: "writes" },
  { name: "fleet", found: found.fleet ?? "api 1", needs: "nothing" },
];

test("everything is well", (t) => {
  t.deepEqual(judgeReadiness(checks({})), {
    status: "ready",
    reads: "ready",
    writes: "ready",
    checks: { database: "ok", disk: "ok", fleet: "api 1" },
  });
});

test("a full disk ends writes and no reads", (t) => {
  t.like(judgeReadiness(checks({ disk: "no space for vault" })), {
    status: "not-ready",
    reads: "ready",
    writes: "not-ready",
  });
});

test("without a database nothing is served", (t) => {
  t.like(judgeReadiness(checks({ database: "does not answer" })), {
    status: "not-ready",
    reads: "not-ready",
    writes: "not-ready",
  });
});

test("what is only told changes nothing", (t) => {
  t.like(judgeReadiness(checks({ fleet: "worker 0" })), { status: "ready", reads: "ready", writes: "ready" });
});

test("whoever asks while it is looked, or right after, costs no look of his own", async (t) => {
  let [nowMs, looks] = [0, 0];
  const waiting: ((found: number) => void)[] = [];
  const ask = lookNowAndThen(
    () => new Promise<number>((resolve) => waiting.push(() => resolve((looks += 1)))),
    () => nowMs,
  );
  const asked = Array.from({ length: 100 }, ask);
  nowMs = 5000;
  t.is(waiting.length, 1);
  waiting.shift()?.(0);
  t.deepEqual(new Set(await Promise.all(asked)), new Set([1]));
  nowMs = 5200;
  t.is(await ask(), 1);
  nowMs = 5300;
  const later = ask();
  waiting.shift()?.(0);
  t.is(await later, 2);
});

test("a look that failed is told to those who asked, and the next one looks again", async (t) => {
  let looks = 0;
  const ask = lookNowAndThen(async () => {
    looks += 1;
    if (looks === 1) throw new Error("away");
    return looks;
  });
  await t.throwsAsync(Promise.all([ask(), ask()]), { message: "away" });
  t.is(await ask(), 2);
});
