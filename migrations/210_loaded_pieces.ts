/**
 * Pieces of files that are loaded already, by digest, so that a file that comes again is counted instead of loaded. What
 * ends that stands with the tables themselves: whatever statement changes or removes what a piece brought moves its
 * partner's epoch on in the same transaction, whichever program or person sends it.
 */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Records that stand in the ledger as a piece of a file has them. Good for deliveries that were accepted later, while its
    -- epoch is the partner's.
    create table loaded_pieces (
      partner_id text not null constraint loaded_pieces_partner references partners,
      digest bytea not null,
      records integer not null constraint loaded_pieces_records check (records > 0),
      -- Ours of whom the records are, ascending.
      user_ids bigint[] not null,
      delivery_position bigint not null,
      accepted_at timestamptz not null,
      epoch bigint not null,
      kept_at timestamptz not null default now(),
      constraint loaded_pieces_pk primary key (partner_id, digest)
    );
    alter table loaded_pieces enable row level security;
    create policy of_tenant on loaded_pieces using (partner_id = tenant_partner());

    -- A partner's epoch is the sum of its steps. Only added to, so that nobody who takes one waits for another, and gathered
    -- to one row from time to time.
    create table piece_epochs (
      id bigint generated always as identity constraint piece_epochs_pk primary key,
      partner_id text not null constraint piece_epochs_partner references partners,
      steps bigint not null default 1
    );
    create index piece_epochs_of_partner on piece_epochs (partner_id);
    alter table piece_epochs enable row level security;
    create policy of_tenant on piece_epochs using (partner_id = tenant_partner());

    -- With the owner's rights: the API's roles change users and accounts, and know nothing of pieces.
    create function step_epochs_of_users() returns trigger language plpgsql security definer set search_path from current as
    $$
    begin
      insert into piece_epochs (partner_id)
      select distinct partner_id from users where id in (select user_id from before);
      return null;
    end
    $$;
    create trigger loaded_pieces_end_with_removal after delete on transactions referencing old table as before
      for each statement execute function step_epochs_of_users();
    create trigger loaded_pieces_end_with_correction after update on transactions referencing old table as before
      for each statement execute function step_epochs_of_users();
    create trigger loaded_pieces_end_with_removal after delete on accounts referencing old table as before
      for each statement execute function step_epochs_of_users();
    create trigger loaded_pieces_end_with_removal after delete on cards referencing old table as before
      for each statement execute function step_epochs_of_users();

    -- Loading asks of an account what it is called and whether the user lets it be seen; not what is on it.
    create function step_epochs_of_accounts() returns trigger language plpgsql security definer set search_path from current as
    $$
    begin
      insert into piece_epochs (partner_id)
      select distinct users.partner_id
        from before
        left join after using (user_id, id)
        join users on users.id = before.user_id
       where (before.name, before.iban, before.removed_after) is distinct from (after.name, after.iban, after.removed_after);
      return null;
    end
    $$;
    create trigger loaded_pieces_end_with_change after update on accounts referencing old table as before new table as after
      for each statement execute function step_epochs_of_accounts();

    create function step_epochs_of_cards() returns trigger language plpgsql security definer set search_path from current as
    $$
    begin
      insert into piece_epochs (partner_id)
      select distinct users.partner_id
        from before
        left join after using (user_id, id)
        join users on users.id = before.user_id
       where before is distinct from after;
      return null;
    end
    $$;
    create trigger loaded_pieces_end_with_change after update on cards referencing old table as before new table as after
      for each statement execute function step_epochs_of_cards();

    -- Of users nearly every statement is about something else; these are not even called then.
    create function step_epoch_of_user() returns trigger language plpgsql security definer set search_path from current as
    $$
    begin
      insert into piece_epochs (partner_id) values (old.partner_id);
      return null;
    end
    $$;
    create trigger loaded_pieces_end_with_user after update of id, partner_id, bank_user_id, deleted_at on users
      for each row
      when ((old.id, old.partner_id, old.bank_user_id, old.deleted_at) is distinct from (new.id, new.partner_id, new.bank_user_id, new.deleted_at))
      execute function step_epoch_of_user();

    create function step_epochs_of_removed_users() returns trigger language plpgsql security definer set search_path from current as
    $$
    begin
      -- A partner that goes with its last users takes its epoch along.
      insert into piece_epochs (partner_id) select distinct partner_id from before where partner_id in (select id from partners);
      return null;
    end
    $$;
    create trigger loaded_pieces_end_with_removal after delete on users referencing old table as before
      for each statement execute function step_epochs_of_removed_users();

    create function step_all_epochs() returns trigger language plpgsql security definer set search_path from current as
    $$
    begin
      insert into piece_epochs (partner_id) select id from partners;
      return null;
    end
    $$;
    create trigger loaded_pieces_end_with_all after truncate on transactions for each statement execute function step_all_epochs();
    create trigger loaded_pieces_end_with_all after truncate on accounts for each statement execute function step_all_epochs();
    create trigger loaded_pieces_end_with_all after truncate on cards for each statement execute function step_all_epochs();
    create trigger loaded_pieces_end_with_all after truncate on users for each statement execute function step_all_epochs();

    -- Triggers need nobody's right to call them, and nobody has another use for them.
    revoke execute on function step_epochs_of_users(), step_epochs_of_accounts(), step_epochs_of_cards(), step_epoch_of_user(),
      step_epochs_of_removed_users(), step_all_epochs() from public;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger loaded_pieces_end_with_all on users;
    drop trigger loaded_pieces_end_with_all on cards;
    drop trigger loaded_pieces_end_with_all on accounts;
    drop trigger loaded_pieces_end_with_all on transactions;
    drop function step_all_epochs();
    drop trigger loaded_pieces_end_with_removal on users;
    drop function step_epochs_of_removed_users();
    drop trigger loaded_pieces_end_with_user on users;
    drop function step_epoch_of_user();
    drop trigger loaded_pieces_end_with_change on cards;
    drop function step_epochs_of_cards();
    drop trigger loaded_pieces_end_with_change on accounts;
    drop function step_epochs_of_accounts();
    drop trigger loaded_pieces_end_with_removal on cards;
    drop trigger loaded_pieces_end_with_removal on accounts;
    drop trigger loaded_pieces_end_with_correction on transactions;
    drop trigger loaded_pieces_end_with_removal on transactions;
    drop function step_epochs_of_users();
    drop table piece_epochs;
    drop table loaded_pieces;
  `);
}
