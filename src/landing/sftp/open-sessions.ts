/**
 * Logged-in connections of all doors of a fleet: each door writes its own every few seconds, and reads there which of them
 * an operator wants ended.
 */
import type { Queryable } from "../../database/database.ts";
import type { Events } from "../../events.ts";

export type OpenSession = {
  id: string;
  partnerId: string;
  address: string;
  since: Date;
  bytesReceived: number;
  bytesSent: number;
  filesDelivered: number;
  uploads: { name: string; bytes: number }[];
};

export type ListedSession = OpenSession & { machine: string; endedBy: string | null };

export type SessionDoor = { openSessions(): OpenSession[]; disconnect(sessionId: string): void };

const writeEveryMs = 3000;
/** A door that has not written for so long has gone, or its machine has. */
const goneAfterSeconds = 20;
const uploadsNamedMax = 10;

/**
 * Writes the door's sessions as they are now.
 * @returns ids of those that are to be ended
 */
export async function writeSessions(
  database: Queryable,
  door: { id: string; machine: string },
  sessions: readonly OpenSession[],
): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `with open as (
       select * from jsonb_to_recordset($3::jsonb) as one (
         id uuid, "partnerId" text, address text, since timestamptz, "bytesReceived" bigint, "bytesSent" bigint,
         "filesDelivered" bigint, uploads jsonb)
     ), closed as (
       delete from sftp_sessions
        where (door_id = $1 and id not in (select id from open))
           or seen_at < now() - interval '10 minutes'
     ), written as (
       insert into sftp_sessions
         (id, door_id, machine, partner_id, address, since, bytes_received, bytes_sent, files_delivered, uploads)
       select open.id, $1::uuid, $2, "partnerId", address, since, "bytesReceived", "bytesSent", "filesDelivered", uploads
         from open
         -- One that was removed meanwhile: its sessions end by themselves.
         join partners on partners.id = "partnerId"
       on conflict (id) do update
          set seen_at = now(), bytes_received = excluded.bytes_received, bytes_sent = excluded.bytes_sent,
              files_delivered = excluded.files_delivered, uploads = excluded.uploads
       returning id, ended_by
     )
     select id from written where ended_by is not null`,
    [door.id, door.machine, JSON.stringify(sessions.map(shortened))],
  );
  return rows.map(({ id }) => id);
}

function shortened(session: OpenSession): OpenSession {
  return { ...session, uploads: session.uploads.slice(0, uploadsNamedMax) };
}

/** Of living doors. The longest first. @param partnerIds null: of all */
export async function listSessions(
  database: Queryable,
  partnerIds: readonly string[] | null,
  limit: number,
): Promise<ListedSession[]> {
  const { rows } = await database.query<ListedSession>(
    `select id, partner_id as "partnerId", machine, address, since, bytes_received as "bytesReceived", bytes_sent as "bytesSent",
            files_delivered as "filesDelivered", uploads, ended_by as "endedBy"
       from sftp_sessions
      where seen_at > now() - make_interval(secs => $3)
        and ($1::text[] is null or partner_id = any($1))
      order by since, id
      limit $2`,
    [partnerIds, limit, goneAfterSeconds],
  );
  return rows;
}

/** Its door ends it within seconds. @returns false: the partner has no such session, or somebody has ended it */
export async function askToEnd(
  transaction: Queryable,
  { partnerId, sessionId, actor }: { partnerId: string; sessionId: string; actor: string },
): Promise<boolean> {
  const { rowCount } = await transaction.query(
    `update sftp_sessions
        set ended_by = $3
      where id = $1
        and partner_id = $2
        and ended_by is null
        and seen_at > now() - make_interval(secs => $4)`,
    [sessionId, partnerId, actor, goneAfterSeconds],
  );
  return rowCount === 1;
}

/** @returns stops, and takes the door's rows along where the database lets it */
export function startWriting(
  { database, events }: { database: Queryable; events: Events },
  own: { id: string; machine: string },
  door: SessionDoor,
  everyMs: number = writeEveryMs,
): () => Promise<void> {
  let wereThere = false;
  let failing = false;
  const write = async (sessions: readonly OpenSession[]) => {
    // Nobody is there and nobody was: nothing is asked of the database.
    if (sessions.length === 0 && !wereThere) return;
    for (const id of await writeSessions(database, own, sessions)) door.disconnect(id);
    wereThere = sessions.length > 0;
    failing = false;
  };
  let writing = Promise.resolve();
  const timer = setInterval(() => {
    writing = writing
      .then(() => write(door.openSessions()))
      .catch((error: unknown) => {
        if (!failing) events.emit("job.failed", { job: "sftp-sessions", durationMs: 0, error });
        failing = true;
      });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await writing;
    // Without a database they are forgotten by others.
    await write([]).catch(() => undefined);
  };
}
