/**
 * The figures of flow as the database keeps them. Each process adds what it counted; what the whole service has waiting is
 * read once a minute by whoever comes first. Adding is all that thinning does, so that no sum changes by it.
 */
import { type Database, inTransaction, type Queryable } from "../../database/database.ts";
import { finest, steps } from "./steps.ts";

/** @param label '' where there is only one */
export type Measured = { figure: string; label: string; value: number };

/** A row a reading: how many there were, and that somebody has taken this minute's. */
export const readingsFigure = "readings";
/** Partners named in a coarse step; what else there was stands together. */
export const labelsKeptMax = 20;
export const otherLabel = "other";

/** Adds to this minute. In one order, so that processes that add at once wait for each other and never in a circle. */
export async function addCounts(database: Queryable, counts: readonly Measured[]): Promise<void> {
  if (counts.length === 0) return;
  await database.query(
    `insert into flow_figures (step_seconds, at, figure, label, sum, highest)
     select $1::int, date_trunc('minute', now()), figure, label, sum(value), sum(value)
       from unnest($2::text[], $3::text[], $4::float8[]) as counted (figure, label, value)
      group by figure, label
      order by figure, label
     on conflict (step_seconds, at, figure, label) do update
        set sum = flow_figures.sum + excluded.sum,
            highest = flow_figures.highest + excluded.highest`,
    [finest.seconds, ...columnsOf(counts)],
  );
}

/**
 * This minute's reading, unless another process has it: who comes second waits for the first, and reads where that one
 * failed. @returns whether it was ours
 */
export async function takeReading(
  database: Database,
  read: (transaction: Queryable) => Promise<readonly Measured[]>,
): Promise<boolean> {
  return await inTransaction(database, async (transaction) => {
    const { rowCount } = await transaction.query(
      `insert into flow_figures (step_seconds, at, figure, label, sum, highest)
       values ($1::int, date_trunc('minute', now()), $2, '', 1, 1)
       on conflict do nothing`,
      [finest.seconds, readingsFigure],
    );
    if (rowCount !== 1) return false;
    await transaction.query(
      `insert into flow_figures (step_seconds, at, figure, label, sum, highest)
       select $1::int, date_trunc('minute', now()), figure, label, value, value
         from unnest($2::text[], $3::text[], $4::float8[]) as read (figure, label, value)
       on conflict do nothing`,
      [finest.seconds, ...columnsOf(await read(transaction))],
    );
    return true;
  });
}

function columnsOf(measured: readonly Measured[]): [string[], string[], number[]] {
  return [measured.map(({ figure }) => figure), measured.map(({ label }) => label), measured.map(({ value }) => value)];
}

/** Moves what is past its age to the next step, and the last step's away. @returns whether it was ours to do just now */
export async function thin(database: Database): Promise<boolean> {
  return await inTransaction(database, async (transaction) => {
    const { rows } = await transaction.query<{ mine: boolean }>(
      "select pg_try_advisory_xact_lock(hashtext('tideline flow')) as mine",
    );
    if (rows[0]?.mine !== true) return false;
    for (const [at, { seconds, keptSeconds }] of steps.entries()) {
      const next = steps[at + 1];
      if (next === undefined) await forget(transaction, seconds, keptSeconds);
      else await moveOn(transaction, { seconds, keptSeconds }, next.seconds);
    }
    return true;
  });
}

async function moveOn(
  transaction: Queryable,
  { seconds, keptSeconds }: { seconds: number; keptSeconds: number },
  nextSeconds: number,
): Promise<void> {
  const { rowCount } = await transaction.query(
    `with gone as (
       delete from flow_figures
        where step_seconds = $1::int
          and at < now() - make_interval(secs => $2::int)
       returning at, figure, label, sum, highest
     )
     insert into flow_figures (step_seconds, at, figure, label, sum, highest)
     select $3::int, date_bin(make_interval(secs => $3::int), at, 'epoch') as into_at, figure, label, sum(sum), max(highest)
       from gone
      group by into_at, figure, label
     on conflict (step_seconds, at, figure, label) do update
        set sum = flow_figures.sum + excluded.sum,
            highest = greatest(flow_figures.highest, excluded.highest)`,
    [seconds, keptSeconds, nextSeconds],
  );
  if (rowCount !== 0) await gatherLabels(transaction, nextSeconds);
}

/** A night in which hundreds of partners had a slot for a minute each leaves the ones that had most, and the rest. */
async function gatherLabels(transaction: Queryable, stepSeconds: number): Promise<void> {
  await transaction.query(
    `with crowded as (
       select at, figure
         from flow_figures
        where step_seconds = $1::int
          and label <> $3::text
        group by at, figure
       having count(*) > $2::int
     ), ranked as (
       select at, figure, label, row_number() over (partition by at, figure order by sum desc, label) as place
         from flow_figures
         join crowded using (at, figure)
        where step_seconds = $1::int
          and label <> $3::text
     ), gone as (
       delete from flow_figures
        using ranked
        where flow_figures.step_seconds = $1::int
          and flow_figures.at = ranked.at
          and flow_figures.figure = ranked.figure
          and flow_figures.label = ranked.label
          and ranked.place > $2::int::int
       returning flow_figures.at, flow_figures.figure, flow_figures.sum, flow_figures.highest
     )
     insert into flow_figures (step_seconds, at, figure, label, sum, highest)
     select $1::int, at, figure, $3::text, sum(sum), max(highest)
       from gone
      group by at, figure
     on conflict (step_seconds, at, figure, label) do update
        set sum = flow_figures.sum + excluded.sum,
            highest = greatest(flow_figures.highest, excluded.highest)`,
    [stepSeconds, labelsKeptMax, otherLabel],
  );
}

async function forget(transaction: Queryable, seconds: number, keptSeconds: number): Promise<void> {
  await transaction.query(
    "delete from flow_figures where step_seconds = $1::int and at < now() - make_interval(secs => $2::int)",
    [seconds, keptSeconds],
  );
}

export type Kept = Measured & { highest: number; /** Which bucket of the range, the oldest 0. */ bucket: number };

/** What is kept of a range, in its step. @returns the range's begin, and how far the last bucket has come */
export async function readKept(
  database: Queryable,
  { stepSeconds, buckets }: { stepSeconds: number; buckets: number },
): Promise<{ since: Date; now: Date; kept: Kept[] }> {
  const {
    rows: [times],
  } = await database.query<{ since: Date; now: Date }>(
    `select now(), date_bin(make_interval(secs => $1::int), now(), 'epoch') - ($2::int - 1) * make_interval(secs => $1::int) as since`,
    [stepSeconds, buckets],
  );
  if (times === undefined) throw new Error("the statement of times gives one row");
  const { rows } = await database.query<Kept>(
    `select figure, label, floor(extract(epoch from at - $2::timestamptz) / $1::int)::int as bucket, sum(sum) as value, max(highest) as highest
       from flow_figures
      where step_seconds <= $1::int
        and at >= $2::timestamptz
      group by figure, label, bucket
      order by figure, label, bucket`,
    [stepSeconds, times.since],
  );
  return { ...times, kept: rows };
}
