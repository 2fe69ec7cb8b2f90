/**
 * What is remembered about users between runs: the services they had, with what was decided and how cancellations
 * stand, what they submitted, of what they were warned, and the income they had. SQL; the caller owns the transaction.
 */
import type { Day } from "../time/calendar.ts";
import type { Transaction } from "../database/database.ts";
import { incomeUnknown, type KnownIncome } from "./income/model.ts";
import { readKnownIncome } from "./income/store.ts";
import type { StoredWarning } from "./services/alert.ts";
import type { PaymentFrequency } from "../interface/payment-frequency.ts";
import type { Service } from "../interface/services.ts";
import type { CancellationCase } from "./services/service.ts";
import type { Submission } from "./services/submission.ts";

export type StoredService = {
  id: string;
  userId: number;
  key: string;
  txids: string[];
  firstDetectedOn: Day;
  /** Payments up to this day were seen by a new version alone, and are no news; null: none was. */
  newsAfter: Day | null;
  hidden: boolean | null;
  /** As last computed; both null while the series is not found. */
  status: Service["status"] | null;
  paymentFrequency: PaymentFrequency | null;
  /** Of the document as stored; null while there is none. */
  digest: string | null;
  /** The latest case; null when there never was one. */
  cancellation: CancellationCase | null;
};

export type Remembered = {
  services: StoredService[];
  submissions: Submission[];
  warnings: StoredWarning[];
  income: KnownIncome;
};

export const nothingRemembered: Remembered = { services: [], submissions: [], warnings: [], income: incomeUnknown };

/** Services oldest first, submissions in their order. Users without anything have empty lists. */
export async function readRemembered(
  transaction: Transaction,
  userIds: readonly number[],
): Promise<Map<number, Remembered>> {
  const remembered = new Map<number, Remembered>(
    userIds.map((id) => [id, { services: [], submissions: [], warnings: [], income: incomeUnknown }]),
  );
  const services = await readServices(transaction, userIds);
  const cases = await readCases(transaction, userIds);
  for (const service of services)
    remembered.get(service.userId)?.services.push({ ...service, cancellation: cases.get(service.id) ?? null });
  for (const { userId, ...submission } of await readSubmissions(transaction, userIds))
    remembered.get(userId)?.submissions.push(submission);
  for (const { userId, ...warning } of await readWarnings(transaction, userIds))
    remembered.get(userId)?.warnings.push(warning);
  for (const { userId, ...income } of await readKnownIncome(transaction, userIds)) {
    const own = remembered.get(userId);
    if (own) own.income = income;
  }
  return remembered;
}

/** Arrays come as JSON: a thousand txids in PostgreSQL's own notation are taken apart letter by letter. */
async function readServices(
  transaction: Transaction,
  userIds: readonly number[],
): Promise<Omit<StoredService, "cancellation">[]> {
  const { rows } = await transaction.query<Omit<StoredService, "cancellation">>(
    `select id, user_id as "userId", key, array_to_json(txids) as txids, first_detected_on as "firstDetectedOn", news_after as "newsAfter", hidden, status, payment_frequency as "paymentFrequency", digest
       from services
      where user_id = any($1::bigint[])
      order by detected_at, id`,
    [userIds],
  );
  return rows;
}

/** By service. */
async function readCases(transaction: Transaction, userIds: readonly number[]): Promise<Map<string, CancellationCase>> {
  const { rows } = await transaction.query<CancellationCase & { serviceId: string }>(
    `select distinct on (service_id)
            service_id as "serviceId", state, needs_more_information as "needsMoreInformation", changed_on as "changedDay",
            equipment_back as "equipmentBack", money_back as "moneyBack", confirmation_content as "confirmationContent",
            free_text_message as "freeTextMessage", end_date as "endDate", abort_reason as "abortReason"
       from cancellation_cases
      where user_id = any($1::bigint[])
      order by service_id, opened_at desc, id desc`,
    [userIds],
  );
  return new Map(rows.map(({ serviceId, ...one }) => [serviceId, one]));
}

async function readSubmissions(
  transaction: Transaction,
  userIds: readonly number[],
): Promise<(Submission & { userId: number })[]> {
  const { rows } = await transaction.query<Submission & { userId: number }>(
    `select id, user_id as "userId", txid, payment_frequency as "paymentFrequency", outcome, submitted_at as "submittedAt", seen_at is not null as seen
       from submissions
      where user_id = any($1::bigint[])
      order by submitted_at, id`,
    [userIds],
  );
  return rows;
}

async function readWarnings(
  transaction: Transaction,
  userIds: readonly number[],
): Promise<(StoredWarning & { userId: number })[]> {
  const { rows } = await transaction.query<StoredWarning & { userId: number }>(
    `select id, user_id as "userId", payee_key as "payeeKey", txid, seen_at is not null as seen
       from membership_alerts
      where user_id = any($1::bigint[])
      order by raised_at, id`,
    [userIds],
  );
  return rows;
}

/** What is found now, with the documents as they are served; users without any are absent. */
export async function readServiceDocuments(
  transaction: Transaction,
  userIds: readonly number[],
): Promise<Map<number, { id: string; txids: string[]; document: Service }[]>> {
  const { rows } = await transaction.query<{ userId: number; id: string; txids: string[]; document: Service }>(
    `select user_id as "userId", id, array_to_json(txids) as txids, document
       from services
      where user_id = any($1::bigint[])
        and document is not null
      order by id`,
    [userIds],
  );
  const byUser = new Map<number, { id: string; txids: string[]; document: Service }[]>();
  for (const { userId, ...service } of rows) {
    const own = byUser.get(userId);
    if (own) own.push(service);
    else byUser.set(userId, [service]);
  }
  return byUser;
}
