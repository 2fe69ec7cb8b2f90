/** `tideline status`: what landed, what is waiting, what was refused and why. */
import { findCallerRole } from "../../database/role-rights.ts";
import { type Delivery, deliveryStates } from "../../deliveries/deliveries.ts";
import { listUnguarded } from "../../partners/exposure.ts";
import { type Finding, readNote } from "../../landing/forgotten/history.ts";
import { listMissing, type MissingFile } from "../../landing/expected/expected-files.ts";
import { listProcesses, type Process } from "../../observation/processes.ts";
import { readRatesAge } from "../../rates/watch.ts";
import type { RatesAge } from "../../rates/age.ts";
import { createClock } from "../../time/clock.ts";
import { countBehind, countByState, type StateCount } from "../../deliveries/overview.ts";
import {
  type DeliveryFilter,
  deliveryResults,
  doors,
  everyDelivery,
  searchDeliveries,
} from "../../deliveries/search.ts";
import { isReadAgain, type LoadProgress, progressOf } from "../../deliveries/load-progress.ts";
import { buildReceipt, type Receipt } from "../../landing/receipt.ts";
import { summaryOf } from "../../landing/summaries/day-summaries.ts";
import { daySummaryText } from "../../landing/summaries/day-summary.ts";
import { Fault } from "../../errors.ts";
import { readPartnerOverview } from "../../partners/overview.ts";
import { type Day, isDay } from "../../time/calendar.ts";
import {
  commonOptions,
  configOf,
  oneOf,
  readArguments,
  readCount,
  required,
  usageError,
} from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { assertPartner, findReferred } from "./reference.ts";
import { alignColumns, countOf, formatCount, printResult } from "../terminal/result.ts";
import { readWhen } from "../service/audit.ts";
import { type Session, withSession } from "../service/session.ts";
import { rangeNames } from "../../observation/flow/steps.ts";
import { showFleet } from "./fleet.ts";
import { showFlow } from "./flow.ts";
import { showNight } from "./night.ts";

export const usage = `
tideline status [--partner P] [--state accepted|loading|loaded|refused|withdrawn] [--result all|partly|nothing|held]
                [--name PART] [--door https|sftp|direct] [--correlation ID] [--since WHEN] [--until WHEN] [--limit 20]
                [--data-dir DIR] [--json]
tideline status BATCH [--partner P] [--data-dir DIR] [--json]
tideline status --flow hour|day|month [--data-dir DIR] [--json]
tideline status --night [--partner P] [--data-dir DIR] [--json]
tideline status --fleet [--data-dir DIR] [--json]
tideline status --day YYYY-MM-DD --partner P [--data-dir DIR] [--json]

Counts by state, the processes that run, and the latest deliveries, newest first; or everything about one BATCH, named by its delivery id, its
reqId or its file name (of several the newest; where several partners have one, --partner says whose). records = new + known + conflicting + refused + waiting + markers.
--name finds part of a file's name; WHEN is a day (its start in UTC), an instant, or an age such as 90m, 24h, 7d.
--flow tells records, batches and bytes a second, queue, latencies and the database's size over that time, as the console draws them.
--night tells the last 24 hours partner by partner: files expected and arrived, loaded, in part, refused, waiting; --json also by half hours.
--fleet tells processes, queue, alerts, database, standbys, exchange rates and backups.
--day tells what came of a partner on a day of its bank as the text of a mail, subject first; --json as receipts/summary-YYYY-MM-DD.json has it.
`;

const limitDefault = 20;
const limitMax = 10_000;
/** A receipt holds up to a thousand problems; --json prints them all. */
const problemsShownMax = 20;
/** The latest ones; --json prints them all. */
const missingShownMax = 20;

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    partner: { type: "string" },
    state: { type: "string" },
    result: { type: "string" },
    name: { type: "string" },
    door: { type: "string" },
    correlation: { type: "string" },
    since: { type: "string" },
    until: { type: "string" },
    limit: { type: "string", default: String(limitDefault) },
    flow: { type: "string" },
    day: { type: "string" },
    night: { type: "boolean", default: false },
    fleet: { type: "boolean", default: false },
  });
  const { day } = values;
  if (day !== undefined && (!isDay(day) || values.partner === undefined))
    usageError("--day is a day, YYYY-MM-DD, and goes with --partner.");
  const range = values.flow === undefined ? null : oneOf(values.flow, rangeNames, "--flow");
  const now = new Date();
  const filter: DeliveryFilter = {
    ...everyDelivery,
    partnerId: values.partner ?? null,
    name: values.name ?? null,
    correlationId: values.correlation ?? null,
    door: values.door === undefined ? null : oneOf(values.door, doors, "--door"),
    result: values.result === undefined ? null : oneOf(values.result, deliveryResults, "--result"),
    since: readWhen(values.since, "--since", now),
    until: readWhen(values.until, "--until", now),
    state: values.state === undefined ? null : oneOf(values.state, deliveryStates, "--state"),
  };
  const limit = readCount(values.limit, "--limit", 1, limitMax);
  const [reference] = positionals;
  return await withSession(configOf(values), async (session) => {
    if (day !== undefined) await showDay(session, required(values.partner, "--partner"), day, values.json);
    else if (values.night) {
      await assertPartner(session.database, filter.partnerId);
      await showNight(session, filter.partnerId, values.json);
    } else if (values.fleet) await showFleet(session, values.json);
    else if (range !== null) await showFlow(session, range, values.json);
    else if (reference === undefined) await showAll(session, filter, limit, values.json);
    else await showOne(session, reference, filter.partnerId, values.json);
    return exitCode.done;
  });
}

async function showDay(session: Session, partnerId: string, day: Day, asJson: boolean): Promise<void> {
  const partner = await readPartnerOverview(session.database, partnerId);
  if (partner === null) throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
  const summary = await summaryOf(session.database, partnerId, day, partner.brands[0]?.timeZone ?? "UTC");
  printResult(asJson, summary, daySummaryText(summary).trimEnd().split("\n"));
}

async function showAll(session: Session, filter: DeliveryFilter, limit: number, asJson: boolean): Promise<void> {
  await assertPartner(session.database, filter.partnerId);
  const states = await countByState(session.database, filter.partnerId);
  const behind = await countBehind(session.database, filter.partnerId);
  const latest = await searchDeliveries(session.database, filter, limit);
  const missing = await listMissing(session.database, filter.partnerId);
  const unguarded = (await listUnguarded(session.database)).filter((id) => id === (filter.partnerId ?? id));
  const { databaseUrl, databaseUrlApi } = session.config;
  const haveOwnLogin = databaseUrl === undefined || databaseUrlApi !== undefined;
  const callersConfined = haveOwnLogin || (await findCallerRole(session.database)) !== null;
  const processes = await listProcesses(session.database);
  const forgotten = (await readNote(session.folder.vault))?.last ?? null;
  const rates = await readRatesAge(session.database, createClock(session.config.asOf));
  printResult(
    asJson,
    {
      states,
      ...behind,
      callersConfined,
      callersHaveOwnLogin: haveOwnLogin,
      unguardedPartners: unguarded,
      exchangeRates: rates,
      missingFiles: missing,
      forgottenFiles: forgotten,
      processes,
      deliveries: latest.map(toLine),
    },
    [
      `Deliveries: ${describeStates(states)}`,
      `Users to recognise: ${formatCount(behind.usersChanged)}; IMPORT_COMPLETED markers that wait for earlier deliveries: ${formatCount(behind.markersWaiting)}`,
      ...(behind.usersHeld === 0
        ? []
        : [
            `Users whom a version of recognition sees differently that is not put in force: ${formatCount(behind.usersHeld)} (tideline recognise --runs)`,
          ]),
      describeRates(rates),
      ...describeMissing(missing),
      ...describeForgotten(forgotten),
      ...(callersConfined
        ? []
        : [
            "Row-level security does not hold for the API's connections: the database has no role tideline_api that this user may take on (docs/operations.md, “One machine”)",
          ]),
      ...(haveOwnLogin || !callersConfined
        ? []
        : [
            "The API's connections take on the role tideline_api and could leave it: give them a login of their own (tideline database roles)",
          ]),
      ...describeUnguarded(unguarded),
      ...describeProcesses(processes),
      "",
      ...linesOf(latest),
    ],
  );
}

function describeProcesses(processes: readonly Process[]): string[] {
  if (processes.length === 0) return ["Processes: none runs"];
  const head = ["  ROLE", "MACHINE", "PID", "VERSION", "STARTED", "LAST BEAT", "WORKING ON"];
  const rows = processes.map((one) => [
    `  ${one.role.join(",")}`,
    one.machine,
    String(one.pid),
    one.version,
    one.startedAt.toISOString().slice(0, 19),
    `${one.beatAt.toISOString().slice(11, 19)}${one.silent ? " (silent)" : ""}`,
    one.workingOn ?? "-",
  ]);
  return [`Processes: ${formatCount(processes.length)}`, ...alignColumns([head, ...rows])];
}

function describeForgotten(finding: Finding | null): string[] {
  if (finding === null) return [];
  const { at, takenUp, cameAgain, left } = finding;
  return [
    `The database had forgotten files when it was looked at ${at.slice(0, 19)}Z: ${formatCount(takenUp)} taken up again, ${formatCount(cameAgain)} had come again, ${formatCount(left)} cannot be (tideline backup reconcile)`,
  ];
}

function describeUnguarded(partners: readonly string[]): string[] {
  if (partners.length === 0) return [];
  return [
    `Served on this machine only, since no network, certificate or signature holds callers back: ${partners.join(", ")} (docs/operations.md, “Onboarding a partner”)`,
  ];
}

async function showOne(session: Session, reference: string, partnerId: string | null, asJson: boolean): Promise<void> {
  const delivery = await findReferred(session.database, reference, partnerId);
  const receipt = await buildReceipt(session.database, delivery);
  printResult(asJson, { ...toLine(delivery), ...receipt }, describe(delivery, receipt));
}

function describeState(delivery: Delivery): string {
  const { state, attempts, retryAt, revisitRequestedAt } = delivery;
  const failed = attempts === 0 ? "" : `, failed ${countOf(attempts, "time")} since its last progress`;
  const revisited =
    revisitRequestedAt === null ? "" : isReadAgain(delivery) ? ", read again now" : ", to be read again";
  // What came to its end keeps the time of a try that is over.
  const goesOn = state === "accepted" || state === "loading" || revisitRequestedAt !== null;
  return `${state}${revisited}${failed}${goesOn && retryAt !== null ? `, goes on at ${retryAt.toISOString()}` : ""}`;
}

function describeProgress({ percent, recordsPerSecond, secondsLeft }: LoadProgress): string {
  const parts = [
    ...(percent === null ? [] : [`${percent} % of its bytes`]),
    ...(recordsPerSecond === null ? [] : [`${formatCount(recordsPerSecond)} records/s`]),
    ...(secondsLeft === null ? [] : [`some ${formatCount(secondsLeft)} s left`]),
  ];
  return parts.length === 0 ? "it is being checked" : parts.join(", ");
}

function describeStates(states: readonly StateCount[]): string {
  if (states.length === 0) return "none yet";
  return states
    .map((one) => `${formatCount(one.deliveries)} ${one.state} (${countOf(one.records, "record")})`)
    .join(", ");
}

function describeRates({ newest, bankingDays, isOld }: RatesAge): string {
  if (newest === null) return "Exchange rates: none; tideline rates load, or TIDELINE_RATES_URL, brings them";
  const age = `Exchange rates: of ${newest}, ${countOf(bankingDays ?? 0, "banking day")} behind`;
  return isOld ? `${age}; tideline rates load, or TIDELINE_RATES_URL, brings newer ones` : age;
}

function describeMissing(missing: readonly MissingFile[]): string[] {
  if (missing.length === 0) return [];
  const shown = missing
    .slice(-missingShownMax)
    .map((one) => `  ${one.partnerId}: ${one.name} of ${one.dueDay}, due ${one.dueAt.toISOString().slice(0, 16)}Z`);
  return [`Expected files that have not come: ${formatCount(missing.length)}`, ...shown];
}

function toLine(delivery: Delivery): object {
  return {
    deliveryId: delivery.id,
    partnerId: delivery.partnerId,
    door: delivery.door,
    format: delivery.format,
    state: delivery.state,
    file: delivery.name,
    requestId: delivery.requestId,
    correlationId: delivery.correlationId,
    attempts: delivery.attempts,
    acceptedAt: delivery.acceptedAt,
    finishedAt: delivery.finishedAt,
    refusalCode: delivery.refusalCode,
    counts: { ...batchesOf(delivery), ...countsOf(delivery) },
    progress: progressOf(delivery, new Date()),
  };
}

/** Those of which no record was read count to no column of records. */
function batchesOf(delivery: Delivery) {
  return { batches: delivery.batches, batchesRefused: delivery.batchesRefused };
}

function countsOf(delivery: Delivery) {
  return {
    records: delivery.records,
    new: delivery.recordsNew,
    known: delivery.recordsKnown,
    conflicting: delivery.recordsConflicting,
    refused: delivery.recordsRefused,
    waiting: delivery.recordsWaiting,
    markers: delivery.markers,
  };
}

function stateInShort(delivery: Delivery): string {
  const percent = progressOf(delivery, new Date())?.percent ?? null;
  const { batches, batchesRefused } = batchesOf(delivery);
  const refused =
    batchesRefused === 0 ? "" : `, ${formatCount(batchesRefused)} of ${countOf(batches, "batch", "batches")} refused`;
  const again = isReadAgain(delivery) ? ", again" : "";
  return `${delivery.state}${again}${percent === null ? "" : ` ${percent} %`}${refused}`;
}

function linesOf(deliveries: readonly Delivery[]): string[] {
  const head = [
    "ACCEPTED",
    "PARTNER",
    "DOOR",
    "STATE",
    "RECORDS",
    "NEW",
    "KNOWN",
    "CONFL",
    "REFUSED",
    "WAITING",
    "MARKERS",
    "FILE OR REQUEST",
  ];
  const rows = deliveries.map((one) => [
    one.acceptedAt.toISOString().slice(0, 19),
    one.partnerId,
    one.door,
    one.refusalCode ?? stateInShort(one),
    ...Object.values(countsOf(one)).map(formatCount),
    one.name ?? one.requestId ?? one.id,
  ]);
  return rows.length === 0 ? [] : alignColumns([head, ...rows]);
}

function explain({ code, reason, remedy }: NonNullable<Receipt["revisitRefusal"]>): string {
  return `${code}: ${reason} ${remedy}`;
}

function describe(delivery: Delivery, receipt: Receipt): string[] {
  const counts = receipt.counts;
  const shown = receipt.problems
    .slice(0, problemsShownMax)
    .map((one) => `  line ${one.line}, record ${one.index}, ${one.field || "record"}: ${one.reason}`);
  const more = receipt.problemsTotal - shown.length;
  return [
    ...alignColumns([
      ["delivery", delivery.id],
      ["partner", delivery.partnerId],
      [
        "came as",
        `${delivery.name ?? `request ${delivery.requestId}`} over ${delivery.door}, ${delivery.format}, ${countOf(delivery.sizeBytes, "byte")}`,
      ],
      ["SHA-256", receipt.sha256],
      ["correlation id", delivery.correlationId],
      ["state", describeState(delivery)],
      ["accepted", receipt.acceptedAt],
      ["loading since", receipt.startedAt ?? "-"],
      ["finished", receipt.finishedAt ?? "-"],
      ...(receipt.progress ? [["progress", describeProgress(receipt.progress)]] : []),
      ["batches", `${formatCount(counts.batches)}, ${formatCount(counts.batchesRefused)} refused`],
      [
        "records",
        `${formatCount(counts.records)} = ${formatCount(counts.new)} new + ${formatCount(counts.known)} known + ${formatCount(counts.conflicting)} conflicting${counts.corrected > 0 ? ` (${formatCount(counts.corrected)} corrected)` : ""} + ${formatCount(counts.refused)} refused + ${formatCount(counts.waiting)} waiting + ${countOf(counts.markers, "marker")}`,
      ],
      ...(receipt.withdrawal
        ? [
            [
              "withdrawn",
              `${receipt.withdrawal.at}: ${countOf(receipt.withdrawal.transactions, "transaction")} left the ledger`,
            ],
          ]
        : []),
      ...(receipt.refusal ? [["refused", explain(receipt.refusal)]] : []),
      ...(receipt.revisitRefusal ? [["not read again", explain(receipt.revisitRefusal)]] : []),
    ]),
    ...(shown.length > 0 ? ["", `${countOf(receipt.problemsTotal, "problem")}:`, ...shown] : []),
    ...(more > 0 ? [`  and ${formatCount(more)} more`] : []),
  ];
}
