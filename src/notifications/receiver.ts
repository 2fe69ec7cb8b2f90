/** Where and how a partner receives notifications, its secrets encrypted at rest. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import type { Queryable } from "../database/database.ts";
import { encryptSecret, decryptSecret } from "../partners/keys/secrets-at-rest.ts";
import type { TextsShape } from "./body.ts";
import type { Guard } from "../machine/guarded-request.ts";

export const signings = ["hmac", "ed25519"] as const;
export type Signing = (typeof signings)[number];

export type Authentication =
  | { kind: "static"; token: string }
  | {
      kind: "client_secret_basic" | "private_key_jwt";
      tokenUrl: string;
      clientId: string;
      scope: string | null;
      /** The secret, or a PKCS#8 PEM. */ secret: string;
    };

/** `signingKey`: `whsec_` and base64, or a PKCS#8 PEM of an Ed25519 key. */
export type Signer = { signing: Signing; signingKey: string };

export type Receiver = Signer & {
  partnerId: string;
  /** Without the trailing /notifications. */
  url: string;
  shape: TextsShape;
  authentication: Authentication;
  /** The key before, while messages are signed by both. */
  previous: (Signer & { signsUntil: Date }) | null;
  guard: Guard;
};

export type ReceiverSettings = Omit<Receiver, "signingKey" | "previous">;

type Row = {
  url: string;
  shape: TextsShape;
  authentication: Authentication["kind"];
  tokenUrl: string | null;
  clientId: string | null;
  scope: string | null;
  secretSealed: Buffer;
  signing: Signing;
  signingKeySealed: Buffer;
  previousSigning: Signing | null;
  previousKeySealed: Buffer | null;
  previousSignsUntil: Date | null;
  allowsPrivateAddresses: boolean;
  authorityPem: string | null;
  clientCertificatePem: string | null;
  clientKeySealed: Buffer | null;
};

const contexts = {
  secret: "notification-secret",
  signing: "notification-signing",
  previous: "notification-previous",
  clientKey: "notification-client-key",
} as const;
const contextOf = (partnerId: string, what: keyof typeof contexts) => `${contexts[what]}:${partnerId}`;
/** Standard Webhooks: 24 to 64 bytes. */
const signingSecretBytes = 32;

/**
 * Replaces what the partner had. The signing key stays as long as its kind does. The caller owns the transaction.
 * @returns what the partner checks signatures with: the shared secret, or the public key as Standard Webhooks writes
 * it.
 */
export async function putReceiver(
  transaction: Queryable,
  keyEncryptionKey: Buffer,
  settings: ReceiverSettings,
): Promise<string> {
  const { partnerId, authentication, guard } = settings;
  const before = await readReceiver(transaction, keyEncryptionKey, partnerId);
  const signingKey = before?.signing === settings.signing ? before.signingKey : makeSigningKey(settings.signing);
  const grant = authentication.kind === "static" ? null : authentication;
  await transaction.query(
    `insert into notification_receivers
       (partner_id, url, shape, authentication, token_url, client_id, scope, secret_sealed, signing, signing_key_sealed, allows_private_addresses, authority_pem,
        client_certificate_pem, client_key_sealed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict (partner_id) do update
        set url = excluded.url, shape = excluded.shape, authentication = excluded.authentication, token_url = excluded.token_url, client_id = excluded.client_id,
            scope = excluded.scope, secret_sealed = excluded.secret_sealed, signing = excluded.signing, signing_key_sealed = excluded.signing_key_sealed,
            allows_private_addresses = excluded.allows_private_addresses, authority_pem = excluded.authority_pem,
            client_certificate_pem = excluded.client_certificate_pem, client_key_sealed = excluded.client_key_sealed`,
    [
      partnerId,
      settings.url,
      settings.shape,
      authentication.kind,
      grant?.tokenUrl ?? null,
      grant?.clientId ?? null,
      grant?.scope ?? null,
      encryptSecret(
        keyEncryptionKey,
        contextOf(partnerId, "secret"),
        authentication.kind === "static" ? authentication.token : authentication.secret,
      ),
      settings.signing,
      encryptSecret(keyEncryptionKey, contextOf(partnerId, "signing"), signingKey),
      guard.allowsPrivateAddresses,
      guard.authority ?? null,
      guard.clientCertificate?.cert ?? null,
      guard.clientCertificate === undefined
        ? null
        : encryptSecret(keyEncryptionKey, contextOf(partnerId, "clientKey"), guard.clientCertificate.key),
    ],
  );
  return verificationKeyOf(settings.signing, signingKey);
}

/** @returns false when there was none. Messages that wait stay, and go on when a receiver is set again. */
export async function removeReceiver(transaction: Queryable, partnerId: string): Promise<boolean> {
  const { rowCount } = await transaction.query("delete from notification_receivers where partner_id = $1", [partnerId]);
  return rowCount === 1;
}

/** Null when the partner receives none. @throws Fault KEY_ENCRYPTION_KEY */
export async function readReceiver(
  database: Queryable,
  keyEncryptionKey: Buffer,
  partnerId: string,
): Promise<Receiver | null> {
  const { rows } = await database.query<Row>(
    `select url, shape, authentication, token_url as "tokenUrl", client_id as "clientId", scope,
            secret_sealed as "secretSealed", signing, signing_key_sealed as "signingKeySealed",
            case when previous_signs_until > now() then previous_signing end as "previousSigning",
            previous_key_sealed as "previousKeySealed", previous_signs_until as "previousSignsUntil",
            allows_private_addresses as "allowsPrivateAddresses", authority_pem as "authorityPem",
            client_certificate_pem as "clientCertificatePem", client_key_sealed as "clientKeySealed"
       from notification_receivers
      where partner_id = $1`,
    [partnerId],
  );
  const row = rows[0];
  if (!row) return null;
  const open: Open = (what, sealed) => decryptSecret(keyEncryptionKey, contextOf(partnerId, what), sealed);
  const secret = open("secret", row.secretSealed);
  return {
    partnerId,
    url: row.url,
    shape: row.shape,
    signing: row.signing,
    signingKey: open("signing", row.signingKeySealed),
    previous: previousOf(row, open),
    authentication:
      row.authentication === "static"
        ? { kind: "static", token: secret }
        : {
            kind: row.authentication,
            tokenUrl: row.tokenUrl ?? "",
            clientId: row.clientId ?? "",
            scope: row.scope,
            secret,
          },
    guard: {
      allowsPrivateAddresses: row.allowsPrivateAddresses,
      authority: row.authorityPem ?? undefined,
      clientCertificate:
        row.clientCertificatePem === null || row.clientKeySealed === null
          ? undefined
          : { cert: row.clientCertificatePem, key: open("clientKey", row.clientKeySealed) },
    },
  };
}

type Open = (what: keyof typeof contexts, sealed: Buffer) => string;

function previousOf(row: Row, open: Open): Receiver["previous"] {
  const { previousSigning: signing, previousKeySealed: sealed, previousSignsUntil: signsUntil } = row;
  if (signing === null || sealed === null || signsUntil === null) return null;
  return { signing, signingKey: open("previous", sealed), signsUntil };
}

export type Rotated =
  | { outcome: "rotated"; verificationKey: string; previousVerificationKey: string | null; previousSignsUntil: Date }
  | { outcome: "no receiver" }
  /** The key before the present one still signs: a third would end it while the partner may still check by it. */
  | { outcome: "overlapping"; previousSignsUntil: Date };

/**
 * Makes the next signing key, which signs from now on. The present one signs beside it for `overlapMs`, so that the
 * partner changes what it checks with at any moment between; 0 ends it, and one before it, at once. What is being sent
 * goes on with the keys that it read. The caller owns the transaction.
 */
export async function rotateSigningKey(
  transaction: Queryable,
  keyEncryptionKey: Buffer,
  partnerId: string,
  { signing, overlapMs, now }: { signing: Signing | null; overlapMs: number; now: Date },
): Promise<Rotated> {
  await transaction.query("select 1 from notification_receivers where partner_id = $1 for update", [partnerId]);
  const before = await readReceiver(transaction, keyEncryptionKey, partnerId);
  if (before === null) return { outcome: "no receiver" };
  if (before.previous !== null && overlapMs > 0)
    return { outcome: "overlapping", previousSignsUntil: before.previous.signsUntil };
  const next = { signing: signing ?? before.signing, signingKey: makeSigningKey(signing ?? before.signing) };
  const signsUntil = new Date(now.getTime() + overlapMs);
  const previous =
    overlapMs === 0
      ? [null, null, null]
      : [
          before.signing,
          encryptSecret(keyEncryptionKey, contextOf(partnerId, "previous"), before.signingKey),
          signsUntil,
        ];
  await transaction.query(
    `update notification_receivers
        set signing = $2, signing_key_sealed = $3,
            previous_signing = $4, previous_key_sealed = $5, previous_signs_until = $6
      where partner_id = $1`,
    [
      partnerId,
      next.signing,
      encryptSecret(keyEncryptionKey, contextOf(partnerId, "signing"), next.signingKey),
      ...previous,
    ],
  );
  return {
    outcome: "rotated",
    verificationKey: verificationKeyOf(next.signing, next.signingKey),
    previousVerificationKey: overlapMs === 0 ? null : verificationKeyOf(before.signing, before.signingKey),
    previousSignsUntil: signsUntil,
  };
}

export type ReceiverAddress = Pick<Receiver, "url" | "shape" | "signing"> & {
  authentication: Authentication["kind"];
  allowsPrivateAddresses: boolean;
};

/** Where and how, without any secret; null when the partner receives none. */
export async function readReceiverAddress(database: Queryable, partnerId: string): Promise<ReceiverAddress | null> {
  const { rows } = await database.query<ReceiverAddress>(
    `select url, shape, authentication, signing, allows_private_addresses as "allowsPrivateAddresses"
       from notification_receivers
      where partner_id = $1`,
    [partnerId],
  );
  return rows[0] ?? null;
}

export function makeSigningKey(signing: Signing): string {
  if (signing === "hmac") return `whsec_${randomBytes(signingSecretBytes).toString("base64")}`;
  return generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();
}

/** As the receiver's library takes it: `whsec_…`, or `whpk_…` over the 32 raw bytes of the public key. */
export function verificationKeyOf(signing: Signing, signingKey: string): string {
  if (signing === "hmac") return signingKey;
  const { x = "" } = createPublicKey(createPrivateKey(signingKey)).export({ format: "jwk" });
  return `whpk_${Buffer.from(x, "base64url").toString("base64")}`;
}
