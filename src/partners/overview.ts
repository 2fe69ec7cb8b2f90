/** Partners as an operator looks at them: lists and everything about one. Secrets are never among it. */
import type { Queryable } from "../database/database.ts";
import { fingerprintOf } from "./ends.ts";
import { type KnownCertificate, listClientCertificates } from "./keys/client-certificates.ts";
import { type SftpKey, listSftpKeys } from "./keys/sftp-keys.ts";

export type PartnerLine = { id: string; name: string; brands: number; users: number; suspended: boolean };

export type PartnerOverview = {
  id: string;
  name: string;
  suspendedAt: Date | null;
  createdAt: Date;
  settings: object;
  brands: { id: string; country: string; currency: string; timeZone: string; locale: string; settings: object }[];
  loginKeys: {
    id: number;
    kid: string | null;
    algorithm: string;
    /** SHA-256 of the key's SubjectPublicKeyInfo in DER, hexadecimal. */
    fingerprint: string;
    createdAt: Date;
    expiresAt: Date | null;
  }[];
  sftpKeys: SftpKey[];
  allowedNetworks: { door: string; network: string }[];
  clientCertificates: KnownCertificate[];
  /** retiredAt null: current, or next; in the future: still opens batches. */
  batchKeys: ServiceKey[];
  /** As batchKeys; kid is the fingerprint. */
  pgpKeys: ServiceKey[];
};

type ServiceKey = { kid: string; createdAt: Date; retiredAt: Date | null; isNext: boolean };

/** @param partnerIds null: all */
export async function listPartners(
  database: Queryable,
  partnerIds: readonly string[] | null = null,
): Promise<PartnerLine[]> {
  const { rows } = await database.query<PartnerLine>(
    `select id,
            name,
            (select count(*) from brands where partner_id = partners.id) as brands,
            (select count(*) from users where partner_id = partners.id and deleted_at is null) as users,
            suspended_at is not null as suspended
       from partners
      where $1::text[] is null or id = any($1)
      order by id`,
    [partnerIds],
  );
  return rows;
}

/** Of every partner, suspended ones too. */
export async function listSettings(
  database: Queryable,
): Promise<{ partnerId: string; settings: object; suspended: boolean }[]> {
  const { rows } = await database.query<{ partnerId: string; settings: object; suspended: boolean }>(
    `select id as "partnerId", settings, suspended_at is not null as suspended from partners order by id`,
  );
  return rows;
}

/** Null when there is no such partner. */
export async function readPartnerOverview(database: Queryable, partnerId: string): Promise<PartnerOverview | null> {
  const { rows } = await database.query<
    Pick<PartnerOverview, "id" | "name" | "suspendedAt" | "createdAt" | "settings">
  >(
    `select id, name, settings, suspended_at as "suspendedAt", created_at as "createdAt"
       from partners
      where id = $1`,
    [partnerId],
  );
  const partner = rows[0];
  if (!partner) return null;
  // One after the other: it may be a transaction, whose connection takes one statement at a time.
  const brands = await listBrands(database, partnerId);
  const loginKeys = await listLoginKeys(database, partnerId);
  const sftpKeys = await listSftpKeys(database, partnerId);
  const allowedNetworks = await listNetworks(database, partnerId);
  const batchKeys = await listServiceKeys(database, partnerId, "batch-encryption");
  const pgpKeys = await listServiceKeys(database, partnerId, "openpgp");
  const clientCertificates = await listClientCertificates(database, partnerId);
  return { ...partner, brands, loginKeys, sftpKeys, allowedNetworks, clientCertificates, batchKeys, pgpKeys };
}

export async function partnerExists(database: Queryable, partnerId: string): Promise<boolean> {
  const { rowCount } = await database.query("select 1 from partners where id = $1", [partnerId]);
  return rowCount === 1;
}

export async function listBrands(database: Queryable, partnerId: string): Promise<PartnerOverview["brands"]> {
  const { rows } = await database.query<PartnerOverview["brands"][number]>(
    `select id, country, currency, time_zone as "timeZone", locale, features as settings
       from brands
      where partner_id = $1
      order by id`,
    [partnerId],
  );
  return rows;
}

async function listLoginKeys(database: Queryable, partnerId: string): Promise<PartnerOverview["loginKeys"]> {
  const { rows } = await database.query<PartnerOverview["loginKeys"][number] & { pem: string }>(
    `select id, kid, algorithm, public_key_pem as pem, created_at as "createdAt", expires_at as "expiresAt"
       from login_keys
      where partner_id = $1
        and revoked_at is null
      order by id`,
    [partnerId],
  );
  return rows.map(({ pem, ...key }) => ({ ...key, fingerprint: fingerprintOf(pem) }));
}

async function listNetworks(database: Queryable, partnerId: string): Promise<PartnerOverview["allowedNetworks"]> {
  const { rows } = await database.query<PartnerOverview["allowedNetworks"][number]>(
    `select door, network::text as network
       from allowed_networks
      where partner_id = $1
      order by door, network`,
    [partnerId],
  );
  return rows;
}

async function listServiceKeys(
  database: Queryable,
  partnerId: string,
  purpose: "batch-encryption" | "openpgp",
): Promise<ServiceKey[]> {
  const { rows } = await database.query<ServiceKey>(
    `select kid, created_at as "createdAt", retired_at as "retiredAt", is_next as "isNext"
       from service_keys
      where purpose = $2
        and partner_id = $1
      order by is_next, created_at desc`,
    [partnerId, purpose],
  );
  return rows;
}

/** In order. @param partnerIds null: of all */
export async function listPartnerIds(
  database: Queryable,
  partnerIds: readonly string[] | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    "select id from partners where $1::text[] is null or id = any($1) order by id limit $2",
    [partnerIds, limit],
  );
  return rows.map(({ id }) => id);
}
