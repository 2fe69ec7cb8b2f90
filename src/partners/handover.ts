/**
 * What a partner is handed to reach the service: addresses, the authority of its certificate, the key to encrypt to and
 * the host keys. Public parts only; the partner's own private keys are the partner's to make and to put beside them.
 */
import path from "node:path";
import { writeSmallFile } from "../machine/small-file.ts";
import { makeFolder } from "../machine/sync-folder.ts";
import type { PublicBatchKey } from "./keys/batch-keys.ts";

export type Handover = {
  partnerId: string;
  /** The first is the one for users whose brand nobody names. */
  brands: readonly string[];
  baseUrl: string;
  httpsPort: number | null;
  /** Null where no SFTP door runs. */
  sftp: { host: string; port: number; knownHosts: string } | null;
  /** PEM; null where clients trust the certificate without it. */
  authority: string | null;
  /** Undefined before the partner has one. */
  batchKey: PublicBatchKey | undefined;
  /** Armoured; undefined for a partner that sends no OpenPGP files. */
  pgpKey: string | undefined;
};

/**
 * Writes partner.json, ca.pem, jwe-public.jwk.json, openpgp-public.asc and known_hosts. Idempotent; files are replaced.
 * @returns their names.
 */
export async function writeHandover(folder: string, handover: Handover): Promise<string[]> {
  await makeFolder(folder);
  const files = handoverFiles(handover);
  // Readable by their owner only: OpenSSH insists on it for keys, and the rest is nobody else's business.
  for (const [name, text] of files) await writeSmallFile(path.join(folder, name), text);
  return files.map(([name]) => name);
}

export function handoverFiles(handover: Handover): [name: string, text: string][] {
  const { partnerId, brands, baseUrl, httpsPort, sftp, authority, batchKey, pgpKey } = handover;
  const addresses = {
    partnerId,
    brand: brands[0],
    brands,
    baseUrl,
    httpsPort,
    sftpHost: sftp?.host,
    sftpPort: sftp?.port,
    sftpUser: partnerId,
  };
  const files: [name: string, text: string][] = [["partner.json", `${JSON.stringify(addresses, null, 2)}\n`]];
  if (authority !== null) files.push(["ca.pem", authority]);
  if (batchKey) files.push(["jwe-public.jwk.json", `${JSON.stringify(batchKey, null, 2)}\n`]);
  if (pgpKey !== undefined) files.push(["openpgp-public.asc", pgpKey]);
  if (sftp) files.push(["known_hosts", sftp.knownHosts]);
  return files;
}
