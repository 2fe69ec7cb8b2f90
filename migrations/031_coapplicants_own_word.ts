/** Who named a co-applicant: the budget's own user, or the other one, whose word shows nobody's figures but his own. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table budget_coapplicants add column is_own boolean not null default true;
    -- One call used to speak for both; whose it was is in the events, which are never changed.
    update budget_coapplicants link
       set is_own = exists (
             select 1
               from budget_events
              where budget_events.budget_id = link.budget_id
                and budget_events.type = 'COAPPLICANT_SET'
                and budget_events.event ->> 'budgetId' = link.other_budget_id::text
           );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table budget_coapplicants drop column is_own");
}
