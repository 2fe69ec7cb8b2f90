/** Keys of a partner: its login and SFTP keys, and the service's own to which it encrypts. */
import { readFile } from "node:fs/promises";
import { rotateBatchKey } from "../../partners/keys/batch-keys.ts";
import { addLoginKey, revokeLoginKey } from "../../partners/keys/login-keys.ts";
import { readPartnerOverview } from "../../partners/overview.ts";
import { publicPgpKeys, rotatePgpKey } from "../../partners/keys/pgp-keys.ts";
import { addSftpKey, removeSftpKey } from "../../partners/keys/sftp-keys.ts";
import { Fault } from "../../errors.ts";
import {
  commonOptions,
  configOf,
  oneOf,
  readArguments,
  readCount,
  required,
  usageError,
} from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { printResult } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";
import { assertPartner, changePartner, partnerOf, readExpiry } from "./change.ts";

const dayMs = 86_400_000;
/** Senders that fetch the JWKS weekly or daily have changed by then. */
const overlapDaysDefault = 30;
const overlapDaysMax = 365;

export async function addLoginKeyCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    algorithm: { type: "string", default: "RS256" },
    kid: { type: "string" },
    expires: { type: "string" },
  });
  const partnerId = partnerOf(positionals);
  const algorithm = oneOf(values.algorithm, ["RS256", "PS256", "ES256", "EdDSA"], "--algorithm");
  const publicKeyPem = await readKeyFile(positionals[1]);
  const expiresAt = readExpiry(values.expires);
  const kid = values.kid ?? null;
  return await changePartner({ values, partnerId }, async (transaction) => {
    await assertPartner(transaction, partnerId);
    await addLoginKey(transaction, { partnerId, kid, algorithm, publicKeyPem, expiresAt });
    return {
      event: "partner.login-key-added",
      details: { kid, algorithm, expiresAt },
      lines: [`Login JWTs of ${partnerId} signed with ${algorithm} by that key are taken from now on.`],
    };
  });
}

export async function removeLoginKeyCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const partnerId = partnerOf(positionals);
  const id = readCount(required(positionals[1], "ID"), "ID", 1, Number.MAX_SAFE_INTEGER);
  return await changePartner({ values, partnerId }, async (transaction) => {
    await assertPartner(transaction, partnerId);
    if (!(await revokeLoginKey(transaction, partnerId, id)))
      throw new Fault("NOT_FOUND", `${partnerId} has no login key ${id}; partner show lists them.`);
    return {
      event: "partner.login-key-removed",
      details: { id },
      lines: [
        `Login JWTs of ${partnerId} signed by key ${id} are refused from now on; tokens made with them end within the hour.`,
      ],
    };
  });
}

export async function addSftpKeyCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    comment: { type: "string" },
    expires: { type: "string" },
  });
  const partnerId = partnerOf(positionals);
  const publicKey = await readKeyFile(positionals[1]);
  const expiresAt = readExpiry(values.expires);
  return await changePartner({ values, partnerId }, async (transaction) => {
    await assertPartner(transaction, partnerId);
    const key = await addSftpKey(transaction, { partnerId, publicKey, comment: values.comment, expiresAt });
    return {
      event: "partner.sftp-key-added",
      details: { fingerprint: key.fingerprint, comment: key.comment, expiresAt },
      lines: [`${partnerId} can log in over SFTP with ${key.fingerprint} ${key.comment}`.trimEnd()],
    };
  });
}

export async function removeSftpKeyCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const partnerId = partnerOf(positionals);
  const fingerprint = required(positionals[1], "FINGERPRINT");
  return await changePartner({ values, partnerId }, async (transaction) => {
    await assertPartner(transaction, partnerId);
    if (!(await removeSftpKey(transaction, partnerId, fingerprint)))
      throw new Fault("NOT_FOUND", `${partnerId} has no SFTP key ${fingerprint}.`);
    return {
      event: "partner.sftp-key-removed",
      details: { fingerprint },
      lines: [`${partnerId} can no longer log in with ${fingerprint}.`],
    };
  });
}

export async function rotateBatchKeyCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    "overlap-days": { type: "string", default: String(overlapDaysDefault) },
  });
  const partnerId = partnerOf(positionals);
  const overlapDays = readCount(values["overlap-days"], "--overlap-days", 0, overlapDaysMax);
  const retireAt = new Date(Date.now() + overlapDays * dayMs);
  return await changePartner({ values, partnerId }, async (transaction, session) => {
    await assertPartner(transaction, partnerId);
    const { kid } = await rotateBatchKey(transaction, await session.keyEncryptionKey(), partnerId, retireAt);
    return {
      event: "partner.jwe-key-rotated",
      details: { kid, earlierKeysRetireAt: retireAt },
      lines: [`Senders encrypt to ${kid} from now on; earlier keys open batches until ${retireAt.toISOString()}.`],
    };
  });
}

export async function rotatePgpKeyCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    "overlap-days": { type: "string", default: String(overlapDaysDefault) },
  });
  const partnerId = partnerOf(positionals);
  const overlapDays = readCount(values["overlap-days"], "--overlap-days", 0, overlapDaysMax);
  const retireAt = new Date(Date.now() + overlapDays * dayMs);
  return await changePartner({ values, partnerId }, async (transaction, session) => {
    const partner = await readPartnerOverview(transaction, partnerId);
    if (!partner) throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
    const { fingerprint } = await rotatePgpKey(transaction, await session.keyEncryptionKey(), partner, retireAt);
    return {
      event: "partner.pgp-key-rotated",
      details: { fingerprint, earlierKeysRetireAt: retireAt },
      lines: [
        `Senders encrypt to ${fingerprint} from now on, which tideline partner pgp-key show ${partnerId} prints; earlier keys open files until ${retireAt.toISOString()}.`,
      ],
    };
  });
}

/** The armoured key alone, so that it can be redirected into a file or piped into gpg --import. */
export async function showPgpKeyCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const partnerId = partnerOf(positionals);
  return await withSession(configOf(values), async (session) => {
    const keys = await publicPgpKeys(session.database, partnerId);
    const [current] = keys;
    if (!current)
      throw new Fault(
        "NOT_FOUND",
        `The partner "${partnerId}" has no OpenPGP key; tideline partner rotate-pgp-key ${partnerId} makes one.`,
      );
    printResult(values.json, keys, [current.armored.trimEnd()]);
    return exitCode.done;
  });
}

export async function readKeyFile(file: string | undefined): Promise<string> {
  const name = required(file, "FILE");
  return await readFile(name, "utf8").catch(() => usageError(`The key file ${name} cannot be read.`));
}
