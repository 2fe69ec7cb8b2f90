/**
 * A database of years: partners with their brands, users with services, deliveries over ninety days, transactions,
 * expected files, an audit trail and figures of flow, made by the server's own statements. Shapes and counts are those of
 * real ones; nothing of it was ever encrypted or loaded.
 */
import pg from "pg";

export type Size = { partners: number; deliveries: number; users: number; transactions: number };

export const days = 90;

/** As the owner: no trigger and no reference is looked at, which nothing here would fail. */
export async function fill(databaseUrl: string, { partners, deliveries, users, transactions }: Size): Promise<void> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    await owner.query("set session_replication_role = replica; set synchronous_commit = off");
    const step = async (what: string, text: string, values: unknown[] = []) => {
      const startedAt = performance.now();
      await owner.query(text, values);
      console.log(`${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    };
    await step(
      `${partners} partners`,
      `with made as (
         insert into partners (id, name)
         select 'bank-' || lpad(n::text, 3, '0'), 'Bank ' || n from generate_series(1, $1::integer) as n
         returning id
       )
       insert into brands (partner_id, id, country, currency, time_zone, locale)
       select id, id || '-dk', 'DK', 'DKK', 'Europe/Copenhagen', 'da-DK' from made`,
      [partners],
    );
    await step(
      `${users} users`,
      `insert into users (partner_id, brand_id, bank_user_id, locale, import_completed_at, import_completed_on)
       select bank, bank || '-dk', 'customer-' || n, 'da-DK', now(), current_date - 30
         from generate_series(1, $2::integer) as n, lateral (select 'bank-' || lpad((n % $1 + 1)::text, 3, '0') as bank) as named`,
      [partners, users],
    );
    await step(`${deliveries} deliveries`, deliveriesOf, [partners, deliveries, days]);
    await step(
      `${transactions} transactions`,
      `insert into transactions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, delivery_position)
       select first.id + n % $1, 't-' || n, current_date - ${days} + (n * ${days}::bigint / $2)::integer, '2026-08-01T00:00:00', 'CARD_PURCHASE',
              'Kiosk ' || n % 977, -((n % 900) + 1)::numeric / 10, 'DKK', 1 + n * $3::bigint / $2
         from generate_series(0, $2::bigint - 1) as n, (select min(id) as id from users) as first`,
      [users, transactions, deliveries],
    );
    await step(
      "services of a fifth of the users",
      `insert into services (id, user_id, key, txids, first_detected_on, document, status, payment_frequency)
       select service, users.id, 'k' || s, '{t-1}', current_date - 60,
              jsonb_build_object('id', service, 'amount', 99, 'currency', 'DKK', 'paymentFrequency', 'MONTHLY', 'status', 'ACTIVE',
                'visibility', 'VISIBLE', 'yearlyCost', 1188, 'nextExpectedTransactionDate', (current_date + s)::text, 'confidence', 0.9,
                'product', jsonb_build_object('title', 'Service ' || s, 'type', 'SUBSCRIPTION'),
                'payments', (select jsonb_agg(jsonb_build_object('id', p, 'sourceTransactionId', 't-' || p, 'amount', 99, 'currency', 'DKK', 'date', (current_date - 30 * p)::text)) from generate_series(1, 12) as p)),
              'ACTIVE', 'MONTHLY'
         from users, generate_series(1, 8) as s, lateral (select gen_random_uuid() as service where s + users.id > 0) as made
        where users.id % 5 = 0`,
    );
    await step(
      `expected files of ${days} days`,
      `insert into expected_files (partner_id, name, due_day, due_at, state, delivery_id, arrived_at)
       select partners.id, 'nightly', day, day + interval '4 hours', case when here then 'arrived' else 'missing' end,
              case when here then gen_random_uuid() end, case when here then day + interval '3 hours' end
         from partners, generate_series(current_date - ${days}, current_date, interval '1 day') as day,
              lateral (select hashtext(partners.id || day) % 100 <> 0 as here) as came`,
    );
    await step(
      "the trail of 200,000 events",
      `insert into audit_events (at, partner_id, actor, event, details)
       select now() - n * interval '30 seconds', 'bank-' || lpad((n % $1 + 1)::text, 3, '0'), 'sftp:bank-' || n % $1,
              (array['sftp.session-opened', 'sftp.uploaded', 'https.login', 'delivery.retried', 'sftp.login-refused'])[n % 5 + 1],
              jsonb_build_object('address', '192.0.2.' || n % 250)
         from generate_series(1, 200000) as n`,
      [partners],
    );
    await step("statistics", "vacuum analyze");
  } finally {
    await owner.end();
  }
}

/** Nearly all loaded; of a hundred one refused and one in part; the last few wait. */
const deliveriesOf = `
  insert into deliveries (id, partner_id, door, format, name, request_id, correlation_id, size_bytes, sha256, state, refusal_code, refusal_reason,
                          batches, records, records_new, records_refused, accepted_at, started_at, finished_at, receipt_state, bytes_removed_at, quarantine_closed_at)
  select gen_random_uuid(), 'bank-' || lpad((n % $1 + 1)::text, 3, '0'),
         case when is_file then 'sftp' else 'https' end, case when is_file then 'jwe' else 'request' end,
         case when is_file then 'transactions-' || to_char(at, 'YYYYMMDD') || '-' || n || '.jwe' end,
         case when is_file then null else gen_random_uuid() end,
         md5(n::text), 20000 + n % 7000, sha256(n::text::bytea), state,
         case when state = 'refused' then 'FILE_DAMAGED' end, case when state = 'refused' then 'It cannot be opened.' end,
         1, counted.records, counted.records - counted.refused, counted.refused, at,
         case when state <> 'accepted' then at + interval '1 second' end,
         case when state <> 'accepted' then at + interval '3 seconds' end, state,
         case when age > interval '30 days' then at + interval '30 days' end,
         -- What was wrong was seen to, but of late.
         case when age > interval '2 days' and (state = 'refused' or counted.refused > 0) then at + interval '1 day' end
    from generate_series(1, $2::bigint) as n,
         lateral (select n % 2 = 0 as is_file, ($2 - n) * interval '1 second' * ($3::bigint * 86400.0 / $2) as age) as made,
         lateral (select now() - age as at,
                         case when $2 - n < 40 then 'accepted' when n % 100 = 7 then 'refused' else 'loaded' end as state) as told,
         lateral (select case when state = 'loaded' then 100 + n % 900 else 0 end as records,
                         case when state = 'loaded' and n % 100 = 13 then 1 else 0 end as refused) as counted`;
