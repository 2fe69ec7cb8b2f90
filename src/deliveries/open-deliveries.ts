/** What is open: deliveries that were accepted and wait to be loaded, or loaded ones of which records are due again. */
import { groupBytesMax, groupRequestsMax, smallBytesMax } from "../../config/staging.ts";
import type { Queryable } from "../database/database.ts";
import { readLoadRules } from "../partners/settings/load-rules.ts";

/** A partner that has something to load. */
export type Contender = {
  partnerId: string;
  weight: number;
  /** Of the partner in this process; null: as fast as it goes. */
  recordsPerSecond: number | null;
};

/** small: only what is small. */
export type Lane = "small" | "any";

export type PartnerWithWork = Contender & { recordsPerSecondOfFile: number | null };

/** What one turn takes: a delivery of any kind, or several requests to be loaded together. */
export type Turn = { partner: PartnerWithWork; deliveryIds: string[] };

const isDue = "(retry_at is null or retry_at <= now())";
/** Each alternative has an index of its own. */
const waits = "state in ('accepted', 'loading')";
const isRevisited = "revisit_requested_at is not null";

/** Partners that have something in this lane which nobody has in hand. */
export async function findPartnersWithWork(
  database: Queryable,
  lane: Lane,
  inHand: readonly string[],
): Promise<PartnerWithWork[]> {
  const some = (condition: string) =>
    `exists (select 1 from deliveries d where d.partner_id = p.id and ${condition} and ${isDue} and d.id <> all($1::uuid[]) and d.size_bytes <= $2)`;
  const { rows } = await database.query<{ id: string; settings: object }>(
    `select p.id, p.settings
       from partners p
      where ${some(waits)}
         or ${some(isRevisited)}`,
    [inHand, lane === "small" ? smallBytesMax : Number.MAX_SAFE_INTEGER],
  );
  return rows.map(({ id, settings }) => {
    const { weight, recordsPerSecond, fileRecordsPerSecond } = readLoadRules(settings);
    return { partnerId: id, weight, recordsPerSecond, recordsPerSecondOfFile: fileRecordsPerSecond };
  });
}

/**
 * The partner's oldest open delivery in this lane; when that is a request nobody has begun, others like it go along.
 */
export async function findNext(
  database: Queryable,
  partnerId: string,
  lane: Lane,
  inHand: readonly string[],
): Promise<string[]> {
  const { rows } = await database.query<{ id: string; sizeBytes: number; groups: boolean }>(
    `select id, size_bytes as "sizeBytes", state = 'accepted' and door = 'https' and attempts = 0 and breakdowns = 0 as groups
       from ((select * from deliveries where partner_id = $1 and ${waits} and ${isDue} and id <> all($2::uuid[]) and size_bytes <= $3 order by position limit $4)
             union all
             (select * from deliveries where partner_id = $1 and ${isRevisited} and ${isDue} and id <> all($2::uuid[]) and size_bytes <= $3 order by position limit 1)) as open
      order by position`,
    [partnerId, inHand, lane === "small" ? smallBytesMax : Number.MAX_SAFE_INTEGER, groupRequestsMax],
  );
  const [first, ...others] = rows;
  if (!first) return [];
  if (!first.groups) return [first.id];
  const group = [first];
  for (const other of others) {
    if (other.groups && group.reduce((sum, one) => sum + one.sizeBytes, other.sizeBytes) <= groupBytesMax)
      group.push(other);
  }
  return group.map((one) => one.id);
}
