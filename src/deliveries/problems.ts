/** What is wrong with records of a delivery, by location: what its receipt lists. */
import type { Queryable, Transaction } from "../database/database.ts";
import type { DueRange } from "./held.ts";

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
 * Forgets what was said about these ranges, which come in order of location. Of what is kept between the first and the last
 * of them, which is nothing for most of a long file, each is looked for among the ranges: comparing each problem with each
 * range took seconds. @param byLine whether a batch has a line of its own; otherwise an index is unique within the delivery.
 */
export async function forgetProblems(
  transaction: Transaction,
  deliveryId: string,
  ranges: readonly DueRange[],
  byLine: boolean,
): Promise<void> {
  const whole = ranges.filter((range) => range.firstIndex < 0).map((range) => range.line);
  if (whole.length > 0)
    await transaction.query("delete from delivery_problems where delivery_id = $1 and line = any($2::bigint[])", [
      deliveryId,
      whole,
    ]);
  const parts = ranges.filter((range) => range.firstIndex >= 0);
  if (parts.length === 0) return;
  const place = byLine ? "line" : "index";
  const { rows } = await transaction.query<{ line: number; index: number }>(
    `select distinct line, index from delivery_problems where delivery_id = $1 and ${place} between $2 and $3`,
    [
      deliveryId,
      Math.min(...parts.map((range) => (byLine ? range.line : range.firstIndex))),
      Math.max(...parts.map((range) => (byLine ? range.line : range.lastIndex))),
    ],
  );
  const gone = rows.filter((problem) => isWithin(problem, parts, byLine));
  if (gone.length === 0) return;
  await transaction.query(
    `delete from delivery_problems as problem
      using unnest($2::bigint[], $3::bigint[]) as location (line, index)
      where problem.delivery_id = $1
        and problem.line = location.line
        and problem.index = location.index`,
    [deliveryId, gone.map((one) => one.line), gone.map((one) => one.index)],
  );
}

/** By halves: the last range that does not begin behind the problem is the only one that may hold it. */
function isWithin(problem: { line: number; index: number }, ranges: readonly DueRange[], byLine: boolean): boolean {
  const isBehind = (range: DueRange) =>
    (byLine && range.line !== problem.line ? range.line - problem.line : range.firstIndex - problem.index) > 0;
  let [from, to] = [0, ranges.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isBehind(ranges[middle] as DueRange)) to = middle;
    else from = middle + 1;
  }
  const range = ranges[from - 1];
  return range !== undefined && (!byLine || range.line === problem.line) && problem.index <= range.lastIndex;
}

/** Of a delivery that begins anew. */
export async function forgetAllProblems(transaction: Transaction, deliveryId: string): Promise<void> {
  await transaction.query("delete from delivery_problems where delivery_id = $1", [deliveryId]);
}
