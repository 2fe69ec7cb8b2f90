/** SQL of what a run writes. The caller owns the transaction. */
import { newestEdit } from "./product-edits.ts";
import type { Day } from "../time/calendar.ts";
import type { Queryable, Transaction } from "../database/database.ts";
import { feedsServices } from "../partners/change-feed.ts";
import { newestCorrection } from "../rates/table.ts";
import { marksChanged } from "../partners/changed-users.ts";
import { movesCases } from "./cancellation.ts";
import { type Circumstances, circumstancesOf } from "./claimed.ts";
import type { StoredService } from "./remembered.ts";
import { algorithmVersion } from "./version.ts";

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
  /** Whether a figure of the user wants a rate that is not there, or not fresh: newer rates make it anew. */
  lacksRates: boolean;
  /** Which thresholds of confidence made it (thresholdsText). */
  thresholds: string | null;
  /** The first day on which a run may make something else of what is there; null: it was not asked. */
  holdsUntil: Day | null;
};

/** A read model whose lists stay as they are. */
export type ConfirmedModel = Omit<ReadModelRow, "servicesVisible" | "servicesHidden" | "upcoming">;

/** The lists as UTF-8, that of visible services as its gzip. digest: MD5 of the three texts, one after the other. */
export type ReadModelLists = {
  digest: string;
  hidden: Buffer;
  upcoming: Buffer;
  visiblePacked: Buffer;
};

/** A read model with lists that differ from those stored. */
export type WrittenModel = ConfirmedModel & { lists: ReadModelLists };

/**
 * Merged services first hand over their cancellation cases. What is there is updated and only the rest inserted, here and
 * for the read models: a row that turns out to be there already has had its digest made in vain, and an upsert took 182 µs
 * for a document of 7 KB where this takes 117. Nobody else inserts: a run has its users to itself (claimDue).
 */
export async function writeServices(
  transaction: Transaction,
  services: readonly ServiceRow[],
  merges: readonly Merge[],
): Promise<void> {
  if (merges.length > 0) await dropMerged(transaction, merges);
  if (services.length === 0) return;
  // Arrays of arrays do not unnest row by row: the txids travel as JSON.
  await transaction.query(
    `with given as materialized (
       select id, user_id, key, array(select json_array_elements_text(txids::json)) as txids, first_detected_on, hidden, is_confirmed,
              status, payment_frequency, document::json as document, news_after
         from unnest($1::uuid[], $2::bigint[], $3::text[], ${documents("$4")}, $5::date[], $6::boolean[], $7::boolean[], $8::text[], $9::text[], ${documents("$10")}, $11::date[])
              as row (id, user_id, key, txids, first_detected_on, hidden, is_confirmed, status, payment_frequency, document, news_after)
     ),
     updated as (
       update services
          set key = given.key,
              txids = given.txids,
              -- Decided in this run, or else what stands now: the user may have decided while the run went on.
              hidden = case when given.is_confirmed then given.hidden else coalesce(services.hidden, given.hidden) end,
              hidden_decided_at = case when given.is_confirmed then now() else services.hidden_decided_at end,
              status = given.status,
              payment_frequency = given.payment_frequency,
              document = given.document,
              news_after = given.news_after
         from given
        where services.id = given.id
          and services.user_id = given.user_id
       returning services.id
     ),
     fed as (
       ${feedsServices("given")}
     )
     insert into services (id, user_id, key, txids, first_detected_on, hidden, hidden_decided_at, status, payment_frequency, document, news_after)
     select id, user_id, key, txids, first_detected_on, hidden, case when is_confirmed then now() end,
            status, payment_frequency, document, news_after
       from given
      where id not in (select id from updated)`,
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
      services.map((row) => row.newsAfter),
    ],
  );
}

/**
 * Stores the user's own decision, which outlives every later run, and marks the user's figures as out of date, both in
 * one statement. The mark comes first: a run that has the user in hand is waited for before anything of it is locked.
 * @returns false when the user has no such service.
 */
export async function decideHidden(
  database: Queryable,
  userId: number,
  serviceId: string,
  hidden: boolean,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `with marked as (
       ${marksChanged("user_id", "from services where id = $2 and user_id = $1 and document is not null")}
       returning user_id
     )
     update services
        set hidden = $3,
            hidden_decided_at = now()
       from marked
      where services.id = $2
        and services.user_id = marked.user_id`,
    [userId, serviceId, hidden],
  );
  return rowCount === 1;
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

/** The same of what is bytes already. */
function joinedBytes(texts: readonly Buffer[]): Buffer {
  return Buffer.concat(texts.flatMap((text, at) => (at === 0 ? [text] : [separatorBytes, text])));
}

const separatorBytes = Buffer.from(separator, "utf8");

function documents(parameter: string): string {
  return `string_to_array(${parameter}::text, e'\\x1e', '')`;
}

async function dropMerged(transaction: Transaction, merges: readonly Merge[]): Promise<void> {
  await transaction.query(
    `with merged as (
       select * from unnest($1::uuid[], $2::uuid[]) as row (from_id, into_id)
     ),
     moved as (
       ${movesCases}
     ),
     gone as (
       delete from services using merged where id = from_id returning services.id, services.user_id
     )
     ${feedsServices("gone")}`,
    [merges.map(({ from }) => from), merges.map(({ into }) => into)],
  );
}

/** What made them: of the algorithm, of the exchange rates, and of the edited products. */
export type MadeWith = { algorithmVersion: number; ratesVersion: number; catalogueVersion: number };

/**
 * The packed lists travel as one piece, each told by its length: in an array they would be hexadecimal text. Whoever
 * packs the list of visible services keeps it in no other form (migration 245).
 */
export async function writeReadModels(
  transaction: Transaction,
  models: readonly (WrittenModel & Circumstances)[],
  madeWith: MadeWith,
): Promise<void> {
  if (models.length === 0) return;
  await transaction.query(
    `with made as materialized (
       select user_id, hidden::json as hidden, upcoming::json as upcoming, import_complete, computed_for, thresholds,
              case when lacks_rates then $8::bigint end as rates_lacking_at,
              substr($2::bytea, (sum(packed_bytes) over (order by place) - packed_bytes + 1)::integer, packed_bytes) as visible_packed,
              digest, holds_until, circumstances
         from unnest($1::bigint[], ${documents("$3")}, ${documents("$4")}, $5::boolean[], $6::date[], $9::boolean[], $10::text[], $11::integer[], $12::date[], $13::text[], $15::text[])
              with ordinality as row (user_id, hidden, upcoming, import_complete, computed_for, lacks_rates, thresholds, packed_bytes, holds_until, circumstances, digest, place)
     ),
     updated as (
       update read_models
          set services_visible = null,
              services_hidden = made.hidden,
              upcoming = made.upcoming,
              services_visible_packed = made.visible_packed,
              packed_of = made.digest,
              digest = made.digest,
              import_complete = read_models.import_complete or made.import_complete,
              computed_for = made.computed_for,
              algorithm_version = $7,
              rates_lacking_at = made.rates_lacking_at,
              rates_version = $8,
              thresholds = made.thresholds,
              holds_until = made.holds_until,
              circumstances = made.circumstances,
              catalogue_version = $14,
              computed_at = now()
         from made
        where read_models.user_id = made.user_id
       returning read_models.user_id
     )
     insert into read_models (user_id, services_hidden, upcoming, import_complete, computed_for, algorithm_version, rates_lacking_at, thresholds, services_visible_packed, packed_of, digest, holds_until, circumstances, catalogue_version, rates_version)
     select user_id, hidden, upcoming, import_complete, computed_for, $7::integer, rates_lacking_at, thresholds, visible_packed, digest, digest, holds_until, circumstances, $14::bigint, $8
       from made
      where user_id not in (select user_id from updated)`,
    [
      models.map((row) => row.userId),
      Buffer.concat(models.map(({ lists }) => lists.visiblePacked)),
      joinedBytes(models.map(({ lists }) => lists.hidden)),
      joinedBytes(models.map(({ lists }) => lists.upcoming)),
      models.map((row) => row.importComplete),
      models.map((row) => row.computedFor),
      madeWith.algorithmVersion,
      madeWith.ratesVersion,
      models.map((row) => row.lacksRates),
      models.map((row) => row.thresholds),
      models.map(({ lists }) => lists.visiblePacked.length),
      models.map((row) => row.holdsUntil),
      models.map((row) => row.circumstances),
      madeWith.catalogueVersion,
      models.map(({ lists }) => lists.digest),
    ],
  );
}

/** Lists that stay as they are, made anew: only the day moves on. */
export async function confirmReadModels(
  transaction: Transaction,
  models: readonly (ConfirmedModel & Circumstances)[],
  madeWith: MadeWith,
): Promise<void> {
  if (models.length === 0) return;
  await transaction.query(
    `update read_models
        set import_complete = read_models.import_complete or made.import_complete,
            computed_for = made.computed_for,
            algorithm_version = $4,
            rates_lacking_at = case when made.lacks_rates then $5::bigint end,
            rates_version = $5,
            thresholds = made.thresholds,
            holds_until = made.holds_until,
            circumstances = made.circumstances,
            catalogue_version = $10,
            computed_at = now()
       from unnest($1::bigint[], $2::boolean[], $3::date[], $6::boolean[], $7::text[], $8::date[], $9::text[])
            as made (user_id, import_complete, computed_for, lacks_rates, thresholds, holds_until, circumstances)
      where read_models.user_id = made.user_id`,
    [
      models.map((row) => row.userId),
      models.map((row) => row.importComplete),
      models.map((row) => row.computedFor),
      madeWith.algorithmVersion,
      madeWith.ratesVersion,
      models.map((row) => row.lacksRates),
      models.map((row) => row.thresholds),
      models.map((row) => row.holdsUntil),
      models.map((row) => row.circumstances),
      madeWith.catalogueVersion,
    ],
  );
}

/**
 * Moves figures on to a new business day that are the same on it, as the run that made them told, and of which nothing
 * came since; nor were rates corrected. Whoever has a user in hand is left alone.
 * @param today the business day in each time zone. @returns the users whose figures now hold for today
 */
export async function moveDayOn(
  transaction: Transaction,
  today: Readonly<Record<string, Day>>,
  usersMax: number,
): Promise<number[]> {
  const { rows } = await transaction.query<{ userId: number }>(
    `with held as materialized (
       select model.user_id, ($1::jsonb ->> brands.time_zone)::date as today
         from read_models as model
         join users on users.id = model.user_id and users.deleted_at is null
         join brands on brands.partner_id = users.partner_id and brands.id = users.brand_id
        where model.computed_for < ($1::jsonb ->> brands.time_zone)::date
          and model.holds_until > ($1::jsonb ->> brands.time_zone)::date
          and model.algorithm_version = $2
          and model.circumstances = ${circumstancesOf}
          and model.catalogue_version = ${newestEdit}
          and model.rates_version >= ${newestCorrection}
          and not exists (select 1 from changed_users where changed_users.user_id = model.user_id)
        order by model.user_id
        limit $3
          for no key update of model skip locked
     )
     update read_models
        set computed_for = held.today
       from held
      where read_models.user_id = held.user_id
     returning read_models.user_id as "userId"`,
    [JSON.stringify(today), algorithmVersion, usersMax],
  );
  return rows.map(({ userId }) => userId);
}
