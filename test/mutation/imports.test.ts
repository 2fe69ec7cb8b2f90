/** What a module loads, and how far a test is from it, is read from its imports. */
import test from "ava";
import { importsIn, Imports, stepsTo } from "./imports.ts";

test("a module loads what it imports, hands on, imports later or starts a thread of, and no types", (t) => {
  t.deepEqual(
    importsIn(
      "src/rooms/a.ts",
      `
      import { one } from "./b.ts";
      import type { Two } from "./types.ts";
      import { type Three } from "../types.ts";
      import "../c.ts";
      import path from "node:path";
      export { four } from "./d.ts";
      export * from "./e.ts";
      export const later = () => import("./f.ts");
      export const thread = new URL("../../workers/g.ts", import.meta.url);
    `,
    ),
    ["src/rooms/b.ts", "src/c.ts", "src/rooms/d.ts", "src/rooms/e.ts", "src/rooms/f.ts", "workers/g.ts"],
  );
});

test("how far a test file is from a module is counted in modules of the product", (t) => {
  const isOfTests = (file: string): boolean => file.endsWith(".test.ts");
  const steps = (from: string, to: string): number | null =>
    stepsTo(new Imports(), from, (file) => file === to, isOfTests);
  t.is(steps("test/mutation/sample/strong.test.ts", "test/mutation/sample/discount.ts"), 1);
  t.is(steps("test/mutation/sample.test.ts", "test/mutation/operators.ts"), 2);
  t.is(steps("test/mutation/sample/strong.test.ts", "test/mutation/operators.ts"), null);
});
