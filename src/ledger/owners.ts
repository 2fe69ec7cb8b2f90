/** Whose records these are: partners name users by their own ids, the ledger by ours. */
import type { Queryable } from "../database/database.ts";
import { isMadeAgainSince } from "../partners/departures.ts";

/** The live users of the partner among the given ids, by the partner's id; unknown and deleted ones are absent. */
export async function findOwners(
  database: Queryable,
  partnerId: string,
  uids: readonly string[],
): Promise<Map<string, number>> {
  if (uids.length === 0) return new Map();
  const { rows } = await database.query<{ bankUserId: string; id: number }>({
    // Parsed and planned once a connection: that takes three times as long as finding two users.
    name: "find-owners",
    text: `select bank_user_id as "bankUserId", id
               from users
              where partner_id = $1
                and bank_user_id = any($2::text[])
                and deleted_at is null`,
    values: [partnerId, uids],
  });
  return new Map(rows.map((row) => [row.bankUserId, row.id]));
}

/**
 * The same for what was accepted at a moment. Null: the partner has such a user, who was made again since under the name
 * of one who was deleted.
 */
export async function findOwnersSince(
  database: Queryable,
  partnerId: string,
  uids: readonly string[],
  acceptedAt: Date,
): Promise<Map<string, number | null>> {
  if (uids.length === 0) return new Map();
  const { rows } = await database.query<{ bankUserId: string; id: number; isMadeAgain: boolean }>({
    name: "find-owners-since",
    text: `select bank_user_id as "bankUserId", id, ${isMadeAgainSince("$3")} as "isMadeAgain"
               from users
              where partner_id = $1
                and bank_user_id = any($2::text[])
                and deleted_at is null`,
    values: [partnerId, uids, acceptedAt],
  });
  return new Map(rows.map((row) => [row.bankUserId, row.isMadeAgain ? null : row.id]));
}

/** Ids in ascending order and each once, which every loader keeps to, so that they wait instead of deadlocking. */
export function ascending(userIds: Iterable<number>): number[] {
  return [...new Set(userIds)].sort((a, b) => a - b);
}
