/** The thread's side of recognition: claim users, read, assess, store what changed; one transaction a task. */
import { type LedgerTransaction, readHistory } from "../src/ledger/history.ts";
import { markStale } from "../src/budgets/store.ts";
import { inTransaction, type Transaction } from "../src/database/database.ts";
import { writeVerdicts, writeWarnings } from "../src/recognition/alerts.ts";
import { assess, type Assessment, type AssessmentContext } from "../src/recognition/assess.ts";
import { addChanges, noChanges } from "../src/recognition/services/changes.ts";
import { noticesOf } from "../src/notifications/notices.ts";
import { writeNotices } from "../src/notifications/outbox.ts";
import { leaveList } from "../src/partners/changed-users.ts";
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
import { algorithmVersion } from "../src/recognition/version.ts";
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
  return await inTransaction(database, async (transaction) => {
    const { userId } = task;
    const isBulk = userId === undefined;
    // What a crash loses is on the list again, and made again; for the commit of one user somebody waits, and tells of
    // it.
    if (isBulk) await transaction.query("set local synchronous_commit = off");
    const claimed = isBulk
      ? await claimChangedUsers(transaction, task.usersMax, task.settledMs)
      : await claimUser(transaction, userId);
    const assessed =
      claimed.users.length === 0
        ? []
        : await assessAll(transaction, claimed.users, task, await currentConversion(database));
    await leaveList(transaction, withoutWaiting(claimed, assessed));
    if (assessed.length > 0) await store(transaction, assessed);
    return {
      users: assessed.length,
      services: assessed.reduce((total, { assessment }) => total + assessment.services.length, 0),
      upgrade: upgradeOf(assessed),
    };
  });
}

async function store(transaction: Transaction, assessed: readonly Assessed[]): Promise<void> {
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
  await writeNotices(
    transaction,
    assessed.flatMap(({ user, before, assessment }) =>
      noticesOf(before, assessment.found, {
        userId: user.id,
        today: assessment.readModel.computedFor,
        importCompletedOn: user.importCompletedOn,
      }),
    ),
  );
  const { same = [], changed = [] } = Object.groupBy(assessed, ({ user, assessment }) =>
    isSameModel(assessment.readModel, user) ? "same" : "changed",
  );
  await writeReadModels(
    transaction,
    changed.map(({ assessment }) => assessment.readModel),
    algorithmVersion,
  );
  await confirmReadModels(
    transaction,
    same.map(({ assessment }) => assessment.readModel),
    algorithmVersion,
  );
  await markStale(
    transaction,
    assessed.map(({ user }) => user.id),
  );
}

/** Those recognised, and those that are no users any more. */
function withoutWaiting({ users, entries }: ClaimedUsers, assessed: readonly Assessed[]): ClaimedUsers {
  const waiting = new Set(users.slice(assessed.length).map(({ id }) => id));
  return { users: assessed.map(({ user }) => user), entries: entries.filter(({ userId }) => !waiting.has(userId)) };
}

/** before: the services as the last run left them. */
type Assessed = { user: ClaimedUser; before: readonly StoredService[]; assessment: Assessment };

/** As many of the users, in their order, as there is time for; at least the first few. */
async function assessAll(
  transaction: Transaction,
  users: readonly ClaimedUser[],
  task: RecogniseTask,
  convert: AssessmentContext["convert"],
): Promise<Assessed[]> {
  const remembered = await readRemembered(
    transaction,
    users.map(({ id }) => id),
  );
  const until = performance.now() + computingMs;
  const assessed: Assessed[] = [];
  let rows = 0;
  while (assessed.length < users.length && (assessed.length === 0 || performance.now() < until)) {
    const some = users.slice(assessed.length, assessed.length + usersToRead(assessed.length, rows));
    const histories = await readHistory(
      transaction,
      some.map(({ id }) => id),
    );
    for (const user of some) {
      const history = histories.get(user.id) ?? [];
      rows += history.length;
      assessed.push(
        assessUser(user, history, present(remembered.get(user.id), "what is remembered of a user"), task, convert),
      );
    }
  }
  return assessed;
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
  convert: AssessmentContext["convert"],
): Assessed {
  const today = task.today[user.timeZone];
  if (today === undefined) throw new Error(`no business day for ${user.timeZone}`);
  return {
    user,
    before: known.services,
    assessment: assess(user, history, known, { today, baseUrl: task.baseUrl, convert }),
  };
}

/** What changed for the users whose figures an earlier algorithm had made. */
function upgradeOf(assessed: readonly Assessed[]): RecogniseOutcome["upgrade"] {
  const upgraded = assessed.filter(
    ({ user }) => user.algorithmVersion !== null && user.algorithmVersion < algorithmVersion,
  );
  return {
    users: upgraded.length,
    ...upgraded.map(({ assessment }) => assessment.changes).reduce(addChanges, noChanges),
  };
}
