/** *Fleet*: which processes run and what they do now, queue, disk, database, exchange rates, backups, and what is wrong. */
import { type ListedBackup, listBackups } from "../../backup/records.ts";
import type { WatchedDisk } from "../../landing/disk-guard.ts";
import { listAlerts, type OpenAlert } from "../../observation/alerts/table.ts";
import { type DatabaseSize, readDatabaseSize } from "../../observation/database-size.ts";
import { type Figures, listReplicaLags, readFigures, type ReplicaLag } from "../../observation/figures.ts";
import { listProcesses, type Process, silentAfterSeconds } from "../../observation/processes.ts";
import type { RatesAge } from "../../rates/age.ts";
import { describeRatesAge, readRatesAge } from "../../rates/watch.ts";
import { Turned } from "../access/guard.ts";
import { type ConsoleContext, type Handler, partnersOf } from "../context.ts";
import { inSlices } from "../slices.ts";
import { facts } from "../templates/facts.ts";
import { badge, bytes, count, countOf, listed, type Tone } from "../templates/figures.ts";
import { html, type Html } from "../templates/html.ts";
import { table } from "../templates/table.ts";
import { duration, utcMinute, when } from "../templates/times.ts";
import { tile, tiles } from "../templates/tiles.ts";

const backupsShownMax = 10;
const tablesShownMax = 10;

type Fleet = {
  now: Date;
  processes: readonly Process[];
  figures: Figures;
  alerts: readonly OpenAlert[];
  rates: RatesAge;
  backups: readonly ListedBackup[];
  size: DatabaseSize;
  replicas: readonly ReplicaLag[];
  disks: readonly WatchedDisk[];
  queueEngine: string;
};

export function fleetPage(context: ConsoleContext): Handler {
  return async (visit) => {
    if (partnersOf(visit) !== null)
      throw new Turned(403, "Not for your partners", "The fleet serves all partners; your account sees some of them.");
    return { title: "Fleet", live: true, body: await context.shared.of("fleet", visit, () => readAndWrite(context)) };
  };
}

async function readAndWrite({ reading, clock, disks, queueEngine }: ConsoleContext): Promise<Html[]> {
  const [processes, figures, alerts, rates, backups, size, replicas] = await Promise.all([
    listProcesses(reading),
    readFigures(reading, silentAfterSeconds),
    listAlerts(reading),
    readRatesAge(reading, clock),
    listBackups(reading, backupsShownMax),
    readDatabaseSize(reading, tablesShownMax),
    listReplicaLags(reading),
  ]);
  const now = clock.now();
  const fleet = { now, processes, figures, alerts, rates, backups, size, replicas, disks: disks(), queueEngine };
  return await inSlices(sections, (write) => write(fleet));
}

const sections: readonly ((fleet: Fleet) => Html)[] = [
  headline,
  figuresOf,
  alertsTable,
  processesTable,
  (fleet) => html`<div class="columns">${queueOf(fleet)} ${diskOf(fleet)} ${ratesOf(fleet)}</div>`,
  backupsTable,
  (fleet) => html`<div class="pair">${tablesTable(fleet)} ${connectionsTable(fleet)}</div>`,
];

function headline({ processes, alerts, now }: Fleet): Html {
  const silent = processes.filter((one) => one.silent).length;
  const pages = alerts.filter(({ severity }) => severity === "page").length;
  const [tone, title]: [Tone, string] =
    silent > 0
      ? ["bad", `${countOf(silent, "process is", "processes are")} silent`]
      : pages > 0
        ? ["bad", `${countOf(pages, "alert needs", "alerts need")} somebody now`]
        : alerts.length > 0
          ? ["warn", `${countOf(alerts.length, "alert is", "alerts are")} open`]
          : ["good", "Every process answers, and no alert is open"];
  return html`<header class="headline ${tone}">
    <h1>${title}</h1>
    <p>
      ${countOf(processes.length, "process", "processes")} on
      ${countOf(new Set(processes.map(({ machine }) => machine)).size, "machine")}.
      <span class="quiet">As of ${utcMinute(now)} UTC.</span>
    </p>
  </header>`;
}

/** The newest one that ended well. */
function lastOf(backups: readonly ListedBackup[]): Date | null {
  return backups.find(({ finishedAt }) => finishedAt !== null)?.finishedAt ?? null;
}

function figuresOf({ now, processes, figures, alerts, rates, backups, size, disks }: Fleet): Html {
  const silent = processes.filter((one) => one.silent).length;
  const lastBackup = lastOf(backups);
  const connections = size.connections.reduce((total, one) => total + one.count, 0);
  const isCrowded = connections > size.connectionsMax * 0.9;
  const least = disks.toSorted((a, b) => a.freeBytes - b.freeBytes)[0];
  return tiles("Figures of the fleet", [
    tile(
      "#processes",
      "Processes",
      count(processes.length - silent),
      silent > 0 ? `${silent} silent` : "answer",
      silent > 0 ? "bad" : "good",
    ),
    tile(
      "#alerts",
      "Open alerts",
      count(alerts.length),
      alerts.length === 0 ? "nothing is wrong" : "see below",
      alerts.some(({ severity }) => severity === "page") ? "bad" : alerts.length > 0 ? "warn" : "calm",
    ),
    tile(
      "#queue",
      "Deliveries open",
      count(figures.stagingDepth),
      figures.oldestWaitingSeconds === 0 ? "none waits" : `the oldest for ${seconds(figures.oldestWaitingSeconds)}`,
    ),
    least !== undefined &&
      tile("#disk", "Free disk", bytes(least.freeBytes), `for ${listed(least.names)}`, least.isLow ? "bad" : "calm"),
    tile("#tables", "Database", bytes(size.sizeBytes), `PostgreSQL ${size.version}`),
    tile(
      "#connections",
      "Connections",
      count(connections),
      `of ${count(size.connectionsMax)}`,
      isCrowded ? "bad" : "calm",
    ),
    tile(
      "#rates",
      "Exchange rates",
      rates.bankingDays === null ? "none" : rates.bankingDays === 0 ? "new" : `${count(rates.bankingDays)} d`,
      rates.newest === null ? "convert nothing" : `the newest of ${rates.newest}`,
      rates.isOld ? "warn" : "calm",
    ),
    tile(
      "#backups",
      "Last backup",
      lastBackup === null ? "–" : duration(now.getTime() - lastBackup.getTime()),
      lastBackup === null ? "none is known" : "ago",
    ),
  ]);
}

function seconds(value: number): string {
  return duration(value * 1000);
}

function alertsTable({ alerts, now }: Fleet): Html {
  const rows = alerts.map(
    ({ name, subject, severity, summary, since }) =>
      html`<tr>
        <td>${severity === "page" ? badge("bad", "now") : badge("warn", "soon")}</td>
        <th scope="row">${name}${subject !== "" && html` <span class="quiet">${subject}</span>`}</th>
        <td>${summary}</td>
        <td class="when">
          ${when(since, undefined)} <span class="quiet">${duration(now.getTime() - since.getTime())}</span>
        </td>
      </tr>`,
  );
  return html`<section aria-labelledby="alerts">
    <h2 id="alerts">Open alerts</h2>
    ${rows.length === 0 ? html`<p class="quiet">None. What is told, and where to, is in the settings of the service.</p>` : table("open alerts", ["When", "What", "In words", "Since"], rows)}
  </section>`;
}

function processesTable({ processes, now }: Fleet): Html {
  const rows = processes.map(
    (one) =>
      html`<tr>
        <td>${one.silent ? badge("bad", "silent") : badge("good", "answers")}</td>
        <th scope="row">${one.role.join(", ")}</th>
        <td>${one.machine} <span class="quiet">process ${String(one.pid)}</span></td>
        <td>${one.version}</td>
        <td>${duration(now.getTime() - one.startedAt.getTime())}</td>
        <td>${duration(now.getTime() - one.beatAt.getTime())} ago</td>
        <td>${one.workingOn ?? html`<span class="quiet">nothing that lasts</span>`}</td>
      </tr>`,
  );
  return html`<section aria-labelledby="processes">
    <h2 id="processes">Processes</h2>
    ${
      rows.length === 0
        ? html`<p class="empty">No process has written itself into the table.</p>`
        : table("processes", ["State", "Roles", "Machine", "Version", "Runs for", "Last beat", "Does now"], rows)
    }
  </section>`;
}

function queueOf({ figures, queueEngine }: Fleet): Html {
  const lastLoaded = figures.lastLoadedAtSeconds === null ? null : new Date(figures.lastLoadedAtSeconds * 1000);
  return html`<section aria-labelledby="queue">
    <h2 id="queue">Queue</h2>
    ${facts([
      ["Engine", queueEngine],
      ["Deliveries open", `${count(figures.stagingDepth)}, ${count(figures.loadingDeliveries)} of them loading`],
      ["Left of what is loading", bytes(figures.loadingBytesLeft)],
      ["Last loaded", when(lastLoaded, undefined)],
      [
        "Users behind in recognition",
        figures.oldestChangedSeconds === 0
          ? count(figures.changedUsers)
          : `${count(figures.changedUsers)}, the oldest for ${seconds(figures.oldestChangedSeconds)}`,
      ],
      ["Notifications", `${count(figures.notificationsPending)} to send, ${count(figures.notificationsDead)} dead`],
    ])}
  </section>`;
}

function diskOf({ disks }: Fleet): Html {
  return html`<section aria-labelledby="disk">
    <h2 id="disk">${disks.length === 1 ? "Disk" : "Disks"} of this machine</h2>
    ${facts(
      disks.map(({ names, freeBytes, isLow }) => [
        `Free for ${listed(names)}`,
        html`${bytes(freeBytes)} ${isLow ? badge("bad", "too little") : badge("good", "enough")}`,
      ]),
    )}
  </section>`;
}

function ratesOf({ rates, replicas }: Fleet): Html {
  return html`<section aria-labelledby="rates">
    <h2 id="rates">Exchange rates and standbys</h2>
    ${facts([
      [
        "Newest rates",
        rates.isOld
          ? html`${badge("warn", "old")} ${describeRatesAge(rates)}`
          : html`${rates.newest} ${badge("good", "up to date")}`,
      ],
      ...(replicas.length === 0 ? [["Standbys", "none is seen"] as const] : []),
      ...replicas.map(
        ({ replica, seconds: behind, bytes: left }) =>
          [`Standby ${replica}`, `${seconds(behind)} and ${bytes(left)} behind`] as const,
      ),
    ])}
  </section>`;
}

function connectionsTable({ size }: Fleet): Html {
  const rows = size.connections.map(
    (one) =>
      html`<tr>
        <th scope="row">${one.application}</th>
        <td class="number">${count(one.count)}</td>
      </tr>`,
  );
  return html`<section aria-labelledby="connections">
    <h2 id="connections">Connections to the database</h2>
    ${table("connections", ["Program", { number: `Of ${count(size.connectionsMax)}` }], rows)}
  </section>`;
}

function backupsTable({ backups, now }: Fleet): Html {
  const rows = backups.map(
    (one) =>
      html`<tr>
        <td>${one.finishedAt === null ? badge("calm", "not finished") : badge("good", "whole")}</td>
        <th scope="row">${when(one.startedAt, undefined)}</th>
        <td>
          ${one.finishedAt === null ? html`<span class="quiet">–</span>` : `${duration(now.getTime() - one.finishedAt.getTime())} ago`}
        </td>
        <td class="number">${one.sizeBytes === null ? "–" : bytes(one.sizeBytes)}</td>
        <td class="when">${when(one.verifiedAt, undefined)}</td>
        <td class="when">${when(one.keptUntil, undefined)}</td>
        <td class="details"><code>${one.location}</code></td>
      </tr>`,
  );
  return html`<section aria-labelledby="backups">
    <h2 id="backups">Backups</h2>
    ${
      rows.length === 0
        ? html`<p class="quiet">
            None is known: <code>tideline backup</code> makes one, <code>TIDELINE_BACKUP_DIR</code> one a night.
          </p>`
        : table(
            "backups",
            ["State", "Begun", "Ended", { number: "Size" }, "Verified", "Changes kept until", "Where"],
            rows,
          )
    }
  </section>`;
}

function tablesTable({ size }: Fleet): Html {
  const rows = size.tables.map(
    ({ name, sizeBytes, rowsEstimated }) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td class="number">${bytes(sizeBytes)}</td>
        <td class="number">${rowsEstimated === 0 ? "–" : count(rowsEstimated)}</td>
      </tr>`,
  );
  return html`<section aria-labelledby="tables">
    <h2 id="tables">The largest tables</h2>
    ${table("the largest tables", ["Table", { number: "With indexes" }, { number: "Rows, about" }], rows)}
  </section>`;
}
