/**
 * A user's past as the last run left it, beside the ledger: one row with the user's payments packed, so that a night
 * reads that and what came since, where the rows of a history lie on about as many pages as there are rows.
 *
 * It is used only where nothing speaks against it. The list of changed users says what came since (markArrived); whoever
 * corrects, withdraws or takes an account away marks the user without saying so, and the history is read whole. So it
 * is when another run wrote the read model meanwhile, when the version is another one, when an account was removed,
 * when a row that came is not there, or when the bytes cannot be read. And now and then it is read whole anyway:
 * whatever went by all of these, it is put right then.
 */
import type { Transaction } from "../../database/database.ts";
import { readAccounts, type LedgerAccountState } from "../../ledger/accounts.ts";
import { copyOut, CopiedRows } from "../../ledger/copy-out.ts";
import { type LedgerTransaction, readHistory, readRows } from "../../ledger/history.ts";
import { algorithmVersion } from "../version.ts";
import { type KeptSearch, KnownSearches } from "../known-searches.ts";
import type { KeptRow } from "./kept-row.ts";
import { byDayAndTxid, packRows, unpackRows } from "./packed-rows.ts";
import { Packer, Unpacker } from "./packing.ts";
import { packSearches, unpackSearches } from "./searches.ts";
import { itemAt } from "../../present.ts";

/** Raise it with every change of what is packed, or how. */
const layoutVersion = 4;
const layoutsMax = 1_000;
const pastVersion = algorithmVersion * layoutsMax + layoutVersion;

/** Who is to be read. computedAt: of the user's read model, as its text; null before the first run. */
export type PastOwner = {
  id: number;
  computedAt: string | null;
  /** Txids of what came since, perhaps more than once; null: not known. */
  arrived: readonly string[] | null;
};

/**
 * A user's whole history. recent: what of it came since it was last read whole, and then all of it is in order, by day,
 * then txid; null: it was just now. searches: what was found at payees until then, and what is to be kept.
 */
export type Past = { history: KeptRow[]; recent: readonly KeptRow[] | null; searches: KnownSearches };

/**
 * Rows that came since the whole was read, at most: a part of it, and some. They are packed anew every night; and this
 * is how often the whole is read again.
 */
const recentRowsFew = 48;
const recentRowsShare = 0.125;

/** What is stored of users, unpacked only when it is asked for: a history takes many times the memory. */
export class StoredPasts {
  readonly #stored: ReadonlyMap<number, StoredPast>;
  readonly #arrived: ReadonlyMap<number, Arrived>;
  readonly #accounts: ReadonlyMap<number, readonly LedgerAccountState[]>;

  constructor(
    stored: ReadonlyMap<number, StoredPast>,
    arrived: ReadonlyMap<number, Arrived>,
    accounts: ReadonlyMap<number, readonly LedgerAccountState[]>,
  ) {
    this.#stored = stored;
    this.#arrived = arrived;
    this.#accounts = accounts;
  }

  /** Null: there is none, or it does not hold; the history is to be read whole. */
  of(userId: number): Past | null {
    const stored = this.#stored.get(userId);
    const arrived = this.#arrived.get(userId);
    return stored === undefined || arrived === undefined
      ? null
      : unpacked(stored, arrived, this.#accounts.get(userId) ?? []);
  }
}

/** Three queries, however many users. */
export async function readPasts(transaction: Transaction, owners: readonly PastOwner[]): Promise<StoredPasts> {
  const candidates = owners.filter(({ computedAt, arrived }) => computedAt !== null && arrived !== null);
  const stored = candidates.length === 0 ? new Map<number, StoredPast>() : await readStored(transaction, candidates);
  const told = candidates.flatMap(({ id, arrived }) =>
    stored.has(id) ? [{ userId: id, txids: [...new Set(arrived)] }] : [],
  );
  if (told.length === 0) return new StoredPasts(stored, new Map(), new Map());
  const accounts = await readAccounts(
    transaction,
    told.map(({ userId }) => userId),
  );
  const rows = await readRows(transaction, told);
  return new StoredPasts(
    stored,
    new Map(told.map(({ userId, txids }) => [userId, { txids, rows: rows.get(userId) ?? [] }])),
    accounts,
  );
}

/** Histories as the ledger has them; users without rows are there with none. */
export async function readWhole(transaction: Transaction, userIds: readonly number[]): Promise<Map<number, Past>> {
  const histories = await readHistory(transaction, userIds);
  return new Map(
    userIds.map((id) => [id, { history: histories.get(id) ?? [], recent: null, searches: new KnownSearches() }]),
  );
}

/** What came: as it was told, and as it was found. */
type Arrived = { txids: readonly string[]; rows: readonly LedgerTransaction[] };

type StoredPast = { base: Buffer; recent: Buffer };

async function readStored(transaction: Transaction, owners: readonly PastOwner[]): Promise<Map<number, StoredPast>> {
  const stored = new Map<number, StoredPast>();
  const list = (values: readonly unknown[], type: string): string => `'{${values.join(",")}}'::${type}[]`;
  const rows = new CopiedRows(
    await copyOut(
      transaction,
      `select past.user_id, past.base, past.recent
         from unnest(${list(
           owners.map(({ id }) => Number(id)),
           "bigint",
         )}, ${list(
           owners.map(({ computedAt }) => `"${instant(computedAt)}"`),
           "timestamptz",
         )}) as owner (user_id, computed_at)
         join packed_pasts past on past.user_id = owner.user_id and past.made_at = owner.computed_at
        where past.version = ${pastVersion}`,
    ),
  );
  const slice = (bytes: Buffer, from: number, to: number): Buffer => bytes.subarray(from, to);
  while (rows.next()) stored.set(rows.bigint(), { base: rows.bytes(slice), recent: rows.bytes(slice) });
  return stored;
}

/** COPY knows no parameters: nothing but what an instant is written with. */
function instant(text: string | null): string {
  if (text === null || !/^[0-9 :.+-]+$/.test(text)) throw new TypeError("this is no instant");
  return text;
}

/** Null: it does not hold. */
function unpacked(stored: StoredPast, { txids, rows }: Arrived, accounts: readonly LedgerAccountState[]): Past | null {
  if (rows.length !== txids.length || accounts.some(({ isRemoved }) => isRemoved)) return null;
  const ibans = new Map(accounts.map(({ id, iban }) => [id, iban]));
  const ibanOf = (accountId: string): string | null => ibans.get(accountId) ?? null;
  try {
    const came = new Set(txids);
    const base = unpackRows(stored.base, ibanOf);
    // What is told again, since a run that had it did not end, is there already.
    const { rows: before, searches } = unpackRecent(stored.recent, ibanOf);
    const recent = [...before.filter(({ txid }) => !came.has(txid)), ...rows];
    if (recent.length > Math.max(recentRowsFew, base.length * recentRowsShare)) return null;
    // By their numbers: texts by the thousand would be looked up for three.
    const cameAs = new Set(rows.map(({ id }) => id));
    if (came.size > 0 && base.some(({ id }) => cameAs.has(id))) return null;
    return { history: merged(base, recent.toSorted(byDayAndTxid)), recent, searches };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Both in order: few among many, which are not asked for their txids where the days tell. */
function merged(many: readonly KeptRow[], few: readonly KeptRow[]): KeptRow[] {
  const rows: KeptRow[] = [];
  let from = 0;
  for (const row of few) {
    const to = indexBehind(row, many, from);
    for (; from < to; from++) rows.push(itemAt(many, from));
    rows.push(row);
  }
  for (; from < many.length; from++) rows.push(itemAt(many, from));
  return rows;
}

/** The index of the first that does not come before the row, from one on. */
function indexBehind(row: KeptRow, rows: readonly KeptRow[], from: number): number {
  let [low, high] = [from, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byDayAndTxid(itemAt(rows, middle), row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A past as it is kept. base: null where the one that is there stays. */
export type PackedPast = { base: Buffer | null; recent: Buffer };

/** @param country of the user's brand. What came since is packed each night, and read again sooner than its readings packed. */
export function packPast({ history, recent, searches }: Past, country: string): PackedPast {
  return {
    base: recent === null ? packRows(history, country) : null,
    recent: packRecent(recent ?? [], searches.used),
  };
}

/** Rows that came, and what was found: each night both are others. */
function packRecent(rows: readonly KeptRow[], searches: ReadonlyMap<number, KeptSearch>): Buffer {
  const packer = new Packer();
  packer.bytes(packRows(rows));
  packer.bytes(packSearches(searches));
  return packer.packed();
}

function unpackRecent(
  bytes: Buffer,
  ibanOf: (accountId: string) => string | null,
): { rows: KeptRow[]; searches: KnownSearches } {
  const unpacker = new Unpacker(bytes);
  const [rows, searches] = [unpacker.bytes(), unpacker.bytes()];
  return {
    rows: unpackRows(bytes.subarray(rows.from, rows.to), ibanOf),
    searches: new KnownSearches(unpackSearches(bytes.subarray(searches.from, searches.to))),
  };
}

/**
 * Keeps what a run has read, for the next one. Only of users who have just left the list (leaveList), in the same
 * transaction: what anyone says of them from there on waits for it.
 */
export async function writePasts(
  transaction: Transaction,
  pasts: readonly { userId: number; past: PackedPast }[],
): Promise<void> {
  const whole = pasts.filter(({ past }) => past.base !== null);
  if (whole.length > 0)
    await transaction.query(
      `insert into packed_pasts (user_id, version, made_at, base, recent)
       select user_id, $4, now(), base, recent
         from unnest($1::bigint[], $2::bytea[], $3::bytea[]) as made (user_id, base, recent)
       on conflict (user_id) do update
          set version = excluded.version,
              made_at = excluded.made_at,
              base = excluded.base,
              recent = excluded.recent`,
      [
        whole.map(({ userId }) => userId),
        whole.map(({ past }) => past.base),
        whole.map(({ past }) => past.recent),
        pastVersion,
      ],
    );
  const others = pasts.filter(({ past }) => past.base === null);
  if (others.length > 0)
    await transaction.query(
      `update packed_pasts
          set made_at = now(),
              recent = made.recent
         from unnest($1::bigint[], $2::bytea[]) as made (user_id, recent)
        where packed_pasts.user_id = made.user_id`,
      [others.map(({ userId }) => userId), others.map(({ past }) => past.recent)],
    );
}
