/**
 * After an unclean stop: small files whose bytes were committed with their rows, and whose names in vault and inbox were
 * not synced. What a power cut took of those is made anew from the rows; what a kill left unmarked is marked. Before the
 * door opens: nobody else changes the inbox then.
 */
import type { Stats } from "node:fs";
import { chmod, lstat, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Database } from "../database/database.ts";
import { findBodies } from "../deliveries/grouped.ts";
import { makeFolder, syncFolder } from "../machine/sync-folder.ts";
import { stageModes, stageOf } from "./sftp/files/stages.ts";

export type MendingKept = {
  database: Database;
  landingDirectory: string;
  vaultDirectory: string;
  /** Whether the door is opened here: nobody else's may be served from the inbox meanwhile. */
  ownsInbox: boolean;
  /** Whether the vault is there: what lies in it is left alone else, and made by whoever reads it. */
  vaultIsThere: boolean;
};

/** More than a power cut takes with it: what is older has reached the disk by itself. */
const filesMax = 20_000;
const groupSize = 200;
const atOnce = 16;

type KeptRow = {
  id: string;
  partnerId: string;
  name: string;
  vaultReference: string | null;
  /** Whose bytes they are: its own, or those of the delivery of which it is a duplicate. */
  bodyId: string;
  /** The entry in the inbox is its own: it came through the door, and its name was not delivered again since. */
  ownsEntry: boolean;
};

/** Idempotent. @returns how many files were compared and how many made anew or marked */
export async function mendKept(mending: MendingKept): Promise<{ compared: number; mended: number }> {
  const due = await findLastKept(mending.database);
  let mended = 0;
  for (let from = 0; from < due.length; from += groupSize) {
    const group = due.slice(from, from + groupSize);
    const bodies = await findBodies(
      mending.database,
      group.map(({ bodyId }) => bodyId),
    );
    for (let at = 0; at < group.length; at += atOnce) {
      const results = await Promise.all(
        group.slice(at, at + atOnce).map((row) => mendOne(mending, row, bodies.get(row.bodyId) ?? null)),
      );
      mended += results.filter(Boolean).length;
    }
  }
  return { compared: due.length, mended };
}

async function findLastKept(database: Database): Promise<KeptRow[]> {
  const { rows } = await database.query<KeptRow>(
    `select id, partner_id as "partnerId", name, vault_reference as "vaultReference", body.delivery_id as "bodyId",
            door = 'sftp' and not exists (select 1
                                            from deliveries as later
                                           where later.partner_id = deliveries.partner_id
                                             and later.name = deliveries.name
                                             and later.door = 'sftp'
                                             and later.position > deliveries.position) as "ownsEntry"
       from deliveries
       join delivery_bodies as body on body.delivery_id = coalesce(duplicate_of, id)
      where name is not null
        and bytes_removed_at is null
        and accepted_at >= (select max(accepted_at) from deliveries) - interval '1 hour'
      order by position desc
      limit $1`,
    [filesMax],
  );
  return rows;
}

async function mendOne(mending: MendingKept, row: KeptRow, body: Buffer | null): Promise<boolean> {
  // Retention has removed it meanwhile.
  if (body === null) return false;
  const inVault = await mendInVault(mending, row, body);
  return (mending.ownsInbox && row.ownsEntry && (await mendEntry(mending, row, body))) || inVault;
}

async function mendInVault(
  { vaultDirectory, vaultIsThere }: MendingKept,
  { vaultReference }: KeptRow,
  body: Buffer,
): Promise<boolean> {
  if (vaultReference === null || !vaultIsThere) return false;
  const file = path.join(vaultDirectory, vaultReference);
  const found = await readFile(file).catch(nullWhenGone);
  if (found?.equals(body) === true) return false;
  await makeFolder(path.dirname(file));
  await writeAnew(file, `${file}.mended`, body);
  return true;
}

async function mendEntry(
  { landingDirectory }: MendingKept,
  { id, partnerId, name }: KeptRow,
  body: Buffer,
): Promise<boolean> {
  const partnerFolder = path.join(landingDirectory, partnerId);
  const entry = path.join(partnerFolder, "inbox", ...name.split("/"));
  const stats = await lstat(entry).catch(nullWhenGone);
  const what = stats === null ? "restore" : await judge(entry, stats, body);
  if (what === "leave") return false;
  if (what === "mark") await chmod(entry, stageModes.delivered);
  else {
    await makeFolder(path.dirname(entry));
    await writeAnew(entry, path.join(partnerFolder, `.mended-${id}`), body);
  }
  return true;
}

/**
 * What stands at a delivered file's name. Something else than a beginning of it that is no delivered file is an upload of
 * the next one.
 */
async function judge(entry: string, stats: Stats, body: Buffer): Promise<"leave" | "mark" | "restore"> {
  if (!stats.isFile()) return "leave";
  const isDelivered = stageOf(stats) === "delivered";
  const found = stats.size > body.length ? null : await readFile(entry);
  if (found?.equals(body) === true) return isDelivered ? "leave" : "mark";
  return isDelivered || found?.equals(body.subarray(0, found.length)) === true ? "restore" : "leave";
}

/** Durable, and never half of it under its name. */
async function writeAnew(file: string, unfinished: string, body: Buffer): Promise<void> {
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, "wx", stageModes.landing);
  try {
    await handle.writeFile(body);
    await handle.chmod(stageModes.delivered);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  await syncFolder(path.dirname(file));
}

function nullWhenGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}
