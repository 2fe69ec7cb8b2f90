/**
 * Client certificates of a partner: single ones by fingerprint, or an issuer's, which vouches for all that it signs.
 * That the caller holds the private key is proven by the TLS handshake; here it is judged whose certificate it is.
 */
import { X509Certificate } from "node:crypto";
import type { Queryable } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { firstOf } from "../../present.ts";

export type CertificateKind = "certificate" | "issuer";
export type KnownCertificate = {
  fingerprint: string;
  kind: CertificateKind;
  subject: string;
  expiresAt: Date;
  createdAt: Date;
};

/** What the partner's setting `https.clientCertificate` says. */
export const certificateDemands = ["off", "optional", "required"] as const;
export type CertificateDemand = (typeof certificateDemands)[number];

/** What a caller showed: the certificate itself first, then what leads to its issuer. Empty: none. */
export type ShownCertificates = readonly X509Certificate[];
export type CertificateRule = (shown: ShownCertificates, now: Date) => boolean;

/** RFC 5280, 4.2.1.12: a certificate with extended key usages must name this one. */
const clientAuthentication = "1.3.6.1.5.5.7.3.2";
/** A leaf, two intermediates and a spare one. */
export const chainLengthMax = 4;

/**
 * @param revokedSerials of certificates that vouch for nobody any more: callers' own, and authorities' between them and
 * an issuer. @throws Fault CONFIG_INVALID when a stored certificate cannot be read: nobody is let in on a guess
 */
export function certificateRule(
  demand: CertificateDemand,
  known: readonly { kind: CertificateKind; fingerprint: string; pem: string }[],
  revokedSerials: readonly string[] = [],
): CertificateRule {
  if (demand === "off") return () => true;
  const fingerprints = new Set(
    known.filter(({ kind }) => kind === "certificate").map(({ fingerprint }) => fingerprint),
  );
  const issuers = known.filter(({ kind }) => kind === "issuer").map(({ pem }) => readCertificate(pem));
  const revoked = new Set(revokedSerials);
  return (shown, now) => {
    const [leaf, ...others] = shown.filter(({ serialNumber }) => !revoked.has(serialOf(serialNumber)));
    if (shown[0] === undefined) return demand === "optional";
    if (leaf !== shown[0] || !isUsable(leaf, now)) return false;
    return fingerprints.has(fingerprintOf(leaf)) || leadsTo(leaf, others, issuers, now, chainLengthMax);
  };
}

/** SHA-256 over DER, lower-case hexadecimal without colons. */
export function fingerprintOf(certificate: X509Certificate): string {
  return certificate.fingerprint256.replaceAll(":", "").toLowerCase();
}

/** Lower-case hexadecimal without leading zeros. */
export function serialOf(serialNumber: string): string {
  return serialNumber.toLowerCase().replace(/^0+(?=.)/, "");
}

/** @throws Fault CONFIG_INVALID */
export function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new Fault("CONFIG_INVALID", "The certificate is not a PEM text of one X.509 certificate.", { cause });
  }
}

function isUsable(leaf: X509Certificate, now: Date): boolean {
  const usages = leaf.keyUsage as readonly string[] | undefined;
  return isCurrent(leaf, now) && (usages === undefined || usages.includes(clientAuthentication));
}

function isCurrent(certificate: X509Certificate, now: Date): boolean {
  return certificate.validFromDate <= now && now <= certificate.validToDate;
}

/** Follows signatures from a certificate to one of the issuers, through authorities that the caller sent along. */
function leadsTo(
  certificate: X509Certificate,
  sent: ShownCertificates,
  issuers: readonly X509Certificate[],
  now: Date,
  links: number,
): boolean {
  if (links === 0) return false;
  if (issuers.some((issuer) => isCurrent(issuer, now) && isSignedBy(certificate, issuer))) return true;
  return sent.some((authority) => {
    if (!authority.ca || !isCurrent(authority, now) || !isSignedBy(certificate, authority)) return false;
    return leadsTo(
      authority,
      sent.filter((one) => one !== authority),
      issuers,
      now,
      links - 1,
    );
  });
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** @throws Fault CONFIG_INVALID for what is no certificate, has expired, or could vouch for nobody */
export async function addClientCertificate(
  database: Queryable,
  partnerId: string,
  kind: CertificateKind,
  pem: string,
): Promise<KnownCertificate> {
  const certificate = readCertificate(pem);
  if (certificate.validToDate < new Date())
    throw new Fault(
      "CONFIG_INVALID",
      `The certificate ended on ${certificate.validToDate.toISOString().slice(0, 10)}.`,
    );
  if (kind === "issuer" && !certificate.ca)
    throw new Fault(
      "CONFIG_INVALID",
      "The certificate is none of an authority: it can vouch for no other. Leave out --issuer.",
    );
  const { rows } = await database.query<KnownCertificate>(
    `insert into client_certificates (partner_id, fingerprint, kind, pem, subject, expires_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (partner_id, fingerprint) do update set kind = excluded.kind
     returning fingerprint, kind, subject, expires_at as "expiresAt", created_at as "createdAt"`,
    [
      partnerId,
      fingerprintOf(certificate),
      kind,
      certificate.toString(),
      certificate.subject.replaceAll("\n", ", "),
      certificate.validToDate,
    ],
  );
  return firstOf(rows);
}

/** @param fingerprint with or without colons, in either case. @returns false when the partner has none such */
export async function removeClientCertificate(
  database: Queryable,
  partnerId: string,
  fingerprint: string,
): Promise<boolean> {
  const { rowCount } = await database.query(
    "delete from client_certificates where partner_id = $1 and fingerprint = $2",
    [partnerId, fingerprint.replaceAll(":", "").toLowerCase()],
  );
  return rowCount === 1;
}

export async function listClientCertificates(database: Queryable, partnerId: string): Promise<KnownCertificate[]> {
  const { rows } = await database.query<KnownCertificate>(
    `select fingerprint, kind, subject, expires_at as "expiresAt", created_at as "createdAt"
       from client_certificates
      where partner_id = $1
      order by created_at, fingerprint`,
    [partnerId],
  );
  return rows;
}
