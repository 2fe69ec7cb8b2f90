/**
 * The watch over files that should have come: what did not come by its cutoff is an event, once, also when nobody looked
 * at the time; what comes later closes it. Decided by the rows and the deliveries alone, in real time.
 */
import type { Day } from "../../calendar.ts";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../database.ts";
import type { Events } from "../../events.ts";
import { type ExpectedFile, readExpectedFiles } from "../../partners/expected-files.ts";
import { listSettings } from "../../partners/overview.ts";
import { closeMissing, findArrival, findLastDue, listMissing, type MissingFile, recordOccurrence } from "./expected-files.ts";
import { dueBefore, namePattern, namesItsDay, occurrencesDue } from "./occurrences.ts";

export type Watching = { database: Database; events: Events; clock: Clock };

const dayMs = 86_400_000;
/** A file that is a month late is looked for no more. */
const missedForMaxMs = 31 * dayMs;
/** Files for a month's end are made early at times. */
const aheadMaxMs = 31 * dayMs;

/** Idempotent, and safe from several schedulers. @throws when a partner's settings are not usable */
export async function watchExpectedFiles(watching: Watching): Promise<void> {
  const now = watching.clock.now();
  const partners = (await listSettings(watching.database)).map(({ settings, ...partner }) => ({ ...partner, list: readExpectedFiles(settings) }));
  const expectations = new Map(partners.map(({ partnerId, list }) => [partnerId, list]));
  // First: what comes late was for the occurrence that it is late for.
  for (const missing of await listMissing(watching.database, null)) {
    await lookForLate(watching, missing, expectations.get(missing.partnerId) ?? [], now);
  }
  for (const { list, ...partner } of partners) {
    for (const expected of list) await recordDue(watching, partner, expected, now);
  }
}

async function lookForLate({ database, events }: Watching, missing: MissingFile, list: readonly ExpectedFile[], now: Date): Promise<void> {
  const { partnerId, name, dueDay, dueAt } = missing;
  const expected = list.find((one) => one.name === name);
  // Nobody expects it any more.
  if (!expected || now.getTime() - dueAt.getTime() > missedForMaxMs) return void (await closeMissing(database, missing, null));
  // From its very beginning: what was refused when it was due may have been let in since.
  const arrival = await findArrival(database, { partnerId, name, pattern: namePattern(expected.pattern, dueDay), from: earliestOf(expected, dueDay), until: now });
  if (arrival && (await closeMissing(database, missing, arrival))) {
    events.emit("expected-file.arrived-late", { partnerId, expectation: name, dueDay, deliveryId: arrival.deliveryId });
  }
}

/** What a suspended partner cannot bring, nobody misses: neither now nor when it comes back. */
async function recordDue(watching: Watching, { partnerId, suspended }: { partnerId: string; suspended: boolean }, expected: ExpectedFile, now: Date): Promise<void> {
  const { database, events } = watching;
  const { name } = expected;
  const since = new Date(expected.since);
  const last = await findLastDue(database, partnerId, name);
  for (const occurrence of occurrencesDue(expected, last !== null && last > since ? last : since, now)) {
    const pattern = namePattern(expected.pattern, occurrence.day);
    const arrival = await findArrival(database, { partnerId, name, pattern, from: earliestOf(expected, occurrence.day), until: occurrence.dueAt });
    const isNew = await recordOccurrence(database, { partnerId, name, dueDay: occurrence.day, dueAt: occurrence.dueAt, without: suspended ? "dropped" : "missing" }, arrival);
    if (isNew && !arrival && !suspended) events.emit("expected-file.missing", { partnerId, expectation: name, dueDay: occurrence.day });
  }
}

/** A file that names its day may come ahead of time; any other one belongs to the time since the last cutoff. */
function earliestOf(expected: ExpectedFile, day: Day): Date {
  return namesItsDay(expected.pattern) ? new Date(Date.parse(day) - aheadMaxMs) : dueBefore(expected, day);
}
