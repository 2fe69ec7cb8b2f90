/** What the whole service has waiting at this minute, as figures of flow. */
import type { Queryable } from "../../database/database.ts";
import { readFigures } from "../figures.ts";
import { silentAfterSeconds } from "../processes.ts";
import type { Measured } from "./table.ts";

/** Any number of partners load at once; a plot shows a handful. */
const partnersReadMax = 20;

export async function readFlowNow(database: Queryable): Promise<Measured[]> {
  const figures = await readFigures(database, silentAfterSeconds);
  const behind = await database.query<{ budgets: number; sizeBytes: number }>(
    `select (select count(distinct user_id) from budgets where stale_since is not null) as budgets,
            pg_database_size(current_database()) as "sizeBytes"`,
  );
  const slots = await database.query<{ partnerId: string; slots: number }>(
    `select partner_id as "partnerId", count(*) as slots
       from deliveries
      where state = 'loading'
      group by partner_id
      order by slots desc, partner_id
      limit $1`,
    [partnersReadMax],
  );
  const one = (figure: string, value: number) => ({ figure, label: "", value });
  return [
    one("waiting", figures.stagingDepth - figures.loadingDeliveries),
    one("loading", figures.loadingDeliveries),
    one("oldest-waiting-seconds", figures.oldestWaitingSeconds),
    one("users-behind", figures.changedUsers),
    one("oldest-user-seconds", figures.oldestChangedSeconds),
    one("budgets-behind", behind.rows[0]?.budgets ?? 0),
    one("notifications-pending", figures.notificationsPending),
    one("database-bytes", behind.rows[0]?.sizeBytes ?? 0),
    ...slots.rows.map(({ partnerId, slots: value }) => ({ figure: "slots", label: partnerId, value })),
  ];
}
