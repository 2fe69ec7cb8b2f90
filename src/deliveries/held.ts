/**
 * Records of a delivery that are not in the ledger and may come later: refused, waiting for their account's user, or
 * conflicting. They are kept as positions in the original, which stays encrypted; neighbours with one fault share a
 * row.
 */
import type { Queryable, Transaction } from "../database/database.ts";

export type HeldKind = "refused" | "waiting" | "conflicting";

/** One record, or with index −1 a whole batch of which `records` were seen. */
export type HeldRecord = {
  batch: number;
  index: number;
  line: number;
  kind: HeldKind;
  /** The record's first problem. */
  field: string;
  reason: string;
  records: number;
  /** Of waiting records, see accountKey. */
  accountKey: string | null;
};

/** Records firstIndex to lastIndex of a batch; both −1 for the whole batch. */
export type HeldRange = Omit<HeldRecord, "index"> & { firstIndex: number; lastIndex: number };

/** In order of location, neighbours of one fault together. */
export function toRanges(held: readonly HeldRecord[]): HeldRange[] {
  const ranges: HeldRange[] = [];
  for (const { index, ...record } of held.toSorted((a, b) => a.batch - b.batch || a.index - b.index)) {
    const last = ranges.at(-1);
    if (last && continues(last, record, index)) {
      last.lastIndex = index;
      last.records += 1;
    } else {
      ranges.push({ ...record, firstIndex: index, lastIndex: index });
    }
  }
  return ranges;
}

function continues(range: HeldRange, record: Omit<HeldRecord, "index">, index: number): boolean {
  return (
    range.batch === record.batch &&
    range.firstIndex >= 0 &&
    range.lastIndex + 1 === index &&
    range.kind === record.kind &&
    range.field === record.field &&
    range.reason === record.reason &&
    range.accountKey === record.accountKey
  );
}

export async function hold(transaction: Transaction, deliveryId: string, ranges: readonly HeldRange[]): Promise<void> {
  if (ranges.length === 0) return;
  await transaction.query(
    `insert into held_records (delivery_id, batch, first_index, last_index, line, kind, field, reason, records, account_key)
     select $1, batch, first_index, last_index, line, kind, field, reason, records, account_key
       from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::uuid[])
            as held (batch, first_index, last_index, line, kind, field, reason, records, account_key)`,
    [
      deliveryId,
      ranges.map((one) => one.batch),
      ranges.map((one) => one.firstIndex),
      ranges.map((one) => one.lastIndex),
      ranges.map((one) => one.line),
      ranges.map((one) => one.kind),
      ranges.map((one) => one.field),
      ranges.map((one) => one.reason),
      ranges.map((one) => one.records),
      ranges.map((one) => one.accountKey),
    ],
  );
}

/** Rows read at once: some hundred kilobytes. */
const pageRows = 5000;

/**
 * What is due of a delivery, in order of location, page by page. A whole batch has the index −1, so the first page begins
 * behind batch −1.
 */
export async function* dueRanges(database: Queryable, deliveryId: string): AsyncGenerator<HeldRange> {
  let last: HeldRange | undefined;
  for (;;) {
    const { rows } = await database.query<HeldRange>(
      `select batch, first_index as "firstIndex", last_index as "lastIndex", line, kind, field, reason, records, account_key as "accountKey"
         from held_records
        where delivery_id = $1
          and due
          and (batch, first_index) > ($2, $3)
        order by batch, first_index
        limit $4`,
      [deliveryId, last?.batch ?? -1, last?.firstIndex ?? -1, pageRows],
    );
    yield* rows;
    last = rows.at(-1);
    if (rows.length < pageRows) return;
  }
}

/**
 * Removes these due ranges, because their records are about to be loaded again. @returns whether all were still
 * there.
 */
export async function removeDue(
  transaction: Transaction,
  deliveryId: string,
  ranges: readonly HeldRange[],
): Promise<boolean> {
  const { rowCount } = await transaction.query(
    `delete from held_records as held
      using unnest($2::bigint[], $3::bigint[]) as given (batch, first_index)
      where held.delivery_id = $1
        and held.batch = given.batch
        and held.first_index = given.first_index
        and held.due`,
    [deliveryId, ranges.map((one) => one.batch), ranges.map((one) => one.firstIndex)],
  );
  return rowCount === ranges.length;
}

export type Marked = { ranges: number; records: number; /** Of which no record could be read. */ batches: number };

/** Has held records and batches read again; all, or those with a problem in that field. @returns how many. */
export async function markDue(database: Queryable, deliveryId: string, field: string | null): Promise<Marked> {
  const { rows } = await database.query<Marked>(
    `with marked as (
       update held_records
          set due = true
        where delivery_id = $1
          and ($2::text is null or field = $2)
       returning records, first_index
     )
     select count(*) as ranges, coalesce(sum(records), 0)::bigint as records, count(*) filter (where first_index < 0) as batches from marked`,
    [deliveryId, field],
  );
  return rows[0] ?? { ranges: 0, records: 0, batches: 0 };
}

export type HeldSummary = {
  kind: HeldKind;
  field: string;
  reason: string;
  records: number;
  batches: number;
  firstLine: number;
  firstIndex: number;
};

/** What is held of a delivery, by fault, most records first. */
export async function summarizeHeld(database: Queryable, deliveryId: string): Promise<HeldSummary[]> {
  const { rows } = await database.query<HeldSummary>(
    `select kind, field, reason, sum(records)::bigint as records, count(*) filter (where first_index < 0) as batches,
            (array_agg(line order by batch, first_index))[1] as "firstLine",
            (array_agg(first_index order by batch, first_index))[1] as "firstIndex"
       from held_records
      where delivery_id = $1
      group by kind, field, reason
      order by 4 desc, kind, field, reason`,
    [deliveryId],
  );
  return rows;
}

/** The deliveries, in order of id, of which records wait for these accounts. @param accountKeys see accountKey */
export async function findWaiting(database: Queryable, accountKeys: readonly string[]): Promise<string[]> {
  const { rows } = await database.query<{ deliveryId: string }>(
    `select distinct delivery_id as "deliveryId"
       from held_records
      where kind = 'waiting'
        and account_key = any($1::uuid[])
      order by delivery_id`,
    [accountKeys],
  );
  return rows.map((row) => row.deliveryId);
}

/** Has the records that wait for these accounts read again. The caller holds their deliveries. */
export async function markWaitingDue(transaction: Transaction, accountKeys: readonly string[]): Promise<void> {
  await transaction.query(
    "update held_records set due = true where kind = 'waiting' and account_key = any($1::uuid[])",
    [accountKeys],
  );
}

/** SQL after which nothing of the delivery $1 is due, for the statement that gives up reading it again. */
export const leavesHeld = "update held_records set due = false where delivery_id = $1 and due";

/** Nothing of a delivery is held any more. */
export async function forgetHeld(transaction: Transaction, deliveryId: string): Promise<void> {
  await transaction.query("delete from held_records where delivery_id = $1", [deliveryId]);
}

/** Gives up what might still come; what conflicted is told of as before. */
export async function dropQuarantined(database: Queryable, deliveryId: string): Promise<void> {
  await database.query("delete from held_records where delivery_id = $1 and kind <> 'conflicting'", [deliveryId]);
}
