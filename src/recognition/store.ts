/** SQL of changed users, services and read models. The caller owns the transaction. */
import type { Day } from "../calendar.ts";
import type { Transaction } from "../database.ts";

/** A user to recognise, with what the brand says. */
export type RecognisedUser = {
  id: number;
  subject: string;
  country: string;
  currency: string;
  timeZone: string;
  hiddenProductIds: string[];
  importCompletedOn: Day | null;
};

export type StoredService = { id: string; userId: number; key: string; txids: string[]; firstDetectedOn: Day; hidden: boolean | null };

/** A service as it is to be stored. document null: the series is no longer found. */
export type ServiceRow = Omit<StoredService, "hidden"> & { hidden: boolean | null; document: string | null };

export type ReadModelRow = {
  userId: number;
  servicesVisible: string;
  servicesHidden: string;
  upcoming: string;
  importComplete: boolean;
  computedFor: Day;
};

/**
 * Takes users off the list, longest untouched first, those that another run holds left out. Their rows stay locked, so a
 * loader that touches one of them waits and puts it back on the list afterwards. Deleted users only leave the list.
 */
export async function takeChangedUsers(transaction: Transaction, usersMax: number, settledMs: number): Promise<RecognisedUser[]> {
  const { rows } = await transaction.query<RecognisedUser>(
    `with due as (
       select user_id
         from changed_users
        where touched_at <= now() - make_interval(secs => $2)
           -- A user whose records never pause is still recognised now and then.
           or since <= now() - make_interval(secs => $2 * 30)
        order by touched_at
        limit $1
          for update skip locked
     ),
     taken as (
       delete from changed_users using due where changed_users.user_id = due.user_id returning due.user_id
     )
     ${selectUsers("join taken on taken.user_id = users.id")}`,
    [usersMax, settledMs / 1000],
  );
  return rows;
}

/** One user, whether on the list or not; empty when it was deleted. */
export async function takeUser(transaction: Transaction, userId: number): Promise<RecognisedUser[]> {
  // Two runs over one user would both write its services: holding its row on the list keeps the others out.
  await transaction.query("insert into changed_users (user_id) values ($1) on conflict (user_id) do update set touched_at = now()", [userId]);
  await transaction.query("delete from changed_users where user_id = $1", [userId]);
  const { rows } = await transaction.query<RecognisedUser>(selectUsers("and users.id = $1"), [userId]);
  return rows;
}

function selectUsers(restriction: string): string {
  const [join, condition] = restriction.startsWith("join") ? [restriction, ""] : ["", restriction];
  return `select users.id, users.subject, brands.country, brands.currency, brands.time_zone as "timeZone",
            array(select jsonb_array_elements_text(coalesce(brands.features -> 'hiddenProducts', '[]'))) as "hiddenProductIds",
            users.import_completed_on as "importCompletedOn"
       from users
       ${join}
       join brands on brands.partner_id = users.partner_id and brands.id = users.brand_id
      where users.deleted_at is null
        ${condition}
      order by users.id`;
}

/** Every service that the users ever had, oldest first. */
export async function readStoredServices(transaction: Transaction, userIds: readonly number[]): Promise<Map<number, StoredService[]>> {
  const { rows } = await transaction.query<StoredService>(
    `select id, user_id as "userId", key, txids, first_detected_on as "firstDetectedOn", hidden
       from services
      where user_id = any($1::bigint[])
      order by detected_at, id`,
    [userIds],
  );
  const byUser = new Map<number, StoredService[]>(userIds.map((id) => [id, []]));
  for (const row of rows) byUser.get(row.userId)?.push(row);
  return byUser;
}

export async function writeServices(transaction: Transaction, services: readonly ServiceRow[], mergedIds: readonly string[]): Promise<void> {
  if (mergedIds.length > 0) await transaction.query("delete from services where id = any($1::uuid[])", [mergedIds]);
  // Arrays of arrays do not unnest row by row: the txids travel as JSON.
  await transaction.query(
    `insert into services (id, user_id, key, txids, first_detected_on, hidden, document)
     select id, user_id, key, array(select jsonb_array_elements_text(txids)), first_detected_on, hidden, document
       from unnest($1::uuid[], $2::bigint[], $3::text[], $4::jsonb[], $5::date[], $6::boolean[], $7::json[])
            as row (id, user_id, key, txids, first_detected_on, hidden, document)
     on conflict (id) do update
        set key = excluded.key,
            txids = excluded.txids,
            hidden = coalesce(services.hidden, excluded.hidden),
            document = excluded.document`,
    [
      services.map((row) => row.id), services.map((row) => row.userId), services.map((row) => row.key), services.map((row) => JSON.stringify(row.txids)),
      services.map((row) => row.firstDetectedOn), services.map((row) => row.hidden), services.map((row) => row.document),
    ],
  );
}

export async function writeReadModels(transaction: Transaction, models: readonly ReadModelRow[], algorithmVersion: number): Promise<void> {
  await transaction.query(
    `insert into read_models (user_id, services_visible, services_hidden, upcoming, import_complete, computed_for, algorithm_version)
     select *, $7::integer
       from unnest($1::bigint[], $2::json[], $3::json[], $4::json[], $5::boolean[], $6::date[])
     on conflict (user_id) do update
        set services_visible = excluded.services_visible,
            services_hidden = excluded.services_hidden,
            upcoming = excluded.upcoming,
            import_complete = read_models.import_complete or excluded.import_complete,
            computed_for = excluded.computed_for,
            algorithm_version = excluded.algorithm_version,
            computed_at = now()`,
    [
      models.map((row) => row.userId), models.map((row) => row.servicesVisible), models.map((row) => row.servicesHidden),
      models.map((row) => row.upcoming), models.map((row) => row.importComplete), models.map((row) => row.computedFor), algorithmVersion,
    ],
  );
}
