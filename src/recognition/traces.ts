/**
 * Recognition takes users in bulk, whatever brought their data: its span stands in the trace of each delivery that did.
 * Asked only while traces are made.
 */
import type { Queryable } from "../database/database.ts";
import { noteSpan, nowMs } from "../traces.ts";
import type { RecogniseOutcome } from "./task.ts";

/** Of one run. */
export const tracesMax = 32;

/** What came of whom; null: more than is told, then it is whatever came last. */
export type Came = { userId: number; arrived: readonly string[] | null };

/** Contexts of the deliveries that brought it, the latest of them first. */
export async function findTracesOf(database: Queryable, came: readonly Came[]): Promise<string[]> {
  const known = came.flatMap(({ userId, arrived }) => (arrived ?? []).map((txid) => ({ userId, txid })));
  const others = came.flatMap(({ userId, arrived }) => (arrived === null ? [userId] : []));
  const { rows } = await database.query<{ traceparent: string }>(
    `select deliveries.traceparent
       from (select distinct t.delivery_position as position
               from unnest($1::bigint[], $2::text[]) as given (user_id, txid)
               join transactions t on t.user_id = given.user_id and t.txid = given.txid
             union
             select (select max(delivery_position) from transactions where user_id = given.user_id)
               from unnest($3::bigint[]) as given (user_id)) as brought
       join deliveries on deliveries.position = brought.position
      where deliveries.traceparent is not null
      order by deliveries.position desc
      limit $4`,
    [known.map(({ userId }) => userId), known.map(({ txid }) => txid), others, tracesMax],
  );
  return rows.map(({ traceparent }) => traceparent);
}

/** A run that recognised somebody: one span, or with several traces one in each, linked to that of the run. */
export function noteRecognition(startedAtMs: number, { users, services, traceparents = [] }: RecogniseOutcome): void {
  const attributes = { "tideline.users": users, "tideline.services": services };
  const start = { kind: "consumer", startedAtMs, attributes } as const;
  const end = { endedAtMs: nowMs() };
  const [only = null] = traceparents;
  if (traceparents.length <= 1) return void noteSpan("recognise", { ...start, parent: only }, end);
  const run = noteSpan("recognise many", { ...start, parent: null, links: traceparents }, end);
  const links = run === null ? [] : [run.traceparent];
  for (const parent of traceparents) noteSpan("recognise", { ...start, parent, links }, end);
}
