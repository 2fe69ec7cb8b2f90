/**
 * How a command gets at the database: DATABASE_URL; else the embedded one of a Tideline that runs on the data folder;
 * else the embedded one, started for as long as the command takes.
 */
import { stat } from "node:fs/promises";
import type { Config } from "../../config.ts";
import { assertWhole, claimDataFolder, type DataFolder, dataFolderAt } from "../../machine/data-folder.ts";
import { readSmallFile } from "../../machine/small-file.ts";
import { assertUsable, type Database, openDatabase } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { assertMigrated, migrate } from "../../database/migrate.ts";
import { loadKeyEncryptionKey } from "../../partners/keys/key-encryption-key.ts";
import { hasCluster, startCluster } from "../../database/embedded/cluster.ts";
import { audited } from "./command-audit.ts";

export type Session = {
  config: Config;
  folder: DataFolder;
  url: string;
  database: Database;
  /** Whether this command started the embedded database: then no service of this data folder runs. */
  alone: boolean;
  /** By opening this session. */
  migrationsApplied: number;
  keyEncryptionKey(): Promise<Buffer>;
};

/** A command runs a few statements at once at most. */
const connectionsMax = 4;

const urlRemedy = "It is written anew at each start of the service; if none runs, remove it.";

export type SessionOptions = {
  /**
   * Whether a data folder without a database gets one, for what begins an installation; or who is asked about this one.
   * A mistyped folder is told otherwise.
   */
  mayCreate?: boolean | ((dataDir: string) => Promise<boolean>);
};

async function mayCreate({ mayCreate: may = false }: SessionOptions, dataDir: string): Promise<boolean> {
  return typeof may === "boolean" ? may : await may(dataDir);
}

/** Another account's folder is not an empty one. @throws Fault DATA_DIR_UNREADABLE */
async function readable<Result>({ root }: DataFolder, look: () => Promise<Result>): Promise<Result> {
  try {
    return await look();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EPERM") throw cause;
    const owner = await stat(root).then(
      ({ uid }) => `, which belongs to user ${uid}`,
      () => "",
    );
    throw new Fault("DATA_DIR_UNREADABLE", `User ${process.getuid?.()} may not read the data folder ${root}${owner}.`, {
      cause,
    });
  }
}

/** Opens the database, runs `work`, closes again. @throws Fault when the database cannot be used, or is not there. */
export async function withSession<Result>(
  config: Config,
  work: (session: Session) => Promise<Result>,
  options: SessionOptions = {},
): Promise<Result> {
  const folder = dataFolderAt(config.dataDir, config);
  const url = config.databaseUrl ?? (await readable(folder, () => readSmallFile(folder.postgresUrl, urlRemedy)));
  if (url !== null && (config.databaseUrl !== undefined || (await answers(url)))) {
    return await onDatabase({ config, folder, url: url.trim(), alone: false, migrationsApplied: 0 }, work);
  }
  if (!(await readable(folder, () => hasCluster(folder.root))) && !(await mayCreate(options, folder.root))) {
    throw new Fault("DATA_DIR_EMPTY", `The data folder ${folder.root} has no database.`);
  }
  return await onOwnCluster(config, folder, work);
}

/** The folder is claimed first: two commands, or a command and a starting service, must not both start its database. */
async function onOwnCluster<Result>(
  config: Config,
  folder: DataFolder,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const release = await claimDataFolder(folder);
  try {
    await assertWhole(folder);
    const cluster = await startCluster(folder.root);
    try {
      const { migrator } = cluster.urls;
      const migrationsApplied = await migrate(migrator);
      // Beside a service, which is nearly always, no command reads the queue's library for this.
      const { migrateQueue } = await import("../../staging/queue.ts");
      await migrateQueue(migrator);
      return await onDatabase({ config, folder, url: migrator, alone: true, migrationsApplied }, work);
    } finally {
      await cluster.stop();
    }
  } finally {
    await release();
  }
}

async function onDatabase<Result>(
  opened: Omit<Session, "database" | "keyEncryptionKey">,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(opened.url, { sizeMax: connectionsMax, applicationName: "tideline command" });
  try {
    await assertUsable(database);
    await assertMigrated(database);
    const session = { ...opened, database, keyEncryptionKey: () => loadKeyEncryptionKey(opened.config) };
    return await audited(database, () => work(session));
  } finally {
    await database.end();
  }
}

/** The file outlives a service that was killed; its database may or may not. */
async function answers(url: string): Promise<boolean> {
  const database = openDatabase(url.trim(), { sizeMax: 1, applicationName: "tideline command" });
  try {
    await database.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await database.end();
  }
}
