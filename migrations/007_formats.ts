/** What CSV files, OpenPGP, quarantine, withdrawal and corrections need beside deliveries and the ledger. */
import type { Knex } from "knex";

const formatsBefore = "'request', 'jwe', 'jsonl', 'jsonl.gz', 'unknown'";
const tables = ["accounts", "transactions"]
  .flatMap((kind) => ["csv", "csv.gz", "csv.pgp", "csv.gz.pgp"].map((ending) => `'${kind}.${ending}'`))
  .join(", ");

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- OpenPGP keys belong to a partner, as batch keys do. public_jwk holds {"kid", "armored"} for them.
    alter table service_keys
      drop constraint service_keys_purpose,
      drop constraint service_keys_owner,
      add constraint service_keys_purpose check (purpose in ('batch-encryption', 'token-signing', 'openpgp')),
      add constraint service_keys_owner check ((purpose in ('batch-encryption', 'openpgp')) = (partner_id is not null));

    alter table deliveries
      drop constraint deliveries_format,
      drop constraint deliveries_state,
      add constraint deliveries_format check (format in (${formatsBefore}, ${tables})),
      add constraint deliveries_state check (state in ('accepted', 'loading', 'loaded', 'refused', 'withdrawn')),
      -- Those of records_conflicting that replaced what was stored.
      add column records_corrected bigint not null default 0,
      add column withdrawn_at timestamptz,
      -- Rows that withdrawal took out of the ledger; records_new keeps saying what had been loaded.
      add column transactions_withdrawn bigint not null default 0,
      -- Set while held records are due to be read again.
      add column revisit_requested_at timestamptz,
      add column revisit_attempts integer not null default 0,
      -- Set when an operator gave up what is held: retention may then remove the original.
      add column quarantine_closed_at timestamptz,
      add constraint deliveries_corrected_conflicted check (records_corrected <= records_conflicting),
      add constraint deliveries_withdrawal_has_time check ((state = 'withdrawn') = (withdrawn_at is not null)),
      add constraint deliveries_revisit_is_of_loaded check (revisit_requested_at is null or state = 'loaded');
    create index deliveries_revisit_due on deliveries (partner_id, position) where revisit_requested_at is not null;

    -- Records of a delivery that are not in the ledger and may come later, as positions in the kept original; never a value.
    -- Neighbours with the same fault are one row. A batch counts from 0; first_index -1 means a whole batch, of which
    -- "records" were seen.
    create table held_records (
      delivery_id uuid not null constraint held_records_delivery references deliveries on delete cascade,
      batch bigint not null,
      first_index bigint not null,
      last_index bigint not null,
      -- Line of the first record; 0 where the format has no lines.
      line bigint not null,
      kind text not null constraint held_records_kind check (kind in ('refused', 'waiting', 'conflicting')),
      -- The first of the record's problems.
      field text not null,
      reason text not null,
      records bigint not null,
      -- Of a waiting record: a digest of partner, bank and account number, by which a new mapping finds it.
      account_key uuid,
      due boolean not null default false,
      constraint held_records_pk primary key (delivery_id, batch, first_index),
      constraint held_records_count check (records = case when first_index < 0 then records else last_index - first_index + 1 end),
      constraint held_records_account check ((kind = 'waiting') = (account_key is not null))
    );
    create index held_records_waiting on held_records (account_key) where kind = 'waiting';

    -- Of what something may still be released. Retention leaves alone what has single records here (landing/retention).
    create view quarantined_deliveries as
      select id as delivery_id, partner_id
        from deliveries
       where quarantine_closed_at is null
         and (
           (state = 'refused' and bytes_removed_at is null and (vault_reference is not null or door = 'https'))
           or (state = 'loaded' and (records_refused > 0 or batches_refused > 0 or records_waiting > 0))
         );

    -- Whose account it is, as accounts_*.csv files say.
    create table account_owners (
      partner_id text not null constraint account_owners_partner references partners,
      bank_id text not null,
      account_number text not null,
      user_id bigint not null constraint account_owners_user references users,
      delivery_position bigint not null,
      constraint account_owners_pk primary key (partner_id, bank_id, account_number)
    );
    create index account_owners_by_user on account_owners (user_id);

    -- Earlier contents of transactions that a later delivery corrected; the ledger's own row is the present one.
    create table transaction_versions (
      like transactions,
      version bigint generated always as identity constraint transaction_versions_pk primary key,
      replaced_at timestamptz not null default now()
    );
    -- A version that was replaced within its own file was never the ledger's row.
    alter table transaction_versions alter column id drop not null;
    create index transaction_versions_by_transaction on transaction_versions (user_id, txid);
    create index transaction_versions_by_delivery on transaction_versions (delivery_position);

    -- The trace of what was taken out of the ledger again.
    create table withdrawn_transactions (
      like transactions,
      delivery_id uuid not null constraint withdrawn_transactions_delivery references deliveries,
      withdrawn_at timestamptz not null default now(),
      -- Who did it, as in audit_events.
      actor text not null
    );
    alter table withdrawn_transactions alter column id drop not null;
    create index withdrawn_transactions_by_transaction on withdrawn_transactions (user_id, txid);
    create index withdrawn_transactions_by_delivery on withdrawn_transactions (delivery_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table withdrawn_transactions, transaction_versions, account_owners;
    drop view quarantined_deliveries;
    drop table held_records;
    drop index deliveries_revisit_due;
    delete from service_keys where purpose = 'openpgp';
    alter table service_keys
      drop constraint service_keys_purpose,
      drop constraint service_keys_owner,
      add constraint service_keys_purpose check (purpose in ('batch-encryption', 'token-signing')),
      add constraint service_keys_owner check ((purpose = 'batch-encryption') = (partner_id is not null));
    alter table deliveries
      drop constraint deliveries_revisit_is_of_loaded,
      drop constraint deliveries_withdrawal_has_time,
      drop constraint deliveries_corrected_conflicted,
      drop constraint deliveries_state,
      drop constraint deliveries_format,
      drop column quarantine_closed_at,
      drop column revisit_attempts,
      drop column revisit_requested_at,
      drop column transactions_withdrawn,
      drop column withdrawn_at,
      drop column records_corrected,
      add constraint deliveries_state check (state in ('accepted', 'loading', 'loaded', 'refused')),
      add constraint deliveries_format check (format in (${formatsBefore}));
  `);
}
