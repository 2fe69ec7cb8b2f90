/** What a report is about: how many users and payments of which days and countries, and which version found what it tells. */
import { algorithmVersion } from "../recognition/version.ts";
import type { Day } from "../time/calendar.ts";
import type { LabelledUser } from "./labelled.ts";

/** `from` and `until`: the first and the last payment that recognition saw. */
export type Extent = {
  algorithmVersion: number;
  users: number;
  payments: number;
  from: Day | null;
  until: Day | null;
  /** How many users by country. */
  countries: Record<string, number>;
};

export function emptyExtent(): Extent {
  return { algorithmVersion, users: 0, payments: 0, from: null, until: null, countries: {} };
}

export function addToExtent(extent: Extent, { history, asOf, country }: LabelledUser): void {
  extent.users += 1;
  extent.countries[country] = (extent.countries[country] ?? 0) + 1;
  for (const { day } of history) {
    if (day > asOf) continue;
    extent.payments += 1;
    if (extent.from === null || day < extent.from) extent.from = day;
    if (extent.until === null || day > extent.until) extent.until = day;
  }
}

const countFormat = new Intl.NumberFormat("en-GB");

/** In a line, such as "4 users (4 DK), 2,310 payments from 2024-05-01 to 2026-06-30, recognition version 7". */
export function extentLine({ algorithmVersion: version, users, payments, from, until, countries }: Extent): string {
  const by = Object.entries(countries)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([country, count]) => `${countFormat.format(count)} ${country}`)
    .join(", ");
  const days = from === null || until === null ? "" : ` from ${from} to ${until}`;
  const counted = `${countFormat.format(users)} ${users === 1 ? "user" : "users"} (${by})`;
  return `${counted}, ${countFormat.format(payments)} payments${days}, recognition version ${version}`;
}
