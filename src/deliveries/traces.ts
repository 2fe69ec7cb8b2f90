/** The traces that deliveries belong to. Asked only while traces are made. */
import type { Queryable } from "../database/database.ts";

/** @returns by delivery; those of none left out */
export async function findTraces(database: Queryable, deliveryIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await database.query<{ id: string; traceparent: string }>(
    "select id, traceparent from deliveries where id = any($1::uuid[]) and traceparent is not null",
    [deliveryIds],
  );
  return new Map(rows.map(({ id, traceparent }) => [id, traceparent]));
}
