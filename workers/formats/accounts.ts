/** `accounts_*.csv`: whose account it is, and whether the user's history is complete with what was sent before. */
import { bankUserIdLengthMax, identifierLengthMax } from "../../config/limits.ts";
import { type CheckedRecord, type JsonObject, type Problem, readText } from "../records/record.ts";
import type { CsvKind } from "./csv.ts";

export const accountsCsv: CsvKind = {
  meaning: "One account a row: whose it is, and whether the user's history is complete with what was sent before.",
  neededColumns: ["bank_id", "user_id", "account_number"],
  columns: ["bank_id", "user_id", "account_number", "import_completed"],
  toRecord: (field) => ({
    bank_id: field("bank_id"),
    user_id: field("user_id"),
    account_number: field("account_number"),
    import_completed: field("import_completed"),
  }),
  check: checkAccount,
  fields: { user: "user_id", transaction: "account_number", account: "account_number" },
  createReader: () => null,
};

const truths: ReadonlyMap<unknown, boolean> = new Map([
  ["", false],
  ["false", false],
  ["0", false],
  ["true", true],
  ["1", true],
]);

function checkAccount(record: JsonObject): CheckedRecord | Problem[] {
  const problems: Problem[] = [];
  const bankId = readText(problems, record, "bank_id", "bank_id", identifierLengthMax);
  const uid = readText(problems, record, "user_id", "user_id", bankUserIdLengthMax);
  const accountNumber = readText(problems, record, "account_number", "account_number", identifierLengthMax);
  const completesImport = truths.get(String(record.import_completed).toLowerCase());
  if (completesImport === undefined)
    problems.push({ field: "import_completed", reason: "is none of true, false, 1, 0" });
  if (completesImport === undefined || problems.length > 0) return problems;
  return { kind: "account", owner: { bankId, accountNumber }, uid, completesImport };
}
