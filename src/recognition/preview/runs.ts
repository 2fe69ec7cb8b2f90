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
};

const columns = `id, name, kind, partner_id as "partnerId", algorithm_version as "algorithmVersion", as_of as "asOf",
            asked_percent as "askedPercent", visible_percent as "visiblePercent", started_at as "startedAt",
            finished_at as "finishedAt", last_user_id as "lastUserId", users`;

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
  const services = found.map(({ service }) => service);
  if (found.length > 0)
    await transaction.query(
      `insert into recognition_run_services (run_id, user_id, service_id, title, payment_frequency, status, visibility, amount, currency, next_on, confidence)
       select $1, * from unnest($2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::numeric[], $9::text[], $10::date[], $11::real[])`,
      [
        run.id,
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
  await transaction.query("update recognition_runs set last_user_id = $2, users = users + $3 where id = $1", [
    run.id,
    Math.max(...userIds),
    userIds.length,
  ]);
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
