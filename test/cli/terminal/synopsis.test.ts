/** What a command takes is read from its usage as a person reads it. */
import test from "ava";
import { nextWords, synopsesOf } from "../../../src/cli/terminal/synopsis.ts";

const usage = `
tideline bank add ID --name NAME [--logo FILE.png] [--kind map|array]
              [--folder DIR [--again]] [--user U]…
tideline bank receiver show|remove ID
tideline bank list

Each takes --data-dir DIR and --json. Prose may say --other things.
tideline other does something else.
`;

test("each way to call it has its words, and options with what their values are", (t) => {
  const found = synopsesOf("bank", usage);
  t.deepEqual(
    found.map(({ words }) => words),
    ["bank add", "bank receiver show", "bank receiver remove", "bank list"],
  );
  t.deepEqual(
    [...(found[0]?.options ?? [])],
    [
      ["--data-dir", "folder"],
      ["--json", "nothing"],
      ["--name", "value"],
      ["--logo", "file"],
      ["--kind", ["map", "array"]],
      ["--folder", "folder"],
      ["--again", "nothing"],
      ["--user", "value"],
    ],
  );
});

test("words lead to those behind them", (t) => {
  t.deepEqual(Object.fromEntries(nextWords(synopsesOf("bank", usage))), {
    bank: ["add", "receiver", "list"],
    "bank receiver": ["show", "remove"],
  });
});
