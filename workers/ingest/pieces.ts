/**
 * A load and the pieces of its file: those that are in the ledger already are counted and not read, and those that it
 * brings are kept for the next file that has them, when each of their records became a row as it stands and none was
 * held back, marked an import complete or describes an account in two ways.
 */
import { pieceRules, surveyedFirstBytes } from "../../config/limits.ts";
import {
  findLoaded,
  keepLoaded,
  type LoadedPiece,
  type PieceDelivery,
  readEpoch,
} from "../../src/partners/loaded-pieces.ts";
import type { Queryable, Transaction } from "../../src/database/database.ts";
import { type Piece, PieceCutter, type PieceRules } from "../bytes/piece-cutter.ts";
import type { DeliveryReader, Known } from "../formats/reader.ts";
import { ascending } from "../../src/ledger/owners.ts";
import { confirmEpoch, type KeptChunk, type LoadKnown, saltOf } from "./known.ts";

/** Which files are surveyed before they are read, and how they are cut. */
export type PieceUse = { fromBytes: number; rules: PieceRules };

export const usualPieces: PieceUse = { fromBytes: surveyedFirstBytes, rules: pieceRules };

/** Of a piece that two chunks share, what the first of them made of its part. */
type Begun = { rows: number; userIds: readonly number[]; epoch: number; isSpoiled: boolean };

/** Where a load stands among its pieces; a chunk moves it on when it is committed. */
type PiecePlace = { nth: number; begun: Begun | null };

export class LoadPieces implements LoadKnown {
  readonly known: Known & Required<Pick<Known, "pieces">>;
  #place: PiecePlace = { nth: 0, begun: null };
  readonly #delivery: PieceDelivery;
  readonly #pieces: readonly Piece[];
  readonly #knownStarts: ReadonlySet<number>;
  readonly #epoch: number;

  private constructor(
    delivery: PieceDelivery,
    { pieces, known, epoch }: { pieces: readonly Piece[]; known: LoadPieces["known"]["pieces"]; epoch: number },
  ) {
    this.#delivery = delivery;
    this.#pieces = pieces;
    this.known = { pieces: known };
    this.#knownStarts = new Set(known.map(({ firstIndex }) => firstIndex));
    this.#epoch = epoch;
  }

  /** Surveys a file, and looks which of its pieces are there. @throws DeliveryRefused as the survey does */
  static async survey(
    database: Queryable,
    delivery: PieceDelivery,
    reader: DeliveryReader,
    rules: PieceRules,
  ): Promise<LoadPieces> {
    const cutter = new PieceCutter(await saltOf(delivery.partnerId), rules);
    await reader.survey(cutter);
    const epoch = await readEpoch(database, delivery.partnerId);
    const digests = cutter.pieces.map(({ digest }) => digest);
    const found = await findLoaded(database, delivery, epoch, digests);
    const known = cutter.pieces.flatMap((piece) => {
      const loaded = found.get(piece.digest.toString("base64"));
      return loaded?.records === piece.records ? [{ ...piece, userIds: loaded.userIds }] : [];
    });
    return new LoadPieces(delivery, { pieces: cutter.pieces, known, epoch });
  }

  async epoch(database: Queryable): Promise<number> {
    return await readEpoch(database, this.#delivery.partnerId);
  }

  async confirm(transaction: Transaction): Promise<void> {
    await confirmEpoch(transaction, this.#delivery, this.#epoch);
  }

  async keep(transaction: Transaction, { from, to, epoch, assigned, spoiled }: KeptChunk): Promise<() => void> {
    const kept: LoadedPiece[] = [];
    let { nth, begun } = this.#place;
    for (let piece = this.#pieces[nth]; piece !== undefined && piece.firstIndex < to; piece = this.#pieces[nth]) {
      const end = piece.firstIndex + piece.records;
      const part = this.#knownStarts.has(piece.firstIndex)
        ? null
        : join(begun, {
            ...assigned.rowsBetween(0, Math.max(piece.firstIndex, from), Math.min(end, to)),
            epoch,
            isSpoiled:
              spoiled === "all" || spoiled.some(({ index }) => index >= (piece?.firstIndex ?? 0) && index < end),
          });
      if (end > to) return await this.#finish(transaction, epoch, kept, { nth, begun: part });
      if (part !== null && !part.isSpoiled && part.rows === piece.records)
        kept.push({ digest: piece.digest, records: piece.records, userIds: ascending(part.userIds) });
      nth += 1;
      begun = null;
    }
    return await this.#finish(transaction, epoch, kept, { nth, begun });
  }

  async #finish(
    transaction: Transaction,
    epoch: number,
    kept: readonly LoadedPiece[],
    place: PiecePlace,
  ): Promise<() => void> {
    await keepLoaded(transaction, this.#delivery, epoch, kept);
    return () => (this.#place = place);
  }
}

function join(begun: Begun | null, part: Begun): Begun {
  if (begun === null) return part;
  return {
    rows: begun.rows + part.rows,
    userIds: [...begun.userIds, ...part.userIds],
    epoch: part.epoch,
    isSpoiled: begun.isSpoiled || part.isSpoiled || begun.epoch !== part.epoch,
  };
}
