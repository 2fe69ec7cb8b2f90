/**
 * The service's own certificate authority, for machines without a certificate of their own: made once, kept in the data
 * folder, with a server certificate for localhost and the host that is listened on, renewed before it ends.
 */
import "reflect-metadata";
import { randomBytes, webcrypto } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";
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

export type ServerCertificate = {
  /** Certificate chain and private key, PEM. */
  cert: string;
  key: string;
  /** The authority that clients trust, PEM. */
  authority: string;
};

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const dayMs = 86_400_000;
/** The authority outlives any sandbox; the server's certificate stays below the 398 days that clients accept. */
const authorityDays = 3650;
const serverDays = 365;
/** Renewed at a start when less is left. */
const renewBeforeDays = 60;

/**
 * @param folder where keys and certificates are kept (files 0600). @param hosts by which clients call, besides
 * localhost.
 */
export async function openAuthority(folder: string, hosts: readonly string[], now: Date): Promise<ServerCertificate> {
  cryptoProvider.set(webcrypto as Crypto);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const authority = (await readPair(folder, "ca", now, [])) ?? (await makeAuthority(folder, now));
  const names = [...new Set(["localhost", "127.0.0.1", "::1", ...hosts])];
  const server = (await readPair(folder, "server", now, names)) ?? (await makeServer(folder, authority, names, now));
  return { cert: `${server.cert}\n${authority.cert}`, key: server.key, authority: authority.cert };
}

type Pair = { cert: string; key: string };

/** The kept pair, unless it is missing, unreadable, about to end, or lacks one of the names. */
async function readPair(folder: string, name: string, now: Date, names: readonly string[]): Promise<Pair | null> {
  try {
    const [cert, key] = await Promise.all(
      ["pem", "key"].map((ending) => readFile(path.join(folder, `${name}.${ending}`), "utf8")),
    );
    if (cert === undefined || key === undefined) return null;
    const certificate = new X509Certificate(cert);
    const known =
      certificate.getExtension(SubjectAlternativeNameExtension)?.names.items.map((item) => item.value) ?? [];
    const lasts = certificate.notAfter.getTime() - now.getTime() > renewBeforeDays * dayMs;
    return lasts && names.every((wanted) => known.some((given) => sameName(given, wanted))) ? { cert, key } : null;
  } catch {
    // Missing or damaged: made anew.
    return null;
  }
}

function sameName(given: string, wanted: string): boolean {
  return (
    given === wanted ||
    (isIP(wanted) === 6 &&
      isIP(given) === 6 &&
      new URL(`http://[${given}]`).hostname === new URL(`http://[${wanted}]`).hostname)
  );
}

async function makeAuthority(folder: string, now: Date): Promise<Pair> {
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
  return await keep(folder, "ca", certificate, keys.privateKey);
}

async function makeServer(folder: string, authority: Pair, names: readonly string[], now: Date): Promise<Pair> {
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
  return await keep(folder, "server", certificate, keys.privateKey);
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

async function keep(
  folder: string,
  name: string,
  certificate: X509Certificate,
  privateKey: webcrypto.CryptoKey,
): Promise<Pair> {
  const exported = await webcrypto.subtle.exportKey("pkcs8", privateKey);
  const pair = { cert: certificate.toString("pem"), key: PemConverter.encode(exported, "PRIVATE KEY") };
  await writeSecret(path.join(folder, `${name}.key`), pair.key);
  await writeSecret(path.join(folder, `${name}.pem`), pair.cert);
  return pair;
}

async function writeSecret(file: string, text: string): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await chmod(unfinished, 0o600);
  await rename(unfinished, file);
}
