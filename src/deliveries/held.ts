/**
 * Records of a delivery that are not in the ledger and may come later: refused, waiting for their account's user, or
 * conflicting. They are kept as positions in the original, which stays encrypted; neighbours with one fault share a row.
 * Neighbours that wait do so whatever their accounts, which are kept once a delivery: where one of them is named, all that
 * waits in the delivery is read again, and what still has nobody waits on. A row for each record, which stood here before,
 * cost four times what the record does to load, and whoever reads the original again reads all of it anyway.
 */
import { type Database, inTransaction, type Queryable, type Transaction } from "../database/database.ts";

const kinds = ["refused", "waiting", "conflicting"] as const;
export type HeldKind = (typeof kinds)[number];

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
export type HeldRange = Omit<HeldRecord, "index" | "accountKey"> & { firstIndex: number; lastIndex: number };

/** In order of location, neighbours of one fault together. */
export function toRanges(held: readonly HeldRecord[]): HeldRange[] {
  const ranges: HeldRange[] = [];
  for (const record of held.toSorted((a, b) => a.batch - b.batch || a.index - b.index)) {
    const last = ranges.at(-1);
    if (last && continues(last, record)) {
      last.lastIndex = record.index;
      last.records += 1;
    } else {
      const { index, accountKey: _, ...range } = record;
      ranges.push({ ...range, firstIndex: index, lastIndex: index });
    }
  }
  return ranges;
}

function continues(range: HeldRange, record: HeldRecord): boolean {
  return (
    range.batch === record.batch &&
    range.firstIndex >= 0 &&
    range.lastIndex + 1 === record.index &&
    range.kind === record.kind &&
    range.field === record.field &&
    range.reason === record.reason
  );
}

/** Adds to what is held. @param accountKeys of all records that wait, see accountKey */
export async function hold(
  transaction: Transaction,
  deliveryId: string,
  ranges: readonly HeldRange[],
  accountKeys: Iterable<string> = [],
): Promise<void> {
  if (ranges.length === 0) return;
  await transaction.query(
    `insert into held_records (delivery_id, batch, first_index, last_index, line, kind, field, reason, records)
     select $1, batch, first_index, last_index, line, kind, field, reason, records
       from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::bigint[])
            as held (batch, first_index, last_index, line, kind, field, reason, records)`,
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
    ],
  );
  await waitFor(transaction, deliveryId, [...new Set(accountKeys)]);
}

/** In order of the keys, so that no two that release and hold wait in a circle. */
async function waitFor(transaction: Transaction, deliveryId: string, accountKeys: readonly string[]): Promise<void> {
  if (accountKeys.length === 0) return;
  await transaction.query(
    `insert into waiting_accounts as waiting (account_key, delivery_id)
     select account_key, $1 from unnest($2::uuid[]) as given (account_key) order by account_key
     on conflict (account_key, delivery_id)
     do update set released = false where waiting.released`,
    [deliveryId, accountKeys],
  );
}

/**
 * Neighbouring records of a batch that are due and of one kind, whatever their faults and accounts; or a whole batch. What
 * was held in between is due as well: nothing else has its place.
 */
export type DueRange = Omit<HeldRange, "field" | "reason">;

/** Ranges as they are held, looked at at once. */
const pageRows = 5000;
/** Neighbours are told together up to so many records and as many again, which is less than a chunk takes. */
const togetherRecords = 4096;

/**
 * What is due of a delivery, in order of location, page by page. A whole batch has the index −1, so the first page begins
 * behind batch −1. Told neighbour by neighbour, a file of a million records of accounts in turns cost 10 µs each to fetch
 * and to give back.
 */
export async function* dueRanges(database: Database, deliveryId: string): AsyncGenerator<DueRange> {
  let from = { batch: -1, firstIndex: -1 };
  for (;;) {
    const { last, due } = await readPage(database, deliveryId, from);
    yield* due;
    if (last === null) return;
    from = last;
  }
}

/** What is told together, of how many ranges and the last one's index; or, with isDue false, all that is not due. */
type PageRow = DueRange & { isDue: boolean; ranges: number; lastBatch: number; lastFirstIndex: number };

type Place = { batch: number; firstIndex: number };

/** Neighbours of a kind have this in common: what of that kind stands before them moves on with their index. */
const runningBefore = (kind: HeldKind) =>
  `when '${kind}' then sum(records::integer) filter (where is_due and kind = '${kind}') over page - records`;

/** `last` is where the page's last range begins, due or not; null when no page follows. */
async function readPage(
  database: Database,
  deliveryId: string,
  from: Place,
): Promise<{ last: Place | null; due: DueRange[] }> {
  const { rows } = await inTransaction(database, (transaction) =>
    alongIndexes(transaction, () =>
      transaction.query<PageRow>(
        `with placed as (
           select judged.*,
                  case when is_due then first_index - case kind ${kinds.map(runningBefore).join(" ")} end end as neighbourhood,
                  case when is_due then sum(records::integer) filter (where is_due) over page / ${togetherRecords} end as piece
             from (
               select batch, first_index, last_index, line, kind, records, due as is_due
                 from held_records
                where delivery_id = $1
                  and (batch, first_index) > ($2, $3)
                order by batch, first_index
                limit $4
             ) judged
           window page as (order by batch, first_index rows unbounded preceding)
         )
         select min(batch) as batch, min(first_index) as "firstIndex", max(last_index) as "lastIndex", min(line) as line, min(kind) as kind,
                sum(records)::bigint as records, is_due as "isDue", count(*) as ranges,
                (max(array[batch, first_index]))[1] as "lastBatch", (max(array[batch, first_index]))[2] as "lastFirstIndex"
           from placed
          group by is_due, neighbourhood, piece,
                   case when is_due then batch end, case when is_due then kind end,
                   case when is_due then first_index < 0 end, case when is_due then records > ${togetherRecords} end
          order by 1, 2`,
        [deliveryId, from.batch, from.firstIndex, pageRows],
      ),
    ),
  );
  const isFull = rows.reduce((sum, { ranges }) => sum + ranges, 0) === pageRows;
  const ends = rows.map((row) => ({ batch: row.lastBatch, firstIndex: row.lastFirstIndex }));
  return { last: isFull ? lastOf(ends) : null, due: rows.filter((row) => row.isDue).map(rangeOf) };
}

function lastOf(places: readonly Place[]): Place | null {
  return places.toSorted((a, b) => a.batch - b.batch || a.firstIndex - b.firstIndex).at(-1) ?? null;
}

function rangeOf({ batch, firstIndex, lastIndex, line, kind, records }: PageRow): DueRange {
  return { batch, firstIndex, lastIndex, line, kind, records };
}

/**
 * Has statements go along the index that has the order or the key that they ask for. Statistics of these tables are from
 * another time: a large file fills them and another one empties them, between two looks of the server. Planned by those of
 * an empty table, one deletion of 20,000 among 850,000 ranges compared each with each, for eight minutes.
 */
async function alongIndexes<Result>(transaction: Transaction, work: () => Promise<Result>): Promise<Result> {
  const set = (to: string) =>
    transaction.query(`set local enable_seqscan ${to}; set local enable_bitmapscan ${to}; set local enable_sort ${to}`);
  await set("= off");
  const result = await work();
  await set("to default");
  return result;
}

/**
 * Removes what is held in these ranges, because their records are about to be loaded again: one range by its key after the
 * other, which no statistics make slow. @returns whether all was still due as it was read.
 */
export async function removeDue(
  transaction: Transaction,
  deliveryId: string,
  ranges: readonly DueRange[],
): Promise<boolean> {
  if (ranges.length === 0) return true;
  const { rows } = await alongIndexes(transaction, () =>
    transaction.query<{ records: number }>(
      `with gone as (
         delete from held_records
          where ctid = any(array(
                  select held.place
                    from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[]) as given (batch, first_index, last_index, kind)
                   cross join lateral (
                     select ctid as place
                       from held_records
                      where delivery_id = $1
                        and batch = given.batch
                        and first_index >= given.first_index
                        and first_index <= given.last_index
                        and last_index <= given.last_index
                        and kind = given.kind
                        and due
                     offset 0
                   ) held
                ))
         returning records
       )
       select coalesce(sum(records), 0)::bigint as records from gone`,
      [
        deliveryId,
        ranges.map((one) => one.batch),
        ranges.map((one) => one.firstIndex),
        ranges.map((one) => one.lastIndex),
        ranges.map((one) => one.kind),
      ],
    ),
  );
  return rows[0]?.records === ranges.reduce((sum, { records }) => sum + records, 0);
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

/** An account for which records of a delivery wait. */
export type Waiting = { deliveryId: string; accountKey: string };

/** For which of these accounts records of which deliveries wait, however many. @param accountKeys see accountKey */
export async function findWaiting(transaction: Transaction, accountKeys: readonly string[]): Promise<Waiting[]> {
  const { rows } = await alongIndexes(transaction, () =>
    transaction.query<Waiting>(
      `select waiting.delivery_id as "deliveryId", given.account_key as "accountKey"
         from unnest($1::uuid[]) as given (account_key)
        cross join lateral (
          select delivery_id
            from waiting_accounts
           where account_key = given.account_key
          offset 0
        ) waiting`,
      [[...new Set(accountKeys)]],
    ),
  );
  return rows;
}

/**
 * Has all records of these deliveries read again that wait. The caller holds the deliveries, and what keeps others from
 * naming accounts.
 */
export async function release(transaction: Transaction, waiting: readonly Waiting[]): Promise<void> {
  await alongIndexes(transaction, async () => {
    await transaction.query(
      `update waiting_accounts
          set released = true
        where ctid = any(array(
                select one.place
                  from unnest($1::uuid[], $2::uuid[]) as given (account_key, delivery_id)
                 cross join lateral (
                   select ctid as place
                     from waiting_accounts
                    where account_key = given.account_key
                      and delivery_id = given.delivery_id
                   offset 0
                 ) one
              ))
          and not released`,
      [waiting.map((one) => one.accountKey), waiting.map((one) => one.deliveryId)],
    );
    await transaction.query(
      "update held_records set due = true where delivery_id = any($1::uuid[]) and kind = 'waiting' and not due",
      [[...new Set(waiting.map((one) => one.deliveryId))]],
    );
  });
}

/** The accounts that were named are waited for no more: what waited for them was read again. */
export async function forgetReleased(transaction: Transaction, deliveryId: string): Promise<void> {
  await transaction.query("delete from waiting_accounts where delivery_id = $1 and released", [deliveryId]);
}

/** SQL: whether something of the delivery $1 is due. */
export const hasDue = "exists (select 1 from held_records where delivery_id = $1 and due)";

/** SQL after which nothing of the delivery $1 is due, for the statement that gives up reading it again. */
export const leavesHeld = `undone as (update held_records set due = false where delivery_id = $1 and due),
     unreleased as (update waiting_accounts set released = false where delivery_id = $1 and released)`;

/** Nothing of a delivery is held any more. */
export async function forgetHeld(transaction: Transaction, deliveryId: string): Promise<void> {
  await transaction.query(
    `with unwaited as (delete from waiting_accounts where delivery_id = $1)
     delete from held_records where delivery_id = $1`,
    [deliveryId],
  );
}

/** Gives up what might still come; what conflicted is told of as before. */
export async function dropQuarantined(database: Queryable, deliveryId: string): Promise<void> {
  await database.query(
    `with unwaited as (delete from waiting_accounts where delivery_id = $1)
     delete from held_records where delivery_id = $1 and kind <> 'conflicting'`,
    [deliveryId],
  );
}
