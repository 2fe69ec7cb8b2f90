/** Partners themselves: add, list, show, suspend, resume. */
import { Fault } from "../../errors.ts";
import { publicBatchKeys, rotateBatchKey } from "../../partners/keys/batch-keys.ts";
import { type ExpectedFile, readExpectedFiles } from "../../partners/settings/expected-files.ts";
import { isGuarded } from "../../partners/exposure.ts";
import { readHttpsRules } from "../../partners/settings/https-rules.ts";
import { readQuota, readRetention } from "../../partners/settings/landing-rules.ts";
import { readPartnerOverview, listPartners, type PartnerOverview } from "../../partners/overview.ts";
import { putPartner, resumePartner, suspendPartner } from "../../partners/provisioning.ts";
import { commonOptions, configOf, readArguments, required } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, formatCount, printResult } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";
import { assertPartner, changePartner, fitting, partnerOf } from "./change.ts";

/** Adds the partner, with its first encryption key; again: renames it. */
export async function addPartnerCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, { ...commonOptions, name: { type: "string" } });
  const partnerId = fitting("id", partnerOf(positionals), "PARTNER");
  const name = fitting("name", required(values.name, "--name"), "--name");
  return await changePartner({ values, partnerId, mayCreate: true }, async (transaction, session) => {
    await putPartner(transaction, { id: partnerId, name });
    const present = (await publicBatchKeys(transaction, partnerId))[0];
    const key = present ?? (await rotateBatchKey(transaction, await session.keyEncryptionKey(), partnerId, new Date()));
    return {
      event: "partner.added",
      details: { name, kid: key.kid },
      lines: [
        `Partner ${partnerId} is there. Senders encrypt to the key ${key.kid}.`,
        "Next: brand add, login-key add, sftp-key add.",
      ],
    };
  });
}

export async function listPartnersCommand(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, commonOptions);
  return await withSession(configOf(values), async (session) => {
    const partners = await listPartners(session.database);
    const rows = partners.map((one) => [
      one.id,
      one.name,
      String(one.brands),
      String(one.users),
      one.suspended ? "suspended" : "active",
    ]);
    printResult(values.json, partners, alignColumns([["PARTNER", "NAME", "BRANDS", "USERS", "STATE"], ...rows]));
    return exitCode.done;
  });
}

export async function showPartnerCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const partnerId = partnerOf(positionals);
  return await withSession(configOf(values), async (session) => {
    const partner = await readPartnerOverview(session.database, partnerId);
    if (!partner) throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
    const inForce = {
      quota: readQuota(partner.settings),
      retention: readRetention(partner.settings),
      expectedFiles: readExpectedFiles(partner.settings),
    };
    printResult(values.json, { ...partner, inForce }, describe(partner));
    return exitCode.done;
  });
}

export async function suspendPartnerCommand(argv: string[]): Promise<number> {
  return await toggle(
    argv,
    "partner.suspended",
    suspendPartner,
    "suspended: its API paths answer 404 and its SFTP logins are refused",
  );
}

export async function resumePartnerCommand(argv: string[]): Promise<number> {
  return await toggle(argv, "partner.resumed", resumePartner, "active again");
}

async function toggle(argv: string[], event: string, write: typeof suspendPartner, state: string): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const partnerId = partnerOf(positionals);
  return await changePartner({ values, partnerId }, async (transaction) => {
    await assertPartner(transaction, partnerId);
    await write(transaction, partnerId);
    return { event, details: {}, lines: [`Partner ${partnerId} is ${state}.`] };
  });
}

function describe(partner: PartnerOverview): string[] {
  const until = (date: Date | null) => (date === null ? "" : `until ${date.toISOString().slice(0, 10)}`);
  return alignColumns([
    ["partner", partner.id],
    ["name", partner.name],
    ["state", partner.suspendedAt === null ? "active" : `suspended since ${partner.suspendedAt.toISOString()}`],
    ["callers", describeCallers(partner)],
    ["settings", JSON.stringify(partner.settings)],
    ["quota", describeValues(readQuota(partner.settings))],
    ["retention", describeValues(readRetention(partner.settings))],
    ...readExpectedFiles(partner.settings).map((one) => ["expected file", describeExpectedFile(one)]),
    ...partner.brands.map((brand) => [
      "brand",
      `${brand.id}: ${brand.country}, ${brand.currency}, ${brand.timeZone}, ${brand.locale}, ${JSON.stringify(brand.settings)}`,
    ]),
    ...partner.batchKeys.map((key) => [
      key.isNext ? "next encryption key" : "encryption key",
      `${key.kid} ${until(key.retiredAt)}`,
    ]),
    ...partner.pgpKeys.map((key) => ["OpenPGP key", `${key.kid} ${until(key.retiredAt)}`]),
    ...partner.loginKeys.map((key) => [
      "login key",
      `${key.id}: ${key.kid ?? "without kid"}, ${key.algorithm} ${until(key.expiresAt)}`,
    ]),
    ...partner.sftpKeys.map((key) => ["SFTP key", `${key.fingerprint} ${key.comment} ${until(key.expiresAt)}`]),
    ...partner.clientCertificates.map((one) => [
      "client certificate",
      `${one.kind === "issuer" ? "signed by " : ""}${one.subject}, until ${one.expiresAt.toISOString().slice(0, 10)}, ${one.fingerprint}`,
    ]),
    ...partner.allowedNetworks.map((one) => ["allowed network", `${one.door}: ${one.network}`]),
  ]);
}

/** What holds callers over HTTPS back, as src/partners/exposure.ts judges it. */
function describeCallers({ settings, allowedNetworks }: PartnerOverview): string {
  const { clientCertificate, openToAll } = readHttpsRules(settings);
  const guards = {
    networks: allowedNetworks.filter(({ door }) => door === "https").length,
    certificateRequired: clientCertificate === "required",
    signaturesRequired: "signedBatches" in settings && settings.signedBatches === "required",
  };
  if (isGuarded(guards)) return "held back by networks, certificates or signatures";
  return openToAll
    ? "ANYBODY, everywhere (https.openToAll)"
    : "anybody on this machine; beyond it not served, without networks, certificates or signatures";
}

/** What is in force, whether set or by default. */
function describeValues(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${formatCount(value)}`)
    .join(", ");
}

function describeExpectedFile(expected: ExpectedFile): string {
  const days = typeof expected.days === "string" ? expected.days : JSON.stringify(expected.days);
  return `${expected.name}: ${expected.pattern} by ${expected.cutoff} ${expected.timeZone}, ${days}${expected.country ? ` of ${expected.country}` : ""}, ${expected.graceMinutes} minutes of grace`;
}
