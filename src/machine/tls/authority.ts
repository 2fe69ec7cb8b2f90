/**
 * The service's own certificate authority, for machines without a certificate of their own: made once, kept in the data
 * folder, with a server certificate for localhost and the host that is listened on, renewed before it ends.
 */
import "reflect-metadata";
import { createPrivateKey, randomBytes, webcrypto, X509Certificate as HeldCertificate } from "node:crypto";
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
import { Fault } from "../../errors.ts";
import { brokenFile, readSmallFile, writeSmallFile } from "../small-file.ts";
import { makeFolder } from "../sync-folder.ts";

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
 * localhost. @param tell hears why a server certificate that was there is made anew although it was not due: its files
 * are broken. @throws Fault FILE_BROKEN when the authority's are: every partner's ca.pem names it, so it is never made
 * anew unless nothing of it is there
 */
export async function openAuthority(
  folder: string,
  hosts: readonly string[],
  now: Date,
  tell: (broken: Fault) => void = () => undefined,
): Promise<ServerCertificate> {
  cryptoProvider.set(webcrypto as Crypto);
  await makeFolder(folder);
  const authority = (await openOwnPair(folder, now)) ?? (await makeAuthority(folder, now));
  const names = [...new Set(["localhost", "127.0.0.1", "::1", ...hosts])];
  const server =
    (await openServerPair(folder, authority, names, now).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error;
      tell(error);
      return null;
    })) ?? (await makeServer(folder, authority, names, now));
  return { cert: `${server.cert}\n${authority.cert}`, key: server.key, authority: authority.cert };
}

type Pair = { cert: string; key: string };

/** The authority, unless it is not there or about to end. A key alone is one whose certificate was never made. */
async function openOwnPair(folder: string, now: Date): Promise<Pair | null> {
  const remedy = "Remove ca.pem and ca.key only to have a new authority made, whose ca.pem every partner then needs.";
  const pair = await readPair(folder, "ca", now, remedy);
  return pair?.lasts ? pair : null;
}

/** The server's pair, unless it is missing, about to end, of another authority, or lacks one of the names. */
async function openServerPair(
  folder: string,
  authority: Pair,
  names: readonly string[],
  now: Date,
): Promise<Pair | null> {
  const pair = await readPair(folder, "server", now, "It is made anew, by the same authority.");
  if (!pair?.lasts) return null;
  const known =
    new X509Certificate(pair.cert)
      .getExtension(SubjectAlternativeNameExtension)
      ?.names.items.map((item) => item.value) ?? [];
  const isOfAuthority = new HeldCertificate(pair.cert).verify(new HeldCertificate(authority.cert).publicKey);
  return isOfAuthority && names.every((wanted) => known.some((given) => sameName(given, wanted))) ? pair : null;
}

/**
 * @returns the kept pair and whether it lasts for a while; null where there is no certificate. One that is about to end
 * need not fit its key: a crash may have come between the two of its successor. @throws Fault FILE_BROKEN
 */
async function readPair(
  folder: string,
  name: string,
  now: Date,
  remedy: string,
): Promise<(Pair & { lasts: boolean }) | null> {
  const [certFile, keyFile] = [path.join(folder, `${name}.pem`), path.join(folder, `${name}.key`)];
  const cert = await readSmallFile(certFile, remedy);
  if (cert === null) return null;
  const certificate = parsed(certFile, "is broken: it is no certificate", remedy, () => new HeldCertificate(cert));
  const lasts = certificate.validToDate.getTime() - now.getTime() > renewBeforeDays * dayMs;
  const key = await readSmallFile(keyFile, remedy);
  if (key === null) {
    if (lasts) throw brokenFile(keyFile, "is missing", remedy);
    return null;
  }
  const privateKey = parsed(keyFile, "is broken: it is no private key", remedy, () => createPrivateKey(key));
  if (lasts && !certificate.checkPrivateKey(privateKey))
    throw brokenFile(keyFile, `is broken: it is not the key of ${name}.pem`, remedy);
  return { cert, key, lasts };
}

function parsed<Result>(file: string, what: string, remedy: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw brokenFile(file, what, remedy, error);
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
  // In this order: a key without its certificate is one that nobody was ever shown.
  await writeSmallFile(path.join(folder, `${name}.key`), pair.key);
  await writeSmallFile(path.join(folder, `${name}.pem`), pair.cert);
  return pair;
}
