/**
 * Every sealed secret there is, wherever it lies: which keys they need, and sealing them anew under the ring's first
 * key.
 */
import type { Queryable } from "../../database/database.ts";
import { firstKey, headerBytes, headerOf, kidIn, seal, unseal } from "./secrets-at-rest.ts";

type SealedColumn = {
  table: string;
  column: string;
  /** The primary key, and the context that the secret was sealed with, as SQL. */
  key: string;
  context: string;
};

/** Each column whose name ends in _sealed; a test holds the list against the catalogue. */
export const sealedColumns: readonly SealedColumn[] = [
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
    column: "client_key_sealed",
    key: "partner_id",
    context: "'notification-client-key:' || partner_id",
  },
  { table: "psd2_banks", column: "client_key_sealed", key: "id", context: "'psd2-client-key:' || id" },
  { table: "psd2_logins", column: "verifier_sealed", key: "id", context: "'psd2-verifier:' || id" },
  { table: "psd2_consents", column: "access_token_sealed", key: "id", context: "'psd2-access:' || reference" },
  { table: "psd2_consents", column: "refresh_token_sealed", key: "id", context: "'psd2-refresh:' || reference" },
];

/** kid null: sealed before keys were named. */
export type SealedCount = { table: string; column: string; kid: string | null; secrets: number };

export async function countSealed(database: Queryable): Promise<SealedCount[]> {
  const counts: SealedCount[] = [];
  for (const { table, column } of sealedColumns) {
    const { rows } = await database.query<{ header: Buffer; n: number }>(
      `select substring(${column} from 1 for ${headerBytes}) as header, count(*) as n from ${table} where ${column} is not null group by 1 order by 1`,
    );
    counts.push(...joined(rows.map(({ header, n }) => ({ table, column, kid: kidIn(header), secrets: n }))));
  }
  return counts;
}

/** Without a named key each secret begins differently. */
function joined(counts: readonly SealedCount[]): SealedCount[] {
  const unnamed = counts.filter(({ kid }) => kid === null);
  const named = counts.filter(({ kid }) => kid !== null);
  return unnamed[0] === undefined
    ? named
    : [{ ...unnamed[0], secrets: unnamed.reduce((sum, { secrets }) => sum + secrets, 0) }, ...named];
}

/** Small enough to be lost without regret, large enough that the trip costs little. */
const stepMax = 200;

/**
 * Seals anew what another key than the ring's first sealed. Each step is durable by itself: stopped at any moment, it
 * goes on where it was. What others seal meanwhile is theirs.
 * @param onStep told of how many were sealed anew with each step @throws Fault KEY_ENCRYPTION_KEY for a secret that no
 * key of the ring opens; then it stays
 */
export async function sealAnew(
  database: Queryable,
  ring: Buffer,
  onStep: (secrets: number) => void,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  for (const column of sealedColumns) {
    for (let done = await step(database, ring, column); done > 0; done = await step(database, ring, column)) {
      total += done;
      onStep(done);
      signal?.throwIfAborted();
    }
  }
  return total;
}

async function step(database: Queryable, ring: Buffer, { table, column, key, context }: SealedColumn): Promise<number> {
  const { rows } = await database.query<{ key: string; context: string; sealed: Buffer }>(
    `select ${key}::text as key, ${context} as context, ${column} as sealed
       from ${table}
      where ${column} is not null
        and substring(${column} from 1 for ${headerBytes}) <> $1
      limit ${stepMax}`,
    [headerOf(firstKey(ring))],
  );
  if (rows.length === 0) return 0;
  const anew = rows.map((row) => seal(ring, row.context, unseal(ring, row.context, row.sealed)));
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
