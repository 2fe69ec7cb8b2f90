/** The business day of every brand. */
import type { Day } from "../time/calendar.ts";
import type { Clock } from "../time/clock.ts";
import type { Queryable } from "../database/database.ts";

/** By the time zones of brands. */
export async function businessDays(database: Queryable, clock: Clock): Promise<Record<string, Day>> {
  const { rows } = await database.query<{ time_zone: string }>("select distinct time_zone from brands");
  return Object.fromEntries(rows.map((row) => [row.time_zone, clock.today(row.time_zone)]));
}
