/** What the scheduler does for backups: keeps the log all the time, and makes a backup when one is due. */
import path from "node:path";
import type { DataFolder } from "../machine/data-folder.ts";
import type { Database } from "../database/database.ts";
import { Fault } from "../errors.ts";
import type { Events } from "../events.ts";
import type { Round } from "../schedule/rounds.ts";
import { backUp } from "./back-up.ts";
import { endLog, keepLog, type KeptLog } from "./log.ts";
import { findChain } from "./log-files.ts";
import { newestStart } from "./records.ts";
import { isStore, listBackups, openStore } from "./store.ts";

export type Scheduled = {
  database: Database;
  databaseUrl: string;
  folder: DataFolder;
  /** Where the vault is, when it is in no folder of this machine. */
  vaultElsewhere?: string | undefined;
  events: Events;
  /** Null: nothing is backed up here. */
  store: string | null;
  keysTo?: string | undefined;
  everyHours: number;
  keep: number;
};

/** What is lost at most when everything is: the changes of so long, where the log is kept. */
const noteEveryMs = 5000;
const lookEveryMs = 10_000;

export type BackupRounds = {
  rounds: Round[];
  /** Breaks a backup off that is being made, so that its round ends. */
  stop(): void;
  /** Once the rounds have ended. */
  close(): Promise<void>;
};

export function backupRounds(scheduled: Scheduled): BackupRounds {
  const { database, store } = scheduled;
  // A slot of an earlier setting would make the server keep its log for nobody.
  if (store === null)
    return {
      rounds: [{ name: "backup-log", everyMs: 3_600_000, run: () => endLog(database) }],
      stop: () => undefined,
      close: async () => undefined,
    };
  const log = keptLog({ ...scheduled, store });
  const stopping = new AbortController();
  return {
    rounds: [
      { name: "backup-log", everyMs: noteEveryMs, run: log.note },
      { name: "backup", everyMs: lookEveryMs, run: () => backUpWhenDue({ ...scheduled, store }, stopping.signal) },
    ],
    stop: () => stopping.abort(),
    close: log.close,
  };
}

/** Opened by the first round, and again by the next one after it broke. */
function keptLog(keeping: Scheduled & { store: string }): { note(): Promise<void>; close(): Promise<void> } {
  const { events, folder, vaultElsewhere } = keeping;
  let log: KeptLog | null = null;
  let away = false;
  const close = async () => {
    const open = log;
    log = null;
    await open?.close();
  };
  return {
    close,
    async note() {
      const isAway = !(await isThere(keeping));
      if (isAway && !away) events.emit("backup.away", {});
      away = isAway;
      if (isAway) return await close();
      try {
        log ??= await keepLog({ ...keeping, vault: vaultElsewhere === undefined ? folder.vault : null });
        await log.note();
      } catch (error) {
        events.emit("backup.log-failed", { error });
        await close().catch(() => undefined);
      }
    },
  };
}

/** A new place is made one; one where backups were made before and that shows none is a disk that is not there. */
async function isThere({ database, store }: Scheduled & { store: string }): Promise<boolean> {
  if (await isStore(store)) return true;
  const { rows } = await database.query<{ known: boolean }>(
    "select exists (select 1 from backups where finished_at is not null and starts_with(location, $1)) as known",
    [`${path.resolve(store)}/`],
  );
  if (rows[0]?.known === true) return false;
  await openStore(store);
  return true;
}

/** Due by its age, and when a new chain of log has no backup yet from which it could go on. */
async function backUpWhenDue(scheduled: Scheduled & { store: string }, signal: AbortSignal): Promise<void> {
  const { database, store, keysTo, everyHours, keep, events } = scheduled;
  if (!(await isStore(store))) return;
  const chain = await findChain(database, store);
  const newest = await newestStart(database, store);
  const isYoung = newest !== null && Date.now() - newest.getTime() < everyHours * 3_600_000;
  const isCovered = (await listBackups(store)).some(({ manifest }) => chain !== null && manifest.log.slot === chain);
  if (isYoung && isCovered) return;
  // Begun with the first round of the log, which may be at it this moment.
  if (chain === null) return;
  await backUp(scheduled, { store, keysTo, keep, signal }).catch((error: unknown) => {
    const isExpected = signal.aborted || (error instanceof Fault && error.code === "BACKUP_RUNS");
    if (!isExpected) events.emit("backup.failed", { error });
  });
}
