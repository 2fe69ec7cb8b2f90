/** The thread's side of recognition: claim users, read, assess, store what changed; one transaction a task. */
import type { LedgerTransaction } from "../src/ledger/history.ts";
import { markStale } from "../src/budgets/store.ts";
import { inTransaction, type Transaction } from "../src/database/database.ts";
import { writeVerdicts, writeWarnings } from "../src/recognition/alerts.ts";
import { assess, type Assessment, type AssessmentContext, recognitionContext } from "../src/recognition/assess.ts";
import { addChanges, noChanges } from "../src/recognition/services/changes.ts";
import { noticesOf } from "../src/notifications/notices.ts";
import { writeNotices } from "../src/notifications/outbox.ts";
import { leaveList } from "../src/partners/changed-users.ts";
import { type Past, readPasts, readWhole, writePasts } from "../src/recognition/past/past.ts";
import { isSameIncome, type KnownIncome } from "../src/recognition/income/model.ts";
import { writeIncomeModels } from "../src/recognition/income/store.ts";
import { readRemembered, type Remembered, type StoredService } from "../src/recognition/remembered.ts";
import {
  confirmReadModels,
  claimChangedUsers,
  type ClaimedUser,
  type ClaimedUsers,
  claimUser,
  writeReadModels,
  writeServices,
} from "../src/recognition/store.ts";
import { changedServices, isSameModel } from "../src/recognition/services/unchanged.ts";
import { Stopwatch } from "../src/recognition/stages.ts";
import { algorithmVersion } from "../src/recognition/version.ts";
import { recognise } from "../src/recognition/recognise.ts";
import type { RecogniseOutcome, RecogniseTask } from "../src/recognition/task.ts";
import type { WorkerContext } from "./context.ts";
import { currentConversion } from "./ingest/conversion.ts";
import { present } from "../src/present.ts";

/** After so long a run over many users ends with those it has: a user's decision may wait for one of them. */
const computingMs = 250;
/** Histories read together at first: ten long ones are some hundred megabytes. */
const usersPerRead = 10;
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
      ? await claimChangedUsers(transaction, task.usersMax, task.settledMs)
      : await claimUser(transaction, userId);
    stopwatch.lap("claim");
    // Before anything of theirs is read: a load of rates that comes meanwhile finds an older version in what is stored.
    const conversion = claimed.users.length === 0 ? null : await currentConversion(database);
    const assessed =
      conversion === null ? [] : await assessAll(transaction, claimed, task, conversion.convert, stopwatch);
    const left = await leaveList(transaction, withoutWaiting(claimed, assessed));
    stopwatch.lap("list");
    if (conversion !== null) {
      await store(transaction, assessed, conversion.version, stopwatch);
      await writePasts(
        transaction,
        assessed.flatMap(({ user: { id }, past }) => (left.has(id) ? { userId: id, past } : [])),
      );
      stopwatch.lap("past");
    }
    return {
      users: assessed.length,
      services: assessed.reduce((total, { assessment }) => total + assessment.services.length, 0),
      upgrade: upgradeOf(assessed),
      times: stopwatch.times,
    };
  });
}

async function store(
  transaction: Transaction,
  assessed: readonly Assessed[],
  ratesVersion: number,
  stopwatch: Stopwatch,
): Promise<void> {
  const all = assessed.map(({ assessment }) => assessment);
  await writeServices(
    transaction,
    assessed.flatMap(({ before, assessment }) => changedServices(assessment.services, before)),
    all.flatMap(({ merges }) => merges),
  );
  await writeVerdicts(
    transaction,
    all.flatMap(({ verdicts }) => verdicts),
  );
  await writeWarnings(
    transaction,
    assessed.flatMap(({ user, assessment }) => assessment.warnings.map((one) => ({ ...one, userId: user.id }))),
  );
  stopwatch.lap("services");
  await writeNotices(
    transaction,
    assessed.flatMap(({ user, before, assessment, arrived }) =>
      noticesOf(before, assessment.found, {
        userId: user.id,
        today: assessment.readModel.computedFor,
        importCompletedOn: user.importCompletedOn,
        arrived,
      }),
    ),
  );
  stopwatch.lap("notices");
  const { same = [], changed = [] } = Object.groupBy(assessed, ({ user, assessment }) =>
    isSameModel(assessment.readModel, user) ? "same" : "changed",
  );
  const madeWith = { algorithmVersion, ratesVersion };
  await writeReadModels(
    transaction,
    changed.map(({ assessment }) => assessment.readModel),
    madeWith,
  );
  await confirmReadModels(
    transaction,
    same.map(({ assessment }) => assessment.readModel),
    madeWith,
  );
  await writeIncomeModels(
    transaction,
    assessed.flatMap(({ user, income, assessment }) =>
      isSameIncome(assessment.income, income) ? [] : [{ ...assessment.income, userId: user.id }],
    ),
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

/** before, income: services and income as the last run left them. arrived: as in NewsContext. */
type Assessed = {
  user: ClaimedUser;
  past: Past;
  before: readonly StoredService[];
  income: KnownIncome;
  assessment: Assessment;
  arrived: ReadonlySet<string> | null;
};

/** As many of the users as there is time for, at least the first few; those first whose past is kept. */
async function assessAll(
  transaction: Transaction,
  { users, entries }: ClaimedUsers,
  task: RecogniseTask,
  convert: AssessmentContext["convert"],
  stopwatch: Stopwatch,
): Promise<Assessed[]> {
  const remembered = await readRemembered(
    transaction,
    users.map(({ id }) => id),
  );
  stopwatch.lap("remembered");
  const startedAt = performance.now();
  const until = startedAt + computingMs;
  const assessed: Assessed[] = [];
  const assessOne = (user: ClaimedUser, past: Past): void => {
    stopwatch.lap("history");
    const known = present(remembered.get(user.id), "what is remembered of a user");
    const news = wasMadeByEarlier(user) ? new Set(arrived.get(user.id) ?? []) : null;
    assessed.push({ past, ...assessUser(user, past.history, known, task, { convert, stopwatch, arrived: news }) });
  };
  const arrived = new Map(entries.map((entry) => [entry.userId, entry.arrived]));
  const others: ClaimedUser[] = [];
  for (let looked = 0; looked < users.length && (looked === 0 || performance.now() < until);) {
    const some = users.slice(looked, looked + usersInTime(looked, startedAt, until));
    const stored = await readPasts(
      transaction,
      some.map(({ id, computedAt }) => ({ id, computedAt, arrived: arrived.get(id) ?? null })),
    );
    for (const user of some) {
      const past = stored.of(user.id);
      if (past === null) others.push(user);
      else assessOne(user, past);
    }
    looked += some.length;
  }
  let [done, rows] = [0, 0];
  while (done < others.length && (assessed.length === 0 || performance.now() < until)) {
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
  return assessed;
}

/** As many more as there is time for, going by those so far; what is read of others is read in vain. */
function usersInTime(users: number, startedAt: number, until: number): number {
  const now = performance.now();
  return users === 0 ? usersPerRead : Math.max(usersPerRead, Math.floor((users * (until - now)) / (now - startedAt)));
}

/** @param rows of the users read so far */
function usersToRead(users: number, rows: number): number {
  return users === 0 ? usersPerRead : Math.max(usersPerRead, Math.floor((rowsPerRead * users) / Math.max(1, rows)));
}

function assessUser(
  user: ClaimedUser,
  history: readonly LedgerTransaction[],
  known: Remembered,
  task: RecogniseTask,
  { convert, stopwatch, arrived }: Pick<AssessmentContext, "convert" | "arrived"> & { stopwatch: Stopwatch },
): Omit<Assessed, "past"> {
  const today = task.today[user.timeZone];
  if (today === undefined) throw new Error(`no business day for ${user.timeZone}`);
  const context = { today, baseUrl: task.baseUrl, convert, arrived };
  const recognised = recognise(history, recognitionContext(user, today));
  stopwatch.lap("recognise");
  const assessment = assess(user, history, known, context, recognised);
  stopwatch.lap("documents");
  return { user, before: known.services, income: known.income, assessment, arrived };
}

/** Whether an earlier algorithm made the user's figures: what is seen differently now is no news. */
function wasMadeByEarlier(user: ClaimedUser): boolean {
  return user.algorithmVersion !== null && user.algorithmVersion < algorithmVersion;
}

/** What changed for the users whose figures an earlier algorithm had made. */
function upgradeOf(assessed: readonly Assessed[]): RecogniseOutcome["upgrade"] {
  const upgraded = assessed.filter(({ user }) => wasMadeByEarlier(user));
  return {
    users: upgraded.length,
    ...upgraded.map(({ assessment }) => assessment.changes).reduce(addChanges, noChanges),
  };
}
