/** The thread's side of recognition: take users, read, assess, store; one transaction a task. */
import { openConversion } from "../src/ledger/rates.ts";
import { readHistory } from "../src/ledger/history.ts";
import { type Database, inTransaction, type Transaction } from "../src/database.ts";
import { assess, type Assessment, type AssessmentContext } from "../src/recognition/assess.ts";
import { readStoredServices, type RecognisedUser, takeChangedUsers, takeUser, writeReadModels, writeServices } from "../src/recognition/store.ts";
import { algorithmVersion } from "../src/recognition/version.ts";
import type { RecogniseOutcome, RecogniseTask } from "./messages.ts";
import type { WorkerContext } from "./context.ts";

/** @returns how many users were recognised and how many services they have. Idempotent. */
export async function recogniseUsers({ database }: WorkerContext, task: RecogniseTask): Promise<RecogniseOutcome> {
  return await inTransaction(database, async (transaction) => {
    const users = task.userId === undefined ? await takeChangedUsers(transaction, task.usersMax, task.settledMs) : await takeUser(transaction, task.userId);
    if (users.length === 0) return { users: 0, services: 0 };
    const assessments = await assessAll(transaction, users, task, await currentConversion(database));
    await writeServices(transaction, assessments.flatMap((one) => one.services), assessments.flatMap((one) => one.mergedIds));
    await writeReadModels(transaction, assessments.map((one) => one.readModel), algorithmVersion);
    return { users: users.length, services: assessments.reduce((total, one) => total + one.services.length, 0) };
  });
}

async function assessAll(transaction: Transaction, users: readonly RecognisedUser[], task: RecogniseTask, convert: AssessmentContext["convert"]): Promise<Assessment[]> {
  const userIds = users.map((user) => user.id);
  const stored = await readStoredServices(transaction, userIds);
  const histories = await readHistory(transaction, userIds);
  return users.map((user) => {
    const today = task.today[user.timeZone];
    if (today === undefined) throw new Error(`no business day for ${user.timeZone}`);
    const context = { today, baseUrl: task.baseUrl, convert };
    return assess(user, histories.get(user.id) ?? [], stored.get(user.id) ?? [], context);
  });
}

/** Rates are seven thousand days: a thread reads them once and refreshes them behind later tasks. */
const conversions = new WeakMap<Database, ReturnType<typeof openConversion>>();

function currentConversion(database: Database): ReturnType<typeof openConversion> {
  const known = conversions.get(database);
  if (known) return known;
  const conversion = openConversion(database);
  conversions.set(database, conversion);
  conversion.catch(() => conversions.delete(database));
  return conversion;
}
