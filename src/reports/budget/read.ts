/** Reads what the budget report is made of. */
import type { FoldedBudget } from "../../budgets/budget.ts";
import { findApplicant, linkedBudget } from "../../budgets/coapplicants.ts";
import { foldBudget } from "../../budgets/fold/fold.ts";
import { findBudget, type StoredBudget, type Owner, readLog, readSnapshot } from "../../budgets/store.ts";
import type { Queryable } from "../../database/database.ts";
import { readLogo } from "../../partners/settings/brand-logo.ts";
import type { BudgetReport } from "./writing.ts";

export type BudgetReportRequest = {
  owner: Owner;
  /** A UUID text. */ budgetId: string;
  reportId: string | null;
  customerName: string | null;
  baseUrl: string;
};

/** One snapshot of the database is the caller's business. UNKNOWN: the user has no such budget. */
export async function readBudgetReport(
  database: Queryable,
  { owner, budgetId, reportId, customerName, baseUrl }: BudgetReportRequest,
): Promise<BudgetReport | "UNKNOWN" | "NOT_INITIALISED"> {
  const stored = await findBudget(database, owner, budgetId, baseUrl);
  if (stored === null) return "UNKNOWN";
  const budget = await fold(database, stored);
  const { asOf } = budget;
  if (asOf === null) return "NOT_INITIALISED";
  const names = await readNames(database, owner);
  return {
    budget: { ...budget, asOf },
    reportId,
    customerName,
    irregularPercent: stored.facts.irregularPercent,
    ...names,
    timeZone: stored.brand.timeZone,
    other: await readOther(database, owner.partnerId, budgetId, baseUrl),
  };
}

async function fold(database: Queryable, stored: StoredBudget): Promise<FoldedBudget> {
  return foldBudget(
    stored.facts,
    await readSnapshot(database, stored.owner.userId, stored.snapshotId),
    await readLog(database, stored.owner.userId, stored.facts.id),
  );
}

async function readOther(
  database: Queryable,
  partnerId: string,
  budgetId: string,
  baseUrl: string,
): Promise<FoldedBudget | null> {
  const otherId = await linkedBudget(database, budgetId);
  const applicant = otherId === null ? null : await findApplicant(database, partnerId, otherId);
  if (otherId === null || applicant === null) return null;
  const stored = await findBudget(database, { userId: applicant.userId, partnerId }, otherId, baseUrl);
  return stored === null ? null : await fold(database, stored);
}

async function readNames(
  database: Queryable,
  { userId, partnerId }: Owner,
): Promise<Pick<BudgetReport, "brand" | "customer" | "logo">> {
  const { rows } = await database.query<{ brand: string; customer: string; logo: Buffer | null }>(
    `select p.name as brand, u.bank_user_id as customer, b.logo
       from users u
       join partners p on p.id = u.partner_id
       join brands b on b.partner_id = u.partner_id and b.id = u.brand_id
      where u.id = $1
        and u.partner_id = $2`,
    [userId, partnerId],
  );
  const [found] = rows;
  if (found === undefined) throw new Error("the budget's user is gone");
  return { ...found, logo: found.logo === null ? null : readLogo(found.logo) };
}
