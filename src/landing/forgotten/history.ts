/**
 * Whether the database is the one, and as far, as when the vault was last held against it. A standby that is promoted
 * begins a timeline, a copy that is restored has another identity or is behind; both may have forgotten what was
 * acknowledged. The note lies in the vault: what the database itself knew of it went back with it.
 */
import path from "node:path";
import type { Queryable } from "../../database/database.ts";
import { readSmallFile, writeSmallFile } from "../../machine/small-file.ts";

export type Note = {
  /** Server, database and timeline. */
  history: string;
  /** Of the server's log. */
  position: string;
  /** Of the last time that something was found; absent: never. */
  last?: Finding;
};

/** ISO 8601 times. */
export type Finding = { at: string; takenUp: number; cameAgain: number; left: number };

const noteFile = "vault-reconciled";

/** Null where there is none; a broken one is as good as none, since it only spares a look. */
export async function readNote(vaultDirectory: string): Promise<Note | null> {
  try {
    return JSON.parse((await readSmallFile(path.join(vaultDirectory, noteFile))) ?? "null") as Note | null;
  } catch {
    return null;
  }
}

export async function writeNote(vaultDirectory: string, note: Note): Promise<void> {
  await writeSmallFile(path.join(vaultDirectory, noteFile), `${JSON.stringify(note)}\n`);
}

export async function readHistory(
  database: Queryable,
  note: Note | null,
): Promise<{ history: string; position: string; goesOn: boolean }> {
  const { rows } = await database.query<{ history: string; position: string; ahead: boolean | null }>(
    `select (select system_identifier from pg_control_system())
              || '/' || (select oid from pg_database where datname = current_database())
              || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as history,
            pg_current_wal_lsn()::text as position,
            pg_current_wal_lsn() >= $1::pg_lsn as ahead`,
    [note?.position ?? null],
  );
  const [{ history, position, ahead } = { history: "", position: "0/0", ahead: null }] = rows;
  return { history, position, goesOn: note?.history === history && ahead === true };
}
