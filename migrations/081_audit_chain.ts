/**
 * The audit trail can be added to and not changed: by privilege for every role that serves, by a chain of digests for
 * whoever owns the database. Batches are signed by a key that lies encrypted under the key-encryption key, which is not
 * in the database (src/partners/audit-chain.ts).
 */
import type { Knex } from "knex";

const purposes = ["batch-encryption", "token-signing", "openpgp"];
const named = (all: readonly string[]) => all.map((purpose) => `'${purpose}'`).join(", ");

export async function up(knex: Knex): Promise<void> {
  const schema = (await knex.raw("select quote_ident(current_schema()) as name")).rows[0].name as string;
  await knex.raw(`
    alter table service_keys
      drop constraint service_keys_purpose,
      add constraint service_keys_purpose check (purpose in (${named([...purposes, "audit-signing", "receipt-signing"])}));

    -- One line an event, in the order in which they were chained: its id, instant, name, and the digest of all of it. The
    -- lines stay when retention removes events, so that what is missing can be told from what was removed by rule.
    create table audit_batches (
      number bigint constraint audit_batches_pk primary key,
      event_ids bigint[] not null,
      lines text not null,
      digest bytea not null,
      kid text not null,
      signature bytea not null,
      chained_at timestamptz not null default now(),
      constraint audit_batches_not_empty check (cardinality(event_ids) > 0)
    );

    -- What retention removed: events of the doors from before an instant, as a signed checkpoint.
    create table audit_removals (
      id bigint generated always as identity constraint audit_removals_pk primary key,
      removed_before timestamptz not null,
      statement text not null,
      kid text not null,
      signature bytea not null
    );

    -- Against a mistake; whoever owns the table can take a trigger away, and the chain finds that.
    create trigger audit_events_append_only before update on audit_events for each row execute function refuse_change();
    create trigger audit_batches_append_only before update on audit_batches for each row execute function refuse_change();

    -- The only way in which roles that serve remove events: those that doors wrote, chained, and a month old at least.
    create function remove_door_events(before timestamptz) returns bigint language plpgsql volatile security definer
      set search_path = pg_catalog, pg_temp as $function$
    declare
      removed bigint;
    begin
      delete from ${schema}.audit_events as e
       where e.at < least(before, now() - interval '30 days')
         and (starts_with(e.event, 'sftp.') or starts_with(e.event, 'https.'));
      get diagnostics removed = row_count;
      return removed;
    end
    $function$;
    revoke execute on function remove_door_events(timestamptz) from public;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function remove_door_events;
    drop trigger audit_events_append_only on audit_events;
    drop table audit_removals, audit_batches;
    delete from service_keys where purpose in ('audit-signing', 'receipt-signing');
    alter table service_keys
      drop constraint service_keys_purpose,
      add constraint service_keys_purpose check (purpose in (${named(purposes)}));
  `);
}
