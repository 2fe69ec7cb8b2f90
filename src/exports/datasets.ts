/**
 * What can be taken away as rows: four flat tables, their columns in order, and the SQL of each. The views of the schema
 * `analytics` have the same columns under the same names (a test holds the two together).
 */
import pg from "pg";
import type { Day } from "../time/calendar.ts";

export const datasetNames = ["users", "services", "transactions", "budgets"] as const;
export type DatasetName = (typeof datasetNames)[number];

/** decimal: exact; day: YYYY-MM-DD; instant: UTC with milliseconds; truth: true or false. */
export type ColumnKind = "text" | "integer" | "decimal" | "day" | "instant" | "truth";
export type Column = { name: string; kind: ColumnKind };

type ColumnSource = Column & { sql: string };

export type Selection = {
  dataset: DatasetName;
  partnerId: string;
  /** Inclusive; of the day on which a payment was booked, a service first seen, a user or budget made. */
  from: Day | null;
  until: Day | null;
  /** Account numbers whole, and the partner's own ids of accounts. */
  unmasked: boolean;
};

/** How an IBAN is shown: its country and its last four characters. Of a shorter number nothing but that there is one. */
const masked = (iban: string) =>
  `case when length(${iban}) >= 15 then left(${iban}, 2) || '•• •••• ' || right(${iban}, 4) when ${iban} <> '' then '••••' end`;

/** A key to join by, which tells nothing of the number that it stands for: no one but the database knows the subject. */
const accountRef = (subject: string, id: string) =>
  `left(encode(sha256(convert_to(${subject}::text || ${id}, 'UTF8')), 'hex'), 16)`;

const text = (name: string, sql: string): ColumnSource => ({ name, kind: "text", sql });
const integer = (name: string, sql: string): ColumnSource => ({ name, kind: "integer", sql });
const decimal = (name: string, sql: string): ColumnSource => ({ name, kind: "decimal", sql });
const day = (name: string, sql: string): ColumnSource => ({ name, kind: "day", sql });
const instant = (name: string, sql: string): ColumnSource => ({ name, kind: "instant", sql });
const truth = (name: string, sql: string): ColumnSource => ({ name, kind: "truth", sql });

const ofUser = [
  text("partner", "u.partner_id"),
  text("brand", "u.brand_id"),
  integer("user_id", "u.id"),
  text("bank_user_id", "u.bank_user_id"),
];

const ofAccount = [text("account_ref", "account.ref"), text("account_iban", "account.iban")];

type Dataset = {
  columns: readonly ColumnSource[];
  /** Behind `from users u` and whatever stands for accounts. */
  joins: string;
  /** A row's day. */
  day: string;
  /** Beyond whose they are. */
  condition: string;
  order: string;
  hasAccounts: boolean;
};

const ofService = `left join lateral json_to_record(s.document) as d (
        amount numeric, currency text, "paymentFrequency" text, "accountId" text, product json, status text, visibility text,
        payments json, "yearlyCost" numeric, "totalAmountLastTwelveMonths" numeric, "nextExpectedTransactionDate" date) on true
      left join account on account.user_id = s.user_id and account.id = d."accountId"`;

const ofPayment = "left join account on account.user_id = t.user_id and account.id = t.account_id";

const datasets: Readonly<Record<DatasetName, Dataset>> = {
  users: {
    columns: [
      ...ofUser,
      text("country", "b.country"),
      text("currency", "b.currency"),
      text("locale", "u.locale"),
      instant("registered_at", "u.created_at"),
      instant("last_loaded_at", "u.last_loaded_at"),
      instant("import_completed_at", "u.import_completed_at"),
    ],
    joins: "join brands b on b.partner_id = u.partner_id and b.id = u.brand_id",
    day: "(u.created_at at time zone 'UTC')::date",
    condition: "true",
    order: "u.id",
    hasAccounts: false,
  },
  services: {
    columns: [
      ...ofUser,
      text("service_id", "s.id"),
      text("title", "d.product->>'title'"),
      text("type", "d.product->>'type'"),
      text("status", "d.status"),
      text("visibility", "d.visibility"),
      text("payment_frequency", 'd."paymentFrequency"'),
      decimal("amount", "d.amount"),
      text("currency", "d.currency"),
      decimal("yearly_cost", 'd."yearlyCost"'),
      decimal("total_last_twelve_months", 'd."totalAmountLastTwelveMonths"'),
      day("next_expected_on", 'd."nextExpectedTransactionDate"'),
      day("first_detected_on", "s.first_detected_on"),
      day("last_paid_on", "(d.payments->0->>'date')::date"),
      integer("payments", "json_array_length(d.payments)"),
      ...ofAccount,
    ],
    joins: `join services s on s.user_id = u.id
      ${ofService}`,
    day: "s.first_detected_on",
    condition: "s.document is not null",
    order: "u.id, s.id",
    hasAccounts: true,
  },
  transactions: {
    columns: [
      ...ofUser,
      text("transaction_id", "t.txid"),
      day("booked_on", "t.booked_on"),
      text("booked_at", "t.tx_time"),
      text("type", "t.raw_type"),
      text("description", "t.description"),
      decimal("amount", "t.amount"),
      text("currency", "t.currency"),
      decimal("original_amount", "t.original_amount"),
      text("original_currency", "t.original_currency"),
      text("merchant_name", "t.merchant_name"),
      text("merchant_id", "t.merchant_cid"),
      text("merchant_address", "t.merchant_address"),
      text("merchant_city", "t.merchant_city"),
      text("merchant_post_code", "t.merchant_post_code"),
      text("merchant_country", "t.merchant_country"),
      integer("merchant_mcc", "t.merchant_mcc"),
      ...ofAccount,
    ],
    // Those of an account that is not seen any more are not seen either, as in visible_transactions.
    joins: `join transactions t on t.user_id = u.id
      ${ofPayment}`,
    day: "t.booked_on",
    condition: "account.is_removed is not true",
    order: "t.user_id, t.txid",
    hasAccounts: true,
  },
  budgets: {
    columns: [
      ...ofUser,
      text("budget_id", "g.id"),
      text("status", "g.status"),
      instant("created_at", "g.created_at"),
      integer("revision", "g.revision"),
      day("business_day", "n.as_of"),
      decimal("monthly_expenses", 'd."totalMonthlyAmount"'),
      decimal("monthly_income", 'd."totalMonthlyIncome"'),
      decimal("disposable_income", 'd."disposableIncome"'),
      decimal("average_expenses_three_months", 'd."averageExpensesLastThreeMonths"'),
      decimal("average_expenses_twelve_months", 'd."averageExpensesLastTwelveMonths"'),
      truth("is_out_of_date", "g.stale_since is not null"),
    ],
    joins: `join budgets g on g.user_id = u.id
      left join budget_snapshots n on n.id = g.snapshot_id
      left join budget_documents f on f.budget_id = g.id
      left join lateral json_to_record(f.document) as d (
        "totalMonthlyAmount" numeric, "totalMonthlyIncome" numeric, "disposableIncome" numeric,
        "averageExpensesLastThreeMonths" numeric, "averageExpensesLastTwelveMonths" numeric) on true`,
    day: "(g.created_at at time zone 'UTC')::date",
    condition: "true",
    order: "u.id, g.id",
    hasAccounts: false,
  },
};

/** Without the account's own id, which may be its number. */
export function columnsOf({ dataset, unmasked }: Pick<Selection, "dataset" | "unmasked">): readonly Column[] {
  return sourcesOf({ dataset, unmasked }).map(({ name, kind }) => ({ name, kind }));
}

function sourcesOf({ dataset, unmasked }: Pick<Selection, "dataset" | "unmasked">): readonly ColumnSource[] {
  const { columns, hasAccounts } = datasets[dataset];
  if (!hasAccounts || !unmasked) return columns;
  return [...columns, text("account_id", "account.id")];
}

/**
 * The rows of some users of the partner, user after user, as a query without parameters, which COPY knows none of. Each
 * column is text as it is to be read, or null.
 */
export function selectOf(selection: Selection, userIds: readonly number[]): string {
  const { dataset, partnerId, from, until, unmasked } = selection;
  const { joins, day: dayOfRow, condition, order, hasAccounts } = datasets[dataset];
  const users = `'{${userIds.join(",")}}'::bigint[]`;
  return `${hasAccounts ? `with ${accountsOf(users, unmasked)}` : ""}
    select ${sourcesOf(selection).map(shown).join(", ")}
      from users u
      ${joins}
     where u.id = any(${users})
       and u.partner_id = ${pg.escapeLiteral(partnerId)}
       and u.deleted_at is null
       and ${condition}
       ${from === null ? "" : `and ${dayOfRow} >= ${pg.escapeLiteral(from)}`}
       ${until === null ? "" : `and ${dayOfRow} <= ${pg.escapeLiteral(until)}`}
     order by ${order}`;
}

function shown({ name, kind, sql }: ColumnSource): string {
  const value = kind === "instant" ? `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : sql;
  return `${value} as ${name}`;
}

/** SQL of their accounts, as what a statement begins with. @param users SQL of an array */
function accountsOf(users: string, unmasked: boolean): string {
  const iban = "regexp_replace(a.iban, '\\s+', '', 'g')";
  return `account as materialized (
    select a.user_id, a.id, a.removed_after is not null as is_removed, ${accountRef("o.subject", "a.id")} as ref,
           ${unmasked ? `nullif(${iban}, '')` : masked(iban)} as iban
      from accounts a
      join users o on o.id = a.user_id
     where a.user_id = any(${users}))`;
}

/** What the change feed tells of, one by one. */
export type FollowedDataset = "transactions" | "services";

const followed: Readonly<Record<FollowedDataset, { one: string; alias: string; parts: string; isSeen: string }>> = {
  transactions: {
    one: "select * from transactions where user_id = named.user_id and txid = named.id",
    alias: "t",
    parts: ofPayment,
    isSeen: "t.txid is not null and account.is_removed is not true",
  },
  services: {
    one: "select * from services where id = named.id::uuid and user_id = named.user_id and document is not null",
    alias: "s",
    parts: ofService,
    isSeen: "s.id is not null",
  },
};

/**
 * How named things of users are now: `partner`, `user_id`, `id`, and `row` as JSON with the dataset's columns, null where
 * there is no such thing any more. Nothing of users who are gone. Each is looked up by its key.
 * @param named SQL of their `user_id` and `id`, without parameters
 */
export function presentOf(dataset: FollowedDataset, unmasked: boolean, named: string): string {
  const { one, alias, parts, isSeen } = followed[dataset];
  const columns = sourcesOf({ dataset, unmasked }).map(shown).join(", ");
  return `with named as materialized (${named}),
    ${accountsOf("(select array_agg(distinct user_id) from named)::bigint[]", unmasked)}
    select u.partner_id as partner, named.user_id as "userId", named.id,
           case when ${isSeen} then (select row_to_json(r)::text from (select ${columns}) as r) end as row
      from named
      join users u on u.id = named.user_id and u.deleted_at is null
      left join lateral (${one} offset 0) as ${alias} on true
      ${parts}
     order by named.user_id, named.id`;
}
