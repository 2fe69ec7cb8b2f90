/**
 * A version of recognition that is not put in force, of brands that look at previews first (recognitionRollout). The
 * code of the version in force is gone, so this one is asked about every user as the last run saw it: the same rows, on
 * the same day. Whoever it sees no differently goes on with it, new payments included. Whoever it sees differently stays
 * as it is, with what came and comes waiting on the list, until an operator puts it in force.
 *
 * Nobody is held of whom more is changed than that payments came: what is in force would tell of what is gone, or not
 * of what the user decided.
 */
import type { LedgerTransaction } from "../../ledger/history.ts";
import type { Queryable, Transaction } from "../../database/database.ts";
import type { Service } from "../../interface/services.ts";
import type { ClaimedEntry } from "../../partners/changed-users.ts";
import type { Day } from "../../time/calendar.ts";
import { assess, type AssessmentContext } from "../assess.ts";
import type { ClaimedUser } from "../claimed.ts";
import type { Remembered } from "../remembered.ts";
import { algorithmVersion } from "../version.ts";
import { inForce } from "./runs.ts";

/** What is compared of a service. amount: as a number, in currency. */
type Stated = Pick<Service, "paymentFrequency" | "status" | "visibility" | "currency"> & {
  amount: number;
  nextOn: Day;
};

/** Services in force, by user and id. */
export type InForce = ReadonlyMap<number, ReadonlyMap<string, Stated>>;

/** Whom this version sees differently, and what it finds. */
export type HeldBack = { userId: number; found: Service[] };

/** Of those users of whom it is to be asked whether this version sees them differently. */
export async function readInForce(
  transaction: Transaction,
  users: readonly ClaimedUser[],
  entries: readonly ClaimedEntry[],
): Promise<InForce> {
  const judged = new Set(entries.filter((entry) => cameOf(entry) !== null).map(({ userId }) => userId));
  const userIds = users.filter((user) => judged.has(user.id) && isToBePutInForce(user)).map(({ id }) => id);
  const services = new Map(userIds.map((id) => [id, new Map<string, Stated>()]));
  if (userIds.length === 0) return services;
  const { rows } = await transaction.query<Stated & { userId: number; id: string }>(
    `select user_id as "userId", service_id as id, payment_frequency as "paymentFrequency", status, visibility, amount::float8 as amount,
            currency, next_on as "nextOn"
       from (${inForce}) as service
      where user_id = any($1::bigint[])`,
    [userIds],
  );
  for (const { userId, id, ...stated } of rows) services.get(userId)?.set(id, stated);
  return services;
}

/**
 * Of how many users nobody has asked yet whether this version sees them differently, of brands that look at previews first.
 * @param partnerId null: of every partner
 */
export async function countUnasked(database: Queryable, partnerId: string | null): Promise<number> {
  const { rows } = await database.query<{ users: number }>(
    `select count(*) as users
       from brands
       join users on users.partner_id = brands.partner_id and users.brand_id = brands.id and users.deleted_at is null
       join read_models as model on model.user_id = users.id
      where brands.features ->> 'recognitionRollout' = 'preview'
        and (brands.features -> 'recognitionInForce' ->> 'algorithmVersion')::integer < $1
        and model.algorithm_version < $1
        and not exists (select 1 from changed_users where changed_users.user_id = users.id and held_for = $1)
        and ($2::text is null or users.partner_id = $2)`,
    [algorithmVersion, partnerId],
  );
  return rows[0]?.users ?? 0;
}

/** Txids of what came of a user of whom nothing else changed; null: more did, or it is not known. */
function cameOf({ arrived, version }: ClaimedEntry): readonly string[] | null {
  return arrived === null && version === "" ? [] : arrived;
}

function isToBePutInForce({ versionInForce, algorithmVersion: madeBy }: ClaimedUser): boolean {
  return versionInForce !== null && versionInForce < algorithmVersion && madeBy !== null && madeBy < algorithmVersion;
}

/** Null: this version sees the user no differently. @param history with what came */
export function foundDifferently(
  user: ClaimedUser,
  history: readonly LedgerTransaction[],
  remembered: Remembered,
  entry: ClaimedEntry,
  services: ReadonlyMap<string, Stated>,
  context: Pick<AssessmentContext, "baseUrl" | "convert">,
): Service[] | null {
  if (user.computedFor === null) return null;
  const came = new Set(cameOf(entry));
  const seen = history.filter(({ txid }) => !came.has(txid));
  const { found } = assess(user, seen, remembered, { ...context, today: user.computedFor, arrived: new Set() });
  const isSame = found.length === services.size && found.every((service) => isAsInForce(service, services));
  return isSame ? null : found;
}

function isAsInForce(service: Service, services: ReadonlyMap<string, Stated>): boolean {
  const stated = services.get(service.id);
  return (
    stated !== undefined &&
    stated.paymentFrequency === service.paymentFrequency &&
    stated.status === service.status &&
    stated.visibility === service.visibility &&
    stated.amount === service.amount &&
    stated.currency === service.currency &&
    stated.nextOn === service.nextExpectedTransactionDate
  );
}
