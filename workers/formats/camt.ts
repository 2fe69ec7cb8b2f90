/**
 * `*.xml`: banks' own statements and notifications (ISO 20022 camt.053 and camt.054), one account each, as many as come
 * in a file. Their booked entries become records as those of tables do, and wait as those for their account's user.
 */
import type { IbanRules } from "../../src/partners/settings/iban-rules.ts";
import { NoStatement, StatementElements } from "../camt/elements.ts";
import { type StatedBalance, type StatedRecord, Statement, type StatementSeen } from "../camt/statement.ts";
import { xmlText } from "../camt/text.ts";
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
    groups: (from) => readGroups(file.text(), from, input.ibanRules),
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

function checkStated({ entryId, ...record }: StatedRecord): CheckedRecord | Problem[] {
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

/** What was read and stands in no group yet. */
type Read = { records: StatedRecord[]; statements: StatementSeen[]; balances: StatedBalance[]; sizeBytes: number };

async function* readGroups(
  pieces: AsyncIterable<Buffer>,
  from: Checkpoint,
  rules: IbanRules,
): AsyncGenerator<RecordGroup> {
  const statements = new StatementRecords(rules);
  let index = 0;
  // A statement's end may come behind the last record, and belongs to that one's group.
  let before: RecordGroup | null = null;
  try {
    for await (const text of xmlText(pieces)) {
      const read = statements.push(text);
      if (read === null) continue;
      if (before !== null) {
        const wanted = behind(before, from);
        if (wanted) yield wanted;
      }
      before = groupOf(read, index);
      index += before.records;
    }
    const rest = statements.end();
    const last = before === null ? groupOf(rest, 0) : withRest(before, rest);
    const wanted = last.records === 0 ? last : behind(last, from);
    if (wanted) yield wanted;
  } catch (error) {
    throw asRefusal(error);
  }
}

/** From text to records; what one piece of text holds is one group, if it holds any. */
class StatementRecords {
  readonly #elements = new StatementElements();
  readonly #rules: IbanRules;
  #statement: Statement | null = null;
  #places = 0;
  #read: Read = emptyRead();

  constructor(rules: IbanRules) {
    this.#rules = rules;
  }

  /** Null: no record was completed. @throws NoStatement */
  push(text: string): Read | null {
    this.#read.sizeBytes += text.length;
    for (const item of this.#elements.push(text)) {
      if (item.kind === "head") this.#begin(item.head);
      else if (item.kind === "entry") this.#read.records.push(...(this.#statement?.read(item.entry) ?? []));
      else this.#finish();
    }
    return this.#read.records.length === 0 ? null : this.#take();
  }

  /** What stands behind the last record. @throws NoStatement */
  end(): Read {
    this.#elements.end();
    return this.#take();
  }

  #begin(head: Parameters<typeof Statement.prototype.read>[0]): void {
    const { kind } = this.#elements;
    if (kind === null) throw new Error("a statement began before its message");
    this.#statement = new Statement(head, this.#places, kind, this.#rules);
    this.#places += 1;
    const closing = this.#statement.closing();
    if (closing !== null) this.#read.balances.push(closing);
  }

  #finish(): void {
    if (this.#statement !== null) this.#read.statements.push(this.#statement.end());
    this.#statement = null;
  }

  #take(): Read {
    const read = this.#read;
    this.#read = emptyRead();
    // Whoever reads the file again for records that waited must find what their account held beside them.
    const open = this.#statement?.closing() ?? null;
    if (open !== null) this.#read.balances.push(open);
    return read;
  }
}

function emptyRead(): Read {
  return { records: [], statements: [], balances: [], sizeBytes: 0 };
}

function groupOf({ records, statements, balances, sizeBytes }: Read, firstIndex: number): RecordGroup {
  return {
    batch: 0,
    line: 0,
    firstIndex,
    parts: records.length === 0 ? [] : [{ kind: "values", values: records, lines: records.map(({ line }) => line) }],
    records: records.length,
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
