/** The benchmark's files, sealed as a partner seals them. */
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createGzip } from "node:zlib";
import { type BenchRecord, type Range, recordsOf, recordsPerUser } from "./records.ts";
import type { World } from "./world.ts";

export const formats = [
  "jwe",
  "jsonl",
  "transactions.csv",
  "transactions.csv.pgp",
  "transactions.csv.gz.pgp",
  "camt.xml.pgp",
  "camt.xml.gz.pgp",
] as const;
export type Format = (typeof formats)[number];

const recordsPerLine = 750;
const pieceCharacters = 64 * 1024;

/** @returns the file's name in the vault */
export async function writeFile(world: World, format: Format, range: Range): Promise<string> {
  const name = `${range.from}-${range.count}.${format}`;
  const file = path.join(world.vaultDirectory, name);
  if (format === "jwe") await writeJwe(world, range, file);
  else if (format === "jsonl") await writeLines(world, range, file);
  else if (format === "transactions.csv") await writeClearTable(world, range, file);
  else
    await writePgp(
      world,
      format.startsWith("camt") ? asStatements(range) : asTable(range),
      file,
      format.includes(".gz"),
    );
  return name;
}

export function removeFile({ vaultDirectory }: World, name: string): Promise<void> {
  return rm(path.join(vaultDirectory, name));
}

async function writeJwe({ sealer }: World, range: Range, file: string): Promise<void> {
  await pipeline(sealer.sealStream(asArray(range)), createWriteStream(file));
}

async function* asArray(range: Range): AsyncGenerator<string> {
  let separator = "[";
  for (const record of recordsOf(range)) {
    yield separator + JSON.stringify(record);
    separator = ",";
  }
  yield "]";
}

async function writeLines({ sealer }: World, range: Range, file: string): Promise<void> {
  const lines = async function* () {
    for (let from = range.from, end = range.from + range.count; from < end; from += recordsPerLine) {
      const batch = [...recordsOf({ from, count: Math.min(recordsPerLine, end - from) })];
      yield `${JSON.stringify({ reqId: randomUUID(), txs: await sealer.seal(JSON.stringify(batch)) })}\n`;
    }
  };
  await pipeline(Readable.from(lines()), createWriteStream(file));
}

/** As the vault keeps a table that came in the clear. */
async function writeClearTable({ sealer }: World, range: Range, file: string): Promise<void> {
  await pipeline(sealer.sealStream(asTable(range)), createWriteStream(file));
}

/**
 * The same in the order of a day: neighbours are of different accounts. @returns the file's name in the vault
 */
export async function writeMixedTable({ sealer, vaultDirectory }: World, count: number): Promise<string> {
  const name = `mixed-${count}.csv`;
  const lines = inLargePieces(csvLines(mixed(count)));
  await pipeline(sealer.sealStream(lines), createWriteStream(path.join(vaultDirectory, name)));
  return name;
}

/** In the order of a day: neighbours are of different accounts. */
export function* mixed(count: number): Generator<BenchRecord> {
  for (let nth = 0; nth < recordsPerUser; nth += 1)
    for (let from = nth; from < count; from += recordsPerUser) yield* recordsOf({ from, count: 1 });
}

async function writePgp(
  { pgpKey }: World,
  pieces: AsyncIterable<string>,
  file: string,
  zipped: boolean,
): Promise<void> {
  const { createMessage, encrypt, readKey } = await import("openpgp");
  const text = Readable.from(pieces).pipe(zipped ? createGzip() : new PassThrough());
  const message = await createMessage({ binary: Readable.toWeb(text) as ReadableStream<Uint8Array> });
  const encrypted = await encrypt({ message, encryptionKeys: await readKey({ armoredKey: pgpKey }), format: "binary" });
  await pipeline(Readable.fromWeb(encrypted as ReadableStream<Uint8Array>), createWriteStream(file));
}

/**
 * In large pieces, as GnuPG reads a file: OpenPGP.js makes a packet part of each piece, and small ones cost it dearly.
 */
async function* asTable(range: Range): AsyncGenerator<string> {
  yield* inLargePieces(csvLines(recordsOf(range)));
}

/** One statement an account, as a bank's nightly file has them. */
async function* asStatements(range: Range): AsyncGenerator<string> {
  yield* inLargePieces(camtLines(range));
}

function* camtLines(range: Range): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr>\n';
  let open: string | null = null;
  for (const { account, tx } of recordsOf(range)) {
    if (account.id !== open) {
      if (open !== null) yield "</Stmt>\n";
      yield `<Stmt><Id>S</Id><Acct><Id><Othr><Id>${account.id}</Id></Othr></Id><Nm>${xml(account.name)}</Nm><Svcr><FinInstnId><BICFI>bank</BICFI></FinInstnId></Svcr></Acct>\n`;
      open = account.id;
    }
    yield entryLine(tx);
  }
  yield `${open === null ? "" : "</Stmt>\n"}</BkToCstmrStmt></Document>\n`;
}

function entryLine(
  tx: ReturnType<typeof recordsOf> extends Iterable<infer Record extends { tx: unknown }> ? Record["tx"] : never,
): string {
  const amount = `<Amt Ccy="${tx.currency}">${Math.abs(tx.amount)}</Amt>`;
  const side = `<CdtDbtInd>${tx.amount < 0 ? "DBIT" : "CRDT"}</CdtDbtInd>`;
  const day = `<Dt>${tx.txTime.slice(0, 10)}</Dt>`;
  const codes = "<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>CCRD</Cd><SubFmlyCd>POSD</SubFmlyCd></Fmly></Domn></BkTxCd>";
  const party = `<RltdPties><Cdtr><Pty><Nm>${xml(tx.merchant.name)}</Nm></Pty></Cdtr></RltdPties>`;
  return `<Ntry>${amount}${side}<Sts><Cd>BOOK</Cd></Sts><BookgDt>${day}</BookgDt><ValDt>${day}</ValDt><AcctSvcrRef>${tx.txid}</AcctSvcrRef>${codes}<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>${amount}${side}${party}<RmtInf><Ustrd>${xml(tx.description)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n`;
}

function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

async function* inLargePieces(lines: Iterable<string>): AsyncGenerator<string> {
  let text = "";
  for (const line of lines) {
    text += line;
    if (text.length < pieceCharacters) continue;
    yield text;
    text = "";
  }
  yield text;
}

function* csvLines(records: Iterable<BenchRecord>): Generator<string> {
  yield csvLine([
    "bank_id",
    "account_number",
    "account_name",
    "iban",
    "transaction_id",
    "transaction_date",
    "type",
    "currency",
    "amount",
    "description",
    "merchant_name",
    "merchant_city",
    "merchant_post_code",
    "merchant_country",
    "mcc",
    "card_id",
    "card_pan4",
    "card_type",
  ]);
  for (const { account, card, tx } of records) {
    const { merchant } = tx;
    yield csvLine([
      "bank",
      account.id,
      account.name,
      account.iban,
      tx.txid,
      tx.txTime.slice(0, 10),
      tx.type,
      tx.currency,
      String(tx.amount),
      tx.description,
      merchant.name,
      merchant.city ?? "",
      merchant.postCode ?? "",
      merchant.country ?? "",
      String(merchant.mcc),
      card?.id ?? "",
      card?.pan4 ?? "",
      card?.cardType ?? "",
    ]);
  }
}

function csvLine(fields: string[]): string {
  return `"${fields.join('";"')}"\n`;
}
