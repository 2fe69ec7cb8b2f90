/**
 * Generated households with two years of payments, recognised and budgeted by the threads' own tasks in this thread.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { generatePopulation } from "../../../fixtures/population.ts";
import { insertNewBudget } from "../../../src/budgets/create.ts";
import { refreshStale } from "../../../src/budgets/refresh.ts";
import { createClock } from "../../../src/time/clock.ts";
import { type Database, inTransaction } from "../../../src/database/database.ts";
import { createEvents } from "../../../src/events.ts";
import type { RawTransaction } from "../../../src/interface/record.ts";
import { copyTogether } from "../../../src/ledger/transactions.ts";
import { OwnedRows, type Posting, preparePosting } from "../../../src/ledger/posting.ts";
import { RowBlock, rowTextBytes } from "../../../src/ledger/row-block.ts";
import { requestsPerMinuteMax } from "../../../src/partners/settings/https-rules.ts";
import { recogniseChanged } from "../../../src/recognition/run.ts";
import { refreshStaleBudgets } from "../../../workers/budgets.ts";
import { fileVault } from "../../../src/vault/file-vault.ts";
import type { WorkerContext } from "../../../workers/context.ts";
import { checkRecord } from "../../../workers/records/record.ts";
import { recogniseUsers } from "../../../workers/recognise.ts";
import { addPartner } from "../../parties.ts";
import { asOf } from "./as-of.ts";

const months = 24;
const deliveryPosition = 1;

export type Household = { partnerId: string; brandId: string; subject: string; budgetId: string };

export async function addHouseholds(database: Database, count: number): Promise<Household[]> {
  const partnerId = await addPartner(database);
  await database.query("update partners set settings = $1", [
    JSON.stringify({ https: { requestsPerMinute: requestsPerMinuteMax } }),
  ]);
  const households: Household[] = [];
  for (const { transactions } of generatePopulation({ users: count, months, seed: 314_159, until: asOf }))
    households.push(await addHousehold(database, partnerId, transactions));
  await readModels(database);
  await database.query("analyze");
  return households;
}

async function addHousehold(
  database: Database,
  partnerId: string,
  transactions: readonly RawTransaction[],
): Promise<Household> {
  const { rows } = await database.query<{ id: number; brandId: string; subject: string }>(
    `insert into users (partner_id, brand_id, bank_user_id, locale, import_completed_at, import_completed_on)
     values ($1, 'bank-dk', gen_random_uuid()::text, 'da-DK', now(), '2025-01-01') returning id, brand_id as "brandId", subject`,
    [partnerId],
  );
  const { id, brandId, subject } = rows[0]!;
  const budgetId = randomUUID();
  await inTransaction(database, async (transaction) => {
    await copyTogether(transaction, [postingOf(transactions, id)]);
    await transaction.query("insert into changed_users (user_id, touched_at) values ($1, now() - interval '1 day')", [
      id,
    ]);
    await insertNewBudget(transaction, { userId: id, partnerId }, budgetId, `${asOf}T12:00:00`);
  });
  return { partnerId, brandId, subject, budgetId };
}

function postingOf(transactions: readonly RawTransaction[], userId: number): Posting {
  const rows = new OwnedRows(transactions.length);
  let block = new RowBlock();
  for (const record of transactions) {
    const checked = checkRecord(record);
    if (Array.isArray(checked) || checked.kind !== "transaction") continue;
    if (!block.hasRoom(rowTextBytes(checked.row))) block = new RowBlock();
    block.add(checked.row, deliveryPosition);
    rows.add(block, block.rows - 1, userId);
  }
  return preparePosting(rows, deliveryPosition, "keep");
}

async function readModels(database: Database): Promise<void> {
  // A new budget touches its user, and users who were just touched are left to settle.
  await database.query("update changed_users set touched_at = now() - interval '1 day'");
  const context: WorkerContext = {
    database,
    keyEncryptionKey: randomBytes(32),
    pathInVault: (reference) => reference,
    vault: fileVault("/nowhere"),
  };
  const running = {
    database,
    clock: createClock(asOf),
    events: createEvents({ level: "silent" }),
    baseUrl: "https://bench.example",
  };
  await recogniseChanged({ ...running, recognise: (task) => recogniseUsers(context, task) });
  await refreshStale({ ...running, refreshBudgets: (task) => refreshStaleBudgets(context, task) });
}
