/** The business day of every brand. */
import type { Day } from "../time/calendar.ts";
import type { Clock } from "../time/clock.ts";
import type { Queryable } from "../database/database.ts";

/** By the time zones of brands. */
export async function businessDays(database: Queryable, clock: Clock): Promise<Record<string, Day>> {
  const { rows } = await database.query<{ timeZone: string }>('select distinct time_zone as "timeZone" from brands');
  return Object.fromEntries(rows.map((row) => [row.timeZone, clock.today(row.timeZone)]));
}
