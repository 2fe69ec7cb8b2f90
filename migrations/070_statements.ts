/** Banks' own statements: their files, what they say of themselves, and entries that are told in two ways. */
import type { Knex } from "knex";

const tables = ["accounts", "transactions"].flatMap((kind) => wrapped(`${kind}.csv`));
const formatsBefore = ["request", "jwe", "jsonl", "jsonl.gz", "unknown", ...tables];

function wrapped(name: string): string[] {
  return ["", ".gz", ".pgp", ".gz.pgp"].map((ending) => `${name}${ending}`);
}

function formatsOf(names: readonly string[]): string {
  return `check (format in (${names.map((name) => `'${name}'`).join(", ")}))`;
}

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table deliveries
      drop constraint deliveries_format,
      add constraint deliveries_format ${formatsOf([...formatsBefore, ...wrapped("camt.xml")])};

    -- What a statement says of itself; the account is a digest of partner, bank and number.
    create table delivery_statements (
      delivery_id uuid not null constraint delivery_statements_delivery references deliveries on delete cascade,
      -- Among those of the file, from 0.
      place integer not null,
      line bigint not null,
      kind text not null constraint delivery_statements_kind check (kind in ('camt.053', 'camt.054')),
      account_key uuid not null,
      -- Null: it has none.
      sequence bigint,
      entries bigint not null,
      not_booked bigint not null,
      balances text not null constraint delivery_statements_balances check (balances in ('agree', 'differ', 'not told')),
      constraint delivery_statements_pk primary key (delivery_id, place)
    );
    create index delivery_statements_by_account on delivery_statements (account_key, kind, sequence);

    -- Entries of which the payments are in the ledger one by one, under ids of their own.
    create table entry_parts (
      user_id bigint not null constraint entry_parts_user references users,
      entry_id text not null,
      delivery_position bigint not null,
      constraint entry_parts_pk primary key (user_id, entry_id)
    );
    create index entry_parts_by_delivery on entry_parts (delivery_position);

    alter table delivery_statements enable row level security;
    create policy of_tenant on delivery_statements using (exists (select 1 from deliveries where deliveries.id = delivery_id));
    alter table entry_parts enable row level security;
    create policy of_tenant on entry_parts using (user_id = (select id from users where subject = tenant_subject()));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table entry_parts, delivery_statements;
    alter table deliveries
      drop constraint deliveries_format,
      add constraint deliveries_format ${formatsOf(formatsBefore)};
  `);
}
