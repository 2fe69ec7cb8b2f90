/** The folder that an operator hands over (`tideline partner credentials`): where the service is, and who the partner is. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { AccessInvalid } from "./failures.ts";
import type { SftpAccess } from "./sftp.ts";

export type PartnerAccess = {
  partnerId: string;
  /** Of users whose brand nobody names. */
  brand: string;
  /** https://host:port, without a path. */
  baseUrl: string;
  /** PEM of the authority of the service's certificate; absent: those that the system trusts. */
  authority?: string | undefined;
  /** PEM (PKCS #8) of the key that signs logins, and batches where the operator asks for it. */
  loginKey?: string | undefined;
  /** Its algorithm; default RS256. */
  loginAlgorithm?: string | undefined;
  /** Its name, where several keys hold. */
  loginKeyId?: string | undefined;
  /** For files and receipts. */
  sftp?: SftpAccess | undefined;
};

/** Port of the SFTP door when partner.json names none. */
const sftpPortDefault = 2222;

/** @throws AccessInvalid naming what is missing */
export async function readAccess(folder: string): Promise<PartnerAccess> {
  const [text, authority, loginKey, privateKey, knownHosts] = await Promise.all(
    ["partner.json", "ca.pem", "login-private.pem", "sftp_key", "known_hosts"].map((name) => readPart(folder, name)),
  );
  if (text === undefined) throw new AccessInvalid(`There is no partner.json in ${folder}.`);
  const { partnerId, brand, baseUrl, sftpHost, sftpPort, sftpUser } = parse(text, folder);
  if (!isText(partnerId) || !isText(brand) || !isText(baseUrl) || !baseUrl.startsWith("https://"))
    throw new AccessInvalid(`partner.json in ${folder} must hold partnerId, brand and baseUrl (https://…).`);
  const hasSftp = privateKey !== undefined && knownHosts !== undefined;
  return {
    partnerId,
    brand,
    baseUrl,
    authority,
    loginKey,
    sftp: hasSftp
      ? {
          host: isText(sftpHost) ? sftpHost : new URL(baseUrl).hostname,
          port: typeof sftpPort === "number" ? sftpPort : sftpPortDefault,
          user: isText(sftpUser) ? sftpUser : partnerId,
          privateKey,
          knownHosts,
        }
      : undefined,
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

async function readPart(folder: string, name: string): Promise<string | undefined> {
  try {
    return await readFile(path.join(folder, name), "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new AccessInvalid(`${path.join(folder, name)} cannot be read.`, { cause });
  }
}

function parse(text: string, folder: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (cause) {
    throw new AccessInvalid(`partner.json in ${folder} is not JSON.`, { cause });
  }
}
