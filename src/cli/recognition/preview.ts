/** `tideline recognise` with --preview, --keep, --compare, --put-in-force, --runs and --forget: what would be found, beside what is in force. */
import { writeFile } from "node:fs/promises";
import { readConfig } from "../../config.ts";
import { inTransaction } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { baseUrlOf } from "../../machine/addresses.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { putRecognitionInForce } from "../../partners/provisioning.ts";
import { openConversion } from "../../rates/conversion.ts";
import {
  type Compared,
  compareRuns,
  type Differing,
  differences,
  findDiffering,
} from "../../recognition/preview/compare.ts";
import { preview } from "../../recognition/preview/preview.ts";
import { changeText, meanings, type Named, renderComparison } from "../../recognition/preview/report.ts";
import {
  beforeOf,
  beginRun,
  countWaiting,
  findRun,
  forgetRun,
  keepInForce,
  listRuns,
  notePutInForce,
  type Run,
} from "../../recognition/preview/runs.ts";
import { algorithmVersion } from "../../recognition/version.ts";
import { createClock } from "../../time/clock.ts";
import { type Session, withSession } from "../service/session.ts";
import { usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { startProgress } from "../terminal/progress.ts";
import { alignColumns, countOf, formatCount, printResult } from "../terminal/result.ts";

const text = { type: "string" } as const;

/** What of the command line belongs to runs that are kept. */
export const runOptions = {
  preview: text,
  keep: text,
  compare: text,
  forget: text,
  "put-in-force": text,
  runs: { type: "boolean", default: false },
  html: text,
  limit: text,
  "asked-percent": text,
  "visible-percent": text,
} as const;

type Values = { [Name in Exclude<keyof typeof runOptions, "runs">]?: string | undefined } & {
  runs: boolean;
  partner?: string | undefined;
  "as-of"?: string | undefined;
  "data-dir"?: string | undefined;
  json: boolean;
};

/** How many services that differ are told on a terminal, and in a file or as JSON. */
const toldMost = 20;
const writtenMost = 5_000;

/** Null: the command line asks for none of these. */
export async function runsCommand(values: Values): Promise<number | null> {
  const putInForce = values["put-in-force"];
  const asked = [values.preview, values.keep, values.compare, values.forget, putInForce, values.runs ? "" : undefined];
  const count = asked.filter((one) => one !== undefined).length;
  if (count === 0) {
    for (const name of ["html", "limit", "asked-percent", "visible-percent"] as const)
      if (values[name] !== undefined)
        usageError(`--${name} goes with --${name.endsWith("percent") ? "preview" : "compare"}.`);
    return null;
  }
  if (count > 1) usageError("Give one of --preview, --keep, --compare, --put-in-force, --runs and --forget.");
  const config = readConfig({
    ...(values["data-dir"] === undefined ? {} : { dataDir: values["data-dir"] }),
    ...(values["as-of"] === undefined ? {} : { asOf: values["as-of"] }),
  });
  return await withSession(config, async (session) => {
    if (values.preview !== undefined) return await previewRun(session, values.preview, values);
    if (values.keep !== undefined) return await keep(session, values.keep, values);
    if (values.compare !== undefined) return await compare(session, values.compare, values);
    if (putInForce !== undefined) return await putRunInForce(session, putInForce, values.json);
    if (values.forget !== undefined) return await forget(session, values.forget, values.json);
    return await list(session, values.json);
  });
}

async function previewRun(session: Session, name: string, values: Values): Promise<number> {
  const { config, database } = session;
  const run = await beginRun(
    database,
    name,
    {
      partnerId: values.partner ?? null,
      asOf: values["as-of"] ?? null,
      askedPercent: percentOf(values, "asked-percent"),
      visiblePercent: percentOf(values, "visible-percent"),
    },
    { kind: "preview", algorithmVersion },
  );
  const { convert } = await (await openConversion(database)).current();
  const previewing = {
    database,
    clock: createClock(config.asOf),
    baseUrl: config.publicUrl ?? baseUrlOf(config.host, config.httpsPort),
    convert,
  };
  const interrupt = listenForInterrupt();
  const progress = startProgress({ label: "previewing", unit: "users", silent: values.json });
  try {
    const isWhole = await preview(
      previewing,
      run,
      () => interrupt.signal.aborted,
      (done, total) => progress.update(done, total),
    );
    progress.stop();
    if (!isWhole) {
      process.stderr.write("Stopped. The same command goes on where this one stopped.\n");
      return exitCode.interrupted;
    }
  } finally {
    progress.stop();
    interrupt.release();
  }
  return await tellComparison(session, null, await findRun(database, name), values);
}

function percentOf(values: Values, name: "asked-percent" | "visible-percent"): number | null {
  const given = values[name];
  if (given === undefined) return null;
  const value = /^\d{2}$/.test(given) ? Number(given) : 0;
  if (value < 50) usageError(`--${name} must be a whole number from 50 to 99, not "${given}".`);
  return value;
}

async function keep({ database }: Session, name: string, values: Values): Promise<number> {
  if (values["as-of"] !== undefined) usageError("--keep keeps what is in force; --as-of goes with --preview.");
  const settings = { partnerId: values.partner ?? null, asOf: null, askedPercent: null, visiblePercent: null };
  const run = await keepInForce(
    database,
    await beginRun(database, name, settings, { kind: "stored", algorithmVersion }),
  );
  printResult(values.json, { name, users: run.users }, [
    `Kept as "${name}": what is in force for ${countOf(run.users, "user")}.`,
  ]);
  return exitCode.done;
}

/** "A" against what is in force, or "A,B". */
async function compare(session: Session, names: string, values: Values): Promise<number> {
  const [first = "", second, ...more] = names.split(",").map((name) => name.trim());
  if (more.length > 0 || first === "" || second === "") usageError("--compare takes RUN or RUN,RUN.");
  const one = await findRun(session.database, first);
  if (second !== undefined) return await tellComparison(session, one, await findRun(session.database, second), values);
  // What is in force came after what was kept of it, and goes before what would come.
  if (one.listsUsers && one.putInForceAt !== null)
    return await tellComparison(session, await findRun(session.database, beforeOf(one)), one, values);
  return one.kind === "stored"
    ? await tellComparison(session, one, null, values)
    : await tellComparison(session, null, one, values);
}

/** Null: what is in force. */
async function tellComparison(
  { database }: Session,
  before: Run | null,
  after: Run | null,
  values: Values,
): Promise<number> {
  const sides = [before ?? ("in force" as const), after ?? ("in force" as const)] as const;
  const most = limitOf(values);
  const compared = await compareRuns(database, ...sides);
  const differing = await findDiffering(database, ...sides, most);
  const names = [before, after].map(named) as [Named, Named];
  if (values.html !== undefined)
    await writeFile(values.html, renderComparison(new Date().toISOString().slice(0, 10), names, compared, differing));
  printResult(values.json, { sides: names, ...compared, differing }, [
    `${names[0].name} → ${names[1].name}: ${countOf(compared.users, "user")}, ${formatCount(compared.usersDiffering)} with a service that differs.`,
    "",
    ...alignColumns(countRows(compared)),
    ...(differing.length === 0
      ? []
      : ["", ...alignColumns(differingRows(differing, values.limit === undefined ? toldMost : most))]),
    ...(values.html === undefined ? [] : ["", `Written to ${values.html}.`]),
  ]);
  return exitCode.done;
}

function limitOf({ limit, html, json }: Values): number {
  if (limit !== undefined && !/^\d{1,9}$/.test(limit)) usageError(`--limit must be a whole number, not "${limit}".`);
  return limit === undefined ? (html !== undefined || json ? writtenMost : toldMost) : Number(limit);
}

function named(run: Run | null): Named {
  if (run === null)
    return { name: "in force", algorithmVersion: "as computed", asOf: "as computed", thresholds: "as set" };
  const { name, askedPercent, visiblePercent, asOf } = run;
  const isOwn = askedPercent !== null || visiblePercent !== null;
  return {
    name,
    algorithmVersion: String(run.algorithmVersion),
    asOf: asOf ?? `each brand's business day on ${run.startedAt.toISOString().slice(0, 10)}`,
    thresholds: isOwn ? `${askedPercent ?? "as set"} and ${visiblePercent ?? "as set"} per cent` : "as set",
  };
}

function countRows({ before, after, same, counts }: Compared): string[][] {
  const both = (name: string, one: number, other: number): string[] => [name, formatCount(one), formatCount(other)];
  return [
    ["", "BEFORE", "AFTER"],
    both("services", before.services, after.services),
    both("shown", before.visible, after.visible),
    both("asked about", before.undecided, after.undecided),
    both("hidden", before.hidden, after.hidden),
    ["the same", "", formatCount(same)],
    ...differences.map((one) => [meanings[one], "", formatCount(counts[one])]),
  ];
}

function differingRows(differing: readonly Differing[], most: number): string[][] {
  return [
    ["USER", "SERVICE", "WHAT", "BEFORE → AFTER"],
    ...differing
      .slice(0, most)
      .map((one) => [
        one.user,
        (one.after ?? one.before)?.title ?? "",
        one.differences.map((which) => meanings[which]).join(", "),
        changeText(one),
      ]),
  ];
}

/** What the run was made with holds from now on: this version, and its thresholds. Nothing is announced for it. */
async function putRunInForce({ database }: Session, name: string, json: boolean): Promise<number> {
  const run = await findRun(database, name);
  if (run.kind !== "preview") usageError(`"${name}" is what was in force; a preview can be put in force.`);
  if (run.finishedAt === null) usageError(`"${name}" was broken off: let the preview come to its end first.`);
  if (run.algorithmVersion !== algorithmVersion)
    usageError(
      `"${name}" was found by version ${run.algorithmVersion} of recognition, and this is version ${algorithmVersion}: make another preview.`,
    );
  const { brands, held } = await inTransaction(database, async (transaction) => {
    const done = await putRecognitionInForce(transaction, run.partnerId, run);
    await notePutInForce(transaction, run);
    const { askedPercent, visiblePercent, partnerId } = run;
    await recordAudit(transaction, commandLineActor(), {
      partnerId,
      event: "recognition.put-in-force",
      details: { run: name, algorithmVersion, askedPercent, visiblePercent, ...done },
    });
    return done;
  });
  printResult(json, { name, algorithmVersion, brands, held }, [
    `In force for ${countOf(brands, "brand")}: version ${algorithmVersion}${thresholdsOf(run)}. Users are made anew in the background, and nothing is announced for it; ${formatCount(held)} of them had waited for it.`,
  ]);
  return exitCode.done;
}

function thresholdsOf({ askedPercent, visiblePercent }: Run): string {
  const told = [
    ...(askedPercent === null ? [] : [`asked from ${askedPercent} per cent on`]),
    ...(visiblePercent === null ? [] : [`shown from ${visiblePercent} per cent on`]),
  ];
  return told.map((one) => `, ${one}`).join("");
}

async function forget({ database }: Session, name: string, json: boolean): Promise<number> {
  const waiting = await countWaiting(database, await findRun(database, name));
  if (waiting > 0)
    usageError(
      `${countOf(waiting, "user")} ${waiting === 1 ? "waits" : "wait"} for "${name}": put it in force first, or have everything hold at once with tideline partner brand set PARTNER BRAND recognitionRollout=immediate.`,
    );
  if (!(await forgetRun(database, name))) throw new Fault("NOT_FOUND", `There is no run "${name}".`);
  printResult(json, { name }, [`Run "${name}" is removed.`]);
  return exitCode.done;
}

async function list({ database }: Session, json: boolean): Promise<number> {
  const runs = await listRuns(database);
  printResult(
    json,
    { runs },
    runs.length === 0
      ? ["There is no run. tideline recognise --preview NAME makes one."]
      : alignColumns([
          ["NAME", "KIND", "ALGORITHM", "PARTNER", "USERS", "BEGUN", ""],
          ...runs.map((run) => [
            run.name,
            run.kind,
            String(run.algorithmVersion),
            run.partnerId ?? "all",
            formatCount(run.users),
            run.startedAt.toISOString().slice(0, 16).replace("T", " "),
            run.finishedAt === null
              ? "broken off"
              : run.putInForceAt === null
                ? ""
                : `in force since ${run.putInForceAt.toISOString().slice(0, 16).replace("T", " ")}`,
          ]),
        ]),
  );
  return exitCode.done;
}
