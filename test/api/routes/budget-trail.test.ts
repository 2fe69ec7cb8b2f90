/** What a budget's answers and adjustments leave in the audit trail: payee, amount, from and to. */
import test from "ava";
import { type BudgetCaller, type BudgetWorld, openBudgets } from "../budget-world.ts";

type Details = Record<string, unknown>;

/** Of the latest change: everything but what every call's line has. */
async function latest({ database }: BudgetWorld): Promise<Details> {
  const { rows } = await database.query<{ details: Details }>(
    "select details from audit_events where event = 'https.changed' order by id desc limit 1",
  );
  const {
    method: _method,
    path: _path,
    status: _status,
    address: _address,
    correlationId: _id,
    ...told
  } = rows[0]!.details;
  return told;
}

async function openMystery(t: Parameters<typeof openBudgets>[0], description = "QZ Plimf") {
  const world = await openBudgets(t);
  await world.database.query("update brands set features = features || '{\"budgetTargetPercent\": 100}'");
  const days = [
    ["2025-08-04", -310],
    ["2025-11-11", -560],
    ["2026-02-03", -430],
    ["2026-04-22", -500],
  ] as const;
  await world.anna.pay(
    days.map(([day, amount]) => ({ txid: `mystery ${day}`, day, amount, name: null, description, type: "OTHER" })),
  );
  await world.recogniseOn("2026-06-15");
  const budget = await world.budgetOf(world.anna);
  const { rows } = await world.database.query<{ id: number }>("select id from users where bank_user_id = 'anna'");
  return { world, budget, whose: { userId: rows[0]!.id, budgetId: budget.id } };
}

const answer = (transactionId: string, ...categories: { id: string; amount?: number }[]) => ({
  categories,
  type: "RAW",
  transactionId,
});

/** The first question that is about a payee, and a payment of it. */
async function askedPayee(budget: BudgetCaller) {
  const question = (await budget.next())!;
  return { at: `/questions/${question.id}`, transactionId: question.expense!.transactions[0]!.id };
}

// (310.00 + 560.00 + 430.00 + 500.00) / 12 = 150.00 a month.
const plimf = { payee: "QZ Plimf", amount: "150.00 DKK MONTHLY" };

test.serial("an answer is told with payee, amount, from and to, and so is another one and its undoing", async (t) => {
  const { world, budget, whose } = await openMystery(t);
  const { at, transactionId } = await askedPayee(budget);
  await budget.call("POST", `${at}/skips`);
  t.deepEqual(await latest(world), { ...whose, ...plimf, from: "none", to: "skipped" });
  await budget.call("POST", at, answer(transactionId, { id: "LEISURE_PETS" }));
  t.deepEqual(await latest(world), { ...whose, ...plimf, from: "none", to: "LEISURE_PETS" });
  await budget.call("POST", at, answer(transactionId, { id: "LEISURE_TRAVEL" }, { id: "FOOD_GROCERIES" }));
  t.deepEqual(await latest(world), {
    ...whose,
    ...plimf,
    from: "LEISURE_PETS",
    to: "LEISURE_TRAVEL + FOOD_GROCERIES",
  });
  await budget.call("DELETE", at);
  t.deepEqual(await latest(world), { ...whose, ...plimf, from: "LEISURE_TRAVEL + FOOD_GROCERIES", to: "none" });
  await budget.call("DELETE", at, { notApplicable: true });
  t.deepEqual(await latest(world), { ...whose, ...plimf, from: "none", to: "none" });
});

test.serial(
  "an amount that is given for a category is told with the figure before, and taking it back too",
  async (t) => {
    const { world, budget, whose } = await openMystery(t);
    const groceries = (await budget.read()).categories
      .flatMap(({ categories }) => categories)
      .find(({ id }) => id === "FOOD_GROCERIES")!;
    const had = `${groceries.totalMonthlyAmount.toFixed(2)} DKK MONTHLY`;
    const at = "/categories/FOOD_GROCERIES/adjustments";
    await budget.call("POST", at, { amount: 48000, frequency: "YEARLY" });
    t.deepEqual(await latest(world), {
      ...whose,
      category: "FOOD_GROCERIES",
      amount: "48000.00 DKK YEARLY",
      from: had,
      to: "48000.00 DKK YEARLY",
    });
    await budget.call("DELETE", at);
    t.deepEqual(await latest(world), {
      ...whose,
      category: "FOOD_GROCERIES",
      from: "4000.00 DKK MONTHLY",
      to: "what the transactions say",
    });
  },
);

test.serial("neither a special category nor its payee is named, nor a whole account number", async (t) => {
  const { world, budget, whose } = await openMystery(t, "QZ Plimf 12345678901");
  const { at, transactionId } = await askedPayee(budget);
  await budget.call("POST", at, answer(transactionId, { id: "HEALTH_PHARMACY" }));
  t.deepEqual(await latest(world), {
    ...whose,
    payee: "••••••",
    amount: "150.00 DKK MONTHLY",
    from: "none",
    to: "••••••",
  });
  await budget.call("POST", at, { ...answer(transactionId, { id: "LEISURE_PETS" }), title: "Konto 12345678901" });
  t.false(JSON.stringify(await latest(world)).includes("1234567"));
});

test.serial("what is refused is told as a refusal, without what it would have changed", async (t) => {
  const { world, budget } = await openMystery(t);
  const { at, transactionId } = await askedPayee(budget);
  const before = await latest(world);
  t.is((await budget.call("POST", at, answer(transactionId, { id: "INCOME_SALARY" }))).status, 400);
  t.deepEqual(await latest(world), before);
});
