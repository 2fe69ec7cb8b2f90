/** SQL of changed users, and of what a run writes. The caller owns the transaction. */
import type { Day } from "../time/calendar.ts";
import type { Transaction } from "../database/database.ts";
import type { StoredWarning } from "./services/alert.ts";
import type { StoredService } from "./remembered.ts";
import type { Verdict } from "./services/submission.ts";

/** A user to recognise, with what the brand says. */
export type RecognisedUser = {
  id: number;
  subject: string;
  country: string;
  currency: string;
  timeZone: string;
  hiddenProductIds: string[];
  importCompletedOn: Day | null;
  /** With which the user's figures were last computed; null before the first run. */
  algorithmVersion: number | null;
};

/** A service as it is to be stored. document, status and frequency null: the series is no longer found. */
export type ServiceRow = Omit<StoredService, "cancellation" | "digest"> & {
  /** The user called it a subscription just now, which wins over an earlier decision to hide it. */
  isConfirmed: boolean;
  document: string | null;
};

/** A service that went into another one. */
export type Merge = { from: string; into: string };

export type ReadModelRow = {
  userId: number;
  servicesVisible: string;
  servicesHidden: string;
  upcoming: string;
  importComplete: boolean;
  computedFor: Day;
};

/** readModelDigest: of the lists as they are stored; null before the first run. */
export type TakenUser = RecognisedUser & { readModelDigest: string | null };

/** Users whom this transaction alone recognises. `versions`: the state of their entries on the list, "" for none. */
export type TakenUsers = { users: TakenUser[]; entries: { userId: number; version: string }[] };

/**
 * Chooses users of the list, longest untouched first, and keeps other runs away from them until the transaction ends.
 * The list itself stays free: whoever loads for one of them meanwhile neither waits nor is missed (leaveList). Users
 * with new data come before those who are computed again because a day or the algorithm changed. Deleted users only
 * leave the list.
 */
export async function takeChangedUsers(
  transaction: Transaction,
  usersMax: number,
  settledMs: number,
): Promise<TakenUsers> {
  const fresh = await takeTouched(transaction, usersMax, settledMs, "touched_at > now() - interval '12 hours'");
  // Those were marked as if untouched for a day.
  return fresh.entries.length > 0
    ? fresh
    : await takeTouched(transaction, usersMax, settledMs, "touched_at <= now() - interval '12 hours'");
}

/** Entries looked at for each user wanted: some may be in the hands of other runs. */
const candidatesPerUser = 20;

async function takeTouched(
  transaction: Transaction,
  usersMax: number,
  settledMs: number,
  age: string,
): Promise<TakenUsers> {
  const { rows: entries } = await transaction.query<TakenUsers["entries"][number]>(
    `with due as materialized (
       select user_id, xmin::text as version
         from changed_users
        where (touched_at <= now() - make_interval(secs => $2)
           -- A user whose records never pause is still recognised now and then.
           or since <= now() - make_interval(secs => $2 * 30))
          and ${age}
        order by touched_at
        limit $1 * ${candidatesPerUser}
     )
     select user_id as "userId", version
       from due
      where pg_try_advisory_xact_lock(${lockOf("user_id")})
      limit $1`,
    [usersMax, settledMs / 1000],
  );
  return {
    entries,
    users: await readUsers(
      transaction,
      entries.map(({ userId }) => userId),
    ),
  };
}

/** One user, whether on the list or not; no user when it was deleted. Waits for a run that has it. */
export async function takeUser(transaction: Transaction, userId: number): Promise<TakenUsers> {
  await transaction.query(`select pg_advisory_xact_lock(${lockOf("$1::bigint")})`, [userId]);
  const { rows } = await transaction.query<{ version: string }>(
    "select xmin::text as version from changed_users where user_id = $1",
    [userId],
  );
  return { entries: [{ userId, version: rows[0]?.version ?? "" }], users: await readUsers(transaction, [userId]) };
}

/** Two runs over one user would both write its services. */
function lockOf(userId: string): string {
  return `hashtextextended('recognise ' || ${userId}, 0)`;
}

/**
 * Takes off the list what nobody touched since it was taken; a user with data that came meanwhile stays for the next
 * run. To be called when everything is computed and before anything else is written: every other writer locks the list
 * first, too.
 */
export async function leaveList(transaction: Transaction, { entries }: TakenUsers): Promise<void> {
  await transaction.query(
    `delete from changed_users
      using unnest($1::bigint[], $2::text[]) as taken (user_id, version)
      where changed_users.user_id = taken.user_id
        and changed_users.xmin::text = taken.version`,
    [entries.map(({ userId }) => userId), entries.map(({ version }) => version)],
  );
}

async function readUsers(transaction: Transaction, userIds: readonly number[]): Promise<TakenUser[]> {
  if (userIds.length === 0) return [];
  const { rows } = await transaction.query<TakenUser>(selectUsers("and users.id = any($1::bigint[])"), [userIds]);
  return rows;
}

/** Without taking it: for looking only. Null when there is none, or it was deleted. */
export async function readUser(transaction: Transaction, userId: number): Promise<RecognisedUser | null> {
  const { rows } = await transaction.query<RecognisedUser>(selectUsers("and users.id = $1"), [userId]);
  return rows[0] ?? null;
}

function selectUsers(condition: string): string {
  return `select users.id, users.subject, brands.country, brands.currency, brands.time_zone as "timeZone",
            array(select jsonb_array_elements_text(coalesce(brands.features -> 'hiddenProducts', '[]'))) as "hiddenProductIds",
            users.import_completed_on as "importCompletedOn", read_models.algorithm_version as "algorithmVersion",
            read_models.digest as "readModelDigest"
       from users
       join brands on brands.partner_id = users.partner_id and brands.id = users.brand_id
       left join read_models on read_models.user_id = users.id
      where users.deleted_at is null
        ${condition}
      order by users.id`;
}

/** Merged services first hand over their cancellation cases. */
export async function writeServices(
  transaction: Transaction,
  services: readonly ServiceRow[],
  merges: readonly Merge[],
): Promise<void> {
  if (merges.length > 0) await dropMerged(transaction, merges);
  if (services.length === 0) return;
  // Arrays of arrays do not unnest row by row: the txids travel as JSON.
  await transaction.query(
    `with given as (
       select *
         from unnest($1::uuid[], $2::bigint[], $3::text[], ${documents("$4")}, $5::date[], $6::boolean[], $7::boolean[], $8::text[], $9::text[], ${documents("$10")})
              as row (id, user_id, key, txids, first_detected_on, hidden, is_confirmed, status, payment_frequency, document)
     )
     insert into services (id, user_id, key, txids, first_detected_on, hidden, hidden_decided_at, status, payment_frequency, document)
     select id, user_id, key, array(select json_array_elements_text(txids::json)), first_detected_on, hidden, case when is_confirmed then now() end,
            status, payment_frequency, document::json
       from given
     on conflict (id) do update
        set key = excluded.key,
            txids = excluded.txids,
            -- Decided in this run, or else what stands now: the user may have decided while the run went on.
            hidden = case when excluded.hidden_decided_at is null then coalesce(services.hidden, excluded.hidden) else excluded.hidden end,
            hidden_decided_at = coalesce(excluded.hidden_decided_at, services.hidden_decided_at),
            status = excluded.status,
            payment_frequency = excluded.payment_frequency,
            document = excluded.document`,
    [
      services.map((row) => row.id),
      services.map((row) => row.userId),
      services.map((row) => row.key),
      joined(services.map((row) => JSON.stringify(row.txids))),
      services.map((row) => row.firstDetectedOn),
      services.map((row) => row.hidden),
      services.map((row) => row.isConfirmed),
      services.map((row) => row.status),
      services.map((row) => row.paymentFrequency),
      joined(services.map((row) => row.document)),
    ],
  );
}

/**
 * Documents travel as one text: an array of texts has each of their many quotation marks escaped on one side and
 * unescaped on the other. JSON has no control character (RFC 8259, section 7), so one stands between them; no document
 * is empty, so empty is null.
 */
const separator = "\u001e";

function joined(texts: readonly (string | null)[]): string {
  return texts.map((text) => text ?? "").join(separator);
}

function documents(parameter: string): string {
  return `string_to_array(${parameter}::text, e'\\x1e', '')`;
}

async function dropMerged(transaction: Transaction, merges: readonly Merge[]): Promise<void> {
  await transaction.query(
    `with merged as (
       select * from unnest($1::uuid[], $2::uuid[]) as row (from_id, into_id)
     ),
     moved as (
       update cancellation_cases set service_id = into_id from merged where service_id = from_id
     )
     delete from services using merged where id = from_id`,
    [merges.map(({ from }) => from), merges.map(({ into }) => into)],
  );
}

export async function writeReadModels(
  transaction: Transaction,
  models: readonly ReadModelRow[],
  algorithmVersion: number,
): Promise<void> {
  if (models.length === 0) return;
  await transaction.query(
    `insert into read_models (user_id, services_visible, services_hidden, upcoming, import_complete, computed_for, algorithm_version)
     select user_id, visible::json, hidden::json, upcoming::json, import_complete, computed_for, $7::integer
       from unnest($1::bigint[], ${documents("$2")}, ${documents("$3")}, ${documents("$4")}, $5::boolean[], $6::date[])
            as row (user_id, visible, hidden, upcoming, import_complete, computed_for)
     on conflict (user_id) do update
        set services_visible = excluded.services_visible,
            services_hidden = excluded.services_hidden,
            upcoming = excluded.upcoming,
            import_complete = read_models.import_complete or excluded.import_complete,
            computed_for = excluded.computed_for,
            algorithm_version = excluded.algorithm_version,
            computed_at = now()`,
    [
      models.map((row) => row.userId),
      joined(models.map((row) => row.servicesVisible)),
      joined(models.map((row) => row.servicesHidden)),
      joined(models.map((row) => row.upcoming)),
      models.map((row) => row.importComplete),
      models.map((row) => row.computedFor),
      algorithmVersion,
    ],
  );
}

/** Lists that stay as they are, made anew: only the day moves on. */
export async function confirmReadModels(
  transaction: Transaction,
  models: readonly ReadModelRow[],
  algorithmVersion: number,
): Promise<void> {
  if (models.length === 0) return;
  await transaction.query(
    `update read_models
        set import_complete = read_models.import_complete or made.import_complete,
            computed_for = made.computed_for,
            algorithm_version = $4,
            computed_at = now()
       from unnest($1::bigint[], $2::boolean[], $3::date[]) as made (user_id, import_complete, computed_for)
      where read_models.user_id = made.user_id`,
    [
      models.map((row) => row.userId),
      models.map((row) => row.importComplete),
      models.map((row) => row.computedFor),
      algorithmVersion,
    ],
  );
}

export async function writeVerdicts(transaction: Transaction, verdicts: readonly Verdict[]): Promise<void> {
  const judged = verdicts.filter(({ isNew }) => isNew);
  if (judged.length === 0) return;
  await transaction.query(
    `update submissions
        set outcome = judged.outcome,
            payee_key = judged.payee_key
       from unnest($1::uuid[], $2::text[], $3::text[]) as judged (id, outcome, payee_key)
      where submissions.id = judged.id`,
    [
      judged.map(({ submission }) => submission.id),
      judged.map(({ outcome }) => outcome),
      judged.map(({ payeeKey }) => payeeKey),
    ],
  );
}

/** Each payee once a user, whatever an earlier run or another one raised. */
export async function writeWarnings(
  transaction: Transaction,
  warnings: readonly (StoredWarning & { userId: number })[],
): Promise<void> {
  if (warnings.length === 0) return;
  await transaction.query(
    `insert into membership_alerts (id, user_id, payee_key, txid)
     select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[])
     on conflict do nothing`,
    [
      warnings.map(({ id }) => id),
      warnings.map(({ userId }) => userId),
      warnings.map(({ payeeKey }) => payeeKey),
      warnings.map(({ txid }) => txid),
    ],
  );
}
