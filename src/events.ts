/**
 * The one vocabulary of what happens, past tense. Emitting writes the log line and moves the metrics.
 * Levels by data loss: error = lost or someone must act; warn = recovered; info = normal life.
 * Fields carry ids, counts and codes; never a payload, a name, an amount, a token or a key.
 */
import { setTimeout as wait } from "node:timers/promises";
import { Gauge, Registry } from "prom-client";
import { type Level, type LogSettings, openLog } from "./log.ts";
import { boundedLabel, createMetrics, type Metrics } from "./metrics.ts";

type Correlated = { correlationId: string };
type OfDelivery = Correlated & { partnerId: string; deliveryId: string };
type OfNotification = Correlated & { partnerId: string; notificationId: string; type: string; attempt: number };
type Failure = { error: unknown };

export type EventFields = {
  "service.started": { roles: string; version: string };
  /** The terminal that started it is gone, or somebody sent SIGHUP; it goes on. */
  "service.hung-up": Record<never, never>;
  "service.stopping": { reason: string };
  "service.stopped": Record<never, never>;
  /** Seconds after it stopped the process was still there, held by these, and has ended itself: a fault of ours. */
  "service.lingered": { resources: string };
  "postgres.started": { port: number; recovered: boolean };
  "postgres.stopped": Record<never, never>;
  /** The server certificate of our own authority could not be read: it is made anew. */
  "certificate.broken": Failure;
  "postgres.orphan-stopped": { pid: number };
  "database.unreachable": Failure;
  "queue.unreachable": Failure;
  "database.migrated": { applied: number };
  /** Callers' connections work with the rights of all others: only the code's own conditions keep partners apart. */
  "database.callers-not-confined": object;
  "database.callers-could-leave": object;
  "api.answered": Correlated & {
    method: string;
    route: string;
    status: number;
    durationMs: number;
    partnerId?: string;
    traceId?: string;
  };
  "api.failed": Correlated & Failure & { method: string; route: string };
  "console.answered": { method: string; route: string; status: number; durationMs: number };
  "console.failed": Failure & { method: string; route: string };
  /** The first account's token lies in this file of the data folder. */
  "console.token-made": { file: string };
  "login.accepted": Correlated & { partnerId: string };
  "login.refused": Correlated & { partnerId: string; reason: string };
  "user.created": Correlated & { partnerId: string };
  "user.deleted": Correlated & { partnerId: string };
  "https.certificate-renewed": object;
  "users.erased": { users: number; rows: number; durationMs: number };
  /** removed: accounts whose access ended. */
  "accounts.kept": Correlated & { partnerId: string; removed: number };
  "batch.refused": Correlated & { partnerId: string; errorCode: string };
  "audit.lost": { count: number };
  /** How far the audit trail is chained: keep it, and `audit verify --anchor` finds an end that was cut off since. */
  "audit.anchored": { number: number; digest: string };
  /** Nothing is loaded from the vault or kept in it until it is there again. */
  "vault.away": Record<never, never>;
  "vault.returned": Record<never, never>;
  /**
   * The database had forgotten files that it had acknowledged, a lagging standby or an older copy of it: they are loaded
   * again. Between those times others were acknowledged as well, and lie nowhere but with their senders.
   */
  "vault.taken-up": { files: number; cameAgain: number; acceptedFrom: string; acceptedUntil: string };
  /** Files that were acknowledged and forgotten, and of which is not known whose they are. */
  "vault.unclaimed": { files: number };
  "backup.made": { backup: string; sizeBytes: number; durationMs: number };
  "backup.failed": Failure;
  /** Where backups go has no mark of theirs: its disk is not mounted, or somebody emptied it. */
  "backup.away": Record<never, never>;
  "backup.log-failed": Failure;
  /** The log that was kept cannot go on: a new chain begins, and with it a new backup. */
  "backup.log-begun": { slot: string };
  "disk.low": { place: string; freeBytes: number; floorBytes: number };
  "disk.recovered": { place: string; freeBytes: number; floorBytes: number };
  "disk.unreadable": Failure;
  /** Traces or metrics could not be sent by OTLP, and are lost; told once until some are sent again. */
  "telemetry.failed": Failure & { signal: string };
  "expected-file.missing": { partnerId: string; expectation: string; dueDay: string };
  "expected-file.arrived-late": { partnerId: string; expectation: string; dueDay: string; deliveryId: string };
  "retention.ran": {
    deliveries: number;
    sizeBytes: number;
    undelivered: number;
    rows: number;
    orphans: number;
    auditEvents: number;
    durationMs: number;
  };
  /** Besides those that were named this second. */
  "sftp.connections-refused": { connections: number };
  "sftp.connection-delayed": { address: string; delayMs: number };
  "sftp.host-keys-changed": { announced: number };
  "sftp.connection-refused": { address: string; reason: string };
  "sftp.login-accepted": { sessionId: string; partnerId: string; address: string; fingerprint: string };
  "sftp.login-refused": { sessionId: string; user: string; address: string; reason: string };
  "sftp.session-ended": { sessionId: string; partnerId: string; bytesReceived: number; filesDelivered: number };
  "sftp.session-revoked": { sessionId: string; partnerId: string };
  /** By an operator. */
  "sftp.session-disconnected": { sessionId: string; partnerId: string };
  "sftp.quota-refused": { sessionId: string; partnerId: string; quota: string };
  "sftp.upload-started": { sessionId: string; partnerId: string };
  "sftp.upload-finished": Correlated & {
    sessionId: string;
    partnerId: string;
    sizeBytes: number;
    durationMs: number;
    delivered: boolean;
  };
  "sftp.file-renamed": { sessionId: string; partnerId: string; delivered: boolean };
  "sftp.file-recovered": Correlated & { partnerId: string; sizeBytes: number };
  "sftp.file-removed": { sessionId: string; partnerId: string };
  /** Closed by its client, and told by its structure not to be whole. */
  "sftp.upload-incomplete": Correlated & { sessionId: string; partnerId: string; sizeBytes: number };
  /** One that nobody went on with in time is taken as it is. */
  "sftp.upload-lapsed": Correlated & { partnerId: string; sizeBytes: number };
  "sftp.upload-abandoned": { sessionId: string; partnerId: string; sizeBytes: number };
  "sftp.refused": { sessionId: string; partnerId: string; operation: string; reason: string };
  "sftp.failed": Failure & { sessionId: string };
  "delivery.accepted": OfDelivery & { door: string; format: string; sizeBytes: number };
  /** The HTTPS door, told each second: connections that got no place, and that were ended because of how they behaved. */
  "https.connections-refused": { reason: string; connections: number };
  /** Those that had to wait before their handshake, and then began it. */
  "https.connections-waited": { connections: number; longestMs: number };
  "proxy.refused": { address: string; reason: string };
  "https.connections-cut": { reason: string; connections: number };
  "delivery.repeated": OfDelivery & { door: string; firstDeliveryId: string };
  "delivery.started": OfDelivery & { attempt: number };
  "delivery.loaded": OfDelivery & {
    batches: number;
    /** Among them. */
    batchesRefused: number;
    records: number;
    recordsNew: number;
    recordsKnown: number;
    recordsConflicting: number;
    /** Among the conflicting ones. */
    recordsCorrected: number;
    recordsRefused: number;
    recordsWaiting: number;
    markers: number;
    durationMs: number;
  };
  "delivery.refused": OfDelivery & { code: string };
  /** Refused after its loading failed too often: somebody must remove the cause, and have it retried. */
  "delivery.given-up": OfDelivery & { code: string };
  /** Held records were read again; counts are changes. */
  "delivery.revisited": OfDelivery & { recordsNew: number; recordsRefused: number; recordsWaiting: number };
  /** The original could not be read again; what it held stays held. */
  "delivery.revisit-refused": OfDelivery & { code: string };
  "delivery.failed": OfDelivery & Failure & { attempt: number };
  /** Broke off for no reason of its own, and goes on by itself. */
  "delivery.interrupted": OfDelivery & Failure & { attempt: number };
  /** A small file opens to more than small ones do, and goes on beside the large ones. */
  "delivery.outgrown": OfDelivery;
  /** An operator called it off. */
  "delivery.cancelled": OfDelivery & { code: string };
  /** Requests could not be loaded together; each is loaded alone. */
  "delivery.group-failed": Failure & { partnerId: string; count: number };
  /** One of them was left out. */
  "delivery.left-group": { partnerId: string; deliveryId: string; reason: string };
  /** Recorded, and the queue could not be told: workers find them by themselves within seconds. */
  "delivery.uncalled": Failure & { count: number };
  "receipt.failed": OfDelivery & Failure;
  /**
   * After an unclean stop: so many of the receipts that it may have spoiled are compared with the database, so many of
   * them were written anew.
   */
  "receipts.compared": { compared: number; mended: number; total: number };
  /** The same of small files in vault and inbox, with their bytes in the database. */
  "files.compared": { compared: number; mended: number };
  "import.completed": { users: number; reason: "marker" | "assumed" };
  "recognition.ran": { users: number; services: number; durationMs: number };
  "recognition.upgraded": {
    algorithmVersion: number;
    users: number;
    servicesNew: number;
    servicesGone: number;
    frequenciesChanged: number;
    statusesChanged: number;
  };
  /** Users whom a version would see differently that is not put in force. */
  "recognition.held": { algorithmVersion: number; users: number };
  "recognition.failed": Failure & { users: number };
  /** days: that are new or have other rates now. newest: the last one there is. */
  "rates.loaded": { days: number; newest: string };
  "rates.fetch-failed": { failure: string };
  /** No newer ones for so many banking days: figures in other currencies are made at old rates. newest: empty for none. */
  "rates.old": { newest: string; bankingDays: number | null };
  "psd2.started": { partnerId: string; loginId: string };
  /** failure: empty when nothing failed. */
  "psd2.answered-elsewhere": { partnerId: string; loginId: string };
  "psd2.confirmed": { correlationId: string; partnerId: string; loginId: string };
  "psd2.ended": { partnerId: string; loginId: string; outcome: string; failure: string };
  "psd2.fetched": { partnerId: string; consentId: string; records: number };
  "psd2.fetch-failed": { partnerId: string; consentId: string; failure: string; ended: boolean };
  "psd2.consents-ending": { consents: number };
  "psd2.consent-given-back": { partnerId: string; consentId: string };
  "psd2.giving-back-failed": { partnerId: string; consentId: string; failure: string };
  "notification.delivered": OfNotification & { waitedMs: number };
  "notification.postponed": OfNotification & { failure: string; delayMs: number };
  "notification.given-up": OfNotification & { failure: string };
  "budget.created": Correlated & { partnerId: string };
  "budget.completed": Correlated & { partnerId: string; status: string };
  "budget.coapplicant-linked": Correlated & { partnerId: string };
  "budgets.refreshed": { users: number; budgets: number; statusChanges: number; durationMs: number };
  "budgets.failed": Failure;
  "report.made": {
    partnerId: string;
    documentId: string;
    type: string;
    pages: number;
    sizeBytes: number;
    durationMs: number;
  };
  /** `again`: it is tried again. */
  "report.failed": Failure & { partnerId: string; documentId: string; type: string; attempt: number; again: boolean };
  "budget.report-made": Correlated & { partnerId: string; pages: number; sizeBytes: number; durationMs: number };
  "reports.removed": { count: number };
  /** Something is wrong that those who run the service are told of; kind: firing, or again while it lasts. */
  "alert.fired": { alert: string; subject: string; severity: string; kind: string };
  "alert.recovered": { alert: string; subject: string; severity: string; kind: string };
  "alert.sent": { channel: string; kind: string; alert: string; attempt: number };
  "alert.not-sent": Failure & { channel: string; kind: string; alert: string; attempt: number; again: boolean };
  "job.failed": Failure & { job: string; durationMs: number };
};

export type EventName = keyof EventFields;

/** Events that are not plain `info`. */
const levels: Partial<Record<EventName, Level>> = {
  "service.hung-up": "warn",
  "service.lingered": "warn",
  "postgres.orphan-stopped": "warn",
  "database.unreachable": "error",
  "database.callers-not-confined": "warn",
  "database.callers-could-leave": "info",
  "queue.unreachable": "error",
  "api.answered": "debug",
  "api.failed": "error",
  "console.answered": "debug",
  "console.failed": "error",
  "console.token-made": "warn",
  "login.refused": "warn",
  "batch.refused": "warn",
  "audit.lost": "error",
  "audit.anchored": "info",
  "vault.away": "error",
  "vault.returned": "warn",
  "vault.taken-up": "warn",
  "vault.unclaimed": "error",
  "backup.failed": "error",
  "backup.away": "error",
  "backup.log-failed": "warn",
  "disk.low": "error",
  "disk.recovered": "warn",
  "disk.unreadable": "error",
  "telemetry.failed": "warn",
  "expected-file.missing": "error",
  "expected-file.arrived-late": "warn",
  "sftp.connection-delayed": "warn",
  "sftp.connection-refused": "warn",
  "proxy.refused": "warn",
  "sftp.login-refused": "warn",
  "sftp.upload-abandoned": "warn",
  "sftp.upload-incomplete": "warn",
  "sftp.upload-lapsed": "warn",
  "sftp.file-recovered": "warn",
  "sftp.session-revoked": "warn",
  "sftp.session-disconnected": "warn",
  "sftp.quota-refused": "warn",
  "sftp.refused": "warn",
  "sftp.failed": "error",
  "delivery.refused": "warn",
  "delivery.given-up": "error",
  "delivery.revisit-refused": "warn",
  "delivery.failed": "error",
  "delivery.uncalled": "warn",
  "delivery.group-failed": "warn",
  "delivery.left-group": "warn",
  "delivery.interrupted": "warn",
  "delivery.cancelled": "warn",
  "receipt.failed": "error",
  "certificate.broken": "error",
  "recognition.failed": "error",
  "rates.fetch-failed": "warn",
  "rates.old": "error",
  "psd2.answered-elsewhere": "warn",
  "psd2.fetch-failed": "warn",
  "psd2.giving-back-failed": "warn",
  "notification.postponed": "warn",
  "notification.given-up": "error",
  "budgets.failed": "error",
  "report.failed": "error",
  "alert.fired": "error",
  "alert.recovered": "warn",
  "alert.not-sent": "error",
  "job.failed": "error",
};

/** @param label of a partner: bounded, however many there are */
type Observe<Name extends EventName> = (
  metrics: Metrics,
  fields: EventFields[Name],
  label: (partnerId: string) => string,
) => void;

/** What events count besides themselves. */
const observed: { readonly [Name in EventName]?: Observe<Name> } = {
  "delivery.accepted": ({ bytes }, { door, sizeBytes }) => bytes.inc({ door }, sizeBytes),
  "delivery.repeated": ({ repeated }, { door }) => repeated.inc({ door }),
  "delivery.revisited": ({ released }, { recordsNew }) => released.inc(Math.max(0, recordsNew)),
  "delivery.loaded": ({ deliveries, batches, loading, records, held }, loaded, label) => {
    deliveries.inc({ outcome: "loaded" });
    batches.inc({ outcome: "read" }, loaded.batches - loaded.batchesRefused);
    batches.inc({ outcome: "refused" }, loaded.batchesRefused);
    loading.observe(loaded.durationMs / 1000);
    records.inc({ outcome: "new" }, loaded.recordsNew);
    records.inc({ outcome: "known" }, loaded.recordsKnown);
    records.inc({ outcome: "marker" }, loaded.markers);
    const { partnerId, recordsConflicting, recordsRefused, recordsWaiting } = loaded;
    const apart = { conflicting: recordsConflicting, refused: recordsRefused, waiting: recordsWaiting };
    for (const [outcome, count] of Object.entries(apart)) {
      records.inc({ outcome }, count);
      held.inc({ partner: label(partnerId), outcome }, count);
    }
  },
  "delivery.refused": ({ deliveries }) => deliveries.inc({ outcome: "refused" }),
  "delivery.given-up": ({ deliveries }) => deliveries.inc({ outcome: "refused" }),
  "api.answered": ({ requests }, { method, route, status, durationMs }) =>
    requests.observe({ method, route, status }, durationMs / 1000),
  "sftp.login-accepted": ({ logins }) => logins.inc({ outcome: "accepted" }),
  "sftp.login-refused": ({ logins }, { reason }) => logins.inc({ outcome: reason }),
  "sftp.upload-finished": ({ uploads }, { partnerId, delivered }, label) =>
    uploads.inc({ partner: label(partnerId), outcome: delivered ? "delivered" : "kept" }),
  "sftp.upload-abandoned": ({ uploads }, { partnerId }, label) =>
    uploads.inc({ partner: label(partnerId), outcome: "abandoned" }),
  "sftp.upload-incomplete": ({ uploads }, { partnerId }, label) =>
    uploads.inc({ partner: label(partnerId), outcome: "incomplete" }),
  "sftp.session-ended": ({ uploaded }, { partnerId, bytesReceived }, label) =>
    uploaded.inc({ partner: label(partnerId) }, bytesReceived),
  "sftp.quota-refused": ({ quotas }, { partnerId, quota }, label) => quotas.inc({ partner: label(partnerId), quota }),
  "recognition.ran": ({ recognised, recognisedUsers }, { users, durationMs }) => {
    if (users > 0) recognised.observe(durationMs / 1000 / users);
    recognisedUsers.inc(users);
  },
  "notification.delivered": ({ notifications, notificationWait }, { partnerId, waitedMs }, label) => {
    notifications.inc({ partner: label(partnerId), outcome: "delivered" });
    notificationWait.observe(waitedMs / 1000);
  },
  "notification.postponed": ({ notifications }, { partnerId }, label) =>
    notifications.inc({ partner: label(partnerId), outcome: "postponed" }),
  "notification.given-up": ({ notifications }, { partnerId }, label) =>
    notifications.inc({ partner: label(partnerId), outcome: "given-up" }),
  "recognition.upgraded": ({ upgraded }, { algorithmVersion: _version, ...changes }) => {
    for (const [change, count] of Object.entries(changes)) upgraded.inc({ change }, count);
  },
};

function observe<Name extends EventName>(name: Name, ...[metrics, fields, label]: Parameters<Observe<Name>>): void {
  const count: Observe<Name> | undefined = observed[name];
  count?.(metrics, fields, label);
}

export type Events = {
  emit<Name extends EventName>(name: Name, fields: EventFields[Name]): void;
  readonly registry: Registry;
  /** A gauge whose value is read when metrics are scraped. */
  gauge(name: string, help: string, read: () => Promise<number> | number): void;
  /** The same with labels: a value for each. None of what is left out is told any more. */
  gauges<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    read: () => Promise<readonly Measured<Label>[]> | readonly Measured<Label>[],
  ): void;
};

export type Measured<Label extends string> = { labels: Readonly<Record<Label, string>>; value: number };

/** Prometheus gives a whole answer ten seconds: what hangs must not take the others along. */
const readWithinMs = 3000;

/** Partners that figures name, each a handful of series: beyond them they are counted together. */
const partnersNamedMax = 200;

export function createEvents(settings: LogSettings): Events {
  const log = openLog(settings);
  const registry = new Registry();
  const metrics = createMetrics(registry);
  const label = boundedLabel(partnersNamedMax);
  return {
    registry,
    emit(name, fields) {
      log(name, levels[name] ?? "info", fields);
      metrics.events.inc({ event: name });
      observe(name, metrics, fields, label);
    },
    gauge(name, help, read) {
      // A value that cannot be read now, with the database away, must not take the other figures along.
      const gauge = new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          gauge.set(await inTime(async () => await read(), Number.NaN));
        },
      });
    },
    gauges(name, help, labels, read) {
      const gauge = new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [registry],
        async collect() {
          const measured = await inTime(async () => await read(), []);
          gauge.reset();
          for (const one of measured) gauge.set(one.labels, one.value);
        },
      });
    },
  };
}

/** What `read` gives; `otherwise` when it fails, or takes longer than a scrape can wait. */
async function inTime<Value>(read: () => Promise<Value>, otherwise: Value): Promise<Value> {
  const timer = new AbortController();
  const late = wait(readWithinMs, otherwise, { signal: timer.signal }).catch(() => otherwise);
  try {
    return await Promise.race([read().catch(() => otherwise), late]);
  } finally {
    timer.abort();
  }
}
