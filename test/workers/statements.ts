/** Statements as banks write them, for tests: what differs between versions and senders is said by whoever calls. */

export type EntryFields = {
  amount: string;
  side?: "DBIT" | "CRDT";
  currency?: string;
  booked?: string;
  status?: string;
  /** AcctSvcrRef of the entry. */
  reference?: string;
  codes?: string;
  /** XML behind the entry's own elements, such as details. */
  more?: string;
};

export type StatementFields = {
  account?: string;
  entries: readonly EntryFields[];
  /** Opening and closing balance with their signs, such as "100.00" and "-5.50". */
  balances?: readonly [opening: string, closing: string] | null;
  sequence?: number;
  closedOn?: string;
};

export function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

export function entry({
  amount,
  side = "DBIT",
  currency = "DKK",
  booked = "2026-01-31",
  status = "<Cd>BOOK</Cd>",
  reference,
  codes = "",
  more = "",
}: EntryFields): string {
  return element(
    "Ntry",
    [
      `<Amt Ccy="${currency}">${amount}</Amt>`,
      element("CdtDbtInd", side),
      element("Sts", status),
      element("BookgDt", element("Dt", booked)),
      reference === undefined ? "" : element("AcctSvcrRef", reference),
      element("BkTxCd", codes),
      more,
    ].join("\n"),
  );
}

/** A detail with its own amount and, if it has one, its own reference. */
export function detail(amount: string, text: string, reference?: string, currency = "DKK"): string {
  return element(
    "TxDtls",
    [
      reference === undefined ? "" : element("Refs", element("AcctSvcrRef", reference)),
      `<Amt Ccy="${currency}">${amount}</Amt>`,
      element("RmtInf", element("Ustrd", text)),
    ].join(""),
  );
}

export function details(...all: readonly string[]): string {
  return element("NtryDtls", all.join(""));
}

export const ibanOf = (account: string): string => element("Id", element("IBAN", account));

function balance(code: string, amount: string, day: string): string {
  const side = amount.startsWith("-") ? "DBIT" : "CRDT";
  return element(
    "Bal",
    [
      element("Tp", element("CdOrPrtry", element("Cd", code))),
      `<Amt Ccy="DKK">${amount.replace("-", "")}</Amt>`,
      element("CdtDbtInd", side),
      element("Dt", element("Dt", day)),
    ].join(""),
  );
}

function report(
  name: string,
  {
    account = ibanOf("DK5000400440116243"),
    entries,
    balances = null,
    sequence,
    closedOn = "2026-01-31",
  }: StatementFields,
): string {
  return element(
    name,
    [
      element("Id", "S-1"),
      sequence === undefined ? "" : element("ElctrncSeqNb", String(sequence)),
      element("Acct", account),
      balances === null ? "" : balance("OPBD", balances[0], closedOn) + balance("CLBD", balances[1], closedOn),
      ...entries.map(entry),
    ].join("\n"),
  );
}

function document(message: string, namespace: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${namespace}">\n${element(message, element("GrpHdr", element("MsgId", "M-1")) + content)}\n</Document>\n`;
}

/** camt.053 */
export function statements(...all: readonly StatementFields[]): string {
  return document("BkToCstmrStmt", "camt.053.001.08", all.map((one) => report("Stmt", one)).join("\n"));
}

/** camt.054 */
export function notifications(...all: readonly StatementFields[]): string {
  return document("BkToCstmrDbtCdtNtfctn", "camt.054.001.08", all.map((one) => report("Ntfctn", one)).join("\n"));
}
