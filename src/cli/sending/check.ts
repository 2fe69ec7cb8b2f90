/** `tideline check`: what is wrong with a table, told before it is encrypted and sent. Needs neither keys nor a database. */
import { basename } from "node:path";
import {
  type CheckedRecords,
  checkCsvFile,
  type CsvFileKind,
  csvFileKinds,
  type CsvProblem,
} from "../../../workers/formats/check-csv.ts";
import { DeliveryRefused } from "../../../workers/formats/reader.ts";
import {
  type CsvDialect,
  csvDates,
  csvDecimals,
  csvEncodings,
  parseCsvColumns,
} from "../../partners/settings/csv-rules.ts";
import { oneOf, readArguments, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, countOf, formatCount, printResult } from "../terminal/result.ts";

export const usage = `
tideline check FILE… [--as accounts|transactions] [--unquoted] [--decimal comma] [--encoding windows-1252]
               [--dates DD.MM.YYYY] [--columns OWN:COLUMN,…] [--json]

Reads tables, accounts_*.csv and transactions_*.csv (.gz too), as the service would, and prints what it would refuse,
by line and column. Before they are encrypted; no keys are needed, nothing is stored, and no value is printed.
--as: what the file is, where its name does not say so.
The other options are what the operator has set for the bank, as csv.unquoted, csv.decimal (${csvDecimals.join(", ")}),
csv.encoding (${csvEncodings.join(", ")}), csv.dates (${csvDates.join(", ")}) and csv.columns.
Whose an account is, and what is known already, only the service knows. Exits with 3 when something would be refused.
`;

/** Of a file; --json prints so many too, and counts all. */
const problemsMax = 1000;
const problemsShownMax = 20;

type CheckedFile = CheckedRecords & {
  file: string;
  /** Why the file would be refused whole. */
  refusal: { code: string; reason: string } | null;
  problems: CsvProblem[];
  problemsTotal: number;
};

export async function run(argv: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments(argv, {
    as: text,
    unquoted: { type: "boolean", default: false },
    decimal: { type: "string", default: "point" },
    encoding: { type: "string", default: "utf-8" },
    dates: { type: "string", default: "YYYY-MM-DD" },
    columns: text,
    json: { type: "boolean", default: false },
  });
  if (positionals.length === 0) usageError("Name a FILE.");
  const kind = values.as === undefined ? null : oneOf(values.as, csvFileKinds, "--as");
  const dialect: CsvDialect = {
    unquoted: values.unquoted,
    decimal: oneOf(values.decimal, csvDecimals, "--decimal"),
    encoding: oneOf(values.encoding, csvEncodings, "--encoding"),
    dates: oneOf(values.dates, csvDates, "--dates"),
    columns: values.columns === undefined ? {} : readColumns(values.columns),
  };
  const files = positionals.map((file) => ({ file, ...kindOf(file, kind) }));
  const checked: CheckedFile[] = [];
  for (const { file, ...what } of files) checked.push(await checkFile(file, { ...what, dialect }));
  printResult(values.json, checked, checked.flatMap(describe));
  return checked.some((one) => one.refusal !== null || one.refused > 0) ? exitCode.refused : exitCode.done;
}

function readColumns(text: string): Record<string, string> {
  try {
    return parseCsvColumns(text);
  } catch (error) {
    return usageError(`--columns must be ${error instanceof Error ? error.message : "a list"}.`);
  }
}

/** @throws Fault COMMAND_USAGE for what is encrypted, and for names that tell nothing. */
function kindOf(file: string, asked: CsvFileKind | null): { kind: CsvFileKind; isGzip: boolean } {
  const name = basename(file).toLowerCase();
  if (/\.(pgp|gpg|asc)$/.test(name)) usageError(`${file} is encrypted; check the table before that.`);
  const named = csvFileKinds.find((kind) => name.startsWith(`${kind}_`) && /\.csv(\.gz)?$/.test(name));
  const kind = asked ?? named;
  if (kind === undefined)
    return usageError(
      `${file} is called neither accounts_*.csv nor transactions_*.csv, which it must be called to be read; --as checks it all the same.`,
    );
  return { kind, isGzip: name.endsWith(".gz") };
}

async function checkFile(file: string, how: Parameters<typeof checkCsvFile>[1]): Promise<CheckedFile> {
  const problems: CsvProblem[] = [];
  const found: CheckedFile = { file, records: 0, refused: 0, refusal: null, problems, problemsTotal: 0 };
  try {
    const counted = await checkCsvFile(file, how, (problem) => {
      found.problemsTotal += 1;
      if (problems.length < problemsMax) problems.push(problem);
    });
    return { ...found, ...counted };
  } catch (error) {
    if (!(error instanceof DeliveryRefused)) throw error;
    return { ...found, refusal: { code: error.code, reason: error.message } };
  }
}

function describe({ file, records, refused, refusal, problems, problemsTotal }: CheckedFile): string[] {
  if (refusal !== null) return [`${file}: would be refused whole. ${refusal.reason}`];
  if (refused === 0) return [`${file}: ${countOf(records, "record")}, nothing to refuse`];
  const shown = problems.slice(0, problemsShownMax);
  const more = problemsTotal - shown.length;
  return [
    `${file}: ${formatCount(refused)} of ${countOf(records, "record")} would be refused`,
    ...alignColumns(shown.map((one) => [`  line ${one.line}`, one.field || "record", one.reason])),
    ...(more > 0 ? [`  and ${countOf(more, "more problem", "more problems")}`] : []),
  ];
}
