/** Finding deliveries: by partner, door, state, time, part of a name, correlation id; page by page, newest first. */
import type { Queryable } from "../database/database.ts";
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

/** @param before the position of the last one of the page before; null: the first page */
export async function searchDeliveries(
  database: Queryable,
  filter: DeliveryFilter,
  limit: number,
  before: number | null = null,
): Promise<Delivery[]> {
  const { conditions, values } = conditionsOf(filter);
  if (before !== null) conditions.push(`position < $${values.push(before)}`);
  const where = conditions.length === 0 ? "" : `where ${conditions.join("\n        and ")}`;
  const { rows } = await database.query<Delivery>(
    `select ${deliveryColumns}
       from deliveries
      ${where}
      order by position desc
      limit $${values.push(limit)}`,
    values,
  );
  return rows;
}

/** Only what is asked for stands in the statement, so that the planner sees which index serves. */
function conditionsOf(filter: DeliveryFilter): { conditions: string[]; values: unknown[] } {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (value: unknown, condition: (place: string) => string) => {
    if (value !== null) conditions.push(condition(`$${values.push(value)}`));
  };
  add(filter.partnerIds, (place) => `partner_id = any(${place}::text[])`);
  add(filter.partnerId, (place) => `partner_id = ${place}`);
  add(filter.door, (place) => `door = ${place}`);
  if (filter.state === "open") conditions.push("state in ('accepted', 'loading')");
  else add(filter.state, (place) => `state = ${place}`);
  add(filter.since, (place) => `accepted_at >= ${place}`);
  add(filter.until, (place) => `accepted_at < ${place}`);
  add(filter.correlationId, (place) => `correlation_id = ${place}`);
  add(filter.name, (place) =>
    isId(filter.name ?? "")
      ? `(id = ${place}::uuid or request_id = ${place}::uuid)`
      : `name is not null and strpos(lower(name), lower(${place})) > 0`,
  );
  if (filter.result !== null) conditions.push(conditionOfResult[filter.result]);
  return { conditions, values };
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
