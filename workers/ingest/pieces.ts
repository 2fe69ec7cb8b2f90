/**
 * A load and the pieces of its file: those that are in the ledger already are counted and not read, and those that it
 * brings are kept for the next file that has them, when each of their records became a row as it stands and none was
 * held back, marked an import complete or describes an account in two ways.
 */
import { pieceRules, piecesProbedBytes, surveyedFirstBytes } from "../../config/limits.ts";
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
import { confirmEpoch, type KeptChunk, type LoadKnown, pieceKeyOf } from "./known.ts";

/** Where pieces are kept, and what they are digested under. */
type PieceContext = { database: Queryable; keyEncryptionKey: Buffer };

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
  /** Of a file that is being cut as it is read; null: it was before. */
  readonly #cutter: PieceCutter | null;
  readonly #knownStarts: ReadonlySet<number>;
  readonly #epoch: number;
  /** How many of the pieces were asked for. */
  #asked = 0;

  private constructor(
    delivery: PieceDelivery,
    {
      pieces,
      known,
      epoch,
      cutter = null,
    }: {
      pieces: readonly Piece[];
      known: LoadPieces["known"]["pieces"];
      epoch: number;
      cutter?: PieceCutter | null;
    },
  ) {
    this.#delivery = delivery;
    this.#pieces = pieces;
    this.#cutter = cutter;
    this.known = { pieces: known, ...(cutter === null ? {} : { cutter }) };
    this.#knownStarts = new Set(known.map(({ firstIndex }) => firstIndex));
    this.#epoch = epoch;
  }

  /**
   * Surveys a file, and looks which of its pieces are there. @param after what was cut while so many of its records were
   * read, which are not to be read again @throws DeliveryRefused as the survey does
   */
  static async survey(
    context: PieceContext,
    delivery: PieceDelivery,
    reader: DeliveryReader,
    rules: PieceRules,
    after: { records: number; pieces: LoadPieces } | null = null,
  ): Promise<LoadPieces> {
    const { pieces } = await cut(context, delivery, reader, rules);
    const { epoch, found } = await find(context.database, delivery, pieces);
    const known = pieces.flatMap((piece) => {
      const loaded = found.get(piece.digest.toString("base64"));
      return loaded?.records === piece.records && piece.firstIndex >= (after?.records ?? 0)
        ? [{ ...piece, userIds: loaded.userIds }]
        : [];
    });
    const surveyed = new LoadPieces(delivery, { pieces, known, epoch });
    if (after !== null) surveyed.#place = after.pieces.#place;
    return surveyed;
  }

  /** For a file whose pieces are cut while it is read. */
  static async begin(context: PieceContext, delivery: PieceDelivery, rules: PieceRules): Promise<LoadPieces> {
    const cutter = new PieceCutter(await pieceKeyOf(context, delivery.partnerId), rules);
    const epoch = await readEpoch(context.database, delivery.partnerId);
    return new LoadPieces(delivery, { pieces: cutter.pieces, known: [], epoch, cutter });
  }

  /** Whether a piece of the file is at its end. */
  get hasCut(): boolean {
    return this.#pieces.length > 0;
  }

  /**
   * Whether one of the pieces that were cut since this was last asked is there already, so that the file is better
   * surveyed. Of its front only: behind that it is not looked for.
   */
  async isFrontKnown(database: Queryable): Promise<boolean> {
    const asked = this.#pieces.slice(this.#asked).filter(({ start }) => start < piecesProbedBytes);
    this.#asked = this.#pieces.length;
    const digests = asked.map(({ digest }) => digest);
    return (await findLoaded(database, this.#delivery, this.#epoch, digests)).size > 0;
  }

  async epoch(database: Queryable): Promise<number> {
    return await readEpoch(database, this.#delivery.partnerId);
  }

  async confirm(transaction: Transaction): Promise<void> {
    await confirmEpoch(transaction, this.#delivery, this.#epoch);
  }

  async keep(transaction: Transaction, chunk: KeptChunk): Promise<() => void> {
    const { kept, place } = this.#completedBy(chunk);
    await keepLoaded(transaction, this.#delivery, chunk.epoch, kept);
    return () => (this.#place = place);
  }

  /** What a chunk completes whose transaction goes on; the next chunk goes on behind it. */
  gather(chunk: KeptChunk): LoadedPiece[] {
    const { kept, place } = this.#completedBy(chunk);
    this.#place = place;
    return kept;
  }

  #completedBy({ from, to, epoch, assigned, spoiled }: KeptChunk): { kept: LoadedPiece[]; place: PiecePlace } {
    const kept: LoadedPiece[] = [];
    let { nth, begun } = this.#place;
    for (let piece = this.#pieceAt(nth); piece !== null && piece.firstIndex < to; piece = this.#pieceAt(nth)) {
      const { firstIndex, records, digest } = piece;
      const end = firstIndex + records;
      const part = this.#knownStarts.has(firstIndex)
        ? null
        : join(begun, {
            ...assigned.rowsBetween(0, Math.max(firstIndex, from), Math.min(end, to)),
            epoch,
            isSpoiled: spoiled === "all" || spoiled.some(({ index }) => index >= firstIndex && index < end),
          });
      if (end > to) return { kept, place: { nth, begun: part } };
      if (part !== null && !part.isSpoiled && part.rows === records)
        kept.push({ digest, records, userIds: ascending(part.userIds) });
      nth += 1;
      begun = null;
    }
    return { kept, place: { nth, begun } };
  }

  /** One that is not at its end yet has records without end. */
  #pieceAt(nth: number): Pick<Piece, "firstIndex" | "records" | "digest"> | null {
    const piece = this.#pieces[nth];
    const openIndex = this.#cutter?.openIndex ?? null;
    return piece ?? (openIndex === null ? null : { firstIndex: openIndex, records: Infinity, digest: noDigest });
  }
}

const noDigest = Buffer.alloc(0);

async function cut(
  context: PieceContext,
  { partnerId }: PieceDelivery,
  reader: DeliveryReader,
  rules: PieceRules,
): Promise<PieceCutter> {
  const cutter = new PieceCutter(await pieceKeyOf(context, partnerId), rules);
  await reader.survey(cutter);
  return cutter;
}

async function find(
  database: Queryable,
  delivery: PieceDelivery,
  pieces: readonly Piece[],
): Promise<{ epoch: number; found: Awaited<ReturnType<typeof findLoaded>> }> {
  const epoch = await readEpoch(database, delivery.partnerId);
  const digests = pieces.map(({ digest }) => digest);
  return { epoch, found: await findLoaded(database, delivery, epoch, digests) };
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
