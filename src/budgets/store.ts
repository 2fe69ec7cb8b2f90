/** SQL of budgets. The caller owns the transaction. */
import { createHash } from "node:crypto";
import type { Day } from "../time/calendar.ts";
import { pack } from "../interface/packed.ts";
import type { Queryable, Transaction } from "../database/database.ts";
import type { Origin } from "../interface/notification.ts";
import type { BudgetStatus, FoldedBudget } from "./budget.ts";
import { chooseLanguage } from "../texts/choose.ts";
import { budgetDocument, detailsDocument, expenseDocuments, questionDocument } from "./documents.ts";
import { type BudgetSnapshot, readStored } from "./engine/snapshot.ts";
import type { BudgetEvent, LoggedEvent } from "./events.ts";
import type { BudgetFacts } from "./fold/fold.ts";
import { recordStatusChange } from "./status-change.ts";
import { firstOf } from "../present.ts";

/** Whose budget it is; a budget of anybody else is not found. */
export type Owner = { userId: number; partnerId: string };
/** Who does something to it: the owner, or whom the partner names as acting for the owner. */
export type ActingOwner = Owner & { actor: string | null; /** The call by which it is done. */ origin: Origin };

/** A budget in hand: until the transaction ends nobody else changes it. */
export type StoredBudget = {
  owner: Owner;
  facts: BudgetFacts;
  brand: { id: string; timeZone: string };
  status: BudgetStatus;
  snapshotId: number | null;
};

type BudgetRow = {
  id: string;
  userId: number;
  partnerId: string;
  status: BudgetStatus;
  createdTime: string;
  brandId: string;
  timeZone: string;
  snapshotId: number | null;
  revision: number;
  locale: string;
  country: string;
  currency: string;
  features: Readonly<Record<string, unknown>>;
};

/** Of the average monthly expenses, unless the brand says otherwise. */
const targetPercentDefault = 90;
/** Of an irregular income's lower mean, unless the brand says otherwise. */
const irregularPercentDefault = 80;

/** In the place of details that are kept in no other form than packed (migration 250). */
const packedAlone = "{}";

const selectBudgets = `select b.id, b.user_id as "userId", b.partner_id as "partnerId", b.status, b.created_time as "createdTime", b.snapshot_id as "snapshotId", b.revision,
            users.locale, brands.id as "brandId", brands.country, brands.currency, brands.time_zone as "timeZone", brands.features
       from budgets b
       join users on users.id = b.user_id
       join brands on brands.partner_id = users.partner_id and brands.id = users.brand_id`;

/**
 * Null: the user has no such budget. Others may refer to it meanwhile: two budgets that are linked from both sides at
 * once must not wait for each other. @param budgetId a UUID text
 */
export async function lockBudget(
  transaction: Transaction,
  owner: Owner,
  budgetId: string,
  baseUrl: string,
): Promise<StoredBudget | null> {
  const { rows } = await transaction.query<BudgetRow>(
    `${selectBudgets} where b.id = $1 and b.user_id = $2 and b.partner_id = $3 for no key update of b`,
    [budgetId, owner.userId, owner.partnerId],
  );
  return rows[0] ? storedOf(rows[0], baseUrl) : null;
}

/** For looking only. */
export async function findBudget(
  database: Queryable,
  owner: Owner,
  budgetId: string,
  baseUrl: string,
): Promise<StoredBudget | null> {
  const { rows } = await database.query<BudgetRow>(
    `${selectBudgets} where b.id = $1 and b.user_id = $2 and b.partner_id = $3`,
    [budgetId, owner.userId, owner.partnerId],
  );
  return rows[0] ? storedOf(rows[0], baseUrl) : null;
}

/** Whether a budget is stale, perhaps in the hands of another run. */
export async function isAnyStale(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ stale: boolean }>(
    `select exists (
       select 1
         from budgets as b
         join users on users.id = b.user_id and users.deleted_at is null
        where b.stale_since <= now()
     ) as stale`,
  );
  return rows[0]?.stale === true;
}

/**
 * Budgets whose snapshot is out of date, those that others have in hand left out, longest waiting first; or all such
 * ones of one user, waiting for whoever has them.
 */
export async function lockStaleBudgets(
  transaction: Transaction,
  budgetsMax: number,
  userId: number | null,
  baseUrl: string,
): Promise<StoredBudget[]> {
  const { rows } = await transaction.query<BudgetRow>(
    `${selectBudgets}
      where b.stale_since <= now()
        and users.deleted_at is null
        and ($2::bigint is null or b.user_id = $2)
      order by ${userId === null ? "b.stale_since, " : ""}b.id
      limit $1
        for no key update of b ${userId === null ? "skip locked" : ""}`,
    [budgetsMax, userId],
  );
  return rows.map((row) => storedOf(row, baseUrl));
}

function storedOf(row: BudgetRow, baseUrl: string): StoredBudget {
  const { features } = row;
  return {
    owner: { userId: row.userId, partnerId: row.partnerId },
    status: row.status,
    snapshotId: row.snapshotId,
    brand: { id: row.brandId, timeZone: row.timeZone },
    facts: {
      id: row.id,
      createdTime: row.createdTime,
      language: chooseLanguage(undefined, row.locale),
      country: row.country,
      currency: row.currency,
      revision: row.revision,
      showsIncome: features.budgetIncome !== false,
      showsRiskIndicators: features.budgetRiskIndicators !== false,
      targetPercent:
        typeof features.budgetTargetPercent === "number" ? features.budgetTargetPercent : targetPercentDefault,
      irregularPercent:
        typeof features.budgetIrregularIncomePercent === "number"
          ? features.budgetIrregularIncomePercent
          : irregularPercentDefault,
      baseUrl,
    },
  };
}

/** How far the user's data are: read models made, import complete but nothing made of it, or neither. */
export async function readinessOf(database: Queryable, userId: number): Promise<"READY" | "IMPORTED" | "IMPORTING"> {
  const { rows } = await database.query<{ imported: boolean; made: boolean }>(
    `select import_completed_at is not null as imported, exists (select 1 from read_models where user_id = users.id and import_complete) as made
       from users
      where id = $1`,
    [userId],
  );
  return rows[0]?.made ? "READY" : rows[0]?.imported ? "IMPORTED" : "IMPORTING";
}

/** Out of date from the start where the user's data are complete; else the run that completes them says so. */
export async function insertBudget(
  transaction: Transaction,
  owner: Owner,
  id: string,
  createdTime: string,
): Promise<void> {
  await transaction.query(
    `insert into budgets (id, partner_id, user_id, created_time, stale_since)
     select $1, $2, $3, $4, (select now() from read_models where user_id = $3 and import_complete)`,
    [id, owner.partnerId, owner.userId, createdTime],
  );
}

/** Open budgets of users whose figures were just made, and completed ones that nothing was known of yet. */
export async function markStale(transaction: Transaction, userIds: readonly number[]): Promise<void> {
  await transaction.query(
    `update budgets
        set stale_since = now()
       from read_models
      where budgets.user_id = any($1::bigint[])
        and read_models.user_id = budgets.user_id
        and read_models.import_complete
        and (budgets.revision = 0 or budgets.snapshot_id is null)`,
    [userIds],
  );
}

/** Has the next runs leave a user's budgets alone for so long. */
export async function putOff(database: Queryable, userId: number, minutes: number): Promise<void> {
  await database.query(
    "update budgets set stale_since = now() + make_interval(mins => $2) where user_id = $1 and stale_since is not null",
    [userId, minutes],
  );
}

export async function readLog(database: Queryable, userId: number, budgetId: string): Promise<LoggedEvent[]> {
  const { rows } = await database.query<{ sequence: number; at: Date; actor: string | null; event: BudgetEvent }>(
    `select sequence, at, actor, event
       from budget_events
      where budget_id = $1
        and user_id = $2
      order by sequence`,
    [budgetId, userId],
  );
  return rows.map(({ sequence, at, actor, event }) => ({ sequence, at: at.toISOString(), actor, event }));
}

export async function appendEvent(
  transaction: Transaction,
  { facts, owner }: StoredBudget,
  sequence: number,
  event: BudgetEvent,
  actor: string | null,
): Promise<LoggedEvent> {
  const { rows } = await transaction.query<{ at: Date }>(
    `insert into budget_events (budget_id, sequence, partner_id, user_id, actor, type, event)
     values ($1, $2, $3, $4, $5, $6, $7)
     returning at`,
    [facts.id, sequence, owner.partnerId, owner.userId, actor, event.type, JSON.stringify(event)],
  );
  return { sequence, at: firstOf(rows).at.toISOString(), actor, event };
}

/** Whether two snapshots were made by one version of the rules, of services of one version of recognition and of
 * products. */
export async function areMadeAlike(
  database: Queryable,
  userId: number,
  earlierId: number,
  laterId: number,
): Promise<boolean> {
  const { rows } = await database.query<{ alike: boolean }>(
    `select earlier.document ->> 'rulesVersion' is not distinct from later.document ->> 'rulesVersion'
              and earlier.algorithm_version is not distinct from later.algorithm_version
              and earlier.catalogue_version is not distinct from later.catalogue_version as alike
       from budget_snapshots earlier, budget_snapshots later
      where earlier.id = $1
        and later.id = $2
        and earlier.user_id = $3
        and later.user_id = $3`,
    [earlierId, laterId, userId],
  );
  return rows[0]?.alike === true;
}

/** Null before the first one. */
export async function readSnapshot(
  database: Queryable,
  userId: number,
  snapshotId: number | null,
): Promise<BudgetSnapshot | null> {
  if (snapshotId === null) return null;
  const { rows } = await database.query<{ document: BudgetSnapshot }>(
    "select document from budget_snapshots where id = $1 and user_id = $2",
    [snapshotId, userId],
  );
  return rows[0] === undefined ? null : readStored(rows[0].document);
}

export async function insertSnapshot(
  transaction: Transaction,
  owner: Owner,
  snapshot: BudgetSnapshot,
): Promise<number> {
  const { rows } = await transaction.query<{ id: number }>(
    `insert into budget_snapshots (partner_id, user_id, as_of, document, algorithm_version, catalogue_version)
     values ($1, $2, $3, $4, (select algorithm_version from read_models where user_id = $2),
             (select catalogue_version from read_models where user_id = $2))
     returning id`,
    [owner.partnerId, owner.userId, snapshot.asOf satisfies Day, JSON.stringify(snapshot)],
  );
  return firstOf(rows).id;
}

/** Those of which no budget and no revision is made any more. */
export async function dropUnusedSnapshots(transaction: Transaction, userIds: readonly number[]): Promise<void> {
  await transaction.query(
    `delete from budget_snapshots s
      where s.user_id = any($1::bigint[])
        and not exists (select 1 from budgets where snapshot_id = s.id and budgets.user_id = s.user_id)
        and not exists (select 1 from budget_revisions r where r.snapshot_id = s.id and r.user_id = s.user_id)`,
    [userIds],
  );
}

/**
 * Writes what is served, the state, the change of status if there is one, and for a completed budget its revision.
 * @param sequence of the last event that is in it
 * @param origin the call that changed it; null: the user's data did
 * @param isNews false: another version made it another, of which nobody is told
 */
export async function writeBudget(
  transaction: Transaction,
  stored: StoredBudget,
  snapshotId: number | null,
  folded: FoldedBudget,
  sequence: number,
  origin: Origin | null,
  isNews = true,
): Promise<void> {
  const { owner, status } = stored;
  const [document, details] = [
    JSON.stringify(budgetDocument(folded)),
    snapshotId === null ? null : JSON.stringify(detailsDocument(folded)),
  ];
  await updateBudget(transaction, owner.userId, folded, snapshotId);
  await transaction.query(
    `insert into budget_documents (budget_id, partner_id, user_id, document, details, expenses, questions, document_packed, details_packed, packed_of, digest)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
     on conflict (budget_id) do update
        set document = excluded.document,
            details = excluded.details,
            document_packed = excluded.document_packed,
            details_packed = excluded.details_packed,
            packed_of = excluded.packed_of,
            digest = excluded.digest,
            expenses = excluded.expenses,
            questions = excluded.questions`,
    [
      folded.id,
      owner.partnerId,
      owner.userId,
      document,
      details === null ? null : packedAlone,
      JSON.stringify(expenseDocuments(folded)),
      JSON.stringify(openQuestions(folded)),
      await pack(document),
      await pack(details),
      createHash("md5")
        .update(document)
        .update(details ?? "")
        .digest("hex"),
    ],
  );
  if (folded.status !== status)
    await recordStatusChange(transaction, owner, folded.id, { before: status, after: folded.status, origin }, isNews);
  if (folded.revision > 0) await insertRevision(transaction, owner, folded, snapshotId, sequence, document, details);
}

function openQuestions(folded: FoldedBudget) {
  return folded.questions.filter(({ open }) => open).map((question) => questionDocument(question, folded.currency));
}

async function updateBudget(
  transaction: Transaction,
  userId: number,
  folded: FoldedBudget,
  snapshotId: number | null,
): Promise<void> {
  await transaction.query(
    `update budgets
        set status = $2,
            revision = $3,
            stale_since = case when snapshot_id is distinct from $4 or ($3 > 0 and $4 is not null) then null else stale_since end,
            snapshot_id = $4
      where id = $1
        and user_id = $5`,
    [folded.id, folded.status, folded.revision, snapshotId, userId],
  );
}

async function insertRevision(
  transaction: Transaction,
  owner: Owner,
  folded: FoldedBudget,
  snapshotId: number | null,
  sequence: number,
  document: string,
  details: string | null,
): Promise<void> {
  await transaction.query(
    `insert into budget_revisions (budget_id, revision, partner_id, user_id, status, snapshot_id, sequence, document, details)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [folded.id, folded.revision, owner.partnerId, owner.userId, folded.status, snapshotId, sequence, document, details],
  );
}
