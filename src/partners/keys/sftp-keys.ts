/** The public keys with which partners log in over SFTP: several each, with expiry, so that they can be rotated. */
import type { Queryable } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { type Quota, readQuota } from "../settings/landing-rules.ts";

export type SftpKey = {
  /** As `ssh-keygen -l` prints it: SHA256:… */
  fingerprint: string;
  /** Type and base64, as in authorized_keys. */
  publicKey: string;
  comment: string;
  createdAt: Date;
  expiresAt: Date | null;
};

/** What the SFTP door needs to decide on a login. */
export type SftpPartner = {
  partnerId: string;
  suspended: boolean;
  /** Those valid now. */
  keys: { fingerprint: string; publicKey: string }[];
  /** CIDR; empty means from anywhere. */
  allowedNetworks: string[];
  /** Whether it may use MACs of the time before encrypt-then-MAC. */
  legacyMacs: boolean;
  quota: Quota;
};

/** The partner whose SFTP user name this is, or null. One query. */
export async function findSftpPartner(database: Queryable, username: string): Promise<SftpPartner | null> {
  const { rows } = await database.query<Omit<SftpPartner, "quota"> & { settings: object }>(
    `select partners.id as "partnerId",
            partners.settings,
            coalesce((partners.settings #>> '{sftp,legacyMacs}')::boolean, false) as "legacyMacs",
            partners.suspended_at is not null as suspended,
            coalesce((select jsonb_agg(jsonb_build_object('fingerprint', fingerprint, 'publicKey', public_key))
                        from sftp_keys
                       where partner_id = partners.id
                         and (expires_at is null or expires_at > now())), '[]') as keys,
            array(select network::text
                    from allowed_networks
                   where partner_id = partners.id
                     and door = 'sftp') as "allowedNetworks"
       from partners
      where partners.id = $1`,
    [username],
  );
  if (!rows[0]) return null;
  const { settings, ...partner } = rows[0];
  return { ...partner, quota: readQuota(settings) };
}

/** A changed list is in force after at most this long. */
const networksRememberedMs = 10_000;

/** A list of networks that is asked for at most once in a while. */
export function rememberNetworks(list: () => Promise<readonly string[]>): () => Promise<readonly string[]> {
  let known: Promise<readonly string[]> | undefined;
  let until = 0;
  return () => {
    if (known && Date.now() < until) return known;
    until = Date.now() + networksRememberedMs;
    known = list();
    known.catch(() => (known = undefined));
    return known;
  };
}

/**
 * Every network that some partner's list for the door names: from there a bank connects, not a stranger. One so wide that
 * half the world is in it names nobody.
 */
export async function listAllowedNetworks(database: Queryable, door: "https" | "sftp"): Promise<string[]> {
  const { rows } = await database.query<{ network: string }>(
    `select distinct network::text as network
       from allowed_networks
      where door = $1
        and masklen(network) >= case family(network) when 4 then 8 else 16 end`,
    [door],
  );
  return rows.map((row) => row.network);
}

/**
 * The networks of partners whose clients know no encrypt-then-MAC (`sftp.legacyMacs`). Who connects is not known when
 * ciphers and MACs are agreed on, but where from is: so the setting has an effect only for a partner with a list of
 * networks.
 */
export async function listLegacyNetworks(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ network: string }>(
    `select distinct network::text as network
       from allowed_networks
       join partners on partners.id = allowed_networks.partner_id
      where allowed_networks.door = 'sftp'
        and partners.settings #>> '{sftp,legacyMacs}' = 'true'`,
  );
  return rows.map((row) => row.network);
}

export type NewSftpKey = {
  partnerId: string;
  /** A line of authorized_keys, or the text of a `.pub` file. */
  publicKey: string;
  /** Replaces the one that the line ends with. */
  comment?: string | undefined;
  /** Null for a key that does not expire. */
  expiresAt: Date | null;
};

/**
 * Adds a key. The same key again changes its comment and expiry.
 * @throws Fault COMMAND_USAGE when it is not one public key of a type that the door takes
 */
export async function addSftpKey(database: Queryable, key: NewSftpKey): Promise<SftpKey> {
  // Whoever only lists keys reads no SSH library for it.
  const { readPublicKey } = await import("./ssh-public-key.ts");
  const { fingerprint, publicKey, comment } = readPublicKey(key.publicKey);
  const { rows } = await database.query<SftpKey>(
    `insert into sftp_keys (partner_id, fingerprint, public_key, comment, expires_at)
     values ($1, $2, $3, $4, $5)
     on conflict (partner_id, fingerprint) do update
        set comment = excluded.comment, expires_at = excluded.expires_at
     returning fingerprint, public_key as "publicKey", comment, created_at as "createdAt", expires_at as "expiresAt"`,
    [key.partnerId, fingerprint, publicKey, key.comment ?? comment, key.expiresAt],
  );
  const [added] = rows;
  if (!added) throw new Fault("INTERNAL", "An added key was not returned.");
  return added;
}

/** All of a partner's keys, expired ones too, oldest first. */
export async function listSftpKeys(database: Queryable, partnerId: string): Promise<SftpKey[]> {
  const { rows } = await database.query<SftpKey>(
    `select fingerprint, public_key as "publicKey", comment, created_at as "createdAt", expires_at as "expiresAt"
       from sftp_keys
      where partner_id = $1
      order by created_at, fingerprint`,
    [partnerId],
  );
  return rows;
}

/** Whether there was such a key. Connections that logged in with it live on until they end. */
export async function removeSftpKey(database: Queryable, partnerId: string, fingerprint: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `delete from sftp_keys
      where partner_id = $1
        and fingerprint = $2`,
    [partnerId, fingerprint],
  );
  return rowCount === 1;
}

/**
 * Partners in service with an SFTP key in force who have not logged in since an event last happened; all of them where the
 * trail has none.
 * @param event its name in the audit trail
 */
export async function listPartnersNotSeenSince(database: Queryable, event: string): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `select id
       from partners
      where suspended_at is null
        and exists (select 1
                      from sftp_keys
                     where sftp_keys.partner_id = partners.id
                       and (expires_at is null or expires_at > now()))
        and not exists (select 1
                          from audit_events
                         where audit_events.partner_id = partners.id
                           and event = 'sftp.login-accepted'
                           and at > (select max(at) from audit_events where event = $1))
      order by id`,
    [event],
  );
  return rows.map(({ id }) => id);
}
