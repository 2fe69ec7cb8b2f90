/** A new partner in one step: itself, its brand, its keys and networks, and the file that is expected of it. */
import pg from "pg";
import { type Database, inTransaction, type Transaction } from "../database/database.ts";
import { Fault } from "../errors.ts";
import { recordAudit } from "../partners/audit.ts";
import { rotateBatchKey } from "../partners/keys/batch-keys.ts";
import { addLoginKey } from "../partners/keys/login-keys.ts";
import { rotatePgpKey } from "../partners/keys/pgp-keys.ts";
import { addSftpKey } from "../partners/keys/sftp-keys.ts";
import { partnerExists } from "../partners/overview.ts";
import { allowNetwork, changeSettings, putBrand, putPartner } from "../partners/provisioning.ts";
import { parseExpectedFiles } from "../partners/settings/expected-files.ts";
import { partnerNames } from "../partners/names.ts";

export const loginAlgorithms = ["RS256", "PS256", "ES256", "EdDSA"] as const;

/** As somebody wrote it; an empty text: without. */
export type Plan = Readonly<Record<PlanField, string>>;

export const planFields = [
  "id",
  "name",
  "brand",
  "country",
  "currency",
  "timeZone",
  "locale",
  "loginKey",
  "algorithm",
  "loginKeyExpires",
  "sftpKey",
  "sftpKeyExpires",
  "httpsNetworks",
  "sftpNetworks",
  "openPgp",
  "fileName",
  "pattern",
  "cutoff",
  "days",
] as const;
export type PlanField = (typeof planFields)[number];

export type Onboarded = { outcome: "onboarded" } | { outcome: "declined"; field: PlanField; why: string };

const patterns: readonly (readonly [PlanField, RegExp, string])[] = [
  ...Object.entries(partnerNames).map(
    ([field, { pattern, why }]) => [field as keyof typeof partnerNames, pattern, why] as const,
  ),
  ["loginKeyExpires", /^(\d{4}-\d{2}-\d{2})?$/, "is a day, or empty"],
  ["sftpKeyExpires", /^(\d{4}-\d{2}-\d{2})?$/, "is a day, or empty"],
];

class Problem extends Error {
  readonly field: PlanField;

  constructor(field: PlanField, why: string, cause?: unknown) {
    super(why, { cause });
    this.field = field;
  }
}

/** All or nothing, each part with its line in the trail. @param ring the key-encryption keys */
export async function onboardPartner(
  database: Database,
  ring: Buffer,
  actor: string,
  { plan, now }: { plan: Plan; now: Date },
): Promise<Onboarded> {
  for (const [field, pattern, why] of patterns)
    if (!pattern.test(plan[field])) return { outcome: "declined", field, why };
  if (!isTimeZone(plan.timeZone))
    return { outcome: "declined", field: "timeZone", why: "is an IANA time zone, such as Europe/Copenhagen" };
  try {
    await inTransaction(database, (transaction) => add(transaction, ring, actor, plan, now));
    return { outcome: "onboarded" };
  } catch (error) {
    if (error instanceof Problem) return { outcome: "declined", field: error.field, why: error.message };
    throw error;
  }
}

async function add(transaction: Transaction, ring: Buffer, actor: string, plan: Plan, now: Date): Promise<void> {
  const partnerId = plan.id;
  const trace = (event: string, details: Readonly<Record<string, unknown>>) =>
    recordAudit(transaction, actor, { partnerId, event, details });
  await about("id", async () => {
    if (await partnerExists(transaction, partnerId)) throw new Error("is another partner's already");
    await putPartner(transaction, { id: partnerId, name: plan.name });
  });
  const { kid } = await rotateBatchKey(transaction, ring, partnerId, now);
  await trace("partner.added", { name: plan.name, kid });
  const { country, currency, timeZone, locale } = plan;
  const brand = { id: plan.brand, country, currency, timeZone, locale };
  await about("brand", () => putBrand(transaction, partnerId, brand));
  await trace("partner.brand-added", { brand: plan.brand, country, currency, timeZone, locale });
  await addKeys(transaction, plan, trace);
  if (plan.openPgp !== "") {
    const key = await rotatePgpKey(transaction, ring, { id: partnerId, name: plan.name }, now);
    await trace("partner.pgp-key-rotated", { fingerprint: key.fingerprint });
  }
  for (const [door, field] of [
    ["https", "httpsNetworks"],
    ["sftp", "sftpNetworks"],
  ] as const) {
    const networks = plan[field].split(/[\s,]+/).filter((network) => network !== "");
    for (const network of networks)
      await about(
        field,
        () => allowNetwork(transaction, partnerId, door, network),
        "are addresses such as 192.0.2.0/24",
      );
    if (networks.length > 0) await trace("partner.network-allowed", { door, networks });
  }
  await expectFile(transaction, plan, now, trace);
}

type Trace = (event: string, details: Readonly<Record<string, unknown>>) => Promise<void>;

async function addKeys(transaction: Transaction, plan: Plan, trace: Trace): Promise<void> {
  const partnerId = plan.id;
  const expiryOf = (day: string) => (day === "" ? null : new Date(`${day}T00:00:00Z`));
  if (plan.loginKey !== "") {
    const algorithm = loginAlgorithms.find((one) => one === plan.algorithm) ?? "RS256";
    const expiresAt = expiryOf(plan.loginKeyExpires);
    const key = { partnerId, kid: null, algorithm, publicKeyPem: plan.loginKey, expiresAt };
    await about("loginKey", () => addLoginKey(transaction, key));
    await trace("partner.login-key-added", { kid: null, algorithm, expiresAt });
  }
  if (plan.sftpKey === "") return;
  const expiresAt = expiryOf(plan.sftpKeyExpires);
  const key = { partnerId, publicKey: plan.sftpKey, comment: undefined, expiresAt };
  const { fingerprint, comment } = await about("sftpKey", () => addSftpKey(transaction, key));
  await trace("partner.sftp-key-added", { fingerprint, comment, expiresAt });
}

async function expectFile(transaction: Transaction, plan: Plan, now: Date, trace: Trace): Promise<void> {
  const { fileName, pattern, cutoff, days, timeZone, country } = plan;
  if (pattern === "") return;
  const expected = {
    name: fileName === "" ? "nightly" : fileName,
    pattern,
    cutoff,
    timeZone,
    days,
    ...(days === "banking-days" && { country }),
  };
  await about("pattern", async () => {
    const expectedFiles = parseExpectedFiles(JSON.stringify([expected]), now);
    await changeSettings(transaction, plan.id, { expectedFiles });
    await trace("partner.settings-changed", { expectedFiles });
  });
}

/** What the world refuses is the field's fault; the rest is a bug. */
async function about<Result>(field: PlanField, work: () => Promise<Result>, why?: string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault || (error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? "")))
      throw new Problem(field, why ?? (error instanceof Fault ? error.message : "is not usable"), error);
    if (error instanceof Error && error.constructor === Error) throw new Problem(field, error.message, error);
    throw error;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
