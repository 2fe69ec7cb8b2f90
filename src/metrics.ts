/** The figures that are kept for Prometheus, by name, with their labels. What counts into which: src/events.ts. */
import { collectDefaultMetrics, Counter, Histogram, type Registry } from "prom-client";

/** Registers them. */
export function createMetrics(registry: Registry) {
  collectDefaultMetrics({ register: registry, prefix: "tideline_" });
  const registers = [registry];
  const events = new Counter({
    name: "tideline_events_total",
    help: "What happened, by event.",
    labelNames: ["event"],
    registers,
  });
  const deliveries = new Counter({
    name: "tideline_deliveries_total",
    help: "Deliveries finished, by door-independent outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const records = new Counter({
    name: "tideline_records_total",
    help: "Records of loaded deliveries, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const held = new Counter({
    name: "tideline_records_held_total",
    help: "Records of loaded deliveries that did not simply load, by partner and outcome: refused, waiting, conflicting.",
    labelNames: ["partner", "outcome"],
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
    held,
    bytes,
    loading,
    requests,
    logins,
    uploads,
    uploaded,
    quotas,
    recognised,
    upgraded,
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
