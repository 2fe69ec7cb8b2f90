/** What ends by itself: keys and certificates of partners, in one calendar. */
import { createHash, createPublicKey } from "node:crypto";
import type { Queryable } from "../database/database.ts";

export type EndKind =
  | "login key"
  | "SFTP key"
  | "client certificate"
  | "issuer of certificates"
  | "batch key (ours)"
  | "OpenPGP key (ours)";

export type KeyEnding = {
  partnerId: string;
  kind: EndKind;
  name: string;
  fingerprint: string;
  endsAt: Date;
  /** Another of its kind goes on after it: nobody is locked out. */
  isFollowed: boolean;
};

/**
 * Of partners that are not suspended, what ends first at first; what ended is there for some days.
 * @param partnerIds null: of all. @param pastDays how long what ended is still told
 */
export async function listEndings(
  database: Queryable,
  partnerIds: readonly string[] | null,
  { pastDays, limit }: { pastDays: number; limit: number },
): Promise<KeyEnding[]> {
  const { rows } = await database.query<KeyEnding & { pem: string | null }>(
    `with keys as (
       select partner_id, 'login key' as kind, coalesce(kid, 'number ' || id) || ', ' || algorithm as name, '' as fingerprint,
              public_key_pem as pem, expires_at as ends_at
         from login_keys
        where revoked_at is null
       union all
       select partner_id, 'SFTP key', comment, fingerprint, null, expires_at from sftp_keys
       union all
       select partner_id, case kind when 'issuer' then 'issuer of certificates' else 'client certificate' end, subject,
              fingerprint, null, expires_at
         from client_certificates
       union all
       select partner_id, case purpose when 'openpgp' then 'OpenPGP key (ours)' else 'batch key (ours)' end, kid, kid, null, retired_at
         from service_keys
        where purpose in ('batch-encryption', 'openpgp')
          and partner_id is not null
     )
     select partner_id as "partnerId", kind, keys.name, fingerprint, pem, ends_at as "endsAt",
            exists (select 1
                      from keys as other
                     where other.partner_id = keys.partner_id
                       and other.kind = keys.kind
                       and (other.ends_at is null or other.ends_at > keys.ends_at)) as "isFollowed"
       from keys
       join partners on partners.id = partner_id and partners.suspended_at is null
      where ends_at > now() - make_interval(days => $2)
        and ($1::text[] is null or partner_id = any($1))
      order by ends_at, partner_id, kind, keys.name
      limit $3`,
    [partnerIds, pastDays, limit],
  );
  return rows.map(({ pem, ...one }) => ({ ...one, fingerprint: pem === null ? one.fingerprint : fingerprintOf(pem) }));
}

/** SHA-256 of a key's SubjectPublicKeyInfo in DER, hexadecimal. */
export function fingerprintOf(pem: string): string {
  const der = createPublicKey(pem).export({ format: "der", type: "spki" });
  return createHash("sha256").update(der).digest("hex");
}
