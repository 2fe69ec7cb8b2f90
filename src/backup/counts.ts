/** How many rows there are of what matters: what a restored database is held against. */
import type { Queryable } from "../database/database.ts";
import type { Counted } from "./store.ts";

/** Of these nothing is taken away but by an operator's command: restored, each has what was there, or what came since. */
export const countedTables = ["partners", "users", "deliveries", "accounts", "transactions", "budgets"] as const;

export type Counts = ReadonlyMap<string, number>;

/** Reads every page of these tables, which the server holds against its checksum. */
export async function countRows(database: Queryable): Promise<Counts> {
  const { rows } = await database.query<{ table: string; count: number }>(
    countedTables
      .map((table) => `select '${table}' as table, count(*)::bigint as count from ${table}`)
      .join(" union all "),
  );
  return new Map(rows.map(({ table, count }) => [table, count]));
}

export function countedBetween(before: Counts, after: Counts): Counted[] {
  return [...before].map(([table, count]) => ({ table, before: count, after: after.get(table) ?? count }));
}

/** What a restored database has too few or too many of, in words. @param open later changes were replayed too */
export function differences(restored: Counts, counted: readonly Counted[], open: boolean): string[] {
  return counted.flatMap(({ table, before, after }) => {
    const found = restored.get(table) ?? 0;
    const [low, high] = [Math.min(before, after), open ? Number.POSITIVE_INFINITY : Math.max(before, after)];
    return found >= low && found <= high
      ? []
      : [`${table} has ${found} rows instead of ${low === high ? low : `${low} to ${high}`}`];
  });
}
