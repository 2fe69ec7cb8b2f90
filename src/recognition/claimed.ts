/** Users whose turn it is, with what their brands say and what made their figures. The caller owns the transaction. */
import type { Transaction } from "../database/database.ts";
import { claimDue, type ClaimedEntry, claimEntry } from "../partners/changed-users.ts";
import { catalogueVersion } from "../payments/catalogue.ts";
import type { Day } from "../time/calendar.ts";
import { type ConfidencePercents, thresholdsText } from "./search/confidence.ts";
import { algorithmVersion } from "./version.ts";

/** A user to recognise, with what the brand says. */
export type RecognisedUser = {
  id: number;
  subject: string;
  country: string;
  currency: string;
  timeZone: string;
  hiddenProductIds: string[];
  /** What the brand has in force for confidence. */
  percents: ConfidencePercents;
  importCompletedOn: Day | null;
  /** With which the user's figures were last computed; null before the first run. */
  algorithmVersion: number | null;
};

/** What else figures are made of that changes without a word to the list, as a digest (`circumstancesOf`). */
export type Circumstances = { circumstances: string };

/**
 * Of the read model as it is stored, all null before the first run: the lists' digest, when it was computed, and which
 * thresholds of confidence made it.
 */
export type ClaimedUser = RecognisedUser &
  Circumstances & {
    readModelDigest: string | null;
    computedAt: string | null;
    thresholds: string | null;
    /** Of the edited products with which the figures were last computed; null before the first run. */
    catalogueVersion: number | null;
    /** What the brand sets for confidence: to be put in force, where it looks at previews first. */
    percentsSet: ConfidencePercents;
    /** The newest version that the brand has in force; null: any, at once. */
    versionInForce: number | null;
    /** The business day of the figures; null before the first run. */
    computedFor: Day | null;
  };

/** Users whom this transaction alone recognises, and their entries on the list. */
export type ClaimedUsers = { users: ClaimedUser[]; entries: ClaimedEntry[] };

/** Users whose turn it is (claimDue). Deleted ones only leave the list. */
export async function claimChangedUsers(
  transaction: Transaction,
  usersMax: number,
  settledMs: number,
): Promise<ClaimedUsers> {
  const entries = await claimDue(transaction, usersMax, settledMs);
  return {
    entries,
    users: await readUsers(
      transaction,
      entries.map(({ userId }) => userId),
    ),
  };
}

/** One user, whether on the list or not; no user when it was deleted. Waits for a run that has it. */
export async function claimUser(transaction: Transaction, userId: number): Promise<ClaimedUsers> {
  const entry = await claimEntry(transaction, userId);
  return { entries: [entry], users: await readUsers(transaction, [userId]) };
}

export async function readUsers(transaction: Transaction, userIds: readonly number[]): Promise<ClaimedUser[]> {
  if (userIds.length === 0) return [];
  const { rows } = await transaction.query<ClaimedUser>(selectUsers("and users.id = any($1::bigint[])"), [userIds]);
  return rows;
}

/**
 * Whether an earlier algorithm, earlier products, or other thresholds, made the user's figures: what is seen differently
 * now is no news.
 */
export function wasMadeByEarlier(user: ClaimedUser): boolean {
  if (user.algorithmVersion === null) return false;
  const isOlder = user.algorithmVersion < algorithmVersion || (user.catalogueVersion ?? 0) < catalogueVersion();
  return isOlder || user.thresholds !== thresholdsText(user.percents);
}

/** Without taking it: for looking only. Null when there is none, or it was deleted. */
export async function readUser(transaction: Transaction, userId: number): Promise<RecognisedUser | null> {
  const { rows } = await transaction.query<RecognisedUser>(selectUsers("and users.id = $1"), [userId]);
  return rows[0] ?? null;
}

/** SQL, of `users` and `brands`. */
export const circumstancesOf = `md5(concat_ws(' ', brands.country, brands.currency,
              (select string_agg(accounts.id || ' ' || accounts.iban, ' ' order by accounts.id) from accounts where accounts.user_id = users.id)))`;

function selectUsers(condition: string): string {
  return `select users.id, users.subject, brands.country, brands.currency, brands.time_zone as "timeZone",
            array(select jsonb_array_elements_text(coalesce(brands.features -> 'hiddenProducts', '[]'))) as "hiddenProductIds",
            users.import_completed_on as "importCompletedOn", read_models.algorithm_version as "algorithmVersion",
            read_models.catalogue_version as "catalogueVersion",
            brand.percents as "percentsSet",
            case when brand."inForce" is null then brand.percents else brand."inForce" - 'algorithmVersion' end as percents,
            (brand."inForce" -> 'algorithmVersion')::integer as "versionInForce",
            read_models.thresholds, read_models.computed_for as "computedFor", read_models.digest as "readModelDigest", read_models.computed_at::text as "computedAt",
            ${circumstancesOf} as circumstances
       from users
       join brands on brands.partner_id = users.partner_id and brands.id = users.brand_id
      cross join lateral (
        select jsonb_build_object(
                 'askedPercent', brands.features -> 'recognitionAskedPercent',
                 'visiblePercent', brands.features -> 'recognitionVisiblePercent'
               ) as percents,
               case when brands.features ->> 'recognitionRollout' = 'preview'
                    then brands.features -> 'recognitionInForce' end as "inForce"
      ) as brand
       left join read_models on read_models.user_id = users.id
      where users.deleted_at is null
        ${condition}
      order by users.id`;
}
