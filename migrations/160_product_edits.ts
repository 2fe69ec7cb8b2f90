/** Products as operators edit them over the shipped catalogue, and with which of them figures were made. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table product_edits (
      -- Each edit makes another version; the newest of a product is the one in force.
      version bigint generated always as identity constraint product_edits_pk primary key,
      product_id text not null,
      kind text not null constraint product_edits_kind check (kind in ('put', 'removed', 'reset')),
      -- Null unless put.
      product jsonb,
      words text[] not null default '{}',
      actor text not null,
      at timestamptz not null default now(),
      constraint product_edits_product check ((kind = 'put') = (product is not null))
    );
    create index product_edits_by_product on product_edits (product_id, version desc);
    alter table read_models add column catalogue_version bigint not null default 0;
    alter table budget_snapshots add column catalogue_version bigint;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table budget_snapshots drop column catalogue_version;
    alter table read_models drop column catalogue_version;
    drop table product_edits;
  `);
}
