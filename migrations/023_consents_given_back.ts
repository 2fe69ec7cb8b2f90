/** Consents that ended are given back to their bank, and their tokens forgotten. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table psd2_consents
      alter column access_token_sealed drop not null,
      -- The bank knows that it ended, or it was the bank that ended it.
      add column given_back_at timestamptz;

    -- Nobody recorded how those ended; the bank lets them run out.
    update psd2_consents
       set given_back_at = now(),
           access_token_sealed = null,
           refresh_token_sealed = null
     where state = 'ended';

    alter table psd2_consents
      add constraint psd2_consents_tokens check ((access_token_sealed is null) = (given_back_at is not null)),
      add constraint psd2_consents_given_back check (given_back_at is null or state = 'ended');
    create index psd2_consents_to_give_back on psd2_consents (next_fetch_at) where state = 'ended' and given_back_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index psd2_consents_to_give_back;
    delete from psd2_consents where given_back_at is not null;
    alter table psd2_consents
      drop constraint psd2_consents_tokens,
      drop constraint psd2_consents_given_back,
      drop column given_back_at,
      alter column access_token_sealed set not null;
  `);
}
