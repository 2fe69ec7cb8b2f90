/** The settings of a vault in a store that speaks S3. */
import { knob } from "./knob.ts";
import { anyText, bucketAddress, integer, oneOf, url } from "./knob-values.ts";

const mebibyte = 1024 * 1024;

export const vaultKnobs = {
  vaultS3Url: knob<string | undefined>({
    environment: "TIDELINE_VAULT_S3_URL",
    unit: "address",
    byDefault: undefined,
    parse: bucketAddress,
    reason:
      "s3://bucket/prefix: delivered bytes are kept in a store that speaks S3, and TIDELINE_VAULT_DIR only holds what is being read. Default: they are kept in that folder.",
  }),
  vaultS3Endpoint: knob<string | undefined>({
    environment: "TIDELINE_VAULT_S3_ENDPOINT",
    unit: "address",
    byDefault: undefined,
    parse: url("https", "http"),
    reason: "The store's address, where it is not Amazon's; buckets are then named in the path.",
  }),
  vaultS3Region: knob({
    environment: "TIDELINE_VAULT_S3_REGION",
    unit: "region",
    byDefault: "us-east-1",
    parse: anyText,
    reason: "Part of every signature; stores other than Amazon's mostly take us-east-1.",
  }),
  vaultS3AccessKeyId: knob<string | undefined>({
    environment: "TIDELINE_VAULT_S3_ACCESS_KEY_ID",
    unit: "text",
    byDefault: undefined,
    parse: anyText,
    reason: "Default: the machine's role or environment, as Amazon's own clients find it.",
  }),
  vaultS3SecretAccessKey: knob<string | undefined>({
    environment: "TIDELINE_VAULT_S3_SECRET_ACCESS_KEY",
    unit: "text",
    secret: true,
    byDefault: undefined,
    parse: anyText,
    reason: "Belongs to the access key's id.",
  }),
  vaultS3Encryption: knob<"none" | "AES256" | "aws:kms">({
    environment: "TIDELINE_VAULT_S3_ENCRYPTION",
    unit: "none, AES256 or aws:kms",
    byDefault: "none",
    parse: oneOf(["none", "AES256", "aws:kms"]),
    reason:
      "What the store is asked to encrypt each object with, beside what its sender or the service has done; none leaves it to the bucket's own rule.",
  }),
  vaultS3KmsKeyId: knob<string | undefined>({
    environment: "TIDELINE_VAULT_S3_KMS_KEY_ID",
    unit: "text",
    byDefault: undefined,
    parse: anyText,
    reason: "The key for aws:kms; default: the account's own for S3.",
  }),
  vaultS3PartBytes: knob({
    environment: "TIDELINE_VAULT_S3_PART_BYTES",
    unit: "bytes",
    byDefault: 8 * mebibyte,
    parse: integer(5 * mebibyte, 1024 * mebibyte),
    reason:
      "A file beyond this size is sent in parts of it, four at once, each held in memory; S3 takes no smaller ones. A file of more than 9,000 parts has larger ones.",
  }),
  vaultS3AnswersSeconds: knob({
    environment: "TIDELINE_VAULT_S3_ANSWERS_SECONDS",
    unit: "seconds",
    byDefault: 20,
    parse: integer(1, 600),
    reason: "How long the store may say nothing before a call to it counts as failed; it is tried three times.",
  }),
} as const;
