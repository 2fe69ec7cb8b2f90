/** Each mutation of the source changes one decision, number or member, and nothing that means the same. */
import test from "ava";
import { mutated, mutantsOf } from "./mutant.ts";

/** `original → replacement`, from the top to the end. */
const changes = (text: string): string[] =>
  mutantsOf("a.ts", text).map(({ original, replacement }) => `${original} → ${replacement}`);

test("comparisons move their boundary and turn round", (t) => {
  t.deepEqual(changes("export const isOver = (a: number, b: number) => a < b;"), ["< → <=", "< → >="]);
  t.deepEqual(changes("export const isSame = (a: number, b: number) => a === b;"), ["=== → !=="]);
});

test("of conditions that are joined each is left out, and the joint is the other", (t) => {
  t.deepEqual(changes("export const f = (a: boolean, b: boolean, c: boolean) => a && b && c;"), [
    "a &&  → ",
    " && b → ",
    "&& → ||",
    " && c → ",
    "&& → ||",
  ]);
  t.deepEqual(changes("export const f = (a: string | null, b: string) => a ?? b;"), ["a ??  → ", " ?? b → "]);
});

test("numbers are one more, one less or nothing; large ones and shares are scaled", (t) => {
  t.deepEqual(changes("export const daysMax = 10;"), ["10 → 0", "10 → 11", "10 → 9"]);
  t.deepEqual(changes("export const waitMs = 3_600_000;"), ["3_600_000 → 0", "3_600_000 → 7200000"]);
  t.deepEqual(changes("export const share = 0.5;"), ["0.5 → 0", "0.5 → 0.25", "0.5 → 1"]);
  t.deepEqual(changes("export const unit = 10n;"), ["10n → 11n", "10n → 9n"]);
});

test("a decision between two values is taken for either, and a guard is turned round or taken away", (t) => {
  t.deepEqual(changes("export const f = (a: boolean, b: string, c: string) => (a ? b : c);"), [
    "a ? b : c → (b)",
    "a ? b : c → (c)",
  ]);
  t.deepEqual(changes("export function f(a: boolean, g: () => void) { if (a) g(); }"), [
    "a → !(a)",
    "a → false",
    "g(); → ;",
  ]);
});

test("links of a chain are left out or made their siblings", (t) => {
  t.deepEqual(changes("export const f = (a: number[], g: () => boolean) => a.filter(g).toSorted();"), [
    ".filter(g) → ",
    ".toSorted() → ",
  ]);
  t.deepEqual(changes("export const f = (a: boolean[]) => a.some(Boolean);"), ["some → every"]);
  t.deepEqual(changes("export const f = (a: number, b: number) => Math.min(a, b);"), ["min → max"]);
  t.deepEqual(changes("export const f = (a: string, b: number, c: number) => a.slice(b, c);"), [
    ".slice(b, c) → ",
    "b → 0",
    ", c → ",
  ]);
});

test("members of a list are left out one at a time, of an object those that are spread into it", (t) => {
  t.deepEqual(changes("export const f = (a: string, b: string) => [a, b];"), ["a,  → ", ", b → "]);
  t.deepEqual(changes("export const f = (a: object, b: string) => ({ ...a, b });"), ["...a,  → "]);
});

test("pieces of a regular expression are left out or turned round", (t) => {
  t.deepEqual(changes("export const day = /^\\d+[a-z]$/i;"), [
    "^ → ",
    "\\d → \\D",
    "+ → ",
    "+ → *",
    "[ → [^",
    "$ → ",
    "i → ",
  ]);
});

test("what is no decision stays: types, imports, names of keys, and what an error tells", (t) => {
  t.deepEqual(
    changes(`
      import { fail } from "./fail.ts";
      import type { Kind } from "./kind.ts";
      export type { Kind } from "./kind.ts";
      export { fail } from "./fail.ts";
      export type Side = "left" | "right";
      export interface Box { size: 3 }
      declare const limit: 5;
      export function f(side: Side | "both"): asserts side is Side { if (fail(side)) throw new Error("Neither left nor right: " + \`\${side}\`); }
      export const g = (box: Box) => ({ "content-type": box as unknown as Record<"a", true> });
    `),
    ["fail(side) → !(fail(side))", "fail(side) → false"],
  );
});

test("a place in the file is told by line and column, and the mutant has the whole changed text", (t) => {
  const text = "export const one = 1;\nexport const isMore = (a: number) => a > one;\n";
  const [, , third] = mutantsOf("a.ts", text);
  t.like(third, {
    file: "a.ts",
    line: 2,
    column: 40,
    lineText: "export const isMore = (a: number) => a > one;",
    original: ">",
    replacement: "<=",
    nth: 1,
  });
  t.is(mutated(text, third!), "export const one = 1;\nexport const isMore = (a: number) => a <= one;\n");
});

test("mutants are told by their content: lines above them may come and go", (t) => {
  const text = "export const isIn = (a: number, b: number, c: number) => a < b && b < c;\n";
  const ids = mutantsOf("a.ts", text).map(({ id }) => id);
  t.deepEqual(
    mutantsOf("a.ts", `\n// Two more lines.\n${text}`).map(({ id }) => id),
    ids,
  );
  t.is(new Set(ids).size, ids.length);
});

test("mutants of some lines are those of the whole module there", (t) => {
  const text = "export const one = 1;\nexport const isMore = (a: number) => a > one;\n";
  t.deepEqual(
    mutantsOf("a.ts", text, (lineText) => lineText.includes("isMore")),
    mutantsOf("a.ts", text).filter(({ line }) => line === 2),
  );
});
