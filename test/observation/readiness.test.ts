/** Reads and writes are answered apart: what ends writes alone sends no reader away. */
import test from "ava";
import { type Check, judgeReadiness } from "../../src/observation/readiness.ts";

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
