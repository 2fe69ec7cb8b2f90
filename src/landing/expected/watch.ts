/**
 * The watch over files that should have come: what did not come by its cutoff is an event, once, also when nobody
 * looked at the time; what comes later closes it. Decided by the rows and the deliveries alone, in real time.
 */
import type { Day } from "../../time/calendar.ts";
import type { Clock } from "../../time/clock.ts";
import type { Database } from "../../database/database.ts";
import type { Events } from "../../events.ts";
import { type ExpectedFile, readExpectedFiles } from "../../partners/settings/expected-files.ts";
import { listSettings } from "../../partners/overview.ts";
import {
  closeMissing,
  findArrival,
  findLastDue,
  listMissing,
  type MissingFile,
  recordOccurrence,
} from "./expected-files.ts";
import { dueBefore, namePattern, namesItsDay, occurrencesDue } from "./occurrences.ts";

export type Watching = { database: Database; events: Events; clock: Clock };

const dayMs = 86_400_000;
/** A file that is a month late is looked for no more. */
const missedForMaxMs = 31 * dayMs;
/** Files for a month's end are made early at times. */
const aheadMaxMs = 31 * dayMs;

/**
 * Idempotent, and safe from several schedulers. @throws when a partner's settings are not usable; the others' files are
 * watched all the same
 */
export async function watchExpectedFiles(watching: Watching): Promise<void> {
  const now = watching.clock.now();
  const { partners, failures } = await readPartners(watching.database);
  // First: what comes late was for the occurrence that it is late for.
  for (const missing of await listMissing(watching.database, null)) {
    const partner = partners.find(({ partnerId }) => partnerId === missing.partnerId);
    if (partner) await lookForLate(watching, missing, partner.list, now);
  }
  for (const partner of partners) {
    for (const expected of partner.list) await recordDue(watching, partner, expected, now);
  }
  if (failures.length > 0) throw failures[0];
}

type Expecting = { partnerId: string; suspended: boolean; list: readonly ExpectedFile[] };

async function readPartners(database: Database): Promise<{ partners: Expecting[]; failures: unknown[] }> {
  const [partners, failures]: [Expecting[], unknown[]] = [[], []];
  for (const { settings, ...partner } of await listSettings(database)) {
    try {
      partners.push({ ...partner, list: readExpectedFiles(settings) });
    } catch (error) {
      failures.push(error);
    }
  }
  return { partners, failures };
}

async function lookForLate(
  { database, events }: Watching,
  missing: MissingFile,
  list: readonly ExpectedFile[],
  now: Date,
): Promise<void> {
  const { partnerId, name, dueDay, dueAt } = missing;
  const expected = list.find((one) => one.name === name);
  // Nobody expects it any more.
  if (!expected || now.getTime() - dueAt.getTime() > missedForMaxMs)
    return void (await closeMissing(database, missing, null));
  // From its very beginning: what was refused when it was due may have been let in since.
  const arrival = await findArrival(database, {
    partnerId,
    name,
    pattern: namePattern(expected.pattern, dueDay),
    from: earliestOf(expected, dueDay),
    until: now,
  });
  if (arrival && (await closeMissing(database, missing, arrival))) {
    events.emit("expected-file.arrived-late", { partnerId, expectation: name, dueDay, deliveryId: arrival.deliveryId });
  }
}

/** What a suspended partner cannot bring, nobody misses: neither now nor when it comes back. */
async function recordDue(
  watching: Watching,
  { partnerId, suspended }: Expecting,
  expected: ExpectedFile,
  now: Date,
): Promise<void> {
  const { database, events } = watching;
  const { name } = expected;
  const since = new Date(expected.since);
  const last = await findLastDue(database, partnerId, name);
  for (const occurrence of occurrencesDue(expected, last !== null && last > since ? last : since, now)) {
    const pattern = namePattern(expected.pattern, occurrence.day);
    const arrival = await findArrival(database, {
      partnerId,
      name,
      pattern,
      from: earliestOf(expected, occurrence.day),
      until: occurrence.dueAt,
    });
    const isNew = await recordOccurrence(
      database,
      { partnerId, name, dueDay: occurrence.day, dueAt: occurrence.dueAt, without: suspended ? "dropped" : "missing" },
      arrival,
    );
    if (isNew && !arrival && !suspended)
      events.emit("expected-file.missing", { partnerId, expectation: name, dueDay: occurrence.day });
  }
}

/** A file that names its day may come ahead of time; any other one belongs to the time since the last cutoff. */
function earliestOf(expected: ExpectedFile, day: Day): Date {
  return namesItsDay(expected.pattern) ? new Date(Date.parse(day) - aheadMaxMs) : dueBefore(expected, day);
}
