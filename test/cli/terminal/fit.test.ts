/** No help and no failure is wider than the terminal, and what is no terminal has it as it was written. */
import test from "ava";
import { commands } from "../../../src/cli/command-line.ts";
import { columnsOf, fitLines, fitText } from "../../../src/cli/terminal/fit.ts";
import { errorCatalogue } from "../../../src/errors.ts";

for (const columns of [80, 140]) {
  test(`every command's help and every error of the catalogue fit ${columns} columns, and lose no word`, async (t) => {
    const usages = await Promise.all(Object.values(commands).map(async ({ load }) => (await load()).usage));
    const errors = Object.entries(errorCatalogue).map(
      ([code, { sentence, remedy }]) => `tideline: ${code}: ${sentence} ${remedy}`,
    );
    for (const text of [...usages, ...errors]) {
      const fitted = fitText(text, columns);
      t.deepEqual(
        fitted.split("\n").filter((line) => line.length > columns),
        [],
      );
      t.is(fitted.replaceAll(/\s/g, ""), text.replaceAll(/\s/g, ""));
    }
  });
}

test("a column goes on below itself, prose at its own indentation, a call eight further in", (t) => {
  t.is(
    fitText("list    live users by their ids; --after goes on after one of them", 40),
    "list    live users by their ids; --after\n        goes on after one of them",
  );
  t.is(
    fitText("tideline user list --partner P [--after BANK-USER-ID]\n              [--limit 100]", 50),
    "tideline user list --partner P\n        [--after BANK-USER-ID] [--limit 100]",
  );
  t.is(fitText("one two three four five six seven eight nine", 40), "one two three four five six seven eight\nnine");
});

test("a last column that begins too far right stands below its row", (t) => {
  t.is(
    fitText("  login.issuer   text, of whoever made it  what iss must be, others refused", 44),
    "  login.issuer   text, of whoever made it\n      what iss must be, others refused",
  );
});

test("each line of a result is broken by itself, and goes on below its last column where there is room", (t) => {
  const table = ["anna   lab-dk  one two three four five six", "bo     lab-dk  seven"];
  t.deepEqual(fitLines(table, 40), [
    "anna   lab-dk  one two three four five",
    "               six",
    "bo     lab-dk  seven",
  ]);
  t.deepEqual(fitLines(table, null), table);
});

test("a file or pipe has every line as it was written", (t) => {
  const long = "word ".repeat(100);
  t.is(fitText(long, columnsOf({})), long);
  t.is(columnsOf({ isTTY: true, columns: 100 }), 100);
});
