/**
 * The table of processes: each beats in it while it lives, and takes its row along when it stops. One that stops beating
 * is silent at first, which is an operator's to look at, and forgotten later by those that live.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Queryable } from "../database/database.ts";
import type { Events } from "../events.ts";

export type Process = {
  id: string;
  role: readonly string[];
  version: string;
  machine: string;
  pid: number;
  startedAt: Date;
  beatAt: Date;
  workingOn: string | null;
  /** It has not beaten for longer than a living one ever does. */
  silent: boolean;
};

/** Where its doors listen and what proves them: public parts only. */
export type ProcessDoors = {
  /** Of its API; null: it runs none. */
  baseUrl: string | null;
  /** PEM of who signed the API's certificate, or that certificate itself. */
  authority: string | null;
  /** Null: no SFTP door runs in it. */
  sftpPort: number | null;
  /** Type and base64 of each key that its SFTP door announces. */
  hostKeys: readonly string[];
};

const beatEveryMs = 10_000;
/** Three beats that did not come, and a moment for a database that is slow. */
export const silentAfterSeconds = 40;
/** Long enough to be seen, and alerted about; a fleet that scales up and down all day leaves no crowd behind. */
const forgottenAfterMinutes = 60;

/** A process as it first writes itself. */
export function describeSelf(role: readonly string[], version: string, now: Date) {
  return { id: randomUUID(), role, version, machine: hostname(), pid: process.pid, startedAt: now };
}

export type Self = ReturnType<typeof describeSelf>;

/** What of a process changes from beat to beat. */
export type Told = { workingOn: string | null; doors?: ProcessDoors | null };

/** Writes the row where it is not, or not any more. */
export async function beat(database: Queryable, self: Self, { workingOn, doors = null }: Told): Promise<void> {
  await database.query(
    `insert into processes (id, role, version, machine, pid, started_at, working_on, doors)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (id) do update set beat_at = now(), working_on = excluded.working_on, doors = excluded.doors`,
    [self.id, self.role, self.version, self.machine, self.pid, self.startedAt, workingOn, doors],
  );
}

/** Where a fleet is reached: of its API and of its SFTP door each the latest that is there. Null: none is. */
export type FleetDoors = {
  api: { baseUrl: string; authority: string | null } | null;
  sftp: { port: number; hostKeys: readonly string[] } | null;
};

export async function listDoors(database: Queryable): Promise<FleetDoors> {
  const { rows } = await database.query<{ doors: ProcessDoors }>(
    `select doors
       from processes
      where doors is not null
        and beat_at >= now() - $1 * interval '1 second'
      order by started_at desc, id`,
    [silentAfterSeconds],
  );
  let [api, sftp]: [FleetDoors["api"], FleetDoors["sftp"]] = [null, null];
  for (const { baseUrl, authority, sftpPort, hostKeys } of rows.map((row) => row.doors)) {
    if (baseUrl !== null) api ??= { baseUrl, authority };
    if (sftpPort !== null) sftp ??= { port: sftpPort, hostKeys };
  }
  return { api, sftp };
}

export async function leave(database: Queryable, id: string): Promise<void> {
  await database.query("delete from processes where id = $1", [id]);
}

export async function forgetSilent(database: Queryable): Promise<void> {
  await database.query(`delete from processes where beat_at < now() - interval '${forgottenAfterMinutes} minutes'`);
}

/**
 * Takes out what an earlier run on this machine left behind when it was killed: whose number nobody has any more. A
 * living one that another view of process numbers hides is back with its next beat.
 */
export async function forgetDeadHere(
  database: Queryable,
  machine: string,
  isAlive: (pid: number) => boolean = hasProcess,
): Promise<void> {
  const { rows } = await database.query<{ id: string; pid: number }>(
    "select id, pid from processes where machine = $1 and beat_at < now() - $2 * interval '1 second'",
    [machine, beatEveryMs / 1000],
  );
  for (const { id, pid } of rows) if (pid === process.pid || !isAlive(pid)) await leave(database, id);
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is somebody else's, and so it is.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The longest running first. */
export async function listProcesses(database: Queryable): Promise<Process[]> {
  const { rows } = await database.query<Process>(
    `select id, role, version, machine, pid, started_at as "startedAt", beat_at as "beatAt", working_on as "workingOn",
            beat_at < now() - $1 * interval '1 second' as silent
       from processes
      order by started_at, id`,
    [silentAfterSeconds],
  );
  return rows;
}

/** Which roles run how often, in words: "api 1, worker 3; silent: worker on m7 since 12:00:05Z". */
export function describeFleet(processes: readonly Process[], roles: readonly string[]): string {
  const living = processes.filter(({ silent }) => !silent);
  const counts = roles.map((role) => `${role} ${living.filter((one) => one.role.includes(role)).length}`);
  const silent = processes
    .filter((one) => one.silent)
    .map((one) => `${one.role.join("+")} on ${one.machine} since ${one.beatAt.toISOString().slice(11, 19)}Z`);
  return [counts.join(", "), ...(silent.length === 0 ? [] : [`silent: ${silent.join(", ")}`])].join("; ");
}

/**
 * Beats at once and from then on. A database that is away is told once, and beaten into again when it is back.
 * @returns stops, and takes the row along where the database lets it
 */
export async function startBeating(
  { database, events }: { database: Queryable; events: Events },
  self: Self,
  tell: () => Told,
  everyMs: number = beatEveryMs,
): Promise<() => Promise<void>> {
  let failing = false;
  const failed = (error: unknown) => {
    if (!failing) events.emit("job.failed", { job: "heartbeat", durationMs: 0, error });
    failing = true;
  };
  // A database that takes its time, or a pooler that has no connection to give just now, ends no start.
  await forgetDeadHere(database, self.machine)
    .then(() => beat(database, self, tell()))
    .catch(failed);
  let beating = Promise.resolve();
  const timer = setInterval(() => {
    beating = beating
      .then(() => beat(database, self, tell()))
      .then(() => forgetSilent(database))
      .then(() => void (failing = false))
      .catch(failed);
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await beating;
    // Without a database it is forgotten by others.
    await leave(database, self.id).catch(() => undefined);
  };
}
