/** Figures that are read when metrics are asked for. */
import { readRatesAge } from "../rates/watch.ts";
import { watchedFolders, type Ground } from "./ground.ts";

/** What is read from the database when metrics are asked for. */
export function observeGround({ events, database, clock, folder, cluster, disk }: Ground): void {
  const one = async (query: string): Promise<number> => {
    const { rows } = await database.query<{ n: number }>(query);
    return rows[0]?.n ?? 0;
  };
  const count = (condition: string) => one(`select count(*) as n from ${condition}`);
  const loading = (column: string) =>
    one(`select coalesce(sum(${column}), 0)::bigint as n from deliveries where state = 'loading'`);
  events.gauge("tideline_staging_depth", "Deliveries accepted and not yet loaded.", () =>
    count("deliveries where state in ('accepted', 'loading')"),
  );
  events.gauge("tideline_loading_deliveries", "Deliveries that are being loaded.", () =>
    count("deliveries where state = 'loading'"),
  );
  events.gauge("tideline_loading_records", "Records that they have brought so far.", () => loading("records"));
  events.gauge("tideline_loading_bytes_left", "Landed bytes that they still have before them.", () =>
    loading("size_bytes - bytes_loaded"),
  );
  events.gauge("tideline_changed_users", "Users whose figures are not up to date.", () => count("changed_users"));
  events.gauge("tideline_expected_files_missing", "Files that should have come and have not.", () =>
    count("expected_files where state = 'missing'"),
  );
  events.gauge("tideline_notifications_pending", "Notifications that are not delivered yet.", () =>
    count("notifications where state = 'pending'"),
  );
  events.gauge("tideline_notifications_dead", "Notifications that were given up and can be replayed.", () =>
    count("notifications where state = 'dead'"),
  );
  events.gauge("tideline_import_markers_waiting", "IMPORT_COMPLETED markers that wait for earlier deliveries.", () =>
    count("import_markers where applied_at is null"),
  );
  events.gauge(
    "tideline_exchange_rates_age_banking_days",
    "Banking days since the newest exchange rates, today left out.",
    async () => (await readRatesAge(database, clock)).bankingDays ?? Number.NaN,
  );
  for (const { name } of watchedFolders(folder, cluster))
    events.gauge(`tideline_${name}_disk_free_bytes`, `Free bytes where the ${name} lies.`, () =>
      Math.max(0, disk.freeBytes(name)),
    );
}
