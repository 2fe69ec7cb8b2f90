/** What a thread works with: its connections, the key that opens sealed keys, the vault. Opened with its first task. */
import { setPriority } from "node:os";
import path from "node:path";
import { workerData } from "node:worker_threads";
import { readAddress } from "../config/addresses.ts";
import { threadConnectionsMax } from "../config/connections.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { openVault } from "../src/vault/open.ts";
import type { Vault } from "../src/vault/vault.ts";
import type { PieceUse } from "./ingest/pieces.ts";
import type { WorkerSettings } from "./messages.ts";

export type WorkerContext = {
  database: Database;
  /** Of one connection, for locks that last; undefined: there is no pooler, and each connection is a session. */
  pooledLocks?: Database;
  keyEncryptionKey: Buffer;
  /** Absolute path of what a vault reference names; where the vault is elsewhere, once it was brought. */
  pathInVault(reference: string): string;
  vault: Vault;
  /** How pieces of files are known again; null: not at all. Default: as config/limits.ts has it. */
  pieces?: PieceUse | null;
};

export function openContext(settings: WorkerSettings): WorkerContext {
  if (settings.niceness !== undefined) giveWay(settings.niceness);
  const isPooled = readAddress(settings.databaseUrl).isPooled;
  return {
    database: openDatabase(settings.databaseUrl, {
      sizeMax: threadConnectionsMax,
      applicationName: "tideline worker",
      ...(settings.answersWithinMs === undefined ? {} : { answersWithinMs: settings.answersWithinMs }),
    }),
    ...(isPooled
      ? { pooledLocks: openDatabase(settings.databaseUrl, { sizeMax: 1, applicationName: "tideline locks" }) }
      : {}),
    keyEncryptionKey: Buffer.from(settings.keyEncryptionKey),
    pathInVault: (reference) => path.join(settings.vaultDirectory, reference),
    vault: openVault(settings.vaultDirectory, settings.vaultS3),
  };
}

let ofThisThread: WorkerContext | null = null;

/** A function over a context as a pool's task in this thread. */
export function task<Message, Outcome>(
  run: (context: WorkerContext, message: Message) => Promise<Outcome>,
): (message: Message) => Promise<Outcome> {
  return async (message) => {
    ofThisThread ??= openContext(workerData as WorkerSettings);
    try {
      return await run(ofThisThread, message);
    } catch (error) {
      throw portable(error);
    }
  };
}

/** An error loses its class and its code on the way out of a thread; a cause that is plain data survives. */
function portable(error: unknown): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  return new Error(error.message, { cause: { code: String(error.code) } });
}

/**
 * On Linux a priority belongs to a thread, and 0 means the one that calls; elsewhere it would be the whole process's.
 */
function giveWay(niceness: number): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, niceness);
  } catch {
    // Where that is forbidden, threads share the processor as equals.
  }
}
