/**
 * Reading the change feed: what changed behind a follower's place, as lines that tell how each payment and service is now,
 * at least once. What was changed by several is told once, as it is in the end.
 *
 * Changes are numbered when they are written and seen when they are committed, which is another order. So only those of
 * transactions are read that are below every one still open (pg_snapshot_xmin): below that nothing comes any more. They
 * go by transaction and number, and each is told as the thing is when it is read: whichever of two transactions ends
 * last, the last line of a thing is right.
 */
import pg from "pg";
import { feedChangesAtOnce, feedLinesAPiece, feedRowsAtOnce } from "../../config/feed.ts";
import type { Transaction } from "../database/database.ts";
import { Fault } from "../errors.ts";
import { type FollowedDataset, presentOf } from "./datasets.ts";
import { type FeedPlace, type Follower, placeText } from "./followers.ts";

/** A line of the feed, as JSON without a line break. */
export type FeedTarget = {
  /** Resolves when more may come. @param position the lines' own, which is the same up to the next `settle` */
  write(lines: readonly string[], position: string): Promise<void>;
  /** What was written is to last: the follower's place moves on. */
  settle(): Promise<void>;
  /** What was written since is told again, from its beginning. */
  abandon(): void;
};

export type Told = { place: FeedPlace; lines: number; isUpToDate: boolean };

/**
 * Tells the next changes, a bounded number. The caller owns the connection, on which nothing else goes on, and moves the
 * follower to the place that is returned. @throws Fault FEED_LOST
 */
export async function tellChanges(
  connection: Transaction,
  follower: Follower,
  { unmasked }: { unmasked: boolean },
  target: FeedTarget,
): Promise<Told> {
  await connection.query("begin isolation level repeatable read read only; set local statement_timeout = 0");
  try {
    const told = await tell(connection, follower, unmasked, target);
    await connection.query("commit");
    if (told.lines > 0) await target.settle();
    return told;
  } catch (error) {
    await connection.query("rollback").catch(() => undefined);
    target.abandon();
    throw error;
  }
}

async function tell(connection: Transaction, follower: Follower, unmasked: boolean, target: FeedTarget): Promise<Told> {
  const found = await findWindow(connection, follower);
  if (found.isLost) throw new Fault("FEED_LOST", `What ${follower.name} has not been told is kept no more.`);
  if (found.last === null) return { place: found.horizon, lines: 0, isUpToDate: true };
  const position = placeText(found.last);
  const due = dueOf(follower, found.last);
  let lines = 0;
  const write = async (piece: readonly string[]): Promise<void> => {
    await target.write(piece, position);
    lines += piece.length;
  };
  await connection.query(
    "set local enable_seqscan = off; set local enable_bitmapscan = off; set local work_mem = '64MB'",
  );
  for (const dataset of ["transactions", "services"] as const)
    for await (const rows of fetched<Present>(connection, presentOf(dataset, unmasked, naming[dataset](due))))
      await write(rows.map((row) => lineOf(position, dataset, row)));
  for await (const rows of fetched<Departed>(connection, departedIn(due)))
    await write(rows.map((row) => removedLine(position, "user", row)));
  return { place: found.last, lines, isUpToDate: false };
}

type Window = {
  /** Behind which nothing is to be read; null: nothing is. */
  last: FeedPlace | null;
  /** Up to here everything is seen when there is nothing. */
  horizon: FeedPlace;
  isLost: boolean;
};

/** A mark of what was removed counts for everybody. */
const concerns = (partner: string) => `(${partner}::text is null or partner_id = ${partner} or kind = 'removed')`;

async function findWindow(connection: Transaction, { xid, position, partnerId }: Follower): Promise<Window> {
  const { rows } = await connection.query<{
    xid: string | null;
    position: number | null;
    horizon: string;
    isLost: boolean;
  }>(
    `with next as (
       select xid, position, kind, rows
         from feed_changes
        where (xid, position) > ($1::xid8, $2::bigint)
          and xid < pg_snapshot_xmin(pg_current_snapshot())
          and ${concerns("$3")}
        order by xid, position
        limit ${feedChangesAtOnce}
     ),
     counted as (
       select xid, position, kind, sum(rows) over (order by xid, position) - rows as before from next
     ),
     last as (
       select xid, position from counted where before < ${feedRowsAtOnce} order by xid desc, position desc limit 1
     )
     select last.xid::text, last.position, pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
            -- Places beyond all that was ever begun are another server's.
            $1::xid8 > pg_snapshot_xmax(pg_current_snapshot()) or exists (select 1 from counted where kind = 'removed') as "isLost"
       from (select 1) as always
       left join last on true`,
    [xid, position, partnerId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("a left join has no row");
  const last = row.xid === null || row.position === null ? null : { xid: row.xid, position: row.position };
  return { last, horizon: { xid: row.horizon, position: 0 }, isLost: row.isLost };
}

/** SQL of the changes to tell, without parameters, which a cursor knows none of. */
function dueOf({ xid, position, partnerId }: Follower, last: FeedPlace): string {
  const place = (of: FeedPlace) => `(${pg.escapeLiteral(of.xid)}::xid8, ${of.position}::bigint)`;
  return `select *
            from feed_changes
           where (xid, position) > ${place({ xid, position })}
             and (xid, position) <= ${place(last)}
             ${partnerId === null ? "" : `and partner_id = ${pg.escapeLiteral(partnerId)}`}`;
}

/** What changes name, each once. */
const naming: Readonly<Record<FollowedDataset, (due: string) => string>> = {
  transactions: (due) => `
    with due as materialized (${due}),
    changed as materialized (
      select due.kind, due.delivery_position, changed.user_id, changed.told
        from due
       cross join lateral unnest(due.user_ids, due.told) as changed (user_id, told)
       where due.kind in ('posted', 'whole')
    )
    select user_id, json_array_elements_text(told::json) as id
      from changed
     where told is not null
    union
    -- Too many came to be named: those that bear the delivery.
    select owner.user_id, t.txid
      from (select distinct user_id, delivery_position
              from changed where told is null and delivery_position is not null) as owner
     cross join lateral (select txid, delivery_position from transactions where user_id = owner.user_id offset 0) as t
     where t.delivery_position = owner.delivery_position
    union
    select owner.user_id, t.txid
      from (select distinct user_id from changed where told is null and delivery_position is null) as owner
     cross join lateral (select txid from transactions where user_id = owner.user_id offset 0) as t
    union
    select w.user_id, w.txid
      from due
      join withdrawn_transactions w on w.delivery_id = due.delivery_id
     where due.kind = 'withdrawn'`,
  services: (due) => `
    select distinct changed.user_id, changed.told as id
      from (${due}) as due
     cross join lateral unnest(due.user_ids, due.told) as changed (user_id, told)
     where due.kind = 'services'
       and changed.told is not null`,
};

function departedIn(due: string): string {
  return `select distinct due.partner_id as partner, changed.user_id as "userId"
            from (${due}) as due
           cross join lateral unnest(due.user_ids) as changed (user_id)
           where due.kind = 'departed'
           order by 2`;
}

/** Pieces of a query's rows, one after the other is taken. */
async function* fetched<Row extends pg.QueryResultRow>(connection: Transaction, select: string): AsyncGenerator<Row[]> {
  await connection.query(`declare told no scroll cursor for ${select}`);
  for (;;) {
    const { rows } = await connection.query<Row>(`fetch ${feedLinesAPiece} from told`);
    if (rows.length === 0) break;
    yield rows;
  }
  await connection.query("close told");
}

type Present = { partner: string; userId: number; id: string; row: string | null };
type Departed = Pick<Present, "partner" | "userId">;

const kinds = { transactions: "transaction", services: "service" } as const satisfies Record<FollowedDataset, string>;

function lineOf(position: string, dataset: FollowedDataset, { partner, userId, id, row }: Present): string {
  const kind = kinds[dataset];
  if (row !== null) return `{"position":"${position}","kind":"${kind}","change":"put","data":${row}}`;
  return removedLine(position, kind, { partner, userId }, `,"${kind}_id":${JSON.stringify(id)}`);
}

function removedLine(position: string, kind: string, { partner, userId }: Departed, more = ""): string {
  const data = `{"partner":${JSON.stringify(partner)},"user_id":${userId}${more}}`;
  return `{"position":"${position}","kind":"${kind}","change":"removed","data":${data}}`;
}
