/**
 * Results go to standard output: one JSON document for machines, aligned lines for people, as wide as their terminal.
 * Names in them are others' choice, so that neither holds a character that a screen does not show.
 */
import { columnsOf, fitLines } from "./fit.ts";
import { showUnseen } from "../../unseen-characters.ts";

export function printResult(asJson: boolean, document: unknown, lines: readonly string[]): void {
  if (asJson) process.stdout.write(showUnseen(`${JSON.stringify(document, null, 2)}\n`));
  else if (lines.length > 0) {
    const fitted = fitLines(lines.map(showUnseen), columnsOf(process.stdout));
    process.stdout.write(`${fitted.join("\n")}\n`);
  }
}

/** Columns padded to their widest cell; the last one is not. */
export function alignColumns(table: readonly (readonly string[])[]): string[] {
  const rows = table.map((row) => row.map(inOneLine));
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

/** A row is one line, whatever somebody has put into a cell. */
function inOneLine(cell: string): string {
  return showUnseen(cell).replaceAll("\n", "\\u000a").replaceAll("\t", "\\u0009");
}

const numberFormat = new Intl.NumberFormat("en-GB");

/** 49102 → 49,102 */
export function formatCount(count: number): string {
  return numberFormat.format(count);
}

/** 1 → 1 record, 2 → 2 records */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
