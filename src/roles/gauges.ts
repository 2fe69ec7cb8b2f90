/** Figures that are read when metrics are asked for. */
import { X509Certificate } from "node:crypto";
import {
  type Figures,
  listKeyEnds,
  listReplicaLags,
  readFigures,
  readLastBackup,
  sharing,
} from "../observation/figures.ts";
import { silentAfterSeconds } from "../observation/processes.ts";
import type { Database } from "../database/database.ts";
import { readRatesAge } from "../rates/watch.ts";
import type { Ground } from "./ground.ts";

/** A scrape asks for all of them one after the other. */
const sharedForMs = 1000;
/** What changes by the day is not counted with each scrape. */
const slowSharedForMs = 30_000;

type NumberOf = { readonly [Name in keyof Figures]: readonly [metric: string, help: string] };

/** The service's, by the name under which Prometheus keeps each. */
const ofFigures: NumberOf = {
  stagingDepth: ["tideline_staging_depth", "Deliveries accepted and not yet loaded."],
  loadingDeliveries: ["tideline_loading_deliveries", "Deliveries that are being loaded."],
  loadingRecords: ["tideline_loading_records", "Records that they have brought so far."],
  loadingBytesLeft: ["tideline_loading_bytes_left", "Landed bytes that they still have before them."],
  oldestWaitingSeconds: [
    "tideline_oldest_waiting_seconds",
    "How long the oldest delivery has waited that may be loaded and that nobody has begun.",
  ],
  lastLoadedAtSeconds: ["tideline_last_loaded_timestamp_seconds", "When a delivery was last loaded."],
  changedUsers: ["tideline_changed_users", "Users whose figures are not up to date."],
  heldUsers: ["tideline_held_users", "Users whom a version of recognition sees differently that is not put in force."],
  oldestChangedSeconds: [
    "tideline_oldest_changed_user_seconds",
    "How long the user has waited whose new data wait longest for recognition.",
  ],
  expectedFilesMissing: ["tideline_expected_files_missing", "Files that should have come and have not."],
  notificationsPending: ["tideline_notifications_pending", "Notifications that are not delivered yet."],
  notificationsDead: ["tideline_notifications_dead", "Notifications that were given up and can be replayed."],
  oldestNotificationSeconds: [
    "tideline_oldest_notification_seconds",
    "How old the oldest notification is that is not delivered yet.",
  ],
  importMarkersWaiting: [
    "tideline_import_markers_waiting",
    "IMPORT_COMPLETED markers that wait for earlier deliveries.",
  ],
  quarantinedRefused: ["tideline_quarantine_records_refused", "Records of loaded deliveries that are held as refused."],
  quarantinedWaiting: ["tideline_quarantine_records_waiting", "Records that wait for their account's user."],
  processesSilent: ["tideline_processes_silent", "Processes of the service that have stopped beating."],
};

/** @param asked the connections for whoever looks: short, few, and apart from those of work */
export function observeGround(ground: Ground, asked: Database): void {
  const { events, clock, disk } = ground;
  const figures = sharing(() => readFigures(asked, silentAfterSeconds), sharedForMs);
  for (const [name, [metric, help]] of Object.entries(ofFigures))
    events.gauge(metric, help, async () => (await figures())[name as keyof Figures] ?? Number.NaN);
  events.gauge(
    "tideline_exchange_rates_missed",
    "Publications of exchange rates, one a banking day, that came after the newest rates; today left out.",
    async () => (await readRatesAge(asked, clock)).bankingDays ?? Number.NaN,
  );
  const place = ["place"] as const;
  const disks = (value: "freeBytes" | "floorBytes" | "sizeBytes") => () =>
    disk.spaces().map((one) => ({ labels: { place: one.place }, value: one[value] }));
  events.gauges("tideline_disk_free_bytes", "Free bytes where it lies, on this machine.", place, disks("freeBytes"));
  events.gauges("tideline_disk_size_bytes", "The size of that disk.", place, disks("sizeBytes"));
  events.gauges("tideline_disk_floor_bytes", "Below so many nothing new is taken.", place, disks("floorBytes"));
  observeEnds(ground, asked);
}

/** What ends by itself, and what falls behind. */
function observeEnds(ground: Ground, asked: Database): void {
  const { events } = ground;
  events.gauges(
    "tideline_certificate_expires_timestamp_seconds",
    "When the certificate of the HTTPS door ends.",
    ["certificate"],
    () => [{ labels: { certificate: "https" }, value: seconds(new Date(endOf(ground.certificate.cert))) }],
  );
  const keyEnds = sharing(() => listKeyEnds(asked), slowSharedForMs);
  events.gauges(
    "tideline_key_expires_timestamp_seconds",
    "When the first of a partner's keys of a kind ends, of those that end by themselves.",
    ["partner", "kind"],
    async () =>
      (await keyEnds())
        .slice(0, keysNamedMax)
        .map(({ partnerId, kind, endsAt }) => ({ labels: { partner: partnerId, kind }, value: seconds(endsAt) })),
  );
  const lags = sharing(() => listReplicaLags(asked), sharedForMs);
  const lag = (value: "seconds" | "bytes") => async () =>
    (await lags()).map((one) => ({ labels: { replica: one.replica }, value: one[value] }));
  const replica = ["replica"] as const;
  events.gauges("tideline_replica_lag_seconds", "How far a standby is behind.", replica, lag("seconds"));
  events.gauges("tideline_replica_lag_bytes", "Write-ahead log it has not replayed.", replica, lag("bytes"));
  const lastBackup = sharing(() => readLastBackup(asked), slowSharedForMs);
  events.gauges(
    "tideline_backup_last_success_timestamp_seconds",
    "When the last backup by this service ended well; none where none was made.",
    [],
    async () => {
      const at = await lastBackup();
      return at === null ? [] : [{ labels: {}, value: seconds(at) }];
    },
  );
}

/** Those that end first; a label for each of thousands of partners would only swell the answer. */
const keysNamedMax = 200;

function endOf(chain: string): string {
  return new X509Certificate(chain).validTo;
}

function seconds(at: Date): number {
  return at.getTime() / 1000;
}
