/** The benchmark's files, sealed as a partner seals them. */
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createGzip } from "node:zlib";
import { type Range, recordsOf } from "./records.ts";
import type { World } from "./world.ts";

export const formats = ["jwe", "jsonl", "transactions.csv", "transactions.csv.pgp", "transactions.csv.gz.pgp"] as const;
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
  else await writePgpTable(world, range, file, format === "transactions.csv.gz.pgp");
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

async function writePgpTable({ pgpKey }: World, range: Range, file: string, zipped: boolean): Promise<void> {
  const { createMessage, encrypt, readKey } = await import("openpgp");
  const text = Readable.from(asTable(range)).pipe(zipped ? createGzip() : new PassThrough());
  const message = await createMessage({ binary: Readable.toWeb(text) as ReadableStream<Uint8Array> });
  const encrypted = await encrypt({ message, encryptionKeys: await readKey({ armoredKey: pgpKey }), format: "binary" });
  await pipeline(Readable.fromWeb(encrypted as ReadableStream<Uint8Array>), createWriteStream(file));
}

/**
 * In large pieces, as GnuPG reads a file: OpenPGP.js makes a packet part of each piece, and small ones cost it dearly.
 */
async function* asTable(range: Range): AsyncGenerator<string> {
  let text = "";
  for (const line of csvLines(range)) {
    text += line;
    if (text.length < pieceCharacters) continue;
    yield text;
    text = "";
  }
  yield text;
}

function* csvLines(range: Range): Generator<string> {
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
  for (const { account, card, tx } of recordsOf(range)) {
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
