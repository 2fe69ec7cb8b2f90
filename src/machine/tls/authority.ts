/**
 * The service's own certificate authority, for machines without a certificate of their own: made once, kept in the data
 * folder, with a server certificate for localhost and the host that is listened on, renewed before it ends.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import path from "node:path";
import { domainToASCII } from "node:url";
import { Fault } from "../../errors.ts";
import { brokenFile, readSmallFile, writeSmallFile } from "../small-file.ts";
import { makeFolder } from "../sync-folder.ts";
import type { Pair } from "./making.ts";

export type ServerCertificate = {
  /** Certificate chain and private key, PEM. */
  cert: string;
  key: string;
  /** The authority that clients trust, PEM. */
  authority: string;
};

const dayMs = 86_400_000;
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
  await makeFolder(folder);
  const authority =
    (await openOwnPair(folder, now)) ?? (await keep(folder, "ca", await (await making()).makeAuthority(now)));
  const names = [...new Set(["localhost", "127.0.0.1", "::1", ...hosts.map(asCalled)])];
  const server =
    (await openServerPair(folder, authority, names, now).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error;
      tell(error);
      return null;
    })) ?? (await keep(folder, "server", await (await making()).makeServer(authority, names, now)));
  return { cert: `${server.cert}\n${authority.cert}`, key: server.key, authority: authority.cert };
}

/** Read only where something is to be made: it is many modules, and of most starts none needs them. */
const making = (): Promise<typeof import("./making.ts")> => import("./making.ts");

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
  const certificate = new X509Certificate(pair.cert);
  const isOfAuthority = certificate.verify(new X509Certificate(authority.cert).publicKey);
  return isOfAuthority && names.every((name) => isFor(certificate, name)) ? pair : null;
}

/** As clients ask for it: letters beyond ASCII are none of a certificate's. */
function asCalled(host: string): string {
  return (isIP(host) === 0 && domainToASCII(host)) || host;
}

function isFor(certificate: X509Certificate, name: string): boolean {
  const found = isIP(name) === 0 ? certificate.checkHost(name, { subject: "never" }) : certificate.checkIP(name);
  return found !== undefined;
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
  const certificate = parsed(certFile, "is broken: it is no certificate", remedy, () => new X509Certificate(cert));
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

async function keep(folder: string, name: string, pair: Pair): Promise<Pair> {
  // In this order: a key without its certificate is one that nobody was ever shown.
  await writeSmallFile(path.join(folder, `${name}.key`), pair.key);
  await writeSmallFile(path.join(folder, `${name}.pem`), pair.cert);
  return pair;
}
