/** The page of what was counted says what the recorded lines add up to, bad rounds included. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { pageOf, readRecorded } from "./proofs.ts";

test("docs/proofs.md is what the recorded rounds and runs add up to", async (t) => {
  const page = await readFile(path.resolve(import.meta.dirname, "../../docs/proofs.md"), "utf8");
  t.is(page, pageOf(await readRecorded()));
});

test("rounds of one kind are one line, with what was lost and failed; a run that was ended says by what", (t) => {
  const round = {
    kind: "power cut, first start, xfs",
    count: 5,
    lost: 0,
    doubled: 0,
    foreign: 0,
    receiptsWrong: 0,
    healedMs: 1500,
    failures: [],
    examples: [],
    at: "2026-11-23T10:00:00.000Z",
    seed: 7,
  };
  const page = pageOf([
    {
      commit: "0123abcd",
      rounds: [
        round,
        { ...round, lost: 2, failures: ["late"], healedMs: 2500, seed: 9, at: "2026-11-24T00:00:00.000Z" },
      ],
      fuzzed: [
        { at: "2026-11-23T09:40:44.854Z", seed: 3, passed: { batches: 100 }, violation: null },
        { at: "2026-11-23T09:41:44.854Z", seed: 4, passed: {}, violation: "write EPIPE" },
      ],
    },
  ]);
  t.true(
    page.includes(
      "| power cut, first start, xfs | 2 | 10 | 2 | 0 | 0 | 0 | 1 | 2.5 s | 7 to 9 | 2026-11-23 to 2026-11-24 | 0123abcd |",
    ),
  );
  t.true(page.includes("| power cuts | 200 | 10 |"));
  t.true(page.includes("| broken batches over HTTPS | 20000 | 100 |"));
  t.true(page.includes("| 2026-11-23T09:41Z | 4 | none | `write EPIPE` | 0123abcd |"));
});
