/** What flowed through the service over the last hour, day and month: figures by minute, thinned as they age. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table flow_figures (
      -- How much time a row stands for: what ages goes from one step to the next.
      step_seconds integer not null constraint flow_figures_step check (step_seconds in (60, 600, 14400)),
      at timestamptz not null,
      figure text not null,
      -- Of several that one figure tells of, which: an outcome, a partner. '' where there is only one.
      label text not null,
      -- What was counted, or what all readings of that time add up to.
      sum double precision not null,
      highest double precision not null,
      constraint flow_figures_pk primary key (step_seconds, at, figure, label)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table flow_figures");
}
