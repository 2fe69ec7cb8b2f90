/**
 * How much a partner may land and how long it is kept: `settings.quota` and `settings.retention`, with their defaults.
 */
import type { TSchema } from "typebox";
import { quotaDefaults, quotaMax, retentionDaysMax, retentionDefaults } from "../../../config/landing.ts";
import { type Described, describe, readGroup } from "./described.ts";

/** What an operator may write below `quota`; everything may be left out. */
export const quotaSettings = describe((Type) => {
  const upTo = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }));
  return Type.Object({
    inboxBytes: upTo(quotaMax.bytes),
    inboxFiles: upTo(quotaMax.files),
    inboxFolders: upTo(quotaMax.files),
    storedBytes: upTo(quotaMax.bytes),
    storedFiles: upTo(quotaMax.files),
    sessions: upTo(quotaMax.sessions),
    handles: upTo(quotaMax.handles),
  });
});

export const retentionSettings = describe((Type) => {
  const days = Type.Optional(Type.Integer({ minimum: 1, maximum: retentionDaysMax }));
  return Type.Object({ landedDays: days, receiptDays: days, deletedUserDays: days });
});

/** Bytes and files of all sessions together; handles of one. */
export type Quota = { readonly [Name in keyof typeof quotaDefaults]: number };
export type Retention = { readonly [Name in keyof typeof retentionDefaults]: number };

/**
 * @param defaults where they differ from the usual ones, such as on a small disk
 * @throws Fault CONFIG_INVALID: a limit is never guessed
 */
export function readQuota(partnerSettings: object, defaults: Partial<Quota> = {}): Quota {
  return { ...quotaDefaults, ...defaults, ...groupOf(partnerSettings, "quota", quotaSettings) };
}

/** Receipts stay at least as long as the bytes. @throws Fault CONFIG_INVALID: nothing is removed on a guess */
export function readRetention(partnerSettings: object): Retention {
  const retention = { ...retentionDefaults, ...groupOf(partnerSettings, "retention", retentionSettings) };
  return { ...retention, receiptDays: Math.max(retention.receiptDays, retention.landedDays) };
}

/** Null says nothing, as one that is left out. */
function groupOf<Schema extends TSchema>(partnerSettings: object, name: string, schema: Described<Schema>) {
  return (partnerSettings as Record<string, unknown>)[name] === null
    ? undefined
    : readGroup(partnerSettings, name, schema);
}
