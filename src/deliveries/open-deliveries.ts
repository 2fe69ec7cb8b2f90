/** What is open: deliveries that were accepted and wait to be loaded, or loaded ones of which records are due again. */
import { keptWithRowBytesMax } from "../../config/landing.ts";
import { formatsGrouped, groupBytesMax, groupMembersMax, smallBytesMax } from "../../config/staging.ts";
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

/** What one turn takes: a delivery of any kind, or several small ones to be loaded together. */
export type Turn = { partner: PartnerWithWork; deliveryIds: string[]; lane: Lane };

/** isAllSmall: small ones, to be loaded together, and all that the partner has open. */
export type Next = { deliveryIds: string[]; isAllSmall: boolean };

/** What of the open deliveries is asked for. */
export type Wanted = {
  lane: Lane;
  /** Deliveries that are in hand already. */
  inHand: readonly string[];
  /** Whether what lies in the vault can be read now. */
  vaultIsThere: boolean;
  /** Small files that came within so long are left for the call that is still to come for them. Default: none are. */
  youngMs?: number;
};

const isDue = "(retry_at is null or retry_at <= now())";
/** Each alternative has an index of its own. */
const waits = "state in ('accepted', 'loading')";
const isRevisited = "revisit_requested_at is not null";

/** @param from number of the first of its four parameters, which `valuesOf` gives */
function isWanted(from: number): string {
  return `${isDue}
          and id <> all($${from}::uuid[])
          and size_bytes <= $${from + 1}
          and ($${from + 1} = ${Number.MAX_SAFE_INTEGER} or not outgrown)
          and ($${from + 2} or vault_reference is null)
          and (door <> 'sftp' or size_bytes > ${keptWithRowBytesMax} or accepted_at <= now() - $${from + 3} * interval '1 millisecond')`;
}

function valuesOf({ lane, inHand, vaultIsThere, youngMs = 0 }: Wanted): unknown[] {
  return [inHand, lane === "small" ? smallBytesMax : Number.MAX_SAFE_INTEGER, vaultIsThere, youngMs];
}

/** Partners that have something of that which nobody has in hand. */
export async function findPartnersWithWork(database: Queryable, wanted: Wanted): Promise<PartnerWithWork[]> {
  // Of the second there are hardly ever any, and by its order the server finds none in their index: while it has not counted
  // a first day's deliveries it would go through all of them.
  const { rows } = await database.query<{ id: string; settings: object }>(
    `select p.id, p.settings
       from partners p
      where exists (select 1 from deliveries where partner_id = p.id and ${waits} and ${isWanted(1)})
         or (select true from deliveries where partner_id = p.id and ${isRevisited} and ${isWanted(1)} order by position limit 1)`,
    valuesOf(wanted),
  );
  return rows.map(({ id, settings }) => {
    const { weight, recordsPerSecond, fileRecordsPerSecond } = readLoadRules(settings);
    return { partnerId: id, weight, recordsPerSecond, recordsPerSecondOfFile: fileRecordsPerSecond };
  });
}

/**
 * The partner's oldest open delivery of that; when it is a request or a small file that nobody has begun, others like it go
 * along.
 */
export async function findNext(database: Queryable, partnerId: string, wanted: Wanted): Promise<Next> {
  const { rows } = await database.query<{ id: string; sizeBytes: number; groups: boolean }>(
    `select id, size_bytes as "sizeBytes", state = 'accepted' and attempts = 0 and breakdowns = 0
            and (door = 'https' or (format = any($7::text[]) and size_bytes <= $8)) as groups
       from ((select * from deliveries where partner_id = $1 and ${waits} and ${isWanted(2)} order by position limit $6)
             union all
             (select * from deliveries where partner_id = $1 and ${isRevisited} and ${isWanted(2)} order by position limit 1)) as open
      order by position`,
    [partnerId, ...valuesOf(wanted), groupMembersMax, formatsGrouped, keptWithRowBytesMax],
  );
  const [first, ...others] = rows;
  if (!first) return { deliveryIds: [], isAllSmall: false };
  if (!first.groups) return { deliveryIds: [first.id], isAllSmall: false };
  const group = [first];
  for (const other of others) {
    if (other.groups && group.reduce((sum, one) => sum + one.sizeBytes, other.sizeBytes) <= groupBytesMax)
      group.push(other);
  }
  return {
    deliveryIds: group.map((one) => one.id),
    isAllSmall: group.length === rows.length && rows.length < groupMembersMax,
  };
}
