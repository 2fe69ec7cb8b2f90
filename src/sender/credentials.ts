/**
 * A partner's credentials folder: where the service is, who the partner is there, and the keys for both doors.
 * `up` writes one for the demo partner; a bank's integrator makes one by hand:
 *   partner.json         partnerId, brand, brands, baseUrl, httpsPort, sftpHost, sftpPort, sftpUser
 *   ca.pem               authority of the service's certificate; absent: those that the system trusts
 *   jwe-public.jwk.json  the public key to encrypt to, for when the JWKS cannot be reached
 *   sftp_key             private key in OpenSSH form (SFTP only)
 *   known_hosts          the service's host keys (SFTP only)
 *   login-private.pem    key of the partner's login JWTs (not needed for sending)
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../errors.ts";
import { holds, isText, isWholeNumber, listOf, matches, type Shape } from "./shapes.ts";

type PartnerFile = {
  partnerId: string;
  /** The brand for users whose brand nobody names. */
  brand?: string;
  brands?: string[];
  /** https://host:port, without a path. */
  baseUrl: string;
  sftpHost?: string;
  sftpPort?: number;
  sftpUser?: string;
};

const isPartnerFile: Shape<PartnerFile> = holds(
  { partnerId: matches(/./su), baseUrl: matches(/^https:\/\//u) },
  { brand: isText, brands: listOf(isText), sftpHost: isText, sftpPort: isWholeNumber, sftpUser: isText },
);

export type Credentials = PartnerFile & {
  directory: string;
  /** PEM; undefined: trust what the system trusts. */
  authority: string | undefined;
};

export type SftpCredentials = { host: string; port: number; user: string; privateKey: string; knownHosts: string };

/** Port of the SFTP door when partner.json names none. */
const sftpPortDefault = 2222;

/** @throws Fault CREDENTIALS_INVALID */
export async function readCredentials(directory: string): Promise<Credentials> {
  const text = await readPart(directory, "partner.json");
  if (text === null) throw new Fault("CREDENTIALS_INVALID", `There is no partner.json in ${directory}.`);
  const content = parse(text, directory, "partner.json");
  if (!isPartnerFile(content)) {
    throw new Fault(
      "CREDENTIALS_INVALID",
      `partner.json in ${directory} must hold partnerId and baseUrl (https://…), and for SFTP sftpHost, sftpPort and sftpUser.`,
    );
  }
  return { ...content, directory, authority: (await readPart(directory, "ca.pem")) ?? undefined };
}

/** @throws Fault CREDENTIALS_INVALID naming what is missing. */
export async function readSftpCredentials(credentials: Credentials): Promise<SftpCredentials> {
  const [privateKey, knownHosts] = await Promise.all([
    readPart(credentials.directory, "sftp_key"),
    readPart(credentials.directory, "known_hosts"),
  ]);
  if (privateKey === null || knownHosts === null) {
    throw new Fault("CREDENTIALS_INVALID", `SFTP needs sftp_key and known_hosts in ${credentials.directory}.`);
  }
  return {
    host: credentials.sftpHost ?? new URL(credentials.baseUrl).hostname,
    port: credentials.sftpPort ?? sftpPortDefault,
    user: credentials.sftpUser ?? credentials.partnerId,
    privateKey,
    knownHosts,
  };
}

/** The public encryption key kept in the folder, or null. */
export async function readKeptBatchKey(credentials: Credentials): Promise<object | null> {
  const text = await readPart(credentials.directory, "jwe-public.jwk.json");
  const key = text === null ? null : parse(text, credentials.directory, "jwe-public.jwk.json");
  return typeof key === "object" ? key : null;
}

async function readPart(directory: string, name: string): Promise<string | null> {
  try {
    return await readFile(path.join(directory, name), "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new Fault("CREDENTIALS_INVALID", `${path.join(directory, name)} cannot be read.`, { cause });
  }
}

function parse(text: string, directory: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault("CREDENTIALS_INVALID", `${path.join(directory, name)} is not JSON.`, { cause });
  }
}
