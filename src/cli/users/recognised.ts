/** `tideline user recognised` and `budget`: a user's services, payments and budgets, as the console shows them. */
import { type BudgetLine, listBudgets, readBudgetOverview } from "../../budgets/overview.ts";
import { readLog } from "../../budgets/store.ts";
import { masked, showUser } from "../../console/access/disclosure.ts";
import type { Database } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import type { BudgetDocument } from "../../interface/budgets.ts";
import type { Service } from "../../interface/services.ts";
import { commandLineActor } from "../../partners/audit.ts";
import { findUsers, listServices, readUserOverview, type UserOverview } from "../../recognition/overview.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, countOf, printResult } from "../terminal/result.ts";

type Asked = {
  database: Database;
  partnerId: string;
  bankUserId: string;
  /** Why amounts and names are shown; undefined: they are masked. */
  reason: string | undefined;
  json: boolean;
};

const reasonLengthMin = 5;

/** @throws Fault NOT_FOUND, COMMAND_USAGE */
async function userOf({ database, partnerId, bankUserId, reason }: Asked): Promise<UserOverview> {
  const [found] = await findUsers(database, [partnerId], partnerId, bankUserId);
  const user = found && (await readUserOverview(database, found.subject, [partnerId]));
  if (!user) throw new Fault("NOT_FOUND", `Partner "${partnerId}" has no live user "${bankUserId}".`);
  if (reason === undefined) return user;
  if (reason.length < reasonLengthMin)
    throw new Fault(
      "COMMAND_USAGE",
      `--reason says in at least ${reasonLengthMin} letters why amounts and names are shown.`,
    );
  await showUser(database, commandLineActor(), user, reason);
  return user;
}

export async function recognised(asked: Asked): Promise<number> {
  const user = await userOf(asked);
  const { database, reason, json } = asked;
  const [services, budgets] = await Promise.all([listServices(database, user.id), listBudgets(database, user.id)]);
  const isShown = reason !== undefined;
  const { id: _, upcoming, ...rest } = user;
  const told = {
    ...rest,
    masked: !isShown,
    services: isShown ? services : services.map(maskedService),
    upcoming: isShown
      ? upcoming
      : upcoming.map(({ serviceId, expectedPaymentDate }) => ({ serviceId, expectedPaymentDate })),
    budgets,
  };
  printResult(json, told, [
    `${user.bankUserId}: ${countOf(services.length, "service")}, ${countOf(upcoming.length, "payment")} to come, ${countOf(budgets.length, "budget")}`,
    ...(isShown ? [] : ["Amounts and names are masked; --reason WHY shows them, and stands in the audit trail."]),
    ...(services.length === 0 ? [] : alignColumns([serviceHead, ...services.map((one) => serviceLine(one, isShown))])),
    ...(budgets.length === 0 ? [] : ["", ...alignColumns([budgetHead, ...budgets.map(budgetLine)])]),
  ]);
  return exitCode.done;
}

const serviceHead = ["SERVICE", "STATUS", "FREQUENCY", "NEXT", "NAME", "AMOUNT"];

function serviceLine(one: Service, isShown: boolean): string[] {
  const amount = isShown ? `${one.amount} ${one.currency}` : masked;
  return [
    one.id,
    one.status,
    one.paymentFrequency,
    one.nextExpectedTransactionDate ?? "-",
    isShown ? one.product.title : masked,
    amount,
  ];
}

/** What tells neither an amount nor a name: when it was paid, how often, and how sure it is. */
function maskedService({ id, status, visibility, paymentFrequency, nextExpectedTransactionDate, payments }: Service) {
  const days = payments.map(({ date }) => ({ date }));
  return { id, status, visibility, paymentFrequency, nextExpectedTransactionDate, payments: days };
}

const budgetHead = ["BUDGET", "STATUS", "MADE", "QUESTIONS"];

function budgetLine({ id, status, createdAt, questions }: BudgetLine): string[] {
  return [id, status, createdAt.toISOString().slice(0, 19), String(questions)];
}

/** Amounts and payees are all that a budget is made of, so that it needs a reason. */
export async function budget(asked: Asked & { reason: string }, budgetId: string): Promise<number> {
  const user = await userOf(asked);
  const { database, json } = asked;
  const found = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(budgetId)
    ? await readBudgetOverview(database, user.id, budgetId)
    : null;
  if (found === null) throw new Fault("NOT_FOUND", `The user has no budget "${budgetId}".`);
  const events = await readLog(database, user.id, found.id);
  printResult(json, { ...found, events }, [
    `${found.status.toLowerCase()}, made ${found.createdAt.toISOString().slice(0, 19)}Z, ${countOf(found.questions, "open question")}, ${countOf(events.length, "event")}`,
    ...(found.document === null ? ["It has no figures yet."] : treeOf(found.document, found.currency)),
  ]);
  return exitCode.done;
}

function treeOf(document: BudgetDocument, currency: string): string[] {
  const money = (amount: number) => `${amount.toFixed(2)} ${currency}`;
  const rows = document.categories
    .filter(({ totalMonthlyAmount }) => totalMonthlyAmount !== 0)
    .flatMap((group) => [
      [group.name, money(group.totalMonthlyAmount)],
      ...group.categories
        .filter((one) => one.totalMonthlyAmount !== 0 || one.expenses.length > 0)
        .flatMap((leaf) => [
          [`  ${leaf.name}`, money(leaf.totalMonthlyAmount)],
          ...leaf.expenses.map((one) => [`    ${one.title}`, money(one.paymentCostMonthly)]),
        ]),
    ]);
  return alignColumns([["EXPENSES A MONTH", money(document.totalMonthlyAmount)], ...rows]);
}
