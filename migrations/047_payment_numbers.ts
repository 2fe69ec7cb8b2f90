/**
 * Numbers of payments as callers see them: a keyed permutation above those that were told before, so that they tell
 * nothing of how many there are.
 */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table payment_numbers (
      -- One row, for as long as the database lives: ids that partners keep are made of it.
      only_row boolean not null default true constraint payment_numbers_pk primary key,
      -- Up to here the ledger's own numbers were told, and stay.
      told_up_to bigint not null,
      key bytea not null,
      constraint payment_numbers_one check (only_row),
      constraint payment_numbers_key_length check (octet_length(key) = 32),
      constraint payment_numbers_told check (told_up_to between 0 and 9007199254740991)
    );
    -- Where a session has taken numbers, last_value lies past all that it may give out.
    insert into payment_numbers (told_up_to, key)
    select case when is_called then last_value else 0 end,
           sha256(convert_to(concat(gen_random_uuid(), gen_random_uuid(), gen_random_uuid()), 'UTF8'))
      from transaction_ids;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table payment_numbers");
}
