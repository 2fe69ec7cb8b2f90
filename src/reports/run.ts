/** Making the reports that were asked for, one after the other, each in a thread. */
import { documentDays } from "../../config/reports.ts";
import type { ReportOutcome, ReportTask } from "./task.ts";
import type { Clock } from "../time/clock.ts";
import { type Database, inTransaction, isDatabaseAway } from "../database/database.ts";
import type { Events } from "../events.ts";
import { recordAudit } from "../partners/audit.ts";
import {
  finishReport,
  isUserGone,
  putBack,
  releaseReport,
  removeReports,
  claimReport,
  type ClaimedReport,
} from "./store.ts";

export type Reporting = {
  database: Database;
  clock: Clock;
  events: Events;
  makeReport(task: ReportTask): Promise<ReportOutcome>;
  /** A report is made of the transactions present, so what is recognised must be up to them. */
  refreshUser(userId: number): Promise<void>;
};

/** Makes reports until none is due. @returns how many were made. `shouldStop` is asked between reports. */
export async function makeReports(reporting: Reporting, shouldStop: () => boolean = () => false): Promise<number> {
  let made = 0;
  while (!shouldStop()) {
    const claimed = await claimReport(reporting.database);
    if (claimed === null) break;
    if (await makeOne(reporting, claimed)) made += 1;
  }
  return made;
}

async function makeOne(reporting: Reporting, claimed: ClaimedReport): Promise<boolean> {
  const startedAt = performance.now();
  try {
    await reporting.refreshUser(claimed.userId);
    const asOf = reporting.clock.today(claimed.timeZone);
    const outcome = await reporting.makeReport({
      type: claimed.type,
      userId: claimed.userId,
      documentId: claimed.id,
      effectiveDate: claimed.effectiveDate,
      asOf,
    });
    await store(reporting, claimed, outcome, performance.now() - startedAt);
    return true;
  } catch (error) {
    await fail(reporting, claimed, error);
    return false;
  }
}

/** The document and its trace in one transaction. */
async function store(
  { database, events }: Reporting,
  claimed: ClaimedReport,
  { bytes, sha256, pages }: ReportOutcome,
  durationMs: number,
): Promise<void> {
  const { id: documentId, partnerId, type } = claimed;
  const isStored = await inTransaction(database, async (transaction) => {
    if (!(await finishReport(transaction, claimed, bytes, sha256))) return false;
    await recordAudit(transaction, "reports", {
      partnerId,
      event: "report.made",
      details: { documentId, type, sha256, pages },
    });
    return true;
  });
  if (isStored) events.emit("report.made", { documentId, partnerId, type, pages, sizeBytes: bytes.length, durationMs });
}

/** A stop or a database that is away says nothing of the report. */
async function fail({ database, events }: Reporting, claimed: ClaimedReport, error: unknown): Promise<void> {
  if (isDatabaseAway(error) || (error instanceof Error && error.name === "Stopping")) {
    // What cannot be written now is taken again when its time is over.
    await releaseReport(database, claimed).catch(() => undefined);
    throw error;
  }
  const state = await putBack(database, claimed);
  // Deleted while it was being made: nothing failed, and it is not taken again.
  if (await isUserGone(database, claimed)) return;
  events.emit("report.failed", {
    documentId: claimed.id,
    partnerId: claimed.partnerId,
    type: claimed.type,
    attempt: claimed.attempts,
    again: state === "waiting",
    error,
  });
}

/** Removes documents past their age. @returns how many. */
export async function forgetReports(
  { database, clock, events }: Pick<Reporting, "database" | "clock" | "events">,
  days: number = documentDays,
): Promise<number> {
  const count = await removeReports(database, new Date(clock.now().getTime() - days * 86_400_000));
  if (count > 0) events.emit("reports.removed", { count });
  return count;
}
