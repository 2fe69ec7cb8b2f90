/** Which files a partner should have sent by when: `settings.expectedFiles`, a list that an operator writes as JSON. */
import type { Static } from "typebox";
import { expectedFileGraceMinutes, expectedFileGraceMinutesMax, expectedFilesMax } from "../../../config/landing.ts";
import { Fault } from "../../errors.ts";
import { knowsHolidaysOf } from "../../time/calendar.ts";
import { describe, firstMisfit, fits } from "./described.ts";

/**
 * daily; Monday to Friday; days on which banks of `country` settle; weekdays 1 Monday … 7 Sunday; days of the month, -1
 * the last.
 */
const days = describe((Type) =>
  Type.Union([
    Type.Literal("daily"),
    Type.Literal("weekdays"),
    Type.Literal("banking-days"),
    Type.Object(
      { weekdays: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7 }) },
      { additionalProperties: false },
    ),
    Type.Object(
      { monthDays: Type.Array(Type.Integer({ minimum: -1, maximum: 31 }), { minItems: 1, maxItems: 31 }) },
      { additionalProperties: false },
    ),
  ]),
);

const expectedFile = describe((Type) =>
  Type.Object(
    {
      /** What the operator calls it; the same file through all changes of its pattern. */
      name: Type.String({ minLength: 1, maxLength: 100 }),
      /** Of the path below inbox/: * and ? within a name, and {YYYY}, {YY}, {MM}, {DD} of the day for which it is due. */
      pattern: Type.String({ minLength: 1, maxLength: 200 }),
      cutoff: Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$" }),
      timeZone: Type.String({ minLength: 1 }),
      days: days(),
      /** Whose holidays count. Days of the month that fall on a day without settlement move to the next one with it. */
      country: Type.Optional(Type.String({ pattern: "^[A-Z]{2}$" })),
      graceMinutes: Type.Optional(Type.Integer({ minimum: 0, maximum: expectedFileGraceMinutesMax })),
      /** From when on it is expected; set when the list is set. */
      since: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$" })),
    },
    { additionalProperties: false },
  ),
);

const expectedFiles = describe((Type) => Type.Array(expectedFile(), { maxItems: expectedFilesMax }));

export type ExpectedFile = Static<ReturnType<typeof expectedFile>> & { graceMinutes: number; since: string };

/** @throws Fault CONFIG_INVALID */
export function readExpectedFiles(partnerSettings: object): ExpectedFile[] {
  if (!("expectedFiles" in partnerSettings)) return [];
  const list = partnerSettings.expectedFiles;
  if (!fits(expectedFiles, list)) throw new Fault("CONFIG_INVALID", "The partner's expectedFiles are not usable.");
  return list.map((one) => ({
    ...one,
    graceMinutes: one.graceMinutes ?? expectedFileGraceMinutes,
    since: one.since ?? new Date(0).toISOString(),
  }));
}

/** What an operator wrote, with the moment from which it holds. @throws Error whose message completes "must be …" */
export function parseExpectedFiles(text: string, now: Date): unknown {
  const list = parseJson(text);
  if (!fits(expectedFiles, list)) {
    const first = firstMisfit(expectedFiles, list);
    throw new Error(
      `a JSON list of expected files (${first ? `${first.instancePath || "the list"} ${first.message}` : "see tideline help partner"})`,
    );
  }
  const problem = list.map(problemOf).find((one) => one !== null);
  if (problem) throw new Error(problem);
  if (new Set(list.map((one) => one.name)).size < list.length) throw new Error("a list in which each name stands once");
  return list.map((one) => ({ ...one, since: one.since ?? now.toISOString() }));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(
      'JSON, such as [{"name":"nightly","pattern":"tx-{YYYY}{MM}{DD}.jwe","cutoff":"06:00","timeZone":"Europe/Copenhagen","days":"banking-days","country":"DK"}]',
    );
  }
}

function problemOf(expected: Static<ReturnType<typeof expectedFile>>): string | null {
  if (!isTimeZone(expected.timeZone)) return `given with IANA time zones, which "${expected.timeZone}" is not`;
  if (expected.days === "banking-days" && expected.country === undefined)
    return `given with a country for the banking days of "${expected.name}"`;
  // UK for GB, say: its holidays would be working days, on which files are missed.
  if (expected.country !== undefined && !knowsHolidaysOf(expected.country))
    return `given with a country whose bank holidays are known, which those of "${expected.country}" are not`;
  // Paths are known by what stands below inbox/: such a pattern would never fit.
  if (/^\/|^inbox\//.test(expected.pattern))
    return `given with patterns of the path below inbox/, without it, which "${expected.pattern}" is not`;
  if (typeof expected.days === "object" && "monthDays" in expected.days && expected.days.monthDays.includes(0))
    return "given with days of the month from 1, or -1 for the last";
  return null;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
