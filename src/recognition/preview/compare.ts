/** What two runs of recognition found differently, or a run and what is in force: service by service, and in counts. */
import type { Database } from "../../database/database.ts";
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";
import type { Day } from "../../time/calendar.ts";
import { inForce, type Run } from "./runs.ts";

/** In the order in which they are told. A service may differ in several. */
export const differences = ["new", "gone", "frequency", "amount", "date", "status", "visibility"] as const;
export type Difference = (typeof differences)[number];

/** What is compared of a service. amount: decimal, in currency. */
export type Facts = {
  title: string;
  paymentFrequency: PaymentFrequency;
  status: string;
  visibility: string;
  amount: string;
  currency: string;
  nextOn: Day;
  confidence: number;
};

/** before null: new; after null: gone. */
export type Differing = {
  partnerId: string;
  /** The partner's id of the user. */
  user: string;
  serviceId: string;
  differences: Difference[];
  before: Facts | null;
  after: Facts | null;
};

export type Side = { services: number; visible: number; undecided: number; hidden: number };

export type Compared = {
  /** In both. */
  users: number;
  usersDiffering: number;
  before: Side;
  after: Side;
  same: number;
  counts: Record<Difference, number>;
  /** Services by frequency: before, after. */
  frequencies: { frequency: string; before: number; after: number }[];
};

/** A side of the comparison: what a run kept, or what is in force. */
type Source = Run | "in force";

/** Users that both sides have: a run has those up to the last one it reached, of its partner, or those of its list. */
function usersOf(sides: readonly Source[]): { condition: string; values: unknown[] } {
  const runs = sides.filter((side) => side !== "in force");
  const partners = runs.map(({ partnerId }) => partnerId).filter((id) => id !== null);
  const lists = runs.filter(({ listsUsers }) => listsUsers).map(({ id }) => Number(id));
  return {
    condition: [
      "users.deleted_at is null and users.id <= $1 and users.partner_id = all($2::text[])",
      ...lists.map((id) => `users.id in (select user_id from recognition_run_users where run_id = ${id})`),
    ].join(" and "),
    values: [Math.min(...runs.map(({ lastUserId }) => lastUserId)), partners],
  };
}

/** The id stands in the statement: a number, from the database. */
function rowsOf(side: Source): string {
  return side === "in force"
    ? inForce
    : `select user_id, service_id, title, payment_frequency, status, visibility, amount, currency, next_on, confidence
         from recognition_run_services where run_id = ${Number(side.id)}`;
}

function joined(before: Source, after: Source, condition: string): string {
  return `select users.partner_id, users.bank_user_id, user_id, service_id, before, after,
            array_remove(array[
              case when before.user_id is null then 'new' end,
              case when after.user_id is null then 'gone' end,
              case when before.payment_frequency <> after.payment_frequency then 'frequency' end,
              case when (before.amount, before.currency) <> (after.amount, after.currency) then 'amount' end,
              case when before.next_on <> after.next_on then 'date' end,
              case when before.status <> after.status then 'status' end,
              case when before.visibility <> after.visibility then 'visibility' end
            ], null) as differences
       from (${rowsOf(before)}) as before
       full join (${rowsOf(after)}) as after using (user_id, service_id)
       join users on users.id = user_id
      where ${condition}`;
}

export async function compareRuns(database: Database, before: Source, after: Source): Promise<Compared> {
  const { condition, values } = usersOf([before, after]);
  const rows = joined(before, after, condition);
  const side = (name: "before" | "after"): string =>
    `json_build_object(
       'services', count((${name}).user_id),
       'visible', count(*) filter (where (${name}).visibility = 'VISIBLE'),
       'undecided', count(*) filter (where (${name}).visibility = 'UNDECIDED'),
       'hidden', count(*) filter (where (${name}).visibility = 'HIDDEN'))`;
  const counted = await database.query<Omit<Compared, "users" | "frequencies">>(
    `select count(distinct user_id) filter (where differences <> '{}') as "usersDiffering",
            ${side("before")} as before, ${side("after")} as after,
            count(*) filter (where differences = '{}') as same,
            json_build_object(${differences.map((one) => `'${one}', count(*) filter (where '${one}' = any(differences))`).join(", ")}) as counts
       from (${rows}) as service`,
    values,
  );
  const frequencies = await database.query<Compared["frequencies"][number]>(
    `select frequency, count(*) filter (where side = 'before') as before, count(*) filter (where side = 'after') as after
       from (${rows}) as service,
            lateral (values ('before', (before).payment_frequency), ('after', (after).payment_frequency)) as one (side, frequency)
      where frequency is not null
      group by frequency
      order by count(*) desc, frequency`,
    values,
  );
  const users = await database.query<{ users: number }>(
    `select count(*) as users from users where ${condition}`,
    values,
  );
  const [sums] = counted.rows;
  if (sums === undefined) throw new Error("a count has no row");
  return { users: users.rows[0]?.users ?? 0, ...sums, frequencies: frequencies.rows };
}

/** Those that differ, by user. @param most rows at most */
export async function findDiffering(
  database: Database,
  before: Source,
  after: Source,
  most: number,
): Promise<Differing[]> {
  const { condition, values } = usersOf([before, after]);
  const facts = (side: "before" | "after"): string =>
    `case when (${side}).user_id is not null then json_build_object(
       'title', (${side}).title, 'paymentFrequency', (${side}).payment_frequency, 'status', (${side}).status,
       'visibility', (${side}).visibility, 'amount', (${side}).amount::text, 'currency', (${side}).currency,
       'nextOn', (${side}).next_on, 'confidence', round((${side}).confidence::numeric, 3)) end`;
  const { rows } = await database.query<Differing>(
    `select partner_id as "partnerId", bank_user_id as user, service_id as "serviceId", differences,
            ${facts("before")} as before, ${facts("after")} as after
       from (${joined(before, after, condition)}) as service
      where differences <> '{}'
      order by user_id, service_id
      limit $3`,
    [...values, most],
  );
  return rows;
}
