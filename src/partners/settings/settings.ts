/**
 * The settings a partner can have, by the name that an operator writes, with what each may be. Kept in
 * partners.settings.
 */
import { type Database, inTransaction, type Queryable } from "../../database/database.ts";
import { certificateDemands } from "../keys/client-certificates.ts";
import { parseRedirectPrefixes } from "./redirect-prefixes.ts";
import { parseSerials, requestsPerMinuteDefault, requestsPerMinuteMax } from "./https-rules.ts";
import { quotaDefaults, quotaMax, retentionDaysMax, retentionDefaults } from "../../../config/landing.ts";
import { recordsPerSecondMax, weightMax } from "../../../config/staging.ts";
import { Fault } from "../../errors.ts";
import { csvDates, csvDecimals, csvEncodings, parseCsvColumns } from "./csv-rules.ts";
import { parseIbanRules } from "./iban-rules.ts";
import { parseExpectedFiles } from "./expected-files.ts";
import { changeSettings } from "../provisioning.ts";

const bytesOfUnit: Readonly<Record<string, number>> = {
  "": 1,
  KB: 1000,
  MB: 1000 ** 2,
  GB: 1000 ** 3,
  TB: 1000 ** 4,
  KIB: 1024,
  MIB: 1024 ** 2,
  GIB: 1024 ** 3,
  TIB: 1024 ** 4,
};

type Setting = {
  /** What it decides, and what holds when it is not set. */
  meaning: string;
  values: string;
  /** @throws Error whose message completes "must be …". */
  parse(text: string): unknown;
};

export const partnerSettings: Readonly<Record<string, Setting>> = {
  "login.algorithms": {
    meaning: "signatures taken for login JWTs; default RS256",
    values: "list of RS256, PS256, ES256, EdDSA",
    parse: listOf("RS256", "PS256", "ES256", "EdDSA"),
  },
  "login.brandClaim": {
    meaning: "claim of the login JWT that names the brand; default brand",
    values: "text",
    parse: text,
  },
  "login.issuer": {
    meaning: "what iss must be, others and none being refused; default: not checked",
    values: "text",
    parse: text,
  },
  "login.audience": {
    meaning: "what aud must hold, others and none being refused; default: not checked",
    values: "text",
    parse: text,
  },
  "login.jti": {
    meaning: "whether a login JWT must have a jti, so that none logs in twice; default optional",
    values: "required or optional",
    parse: choiceOf("required", "optional"),
  },
  signedBatches: {
    meaning: "whether a batch's plaintext must be a JWS by a login key; default optional",
    values: "required or optional",
    parse: choiceOf("required", "optional"),
  },
  manifest: {
    meaning: "whether a .jsonl file must end with its manifest line; default optional",
    values: "required or optional",
    parse: choiceOf("required", "optional"),
  },
  onConflict: {
    meaning:
      "what a txid that comes with other content does: keep the first, or correct it and keep the earlier version; default keep",
    values: "keep or correct",
    parse: choiceOf("keep", "correct"),
  },
  ibanRules: {
    meaning:
      "which digits of an IBAN, behind country and check digits, are bank_id and account_number of the accounts table; default: IBAN and the whole",
    values: "list of COUNTRY:FROM-TO:FROM-TO, such as NO:1-4:1-11",
    parse: parseIbanRules,
  },
  "csv.unencrypted": {
    meaning: "whether tables and statements (.xml) are taken without OpenPGP; default false",
    values: "true or false",
    parse: (value) => choiceOf("true", "false")(value) === "true",
  },
  "csv.unquoted": {
    meaning:
      "whether fields of tables may stand without quotes, where they hold neither a quote nor ; nor a line end; default false",
    values: "true or false",
    parse: (value) => choiceOf("true", "false")(value) === "true",
  },
  "csv.decimal": {
    meaning: "what stands before the fraction of amounts in tables; default point",
    values: "point or comma",
    parse: choiceOf(...csvDecimals),
  },
  "csv.encoding": {
    meaning: "the characters of tables; default utf-8",
    values: csvEncodings.join(", "),
    parse: choiceOf(...csvEncodings),
  },
  "csv.dates": {
    meaning: "how tables write days; a time may stand behind one; default YYYY-MM-DD",
    values: csvDates.join(", "),
    parse: choiceOf(...csvDates),
  },
  "csv.columns": {
    meaning: "what the bank's own names of columns mean, all of them; default none",
    values: "list of OWN NAME:COLUMN, such as Kontonummer:account_number",
    parse: parseCsvColumns,
  },
  allOrNothing: {
    meaning: "whether one bad record refuses its whole file; default false",
    values: "true or false",
    parse: (value) => choiceOf("true", "false")(value) === "true",
  },
  "quota.inboxBytes": {
    meaning: `bytes uploaded and not yet delivered; default ${inBinaryUnit(quotaDefaults.inboxBytes)}, or a quarter of a smaller disk`,
    values: "bytes, or such as 50GiB",
    parse: sizeUpTo(quotaMax.bytes),
  },
  "quota.inboxFiles": {
    meaning: `files uploaded and not yet delivered; default ${quotaDefaults.inboxFiles}`,
    values: "number",
    parse: countUpTo(quotaMax.files),
  },
  "quota.inboxFolders": {
    meaning: `folders in inbox/; default ${quotaDefaults.inboxFolders}`,
    values: "number",
    parse: countUpTo(quotaMax.files),
  },
  "quota.storedBytes": {
    meaning: `bytes landed over SFTP until retention removes them; default ${inBinaryUnit(quotaDefaults.storedBytes)}, or three quarters of a smaller disk`,
    values: "bytes, or such as 2TiB",
    parse: sizeUpTo(quotaMax.bytes),
  },
  "quota.storedFiles": {
    meaning: `files landed over SFTP until retention removes them; default ${quotaDefaults.storedFiles}`,
    values: "number",
    parse: countUpTo(quotaMax.files),
  },
  "quota.sessions": {
    meaning: `SFTP connections at a time; default ${quotaDefaults.sessions}`,
    values: "number",
    parse: countUpTo(quotaMax.sessions),
  },
  "quota.handles": {
    meaning: `open files and folders of one SFTP session; default ${quotaDefaults.handles}`,
    values: "number",
    parse: countUpTo(quotaMax.handles),
  },
  "load.weight": {
    meaning: "how often its turn to load comes, beside partners with 1; default 1",
    values: "number",
    parse: countUpTo(weightMax),
  },
  "load.recordsPerSecond": {
    meaning: "records loaded a second by one worker process, all its deliveries together; default: no limit",
    values: "number",
    parse: countUpTo(recordsPerSecondMax),
  },
  "load.fileRecordsPerSecond": {
    meaning: "records loaded a second of one delivery; default: no limit",
    values: "number",
    parse: countUpTo(recordsPerSecondMax),
  },
  "sftp.legacyMacs": {
    meaning:
      "whether SFTP clients from the partner's own networks may use hmac-sha2 without encrypt-then-MAC (libssh2 before 1.11); needs allowed networks; default false",
    values: "true or false",
    parse: (value) => choiceOf("true", "false")(value) === "true",
  },
  "https.clientCertificate": {
    meaning:
      "whether callers over HTTPS must show a certificate of the partner (partner client-certificate add); optional: must be one if any is shown; default off",
    values: "off, optional or required",
    parse: choiceOf(...certificateDemands),
  },
  "https.revokedSerials": {
    meaning: "certificates that count no more though an issuer of the partner signed them; default none",
    values: "serial numbers in hexadecimal, separated by commas",
    parse: parseSerials,
  },
  "https.openToAll": {
    meaning:
      "whether the partner is served beyond this machine though it has no allowed networks, no required certificate and no required signatures: anybody may then create users and push; default false",
    values: "true or false",
    parse: (value) => choiceOf("true", "false")(value) === "true",
  },
  "https.requestsPerMinute": {
    meaning: `requests over HTTPS before 429, at each API process, counted apart for keys, logins, pushes and users' calls; default ${requestsPerMinuteDefault}`,
    values: "number",
    parse: countUpTo(requestsPerMinuteMax),
  },
  "psd2.redirectPrefixes": {
    meaning: "addresses below which the browser may be sent when a bank was connected; default none",
    values: "addresses, separated by commas",
    parse: parseRedirectPrefixes,
  },
  psd2RequiresConfirmation: {
    meaning:
      "whether a bank that was connected counts only once the partner's app has confirmed it with the code that the redirect brought (POST psd2/confirmations); default false",
    values: "true or false",
    parse: (value) => choiceOf("true", "false")(value) === "true",
  },
  "psd2.sandbox": {
    meaning:
      "whether users are offered the sandbox bank of generated people, where the service has it on; for partners that try things out; default false",
    values: "true or false",
    parse: (value) => choiceOf("true", "false")(value) === "true",
  },
  "retention.landedDays": {
    meaning: `days for which landed bytes are kept after loading; default ${retentionDefaults.landedDays}`,
    values: "days",
    parse: countUpTo(retentionDaysMax),
  },
  "retention.receiptDays": {
    meaning: `days for which rows and receipts are kept; default ${retentionDefaults.receiptDays}`,
    values: "days",
    parse: countUpTo(retentionDaysMax),
  },
  "retention.deletedUserDays": {
    meaning: `days after which a deleted user's data is erased; default ${retentionDefaults.deletedUserDays}`,
    values: "days",
    parse: countUpTo(retentionDaysMax),
  },
  expectedFiles: {
    meaning: "what should have come by when: list of name, pattern, cutoff, timeZone, days, country, graceMinutes",
    values: "JSON",
    parse: (value) => (value === "" ? [] : parseExpectedFiles(value, new Date())),
  },
};

/**
 * @param assignments "name=value"; an empty value takes a setting with a dot in its name back to its default.
 * @returns what is written, by top-level name. @throws Fault COMMAND_USAGE naming every problem
 */
export function mergeSettings(
  present: Readonly<Record<string, unknown>>,
  assignments: readonly string[],
): Record<string, unknown> {
  const problems: string[] = [];
  const changes: Record<string, unknown> = {};
  for (const assignment of assignments) {
    const [name = "", value = ""] = splitOnce(assignment);
    const setting = Object.hasOwn(partnerSettings, name) ? partnerSettings[name] : undefined;
    if (!setting || !assignment.includes("="))
      problems.push(`${name} is not a setting; there are ${Object.keys(partnerSettings).join(", ")}`);
    else assign(changes, present, name, value, setting, problems);
  }
  if (problems.length > 0) throw new Fault("COMMAND_USAGE", `${problems.join("; ")}.`);
  return changes;
}

/** Reads, merges and writes in one transaction with `record`, which is told the change. */
export async function applySettings(
  database: Database,
  partnerId: string,
  assignments: readonly string[],
  record: (transaction: Queryable, changes: Record<string, unknown>) => Promise<void>,
): Promise<Record<string, unknown>> {
  return await inTransaction(database, async (transaction) => {
    const { rows } = await transaction.query<{ settings: Record<string, unknown> }>(
      "select settings from partners where id = $1 for update",
      [partnerId],
    );
    const present = rows[0]?.settings ?? {};
    const changes = mergeSettings(present, assignments);
    await changeSettings(transaction, partnerId, changes);
    await record(transaction, changes);
    return { ...present, ...changes };
  });
}

function assign(
  changes: Record<string, unknown>,
  present: Readonly<Record<string, unknown>>,
  name: string,
  value: string,
  setting: Setting,
  problems: string[],
): void {
  const [group = "", member] = name.split(".");
  try {
    if (member === undefined) {
      changes[group] = setting.parse(value);
      return;
    }
    const { [member]: _, ...others } = asObject(changes[group] ?? present[group]);
    changes[group] = value === "" ? others : { ...others, [member]: setting.parse(value) };
  } catch (error) {
    problems.push(`${name} must be ${error instanceof Error ? error.message : setting.values}`);
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function splitOnce(assignment: string): [string, string] {
  const at = assignment.indexOf("=");
  return at < 0 ? [assignment, ""] : [assignment.slice(0, at), assignment.slice(at + 1)];
}

function text(value: string): string {
  if (value.trim() === "") throw new Error("not empty");
  return value;
}

function choiceOf(...choices: string[]) {
  return (value: string): string => {
    if (!choices.includes(value)) throw new Error(`one of ${choices.join(", ")}`);
    return value;
  };
}

function countUpTo(max: number) {
  return (value: string): number => {
    const count = value.trim() === "" ? Number.NaN : Number(value);
    if (!Number.isInteger(count) || count < 1 || count > max) throw new Error(`a whole number from 1 to ${max}`);
    return count;
  };
}

/** As it can be set: "100GiB". */
function inBinaryUnit(sizeBytes: number): string {
  const unit = ["TiB", "GiB", "MiB", "KiB"].find((one) => sizeBytes % (bytesOfUnit[one.toUpperCase()] ?? 1) === 0);
  return unit === undefined ? String(sizeBytes) : `${sizeBytes / (bytesOfUnit[unit.toUpperCase()] ?? 1)}${unit}`;
}

function sizeUpTo(max: number) {
  return (value: string): number => {
    const [, digits = "", unit = ""] = /^(\d+)\s*([KMGT]i?B)?$/i.exec(value.trim()) ?? [];
    const sizeBytes = digits === "" ? Number.NaN : Number(digits) * (bytesOfUnit[unit.toUpperCase()] ?? Number.NaN);
    if (!(sizeBytes >= 1 && sizeBytes <= max))
      throw new Error(`a size such as 5000000, 50MB or 50GiB, up to ${max} bytes`);
    return sizeBytes;
  };
}

function listOf(...choices: string[]) {
  return (value: string): string[] => value.split(",").map((one) => choiceOf(...choices)(one.trim()));
}
