/** A bank's nightly file of statements of any length, and what must be in the ledger when it is loaded. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export type Written = {
  entries: number;
  /** Payments: bundles are several. */
  payments: number;
  /** In hundredths, with signs. */
  sum: number;
  accounts: readonly { number: string; closing: number }[];
};

const entriesPerStatement = 400;
/** Every so many entries: a bundle of two payments; one without a reference, of which there are equals; money in. */
const [bundleEach, equalEach, incomeEach] = [97, 10, 31];
const opening = 1_000_000;
const linesPerPiece = 500;

/** Each account of a bank has one statement with opening and closing balance. */
export async function writeStatements(file: string, entries: number): Promise<Written> {
  const written = { entries, payments: 0, sum: 0, accounts: [] as { number: string; closing: number }[] };
  await pipeline(Readable.from(inPieces(lines(entries, written))), createWriteStream(file));
  return written;
}

type Sums = { payments: number; sum: number; accounts: { number: string; closing: number }[] };

function* lines(entries: number, sums: Sums): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>';
  yield "<GrpHdr><MsgId>NIGHT-1</MsgId><CreDtTm>2026-10-14T04:00:00+02:00</CreDtTm></GrpHdr>";
  for (let from = 0; from < entries; from += entriesPerStatement) {
    const numbers = Array.from({ length: Math.min(entriesPerStatement, entries - from) }, (_, nth) => from + nth);
    const change = numbers.reduce((sum, n) => sum + amountOf(n), 0);
    const number = accountOf(from / entriesPerStatement);
    sums.accounts.push({ number, closing: opening + change });
    sums.sum += change;
    sums.payments += numbers.length + numbers.filter(isBundle).length;
    yield `<Stmt><Id>${number}-1</Id><ElctrncSeqNb>1</ElctrncSeqNb><Acct><Id><Othr><Id>${number}</Id></Othr></Id><Svcr><FinInstnId><BICFI>OUTSDKKK</BICFI></FinInstnId></Svcr></Acct>`;
    yield balance("OPBD", opening) + balance("CLBD", opening + change);
    for (const n of numbers) yield entry(n);
    yield "</Stmt>";
  }
  yield "</BkToCstmrStmt></Document>";
}

export function accountOf(place: number): string {
  return `4000${String(place).padStart(6, "0")}`;
}

function isBundle(n: number): boolean {
  return n % bundleEach === 0;
}

function amountOf(n: number): number {
  const hundredths = n % equalEach === 1 ? 2850 : 100 + ((n * 7919) % 90_000);
  return n % incomeEach === 0 ? hundredths : -hundredths;
}

function entry(n: number): string {
  const amount = amountOf(n);
  const isEqual = n % equalEach === 1;
  const reference = isEqual ? "" : `<AcctSvcrRef>REF${n}</AcctSvcrRef>`;
  const text = isEqual ? "Kaffe &amp; brød" : `Betaling ${n} Ærø`;
  const day = "<Dt>2026-10-13</Dt>";
  const details = isBundle(n)
    ? detail(`${n}-1`, Math.abs(amount) - 50, text) + detail(`${n}-2`, 50, text)
    : `<TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`;
  return `<Ntry>${money(amount)}<CdtDbtInd>${amount < 0 ? "DBIT" : "CRDT"}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt>${day}</BookgDt><ValDt>${day}</ValDt>${reference}<NtryDtls>${details}</NtryDtls></Ntry>`;
}

function detail(reference: string, hundredths: number, text: string): string {
  return `<TxDtls><Refs><AcctSvcrRef>PART${reference}</AcctSvcrRef></Refs>${money(hundredths)}<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`;
}

function money(hundredths: number): string {
  return `<Amt Ccy="DKK">${(Math.abs(hundredths) / 100).toFixed(2)}</Amt>`;
}

function balance(code: string, hundredths: number): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${money(hundredths)}<CdtDbtInd>${hundredths < 0 ? "DBIT" : "CRDT"}</CdtDbtInd><Dt><Dt>2026-10-13</Dt></Dt></Bal>`;
}

function* inPieces(all: Iterable<string>): Generator<string> {
  let some: string[] = [];
  for (const line of all) {
    some.push(line);
    if (some.length < linesPerPiece) continue;
    yield `${some.join("\n")}\n`;
    some = [];
  }
  yield `${some.join("\n")}\n`;
}
