/**
 * Tells those who run the service what is wrong, by webhook and mail: each process looks at the whole service and at
 * itself, so that it is told whichever of them is gone.
 */
import { X509Certificate } from "node:crypto";
import { hostname } from "node:os";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import type { Events } from "../events.ts";
import { listMissing } from "../landing/expected/expected-files.ts";
import { judge, type Seen, type Thresholds } from "../observation/alerts/conditions.ts";
import { type Channels, namesOf, sendDue } from "../observation/alerts/send.ts";
import { noteConditions } from "../observation/alerts/table.ts";
import { listKeyEnds, listReplicaLags, readFigures, readLastBackup } from "../observation/figures.ts";
import { listProcesses, silentAfterSeconds } from "../observation/processes.ts";
import { readRatesAge } from "../rates/watch.ts";
import { startRounds } from "../schedule/rounds.ts";
import type { Ground } from "./ground.ts";

/** So many rounds without anybody who sees it, and it is over: one that was missed is no recovery. */
const roundsUntilGone = 4;
const callsWithinMs = 5 * 60_000;

/** Nothing where no channel is set. */
export function startAlerting(ground: Ground, asked: Database): void {
  const { config, events, closers } = ground;
  const channels = channelsOf(config);
  if (namesOf(channels).length === 0) return;
  const look = createLook(ground, asked);
  const everyMs = config.alertEverySeconds * 1000;
  const telling = { channels: namesOf(channels), repeatHours: config.alertRepeatHours };
  let rounds = 0;
  const running = startRounds(
    [
      {
        name: "alerts",
        everyMs,
        run: async () => {
          const conditions = judge(await look(), thresholdsOf(config));
          // What other processes see they must have had the time to say.
          const goneAfterSeconds = rounds >= roundsUntilGone ? roundsUntilGone * config.alertEverySeconds : null;
          for (const told of await noteConditions(asked, conditions, { ...telling, goneAfterSeconds })) {
            const { kind, name: alert, subject, severity } = told;
            events.emit(kind === "recovered" ? "alert.recovered" : "alert.fired", { alert, subject, severity, kind });
          }
          rounds += 1;
        },
      },
      {
        name: "alert-messages",
        everyMs: Math.min(everyMs, sendEveryMs),
        run: () => sendDue({ database: asked, events, now: () => new Date() }, channels),
      },
    ],
    {
      ...events,
      emit: (name, fields) => {
        // After a failure nobody knows what the others saw meanwhile.
        rounds = 0;
        events.emit(name, fields);
      },
    },
  );
  closers.push(() => running.stop());
}

const sendEveryMs = 2000;

function channelsOf(config: Config): Channels {
  const { alertWebhookUrl, alertWebhookSecret, alertWebhookPrivateAddress, alertSmtpUrl, alertMailFrom } = config;
  return {
    webhook:
      alertWebhookUrl === undefined
        ? null
        : {
            url: alertWebhookUrl,
            secret: alertWebhookSecret,
            allowsPrivateAddresses: alertWebhookPrivateAddress === "allowed",
          },
    mail:
      alertSmtpUrl === undefined || alertMailFrom === undefined
        ? null
        : { smtpUrl: alertSmtpUrl, from: alertMailFrom, to: config.alertMailTo },
  };
}

function thresholdsOf(config: Config): Thresholds {
  return {
    waitingMinutes: config.alertWaitingMinutes,
    certificateDays: config.alertCertificateDays,
    keyDays: config.alertKeyDays,
    backupHours: config.alertBackupHours,
    replicaLagSeconds: config.alertReplicaLagSeconds,
    errorPercent: config.alertErrorPercent,
  };
}

function createLook(ground: Ground, asked: Database): () => Promise<Seen> {
  const { clock, disk, config, events } = ground;
  const machine = hostname();
  const stuck = createStuckWatch();
  const calls = createCallWatch(events);
  return async () => {
    const now = new Date();
    const figures = await readFigures(asked, silentAfterSeconds);
    return {
      now,
      figures,
      missingFiles: await listMissing(asked, null),
      silent: (await listProcesses(asked)).filter(({ silent }) => silent),
      keyEnds: await listKeyEnds(asked),
      replicaLags: await listReplicaLags(asked),
      lastBackupAt: await readLastBackup(asked),
      rates: await readRatesAge(asked, clock),
      stuckSince: stuck(now, figures),
      machine,
      spaces: disk.spaces(),
      certificateEndsAt: config.roles.includes("api")
        ? new Date(new X509Certificate(ground.certificate.cert).validTo)
        : null,
      calls: await calls(now),
    };
  };
}

/** Since when deliveries have waited without any load that ends or advances. */
export function createStuckWatch() {
  let before: { loaded: number | null; records: number; since: Date } | null = null;
  return (
    now: Date,
    figures: { stagingDepth: number; lastLoadedAtSeconds: number | null; loadingRecords: number },
  ): Date | null => {
    const { stagingDepth, lastLoadedAtSeconds: loaded, loadingRecords: records } = figures;
    if (stagingDepth === 0) before = null;
    else if (before === null || before.loaded !== loaded || before.records !== records)
      before = { loaded, records, since: now };
    return before?.since ?? null;
  };
}

/** Calls that this process answered within the last minutes, from the figure that counts them. */
export function createCallWatch(events: Events) {
  const counted: { atMs: number; all: number; failed: number }[] = [];
  return async (now: Date): Promise<{ all: number; failed: number }> => {
    const metric = await events.registry.getSingleMetric("tideline_http_request_seconds")?.get();
    const counts = (metric?.values ?? []).filter(
      (one) => "metricName" in one && String(one.metricName).endsWith("_count"),
    );
    const sum = (values: typeof counts) => values.reduce((total, { value }) => total + value, 0);
    const latest = {
      atMs: now.getTime(),
      all: sum(counts),
      failed: sum(counts.filter(({ labels }) => Number(labels.status) >= 500)),
    };
    counted.push(latest);
    while ((counted[1]?.atMs ?? Number.POSITIVE_INFINITY) <= latest.atMs - callsWithinMs) counted.shift();
    const [first = latest] = counted;
    return { all: latest.all - first.all, failed: latest.failed - first.failed };
  };
}
