/**
 * Records of a delivery that are not in the ledger and may come later: refused, waiting for their account's user, or
 * conflicting. They are kept as positions in the original, which stays encrypted; neighbours with one fault share a
 * row.
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

/**
 * Neighbouring records of a batch that are due and of one kind, whatever their faults and accounts; or a whole batch. What
 * was held in between is due as well: nothing else has its place.
 */
export type DueRange = Omit<HeldRange, "field" | "reason" | "accountKey">;

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
               select page.*, due or released.found is not null as is_due
                 from (
                   select batch, first_index, last_index, line, kind, records, account_key, due
                     from held_records
                    where delivery_id = $1
                      and (batch, first_index) > ($2, $3)
                    order by batch, first_index
                    limit $4
                 ) page
                 left join lateral (
                   select true as found
                     from released_accounts
                    where delivery_id = $1
                      and account_key = page.account_key
                   offset 0
                 ) released on true
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
                        and (due or exists (select 1 from released_accounts as one where one.delivery_id = $1 and one.account_key = held_records.account_key))
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

/**
 * For which of these accounts records of which deliveries wait: from one pair to the next along their index, however many
 * records each has. @param accountKeys see accountKey
 */
export async function findWaiting(transaction: Transaction, accountKeys: readonly string[]): Promise<Waiting[]> {
  const { rows } = await alongIndexes(transaction, () =>
    transaction.query<Waiting>(
      `select waiting.delivery_id as "deliveryId", given.account_key as "accountKey"
         from unnest($1::uuid[]) as given (account_key)
        cross join lateral (
          with recursive pair as (
            (${nextPair("(given.account_key, '00000000-0000-0000-0000-000000000000'::uuid)")})
            union all
            select next.account_key, next.delivery_id
              from pair
             cross join lateral (${nextPair("(pair.account_key, pair.delivery_id)")}) next
             where pair.account_key = given.account_key
          )
          select delivery_id from pair where account_key = given.account_key offset 0
        ) waiting`,
      [[...new Set(accountKeys)]],
    ),
  );
  return rows;
}

/** Compared as a row, because an equality beside an order may be served by an index that has neither. */
function nextPair(behind: string): string {
  return `select account_key, delivery_id
            from held_records
           where kind = 'waiting'
             and (account_key, delivery_id) > ${behind}
           order by account_key, delivery_id
           limit 1`;
}

/**
 * Has the records that wait for these accounts read again: a row for each account, however many wait. The caller holds
 * the deliveries, and what keeps others from naming accounts.
 */
export async function release(transaction: Transaction, waiting: readonly Waiting[]): Promise<void> {
  await transaction.query(
    `insert into released_accounts (delivery_id, account_key)
     select delivery_id, account_key
       from unnest($1::uuid[], $2::uuid[]) as waiting (delivery_id, account_key)
     on conflict (delivery_id, account_key)
     do update set place = default`,
    [waiting.map((one) => one.deliveryId), waiting.map((one) => one.accountKey)],
  );
}

/** Up to where accounts were released of a delivery; 0 when none was. */
export async function lastRelease(database: Queryable, deliveryId: string): Promise<number> {
  const { rows } = await database.query<{ place: number }>(
    "select coalesce(max(place), 0) as place from released_accounts where delivery_id = $1",
    [deliveryId],
  );
  return rows[0]?.place ?? 0;
}

/** Their records were read again. @param place see lastRelease */
export async function forgetReleased(database: Queryable, deliveryId: string, place: number): Promise<void> {
  await database.query("delete from released_accounts where delivery_id = $1 and place <= $2", [deliveryId, place]);
}

/** SQL: whether something of the delivery $1 is due. */
export const hasDue = `(exists (select 1 from held_records where delivery_id = $1 and due)
   or exists (select 1 from released_accounts where delivery_id = $1))`;

/** SQL after which nothing of the delivery $1 is due, for the statement that gives up reading it again. */
export const leavesHeld = `undone as (update held_records set due = false where delivery_id = $1 and due),
     unreleased as (delete from released_accounts where delivery_id = $1)`;

/** Nothing of a delivery is held any more. */
export async function forgetHeld(transaction: Transaction, deliveryId: string): Promise<void> {
  await transaction.query(
    `with unreleased as (delete from released_accounts where delivery_id = $1)
     delete from held_records where delivery_id = $1`,
    [deliveryId],
  );
}

/** Gives up what might still come; what conflicted is told of as before. */
export async function dropQuarantined(database: Queryable, deliveryId: string): Promise<void> {
  await database.query(
    `with unreleased as (delete from released_accounts where delivery_id = $1)
     delete from held_records where delivery_id = $1 and kind <> 'conflicting'`,
    [deliveryId],
  );
}
