/**
 * What the whole service has waiting, read from the database: the same from whichever process it is asked, so a rule
 * takes the largest of them and never their sum. One statement serves a scrape.
 */
import type { Queryable } from "../database/database.ts";

export type Figures = {
  /** Deliveries accepted and not yet loaded, and those of them that are being loaded. */
  stagingDepth: number;
  loadingDeliveries: number;
  loadingRecords: number;
  loadingBytesLeft: number;
  /** Of a delivery that nobody has begun and that may be loaded now; 0: none waits. */
  oldestWaitingSeconds: number;
  /** Null: nothing was loaded yet. */
  lastLoadedAtSeconds: number | null;
  changedUsers: number;
  /** Who waits on the list for a version of recognition to be put in force. */
  heldUsers: number;
  /** Of a user with new data; 0: none waits. */
  oldestChangedSeconds: number;
  expectedFilesMissing: number;
  notificationsPending: number;
  notificationsDead: number;
  oldestNotificationSeconds: number;
  importMarkersWaiting: number;
  quarantinedRefused: number;
  quarantinedWaiting: number;
  processesSilent: number;
};

/** Whoever is to be computed again for another reason is marked as if untouched for a day (partners/changed-users). */
const newDataWithin = "interval '12 hours'";

const age = (oldest: string) => `coalesce(extract(epoch from now() - (${oldest})), 0)::float8`;

/** @param silentAfterSeconds see processes.ts */
export async function readFigures(database: Queryable, silentAfterSeconds: number): Promise<Figures> {
  const { rows } = await database.query<Figures>(
    `select open.*, users.*, told.*, held.*,
            (select extract(epoch from finished_at)::float8 from deliveries
              where finished_at is not null and state = 'loaded' order by finished_at desc limit 1) as "lastLoadedAtSeconds",
            (select count(*) from expected_files where state = 'missing') as "expectedFilesMissing",
            (select count(*) from import_markers where applied_at is null) as "importMarkersWaiting",
            (select count(*) from processes
              where beat_at < now() - $1 * interval '1 second') as "processesSilent"
       from (select count(*) as "stagingDepth",
                    count(*) filter (where state = 'loading') as "loadingDeliveries",
                    coalesce(sum(records) filter (where state = 'loading'), 0)::bigint as "loadingRecords",
                    coalesce(sum(size_bytes - bytes_loaded) filter (where state = 'loading'), 0)::bigint as "loadingBytesLeft",
                    ${age("min(accepted_at) filter (where state = 'accepted' and (retry_at is null or retry_at <= now()))")}
                      as "oldestWaitingSeconds"
               from deliveries
              where state in ('accepted', 'loading')) as open,
            (select count(*) filter (where held_for is null) as "changedUsers",
                    count(*) filter (where held_for is not null) as "heldUsers",
                    ${age(`min(touched_at) filter (where held_for is null and touched_at > now() - ${newDataWithin} and touched_at <= now())`)}
                      as "oldestChangedSeconds"
               from changed_users) as users,
            (select count(*) filter (where state = 'pending') as "notificationsPending",
                    count(*) filter (where state = 'dead') as "notificationsDead",
                    ${age("min(created_at) filter (where state = 'pending')")} as "oldestNotificationSeconds"
               from notifications
              where state in ('pending', 'dead')) as told,
            (select coalesce(sum(records) filter (where kind = 'refused'), 0)::bigint as "quarantinedRefused",
                    coalesce(sum(records) filter (where kind = 'waiting'), 0)::bigint as "quarantinedWaiting"
               from held_records) as held`,
    [silentAfterSeconds],
  );
  const [figures] = rows;
  if (figures === undefined) throw new Error("the figures' statement gives one row");
  return figures;
}

/** Keys that end by themselves: of each partner and kind the one that ends first. */
export type KeyEnd = { partnerId: string; kind: string; endsAt: Date };

export async function listKeyEnds(database: Queryable): Promise<KeyEnd[]> {
  const { rows } = await database.query<KeyEnd>(
    `select partner_id as "partnerId", kind, min(expires_at) as "endsAt"
       from (select partner_id, 'login' as kind, expires_at from login_keys where revoked_at is null
             union all
             select partner_id, 'sftp', expires_at from sftp_keys
             union all
             select partner_id, 'client-certificate', expires_at from client_certificates) as keys
       join partners on partners.id = partner_id and partners.suspended_at is null
      where expires_at > now() - interval '7 days'
      group by partner_id, kind
      order by min(expires_at), partner_id, kind`,
  );
  return rows;
}

/** How far each standby is behind, as far as the connection's role may see it; none on a standby itself. */
export type ReplicaLag = { replica: string; seconds: number; bytes: number };

export async function listReplicaLags(database: Queryable): Promise<ReplicaLag[]> {
  const { rows } = await database.query<ReplicaLag>(
    `select coalesce(nullif(application_name, ''), 'standby') as replica,
            max(coalesce(extract(epoch from replay_lag), 0))::float8 as seconds,
            max(pg_wal_lsn_diff(case when pg_is_in_recovery() then null else pg_current_wal_lsn() end, replay_lsn))::float8 as bytes
       from pg_stat_replication
      where replay_lsn is not null
      group by 1
      order by 1`,
  );
  return rows;
}

/**
 * When the last backup ended well; null: none did, or it is made without this service, which then keeps no record of it.
 */
export async function readLastBackup(database: Queryable): Promise<Date | null> {
  const { rows: tables } = await database.query<{ there: boolean }>(
    "select to_regclass('backups') is not null as there",
  );
  if (tables[0]?.there !== true) return null;
  const { rows } = await database.query<{ finishedAt: Date | null }>(
    'select max(finished_at) as "finishedAt" from backups',
  );
  return rows[0]?.finishedAt ?? null;
}

/** Asks at most once within `keptMs`: the figures of one scrape are asked for one after the other. */
export function sharing<Value>(read: () => Promise<Value>, keptMs: number, nowMs: () => number = Date.now) {
  let kept: { atMs: number; value: Promise<Value> } | null = null;
  return (): Promise<Value> => {
    if (kept === null || nowMs() - kept.atMs >= keptMs) kept = { atMs: nowMs(), value: read() };
    return kept.value;
  };
}
