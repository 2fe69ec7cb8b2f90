/** Where a vault in a store that speaks S3 is, and how it is spoken to: plain data, so that threads can be told. */
import type { Config } from "../config.ts";

export type S3Settings = {
  bucket: string;
  /** Before every key; empty or ending in a slash. */
  prefix: string;
  /** Absent: Amazon's, by the region. */
  endpoint?: string;
  region: string;
  /** Absent: what the machine is allowed by its role or its environment, as Amazon's clients find it. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** "none": what the bucket does by itself. */
  encryption: "none" | "AES256" | "aws:kms";
  kmsKeyId?: string;
  partBytes: number;
  answersWithinMs: number;
};

type VaultKnobs = Pick<
  Config,
  | "vaultS3Url"
  | "vaultS3Endpoint"
  | "vaultS3Region"
  | "vaultS3AccessKeyId"
  | "vaultS3SecretAccessKey"
  | "vaultS3Encryption"
  | "vaultS3KmsKeyId"
  | "vaultS3PartBytes"
  | "vaultS3AnswersSeconds"
>;

/** Undefined: the vault is a folder. */
export function s3SettingsOf(config: VaultKnobs): S3Settings | undefined {
  if (config.vaultS3Url === undefined) return undefined;
  const { hostname, pathname } = new URL(config.vaultS3Url);
  const prefix = pathname.replaceAll(/^\/+|\/+$/g, "");
  const { vaultS3AccessKeyId: accessKeyId, vaultS3SecretAccessKey: secretAccessKey } = config;
  return {
    bucket: hostname,
    prefix: prefix === "" ? "" : `${prefix}/`,
    ...(config.vaultS3Endpoint === undefined ? {} : { endpoint: config.vaultS3Endpoint }),
    region: config.vaultS3Region,
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }),
    encryption: config.vaultS3Encryption,
    ...(config.vaultS3KmsKeyId === undefined ? {} : { kmsKeyId: config.vaultS3KmsKeyId }),
    partBytes: config.vaultS3PartBytes,
    answersWithinMs: config.vaultS3AnswersSeconds * 1000,
  };
}
