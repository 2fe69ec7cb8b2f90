/**
 * Tokens that an operator ended before their hour was over: a user's, or all of a partner's. What is remembered is the
 * moment; tokens and login JWTs that were made until then are refused. SQL.
 */
import type { Queryable, Transaction } from "../database/database.ts";
import { tokenLifetimeSeconds } from "./keys/token-keys.ts";

export type Revocation = {
  /** users.subject; null: all users of the partner. */ subject: string | null;
  /** Milliseconds since 1970. */ revokedAt: number;
};

/** Longer than any token lives, and than a login JWT that was made beforehand may be used. */
const keptSeconds = 2 * tokenLifetimeSeconds;

/** The caller owns the transaction. @param user null: all of the partner's */
export async function revokeTokens(
  transaction: Transaction,
  partnerId: string,
  user: { id: number; subject: string } | null,
  now: Date,
): Promise<void> {
  await transaction.query(
    `insert into token_revocations (partner_id, user_id, subject, revoked_at)
     values ($1, $2, $3, $4)
     on conflict (partner_id, subject) do update set revoked_at = greatest(token_revocations.revoked_at, excluded.revoked_at)`,
    [partnerId, user?.id ?? null, user?.subject ?? null, now],
  );
}

/** When tokens of this user were ended last, its own or all of the partner's; null: not lately. */
export function lastRevoked(revocations: readonly Revocation[], subject: string): number | null {
  const moments = revocations
    .filter((one) => one.subject === null || one.subject === subject)
    .map(({ revokedAt }) => revokedAt);
  return moments.length === 0 ? null : Math.max(...moments);
}

/**
 * Whether what was made in this second was made before the tokens were ended. Within that one second it counts as
 * before: who comes again in the next one gets in.
 * @param madeAt seconds since 1970, as claims have it
 */
export function isEnded(madeAt: number, revokedAt: number | null): boolean {
  return revokedAt !== null && madeAt * 1000 <= revokedAt;
}

/** When tokens of this user were ended last, as the database knows at this moment. */
export async function readLastRevoked(database: Queryable, partnerId: string, subject: string): Promise<number | null> {
  const { rows } = await database.query<{ revokedAt: Date | null }>(
    `select max(revoked_at) as "revokedAt"
       from token_revocations
      where partner_id = $1
        and (subject is null or subject = $2)`,
    [partnerId, subject],
  );
  return rows[0]?.revokedAt?.getTime() ?? null;
}

/** Deletes those whose tokens have ended by themselves. */
export async function deleteSpentRevocations(database: Queryable): Promise<void> {
  await database.query("delete from token_revocations where revoked_at < now() - make_interval(secs => $1)", [
    keptSeconds,
  ]);
}
