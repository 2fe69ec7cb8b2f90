/** What a load knows of its file because an earlier one brought it; of pieces in pieces.ts, of batches in known-batches.ts. */
import { createHmac } from "node:crypto";
import { packageVersion, type Queryable, type Transaction } from "../../src/database/database.ts";
import { type PieceDelivery, readEpoch } from "../../src/partners/loaded-pieces.ts";
import type { Known } from "../formats/reader.ts";
import type { AssignedChunk } from "./assign.ts";
import type { LineRequest, RecordLocation } from "./chunk.ts";

/** What was known when the load began to read may be so no more: the rest is to be read. */
export class KnownVoided extends Error {
  override readonly name = "KnownVoided";
}

export type LoadKnown = {
  readonly known: Known;
  /** To be asked before a chunk's records are looked at. */
  epoch(database: Queryable): Promise<number>;
  /** Within the transaction that counts what is known. @throws KnownVoided */
  confirm(transaction: Transaction): Promise<void>;
  /** Keeps what the chunk brought, for files that come later. @returns what is to be called when it is committed */
  keep(transaction: Transaction, chunk: KeptChunk): Promise<() => void>;
};

/** The delivery's records from `from` up to, not including, `to`. */
export type KeptChunk = {
  from: number;
  to: number;
  /** As it was before the chunk's records were looked at. */
  epoch: number;
  assigned: AssignedChunk;
  requests: readonly LineRequest[];
  /** Records that did not simply become rows, or were there. */
  spoiled: readonly RecordLocation[] | "all";
};

/** @throws KnownVoided when something of what was known in that epoch has changed */
export async function confirmEpoch(
  transaction: Transaction,
  { partnerId }: PieceDelivery,
  epoch: number,
): Promise<void> {
  if ((await readEpoch(transaction, partnerId)) !== epoch) throw new KnownVoided();
}

/** What pieces are digested under: nobody who writes payments' texts knows it, so nobody can make two pieces alike. */
export async function pieceKeyOf(
  { keyEncryptionKey }: { keyEncryptionKey: Buffer },
  partnerId: string,
): Promise<Buffer> {
  return createHmac("sha256", keyEncryptionKey)
    .update(`pieces of files\n${await saltOf(partnerId)}`)
    .digest();
}

/** Another version may read the same record otherwise, and no partner's pieces are another's. */
export async function saltOf(partnerId: string): Promise<string> {
  return `${await packageVersion()}\n${partnerId}\n`;
}
