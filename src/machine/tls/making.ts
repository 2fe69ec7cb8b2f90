/** Makes keys and certificates: the authority's own, and a server's by it. */
import "reflect-metadata";
import { randomBytes, webcrypto } from "node:crypto";
import { isIP } from "node:net";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

/** A certificate and its private key, PEM. */
export type Pair = { cert: string; key: string };

cryptoProvider.set(webcrypto as Crypto);

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const dayMs = 86_400_000;
/** The authority outlives any sandbox; the server's certificate stays below the 398 days that clients accept. */
const authorityDays = 3650;
const serverDays = 365;

/** The authority's own. */
export async function makeAuthority(now: Date): Promise<Pair> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: "CN=Tideline local authority, O=Tideline",
    ...validity(now, authorityDays),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return await pairOf(certificate, keys.privateKey);
}

/** @param names by which clients call: hosts' names and addresses */
export async function makeServer(authority: Pair, names: readonly string[], now: Date): Promise<Pair> {
  const issuer = new X509Certificate(authority.cert);
  const signingKey = await webcrypto.subtle.importKey(
    "pkcs8",
    PemConverter.decodeFirst(authority.key),
    algorithm,
    false,
    ["sign"],
  );
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: "CN=localhost, O=Tideline",
    issuer: issuer.subject,
    ...validity(now, serverDays),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map((name) => ({ type: isIP(name) === 0 ? ("dns" as const) : ("ip" as const), value: name })),
      ),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return await pairOf(certificate, keys.privateKey);
}

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  // An hour back, for clients whose clock is a little behind.
  return { notBefore: new Date(now.getTime() - 3_600_000), notAfter: new Date(now.getTime() + days * dayMs) };
}

/** Positive, 16 random bytes (RFC 5280, 4.1.2.2). */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x01;
  return bytes.toString("hex");
}

async function pairOf(certificate: X509Certificate, privateKey: webcrypto.CryptoKey): Promise<Pair> {
  const exported = await webcrypto.subtle.exportKey("pkcs8", privateKey);
  return { cert: certificate.toString("pem"), key: PemConverter.encode(exported, "PRIVATE KEY") };
}
