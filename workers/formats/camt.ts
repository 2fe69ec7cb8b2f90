/**
 * `*.xml`: banks' own statements and notifications (ISO 20022 camt.053 and camt.054), one account each, as many as come
 * in a file. Their booked entries become records as those of tables do, and wait as those for their account's user.
 */
import type { IbanRules } from "../../src/partners/settings/iban-rules.ts";
import { NoStatement, StatementElements } from "../camt/elements.ts";
import type { StatedRecord } from "../camt/statement.ts";
import { type Read, StatementRecords } from "../camt/statement-records.ts";
import { xmlBytes, xmlText } from "../camt/text.ts";
import { WellFormed } from "../camt/well-formed.ts";
import { type CheckedRecord, type JsonObject, type Problem, readContents, readText } from "../records/record.ts";
import { identifierLengthMax } from "../../config/limits.ts";
import { behind, type Checkpoint, DeliveryRefused, type RecordGroup } from "./reader.ts";
import { type TextFile, textFormatsOf } from "./text-file.ts";

export const camtFormats = textFormatsOf("camt.xml", {
  name: ".*\\.xml",
  names: "*.xml",
  meaning: "One or many statements (camt.053) or notifications (camt.054) of ISO 20022, each of one account.",
  read: (input, file) => ({
    // A document shows at its end whether it is whole.
    async survey() {
      if (await refusing(() => isSurelyWhole(file))) return;
      const elements = new StatementElements();
      await refusing(async () => {
        for await (const text of xmlText(file.text())) elements.push(text);
        elements.end();
      });
    },
    groups: (from, asValues) =>
      readGroups(file.text(), from, input.ibanRules, asValues === true ? null : input.deliveryPosition),
    check: (value) => checkStated(value as StatedRecord),
    fields: { user: "Acct", transaction: "AcctSvcrRef", account: "Acct" },
  }),
});

async function isSurelyWhole(file: TextFile): Promise<boolean> {
  const wellFormed = new WellFormed();
  for await (const text of xmlText(file.text())) if (!wellFormed.push(text)) return false;
  return wellFormed.end();
}

/** How the fields of the interface's record are called here. */
const elementOf: Readonly<Record<string, string>> = {
  bankId: "Acct/Svcr",
  "account.id": "Acct/Id",
  "account.name": "Acct/Nm",
  "account.iban": "Acct/Id/IBAN",
  "tx.txTime": "Ntry/BookgDt",
  "tx.currency": "Ntry/Amt/@Ccy",
  "tx.amount": "Ntry/Amt",
  "tx.description": "RmtInf/Ustrd",
};

/** The record ready to load, or everything that is wrong with it. */
export function checkStated({ entryId, ...record }: StatedRecord): CheckedRecord | Problem[] {
  const problems: Problem[] = [];
  const value: JsonObject = record;
  const bankId = readText(problems, value, "bankId", "bankId", identifierLengthMax);
  const contents = readContents(problems, value);
  if (contents === null || problems.length > 0)
    return problems.map(({ field, reason }) => ({ field: elementOf[field] ?? field, reason }));
  return {
    kind: "account-transaction",
    owner: { bankId, accountNumber: contents.row.accountId ?? "" },
    entryId,
    ...contents,
  };
}

/** @param deliveryPosition null: as values, of which any can be picked @throws DeliveryRefused */
export async function* readGroups(
  pieces: AsyncIterable<Buffer>,
  from: Checkpoint,
  rules: IbanRules,
  deliveryPosition: number | null,
): AsyncGenerator<RecordGroup> {
  const statements = new StatementRecords(rules, deliveryPosition);
  let index = 0;
  // A statement's end may come behind the last record, and belongs to that one's group.
  let before: RecordGroup | null = null;
  try {
    for await (const piece of xmlBytes(pieces)) {
      // Records that are loaded already are passed over by picking, which rows are not made for.
      const read = statements.push(piece, index >= from.records);
      if (read === null) continue;
      if (before !== null) {
        const wanted = behind(before, from);
        if (wanted) yield wanted;
      }
      before = groupOf(read, index);
      index += before.records;
    }
    const rest = statements.end();
    const last = before === null || rest.records > 0 ? groupOf(rest, index) : withRest(before, rest);
    if (rest.records > 0 && before !== null) {
      const wanted = behind(before, from);
      if (wanted) yield wanted;
    }
    const wanted = last.records === 0 ? last : behind(last, from);
    if (wanted) yield wanted;
  } catch (error) {
    throw asRefusal(error);
  }
}

function groupOf({ parts, records, statements, balances, sizeBytes }: Read, firstIndex: number): RecordGroup {
  return {
    batch: 0,
    line: 0,
    firstIndex,
    parts,
    records,
    sizeBytes,
    startsBatch: firstIndex === 0,
    request: null,
    refusal: null,
    statements,
    balances,
  };
}

function withRest(group: RecordGroup, { statements, balances, sizeBytes }: Read): RecordGroup {
  return {
    ...group,
    sizeBytes: group.sizeBytes + sizeBytes,
    statements: [...(group.statements ?? []), ...statements],
    balances: [...(group.balances ?? []), ...balances],
  };
}

async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): unknown {
  return error instanceof NoStatement
    ? new DeliveryRefused(error.isDamaged ? "FILE_DAMAGED" : "TX_DATA_ERROR", error.message, { cause: error })
    : error;
}
