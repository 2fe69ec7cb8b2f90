/** Which payments of a chunk of statements the ledger has in another way: see src/ledger/entry-parts.ts. */
import type { Queryable } from "../../src/database/database.ts";
import { nameKey } from "../../src/ledger/account-owners.ts";
import { type EntryPayment, findToldOtherwise, findUsersWithParts, isWhole } from "../../src/ledger/entry-parts.ts";
import { txidAt, txidLengthAt } from "../../src/ledger/row-block.ts";
import type { ReadRows, RowOwner } from "../bytes/read-rows.ts";
import type { LocatedRecord, LocatedRows } from "./chunk.ts";

export type Kept = readonly (LocatedRecord | LocatedRows)[];

export type Told = {
  /** What is left of the chunk. */
  unknown: Kept;
  /** Payments that the ledger may have in another way by the time of the commit, but has not yet. */
  entryPayments: EntryPayment[];
  /** Users with whole entries that are not listed, since nothing of theirs is there in parts. */
  wholeEntryUserIds: number[];
  entriesTold: number;
};

type Listed = EntryPayment & { item: LocatedRecord | LocatedRows; row: number | null };
type UserIdOf = (owner: RowOwner) => number | null;

/**
 * Nearly all entries are whole ones of users of whom nothing is in parts, neither in the ledger nor in the chunk: they are
 * asked for by their users, of whom there are few. Listing them cost 4 µs a row here and 2 in the server, twice.
 */
export async function withoutTold(
  database: Queryable,
  kept: Kept,
  accountOwners: ReadonlyMap<string, number | null>,
): Promise<Told> {
  const userIdOf: UserIdOf = (owner) =>
    typeof owner === "string" ? null : (accountOwners.get(nameKey(owner)) ?? null);
  const userIds = [...new Set([...accountOwners.values()].filter((id) => id !== null))];
  const inParts = await findUsersWithParts(database, userIds);
  for (const item of kept) {
    const payment = "rows" in item ? null : paymentOf(item, userIdOf);
    if (payment !== null && !isWhole(payment)) inParts.add(payment.userId);
  }
  const wholeEntryUserIds = userIds.filter((id) => !inParts.has(id));
  if (inParts.size === 0) return { unknown: kept, entryPayments: [], wholeEntryUserIds, entriesTold: 0 };
  const listed = kept.flatMap((item) => list(item, userIdOf)).filter(({ userId }) => inParts.has(userId));
  const told = await findToldOtherwise(database, listed);
  return {
    unknown:
      told.size === 0
        ? kept
        : without(
            kept,
            listed.filter((_, place) => told.has(place)),
          ),
    entryPayments: listed
      .filter((_, place) => !told.has(place))
      .map(({ userId, txid, entryId }) => ({ userId, txid, entryId })),
    wholeEntryUserIds,
    entriesTold: told.size,
  };
}

function list(item: Kept[number], userIdOf: UserIdOf): Listed[] {
  if (!("rows" in item)) {
    const payment = paymentOf(item, userIdOf);
    return payment === null ? [] : [{ ...payment, item, row: null }];
  }
  const { rows, taken } = item;
  const userIds = rows.owners.map(userIdOf);
  const listed: Listed[] = [];
  for (let row = 0; row < rows.count; row += 1) {
    const userId = userIds[rows.ownerOf[row] as number] ?? null;
    if (userId === null || taken?.[row] === 0) continue;
    const txid = txidOf(rows, row);
    listed.push({ userId, txid, entryId: txid, item, row });
  }
  return listed;
}

/** Null: it is no entry's, or nobody's yet. */
function paymentOf({ record }: LocatedRecord, userIdOf: UserIdOf): EntryPayment | null {
  if (record.kind !== "account-transaction" || record.entryId === undefined) return null;
  const userId = userIdOf(record.owner);
  return userId === null ? null : { userId, txid: record.row.txid, entryId: record.entryId };
}

function txidOf({ block }: ReadRows, row: number): string {
  const start = block.starts[row] as number;
  const length = block.view.getInt32(start + txidLengthAt);
  return block.bytes.toString("utf8", start + txidAt, start + txidAt + length);
}

function without(kept: Kept, told: readonly Listed[]): Kept {
  const toldRows = new Map<Kept[number], number[]>();
  for (const { item, row } of told) {
    const rows = toldRows.get(item) ?? [];
    toldRows.set(item, rows);
    rows.push(row ?? 0);
  }
  return kept.flatMap((item) => {
    const rows = toldRows.get(item);
    if (rows === undefined) return [item];
    if (!("rows" in item)) return [];
    const taken = item.taken?.slice() ?? new Uint8Array(item.rows.count).fill(1);
    for (const row of rows) taken[row] = 0;
    return [{ ...item, taken }];
  });
}
