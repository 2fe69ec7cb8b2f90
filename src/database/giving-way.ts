/**
 * Who waits for whom among the server's sessions. Of sessions that wait for each other in a circle the server ends the first
 * that has waited for its `deadlock_timeout` by then, which is as often the one that came last: a session that is to give
 * way must do so before.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Queryable } from "./database.ts";

/** Well below `deadlock_timeout`, which is a second unless somebody chose another. */
const looksEveryMs = 150;

/** Ends what the session runs when somebody whom it waits for waits for it. */
const endInCircle = `
  with recursive ahead (pid) as (
    select unnest(pg_blocking_pids($1))
    union
    select unnest(pg_blocking_pids(ahead.pid)) from ahead
  )
  select pg_cancel_backend($1) as ended from ahead where pid = $1`;

export type GivingWay = {
  /** Whether what the session ran was ended since this was asked last. */
  gaveWay(): boolean;
  stop(): Promise<void>;
};

/**
 * Looks several times a second, over a connection of its own that has the rights to end what the session runs, whether the
 * session waits in a circle.
 * @param sessionPid the session's process in the server; undefined while it has no connection.
 * A look that fails ends the looking: the server's own choice stands then, as without it.
 */
export function giveWay(database: Queryable, sessionPid: () => number | undefined): GivingWay {
  const stopped = new AbortController();
  let ended = false;
  async function look(): Promise<void> {
    for (;;) {
      await wait(looksEveryMs, undefined, { signal: stopped.signal });
      const pid = sessionPid();
      if (pid === undefined) continue;
      const { rows } = await database.query<{ ended: boolean }>(endInCircle, [pid]);
      if (rows.some((row) => row.ended)) ended = true;
    }
  }
  const looking = look().catch(() => undefined);
  return {
    gaveWay: () => {
      const did = ended;
      ended = false;
      return did;
    },
    stop: async () => {
      stopped.abort();
      await looking;
    },
  };
}
