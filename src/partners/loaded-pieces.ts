/**
 * What stands in the ledger as pieces of files have it: runs of records by digest, each written with the transaction that
 * loaded its last record. A delivery that was accepted later and holds such a piece brings nothing with it, and says so
 * without being read, as long as nothing of what the piece brought was changed or removed since.
 *
 * Whether it was tells the partner's epoch, which triggers move on (migration 210). A loader reads it before anything else
 * of its transaction: a change that ends later moves it on behind the loader's back, so that what is kept under the old one
 * is void, and one that ended before is seen.
 */
import { pieceUsersMax } from "../../config/limits.ts";
import type { Queryable, Transaction } from "../database/database.ts";

export type LoadedPiece = { digest: Buffer; records: number; userIds: readonly number[] };

/** What pieces are kept for and held against. */
export type PieceDelivery = { partnerId: string; position: number; acceptedAt: Date };

/** Asked for at once. */
const digestsPerQuery = 2000;

export async function readEpoch(database: Queryable, partnerId: string): Promise<number> {
  const { rows } = await database.query<{ epoch: number }>({
    name: "piece-epoch",
    text: `select ${epochOf("$1")} as epoch`,
    values: [partnerId],
  });
  return rows[0]?.epoch ?? 0;
}

function epochOf(partnerId: string): string {
  return `(select coalesce(sum(steps), 0)::bigint from piece_epochs where partner_id = ${partnerId})`;
}

/**
 * Those of the digests that stand for records of which the delivery brings nothing new, in that epoch; by digest as
 * base64.
 */
export async function findLoaded(
  database: Queryable,
  { partnerId, position, acceptedAt }: PieceDelivery,
  epoch: number,
  digests: readonly Buffer[],
): Promise<Map<string, LoadedPiece>> {
  const found = new Map<string, LoadedPiece>();
  let users = 0;
  for (let from = 0; from < digests.length && users < pieceUsersMax; from += digestsPerQuery) {
    const { rows } = await database.query<{ digest: Buffer; records: number; userIds: number[] }>(
      // Of a user who was made again, or an account that was removed, the order of acceptance decides.
      `select digest, records, to_json(user_ids) as "userIds"
         from loaded_pieces
        where partner_id = $1
          and digest = any($2::bytea[])
          and epoch = $3
          and delivery_position < $4
          and accepted_at <= $5`,
      [partnerId, digests.slice(from, from + digestsPerQuery), epoch, position, acceptedAt],
    );
    for (const row of rows) found.set(row.digest.toString("base64"), row);
    users += rows.reduce((sum, { userIds }) => sum + userIds.length, 0);
  }
  return found;
}

/**
 * Keeps pieces, unless the epoch has moved on within this transaction. Last of all that a loader locks. To be called
 * where nothing of the pieces is held, and each account stands as they name it. @param userIds all of whom they are
 */
export async function keepLoaded(
  transaction: Transaction,
  { partnerId, position, acceptedAt }: PieceDelivery,
  epoch: number,
  pieces: readonly LoadedPiece[],
): Promise<void> {
  if (pieces.length === 0) return;
  // What one file holds twice has one digest, and one statement may write a row once only.
  const byDigest = new Map(pieces.map((piece) => [piece.digest.toString("base64"), piece]));
  const ordered = [...byDigest.values()].sort((a, b) => a.digest.compare(b.digest));
  await transaction.query(
    `insert into loaded_pieces as kept (partner_id, digest, records, user_ids, delivery_position, accepted_at, epoch)
     select $1, digest, records, string_to_array(user_ids, ',')::bigint[], $5, $6, $7
       from unnest($2::bytea[], $3::integer[], $4::text[]) as piece (digest, records, user_ids)
      where ${epochOf("$1")} = $7
        -- An account that such a user is said not to keep is hidden from its first record on; a later delivery shows it.
        and not exists (select 1
                          from account_reviews
                         where user_id = any(string_to_array(piece.user_ids, ',')::bigint[])
                           and position >= $5)
     on conflict (partner_id, digest) do update
        set records = excluded.records,
            user_ids = excluded.user_ids,
            delivery_position = excluded.delivery_position,
            accepted_at = excluded.accepted_at,
            epoch = excluded.epoch,
            kept_at = now()
      where kept.epoch < excluded.epoch`,
    [
      partnerId,
      ordered.map((one) => one.digest),
      ordered.map((one) => one.records),
      ordered.map((one) => one.userIds.join(",")),
      position,
      acceptedAt,
      epoch,
    ],
  );
}

/** Removes what is void of the users' partners. What names a user is, from the user's deletion on. */
export async function forgetPiecesOf(transaction: Transaction, userIds: readonly number[]): Promise<void> {
  await transaction.query(
    `delete from loaded_pieces
      where partner_id in (select partner_id from users where id = any($1::bigint[]))
        and epoch < ${epochOf("loaded_pieces.partner_id")}`,
    [userIds],
  );
}

/** Removes what is void, and what was kept before. Gathers the steps of the partner's epoch. */
export async function removeOldPieces(database: Queryable, partnerId: string, before: Date): Promise<void> {
  await database.query(
    `delete from loaded_pieces
      where partner_id = $1
        and (kept_at < $2 or epoch < ${epochOf("$1")})`,
    [partnerId, before],
  );
  // What comes meanwhile stays beside the sum; of two that gather at once, each adds up what it took itself.
  await database.query(
    `with gone as (delete from piece_epochs where partner_id = $1 returning steps)
     insert into piece_epochs (partner_id, steps)
     select $1, sum(steps) from gone having count(*) > 0`,
    [partnerId],
  );
}
