/**
 * Retention: landed bytes go after their partner's `landedDays`, rows and receipts after its `receiptDays`, both
 * counted from the end of loading; what was never delivered as long after its last change; orphans in the vault after a
 * day; what the doors wrote into the audit trail after `auditDays`. Real time, whatever the business clock says. Every
 * step is safe to repeat, and to run from several machines.
 */
import { feedDays } from "../../../config/feed.ts";
import { auditDays as auditDaysDefault } from "../../../config/landing.ts";
import { addDays } from "../../time/calendar.ts";
import type { Clock } from "../../time/clock.ts";
import type { Database } from "../../database/database.ts";
import type { Events } from "../../events.ts";
import { removeDoorEvents } from "../../partners/audit-chain.ts";
import { countDoorEvents, recordAudit } from "../../partners/audit.ts";
import { removeOldChanges } from "../../partners/change-feed.ts";
import { removeOldPieces } from "../../partners/loaded-pieces.ts";
import { readRetention, type Retention } from "../../partners/settings/landing-rules.ts";
import { listSettings } from "../../partners/overview.ts";
import type { Vault } from "../../vault/vault.ts";
import { findExpiredBytes, removeBytes, summariseExpiredBytes } from "./landed-bytes.ts";
import { findOrphans } from "./orphans.ts";
import { countExpiredRows, findExpiredRows, removeRow, removeUnfinishedReceipts } from "./rows.ts";
import { unlessBackingUp } from "./pause.ts";
import { findUndelivered, removeUndelivered } from "./undelivered.ts";

export type Retaining = {
  database: Database;
  /** Opens the key by which the audit trail's removals are signed. */
  keyEncryptionKey: Buffer;
  vault: Vault;
  landingDirectory: string;
  /** How long the doors' events stay in the audit trail. */
  auditDays?: number;
  events: Events;
  clock: Clock;
};

/** What goes, or would go: per partner, and besides. */
export type Removal = {
  partners: {
    partnerId: string;
    retention: Retention;
    deliveries: number;
    sizeBytes: number;
    undelivered: number;
    rows: number;
  }[];
  orphans: { files: number; sizeBytes: number };
  auditEvents: number;
};

/** Read and removed at a time. */
const groupMax = 500;

/** Looks at what would go, and removes nothing. */
export async function previewRemoval(retaining: Retaining): Promise<Removal> {
  const { database, vault, landingDirectory, clock } = retaining;
  const now = clock.now();
  const removal: Removal = { partners: [], orphans: { files: 0, sizeBytes: 0 }, auditEvents: 0 };
  for (const { partnerId, settings } of await listSettings(database)) {
    const retention = readRetention(settings);
    const bytesBefore = daysBefore(now, retention.landedDays);
    const going = {
      partnerId,
      retention,
      ...(await summariseExpiredBytes(database, partnerId, bytesBefore)),
      undelivered: 0,
      rows: 0,
    };
    for await (const { sizeBytes } of findUndelivered(landingDirectory, partnerId, bytesBefore)) {
      going.undelivered += 1;
      going.sizeBytes += sizeBytes;
    }
    going.rows = await countExpiredRows(database, partnerId, daysBefore(now, retention.receiptDays));
    removal.partners.push(going);
  }
  for await (const orphan of findOrphans(database, vault, dayOf(now))) {
    removal.orphans.files += 1;
    removal.orphans.sizeBytes += orphan.sizeBytes;
  }
  removal.auditEvents = await countDoorEvents(database, daysBefore(now, retaining.auditDays ?? auditDaysDefault));
  return removal;
}

/**
 * Removes what is past its age. @returns what went; null: nothing was looked at, because a backup is being made.
 * @throws when a partner's settings or a disk are not usable; what is other partners' goes all the same
 */
export async function retain(retaining: Retaining): Promise<Removal | null> {
  return await unlessBackingUp(retaining.database, () => removeExpired(retaining));
}

async function removeExpired(retaining: Retaining): Promise<Removal> {
  const startedAt = performance.now();
  const now = retaining.clock.now();
  const removal: Removal = { partners: [], orphans: { files: 0, sizeBytes: 0 }, auditEvents: 0 };
  const failures: unknown[] = [];
  for (const { partnerId, settings } of await listSettings(retaining.database)) {
    const partner = async () => await retainPartner(retaining, partnerId, readRetention(settings), now);
    await partner().then(
      (gone) => removal.partners.push(gone),
      (error: unknown) => failures.push(error),
    );
  }
  removal.orphans = await removeOrphans(retaining, dayOf(now));
  removal.auditEvents = await removeDoorEvents(
    retaining.database,
    retaining.keyEncryptionKey,
    daysBefore(now, retaining.auditDays ?? auditDaysDefault),
  );
  await removeOldChanges(retaining.database, daysBefore(now, feedDays));
  report(retaining.events, removal, performance.now() - startedAt);
  if (failures.length > 0) throw failures[0];
  return removal;
}

async function retainPartner(
  { database, vault, landingDirectory }: Retaining,
  partnerId: string,
  retention: Retention,
  now: Date,
): Promise<Removal["partners"][number]> {
  const gone = { partnerId, retention, deliveries: 0, sizeBytes: 0, undelivered: 0, rows: 0 };
  const bytesBefore = daysBefore(now, retention.landedDays);
  for (
    let group = await findExpiredBytes(database, partnerId, bytesBefore, groupMax);
    group.length > 0;
    group = await findExpiredBytes(database, partnerId, bytesBefore, groupMax)
  ) {
    for (const expired of group) {
      await removeBytes(database, vault, landingDirectory, expired);
      gone.deliveries += 1;
      gone.sizeBytes += expired.sizeBytes;
    }
  }
  for await (const abandoned of findUndelivered(landingDirectory, partnerId, bytesBefore)) {
    await removeUndelivered(abandoned);
    await recordAudit(database, "retention", {
      partnerId,
      event: "sftp.file-expired",
      details: { file: abandoned.name, sizeBytes: abandoned.sizeBytes },
    });
    gone.undelivered += 1;
    gone.sizeBytes += abandoned.sizeBytes;
  }
  for (const expired of await findExpiredRows(database, partnerId, daysBefore(now, retention.receiptDays), rowsMax)) {
    if (await removeRow(database, landingDirectory, expired)) gone.rows += 1;
  }
  await removeUnfinishedReceipts(landingDirectory, partnerId, daysBefore(now, 1));
  await removeOldPieces(database, partnerId, bytesBefore);
  return gone;
}

/** Rows of one partner in one round; the next round takes the next ones. */
const rowsMax = 10_000;

async function removeOrphans({ database, vault }: Retaining, today: string): Promise<Removal["orphans"]> {
  const gone = { files: 0, sizeBytes: 0 };
  for await (const orphan of findOrphans(database, vault, today)) {
    await vault.remove(orphan.reference);
    gone.files += 1;
    gone.sizeBytes += orphan.sizeBytes;
  }
  await vault.tidy(addDays(today, -1));
  return gone;
}

/** A round that found nothing is no event. */
function report(events: Events, { partners, orphans, auditEvents }: Removal, durationMs: number): void {
  const sum = (of: "deliveries" | "sizeBytes" | "undelivered" | "rows") =>
    partners.reduce((total, one) => total + one[of], 0);
  const [deliveries, sizeBytes, undelivered, rows] = [
    sum("deliveries"),
    sum("sizeBytes") + orphans.sizeBytes,
    sum("undelivered"),
    sum("rows"),
  ];
  if (deliveries + undelivered + rows + orphans.files + auditEvents === 0) return;
  events.emit("retention.ran", {
    deliveries,
    sizeBytes,
    undelivered,
    rows,
    orphans: orphans.files,
    auditEvents,
    durationMs,
  });
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}
