/** One version of the algorithm that takes the place of another, as in a service that is upgraded. Pure. */
import { usualPercents } from "../../src/recognition/search/confidence.ts";
import { hash } from "node:crypto";
import type { LabelledUser } from "../../src/evaluation/labelled.ts";
import { assess, type Assessment } from "../../src/recognition/assess.ts";
import { incomeUnknown } from "../../src/recognition/income/model.ts";
import { nothingRemembered, type Remembered } from "../../src/recognition/remembered.ts";
import type { KnownService } from "../../src/recognition/services/identity.ts";
import { algorithmVersion } from "../../src/recognition/version.ts";
import { addDays, type Day } from "../../src/time/calendar.ts";
import type { IdentifiedService } from "./ids.ts";

export type Version = { assess: typeof assess; algorithmVersion: number };

export const today: Version = { assess, algorithmVersion };

/** Services and income that a run found. */
export type Found = { services: IdentifiedService[]; income: IdentifiedService[] };

/** What the earlier version finds from nothing, and what the later one does the day after, with what that one left. */
export function replaced(user: LabelledUser, earlier: Version, later: Version): { before: Found; after: Found } {
  const first = assessed(user, earlier, nothingRemembered, user.asOf, null);
  const services = first.services
    .map((row) => ({ ...row, digest: null, cancellation: null }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  // The first versions knew nothing of income.
  const income = first.income === undefined ? incomeUnknown : { series: seriesOf(first), digest: null };
  const remembered: Remembered = { ...nothingRemembered, services, warnings: first.warnings, income };
  const second = assessed(user, later, remembered, addDays(user.asOf, 1), new Set());
  return { before: foundIn(first), after: foundIn(second) };
}

function assessed(
  { uid, country, currency, history, asOf }: LabelledUser,
  version: Version,
  remembered: Remembered,
  day: Day,
  arrived: ReadonlySet<string> | null,
): Assessment {
  const rows = history.filter((row) => row.day <= asOf).map((row, at) => ({ ...row, id: at + 1 }));
  const user = {
    id: 1,
    subject: subjectOf(uid),
    country,
    currency,
    timeZone: "Etc/UTC",
    hiddenProductIds: [],
    percents: usualPercents,
    importCompletedOn: asOf,
    algorithmVersion: version.algorithmVersion,
  };
  return version.assess(user, rows, remembered, {
    today: day,
    baseUrl: "https://bank.example",
    convert: () => null,
    arrived,
  });
}

function foundIn(assessment: Assessment): Found {
  return {
    services: assessment.services.filter(({ status }) => status !== null).map(({ id, txids }) => ({ id, txids })),
    income: incomeIn(assessment),
  };
}

/** Those that are found now; the series have what was lost, too. */
function incomeIn(assessment: Partial<Assessment>): IdentifiedService[] {
  if (assessment.income === undefined) return [];
  const { income } = JSON.parse(assessment.income.document) as { income: { id: string }[] };
  const ids = new Set(income.map(({ id }) => id));
  return seriesOf(assessment as Assessment).filter(({ id }) => ids.has(id));
}

function seriesOf({ income }: Assessment): KnownService[] {
  return JSON.parse(income.series) as KnownService[];
}

/** A UUID of the user's own, the same in each run. */
function subjectOf(uid: string): string {
  return hash("md5", uid).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
