/** The thread's side of recognition: claim users, read, assess, store what changed; one transaction a task. */
import { markStale } from "../src/budgets/store.ts";
import { inTransaction, type Transaction } from "../src/database/database.ts";
import { writeVerdicts, writeWarnings } from "../src/recognition/alerts.ts";
import { assess, type Assessment, type AssessmentContext, recognitionContext } from "../src/recognition/assess.ts";
import { addChanges, noChanges } from "../src/recognition/services/changes.ts";
import { noticesOf } from "../src/notifications/notices.ts";
import { writeNotices } from "../src/notifications/outbox.ts";
import { type ClaimedEntry, holdBack, leaveList } from "../src/partners/changed-users.ts";
import { Holding } from "../src/recognition/holding.ts";
import {
  type PackedPast,
  packPast,
  type Past,
  readPasts,
  readWhole,
  writePasts,
} from "../src/recognition/past/past.ts";
import { type IncomeModel, isSameIncome } from "../src/recognition/income/model.ts";
import { writeIncomeModels } from "../src/recognition/income/store.ts";
import { useCurrentProducts } from "../src/recognition/product-edits.ts";
import { readRemembered, type Remembered } from "../src/recognition/remembered.ts";
import {
  claimChangedUsers,
  type Circumstances,
  type ClaimedUser,
  type ClaimedUsers,
  claimUser,
  wasMadeByEarlier,
} from "../src/recognition/claimed.ts";
import { foundDifferently, type HeldBack, type InForce, readInForce } from "../src/recognition/preview/held-back.ts";
import { keepHeldBack } from "../src/recognition/preview/runs.ts";
import {
  confirmReadModels,
  type ConfirmedModel,
  type MadeWith,
  type ServiceRow,
  type WrittenModel,
  writeReadModels,
  writeServices,
} from "../src/recognition/store.ts";
import { changedLists, changedServices } from "../src/recognition/services/unchanged.ts";
import { findTracesOf } from "../src/recognition/traces.ts";
import { Running } from "../src/recognition/running.ts";
import { Stopwatch } from "../src/recognition/stages.ts";
import { algorithmVersion } from "../src/recognition/version.ts";
import { recognise } from "../src/recognition/recognise.ts";
import type { RecogniseOutcome, RecogniseTask } from "../src/recognition/task.ts";
import type { WorkerContext } from "./context.ts";
import type { CurrentConversion } from "../src/rates/conversion.ts";
import { currentConversion } from "./ingest/conversion.ts";
import { present } from "../src/present.ts";

/** After so long (Running) a run over many users ends with those it has: a user's decision may wait for one of them. */
const computingMs = 250;
/** Histories read together at first: ten long ones are some hundred megabytes. */
const usersPerRead = 10;
/** Users are claimed for no more than this many times as long: what is read of those left over is read in vain. */
const claimedTimes = 1.1;
/** Users for a millisecond in this thread's last run; null: none was. */
let lastPace: number | null = null;
/** Where those were short, as many more as make about so many rows: a query is worth its way. */
const rowsPerRead = 5_000;

/**
 * @returns how many users were recognised, how many services they have, and what a new algorithm changed; users on the
 * list that there was no time for stay there. Idempotent.
 */
export async function recogniseUsers({ database }: WorkerContext, task: RecogniseTask): Promise<RecogniseOutcome> {
  const stopwatch = new Stopwatch();
  return await inTransaction(database, async (transaction) => {
    const { userId } = task;
    const isBulk = userId === undefined;
    // What a crash loses is on the list again, and made again; for the commit of one user somebody waits, and tells of
    // it.
    if (isBulk) await transaction.query("set local synchronous_commit = off");
    const claimed = isBulk
      ? await claimChangedUsers(transaction, usersToClaim(task.usersMax), task.settledMs)
      : await claimUser(transaction, userId);
    stopwatch.lap("claim");
    // Before anything of theirs is read: a load of rates that comes meanwhile finds an older version in what is stored.
    const conversion = claimed.users.length === 0 ? null : await currentConversion(database);
    const productsVersion = claimed.users.length === 0 ? 0 : await useCurrentProducts(database);
    const inForce: InForce =
      isBulk || task.mayHold === true ? await readInForce(transaction, claimed.users, claimed.entries) : new Map();
    const { assessed, heldBack } =
      conversion === null
        ? { assessed: [], heldBack: [] }
        : await assessAll(transaction, claimed, inForce, task, conversion, stopwatch);
    const left = await leaveList(transaction, withoutWaiting(claimed, assessed));
    await holdBack(
      transaction,
      heldBack.map(({ userId }) => userId).sort((a, b) => a - b),
      algorithmVersion,
    );
    stopwatch.lap("list");
    await keepHeldBack(transaction, algorithmVersion, heldBack);
    if (conversion !== null) {
      await store(
        transaction,
        assessed,
        { ratesVersion: conversion.version, catalogueVersion: productsVersion },
        stopwatch,
      );
      await writePasts(
        transaction,
        assessed.flatMap(({ user: { id }, past }) => (left.has(id) ? { userId: id, past } : [])),
      );
      stopwatch.lap("past");
    }
    const done = new Set(assessed.map(({ user }) => user.id));
    const came = claimed.entries.filter(({ userId: id }) => done.has(id));
    return {
      ...(task.traced === true ? { traceparents: await findTracesOf(transaction, came) } : {}),
      users: assessed.length,
      services: assessed.reduce((total, { servicesFound }) => total + servicesFound, 0),
      upgrade: upgradeOf(assessed),
      held: heldBack.length,
      times: stopwatch.times,
    };
  });
}

async function store(
  transaction: Transaction,
  assessed: readonly Assessed[],
  versions: Pick<MadeWith, "ratesVersion" | "catalogueVersion">,
  stopwatch: Stopwatch,
): Promise<void> {
  await writeServices(
    transaction,
    assessed.flatMap(({ services }) => services),
    assessed.flatMap(({ merges }) => merges),
  );
  await writeVerdicts(
    transaction,
    assessed.flatMap(({ user, verdicts }) => verdicts.map((one) => ({ ...one, userId: user.id }))),
  );
  await writeWarnings(
    transaction,
    assessed.flatMap(({ user, warnings }) => warnings.map((one) => ({ ...one, userId: user.id }))),
  );
  stopwatch.lap("services");
  await writeNotices(
    transaction,
    assessed.flatMap(({ notices }) => notices),
  );
  stopwatch.lap("notices");
  const madeWith = { algorithmVersion, ...versions };
  await writeReadModels(
    transaction,
    assessed.flatMap(({ model }) => ("lists" in model ? [model] : [])),
    madeWith,
  );
  await confirmReadModels(
    transaction,
    assessed.flatMap(({ model }) => ("lists" in model ? [] : [model])),
    madeWith,
  );
  await writeIncomeModels(
    transaction,
    assessed.flatMap(({ user, income }) => (income === null ? [] : [{ ...income, userId: user.id }])),
  );
  stopwatch.lap("read models");
  await markStale(
    transaction,
    assessed.map(({ user }) => user.id),
  );
  stopwatch.lap("budgets");
}

/** Those recognised, and those that are no users any more. */
function withoutWaiting({ users, entries }: ClaimedUsers, assessed: readonly Assessed[]): ClaimedUsers {
  const done = new Set(assessed.map(({ user }) => user.id));
  const waiting = new Set(users.flatMap(({ id }) => (done.has(id) ? [] : [id])));
  return { users: assessed.map(({ user }) => user), entries: entries.filter(({ userId }) => !waiting.has(userId)) };
}

/**
 * What is to be written of a user, and nothing else: everything else of a batch of users, its rows and documents, would be
 * copied by each round of the garbage collector until the last one of them is written.
 */
type Assessed = Pick<Assessment, "verdicts" | "warnings" | "merges" | "changes"> & {
  user: ClaimedUser;
  past: PackedPast;
  servicesFound: number;
  /** Those that differ from what is stored. */
  services: ServiceRow[];
  notices: ReturnType<typeof noticesOf>;
  /** Without its lists where these stay as they are. */
  model: (WrittenModel | ConfirmedModel) & Circumstances;
  /** Null: it stays as it is. */
  income: IncomeModel | null;
};

/** As many of the users as there is time for, at least the first; those first whose past is kept. */
async function assessAll(
  transaction: Transaction,
  { users, entries }: ClaimedUsers,
  inForce: InForce,
  task: RecogniseTask,
  conversion: CurrentConversion,
  stopwatch: Stopwatch,
): Promise<{ assessed: Assessed[]; heldBack: HeldBack[] }> {
  const remembered = await readRemembered(
    transaction,
    users.map(({ id }) => id),
  );
  stopwatch.lap("remembered");
  const running = new Running();
  const assessed: Assessed[] = [];
  const heldBack: HeldBack[] = [];
  const byUser = new Map<number, ClaimedEntry>(entries.map((entry) => [entry.userId, entry]));
  const assessOne = (user: ClaimedUser, past: Past): void => {
    stopwatch.lap("history");
    const known = present(remembered.get(user.id), "what is remembered of a user");
    const entry = present(byUser.get(user.id), "a user's entry on the list");
    const services = inForce.get(user.id);
    const found =
      services &&
      foundDifferently(user, past.history, known, entry, services, {
        baseUrl: task.baseUrl,
        convert: conversion.convert,
      });
    if (found) {
      heldBack.push({ userId: user.id, found });
      return;
    }
    const news = wasMadeByEarlier(user) ? new Set(entry.arrived ?? []) : null;
    assessed.push(assessUser(user, past, known, task, { conversion, stopwatch, arrived: news }));
  };
  const others: ClaimedUser[] = [];
  const isTimeOver = (): boolean => assessed.length + heldBack.length > 0 && running.ms() >= computingMs;
  for (let looked = 0; looked < users.length && (looked === 0 || running.ms() < computingMs);) {
    const some = users.slice(looked, looked + usersInTime(looked, running.ms()));
    const stored = await readPasts(
      transaction,
      some.map(({ id, computedAt }) => ({ id, computedAt, arrived: byUser.get(id)?.arrived ?? null })),
    );
    for (const user of some) {
      if (isTimeOver()) break;
      const past = stored.of(user.id);
      if (past === null) others.push(user);
      else assessOne(user, past);
    }
    looked += some.length;
  }
  let [done, rows] = [0, 0];
  while (done < others.length && !isTimeOver()) {
    const some = others.slice(done, done + usersToRead(done, rows));
    const pasts = await readWhole(
      transaction,
      some.map(({ id }) => id),
    );
    for (const user of some) {
      const past = present(pasts.get(user.id), "a user's past");
      rows += past.history.length;
      assessOne(user, past);
    }
    done += some.length;
  }
  const usersDone = assessed.length + heldBack.length;
  if (usersDone >= usersPerRead) lastPace = usersDone / running.ms();
  return { assessed, heldBack };
}

/** As many as there is time for, going by the run before. */
function usersToClaim(usersMax: number): number {
  if (lastPace === null) return usersMax;
  return Math.min(usersMax, Math.max(usersPerRead, Math.ceil(lastPace * computingMs * claimedTimes)));
}

/** As many more as there is time for, going by those so far, or by the run before. */
function usersInTime(users: number, ranMs: number): number {
  if (users === 0) return Math.max(usersPerRead, Math.ceil((lastPace ?? 0) * computingMs));
  return Math.max(usersPerRead, Math.floor((users * (computingMs - ranMs)) / ranMs));
}

/** @param rows of the users read so far */
function usersToRead(users: number, rows: number): number {
  return users === 0 ? usersPerRead : Math.max(usersPerRead, Math.floor((rowsPerRead * users) / Math.max(1, rows)));
}

type AssessedWith = Pick<AssessmentContext, "arrived"> & { conversion: CurrentConversion; stopwatch: Stopwatch };

function assessUser(
  user: ClaimedUser,
  past: Past,
  known: Remembered,
  task: RecogniseTask,
  { conversion, stopwatch, arrived }: AssessedWith,
): Assessed {
  const today = task.today[user.timeZone];
  if (today === undefined) throw new Error(`no business day for ${user.timeZone}`);
  const holding = new Holding(conversion.until);
  const context = { today, baseUrl: task.baseUrl, convert: conversion.convert, arrived, holding };
  const recognised = recognise(past.history, {
    ...recognitionContext(user, today, holding),
    searches: past.searches,
    areInOrder: past.recent !== null,
  });
  stopwatch.lap("recognise");
  const assessment = assess(user, past.history, known, context, recognised);
  const written = whatChanged(user, assessment, known, arrived);
  stopwatch.lap("documents");
  const packed = packPast(past, user.country);
  stopwatch.lap("past");
  return { user, past: packed, ...written };
}

/** @param known services and income as the last run left them. @param arrived as in NewsContext */
function whatChanged(
  user: ClaimedUser,
  { services, found, readModel, income, verdicts, warnings, merges, changes }: Assessment,
  known: Remembered,
  arrived: AssessmentContext["arrived"],
): Omit<Assessed, "user" | "past"> {
  const { importCompletedOn, circumstances, readModelDigest } = user;
  const lists = changedLists(readModel, readModelDigest);
  const { userId, importComplete, computedFor, lacksRates, thresholds, holdsUntil } = readModel;
  const model = { userId, importComplete, computedFor, lacksRates, thresholds, holdsUntil, circumstances };
  return {
    verdicts,
    warnings,
    merges,
    changes,
    servicesFound: services.length,
    services: changedServices(services, known.services),
    notices: noticesOf(known.services, found, { userId, today: computedFor, importCompletedOn, arrived }),
    model: lists === null ? model : { ...model, lists },
    income: isSameIncome(income, known.income) ? null : income,
  };
}

/** What changed for the users whose figures an earlier algorithm had made. */
function upgradeOf(assessed: readonly Assessed[]): RecogniseOutcome["upgrade"] {
  const upgraded = assessed.filter(({ user }) => wasMadeByEarlier(user));
  return {
    users: upgraded.length,
    ...upgraded.map(({ changes }) => changes).reduce(addChanges, noChanges),
  };
}
