/** What a load that broke means for its delivery: nothing, another try after a while, or the end. */
import type { Database } from "../database/database.ts";
import { codeOf, isDatabaseAway } from "../database/database.ts";

/**
 * A delivery that fails this often for a reason of its own, without a record in between, is poison: it stops and says
 * why.
 */
export const attemptsMax = 5;
/**
 * The process that loads it dies: by its doing, or it was restarted as often by chance. A restart a minute is half an
 * hour.
 */
export const breakdownsMax = 30;

/** Tries come after 1, 2, 4, 8 s. */
const backoffMs = 1000;

/**
 * What speaks against the machine or the moment: a full disk, too many open files, a loader that was overtaken, two
 * that met.
 */
const passing = /^(ENOSPC|EIO|EMFILE|ENFILE|ENOMEM|EAGAIN|LOAD_OVERTAKEN|40\w{3})$/;

/** Whether a failure counts against the delivery. */
export function isOwnFault(error: unknown): boolean {
  return !isDatabaseAway(error) && !(error instanceof Error && passing.test(codeOf(error)));
}

/** Notes a failed load and when to try again, or gives it up. Null: it is open no more, so that nothing failed. */
export async function noteFailure(database: Database, deliveryId: string, error: unknown): Promise<object | null> {
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
    [
      deliveryId,
      isOwnFault(error) ? 1 : 0,
      backoffMs / 1000,
      attemptsMax,
      `Loading failed ${attemptsMax} times; the last time: ${describe(error)}.`,
    ],
  );
  return rows[0] ?? null;
}

/** Gives up a delivery whose loader never came back. */
export async function abandonBreaker(database: Database, deliveryId: string): Promise<void> {
  await database.query(
    `update deliveries
        set state = 'refused',
            refusal_code = 'LOAD_ABANDONED',
            refusal_reason = $2,
            finished_at = now()
      where id = $1
        and state in ('accepted', 'loading')`,
    [deliveryId, `The service ended ${breakdownsMax} times while loading it, without a record in between.`],
  );
}

/** Its partner's rate is used up: it goes on later. */
export async function rest(database: Database, deliveryId: string, restMs: number): Promise<void> {
  await database.query(
    "update deliveries set breakdowns = 0, retry_at = now() + make_interval(secs => $2) where id = $1",
    [deliveryId, restMs / 1000],
  );
}

/** The kind of failure only: a message of the database may quote a row. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return `${error.name} ${codeOf(error)}`.trim();
}
