/** Whoever runs the service is told when rates stay away: figures then go on at old ones, and nothing else would show it. */
import type { Database, Queryable } from "../database/database.ts";
import type { Events } from "../events.ts";
import type { Clock } from "../time/clock.ts";
import { ageOf, publisherTimeZone, type RatesAge } from "./age.ts";
import { newestDay } from "./table.ts";

export async function readRatesAge(database: Queryable, clock: Clock): Promise<RatesAge> {
  return ageOf(await newestDay(database), clock.today(publisherTimeZone));
}

/** In words, for a person: "ok" while they are young enough. */
export function describeRatesAge({ newest, bankingDays, isOld }: RatesAge): string {
  if (newest === null) return "there are none";
  return isOld ? `the newest are of ${newest}, ${bankingDays} banking days ago` : "ok";
}

/** A round that says once a business day that rates are old, for as long as they are. */
export function watchRatesAge(watching: { database: Database; clock: Clock; events: Events }): () => Promise<void> {
  const { database, clock, events } = watching;
  let toldOn: string | null = null;
  return async () => {
    const age = await readRatesAge(database, clock);
    const today = clock.today(publisherTimeZone);
    if (!age.isOld || toldOn === today) return;
    events.emit("rates.old", { newest: age.newest ?? "", bankingDays: age.bankingDays });
    toldOn = today;
  };
}
