/**
 * What lies in the vault and in inboxes without a row. Of what was recorded once the file bears the mark (stages.ts); what
 * bears none was never acknowledged, and is its client's or the next start's to deliver.
 */
import type { Stats } from "node:fs";
import { lstat, opendir, readdir } from "node:fs/promises";
import path from "node:path";
import type { Queryable } from "../../database/database.ts";
import { findUnrecorded } from "../../deliveries/taken-up.ts";
import type { Vault } from "../../vault/vault.ts";
import { stageOf } from "../sftp/files/stages.ts";

/** A file of the vault that no row names. */
export type Unrecorded = {
  id: string;
  /** day/id */
  reference: string;
  /** What lies there. */
  sizeBytes: number;
  acceptedAt: Date;
  isAcknowledged: boolean;
  /** By which its other name is known, in an inbox of the same file system; null: it has none. */
  inode: string | null;
};

/** A delivered file in an inbox. */
export type Delivered = { partnerId: string; name: string; path: string; sizeBytes: number; inode: string };

/** Names asked about in one query. */
const groupMax = 1000;
const deliveryId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** In the order of their acceptance. */
export async function findUnrecordedKept(database: Queryable, vault: Vault): Promise<Unrecorded[]> {
  const found: Unrecorded[] = [];
  for (const day of await vault.days()) {
    for await (const group of inGroups(deliveriesOf(vault, day))) {
      for (const id of await findUnrecorded(database, group)) {
        const reference = vault.referenceOf(id, day);
        const kept = await vault.look(reference);
        // Retention, or a door that was refused its row, has removed it.
        if (kept === null) continue;
        const { sizeBytes, isConfirmed: isAcknowledged, inode } = kept;
        found.push({ id, reference, sizeBytes, acceptedAt: timeOf(id), isAcknowledged, inode });
      }
    }
  }
  return found.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** A UUID of version 7 begins with its time, in milliseconds. */
function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** Holes and empty files have no bytes to take up: what was delivered in the clear lies in the vault alone. */
export async function* findDelivered(landingDirectory: string): AsyncGenerator<Delivered> {
  for (const partner of await readdir(landingDirectory, { withFileTypes: true }).catch(nothingWhenGone)) {
    if (!partner.isDirectory()) continue;
    const inbox = path.join(landingDirectory, partner.name, "inbox");
    const entries = await opendir(inbox, { recursive: true }).catch(nullWhenGone);
    for await (const entry of entries ?? []) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const stats = await lstat(file).catch(nullWhenGone);
      if (stats === null || stageOf(stats) !== "delivered" || stats.blocks === 0) continue;
      const name = path.relative(inbox, file).split(path.sep).join("/");
      yield { partnerId: partner.name, name, path: file, sizeBytes: stats.size, inode: inodeOf(stats) };
    }
  }
}

function inodeOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

async function* deliveriesOf(vault: Vault, day: string): AsyncGenerator<string> {
  for await (const { name } of vault.list(day)) if (deliveryId.test(name)) yield name;
}

/** Of as many as may be asked about in one query. */
export async function* inGroups<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let group: Item[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < groupMax) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

function nullWhenGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}

function nothingWhenGone(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}
