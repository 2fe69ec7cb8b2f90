/** The thread's side of recognition: take users, read, assess, store; one transaction a task. */
import { readHistory } from "../src/ledger/history.ts";
import { markStale } from "../src/budgets/store.ts";
import { inTransaction, type Transaction } from "../src/database.ts";
import { assess, type Assessment, type AssessmentContext } from "../src/recognition/assess.ts";
import { addChanges, noChanges } from "../src/recognition/changes.ts";
import { noticesOf } from "../src/notifications/notices.ts";
import { writeNotices } from "../src/notifications/outbox.ts";
import { readRemembered, type StoredService } from "../src/recognition/remembered.ts";
import { leaveList, type RecognisedUser, takeChangedUsers, takeUser, writeReadModels, writeServices, writeVerdicts, writeWarnings } from "../src/recognition/store.ts";
import { algorithmVersion } from "../src/recognition/version.ts";
import type { RecogniseOutcome, RecogniseTask } from "./messages.ts";
import type { WorkerContext } from "./context.ts";
import { currentConversion } from "./conversion.ts";

/** @returns how many users were recognised, how many services they have, and what a new algorithm changed. Idempotent. */
export async function recogniseUsers({ database }: WorkerContext, task: RecogniseTask): Promise<RecogniseOutcome> {
  return await inTransaction(database, async (transaction) => {
    const taken = task.userId === undefined ? await takeChangedUsers(transaction, task.usersMax, task.settledMs) : await takeUser(transaction, task.userId);
    const { users } = taken;
    const assessed = users.length === 0 ? [] : await assessAll(transaction, users, task, await currentConversion(database));
    await leaveList(transaction, taken);
    if (users.length === 0) return { users: 0, services: 0, upgrade: { users: 0, ...noChanges } };
    const assessments = assessed.map(({ assessment }) => assessment);
    await writeServices(transaction, assessments.flatMap((one) => one.services), assessments.flatMap((one) => one.merges));
    await writeVerdicts(transaction, assessments.flatMap((one) => one.verdicts));
    await writeWarnings(transaction, assessed.flatMap(({ user, assessment }) => assessment.warnings.map((one) => ({ ...one, userId: user.id }))));
    await writeNotices(transaction, assessed.flatMap(({ user, before, assessment }) => noticesOf(before, assessment.found, { userId: user.id, today: assessment.readModel.computedFor, importCompletedOn: user.importCompletedOn })));
    await writeReadModels(transaction, assessments.map((one) => one.readModel), algorithmVersion);
    await markStale(transaction, users.map((user) => user.id));
    return { users: users.length, services: assessments.reduce((total, one) => total + one.services.length, 0), upgrade: upgradeOf(assessed) };
  });
}

/** before: the services as the last run left them. */
type Assessed = { user: RecognisedUser; before: readonly StoredService[]; assessment: Assessment };

async function assessAll(transaction: Transaction, users: readonly RecognisedUser[], task: RecogniseTask, convert: AssessmentContext["convert"]): Promise<Assessed[]> {
  const userIds = users.map((user) => user.id);
  const remembered = await readRemembered(transaction, userIds);
  const histories = await readHistory(transaction, userIds);
  return users.map((user) => {
    const today = task.today[user.timeZone];
    if (today === undefined) throw new Error(`no business day for ${user.timeZone}`);
    const context = { today, baseUrl: task.baseUrl, convert };
    const known = remembered.get(user.id)!;
    return { user, before: known.services, assessment: assess(user, histories.get(user.id) ?? [], known, context) };
  });
}

/** What changed for the users whose figures an earlier algorithm had made. */
function upgradeOf(assessed: readonly Assessed[]): RecogniseOutcome["upgrade"] {
  const upgraded = assessed.filter(({ user }) => user.algorithmVersion !== null && user.algorithmVersion < algorithmVersion);
  return { users: upgraded.length, ...upgraded.map(({ assessment }) => assessment.changes).reduce(addChanges, noChanges) };
}
