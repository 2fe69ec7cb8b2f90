/** A sample of mutants follows from its seed, spreads over the files, and outlives judgements of equivalence. */
import test from "ava";
import { judge } from "./judged.ts";
import { mutantsOf } from "./mutant.ts";
import { sampleOf } from "./sample.ts";

const many = mutantsOf(
  "many.ts",
  `export const limits = { ${Array.from({ length: 20 }, (_, at) => `a${at}: ${at + 10}`).join(", ")} };`,
);
const few = mutantsOf("few.ts", "export const limits = { a: 10, b: 11, c: 12, d: 13, e: 14 };");
const all = [...many, ...few];

test("a sample follows from its seed", (t) => {
  const places = (seed: number): string[] =>
    sampleOf(all, 10, seed).taken.map(({ file, column, replacement }) => `${file}:${column} ${replacement}`);
  t.deepEqual(places(1), places(1));
  t.notDeepEqual(places(1), places(2));
});

test("files have their share of a sample by how many mutants each has", (t) => {
  const { taken } = sampleOf(all, 25, 7);
  t.is(many.length, 60);
  t.is(few.length, 15);
  t.deepEqual(
    [taken.filter(({ file }) => file === "many.ts").length, taken.filter(({ file }) => file === "few.ts").length],
    [20, 5],
  );
});

test("where there are fewer mutants than asked for, all are taken", (t) => {
  t.is(sampleOf(few, 300, 1).taken.length, 15);
});

test("for a mutant judged equivalent the next one in rank is tried, and the others stay", (t) => {
  const before = sampleOf(few, 5, 1).taken;
  const out = before[2]!;
  const { taken, left } = sampleOf(few, 5, 1, ({ id }) => id === out.id);
  t.deepEqual(left, [out]);
  t.is(taken.length, 5);
  t.deepEqual(
    before.filter((one) => one !== out && !taken.includes(one)),
    [],
  );
});

test("a judgement is told by content, and reported when its mutant is gone", (t) => {
  const about = {
    lineText: "export const limits = { a: 10, b: 11, c: 12, d: 13, e: 14 };",
    reason: "for the test",
  };
  const { isEquivalent, gone } = judge(
    [
      {
        ...about,
        file: "few.ts",
        changes: [
          ["10", "11"],
          ["10", "12"],
          ["11", "10", 2],
        ],
      },
      { ...about, file: "elsewhere.ts", changes: [["10", "12"]] },
    ],
    few,
    (file) => file === "few.ts",
  );
  t.deepEqual(
    few.filter(isEquivalent).map(({ original, replacement }) => [original, replacement]),
    [["10", "11"]],
  );
  t.deepEqual(gone, [
    "few.ts: 10 → 12 in export const limits = { a: 10, b: 11, c: 12, d: 13, e: 14 };",
    "few.ts: 11 → 10 in export const limits = { a: 10, b: 11, c: 12, d: 13, e: 14 };",
  ]);
});
