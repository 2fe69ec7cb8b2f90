/** Loads that broke off: tried again later, given up, or resting. What a failure means is staging's to judge. */
import type { Queryable } from "../database/database.ts";

export type FailedLoad = {
  /** Whether it counts against the delivery. */
  isOwnFault: boolean;
  /** Before the second try; doubled with each further one. */
  backoffMs: number;
  /** With so many of its own it is given up. */
  attemptsMax: number;
  /** Why it is given up, if this is the last one. */
  lastReason: string;
};

/** Notes a failed load and when to try again, or gives it up. Null: it is open no more, so that nothing failed. */
export async function noteFailedLoad(
  database: Queryable,
  deliveryId: string,
  { isOwnFault, backoffMs, attemptsMax, lastReason }: FailedLoad,
): Promise<object | null> {
  const { rows } = await database.query<object>(
    `update deliveries
        set attempts = attempts + $2,
            breakdowns = 0,
            retry_at = case when not gives_up then now() + make_interval(secs => $3 * 2 ^ attempts) end,
            state = case when gives_up then 'refused' else state end,
            refusal_code = case when gives_up then 'LOAD_ABANDONED' end,
            refusal_reason = case when gives_up then $5 end,
            finished_at = case when gives_up then now() else finished_at end
       from (select id as tried, state in ('accepted', 'loading') and attempts + $2 >= $4 as gives_up from deliveries where id = $1) as judged
      where id = tried
        and (state in ('accepted', 'loading') or revisit_requested_at is not null)
      returning id`,
    [deliveryId, isOwnFault ? 1 : 0, backoffMs / 1000, attemptsMax, lastReason],
  );
  return rows[0] ?? null;
}

/** Ends an open load for good; an operator may open it again. */
export async function giveUpLoad(database: Queryable, deliveryId: string, reason: string): Promise<void> {
  await database.query(
    `update deliveries
        set state = 'refused',
            refusal_code = 'LOAD_ABANDONED',
            refusal_reason = $2,
            finished_at = now()
      where id = $1
        and state in ('accepted', 'loading')`,
    [deliveryId, reason],
  );
}

/** Its partner's rate is used up: it goes on later. */
export async function rest(database: Queryable, deliveryId: string, restMs: number): Promise<void> {
  await database.query(
    "update deliveries set breakdowns = 0, retry_at = now() + make_interval(secs => $2) where id = $1",
    [deliveryId, restMs / 1000],
  );
}

/** It opened to more than the lane of small deliveries takes: from now on it is none of them. */
export async function noteOutgrown(database: Queryable, deliveryId: string): Promise<void> {
  await database.query("update deliveries set outgrown = true, breakdowns = 0, retry_at = null where id = $1", [
    deliveryId,
  ]);
}
