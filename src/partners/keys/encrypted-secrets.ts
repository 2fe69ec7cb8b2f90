/**
 * Every encrypted secret there is, wherever it lies: which keys they need, and encrypting them anew under the ring's first
 * key.
 */
import type { Queryable } from "../../database/database.ts";
import { firstKey, headerBytes, headerOf, kidIn, encryptSecret, decryptSecret } from "./secrets-at-rest.ts";

type EncryptedColumn = {
  table: string;
  column: string;
  /** The primary key, and the context that the secret was encrypted with, as SQL. */
  key: string;
  context: string;
};

/** Each column whose name ends in _sealed; a test holds the list against the catalogue. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: "service_keys", column: "private_sealed", key: "kid", context: "kid" },
  {
    table: "notification_receivers",
    column: "secret_sealed",
    key: "partner_id",
    context: "'notification-secret:' || partner_id",
  },
  {
    table: "notification_receivers",
    column: "signing_key_sealed",
    key: "partner_id",
    context: "'notification-signing:' || partner_id",
  },
  {
    table: "notification_receivers",
    column: "previous_key_sealed",
    key: "partner_id",
    context: "'notification-previous:' || partner_id",
  },
  {
    table: "notification_receivers",
    column: "client_key_sealed",
    key: "partner_id",
    context: "'notification-client-key:' || partner_id",
  },
  { table: "feed_followers", column: "signing_key_sealed", key: "name", context: "'feed-signing:' || name" },
  { table: "psd2_banks", column: "client_key_sealed", key: "id", context: "'psd2-client-key:' || id" },
  { table: "psd2_logins", column: "verifier_sealed", key: "id", context: "'psd2-verifier:' || id" },
  { table: "psd2_consents", column: "access_token_sealed", key: "id", context: "'psd2-access:' || reference" },
  { table: "psd2_consents", column: "refresh_token_sealed", key: "id", context: "'psd2-refresh:' || reference" },
];

/** kid null: encrypted before keys were named. */
export type EncryptedCount = { table: string; column: string; kid: string | null; secrets: number };

export async function countEncrypted(database: Queryable): Promise<EncryptedCount[]> {
  const counts: EncryptedCount[] = [];
  for (const { table, column } of encryptedColumns) {
    const { rows } = await database.query<{ header: Buffer; n: number }>(
      `select substring(${column} from 1 for ${headerBytes}) as header, count(*) as n from ${table} where ${column} is not null group by 1 order by 1`,
    );
    counts.push(...joined(rows.map(({ header, n }) => ({ table, column, kid: kidIn(header), secrets: n }))));
  }
  return counts;
}

/** Without a named key each secret begins differently. */
function joined(counts: readonly EncryptedCount[]): EncryptedCount[] {
  const unnamed = counts.filter(({ kid }) => kid === null);
  const named = counts.filter(({ kid }) => kid !== null);
  return unnamed[0] === undefined
    ? named
    : [{ ...unnamed[0], secrets: unnamed.reduce((sum, { secrets }) => sum + secrets, 0) }, ...named];
}

/** Small enough to be lost without regret, large enough that the trip costs little. */
const stepMax = 200;

/**
 * Encrypts anew what another key than the ring's first encrypted. Each step is durable by itself: stopped at any moment, it
 * goes on where it was. What others encrypt meanwhile is theirs.
 * @param onStep told of how many were encrypted anew with each step @throws Fault KEY_ENCRYPTION_KEY for a secret that no
 * key of the ring decrypts; then it stays
 */
export async function encryptAnew(
  database: Queryable,
  ring: Buffer,
  onStep: (secrets: number) => void,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  for (const column of encryptedColumns) {
    for (let done = await step(database, ring, column); done > 0; done = await step(database, ring, column)) {
      total += done;
      onStep(done);
      signal?.throwIfAborted();
    }
  }
  return total;
}

async function step(
  database: Queryable,
  ring: Buffer,
  { table, column, key, context }: EncryptedColumn,
): Promise<number> {
  const { rows } = await database.query<{ key: string; context: string; sealed: Buffer }>(
    `select ${key}::text as key, ${context} as context, ${column} as sealed
       from ${table}
      where ${column} is not null
        and substring(${column} from 1 for ${headerBytes}) <> $1
      limit ${stepMax}`,
    [headerOf(firstKey(ring))],
  );
  if (rows.length === 0) return 0;
  const anew = rows.map((row) => encryptSecret(ring, row.context, decryptSecret(ring, row.context, row.sealed)));
  // One that changed since it was read is read again by the next step.
  await database.query(
    `update ${table}
        set ${column} = given.anew
       from unnest($1::text[], $2::bytea[], $3::bytea[]) as given (key, sealed, anew)
      where ${key}::text = given.key
        and ${column} = given.sealed`,
    [rows.map((row) => row.key), rows.map((row) => row.sealed), anew],
  );
  return rows.length;
}
