/**
 * What a process of any role tells of itself: its health, its figures and its beat. Opened before everything else and
 * closed behind everything else, so that a start and a stop can be watched as well.
 */
import { observationConnectionsMax } from "../../config/connections.ts";
import { allRoles } from "../../config/knobs.ts";
import type { Config } from "../config.ts";
import { type Database, openDatabase, packageVersion } from "../database/database.ts";
import type { Events } from "../events.ts";
import { assertPortFree } from "../machine/ports.ts";
import { namedNetworks } from "../partners/network.ts";
import {
  describeFleet,
  describeSelf,
  listProcesses,
  type ProcessDoors,
  startBeating,
} from "../observation/processes.ts";
import { type Check, judgeReadiness, readWritable } from "../observation/readiness.ts";
import { openObserveServer } from "../observation/server.ts";
import { describeRatesAge, readRatesAge } from "../rates/watch.ts";
import { startAlerting } from "./alerting.ts";
import { keepCounts } from "./flow.ts";
import { traceWith } from "../traces.ts";
import { observeGround } from "./gauges.ts";
import type { Closer, Ground } from "./ground.ts";
import type { Stages } from "./stages.ts";

/** Whoever probes gives up after some seconds; a database that takes longer serves nobody. */
const answersWithinMs = 2000;

export type ObservedProcess = {
  /** Null: nobody asked for it. */
  port: number | null;
  /** Everything is open: it is ready when what it stands on is, and it beats. */
  started(ground: Ground, stages: Stages, doors: () => ProcessDoors): Promise<void>;
  /** It takes no more; reads and writes are not ready from here on. */
  stopping(): void;
};

/** @throws Fault PORT_TAKEN */
export async function openObserved(config: Config, events: Events, closers: Closer[]): Promise<ObservedProcess> {
  const startedAt = new Date();
  const version = await packageVersion();
  const self = describeSelf(config.roles, version, startedAt);
  if (config.otlpEndpoint !== undefined) await sendTelemetry(config.otlpEndpoint, self, config, events, closers);
  let found: () => Promise<Check[]> = async () => [ofProcess("is starting")];
  let isStopping = false;
  const readiness = async () => judgeReadiness(isStopping ? [ofProcess("is stopping")] : await found());
  let port: number | null = null;
  if (config.observePort !== undefined) {
    const host = config.observeHost ?? config.host;
    await assertPortFree(host, config.observePort, "--observe-port");
    const mayReadMetrics = namedNetworks(config.metricsNetworks);
    const { registry } = events;
    const server = await openObserveServer(
      { host, port: config.observePort },
      {
        version,
        roles: config.roles,
        readiness,
        metrics: async () => ({ text: await registry.metrics(), type: registry.contentType }),
        mayReadMetrics,
      },
    );
    port = server.port;
    closers.push(() => server.close());
  }
  return {
    port,
    async started(ground, stages, doors) {
      const asked = openDatabase(ground.databaseUrls.jobs, {
        sizeMax: observationConnectionsMax,
        applicationName: "tideline observation",
        answersWithinMs,
      });
      closers.push(() => asked.end());
      observeGround(ground, asked);
      closers.push(keepCounts(asked, events));
      const tell = () => ({ workingOn: ground.activity.describe(), doors: doors() });
      closers.push(await startBeating({ database: asked, events }, self, tell));
      startAlerting(ground, asked);
      found = () => look(ground, stages, asked);
    },
    stopping() {
      isStopping = true;
    },
  };
}

/** The SDK is read only where somebody has asked for it. */
async function sendTelemetry(
  endpoint: string,
  { version, id }: ReturnType<typeof describeSelf>,
  { roles, tracesSampledPercent, otlpMetricsEveryMs, otlpSpansEveryMs }: Config,
  events: Events,
  closers: Closer[],
): Promise<void> {
  const { openTelemetry } = await import("../observation/telemetry/telemetry.ts");
  const telemetry = openTelemetry({
    endpoint,
    sampledShare: tracesSampledPercent / 100,
    metricsEveryMs: otlpMetricsEveryMs,
    spansEveryMs: otlpSpansEveryMs,
    version,
    roles,
    instanceId: id,
    registry: events.registry,
    onFailure: (signal, error) => events.emit("telemetry.failed", { signal, error }),
  });
  traceWith(telemetry.tracer);
  closers.push(async () => {
    traceWith(null);
    await telemetry.close();
  });
}

function ofProcess(what: string): Check {
  return { name: "process", found: what, needs: "everything" };
}

async function look({ disk, clock }: Ground, { vaultWatch }: Stages, asked: Database): Promise<Check[]> {
  const writable = await readWritable(asked);
  const rates = await readRatesAge(asked, clock).then(describeRatesAge, () => "cannot be read");
  const fleet = await listProcesses(asked).then(
    (processes) => describeFleet(processes, allRoles),
    () => "cannot be read",
  );
  return [
    ofProcess("ok"),
    { name: "database", found: writable === null ? "does not answer" : "ok", needs: "everything" },
    { name: "databaseWrites", found: writable ?? "does not answer", needs: "writes" },
    { name: "disk", found: disk.describe(), needs: "writes" },
    { name: "vault", found: vaultWatch.describe(), needs: "writes" },
    // Told, and no reason to take a process out of service.
    { name: "exchangeRates", found: rates, needs: "nothing" },
    { name: "fleet", found: fleet, needs: "nothing" },
  ];
}
