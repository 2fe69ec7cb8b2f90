/** Client certificates: which ones, or whose, a partner's backend shows at the HTTPS door. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table client_certificates (
      partner_id text not null constraint client_certificates_partner references partners,
      -- SHA-256 over the DER form, lower-case hexadecimal.
      fingerprint text not null,
      -- An issuer vouches for every certificate that it signs.
      kind text not null constraint client_certificates_kind check (kind in ('certificate', 'issuer')),
      pem text not null,
      subject text not null,
      expires_at timestamptz not null,
      created_at timestamptz not null default now(),
      constraint client_certificates_pk primary key (partner_id, fingerprint)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table client_certificates");
}
