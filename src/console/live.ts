/**
 * Live parts: browsers that have a page open hear that something has changed, and ask for the page again. One statement
 * every few seconds serves all of them, and none is asked while nobody listens. They are told one after the other, so that
 * their pages are not asked for in one moment, which the API's callers would feel.
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

export const lookEveryMs = 3000;
/** Between one who is told and the next, where not so many listen that all of it would take longer than a look. */
export const tellEveryMs = 100;
const listenersMax = 100;

type Listener = { hears: () => void; isOver: () => void };

/** @param options.changed called at a change before anybody is told of it */
export function openLive(database: Queryable, { changed = () => undefined }: { changed?: () => void } = {}): Live {
  const listeners = new Set<Listener>();
  /** Of a change that they have not heard of; who waits for one already hears of both. */
  const untold = new Set<Listener>();
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;
  let telling: NodeJS.Timeout | null = null;
  let seen: string | null = null;

  const look = async (): Promise<void> => {
    // A database that is away is told by the pages themselves.
    const now = await signature(database).catch(() => seen);
    if (seen !== null && now !== seen) {
      changed();
      for (const listener of listeners) untold.add(listener);
      if (telling === null) tell();
    }
    seen = now;
    timer = listeners.size === 0 || isClosed ? null : setTimeout(() => void look(), lookEveryMs);
    if (timer === null) seen = null;
  };
  const tell = (): void => {
    const [next] = untold;
    if (next !== undefined) untold.delete(next);
    next?.hears();
    telling = untold.size === 0 ? null : setTimeout(tell, Math.min(tellEveryMs, lookEveryMs / listeners.size));
  };
  return {
    listen(hears, isOver = () => undefined) {
      if (isClosed || listeners.size >= listenersMax) return null;
      const listener = { hears, isOver };
      listeners.add(listener);
      if (timer === null && listeners.size === 1) {
        // Nobody looked until now.
        changed();
        timer = setTimeout(() => void look(), 0);
      }
      return () => {
        listeners.delete(listener);
        untold.delete(listener);
      };
    },
    close() {
      isClosed = true;
      const left = [...listeners];
      listeners.clear();
      untold.clear();
      for (const { isOver } of left) isOver();
      if (timer !== null) clearTimeout(timer);
      if (telling !== null) clearTimeout(telling);
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
