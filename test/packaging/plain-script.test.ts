/** TypeScript becomes plain scripts that load each other, and nothing else about it changes. */
import test from "ava";
import { pathsIn, plainDeclaration, plainScript } from "../../src/packaging/plain-script.ts";

const files = new Set(["src/a.ts", "src/inner/b.ts", "workers/main.ts"]);

test("types go, and every way to name another file of the house leads to its script", (t) => {
  const text = [
    'import type { A } from "./a.ts";',
    'import { b } from "./inner/b.ts";',
    'const later = () => import("./inner/b.ts");',
    'const thread = new URL("../workers/main.ts", import.meta.url);',
    "export const sum = (one: number, other: A): number => one + b(other);",
  ].join("\n");
  const script = plainScript("src/c.ts", text, files);
  t.deepEqual(
    script.split("\n").map((line) => line.trim().replaceAll(/ +/g, " ")),
    [
      "",
      'import { b } from "./inner/b.js";',
      'const later = () => import("./inner/b.js");',
      'const thread = new URL("../workers/main.js", import.meta.url);',
      "export const sum = (one , other ) => one + b(other);",
    ],
  );
  t.deepEqual(pathsIn("src/c.ts", script), ["src/inner/b.js", "src/inner/b.js", "workers/main.js"]);
});

test("a text that only looks like a path stays as it is", (t) => {
  const text = 'const name = "./elsewhere.ts"; const said = "see a.ts";';
  t.is(plainScript("src/c.ts", text, files), text);
});

test("declarations lead to each other and keep their types", (t) => {
  t.is(plainDeclaration("src/c.ts", 'export type { A } from "./a.ts";', files), 'export type { A } from "./a.js";');
});
