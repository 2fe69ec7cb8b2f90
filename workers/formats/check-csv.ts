/**
 * A table looked at before it is sent: everything about it that its loader would refuse, without keys, database or
 * vault. What depends on the ledger (whose an account is, what is known already) is not asked.
 */
import { createReadStream } from "node:fs";
import type { CsvDialect } from "../../src/partners/settings/csv-rules.ts";
import type { Problem } from "../records/record.ts";
import { accountsCsv } from "./accounts.ts";
import { checkRow, type CsvKind, readCsvGroups } from "./csv.ts";
import { gunzip } from "./gzip.ts";
import { start } from "./reader.ts";
import { transactionsCsv } from "./transactions.ts";

const kinds = { accounts: accountsCsv, transactions: transactionsCsv } as const satisfies Record<string, CsvKind>;
export type CsvFileKind = keyof typeof kinds;
export const csvFileKinds = Object.keys(kinds) as CsvFileKind[];

export type CsvProblem = Problem & { line: number };
export type CheckedRecords = { records: number; refused: number };

const pieceBytes = 256 * 1024;

/**
 * Reads the file to its end, in constant memory. @param onProblem called for each, in order of lines @throws
 * DeliveryRefused for what would refuse the whole file
 */
export async function checkCsvFile(
  file: string,
  { kind, isGzip, dialect }: { kind: CsvFileKind; isGzip: boolean; dialect: CsvDialect },
  onProblem: (problem: CsvProblem) => void,
): Promise<CheckedRecords> {
  const bytes = createReadStream(file, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>;
  const counted: CheckedRecords = { records: 0, refused: 0 };
  for await (const group of readCsvGroups(kinds[kind], isGzip ? gunzip(bytes) : bytes, dialect, start, null)) {
    for (const part of group.parts) {
      if (part.kind === "rows") throw new TypeError("a table was not read as values");
      for (const [at, value] of part.values.entries()) {
        const checked = checkRow(kinds[kind], value, dialect);
        counted.records += 1;
        if (!Array.isArray(checked)) continue;
        counted.refused += 1;
        for (const problem of checked) onProblem({ line: part.lines?.[at] ?? 0, ...problem });
      }
    }
  }
  return counted;
}
