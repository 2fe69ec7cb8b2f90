import { readFile } from "node:fs/promises";
import test from "ava";
import { commands } from "../src/cli/command-line.ts";
import { errorCatalogue } from "../src/errors.ts";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

test("the README's table of errors is the catalogue", (t) => {
  const expected = Object.entries(errorCatalogue).map(([code, entry]) => [
    `\`${code}\``,
    String(entry.status ?? "–"),
    entry.retry ? "yes" : "no",
    entry.sentence,
    entry.remedy,
  ]);
  t.deepEqual(tableUnder("| code | status |"), expected);
});

test("the README's table of commands is the command line's", (t) => {
  const expected = Object.entries(commands).map(([name, entry]) => [`\`${name}\``, entry.summary]);
  t.deepEqual(tableUnder("| command | does |"), expected);
});

/** Cells of the rows below a table's head and its rule. */
function tableUnder(head: string): string[][] {
  const lines = readme.slice(readme.indexOf(head)).split("\n").slice(2);
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("\\|", "|")),
  );
}
