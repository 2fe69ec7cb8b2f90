/** What the banks of the harness send: transactions whose every value is known, sealed as the interface asks. */
import { createPublicKey, type JsonWebKeyInput, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { RawTransaction } from "../../src/interface/record.ts";
import { sealToken } from "../workers/sealing.ts";
import type { Random } from "./random.ts";

/** A transaction and the one line of what a ledger must hold of it. */
export type SentRecord = { uid: string; txid: string; content: string; json: string };

/** Texts with what COPY, JSON and UTF-8 treat specially. */
const descriptions = [
  "NETTO 1234",
  "Løn\tmarts",
  "back\\slash \\N \\.",
  "line\nfeed\r",
  'Ærø øl & "citat"',
  "💳 NETFLIX.COM",
  "a".repeat(400),
  "'; drop table transactions; --",
];

/** Different for each txid, and the same for the same one. */
export function makeRecord(random: Random, uid: string, txid: string): SentRecord {
  const amount = (random.between(-500_000, 200_000) || 1) / 100;
  const day = new Date(Date.UTC(2025, 0, random.between(1, 640))).toISOString().slice(0, 10);
  const description = `${random.pick(descriptions)} ${random.between(0, 99)}`;
  const account =
    random.share() < 0.7 ? { id: `acc-${random.between(1, 3)}`, name: "Løn", iban: "DK5000400440116243" } : undefined;
  const merchant = random.share() < 0.3 ? { name: `Shop ${random.between(1, 9)}`, mcc: 5411 } : undefined;
  const tx = {
    txid,
    description,
    txTime: `${day}T12:00:00`,
    type: "CARD_PURCHASE",
    amount,
    currency: "DKK",
    ...(merchant ? { merchant } : {}),
  };
  const record: RawTransaction = { uid, type: "TX", tx, ...(account ? { account } : {}) };
  return {
    uid,
    txid,
    content: contentOf({
      amount: String(amount),
      currency: "DKK",
      description,
      day,
      account: account?.id ?? null,
      merchant: merchant?.name ?? null,
    }),
    json: JSON.stringify(record),
  };
}

export type Content = {
  amount: string;
  currency: string;
  description: string;
  day: string;
  account: string | null;
  merchant: string | null;
};

/** Comparable text; amounts by their number, since a ledger may write 1.50. */
export function contentOf({ amount, currency, description, day, account, merchant }: Content): string {
  return JSON.stringify([Number(amount), currency, description, day, account, merchant]);
}

export function makeRecords(random: Random, users: readonly string[], count: number): SentRecord[] {
  return Array.from({ length: count }, () => makeRecord(random, random.pick(users), randomUUID()));
}

export function markerJson(uid: string): string {
  return JSON.stringify({ uid, type: "IMPORT_COMPLETED" });
}

export type BatchKey = { kid: string; publicKey: ReturnType<typeof createPublicKey> };

export function readBatchKey(jwk: JsonWebKeyInput["key"] & { kid: string }): BatchKey {
  return { kid: jwk.kid, publicKey: createPublicKey({ key: jwk, format: "jwk" }) };
}

export type Request = { requestId: string; txs: string };

/** @param elements JSON texts of records and markers */
export function sealRequest(key: BatchKey, elements: readonly string[], requestId: string = randomUUID()): Request {
  return { requestId, txs: sealArray(key, elements) };
}

/** One compact JWE over a JSON array. */
export function sealArray(key: BatchKey, elements: readonly string[]): string {
  return sealToken(key, `[${elements.join(",")}]`);
}

/** Records of one line of a file; the interface allows 750. */
const recordsPerLine = 500;

export const fileFormats = ["jwe", "jsonl", "jsonl.gz"] as const;
export type FileFormat = (typeof fileFormats)[number];

/** A whole file of the format. */
export function sealFile(key: BatchKey, format: FileFormat, elements: readonly string[]): Buffer {
  if (format === "jwe") return Buffer.from(sealArray(key, elements));
  const lines: string[] = [];
  for (let from = 0; from < elements.length; from += recordsPerLine) {
    const { requestId, txs } = sealRequest(key, elements.slice(from, from + recordsPerLine));
    lines.push(`${JSON.stringify({ reqId: requestId, txs })}\n`);
  }
  const text = Buffer.from(lines.join(""));
  return format === "jsonl" ? text : gzipSync(text);
}
