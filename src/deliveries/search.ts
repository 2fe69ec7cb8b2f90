/** Finding deliveries: by partner, door, state, time, part of a name, correlation id; page by page, newest first. */
import { type Database, inTransaction } from "../database/database.ts";
import { type Delivery, deliveryColumns, type DeliveryState } from "./deliveries.ts";

export const doors = ["https", "sftp", "direct"] as const;
export type Door = (typeof doors)[number];

/** What became of it, beyond its state. */
export const deliveryResults = ["all", "partly", "nothing", "held"] as const;
export type DeliveryResult = (typeof deliveryResults)[number];

export type DeliveryFilter = {
  /** Of which partners anything is found; null: of all. */
  partnerIds: readonly string[] | null;
  partnerId: string | null;
  door: Door | null;
  /** "open": waiting or being loaded. */
  state: DeliveryState | "open" | null;
  result: DeliveryResult | null;
  /** Accepted from then on, and before. */
  since: Date | null;
  until: Date | null;
  /** Part of a file's name, letters of either case; or a reqId or delivery id, whole. */
  name: string | null;
  correlationId: string | null;
};

export const everyDelivery: DeliveryFilter = {
  partnerIds: null,
  partnerId: null,
  door: null,
  state: null,
  result: null,
  since: null,
  until: null,
  name: null,
  correlationId: null,
};

const conditionOfResult: Readonly<Record<DeliveryResult, string>> = {
  all: "state = 'loaded' and records_refused = 0 and batches_refused = 0 and records_waiting = 0",
  partly: "state = 'loaded' and (records_refused > 0 or batches_refused > 0 or records_waiting > 0)",
  nothing: "state = 'refused'",
  held: "id in (select delivery_id from quarantined_deliveries)",
};

/**
 * Page by page, newest first: what is rare, long ago or nowhere is found by an index of its own and never by reading the
 * millions before it (npm run bench -- console).
 * @param before the position of the last one of the page before; null: the first page
 */
export async function searchDeliveries(
  database: Database,
  filter: DeliveryFilter,
  limit: number,
  before: number | null = null,
): Promise<Delivery[]> {
  const { conditions, bounds, named, values } = conditionsOf(filter);
  if (before !== null) bounds.push(`position < $${values.push(before)}`);
  // Names are read in an index that holds them in small letters, until enough are found; each is then looked at as a whole.
  const source =
    named === null || isNarrow(filter)
      ? "deliveries"
      : `(select position as place
               from deliveries
              ${whereOf([...bounds, named])}
              order by position desc
             offset 0) as named
       -- Not a join, of which the planner makes one that reads every row.
       cross join lateral (select * from deliveries where position = place offset 0) as deliveries`;
  const all = [...conditions, ...(source === "deliveries" ? [...bounds, ...(named === null ? [] : [named])] : [])];
  const text = `select ${deliveryColumns}
       from ${source}
      ${whereOf(all)}
      order by ${source === "deliveries" ? "position" : "place"} desc
      limit $${values.push(limit)}`;
  if (!isById(filter)) return (await database.query<Delivery>(text, values)).rows;
  return await inTransaction(database, async (transaction) => {
    // What a bloom filter spares is not in the planner's figures, which would read the whole table instead.
    await transaction.query("set local enable_seqscan = off");
    return (await transaction.query<Delivery>(text, values)).rows;
  });
}

/** By what it came with, of which there is one. */
function isById({ name, correlationId }: DeliveryFilter): boolean {
  return correlationId !== null || (name !== null && isId(name));
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? "" : `where ${conditions.join("\n        and ")}`;
}

/** Has an index that leaves few rows to read. */
function isNarrow({ partnerId, correlationId, state, result }: DeliveryFilter): boolean {
  return (
    partnerId !== null ||
    correlationId !== null ||
    (state !== null && state !== "loaded") ||
    (result !== null && result !== "all")
  );
}

/**
 * Only what is asked for stands in the statement, so that the planner sees which index serves.
 * `bounds`: of positions. `named`: part of a name; null: it is not asked for.
 */
function conditionsOf(filter: DeliveryFilter): {
  conditions: string[];
  bounds: string[];
  named: string | null;
  values: unknown[];
} {
  const conditions: string[] = [];
  const bounds: string[] = [];
  let named: string | null = null;
  const values: unknown[] = [];
  const add = (value: unknown, condition: (place: string) => string) => {
    if (value !== null) conditions.push(condition(`$${values.push(value)}`));
  };
  add(filter.partnerIds, (place) => `partner_id = any(${place}::text[])`);
  add(filter.partnerId, (place) => `partner_id = ${place}`);
  add(filter.door, (place) => `door = ${place}`);
  if (filter.state === "open") conditions.push("state in ('accepted', 'loading')");
  else add(filter.state, (place) => `state = ${place}`);
  // Positions go with time: without these bounds a page of long ago is looked for among all that came after it.
  add(filter.since, (place) => {
    bounds.push(`position >= (${positionAt(`${place}::timestamptz - ${skew}`)})`);
    return `accepted_at >= ${place}`;
  });
  add(filter.until, (place) => {
    bounds.push(`position < (${positionAt(`${place}::timestamptz + ${skew}`)})`);
    return `accepted_at < ${place}`;
  });
  add(filter.correlationId, (place) => `correlation_id = ${place}`);
  const { name } = filter;
  if (name !== null && isId(name)) add(name, (place) => `(id = ${place}::uuid or request_id = ${place}::uuid)`);
  else if (name !== null) named = `name is not null and strpos(lower(name), lower($${values.push(name)})) > 0`;
  if (filter.result !== null) conditions.push(conditionOfResult[filter.result]);
  return { conditions, bounds, named, values };
}

/** By how much of two that came together the earlier may have the later position: no transaction takes as long. */
const skew = "interval '15 minutes'";

/**
 * SQL of the first position at or after an instant, or the one behind the last: twenty looks at the index of positions
 * where a million deliveries are, so that time needs no index that every delivery would pay for.
 */
function positionAt(instant: string): string {
  return `with recursive halves (low, high) as (
              select min(position), max(position) + 1 from deliveries
              union all
              select case when found.accepted_at < ${instant} then found.position + 1 else low end,
                     case when found.accepted_at < ${instant} then high else (low + high) / 2 end
                from halves,
                     lateral (select position, accepted_at from deliveries where position >= (low + high) / 2 order by position limit 1) as found
               where low < high
            )
            select max(low) from halves`;
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
