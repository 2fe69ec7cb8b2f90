/**
 * Runs of recognition that are kept beside what is in force: previews, and what was in force at a moment. SQL. A run has
 * the users whose ids are at most the last one it reached, so that it goes on where it was broken off.
 */
import type { Database, Queryable, Transaction } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import type { Service } from "../../interface/services.ts";
import type { Day } from "../../time/calendar.ts";
import type { ConfidencePercents } from "../search/confidence.ts";

/** askedPercent, visiblePercent, asOf: null where what each brand says holds. */
export type RunSettings = ConfidencePercents & { partnerId: string | null; asOf: Day | null };

export type Run = RunSettings & {
  id: number;
  name: string;
  kind: "preview" | "stored";
  algorithmVersion: number;
  startedAt: Date;
  /** Null: it was broken off. */
  finishedAt: Date | null;
  lastUserId: number;
  users: number;
  /** It has the users of its list: those whom its version was held back for, or what was in force of them. */
  listsUsers: boolean;
  /** When it was put in force; null: it was not. */
  putInForceAt: Date | null;
};

const columns = `id, name, kind, partner_id as "partnerId", algorithm_version as "algorithmVersion", as_of as "asOf",
            asked_percent as "askedPercent", visible_percent as "visiblePercent", started_at as "startedAt",
            finished_at as "finishedAt", last_user_id as "lastUserId", lists_users as "listsUsers", put_in_force_at as "putInForceAt",
            case when lists_users
                 then (select count(*) from recognition_run_users where run_id = recognition_runs.id)
                 else users end as users`;

/** Runs that the service makes by itself; nobody else names one so. */
const ownName = /^version-\d+-/;

/** Newest first. */
export async function listRuns(database: Queryable): Promise<Run[]> {
  const { rows } = await database.query<Run>(`select ${columns} from recognition_runs order by id desc`);
  return rows;
}

/** @throws Fault NOT_FOUND */
export async function findRun(database: Queryable, name: string): Promise<Run> {
  const { rows } = await database.query<Run>(`select ${columns} from recognition_runs where name = $1`, [name]);
  if (!rows[0])
    throw new Fault("NOT_FOUND", `There is no run "${name}"; tideline recognise --runs lists those there are.`);
  return rows[0];
}

/**
 * A new run, or the one of that name that was broken off, where it was to be the same.
 * @throws Fault COMMAND_USAGE when there is another one of that name
 */
export async function beginRun(
  database: Queryable,
  name: string,
  { partnerId, asOf, askedPercent, visiblePercent }: RunSettings,
  made: Pick<Run, "kind" | "algorithmVersion">,
): Promise<Run> {
  if (ownName.test(name))
    throw new Fault("COMMAND_USAGE", `The service itself keeps runs of names like "${name}": choose another name.`);
  await database.query(
    `insert into recognition_runs (name, kind, partner_id, algorithm_version, as_of, asked_percent, visible_percent)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (name) do nothing`,
    [name, made.kind, partnerId, made.algorithmVersion, asOf, askedPercent, visiblePercent],
  );
  const run = await findRun(database, name);
  const isSame =
    run.kind === made.kind &&
    run.partnerId === partnerId &&
    run.algorithmVersion === made.algorithmVersion &&
    run.asOf === asOf &&
    run.askedPercent === askedPercent &&
    run.visiblePercent === visiblePercent;
  if (run.finishedAt === null && isSame) return run;
  throw new Fault(
    "COMMAND_USAGE",
    `There is a run "${name}" already${run.finishedAt === null ? ", begun with other settings" : ""}: choose another name, or remove it with tideline recognise --forget ${name}.`,
  );
}

/** @returns false when there was none. */
export async function forgetRun(database: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await database.query("delete from recognition_runs where name = $1", [name]);
  return rowCount === 1;
}

/** Users of the run that are still to be looked at, by their ids. */
export async function nextUsers(database: Queryable, run: Run, usersMax: number): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    `select id
       from users
      where id > $1
        and deleted_at is null
        and ($2::text is null or partner_id = $2)
      order by id
      limit $3`,
    [run.lastUserId, run.partnerId, usersMax],
  );
  return rows.map(({ id }) => id);
}

export async function countUsersOf(database: Queryable, { partnerId }: Pick<Run, "partnerId">): Promise<number> {
  const { rows } = await database.query<{ users: number }>(
    "select count(*) as users from users where deleted_at is null and ($1::text is null or partner_id = $1)",
    [partnerId],
  );
  return rows[0]?.users ?? 0;
}

/** What a run found of these users, and that it has come so far. @param userIds all of them, those without services too */
export async function keepFound(
  transaction: Transaction,
  run: Run,
  userIds: readonly number[],
  found: readonly { userId: number; service: Service }[],
): Promise<void> {
  await insertFound(
    transaction,
    found.map((one) => ({ ...one, runId: run.id })),
  );
  await transaction.query("update recognition_runs set last_user_id = $2, users = users + $3 where id = $1", [
    run.id,
    Math.max(...userIds),
    userIds.length,
  ]);
}

/** The run's services of users of whom it has none yet. */
export async function insertFound(
  transaction: Transaction,
  found: readonly { runId: number; userId: number; service: Service }[],
): Promise<void> {
  const services = found.map(({ service }) => service);
  if (found.length > 0)
    await transaction.query(
      `insert into recognition_run_services (run_id, user_id, service_id, title, payment_frequency, status, visibility, amount, currency, next_on, confidence)
       select * from unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::numeric[], $9::text[], $10::date[], $11::real[])`,
      [
        found.map(({ runId }) => runId),
        found.map(({ userId }) => userId),
        services.map(({ id }) => id),
        services.map(({ product }) => product.title),
        services.map(({ paymentFrequency }) => paymentFrequency),
        services.map(({ status }) => status),
        services.map(({ visibility }) => visibility),
        services.map(({ amount }) => amount),
        services.map(({ currency }) => currency),
        services.map(({ nextExpectedTransactionDate }) => nextExpectedTransactionDate),
        services.map(({ confidence }) => confidence ?? 0),
      ],
    );
}

export async function finishRun(database: Queryable, run: Run): Promise<void> {
  await database.query("update recognition_runs set finished_at = now() where id = $1", [run.id]);
}

/** Services as they are in force, as rows of recognition_run_services without the run. */
export const inForce = `select user_id, id as service_id, document -> 'product' ->> 'title' as title, payment_frequency, status,
              document ->> 'visibility' as visibility, (document ->> 'amount')::numeric as amount, document ->> 'currency' as currency,
              (document ->> 'nextExpectedTransactionDate')::date as next_on, coalesce((document ->> 'confidence')::real, 0) as confidence
         from services
        where document is not null`;

/** Keeps what is in force of every user of the run. */
export async function keepInForce(database: Database, run: Run): Promise<Run> {
  await database.query(
    `with kept as (
       insert into recognition_run_services (run_id, user_id, service_id, title, payment_frequency, status, visibility, amount, currency, next_on, confidence)
       select $1, stored.*
         from (${inForce}) as stored
         join users on users.id = stored.user_id and users.deleted_at is null and ($2::text is null or users.partner_id = $2)
     ),
     of_run as (
       select count(*) as users, coalesce(max(id), 0) as last_user_id
         from users
        where deleted_at is null
          and ($2::text is null or partner_id = $2)
     )
     update recognition_runs
        set users = of_run.users,
            last_user_id = of_run.last_user_id,
            finished_at = now()
       from of_run
      where id = $1`,
    [run.id, run.partnerId],
  );
  return await findRun(database, run.name);
}

/** A list of users has no last one. */
const noLastUser = Number.MAX_SAFE_INTEGER;

/**
 * Keeps what a version that is held back finds of users, and what is in force of them, in two runs for each partner that
 * are made when they are not there: `version-8-PARTNER`, and `version-8-PARTNER-before`.
 */
export async function keepHeldBack(
  transaction: Transaction,
  version: number,
  users: readonly { userId: number; found: readonly Service[] }[],
): Promise<void> {
  if (users.length === 0) return;
  const userIds = users.map(({ userId }) => userId);
  await transaction.query(
    `insert into recognition_runs (name, kind, partner_id, algorithm_version, finished_at, last_user_id, lists_users)
     select format(side.name, $2::integer, partner.id), side.kind, partner.id, $2, now(), $3, true
       from (select distinct partner_id as id from users where id = any($1::bigint[])) as partner,
            (values ('version-%s-%s', 'preview'), ('version-%s-%s-before', 'stored')) as side (name, kind)
      -- Two who keep for the same partners wait for each other.
      order by partner.id, side.kind
     on conflict (name) do nothing`,
    [userIds, version, noLastUser],
  );
  const { rows } = await transaction.query<{ userId: number; foundRunId: number; beforeRunId: number }>(
    `select users.id as "userId", found.id as "foundRunId", before.id as "beforeRunId"
       from users
       join recognition_runs as found on found.name = format('version-%s-%s', $2::integer, users.partner_id)
       join recognition_runs as before on before.name = found.name || '-before'
      where users.id = any($1::bigint[])`,
    [userIds, version],
  );
  const runIds = rows.flatMap(({ foundRunId, beforeRunId }) => [foundRunId, beforeRunId]);
  const ofRuns = rows.flatMap(({ userId }) => [userId, userId]);
  await transaction.query(
    `with again as (
       select * from unnest($1::bigint[], $2::bigint[]) as again (run_id, user_id)
     ),
     services as (
       delete from recognition_run_services as former using again
        where former.run_id = again.run_id and former.user_id = again.user_id
     )
     delete from recognition_run_users as former using again
      where former.run_id = again.run_id and former.user_id = again.user_id`,
    [runIds, ofRuns],
  );
  await transaction.query(
    "insert into recognition_run_users (run_id, user_id) select * from unnest($1::bigint[], $2::bigint[])",
    [runIds, ofRuns],
  );
  const foundRuns = new Map(rows.map(({ userId, foundRunId }) => [userId, foundRunId]));
  await insertFound(
    transaction,
    users.flatMap(({ userId, found }) => {
      const runId = foundRuns.get(userId);
      return runId === undefined ? [] : found.map((service) => ({ runId, userId, service }));
    }),
  );
  await transaction.query(
    `insert into recognition_run_services (run_id, user_id, service_id, title, payment_frequency, status, visibility, amount, currency, next_on, confidence)
     select run.id, stored.*
       from unnest($1::bigint[], $2::bigint[]) as run (id, user_id)
       join (${inForce}) as stored on stored.user_id = run.user_id`,
    [rows.map(({ beforeRunId }) => beforeRunId), rows.map(({ userId }) => userId)],
  );
}

/** The run of what was in force of those whom this one's version was held back for. */
export function beforeOf({ name }: Pick<Run, "name">): string {
  return `${name}-before`;
}

/** How many users wait for the run to be put in force. */
export async function countWaiting(database: Queryable, run: Run): Promise<number> {
  const { rows } = await database.query<{ users: number }>(
    `select count(*) as users
       from recognition_run_users as one
       join changed_users as waiting on waiting.user_id = one.user_id
      where one.run_id = $1
        and waiting.held_for = $2`,
    [run.id, run.algorithmVersion],
  );
  return rows[0]?.users ?? 0;
}

export async function notePutInForce(transaction: Transaction, run: Run): Promise<void> {
  await transaction.query("update recognition_runs set put_in_force_at = now() where id = $1", [run.id]);
}

const keptDays = 90;

/** Removes the service's own runs of versions that were put in force, or that a newer one took the place of, long ago. */
export async function forgetOldRuns(database: Queryable, algorithmVersion: number): Promise<void> {
  await database.query(
    `delete from recognition_runs
      where lists_users
        and coalesce(put_in_force_at, started_at) < now() - make_interval(days => ${keptDays})
        and (put_in_force_at is not null or kind = 'stored' or algorithm_version < $1)
        and not exists (select 1
                          from changed_users as waiting
                          join recognition_run_users as one on one.user_id = waiting.user_id and one.run_id = recognition_runs.id
                         where waiting.held_for = recognition_runs.algorithm_version)`,
    [algorithmVersion],
  );
}
