/** Opens the vault of the configuration, whichever it is. Nothing is asked of a bucket before something is wanted of it. */
import { fileVault } from "./file-vault.ts";
import { s3Vault } from "./s3-vault.ts";
import type { S3Settings } from "./settings.ts";
import type { Vault } from "./vault.ts";

/**
 * @param s3 undefined: the vault is the directory
 * @param isThere asked before a day's folder is made: in a mount's empty place it would hide what lies in the vault
 */
export function openVault(directory: string, s3: S3Settings | undefined, isThere?: () => Promise<boolean>): Vault {
  return s3 === undefined ? fileVault(directory, isThere) : s3Vault(directory, s3);
}
