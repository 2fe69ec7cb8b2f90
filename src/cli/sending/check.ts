/** `tideline check`: what is wrong with a table or a file of statements, told before it is encrypted and sent. Needs neither keys nor a database. */
import { basename } from "node:path";
import {
  type CheckedRecords,
  checkCsvFile,
  type CsvFileKind,
  csvFileKinds,
  type CsvProblem,
} from "../../../workers/formats/check-csv.ts";
import { checkCamtFile, type CheckedStatements } from "../../../workers/formats/check-camt.ts";
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
tideline check FILE… [--as accounts|transactions|statements] [--unquoted] [--decimal comma] [--encoding windows-1252]
               [--dates DD.MM.YYYY] [--columns OWN:COLUMN,…] [--json]

Reads tables, accounts_*.csv and transactions_*.csv, and statements, *.xml (camt.053 and camt.054), .gz too, as the
service would, and prints what it would refuse, by line and column or element, and whose balances differ. Before they
are encrypted; no keys are needed, nothing is stored, and no value is printed.
--as: what the file is, where its name does not say so.
The other options, of tables, are what the operator has set for the bank, as csv.unquoted, csv.decimal
(${csvDecimals.join(", ")}), csv.encoding (${csvEncodings.join(", ")}), csv.dates (${csvDates.join(", ")}) and csv.columns.
Whose an account is, and what is known already, only the service knows. Exits with 3 when something would be refused.
`;

/** Of a file; --json prints so many too, and counts all. */
const problemsMax = 1000;
const problemsShownMax = 20;

/** What a file may be. */
const kinds = [...csvFileKinds, "statements"] as const;
type Kind = CsvFileKind | "statements";

type CheckedFile = CheckedRecords & {
  file: string;
  /** Why the file would be refused whole. */
  refusal: { code: string; reason: string } | null;
  problems: CsvProblem[];
  problemsTotal: number;
  /** Absent of a table. */
  statements?: CheckedStatements;
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
  const kind = values.as === undefined ? null : oneOf(values.as, kinds, "--as");
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
function kindOf(file: string, asked: Kind | null): { kind: Kind; isGzip: boolean } {
  const name = basename(file).toLowerCase();
  if (/\.(pgp|gpg|asc)$/.test(name)) usageError(`${file} is encrypted; check it before that.`);
  const table = csvFileKinds.find((kind) => name.startsWith(`${kind}_`) && /\.csv(\.gz)?$/.test(name));
  const kind = asked ?? (/\.xml(\.gz)?$/.test(name) ? "statements" : table);
  if (kind === undefined)
    return usageError(
      `${file} is called neither accounts_*.csv nor transactions_*.csv nor *.xml, which it must be called to be read; --as checks it all the same.`,
    );
  return { kind, isGzip: name.endsWith(".gz") };
}

async function checkFile(
  file: string,
  { kind, isGzip, dialect }: { kind: Kind; isGzip: boolean; dialect: CsvDialect },
): Promise<CheckedFile> {
  const problems: CsvProblem[] = [];
  const found: CheckedFile = {
    file,
    records: 0,
    refused: 0,
    refusal: null,
    problems,
    problemsTotal: 0,
  };
  const note = (problem: CsvProblem) => {
    found.problemsTotal += 1;
    if (problems.length < problemsMax) problems.push(problem);
  };
  try {
    if (kind !== "statements") {
      const counted = await checkCsvFile(file, { kind, isGzip, dialect }, note);
      return { ...found, ...counted };
    }
    const { records, refused, ...statements } = await checkCamtFile(file, isGzip, note);
    return { ...found, records, refused, statements };
  } catch (error) {
    if (!(error instanceof DeliveryRefused)) throw error;
    return { ...found, refusal: { code: error.code, reason: error.message } };
  }
}

function describe(checked: CheckedFile): string[] {
  const { file, records, refused, refusal, problems, problemsTotal, statements } = checked;
  if (refusal !== null) return [`${file}: would be refused whole. ${refusal.reason}`];
  const within = statements === undefined ? "" : ` of ${countOf(statements.statements, "statement")}`;
  const pending =
    statements === undefined || statements.notBooked === 0
      ? ""
      : `; ${countOf(statements.notBooked, "entry", "entries")} not booked`;
  const found =
    refused === 0
      ? `${countOf(records, "record")}${within}, nothing to refuse`
      : `${formatCount(refused)} of ${countOf(records, "record")}${within} would be refused`;
  const shown = problems.slice(0, problemsShownMax);
  const more = problemsTotal - shown.length;
  return [
    `${file}: ${found}${pending}`,
    ...alignColumns(shown.map((one) => [`  line ${one.line}`, one.field || "record", one.reason])),
    ...(more > 0 ? [`  and ${countOf(more, "more problem", "more problems")}`] : []),
  ];
}
