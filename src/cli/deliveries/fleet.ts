/** `tideline status --fleet`: what the console's page *Fleet* tells, with the disk of the machine that the command runs on. */
import { statfs } from "node:fs/promises";
import { listBackups } from "../../backup/records.ts";
import { listAlerts } from "../../observation/alerts/table.ts";
import { readDatabaseSize } from "../../observation/database-size.ts";
import { listReplicaLags, readFigures } from "../../observation/figures.ts";
import { listProcesses, silentAfterSeconds } from "../../observation/processes.ts";
import { readRatesAge } from "../../rates/watch.ts";
import { createClock } from "../../time/clock.ts";
import type { Session } from "../service/session.ts";
import { countOf, formatCount, printResult } from "../terminal/result.ts";

const listedMax = 10;

export async function showFleet({ database, config, folder }: Session, asJson: boolean): Promise<void> {
  const [processes, figures, alerts, rates, backups, size, replicas, disk] = await Promise.all([
    listProcesses(database),
    readFigures(database, silentAfterSeconds),
    listAlerts(database),
    readRatesAge(database, createClock(config.asOf)),
    listBackups(database, listedMax),
    readDatabaseSize(database, listedMax),
    listReplicaLags(database),
    freeBytes(folder.root),
  ]);
  const silent = processes.filter((one) => one.silent).length;
  printResult(
    asJson,
    { processes, figures, alerts, rates, backups, database: size, replicas, dataFolderFreeBytes: disk },
    [
      `${countOf(processes.length, "process", "processes")}, ${formatCount(silent)} silent; ${countOf(alerts.length, "open alert")}`,
      ...alerts.map(({ name, subject, summary }) => `  ${name}${subject === "" ? "" : ` ${subject}`}: ${summary}`),
      `Queue: ${formatCount(figures.stagingDepth)} not loaded, ${formatCount(figures.changedUsers)} users to recognise`,
      `Database: ${formatCount(Math.round(size.sizeBytes / 1e6))} MB, PostgreSQL ${size.version}; data folder: ${disk === null ? "away" : `${formatCount(Math.round(disk / 1e6))} MB free`}`,
      ...replicas.map((one) => `Standby ${one.replica}: ${one.seconds} s and ${formatCount(one.bytes)} bytes behind`),
      backups[0] === undefined
        ? "Backups: none is known"
        : `Latest backup: begun ${backups[0].startedAt.toISOString().slice(0, 19)}Z, ${backups[0].finishedAt === null ? "not finished" : "whole"}`,
    ],
  );
}

/** Null: a service on a database of its own needs no folder here. */
async function freeBytes(folder: string): Promise<number | null> {
  const found = await statfs(folder).catch(() => null);
  return found === null ? null : found.bavail * found.bsize;
}
