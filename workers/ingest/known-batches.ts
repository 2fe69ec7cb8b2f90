/**
 * A load and the batches of its file: those that are in the ledger already are counted, by their sealed bytes where the
 * same bytes came before, else by what they open to; and those that it brings are kept for the next file that has them,
 * as pieces are (pieces.ts).
 */
import { hash } from "node:crypto";
import type { Queryable, Transaction } from "../../src/database/database.ts";
import { findUsedRequests } from "../../src/deliveries/requests.ts";
import { ascending } from "../../src/ledger/owners.ts";
import { findLoaded, keepLoaded, type PieceDelivery, readEpoch } from "../../src/partners/loaded-pieces.ts";
import type { DeliveryReader, Known, KnownBatch, KnownBatches, SealedBatch } from "../formats/reader.ts";
import { confirmEpoch, type KeptChunk, type LoadKnown, saltOf } from "./known.ts";

type Digesting = Required<Pick<DeliveryReader, "digestBatches">>;

/** Of batches that were opened each is asked for while they are known, and one in so many while they are not. */
const askedOneIn = 8;

export class LoadBatches implements LoadKnown {
  readonly known: Known;
  readonly #delivery: PieceDelivery;
  readonly #salt: string;
  readonly #epoch: number;
  readonly #sealed: ReadonlyMap<number, Buffer>;

  private constructor(delivery: PieceDelivery, { salt, epoch, digested, known }: Surveyed) {
    this.#delivery = delivery;
    this.#salt = salt;
    this.#epoch = epoch;
    this.#sealed = new Map(digested.map(({ batch, sha256 }) => [batch, sha256]));
    this.known = { batches: known };
  }

  /** Digests a file's batches, and looks which of them are there. */
  static async survey(
    database: Queryable,
    delivery: PieceDelivery,
    reader: Digesting,
    batchesMax: number,
  ): Promise<LoadBatches> {
    const salt = await saltOf(delivery.partnerId);
    const digested = await reader.digestBatches(batchesMax);
    const epoch = await readEpoch(database, delivery.partnerId);
    const find = (digests: readonly Buffer[]) => findLoaded(database, delivery, epoch, digests);
    const sealed = await findSealed(database, delivery, { salt, digested, find });
    const findOpened = openedFinder(async (content) => {
      const digest = digestOf(salt, "opened", content);
      return (await find([digest])).get(nameOf(digest)) ?? null;
    });
    return new LoadBatches(delivery, { salt, epoch, digested, known: { sealed, findOpened } });
  }

  async epoch(database: Queryable): Promise<number> {
    return await readEpoch(database, this.#delivery.partnerId);
  }

  async confirm(transaction: Transaction): Promise<void> {
    await confirmEpoch(transaction, this.#delivery, this.#epoch);
  }

  async keep(transaction: Transaction, { epoch, assigned, requests, spoiled }: KeptChunk): Promise<() => void> {
    if (spoiled !== "all") {
      const spoiledBatches = new Set(spoiled.map(({ batch }) => batch));
      const pieces = requests.flatMap(({ batch, records, contentSha256 }) => {
        const { rows, userIds } = assigned.rowsBetween(batch, 0, records);
        if (rows === 0 || rows !== records || spoiledBatches.has(batch)) return [];
        const sealed = this.#sealed.get(batch);
        const digests = [digestOf(this.#salt, "opened", contentSha256)];
        if (sealed !== undefined) digests.push(digestOf(this.#salt, "sealed", sealed, contentSha256));
        return digests.map((digest) => ({ digest, records, userIds: ascending(userIds) }));
      });
      await keepLoaded(transaction, this.#delivery, epoch, pieces);
    }
    return () => undefined;
  }
}

type Surveyed = { salt: string; epoch: number; digested: readonly SealedBatch[]; known: KnownBatches };

type Digested = {
  salt: string;
  digested: readonly SealedBatch[];
  find(digests: readonly Buffer[]): Promise<ReadonlyMap<string, KnownBatch>>;
};

/** Known by its bytes is a batch whose reqId stands for what the same bytes opened to; any other is opened. */
async function findSealed(
  database: Queryable,
  { partnerId }: PieceDelivery,
  { salt, digested, find }: Digested,
): Promise<KnownBatches["sealed"]> {
  const requestIds = new Set(digested.map(({ requestId }) => requestId));
  const contents = await findUsedRequests(database, partnerId, [...requestIds]);
  const used = digested.flatMap(({ batch, sha256, requestId }) => {
    const content = contents.get(requestId);
    if (content === undefined) return [];
    const contentSha256 = Buffer.from(content, "hex");
    return [
      { batch, request: { id: requestId, contentSha256 }, digest: digestOf(salt, "sealed", sha256, contentSha256) },
    ];
  });
  const found = await find(used.map(({ digest }) => digest));
  return new Map(
    used.flatMap(({ batch, request, digest }) => {
      const loaded = found.get(nameOf(digest));
      return loaded === undefined ? [] : [[batch, { records: loaded.records, userIds: loaded.userIds, request }]];
    }),
  );
}

/** Asking costs a way to the database, which a file of new batches would go in vain. */
function openedFinder(find: KnownBatches["findOpened"]): KnownBatches["findOpened"] {
  let opened = 0;
  let isLikely = true;
  return async (content) => {
    opened += 1;
    if (!isLikely && opened % askedOneIn !== 0) return null;
    const found = await find(content);
    isLikely = found !== null;
    return found;
  };
}

/** @param digests of 32 bytes each */
function digestOf(salt: string, of: "sealed" | "opened", ...digests: Buffer[]): Buffer {
  return hash("sha256", Buffer.concat([Buffer.from(`${salt}${of}\n`), ...digests]), "buffer");
}

/** As findLoaded names it. */
function nameOf(digest: Buffer): string {
  return digest.toString("base64");
}
