/** What is wrong with records of a delivery, by location: what its receipt lists. */
import type { Queryable, Transaction } from "../database/database.ts";
import type { HeldRange } from "./held.ts";

export type KeptProblem = { line: number; index: number; field: string; reason: string };

export async function countProblems(database: Queryable, deliveryId: string): Promise<number> {
  const { rows } = await database.query<{ kept: number }>(
    "select count(*) as kept from delivery_problems where delivery_id = $1",
    [deliveryId],
  );
  return rows[0]?.kept ?? 0;
}

export type ProblemGroup = {
  field: string;
  reason: string;
  problems: number;
  /** The first ones, in the file's order. */
  locations: { line: number; index: number }[];
};

const groupsMax = 200;
const locationsMax = 8;

/** Problems that say the same of the same field, the most frequent first. */
export async function groupProblems(database: Queryable, deliveryId: string): Promise<ProblemGroup[]> {
  const { rows } = await database.query<ProblemGroup>(
    `select field, reason, count(*) as problems,
            json_agg(json_build_object('line', line, 'index', index) order by line, index) filter (where place <= $2) as locations
       from (select field, reason, line, index, row_number() over (partition by field, reason order by line, index) as place
               from delivery_problems
              where delivery_id = $1) as placed
      group by field, reason
      order by 3 desc, field, reason
      limit $3`,
    [deliveryId, locationsMax, groupsMax],
  );
  return rows;
}

/** Idempotent: the same problem of the same location is kept once. */
export async function keepProblems(
  transaction: Transaction,
  deliveryId: string,
  problems: readonly KeptProblem[],
): Promise<void> {
  if (problems.length === 0) return;
  await transaction.query(
    `insert into delivery_problems (delivery_id, line, index, field, reason)
     select $1, line, index, field, reason
       from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[]) as problem (line, index, field, reason)
     on conflict do nothing`,
    [
      deliveryId,
      problems.map((one) => one.line),
      problems.map((one) => one.index),
      problems.map((one) => one.field),
      problems.map((one) => one.reason),
    ],
  );
}

/**
 * Forgets what was said about these ranges, which have no more records than a chunk. Location by location, since comparing
 * each problem with each range took seconds. @param byLine whether a batch has a line of its own; otherwise an index is
 * unique within the delivery.
 */
export async function forgetProblems(
  transaction: Transaction,
  deliveryId: string,
  ranges: readonly HeldRange[],
  byLine: boolean,
): Promise<void> {
  const locations = ranges.flatMap(({ line, firstIndex, records }) =>
    firstIndex < 0 ? [] : Array.from({ length: records }, (_, offset) => ({ line, index: firstIndex + offset })),
  );
  await transaction.query(
    `delete from delivery_problems as problem
      using unnest($2::bigint[], $3::bigint[]) as location (line, index)
      where problem.delivery_id = $1
        and problem.index = location.index
        and (not $4 or problem.line = location.line)`,
    [deliveryId, locations.map((location) => location.line), locations.map((location) => location.index), byLine],
  );
  await transaction.query("delete from delivery_problems where delivery_id = $1 and line = any($2::bigint[])", [
    deliveryId,
    ranges.filter((range) => range.firstIndex < 0).map((range) => range.line),
  ]);
}

/** Of a delivery that begins anew. */
export async function forgetAllProblems(transaction: Transaction, deliveryId: string): Promise<void> {
  await transaction.query("delete from delivery_problems where delivery_id = $1", [deliveryId]);
}
