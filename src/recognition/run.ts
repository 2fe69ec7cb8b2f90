/** Running recognition: users whose data changed are claimed in bulk, recognised in a thread and stored there. */
import type { RecogniseOutcome, RecogniseTask } from "./task.ts";
import type { Clock } from "../time/clock.ts";
import { type Database, isDatabaseAway, type Queryable } from "../database/database.ts";
import type { Events } from "../events.ts";
import { isAnyListed, endOldHolds, marksOutdated } from "../partners/changed-users.ts";
import { newestVersion } from "../rates/table.ts";
import { businessDays } from "../partners/business-days.ts";
import { isTracing, nowMs } from "../traces.ts";
import { newestEdit } from "./product-edits.ts";
import { recogniseOneByOne } from "./isolate.ts";
import { noteRecognition } from "./traces.ts";
import { algorithmVersion } from "./version.ts";

export type Recognising = {
  database: Database;
  clock: Clock;
  events: Events;
  baseUrl: string;
  recognise(task: RecogniseTask): Promise<RecogniseOutcome>;
};

/**
 * Users in one transaction at most: each statement, its plan, which takes as long as its work for fifty users, and each
 * commit is then for many. Whoever waits for one of them waits no longer for it, since a transaction ends when its time is
 * over (workers/recognise.ts), however many it took.
 */
const usersPerTransactionMax = 250;
/** A running import touches its users with each batch; they are recognised when it pauses. */
const settledMs = 1000;

/**
 * Recognises changed users until none is due. @returns how many. `shouldStop` is asked between transactions.
 * @param lanes so many transactions at a time, each with users of its own; more than there are threads only hold locks.
 */
export async function recogniseChanged(
  recognising: Recognising,
  shouldStop: () => boolean = () => false,
  lanes = 1,
): Promise<number> {
  let hasFailed = false;
  const lane = async (): Promise<number> => {
    try {
      return await recogniseUntilNone(recognising, () => hasFailed || shouldStop());
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  // All lanes have ended when this does, whichever fails.
  const outcomes = await Promise.allSettled(Array.from({ length: lanes }, lane));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return outcomes.reduce((total, outcome) => total + (outcome.status === "fulfilled" ? outcome.value : 0), 0);
}

async function recogniseUntilNone(recognising: Recognising, shouldStop: () => boolean): Promise<number> {
  let total = 0;
  // Asked here first: a thread that is told of nothing gives its memory back. Users who still settle have one started.
  while (!shouldStop() && (await isAnyListed(recognising.database))) {
    const users = await recogniseNext(recognising);
    total += users;
    if (users === 0) break;
  }
  return total;
}

/** @returns how many were recognised in bulk, or, when that fails, one by one. */
async function recogniseNext(recognising: Recognising): Promise<number> {
  try {
    const { users, held } = await runTask(recognising, { usersMax: usersPerTransactionMax, settledMs });
    return users + held;
  } catch (error) {
    if (saysNothingOfUsers(error)) throw error;
    const alone = await recogniseOneByOne(
      recognising.database,
      usersPerTransactionMax,
      (userId) => renewUser(recognising, userId),
      saysNothingOfUsers,
    );
    if (alone.putOff === 0) throw error;
    return alone.recognised + alone.putOff;
  }
}

function saysNothingOfUsers(error: unknown): boolean {
  return isDatabaseAway(error) || (error instanceof Error && error.name === "Stopping");
}

/**
 * Recognises one user now, whether changed or not; when it returns, reads tell the new state, which is this version's,
 * put in force or not: the user has just decided something, and no other can tell it.
 */
export async function refreshUser(recognising: Recognising, userId: number): Promise<void> {
  await runTask(recognising, { usersMax: 1, settledMs: 0, userId });
}

/** The same for whoever did not hear from the user: a user may be held. */
export async function renewUser(recognising: Recognising, userId: number): Promise<void> {
  await runTask(recognising, { usersMax: 1, settledMs: 0, userId, mayHold: true });
}

/**
 * Lets users go who need be held no longer. Marks the users for whom a business day began since their read model was computed, whose algorithm or products are older, or whose
 * figures want a rate while newer ones have come.
 */
export async function markOutdated(database: Queryable, clock: Clock, usersMax: number): Promise<number> {
  await endOldHolds(database, algorithmVersion);
  const today = await businessDays(database, clock);
  const { rowCount } = await database.query(
    marksOutdated(
      "model.user_id",
      `from read_models as model
       join users on users.id = model.user_id and users.deleted_at is null
       join brands on brands.partner_id = users.partner_id and brands.id = users.brand_id
      where not exists (select 1 from changed_users where changed_users.user_id = model.user_id and held_for is not null)
        and (model.computed_for <> ($1::jsonb ->> brands.time_zone)::date
         -- Not <>: while a fleet is renewed, an older process must not undo what a newer one made.
         or model.algorithm_version < $2
         or model.rates_lacking_at < ${newestVersion}
         or model.catalogue_version < ${newestEdit})
      -- As loaders touch them, so that two who need the same users wait instead of deadlocking.
      order by model.user_id
      limit $3`,
    ),
    [JSON.stringify(today), algorithmVersion, usersMax],
  );
  return rowCount ?? 0;
}

async function runTask(
  recognising: Recognising,
  task: Pick<RecogniseTask, "usersMax" | "settledMs" | "userId" | "mayHold">,
): Promise<RecogniseOutcome> {
  const startedAt = performance.now();
  const startedAtMs = nowMs();
  // Of one user that is asked for, nothing need have come.
  const traced = isTracing() && task.userId === undefined ? { traced: true } : {};
  const today = await businessDays(recognising.database, recognising.clock);
  try {
    const outcome = await recognising.recognise({ ...task, ...traced, today, baseUrl: recognising.baseUrl });
    const { users, services, upgrade, held } = outcome;
    if (users > 0) noteRecognition(startedAtMs, outcome);
    if (users > 0)
      recognising.events.emit("recognition.ran", { users, services, durationMs: performance.now() - startedAt });
    if (upgrade.users > 0) recognising.events.emit("recognition.upgraded", { algorithmVersion, ...upgrade });
    if (held > 0) recognising.events.emit("recognition.held", { algorithmVersion, users: held });
    return outcome;
  } catch (error) {
    recognising.events.emit("recognition.failed", { users: task.usersMax, error });
    throw error;
  }
}
