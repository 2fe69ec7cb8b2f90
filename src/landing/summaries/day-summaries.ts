/**
 * `receipts/summary-YYYY-MM-DD.json`: what came of a partner on a day of the bank, once that day is over. Written once; it
 * says what was known then.
 */
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { cutoffOf } from "../expected/occurrences.ts";
import { realDisk, writeWhole } from "../../deliveries/receipt-files/writing.ts";
import type { Database } from "../../database/database.ts";
import { type DaySummary, readDaySummary } from "./day-summary.ts";
import { addDays, type Day } from "../../time/calendar.ts";
import { type Clock, dayIn } from "../../time/clock.ts";

export type Summarising = { database: Database; clock: Clock; landingDirectory: string };

/** Late loads of the night's last minutes are in it. */
const afterMs = 2 * 3_600_000;
/** Who wants them longer keeps them: they are read every morning. */
const keptDays = 90;
const namePattern = /^summary-(\d{4}-\d{2}-\d{2})\.json$/;

/** The partners to which something came or should have come on their last whole day. Idempotent. @returns how many were written */
export async function writeDaySummaries({ database, clock, landingDirectory }: Summarising): Promise<number> {
  const { rows: partners } = await database.query<{ id: string; timeZone: string }>(
    `select partners.id, brands.time_zone as "timeZone"
       from partners
       join lateral (select time_zone from brands where partner_id = partners.id order by id limit 1) as brands on true
      where suspended_at is null
      order by partners.id`,
  );
  let written = 0;
  for (const { id, timeZone } of partners) {
    const day = addDays(dayIn(timeZone, new Date(clock.now().getTime() - afterMs)), -1);
    const partnerFolder = path.join(landingDirectory, id);
    const file = path.join(partnerFolder, "receipts", `summary-${day}.json`);
    if (await isThere(file)) continue;
    // A partner that has never been at the SFTP door has no folder.
    if (!(await isThere(path.join(partnerFolder, "receipts")))) continue;
    const summary = await summaryOf(database, id, day, timeZone);
    if (summary.deliveries.all === 0 && summary.expected.length === 0) continue;
    const text = `${JSON.stringify(summary, null, 2)}\n`;
    await writeWhole({ disk: realDisk, isDurable: false }, { partnerFolder, file, text });
    await removeOld(path.join(partnerFolder, "receipts"), addDays(day, -keptDays));
    written += 1;
  }
  return written;
}

/** Of a day from midnight to midnight in the bank's zone. */
export async function summaryOf(
  database: Database,
  partnerId: string,
  day: Day,
  timeZone: string,
): Promise<DaySummary> {
  const midnight = (of: Day) => cutoffOf({ cutoff: "00:00", timeZone }, of);
  return await readDaySummary(database, partnerId, {
    day,
    timeZone,
    from: midnight(day),
    until: midnight(addDays(day, 1)),
  });
}

async function isThere(at: string): Promise<boolean> {
  return await stat(at).then(
    () => true,
    () => false,
  );
}

async function removeOld(receipts: string, before: Day): Promise<void> {
  for (const name of await readdir(receipts)) {
    const day = namePattern.exec(name)?.[1];
    if (day !== undefined && day < before) await rm(path.join(receipts, name), { force: true });
  }
}
