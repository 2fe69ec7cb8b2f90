/**
 * The figures that each process keeps for Prometheus, by name, with their labels. What counts into which: src/events.ts.
 * What the whole service has waiting is read from the database instead: src/observation/figures.ts.
 */
import { collectDefaultMetrics, Counter, Histogram, type Registry } from "prom-client";

/** Gauges that the library calls like counters, which promtool objects to; each stands with its kinds beside it. */
const misnamed = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

/** Registers them. */
export function createMetrics(registry: Registry) {
  // Without a prefix of ours: what every exporter calls process_… and every dashboard for Node.js looks for.
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const registers = [registry];
  const events = new Counter({
    name: "tideline_events_total",
    help: "What happened, by event.",
    labelNames: ["event"],
    registers,
  });
  const deliveries = new Counter({
    name: "tideline_deliveries_total",
    help: "Deliveries finished: loaded, or refused.",
    labelNames: ["outcome"],
    registers,
  });
  const records = new Counter({
    name: "tideline_records_total",
    help: "Records of loaded deliveries, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const batches = new Counter({
    name: "tideline_batches_total",
    help: "Batches of loaded deliveries, by outcome: read, or refused whole.",
    labelNames: ["outcome"],
    registers,
  });
  const held = new Counter({
    name: "tideline_records_held_total",
    help: "Records of loaded deliveries that did not simply load, by partner and outcome: refused, waiting, conflicting.",
    labelNames: ["partner", "outcome"],
    registers,
  });
  const repeated = new Counter({
    name: "tideline_deliveries_repeated_total",
    help: "Deliveries that had come before, byte by byte or reqId by reqId, by door; none is loaded twice.",
    labelNames: ["door"],
    registers,
  });
  const released = new Counter({
    name: "tideline_quarantine_records_released_total",
    help: "Records that were held and loaded when they were read again.",
    registers,
  });
  const bytes = new Counter({
    name: "tideline_landed_bytes_total",
    help: "Encrypted bytes accepted, by door.",
    labelNames: ["door"],
    registers,
  });
  const loading = new Histogram({
    name: "tideline_load_seconds",
    help: "Time from start of a load to its commit.",
    buckets: [0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
    registers,
  });
  const requests = new Histogram({
    name: "tideline_http_request_seconds",
    help: "HTTP requests answered.",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  const logins = new Counter({
    name: "tideline_sftp_logins_total",
    help: "SFTP logins, by outcome: accepted, or why not.",
    labelNames: ["outcome"],
    registers,
  });
  const uploads = new Counter({
    name: "tideline_sftp_uploads_total",
    help: "SFTP uploads ended, by partner and outcome.",
    labelNames: ["partner", "outcome"],
    registers,
  });
  const uploaded = new Counter({
    name: "tideline_sftp_uploaded_bytes_total",
    help: "Bytes that SFTP sessions have received, by partner.",
    labelNames: ["partner"],
    registers,
  });
  const quotas = new Counter({
    name: "tideline_sftp_quota_refusals_total",
    help: "Writes refused for a quota, by partner and quota.",
    labelNames: ["partner", "quota"],
    registers,
  });
  const recognisedUsers = new Counter({
    name: "tideline_recognition_users_total",
    help: "Users recognised.",
    registers,
  });
  const notifications = new Counter({
    name: "tideline_notifications_total",
    help: "Attempts to deliver a notification, by partner and outcome: delivered, postponed, given-up.",
    labelNames: ["partner", "outcome"],
    registers,
  });
  const notificationWait = new Histogram({
    name: "tideline_notification_wait_seconds",
    help: "Time from what a notification tells of to its delivery.",
    buckets: [0.1, 0.5, 1, 5, 30, 300, 3600, 86_400],
    registers,
  });
  const recognised = new Histogram({
    name: "tideline_recognition_seconds_per_user",
    help: "Recognition time a user, reading and writing included.",
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 1],
    registers,
  });
  const upgraded = new Counter({
    name: "tideline_recognition_upgrade_total",
    help: "What a new version of the algorithm changed: users, services new and gone, frequencies and statuses changed.",
    labelNames: ["change"],
    registers,
  });
  return {
    events,
    deliveries,
    records,
    batches,
    held,
    repeated,
    released,
    bytes,
    loading,
    requests,
    logins,
    uploads,
    uploaded,
    quotas,
    recognised,
    recognisedUsers,
    notifications,
    notificationWait,
    upgraded,
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * A label that stays bounded however many partners there are: each name as it is up to so many, "other" for those that
 * come after.
 */
export function boundedLabel(namesMax: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= namesMax) return "other";
    known.add(name);
    return name;
  };
}
