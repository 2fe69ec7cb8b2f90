/** `tideline export --transactions` and its like: the rows of a partner's users, as a file for other programs. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../../errors.ts";
import { columnsOf, datasetNames, type DatasetName } from "../../exports/datasets.ts";
import type { Encoder } from "../../exports/encoder.ts";
import { type Advance, type Destination, type Exported, exportRows, type Plan } from "../../exports/export.ts";
import { encoderOf, type ExportFormat, exportFormats } from "../../exports/formats.ts";
import { openFile, openSealedFiles, openStandardOutput } from "../../exports/target.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { countBuffersWithHeap } from "../../machine/garbage-collection.ts";
import { partnerExists } from "../../partners/overview.ts";
import { isDay } from "../../time/calendar.ts";
import { type Session, withSession } from "../service/session.ts";
import { commonOptions, configOf, oneOf, type readArguments, required, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { type Progress, startProgress } from "../terminal/progress.ts";
import { countOf, formatCount, printResult } from "../terminal/result.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;

export const options = {
  ...commonOptions,
  partner: text,
  user: { type: "string", multiple: true },
  to: text,
  out: text,
  users: flag,
  services: flag,
  transactions: flag,
  budgets: flag,
  from: text,
  until: text,
  format: text,
  seal: text,
  unmasked: flag,
  reason: text,
  follow: text,
  unfollow: text,
  followers: flag,
  once: flag,
  "from-position": text,
  signing: text,
  "authority-file": text,
  "allow-private-addresses": flag,
} as const;

export type Values = ReturnType<typeof readArguments<typeof options>>["values"];

/** Null: none of them is asked for. */
export function datasetOf(values: Values): DatasetName | null {
  const asked = datasetNames.filter((name) => values[name]);
  if (asked.length > 1) usageError(`Say one of ${datasetNames.map((name) => `--${name}`).join(", ")}.`);
  return asked[0] ?? null;
}

export async function exportDataset(dataset: DatasetName, values: Values): Promise<number> {
  countBuffersWithHeap();
  const plan = planOf(dataset, values);
  const format = oneOf(required(values.format, "--format"), exportFormats, "--format");
  const to = required(values.to, "--to");
  const sealing = values.seal === undefined ? null : await readFile(values.seal, "utf8");
  if (to === "-" && sealing !== null) usageError("What is sealed goes to files, not to standard output.");
  const interrupt = listenForInterrupt();
  const progress = startProgress({
    label: `export of ${dataset}`,
    unit: "users",
    silent: values.json || to === "-",
    tellsPace: true,
  });
  try {
    return await withSession(configOf(values), async (session) => {
      await announce(session, plan, format, values.reason);
      const encoder = encoderOf(format, columnsOf(plan));
      const exported = await exportRows(
        session.database,
        plan,
        destinationOf(to, { plan, format, sealing }, encoder),
        encoder,
        {
          advance: tellingRate(progress),
          signal: interrupt.signal,
        },
      );
      progress.stop();
      return report(exported, dataset, to, values.json);
    });
  } finally {
    progress.stop();
    interrupt.release();
  }
}

function planOf(dataset: DatasetName, values: Values): Plan {
  if (values.unmasked !== (values.reason !== undefined))
    usageError("--unmasked needs --reason TEXT, which the audit trail keeps, and only with it.");
  const day = (option: "from" | "until") => {
    const given = values[option];
    if (given !== undefined && !isDay(given)) usageError(`--${option} must be a day, YYYY-MM-DD, not "${given}".`);
    return given ?? null;
  };
  return {
    dataset,
    partnerId: required(values.partner, "--partner"),
    bankUserIds: values.user?.toSorted() ?? null,
    from: day("from"),
    until: day("until"),
    unmasked: values.unmasked,
  };
}

/** Before a row is read: what is broken off is told as well. @throws Fault NOT_FOUND */
async function announce(
  { database }: Session,
  { dataset, partnerId, bankUserIds, from, until, unmasked }: Plan,
  format: ExportFormat,
  reason: string | undefined,
): Promise<void> {
  if (!(await partnerExists(database, partnerId))) throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
  await recordAudit(database, commandLineActor(), {
    partnerId,
    event: "data.exported",
    details: { dataset, format, users: bankUserIds?.length ?? null, from, until, unmasked, reason: reason ?? null },
  });
}

type How = { plan: Plan; format: ExportFormat; sealing: string | null };

function destinationOf(to: string, { plan, format, sealing }: How, encoder: Encoder): Destination {
  if (to === "-") return { file: null, open: () => openStandardOutput(encoder) };
  const file = path.resolve(to);
  const identity = JSON.stringify({ tidelineExport: 1, ...plan, format, columns: columnsOf(plan), sealing });
  const open = () =>
    sealing === null ? openFile(file, identity, encoder) : openSealedFiles(file, identity, sealing, encoder);
  return { file, open };
}

/** Of this run alone: an earlier one went at a pace of its own. */
function tellingRate(progress: Progress): (so: Advance) => void {
  let first: (Advance & { at: number }) | null = null;
  return (so) => {
    const at = performance.now();
    first ??= { ...so, at };
    const seconds = (at - first.at) / 1000;
    const [rows, users] = [so.rows - first.rows, so.users - first.users];
    if (users === 0 || seconds === 0) return progress.update(so.users, so.usersTotal);
    const left = Math.max(0, Math.round(((so.usersTotal - so.users) * seconds) / users));
    const rate = `${formatCount(Math.round(rows / seconds))} rows/s`;
    progress.update(so.users, so.usersTotal, `${countOf(so.rows, "row")}, ${rate}, ${formatCount(left)} s left`);
  };
}

function report(
  { rows, users, files, isBrokenOff }: Exported,
  dataset: DatasetName,
  to: string,
  asJson: boolean,
): number {
  const done = { dataset, rows, users, files, complete: !isBrokenOff };
  const line = `${countOf(rows, "row")} of ${countOf(users, "user")}`;
  const lines = isBrokenOff
    ? [`Stopped after ${line}; the same command goes on from there.`]
    : [`${line} in ${files.join(", ")}.`];
  if (to === "-") process.stderr.write(`${line}.\n`);
  else printResult(asJson, done, lines);
  return isBrokenOff ? exitCode.interrupted : exitCode.done;
}
