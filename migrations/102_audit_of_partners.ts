/** Who changed a partner's settings, and whose logins were refused, without reading all that its doors wrote. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index audit_events_of_settings on audit_events (partner_id, id) where event = 'partner.settings-changed';
    create index audit_events_of_refused_logins on audit_events (partner_id, id) where event = 'sftp.login-refused';
    create index audit_events_of_https_refusals on audit_events (partner_id, id) where event = 'https.refusals';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop index audit_events_of_https_refusals, audit_events_of_refused_logins, audit_events_of_settings");
}
