/** What was judged equivalent is there to be judged: code that changed is judged again, or counts. */
import { existsSync, readFileSync } from "node:fs";
import test from "ava";
import { equivalents } from "./equivalent.ts";
import { judge } from "./judged.ts";
import { type Mutant, mutantsOf } from "./mutant.ts";

const byFile = Map.groupBy(equivalents, ({ file }) => file);

function judgedIn(file: string): Mutant[] {
  const lines = new Set(byFile.get(file)?.map(({ lineText }) => lineText));
  return existsSync(file) ? mutantsOf(file, readFileSync(file, "utf8"), (lineText) => lines.has(lineText)) : [];
}

test("no judgement is of a mutant that is gone", (t) => {
  t.deepEqual(judge(equivalents, [...byFile.keys()].flatMap(judgedIn), () => true).gone, []);
});

test("no mutant is judged twice", (t) => {
  const changes = equivalents.flatMap(({ file, lineText, changes: own }) =>
    own.map(([original, replacement, nth = 1]) => JSON.stringify([file, lineText, original, replacement, nth])),
  );
  t.deepEqual(
    changes.filter((change, at) => changes.indexOf(change) !== at),
    [],
  );
});
