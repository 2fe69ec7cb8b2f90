/**
 * Flat views for whoever reports and analyses: the schema `analytics`, with the columns that `tideline export` has.
 * A login sees the partners that were named for it, whatever it sets, since it is judged by the session's own user; it has
 * no right to a table. Account numbers are masked.
 */
import type { Knex } from "knex";

/** As src/exports/datasets.ts has them. */
const masked = `case when length(numbers.plain) >= 15 then left(numbers.plain, 2) || '•• •••• ' || right(numbers.plain, 4)
                     when numbers.plain <> '' then '••••' end`;
const ofUser = "u.partner_id as partner, u.brand_id as brand, u.id as user_id, u.bank_user_id";
const ofAccount = `case when a.id is not null then left(encode(sha256(convert_to(u.subject::text || a.id, 'UTF8')), 'hex'), 16) end as account_ref,
             ${masked} as account_iban`;
const seen = "u.partner_id = any((select analytics.partners())::text[]) and u.deleted_at is null";
const plainNumber = String.raw`left join lateral (select regexp_replace(a.iban, '\s+', '', 'g') as plain) as numbers on true`;

const answers =
  "open_deliveries(bigint), applicant_of(text, uuid), psd2_login_of_key(uuid, bytea), psd2_login_of_state(bytea)";

export async function up(knex: Knex): Promise<void> {
  // What these answer the API they would answer every login of the server; who serves is given the right by name.
  await knex.raw(`revoke execute on function ${answers} from public`);
  // A user of a server of one's own may lack the right to make a schema, and somebody's may have the name.
  const { rows } = await knex.raw(
    "select has_database_privilege(current_database(), 'create') and to_regnamespace('analytics') is null as possible",
  );
  if ((rows[0] as { possible: boolean }).possible) await createViews(knex);
}

async function createViews(knex: Knex): Promise<void> {
  const schema = (await knex.raw("select quote_ident(current_schema()) as name")).rows[0].name as string;
  await knex.raw(`
    create schema analytics;

    -- Whose data a login of the server may read. The login itself is the server's.
    create table analytics.logins (
      login text not null,
      partner_id text not null constraint logins_partner references partners on delete cascade,
      added_at timestamptz not null default now(),
      constraint logins_pk primary key (login, partner_id)
    );

    -- Of the session's own user, which nothing that runs on its connection can change; all for who owns the views.
    create function analytics.partners() returns text[] language sql stable parallel safe security definer
      set search_path = pg_catalog, pg_temp
      as $function$
        select case
          when pg_has_role(session_user, (select relowner from pg_class where oid = 'analytics.logins'::regclass), 'usage')
          then array(select id from ${schema}.partners)
          else array(select partner_id from analytics.logins where login = session_user)
        end
      $function$;

    create view analytics.users with (security_barrier) as
      select ${ofUser}, b.country, b.currency, u.locale, u.created_at as registered_at, u.last_loaded_at, u.import_completed_at
        from users u
        join brands b on b.partner_id = u.partner_id and b.id = u.brand_id
       where ${seen};

    create view analytics.services with (security_barrier) as
      select ${ofUser}, s.id::text as service_id, d.product->>'title' as title, d.product->>'type' as type, d.status, d.visibility,
             d."paymentFrequency" as payment_frequency, d.amount, d.currency, d."yearlyCost" as yearly_cost,
             d."totalAmountLastTwelveMonths" as total_last_twelve_months, d."nextExpectedTransactionDate" as next_expected_on,
             s.first_detected_on, (d.payments->0->>'date')::date as last_paid_on, json_array_length(d.payments) as payments,
             ${ofAccount}
        from users u
        join services s on s.user_id = u.id and s.document is not null
        cross join lateral json_to_record(s.document) as d (
          amount numeric, currency text, "paymentFrequency" text, "accountId" text, product json, status text, visibility text,
          payments json, "yearlyCost" numeric, "totalAmountLastTwelveMonths" numeric, "nextExpectedTransactionDate" date)
        left join accounts a on a.user_id = s.user_id and a.id = d."accountId"
        ${plainNumber}
       where ${seen};

    create view analytics.transactions with (security_barrier) as
      select ${ofUser}, t.txid as transaction_id, t.booked_on, t.tx_time as booked_at, t.raw_type as type, t.description, t.amount,
             t.currency, t.original_amount, t.original_currency, t.merchant_name, t.merchant_cid as merchant_id, t.merchant_address,
             t.merchant_city, t.merchant_post_code, t.merchant_country, t.merchant_mcc, ${ofAccount}
        from users u
        join transactions t on t.user_id = u.id
        left join accounts a on a.user_id = t.user_id and a.id = t.account_id
        ${plainNumber}
       where ${seen}
         and a.removed_after is null;

    create view analytics.budgets with (security_barrier) as
      select ${ofUser}, g.id::text as budget_id, g.status, g.created_at, g.revision, n.as_of as business_day,
             d."totalMonthlyAmount" as monthly_expenses, d."totalMonthlyIncome" as monthly_income,
             d."disposableIncome" as disposable_income, d."averageExpensesLastThreeMonths" as average_expenses_three_months,
             d."averageExpensesLastTwelveMonths" as average_expenses_twelve_months, g.stale_since is not null as is_out_of_date
        from users u
        join budgets g on g.user_id = u.id
        left join budget_snapshots n on n.id = g.snapshot_id
        left join budget_documents f on f.budget_id = g.id
        left join lateral json_to_record(f.document) as d (
          "totalMonthlyAmount" numeric, "totalMonthlyIncome" numeric, "disposableIncome" numeric,
          "averageExpensesLastThreeMonths" numeric, "averageExpensesLastTwelveMonths" numeric) on true
       where ${seen};

    comment on schema analytics is 'Flat views of what Tideline knows, for reporting: read only, of the partners of the login.';
    comment on view analytics.users is 'A row a user; user_id joins the other views.';
    comment on view analytics.services is 'A row a recurring payment as last recognised; amounts are costs in currency.';
    comment on view analytics.transactions is 'A row a booked transaction; money that leaves is negative.';
    comment on view analytics.budgets is 'A row a budget with its monthly figures, in the currency of the user''s brand.';
    comment on column analytics.transactions.account_ref is 'The same for all rows of one account; tells nothing of its number.';
    comment on column analytics.services.account_ref is 'The same for all rows of one account; tells nothing of its number.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  const { rows } = await knex.raw("select to_regclass('analytics.logins') is not null as made");
  if ((rows[0] as { made: boolean }).made)
    await knex.raw(`
      drop view analytics.budgets, analytics.transactions, analytics.services, analytics.users;
      drop function analytics.partners;
      drop table analytics.logins;
      drop schema analytics;
    `);
  await knex.raw(`grant execute on function ${answers} to public`);
}

/** It adds a schema; the rights that it takes are given back by whoever migrates. */
export const runsWith = "105_released_accounts";
