/**
 * What banks' statements say of themselves: number, entries, whether the balances agree with them. Nothing of it is
 * anybody's data: an account stands here as a digest.
 */
import type { Queryable, Transaction } from "../database/database.ts";

export type KeptStatement = {
  place: number;
  line: number;
  kind: string;
  /** As held records have it. */
  accountKey: string;
  sequence: number | null;
  entries: number;
  notBooked: number;
  balances: "agree" | "differ" | "not told";
};

export type ToldStatement = Omit<KeptStatement, "place" | "accountKey"> & {
  /** Numbers between this one and the account's one before that have not come. */
  missing: { from: number; to: number } | null;
};

/** Idempotent. */
export async function keepStatements(
  transaction: Transaction,
  deliveryId: string,
  statements: readonly KeptStatement[],
): Promise<void> {
  if (statements.length === 0) return;
  await transaction.query(
    `insert into delivery_statements (delivery_id, place, line, kind, account_key, sequence, entries, not_booked, balances)
     select $1, s.place, s.line, s.kind, s."accountKey", s.sequence, s.entries, s."notBooked", s.balances
       from json_to_recordset($2) as s
            (place integer, line bigint, kind text, "accountKey" uuid, sequence bigint, entries bigint, "notBooked" bigint, balances text)
     on conflict do nothing`,
    [deliveryId, JSON.stringify(statements)],
  );
}

/** In the file's order, no more than so many. A number that begins anew, as some do each year, misses nothing. */
export async function readStatements(
  database: Queryable,
  deliveryId: string,
  most: number,
): Promise<{ shown: ToldStatement[]; total: number }> {
  const { rows } = await database.query<ToldStatement & { total: number; before: number | null }>(
    `select s.line, s.kind, s.sequence, s.entries, s.not_booked as "notBooked", s.balances, count(*) over () as total,
            (select max(earlier.sequence)
               from delivery_statements earlier
               join deliveries d on d.id = earlier.delivery_id
              where earlier.account_key = s.account_key
                and earlier.kind = s.kind
                and earlier.sequence < s.sequence
                and d.state <> 'withdrawn') as before
       from delivery_statements s
      where s.delivery_id = $1
      order by s.place
      limit $2`,
    [deliveryId, most],
  );
  return {
    shown: rows.map(({ line, kind, sequence, entries, notBooked, balances, before }) => ({
      line,
      kind,
      sequence,
      entries,
      notBooked,
      balances,
      missing:
        before === null || sequence === null || sequence === before + 1 ? null : { from: before + 1, to: sequence - 1 },
    })),
    total: rows[0]?.total ?? 0,
  };
}
