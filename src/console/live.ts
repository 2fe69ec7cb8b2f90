/**
 * Live parts: browsers that have a page open hear that something has changed, and ask for the page again. One statement
 * every few seconds serves all of them, and none is asked while nobody listens.
 */
import type { Queryable } from "../database/database.ts";
import { silentAfterSeconds } from "../observation/processes.ts";

export type Live = {
  /**
   * @param hears called at each change
   * @param isOver called once, when nothing is told any more
   * @returns null: too many listen already, or it is over; else how to stop
   */
  listen(hears: () => void, isOver?: () => void): (() => void) | null;
  close(): void;
};

const lookEveryMs = 3000;
const listenersMax = 100;

export function openLive(database: Queryable): Live {
  const listeners = new Map<symbol, { hears: () => void; isOver: () => void }>();
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;
  let seen: string | null = null;

  const look = async (): Promise<void> => {
    // A database that is away is told by the pages themselves.
    const now = await signature(database).catch(() => seen);
    if (seen !== null && now !== seen) for (const { hears } of listeners.values()) hears();
    seen = now;
    timer = listeners.size === 0 ? null : setTimeout(() => void look(), lookEveryMs);
    if (timer === null) seen = null;
  };
  return {
    listen(hears, isOver = () => undefined) {
      if (isClosed || listeners.size >= listenersMax) return null;
      const listener = Symbol("listener");
      listeners.set(listener, { hears, isOver });
      if (timer === null && listeners.size === 1) timer = setTimeout(() => void look(), 0);
      return () => void listeners.delete(listener);
    },
    close() {
      isClosed = true;
      const left = [...listeners.values()];
      listeners.clear();
      for (const { isOver } of left) isOver();
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/**
 * Another text whenever a delivery came, moved on or ended, a process came, went or fell silent, or an alert did. Each
 * part is read from the end of an index, or from a table of a few rows.
 */
async function signature(database: Queryable): Promise<string> {
  const { rows } = await database.query<{ signature: string }>(
    `select concat_ws(' ',
              (select max(position) from deliveries),
              (select max(finished_at) from deliveries where finished_at is not null),
              (select concat(count(*), ' ', sum(records)) from deliveries where state = 'loading'),
              (select count(*) from (select 1 from deliveries where state in ('accepted', 'loading') limit 1000) as open),
              (select count(*) from (select 1 from deliveries where revisit_requested_at is not null limit 1000) as revisited),
              -- What begins and ends between two looks leaves the counts as they were; it is told some seconds later.
              pg_stat_get_tuples_updated('deliveries'::regclass),
              (select concat(count(*), ' ', count(*) filter (where beat_at < now() - $1 * interval '1 second')) from processes),
              (select concat(count(*), ' ', max(since)) from alerts)) as signature`,
    [silentAfterSeconds],
  );
  return rows[0]?.signature ?? "";
}
