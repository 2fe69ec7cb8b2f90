/** The banks that users can choose, as operators set them. */
import type { Queryable } from "../database/database.ts";
import { Fault } from "../errors.ts";
import { encryptSecret, decryptSecret } from "../partners/keys/secrets-at-rest.ts";
import type { BerlinGroupBank } from "./berlin-group.ts";

export type Bank = BerlinGroupBank & { id: string; name: string; country: string };
export type BankName = Pick<Bank, "id" | "name" | "country"> & { hasLogo: boolean };
export type BankLogo = { type: "image/png" | "image/jpeg"; bytes: Buffer };

/** Of a picture that is shown 40 pixels high. */
const logoBytesMax = 64 * 1024;
const startOf = { "image/png": "89504e470d0a1a0a", "image/jpeg": "ffd8ff" } as const;

/** @throws Fault VALIDATION_ERROR for what is no PNG or JPEG, or is too large */
export function logoOf(bytes: Buffer): BankLogo {
  const [type] = Object.entries(startOf).find(([, start]) => bytes.toString("hex").startsWith(start)) ?? [];
  if (type === undefined || bytes.length > logoBytesMax)
    throw new Fault("COMMAND_USAGE", `A logo is a PNG or JPEG of at most ${logoBytesMax / 1024} KiB.`);
  return { type: type as BankLogo["type"], bytes };
}

type Row = {
  id: string;
  name: string;
  country: string;
  xs2aUrl: string;
  authorizeUrl: string;
  tokenUrl: string;
  clientId: string;
  authorityPem: string | null;
  clientCertificatePem: string | null;
  clientKeySealed: Buffer | null;
  allowsPrivateAddresses: boolean;
};

const contextOf = (bankId: string) => `psd2-client-key:${bankId}`;

/** By name. */
export async function listBanks(database: Queryable): Promise<BankName[]> {
  const { rows } = await database.query<BankName>(
    'select id, name, country, logo is not null as "hasLogo" from psd2_banks order by name, id',
  );
  return rows;
}

/** Null: no such bank. @throws Fault KEY_ENCRYPTION_KEY */
export async function readBank(database: Queryable, keyEncryptionKey: Buffer, bankId: string): Promise<Bank | null> {
  const { rows } = await database.query<Row>(
    `select id, name, country, xs2a_url as "xs2aUrl", authorize_url as "authorizeUrl", token_url as "tokenUrl",
            client_id as "clientId", authority_pem as "authorityPem",
            client_certificate_pem as "clientCertificatePem", client_key_sealed as "clientKeySealed",
            allows_private_addresses as "allowsPrivateAddresses"
       from psd2_banks
      where id = $1`,
    [bankId],
  );
  const row = rows[0];
  if (!row) return null;
  const clientCertificate =
    row.clientCertificatePem === null || row.clientKeySealed === null
      ? undefined
      : {
          cert: row.clientCertificatePem,
          key: decryptSecret(keyEncryptionKey, contextOf(bankId), row.clientKeySealed),
        };
  return {
    id: row.id,
    name: row.name,
    country: row.country,
    xs2aUrl: row.xs2aUrl.replace(/\/+$/, ""),
    authorizeUrl: row.authorizeUrl,
    tokenUrl: row.tokenUrl,
    clientId: row.clientId,
    guard: {
      allowsPrivateAddresses: row.allowsPrivateAddresses,
      authority: row.authorityPem ?? undefined,
      clientCertificate,
    },
  };
}

/** Null: no such bank, or one without. */
export async function readLogo(database: Queryable, bankId: string): Promise<BankLogo | null> {
  const { rows } = await database.query<BankLogo>(
    "select logo_type as type, logo as bytes from psd2_banks where id = $1 and logo is not null",
    [bankId],
  );
  return rows[0] ?? null;
}

/** Replaces what the bank had. */
export async function putBank(
  database: Queryable,
  keyEncryptionKey: Buffer,
  bank: Bank,
  logo: BankLogo | null = null,
): Promise<void> {
  const { guard } = bank;
  await database.query(
    `insert into psd2_banks (id, name, country, xs2a_url, authorize_url, token_url, client_id, authority_pem, client_certificate_pem, client_key_sealed, allows_private_addresses, logo, logo_type)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (id) do update
        set name = excluded.name, country = excluded.country, xs2a_url = excluded.xs2a_url, authorize_url = excluded.authorize_url, token_url = excluded.token_url,
            client_id = excluded.client_id, authority_pem = excluded.authority_pem, client_certificate_pem = excluded.client_certificate_pem,
            client_key_sealed = excluded.client_key_sealed, allows_private_addresses = excluded.allows_private_addresses, logo = excluded.logo, logo_type = excluded.logo_type`,
    [
      bank.id,
      bank.name,
      bank.country,
      bank.xs2aUrl,
      bank.authorizeUrl,
      bank.tokenUrl,
      bank.clientId,
      guard.authority ?? null,
      guard.clientCertificate?.cert ?? null,
      guard.clientCertificate === undefined
        ? null
        : encryptSecret(keyEncryptionKey, contextOf(bank.id), guard.clientCertificate.key),
      guard.allowsPrivateAddresses,
      logo?.bytes ?? null,
      logo?.type ?? null,
    ],
  );
}

export async function removeBank(database: Queryable, bankId: string): Promise<boolean> {
  const { rowCount } = await database.query("delete from psd2_banks where id = $1", [bankId]);
  return rowCount === 1;
}
