/**
 * A file of statements or notifications looked at before it is sent: everything about it that its loader would refuse,
 * and balances that differ, without keys, database or vault.
 */
import { createReadStream } from "node:fs";
import type { StatedRecord } from "../camt/statement.ts";
import { checkStated, readGroups } from "./camt.ts";
import type { CheckedRecords, CsvProblem } from "./check-csv.ts";
import { gunzip } from "./gzip.ts";
import { start } from "./reader.ts";

export type CheckedStatements = { statements: number; entries: number; notBooked: number; balancesDiffer: number };

const pieceBytes = 256 * 1024;

/**
 * Reads the file to its end, in constant memory. @param onProblem called for each: those of a statement's entries by
 * line and element; balances behind them @throws DeliveryRefused for what would refuse the whole file
 */
export async function checkCamtFile(
  file: string,
  isGzip: boolean,
  onProblem: (problem: CsvProblem) => void,
): Promise<CheckedRecords & CheckedStatements> {
  const bytes = createReadStream(file, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>;
  const counted = { records: 0, refused: 0, statements: 0, entries: 0, notBooked: 0, balancesDiffer: 0 };
  for await (const group of readGroups(isGzip ? gunzip(bytes) : bytes, start, {}, null)) {
    for (const part of group.parts) {
      if (part.kind === "rows") throw new TypeError("a statement was not read as values");
      for (const value of part.values as readonly StatedRecord[]) {
        const checked = checkStated(value);
        counted.records += 1;
        if (!Array.isArray(checked)) continue;
        counted.refused += 1;
        for (const problem of checked) onProblem({ line: value.line, ...problem });
      }
    }
    for (const { line, entries, notBooked, balances } of group.statements ?? []) {
      counted.statements += 1;
      counted.entries += entries;
      counted.notBooked += notBooked;
      if (balances !== "differ") continue;
      counted.balancesDiffer += 1;
      onProblem({ line, field: "Bal", reason: balancesDifferReason });
    }
  }
  return counted;
}

const balancesDifferReason =
  "opening balance and booked entries do not come to the closing balance; the service loads the entries all the same";
