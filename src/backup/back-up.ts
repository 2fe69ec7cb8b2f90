/**
 * Making a backup of a Tideline with its own database while it runs. The database is copied first and the vault after
 * it, with retention paused: so every row finds its bytes. It gets the name of a backup last of all, when everything in
 * it is durable.
 *
 *   pause retention → count → database → count → vault → folders → keys → manifest → name → remove what is too old
 */
import { createHash } from "node:crypto";
import { readFile, rename } from "node:fs/promises";
import path from "node:path";
import { type Database, packageVersion } from "../database/database.ts";
import { appliedMigrations } from "../database/knex-inside.ts";
import { startBaseBackup } from "../database/replication.ts";
import { Fault } from "../errors.ts";
import type { Events } from "../events.ts";
import { withRemovalPaused } from "../landing/retention/pause.ts";
import type { DataFolder } from "../machine/data-folder.ts";
import { readNeededFile, writeSmallFile } from "../machine/small-file.ts";
import { makeFolder, syncFolder } from "../machine/sync-folder.ts";
import { writeCompressed } from "./checked-file.ts";
import { countedBetween, countRows } from "./counts.ts";
import { expire } from "./expire.ts";
import { findChain } from "./log-files.ts";
import { packFolders } from "./folders.ts";
import { recordEnd, recordStart } from "./records.ts";
import {
  type Manifest,
  manifestText,
  nameOf,
  openStore,
  removeLeftOvers,
  storeFormat,
  type StoredBackup,
  type StoredFile,
} from "./store.ts";
import { copyVault, listText } from "./vault-copies.ts";

export type BackingUp = {
  database: Database;
  /** Of the embedded server, whose account may copy it. */
  databaseUrl: string;
  folder: DataFolder;
  /** Where the vault is, when it is in no folder of this machine: then it is not copied. */
  vaultElsewhere?: string | undefined;
  events: Events;
};

export type Options = {
  /** The folder of backups. */
  store: string;
  /** Where the key-encryption key is copied to; absent: it is not. Never the store: together they open everything. */
  keysTo?: string | undefined;
  /** The newest ones that stay; absent: all. */
  keep?: number | undefined;
  /** Aborted: the backup is broken off. */
  signal?: AbortSignal | undefined;
  onProgress?: (step: string, doneBytes: number, totalBytes: number | null) => void;
};

/**
 * @returns the backup, whole and durable. @throws Fault BACKUP_PLACE, BACKUP_RUNS; whatever fails leaves nothing that
 * looks like a backup, and the next one removes what is left
 */
export async function backUp(backing: BackingUp, options: Options): Promise<StoredBackup> {
  const store = path.resolve(options.store);
  assertApart(backing.folder, store, options.keysTo);
  await openStore(store);
  return await withRemovalPaused(backing.database, async (lost) => {
    const startedAt = new Date();
    const name = nameOf(startedAt);
    const id = await recordStart(backing.database, startedAt, path.join(store, name));
    await removeLeftOvers(store);
    // Without the pause retention may take what rows name.
    const signal = AbortSignal.any([lost, ...(options.signal === undefined ? [] : [options.signal])]);
    const onProgress: OnProgress = (...done) => {
      signal.throwIfAborted();
      options.onProgress?.(...done);
    };
    const manifest = await write(backing, { ...options, store, onProgress }, name, startedAt);
    signal.throwIfAborted();
    const folder = await complete(store, name, manifest);
    await recordEnd(backing.database, id, new Date(manifest.finishedAt), manifest.sizeBytes);
    if (options.keep !== undefined) await expire(backing.database, store, options.keep, id);
    const durationMs = Date.parse(manifest.finishedAt) - startedAt.getTime();
    backing.events.emit("backup.made", { backup: name, sizeBytes: manifest.sizeBytes, durationMs });
    return { name, folder, manifest, verifiedAt: null };
  });
}

/** A backup below what it is a backup of goes with it, and keys beside what they open protect nothing. */
function assertApart({ root, vault, landing }: DataFolder, store: string, keysTo: string | undefined): void {
  for (const part of [root, vault, landing].map((one) => path.resolve(one))) {
    if (isWithin(store, part) || isWithin(part, store))
      throw new Fault("BACKUP_PLACE", `${store} and ${part} lie within each other: a backup belongs on another disk.`);
  }
  if (keysTo !== undefined && isWithin(path.resolve(keysTo), store))
    throw new Fault(
      "BACKUP_PLACE",
      `${keysTo} lies with the backups: the key belongs elsewhere, or it protects nothing.`,
    );
}

function isWithin(inner: string, outer: string): boolean {
  const relative = path.relative(outer, inner);
  return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative));
}

async function write(
  backing: BackingUp,
  { store, keysTo, onProgress }: Options & { onProgress: OnProgress },
  name: string,
  startedAt: Date,
): Promise<Manifest> {
  const { database, folder } = backing;
  const unfinished = path.join(store, `${name}.unfinished`);
  await makeFolder(unfinished);
  // A chain that goes on now has everything since this copy.
  const slot = await findChain(database, store);
  const before = await countRows(database);
  const { file: server, log } = await copyServer(backing, unfinished, onProgress);
  const counts = countedBetween(before, await countRows(database));
  const { file: list, ...vault } = await copyLanded(backing, store, unfinished, onProgress);
  const folders = await copyFolders(folder, unfinished, onProgress);
  const password = await copyPassword(folder, unfinished);
  const files = [server, password, folders, list];
  return {
    format: storeFormat,
    id: name.slice(-6),
    tidelineVersion: await packageVersion(),
    postgresVersion: await serverVersion(database),
    schema: (await appliedMigrations(database))?.sort().at(-1) ?? "",
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    log: { ...log, slot },
    counts,
    files,
    vault,
    keyFingerprint: await copyKeys(folder, keysTo),
    sizeBytes: files.reduce((total, one) => total + one.sizeBytes, 0),
  };
}

type OnProgress = NonNullable<Options["onProgress"]>;

async function copyServer(
  { databaseUrl }: BackingUp,
  unfinished: string,
  onProgress: OnProgress,
): Promise<{ file: StoredFile; log: { start: string; end: string } }> {
  const copy = await startBaseBackup(databaseUrl);
  try {
    let done = 0;
    const file = await writeCompressed(unfinished, "postgres.tar.zst", copy.archive, (bytes) => {
      done += bytes;
      onProgress("database", done, Math.max(done, copy.sizeBytes));
    });
    return { file, log: { start: copy.start, end: await copy.end } };
  } finally {
    await copy.close();
  }
}

async function copyLanded(
  { folder, vaultElsewhere }: BackingUp,
  store: string,
  unfinished: string,
  onProgress: OnProgress,
): Promise<{ file: StoredFile } & Manifest["vault"]> {
  let done = 0;
  const copies =
    vaultElsewhere === undefined
      ? await copyVault(folder.vault, store, (bytes) => onProgress("vault", (done += bytes), null))
      : [];
  const text = listText(copies);
  await writeSmallFile(path.join(unfinished, "vault.sha256"), text);
  return {
    file: textFile("vault.sha256", text),
    files: copies.length,
    sizeBytes: copies.reduce((total, one) => total + one.sizeBytes, 0),
    ...(vaultElsewhere === undefined ? {} : { elsewhere: vaultElsewhere }),
  };
}

async function copyFolders(folder: DataFolder, unfinished: string, onProgress: OnProgress): Promise<StoredFile> {
  let done = 0;
  const { landing, hostKeys, tls, demo } = folder;
  const archive = packFolders({ landing, "host-keys": hostKeys, tls, demo }, folder.vault, () =>
    onProgress("folders", ++done, null),
  );
  return await writeCompressed(unfinished, "folders.tar.zst", archive);
}

/** The server knows only what the password was made into, so that a restored one asks for this very one. */
async function copyPassword(folder: DataFolder, unfinished: string): Promise<StoredFile> {
  const location = await readFile(path.join(folder.root, "postgres-location"), "utf8").then(
    (text) => text.trim(),
    () => path.join(folder.root, "postgres"),
  );
  const text = await readNeededFile(path.join(location, "password"));
  await writeSmallFile(path.join(unfinished, "postgres-password"), text);
  return textFile("postgres-password", text);
}

/** @returns which keys are needed with this backup: a fingerprint; empty where they are in the configuration */
async function copyKeys(folder: DataFolder, keysTo: string | undefined): Promise<string> {
  const text = await readFile(path.join(folder.root, keyFile), "utf8").catch(() => null);
  if (text === null) return "";
  const fingerprint = fingerprintOf(text);
  if (keysTo !== undefined) {
    await makeFolder(keysTo);
    await writeSmallFile(path.join(keysTo, `${keyFile}-${fingerprint}`), text);
  }
  return fingerprint;
}

export const keyFile = "key-encryption-key";

export function fingerprintOf(keys: string): string {
  return createHash("sha256").update(keys.trim()).digest("hex").slice(0, 16);
}

function textFile(name: string, text: string): StoredFile {
  return { name, sizeBytes: Buffer.byteLength(text), sha256: createHash("sha256").update(text).digest("hex") };
}

async function serverVersion(database: Database): Promise<number> {
  const { rows } = await database.query<{ version: number }>(
    "select current_setting('server_version_num')::int / 10000 as version",
  );
  return rows[0]?.version ?? 0;
}

/** Everything in it is on the disk before it gets its name. */
async function complete(store: string, name: string, manifest: Manifest): Promise<string> {
  const unfinished = path.join(store, `${name}.unfinished`);
  await writeSmallFile(path.join(unfinished, "manifest.json"), manifestText(manifest));
  await syncFolder(unfinished);
  const folder = path.join(store, name);
  await rename(unfinished, folder);
  await syncFolder(store);
  return folder;
}
