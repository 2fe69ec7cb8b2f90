/** No help and no failure is wider than the terminal, and what is no terminal has it as it was written. */
import { execFile } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import test from "ava";
import { commands } from "../../../src/cli/command-line.ts";
import { columnsOf, fitLines, fitText } from "../../../src/cli/terminal/fit.ts";
import { errorCatalogue } from "../../../src/errors.ts";

const here = path.dirname(fileURLToPath(import.meta.url));

for (const columns of [80, 140]) {
  test(`every error of the catalogue is told whole in a terminal of ${columns} columns, in words that are not broken`, async (t) => {
    const { stdout } = await promisify(execFile)("python3", [
      path.join(here, "in-terminal.py"),
      String(columns),
      process.execPath,
      path.join(here, "every-failure.ts"),
    ]);
    const lines = stdout.trimEnd().split("\r\n");
    t.deepEqual(
      lines.filter((line) => line.length > columns || line !== line.trim() || line.includes("\u001b")),
      [],
    );
    const told = lines.join("\n").split(/\n(?=tideline: )/);
    t.deepEqual(
      told.map((one) => one.split(/\s+/)),
      Object.entries(errorCatalogue).map(([code, { sentence, remedy }]) =>
        `tideline: ${code}: ${sentence} ${remedy}`.split(" "),
      ),
    );
    // Each line takes what it can: the first word of the next one would not have fitted.
    for (const one of told) {
      const rows = one.split("\n");
      for (const [at, row] of rows.slice(1).entries())
        t.true(`${rows[at]} ${row.split(" ")[0]}`.length > columns, rows[at]);
    }
  });

  test(`every command's help fits ${columns} columns, and loses no word`, async (t) => {
    const usages = await Promise.all(Object.values(commands).map(async ({ load }) => (await load()).usage));
    for (const text of usages) {
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
