/** Certificates for tests: an authority, intermediates, and what they sign. */
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import {
  BasicConstraintsExtension,
  cryptoProvider,
  type Extension,
  ExtendedKeyUsageExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

export type Issued = { cert: string; key: string; keys: webcrypto.CryptoKeyPair; subject: string };

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const dayMs = 86_400_000;
export const clientUsage = "1.3.6.1.5.5.7.3.2";
export const serverUsage = "1.3.6.1.5.5.7.3.1";

export type Wish = { issuer?: Issued; authority?: boolean; usages?: string[]; fromDays?: number; toDays?: number };

/** Self-signed without an issuer. Days count from now. */
export async function issue(
  name: string,
  { issuer, authority = false, usages = [], fromDays = -1, toDays = 30 }: Wish = {},
): Promise<Issued> {
  cryptoProvider.set(webcrypto as Crypto);
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as webcrypto.CryptoKeyPair;
  const subject = `CN=${name}`;
  const extensions: Extension[] = [
    new BasicConstraintsExtension(authority, undefined, true),
    new SubjectAlternativeNameExtension([{ type: "dns", value: "localhost" }]),
  ];
  if (usages.length > 0) extensions.push(new ExtendedKeyUsageExtension(usages));
  const certificate = await X509CertificateGenerator.create({
    serialNumber: Buffer.from(webcrypto.getRandomValues(new Uint8Array(8)).with(0, 1)).toString("hex"),
    subject,
    issuer: issuer?.subject ?? subject,
    publicKey: keys.publicKey,
    signingKey: issuer?.keys.privateKey ?? keys.privateKey,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() + fromDays * dayMs),
    notAfter: new Date(Date.now() + toDays * dayMs),
    extensions,
  });
  const key = PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY");
  return { cert: certificate.toString("pem"), key, keys, subject };
}
