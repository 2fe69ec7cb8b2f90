/**
 * How much a partner may land and how long it is kept: `settings.quota` and `settings.retention`, with their defaults.
 */
import { type Static, type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import { quotaDefaults, quotaMax, retentionDaysMax, retentionDefaults } from "../../../config/landing.ts";
import { Fault } from "../../errors.ts";

const upTo = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }));

/** What an operator may write below `quota`; everything may be left out. */
export const QuotaSettingsSchema = Type.Object({
  inboxBytes: upTo(quotaMax.bytes),
  inboxFiles: upTo(quotaMax.files),
  inboxFolders: upTo(quotaMax.files),
  storedBytes: upTo(quotaMax.bytes),
  storedFiles: upTo(quotaMax.files),
  sessions: upTo(quotaMax.sessions),
  handles: upTo(quotaMax.handles),
});

export const RetentionSettingsSchema = Type.Object({
  landedDays: upTo(retentionDaysMax),
  receiptDays: upTo(retentionDaysMax),
  deletedUserDays: upTo(retentionDaysMax),
});

/** Bytes and files of all sessions together; handles of one. */
export type Quota = { readonly [Name in keyof typeof quotaDefaults]: number };
export type Retention = { readonly [Name in keyof typeof retentionDefaults]: number };

/**
 * @param defaults where they differ from the usual ones, such as on a small disk
 * @throws Fault CONFIG_INVALID: a limit is never guessed
 */
export function readQuota(partnerSettings: object, defaults: Partial<Quota> = {}): Quota {
  return { ...quotaDefaults, ...defaults, ...readGroup(partnerSettings, "quota", QuotaSettingsSchema) };
}

/** Receipts stay at least as long as the bytes. @throws Fault CONFIG_INVALID: nothing is removed on a guess */
export function readRetention(partnerSettings: object): Retention {
  const retention = { ...retentionDefaults, ...readGroup(partnerSettings, "retention", RetentionSettingsSchema) };
  return { ...retention, receiptDays: Math.max(retention.receiptDays, retention.landedDays) };
}

function readGroup<Schema extends TSchema>(partnerSettings: object, name: string, schema: Schema): Static<Schema> {
  const group: unknown = (partnerSettings as Record<string, unknown>)[name] ?? {};
  if (!Check(schema, group)) throw new Fault("CONFIG_INVALID", `The partner's ${name} settings are not usable.`);
  return group;
}
