/**
 * Putting a backup into an empty data folder: vault, folders, keys, database files, then the server is started once, so
 * that it replays its log, to the end or to a moment, and what it holds is compared with what the backup says. Until all
 * of that is done a note in the folder keeps a service from starting on it, and the same command begins anew.
 */
import { chown, mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { type Database, openDatabase } from "../database/database.ts";
import type { Account } from "../database/embedded/account.ts";
import { adoptFiles } from "../database/embedded/adopt.ts";
import { startCluster } from "../database/embedded/cluster.ts";
import { migrate, knownMigrations } from "../database/migrate.ts";
import { Fault } from "../errors.ts";
import { claimDataFolder, type DataFolder } from "../machine/data-folder.ts";
import { readSmallFile, writeSmallFile } from "../machine/small-file.ts";
import { makeFolder, syncFolder } from "../machine/sync-folder.ts";
import { fingerprintOf, keyFile } from "./back-up.ts";
import { damaged, digestOf, readCompressed } from "./checked-file.ts";
import { countRows, differences } from "./counts.ts";
import { vaultOf } from "./expire.ts";
import { unpackFolders } from "./folders.ts";
import { type Kept, layOutLog, readKept } from "./log-files.ts";
import { recordRestored } from "./records.ts";
import { assertPresent, findBackup, listBackups, type Manifest, type StoredBackup, type StoredFile } from "./store.ts";
import { copiesSince, putBack, type VaultCopy } from "./vault-copies.ts";

export type Restoring = {
  /** A backup, or a folder of backups. */
  from: string;
  folder: DataFolder;
  /** Up to this moment; absent: up to the last change that was kept. */
  toTime?: Date | undefined;
  /** Where the key-encryption key lies; null: it comes by the configuration, or is lost. */
  keysFrom?: string | null | undefined;
  /** Leaves the vault out, and the log kept since, as a verification does. */
  databaseOnly?: boolean;
  onProgress?: (step: string, doneBytes: number, totalBytes: number | null) => void;
};

export type Restored = {
  backup: string;
  /** The moment whose state it is. */
  until: string;
  /** Rows by table. */
  rows: Readonly<Record<string, number>>;
  vaultFiles: number;
  /** Where the vault stayed, when it was not in the backup. */
  vaultElsewhere?: string;
  /** Rows whose bytes are in no copy of the vault. */
  lackingBytes: number;
};

type Chosen = { backup: StoredBackup & { store: string }; kept: Kept | null };

/**
 * @throws Fault RESTORE_NOT_EMPTY, RESTORE_TIME, BACKUP_PLACE, BACKUP_INCOMPLETE, BACKUP_DAMAGED, BACKUP_VERSION,
 * KEY_ENCRYPTION_KEY; nothing is changed before these are known but for BACKUP_DAMAGED
 */
export async function restore(restoring: Restoring): Promise<Restored> {
  const { folder } = restoring;
  const { backup, kept } = await choose(restoring);
  const { manifest } = backup;
  await assertOurs(manifest);
  await assertPresent(backup.folder, manifest);
  const keys = await findKeys(restoring, manifest);
  const release = await claimDataFolder(folder);
  try {
    await clear(folder);
    await writeSmallFile(folder.unfinishedRestore, `${backup.folder}\n`);
    const copies = await vaultCopies(backup, kept);
    if (restoring.databaseOnly !== true) await restoreVault(restoring, backup.store, copies);
    await restoreFolders(restoring, backup);
    if (keys !== null) await writeSmallFile(path.join(folder.root, keyFile), keys);
    const restored = await restoreDatabase(restoring, backup, kept, copies);
    // Receipts were copied after the database: what they tell of it is looked at when it starts.
    await writeSmallFile(folder.uncleanStop, `${new Date().toISOString()}\n`);
    await rm(folder.unfinishedRestore);
    await syncFolder(folder.root);
    return restored;
  } finally {
    await release();
  }
}

/** @throws Fault RESTORE_TIME */
async function choose({ from, toTime, databaseOnly }: Restoring): Promise<Chosen> {
  const named = await findBackup(from);
  if (databaseOnly === true) return { backup: named, kept: null };
  if (toTime === undefined) return { backup: named, kept: await readKept(named.store, named.manifest.log) };
  const isStore = path.resolve(from) === named.store;
  const all = isStore ? (await listBackups(named.store)).map((one) => ({ ...one, store: named.store })) : [named];
  const backup = all.findLast(({ manifest }) => Date.parse(manifest.finishedAt) <= toTime.getTime());
  if (backup === undefined) {
    throw new Fault(
      "RESTORE_TIME",
      `The first backup was complete at ${all[0]?.manifest.finishedAt}: nothing before that is kept.`,
    );
  }
  const kept = await readKept(backup.store, backup.manifest.log);
  const last = kept?.at ?? backup.manifest.finishedAt;
  if (kept === null || Date.parse(last) < toTime.getTime())
    throw new Fault("RESTORE_TIME", `Changes after ${backup.name} are kept until ${last}.`);
  return { backup, kept };
}

/** @throws Fault BACKUP_VERSION for one by a Tideline that knows migrations of which this one knows nothing. */
async function assertOurs({ schema, tidelineVersion }: Manifest): Promise<void> {
  if (!(await knownMigrations()).includes(schema)) {
    throw new Fault(
      "BACKUP_VERSION",
      `It was made by Tideline ${tidelineVersion}, whose database (${schema}) this one does not know.`,
    );
  }
}

/** @returns the file's text; null where it is not to be written. @throws Fault KEY_ENCRYPTION_KEY */
async function findKeys({ keysFrom, folder }: Restoring, { keyFingerprint }: Manifest): Promise<string | null> {
  if (keyFingerprint === "" || keysFrom === null) return null;
  const present = await readSmallFile(path.join(folder.root, keyFile));
  if (present !== null && fingerprintOf(present) === keyFingerprint) return present;
  const places =
    keysFrom === undefined
      ? []
      : [path.join(keysFrom, `${keyFile}-${keyFingerprint}`), path.join(keysFrom, keyFile), keysFrom];
  for (const place of places) {
    const text = await readFile(place, "utf8").catch(() => null);
    if (text !== null && fingerprintOf(text) === keyFingerprint) return text;
  }
  throw new Fault(
    "KEY_ENCRYPTION_KEY",
    `The key with the fingerprint ${keyFingerprint} is needed, and ${keysFrom === undefined ? "--keys-from names no place for it" : `is not in ${keysFrom}`}.`,
  );
}

/** What may lie in an empty folder: what a disk brings along, and the key, put there beforehand. */
const harmless: ReadonlySet<string> = new Set(["lost+found", keyFile, "tideline.pid"]);

/** @throws Fault RESTORE_NOT_EMPTY, but for what an earlier try left, which goes. */
async function clear(folder: DataFolder): Promise<void> {
  const isLeftOver = (await readSmallFile(folder.unfinishedRestore).catch(() => "")) !== null;
  const shared = [folder.vault, folder.landing, folder.hostKeys].filter((one) => path.dirname(one) !== folder.root);
  for (const place of [folder.root, ...shared]) {
    const names = await readdir(place).catch((): string[] => []);
    const others = names.filter((name) => !harmless.has(name) && path.join(place, name) !== folder.unfinishedRestore);
    if (others.length > 0 && !isLeftOver)
      throw new Fault("RESTORE_NOT_EMPTY", `${place} holds ${others.slice(0, 3).join(", ")}.`);
    if (place === folder.root) await clearDatabase(place);
    for (const name of others) await rm(path.join(place, name), { recursive: true, force: true });
  }
}

/** Its files may lie elsewhere, where a pointer in the data folder says. */
export async function clearDatabase(root: string): Promise<void> {
  const pointer = path.join(root, "postgres-location");
  const elsewhere = (await readSmallFile(pointer).catch(() => null))?.trim();
  if (elsewhere !== undefined && /\/tideline\/[0-9a-f]{12}$/.test(elsewhere))
    await rm(elsewhere, { recursive: true, force: true });
}

/** Those of the backup, and where later changes are replayed those that came since. */
async function vaultCopies(backup: StoredBackup & { store: string }, kept: Kept | null): Promise<VaultCopy[]> {
  const listed = await vaultOf(backup);
  if (kept === null) return listed;
  const known = new Set(listed.map(({ reference }) => reference));
  const firstDay = listed.map(({ reference }) => reference.slice(0, 10)).sort()[0] ?? "";
  return [...listed, ...(await copiesSince(backup.store, firstDay)).filter(({ reference }) => !known.has(reference))];
}

async function restoreVault(
  { folder, onProgress }: Restoring,
  store: string,
  copies: readonly VaultCopy[],
): Promise<void> {
  const total = copies.reduce((sum, one) => sum + one.sizeBytes, 0);
  let done = 0;
  await makeFolder(folder.vault);
  const days = new Set<string>();
  for (const copy of copies) {
    if (!(await putBack(store, copy, folder.vault))) throw damaged(path.join(store, "vault", copy.reference));
    days.add(path.dirname(copy.reference));
    onProgress?.("vault", (done += copy.sizeBytes), total);
  }
  for (const day of days) await syncFolder(path.join(folder.vault, day));
  await writeSmallFile(path.join(folder.vault, "vault-mark"), "Tideline's vault\n");
}

async function restoreFolders(restoring: Restoring, { folder: from, manifest }: StoredBackup): Promise<void> {
  const { folder } = restoring;
  const places: Readonly<Record<string, string>> = {
    landing: folder.landing,
    "host-keys": folder.hostKeys,
    tls: folder.tls,
    demo: folder.demo,
  };
  const firstDay = manifest.startedAt.slice(0, 10);
  await readCompressed(from, fileOf(manifest, "folders.tar.zst"), (archive) =>
    unpackFolders(archive, { place: (first) => places[first], vault: folder.vault, sealFrom: firstDay }),
  );
}

async function restoreDatabase(
  restoring: Restoring,
  backup: StoredBackup & { store: string },
  kept: Kept | null,
  copies: readonly VaultCopy[],
): Promise<Restored> {
  const { folder, toTime, onProgress } = restoring;
  const { manifest } = backup;
  const stored = fileOf(manifest, "postgres.tar.zst");
  let done = 0;
  const password = await readPassword(backup);
  const durable = restoring.databaseOnly !== true;
  let logFolder: string | null = null;
  const location = await adoptFiles(folder.root, manifest.postgresVersion, {
    password,
    async fill(files, account) {
      await mkdir(files, { mode: 0o700 });
      const { uid, gid } = account;
      if (uid !== undefined && gid !== undefined) await chown(files, uid, gid);
      await readCompressed(
        backup.folder,
        stored,
        (archive) =>
          unpackFolders(archive, { place: (first) => path.join(files, first), durable, ...ownedBy(account) }),
        (bytes) => onProgress?.("database", (done += bytes), stored.sizeBytes),
      );
      if (kept === null) return;
      logFolder = path.join(path.dirname(files), "restored-log");
      await rm(logFolder, { recursive: true, force: true });
      await mkdir(logFolder, { mode: 0o755 });
      await layOutLog(backup.store, manifest.log, kept, logFolder);
      await writeSmallFile(path.join(files, "recovery.signal"), "\n", ownedBy(account));
    },
  });
  const settings = [
    ...(logFolder === null ? [] : recoverySettings(logFolder, toTime)),
    ...(durable ? [] : ["fsync=off"]),
  ];
  const cluster = await startCluster(folder.root, { settings, startWithinMs: replayedWithinMs });
  try {
    await migrate(cluster.urls.migrator);
    return await compare(cluster.url, backup, kept, copies, toTime);
  } finally {
    await cluster.stop();
    await rm(path.join(location, "restored-log"), { recursive: true, force: true });
  }
}

/** Replaying a day's log of a busy installation takes a while. */
const replayedWithinMs = 12 * 3_600_000;

/** Until it has replayed everything it answers nobody. */
function recoverySettings(logFolder: string, toTime: Date | undefined): string[] {
  const quoted = `'${logFolder.replaceAll("'", `'\\''`)}'`.replaceAll("%", "%%");
  return [
    `restore_command=cp ${quoted}/%f "%p"`,
    "recovery_target_action=promote",
    "hot_standby=off",
    ...(toTime === undefined
      ? []
      : [`recovery_target_time=${toTime.toISOString().replace("T", " ").replace("Z", "+00")}`]),
  ];
}

async function readPassword({ folder, manifest }: StoredBackup): Promise<string> {
  const stored = fileOf(manifest, "postgres-password");
  const file = path.join(folder, stored.name);
  if ((await digestOf(file)) !== stored.sha256) throw damaged(file);
  return await readFile(file, "utf8");
}

function ownedBy({ uid, gid }: Account): { owner?: { uid: number; gid: number } } {
  return uid === undefined || gid === undefined ? {} : { owner: { uid, gid } };
}

function fileOf({ files }: Manifest, name: string): StoredFile {
  const found = files.find((one) => one.name === name);
  if (found === undefined) throw new Fault("BACKUP_DAMAGED", `The manifest names no ${name}.`);
  return found;
}

/** @throws Fault BACKUP_DAMAGED when there are fewer rows than there were, or more than there can be. */
async function compare(
  url: string,
  { name, folder, manifest }: StoredBackup,
  kept: Kept | null,
  copies: readonly VaultCopy[],
  toTime: Date | undefined,
): Promise<Restored> {
  const database = openDatabase(url, { sizeMax: 2, applicationName: "tideline restore" });
  try {
    const rows = await countRows(database);
    const wrong = differences(rows, manifest.counts, kept !== null);
    if (wrong.length > 0) throw new Fault("BACKUP_DAMAGED", `${folder}: ${wrong.join("; ")}.`);
    await recordRestored(database, { ...manifest, location: folder });
    return {
      backup: name,
      until: toTime?.toISOString() ?? kept?.at ?? manifest.finishedAt,
      rows: Object.fromEntries(rows),
      vaultFiles: copies.length,
      // Whether a bucket still has what rows name is not for a scratch folder to ask.
      ...(manifest.vault.elsewhere === undefined
        ? { lackingBytes: await countLacking(database, copies) }
        : { lackingBytes: 0, vaultElsewhere: manifest.vault.elsewhere }),
    };
  } finally {
    await database.end();
  }
}

async function countLacking(database: Database, copies: readonly VaultCopy[]): Promise<number> {
  const present = new Set(copies.map(({ reference }) => reference));
  const { rows } = await database.query<{ reference: string }>(
    `select vault_reference as reference
       from deliveries
      where vault_reference is not null
        and not exists (select 1 from delivery_bodies where delivery_id = deliveries.id)`,
  );
  return rows.filter(({ reference }) => !present.has(reference)).length;
}
