/**
 * What waits is kept by neighbours, whatever accounts they wait for, and accounts once a delivery: a row for each record
 * cost more to keep and to take out than the record itself.
 */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

/** As many records as a load holds together. */
const togetherRecords = 20_000;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Accounts for which records of a delivery wait. Released: it was named since, and what waits is due.
    create table waiting_accounts (
      account_key uuid not null,
      delivery_id uuid not null constraint waiting_accounts_delivery references deliveries on delete cascade,
      released boolean not null default false,
      constraint waiting_accounts_pk primary key (account_key, delivery_id)
    );
    create index waiting_accounts_of_delivery on waiting_accounts (delivery_id);
    alter table waiting_accounts enable row level security;
    create policy of_tenant on waiting_accounts using (exists (select 1 from deliveries where deliveries.id = delivery_id));

    lock table held_records in share row exclusive mode;
    insert into waiting_accounts (account_key, delivery_id, released)
    select account_key, delivery_id,
           exists (select 1 from released_accounts as one where one.delivery_id = held.delivery_id and one.account_key = held.account_key)
      from held_records as held
     where kind = 'waiting'
     group by account_key, delivery_id;
    alter table held_records
      drop constraint held_records_account,
      add constraint held_records_account check (kind = 'waiting' or account_key is null);

    create temporary table neighbours on commit drop as
    select delivery_id, batch, min(first_index) as first_index, max(last_index) as last_index, min(line) as line, field, reason,
           sum(records)::bigint as records, bool_or(is_due) as due
      from (
        select placed.*,
               first_index - (sum(records) over place - records) as neighbourhood,
               (sum(records) over place - records)::bigint / ${togetherRecords} as piece
          from (
            select held.*, due or waiting.released as is_due
              from held_records as held
              join waiting_accounts as waiting on waiting.account_key = held.account_key and waiting.delivery_id = held.delivery_id
             where kind = 'waiting'
          ) placed
        window place as (partition by delivery_id, batch, field, reason order by first_index rows unbounded preceding)
      ) together
     group by delivery_id, batch, field, reason, neighbourhood, piece;
    delete from held_records where kind = 'waiting';
    insert into held_records (delivery_id, batch, first_index, last_index, line, kind, field, reason, records, due)
    select delivery_id, batch, first_index, last_index, line, 'waiting', field, reason, records, due from neighbours;
    delete from released_accounts;

    -- Older programs, which keep each record with its account and look for it there. To go with them.
    create function keep_waiting_account() returns trigger language plpgsql set search_path from current as
    $$
    begin
      insert into waiting_accounts as waiting (account_key, delivery_id) values (new.account_key, new.delivery_id)
      on conflict (account_key, delivery_id) do update set released = false where waiting.released;
      new.account_key := null;
      return new;
    end
    $$;
    create trigger held_records_of_older_programs before insert on held_records
      for each row when (new.account_key is not null) execute function keep_waiting_account();

    create function release_named_accounts() returns trigger language plpgsql set search_path from current as
    $$
    declare
      keys uuid[] := array(
        select left(encode(sha256(
                 convert_to(partner_id, 'UTF8') || '\\x00'::bytea || convert_to(bank_id, 'UTF8') || '\\x00'::bytea || convert_to(account_number, 'UTF8')
               ), 'hex'), 32)::uuid
          from named);
      found uuid[] := array(select distinct delivery_id from waiting_accounts where account_key = any(keys) order by 1);
    begin
      if cardinality(found) = 0 then return null; end if;
      perform 1 from deliveries where id = any(found) order by id for no key update;
      update waiting_accounts set released = true where account_key = any(keys) and not released;
      update held_records set due = true where delivery_id = any(found) and kind = 'waiting' and not due;
      update deliveries
         set revisit_requested_at = coalesce(revisit_requested_at, now()),
             revisit_attempts = 0
       where id = any(found)
         and state = 'loaded'
         and exists (select 1 from held_records where delivery_id = deliveries.id and due);
      return null;
    end
    $$;
    create trigger account_owners_named_by_older_programs after insert on account_owners referencing new table as named
      for each statement when (current_setting('tideline.releases', true) is distinct from 'itself')
      execute function release_named_accounts();
    create trigger account_owners_named_anew_by_older_programs after update on account_owners referencing new table as named
      for each statement when (current_setting('tideline.releases', true) is distinct from 'itself')
      execute function release_named_accounts();
  `);
}

/** Whose each record is nobody knows any more: all that waits is read again, and kept by its accounts then. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger account_owners_named_anew_by_older_programs on account_owners;
    drop trigger account_owners_named_by_older_programs on account_owners;
    drop trigger held_records_of_older_programs on held_records;
    drop function release_named_accounts();
    drop function keep_waiting_account();
    update held_records set account_key = gen_random_uuid(), due = true where kind = 'waiting';
    update deliveries
       set revisit_requested_at = coalesce(revisit_requested_at, now()),
           revisit_attempts = 0
     where state = 'loaded'
       and exists (select 1 from held_records where delivery_id = deliveries.id and kind = 'waiting');
    alter table held_records
      drop constraint held_records_account,
      add constraint held_records_account check ((kind = 'waiting') = (account_key is not null));
    drop table waiting_accounts;
  `);
}
