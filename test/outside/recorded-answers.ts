/**
 * What the demo answers, as examples of the OpenAPI document and the reference page:
 *
 *   node test/outside/recorded-answers.ts           whether a fresh demo still answers with the same fields
 *   node test/outside/recorded-answers.ts --write   writes src/api/openapi/recorded-answers.json
 *
 * One customer of a demo that was just started is asked everything that is answered with JSON. Lists are cut after two,
 * and what differs from one installation to the next is replaced: ids, instants, addresses.
 */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { examples } from "../../src/api/openapi/examples.ts";
import {
  type BudgetActionResponse,
  type BudgetDebtsRequest,
  type BudgetUserDataRequest,
  connect,
  type Partner,
  type UserSession,
} from "../../src/client/client.ts";
import { generatePopulation } from "../../fixtures/population.ts";
import { prepareService, repository } from "./service.ts";

const businessDay = "2026-11-22";
const customer = "u-04287ae9a6611b8b";
/** As src/demo/replay.ts makes it. */
const demoPopulation = { users: 40, months: 26, seed: 1, until: businessDay };
const listLengthMax = 2;
/** Of which the document says how many they are. */
const wholeLists: ReadonlySet<string> = new Set(["months"]);
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
/** Below, a number is no id of a payment. */
const paymentIdMin = 1_000_000_000;
const file = path.join(repository, "src/api/openapi/recorded-answers.json");

const service = await prepareService("recorded", ["--as-of", businessDay]);
try {
  console.log(`the demo was ready after ${(await service.start()).toFixed(0)} s`);
  const bank = await connect(path.join(service.dataDir, "demo"));
  const answers = { ...(await ask(await bank.logIn(customer))), getNextQuestion: await firstQuestion(bank) };
  bank.close();
  const recorded = `${JSON.stringify(withoutChance(answers), null, 2)}\n`;
  if (process.argv.includes("--write")) await writeFile(file, recorded);
  else
    assert.deepEqual(
      fieldsOf(JSON.parse(recorded) as object),
      fieldsOf(JSON.parse(await readFile(file, "utf8")) as object),
      "the demo answers otherwise: record again with --write",
    );
  console.log(`recorded answers: ${Object.keys(answers).length} operations`);
} finally {
  await service.stop();
  await service.remove();
}

/** Not everybody's payments raise one. */
async function firstQuestion(bank: Partner): Promise<BudgetActionResponse> {
  for (const {
    user: { bankUserId, brand },
  } of generatePopulation(demoPopulation)) {
    const user = await bank.logIn(bankUserId, { brand }).catch(() => null);
    if (user === null) continue;
    const { id: budgetId } = await user.createBudget();
    await user.getBudget({ budgetId });
    const question = await user.getNextQuestion({ budgetId }).catch(() => null);
    if (question !== null) return question;
  }
  throw new Error("no customer of the demo is asked anything");
}

/** By operationId; in an order in which a budget is made before it is read, and read before it is changed. */
async function ask(user: UserSession): Promise<Record<string, unknown>> {
  const listServices = await user.listServices();
  const [first] = listServices.services;
  assert.ok(first, `${customer} has services`);
  const createBudget = await user.createBudget();
  const budgetId = createBudget.id;
  const getBudget = await user.getBudget({ budgetId });
  const [categoryId, expenseId] = getBudget.categories.flatMap(({ categories }) =>
    categories.flatMap(({ id, expenses }) => expenses.map((expense) => [id, expense.id] as const)),
  )[0] ?? ["", ""];
  assert.ok(expenseId, "the budget has expenses");
  return {
    listTransactions: await user.listTransactions({ to: "2026-11-20", limit: 2 }),
    listServices,
    listIncome: await user.listIncome(),
    getService: await user.getService({ serviceId: first.id }),
    listUpcomingPayments: await user.listUpcomingPayments(),
    createBudget,
    getBudget,
    getBudgetDetails: await user.getBudgetDetails({ budgetId }),
    getBudgetExpense: await user.getBudgetExpense({ budgetId, expenseId }),
    setBudgetUserData: await user.setBudgetUserData({
      budgetId,
      body: examples.BudgetUserDataRequest as BudgetUserDataRequest,
    }),
    getBudgetUserData: await user.getBudgetUserData({ budgetId }),
    setBudgetDebts: await user.setBudgetDebts({ budgetId, body: examples.BudgetDebtsRequest as BudgetDebtsRequest }),
    adjustBudgetCategory: await user.adjustBudgetCategory({
      budgetId,
      categoryId,
      body: { amount: 3500, frequency: "MONTHLY" },
    }),
    removeBudgetAdjustment: await user.removeBudgetAdjustment({ budgetId, categoryId }),
    listBudgetCategories: await user.listBudgetCategories(),
    initiatePsd2: await user.initiatePsd2({ body: { redirectUrl: "https://example.com/back" } }),
    requestReport: await user.requestReport({ body: { type: "NEXT_OF_KIN" } }),
  };
}

/** Of each operation's answer, in their order. What stands below differs with the payments that come first. */
function fieldsOf(answers: object): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name, Array.isArray(answer) ? [] : Object.keys(answer as object)]),
  );
}

/** The same thing has the same stand-in wherever it is named. */
function withoutChance(answers: object): unknown {
  const standIns = new Map<string, string>();
  const stoodInFor = (id: string): string => {
    const known = standIns.get(id) ?? `00000000-0000-4000-8000-${String(standIns.size + 1).padStart(12, "0")}`;
    standIns.set(id, known);
    return known;
  };
  let payments = 0;
  const replace = (value: unknown, key: string): unknown => {
    if (Array.isArray(value))
      return value.slice(0, wholeLists.has(key) ? undefined : listLengthMax).map((one) => replace(one, key));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replace(one, name)]));
    if (key === "id" && typeof value === "number" && value > paymentIdMin) {
      payments += 1;
      return paymentIdMin + payments;
    }
    if (typeof value !== "string") return value;
    if (instant.test(value)) return `${businessDay}T12:00:00Z`;
    return value
      .replaceAll(/https:\/\/localhost(:\d+)?/g, "https://tideline.example")
      .replaceAll(/key=[\w-]+/g, "key=once")
      .replaceAll(uuid, stoodInFor);
  };
  return replace(answers, "");
}
