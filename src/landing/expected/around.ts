/** The expected files of some hours around now: what came, what is late, what is still to come. */
import type { Queryable } from "../../database/database.ts";
import { readExpectedFiles } from "../../partners/settings/expected-files.ts";
import type { ExpectedFileState } from "./expected-files.ts";
import { dueBefore, namePattern, occurrencesDue } from "./occurrences.ts";

export type ExpectedAround = {
  partnerId: string;
  name: string;
  dueDay: string;
  dueAt: Date;
  /** "early": not due yet, and here. "awaited": not due yet, and not here. */
  state: ExpectedFileState | "early" | "awaited";
  deliveryId: string | null;
  arrivedAt: Date | null;
};

/** In the order in which they are due. @param partnerIds null: of all partners */
export async function readExpectedAround(
  database: Queryable,
  partnerIds: readonly string[] | null,
  { since, now, until }: { since: Date; now: Date; until: Date },
): Promise<ExpectedAround[]> {
  const due = await readDue(database, partnerIds, since);
  const ahead = await readAhead(database, partnerIds, { now, until });
  return [...due, ...ahead].toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
}

/** Also what is missing for longer. */
async function readDue(
  database: Queryable,
  partnerIds: readonly string[] | null,
  since: Date,
): Promise<ExpectedAround[]> {
  const { rows } = await database.query<ExpectedAround>(
    `select partner_id as "partnerId", name, due_day as "dueDay", due_at as "dueAt", state,
            delivery_id as "deliveryId", arrived_at as "arrivedAt"
       from expected_files
      where (due_at >= $2 or state = 'missing')
        and ($1::text[] is null or partner_id = any($1))`,
    [partnerIds, since],
  );
  return rows;
}

type Ahead = { partnerId: string; name: string; dueDay: string; dueAt: Date; from: Date; pattern: string };

async function readAhead(
  database: Queryable,
  partnerIds: readonly string[] | null,
  { now, until }: { now: Date; until: Date },
): Promise<ExpectedAround[]> {
  const { rows: partners } = await database.query<{ partnerId: string; settings: object }>(
    `select id as "partnerId", settings
       from partners
      where settings ? 'expectedFiles'
        and suspended_at is null
        and ($1::text[] is null or id = any($1))
      order by id`,
    [partnerIds],
  );
  const ahead = partners.flatMap(({ partnerId, settings }) => aheadOf(partnerId, settings, now, until));
  const { rows: arrived } = await database.query<{ at: number; deliveryId: string; arrivedAt: Date }>(
    `select wanted.at::int as at, found.id as "deliveryId", found.accepted_at as "arrivedAt"
       from unnest($1::text[], $2::timestamptz[], $3::text[]) with ordinality as wanted (partner_id, since, pattern, at)
      cross join lateral (
        select id, accepted_at
          from deliveries
         where partner_id = wanted.partner_id
           and deliveries.name is not null
           and accepted_at > wanted.since
           and deliveries.name ~ wanted.pattern
           and state <> 'refused'
         order by accepted_at
         limit 1
      ) as found`,
    [ahead.map((one) => one.partnerId), ahead.map((one) => one.from), ahead.map((one) => one.pattern)],
  );
  const found = new Map(arrived.map((one) => [one.at, one]));
  return ahead.map(({ partnerId, name, dueDay, dueAt }, at) => {
    const arrival = found.get(at + 1);
    return {
      partnerId,
      name,
      dueDay,
      dueAt,
      state: arrival ? "early" : "awaited",
      deliveryId: arrival?.deliveryId ?? null,
      arrivedAt: arrival?.arrivedAt ?? null,
    };
  });
}

function aheadOf(partnerId: string, settings: object, now: Date, until: Date): Ahead[] {
  return readExpectedFiles(settings).flatMap((expected) =>
    occurrencesDue(expected, now, until).map(({ day, dueAt }) => ({
      partnerId,
      name: expected.name,
      dueDay: day,
      dueAt,
      from: new Date(Math.max(dueBefore(expected, day).getTime(), Date.parse(expected.since))),
      pattern: namePattern(expected.pattern, day).source,
    })),
  );
}
