/** A user's answers move payments between categories, can be undone, and are checked in every place. */
import test from "ava";
import { userData } from "../../budgets/household.ts";
import { type BudgetCaller, openBudgets } from "../budget-world.ts";

/** A target that nothing reaches keeps every question open. */
async function openDemanding(t: Parameters<typeof openBudgets>[0]) {
  const world = await openBudgets(t);
  await world.database.query("update brands set features = features || '{\"budgetTargetPercent\": 100}'");
  // 1,800.00 a year is more than 1 % of the expenses.
  await world.anna.pay(
    [
      ["2025-08-04", -310],
      ["2025-11-11", -560],
      ["2026-02-03", -430],
      ["2026-04-22", -500],
    ].map(([day, amount]) => ({
      txid: `mystery ${day}`,
      day: String(day),
      amount: Number(amount),
      name: null,
      description: "QZ Plimf",
      type: "OTHER",
    })),
  );
  await world.recogniseOn("2026-06-15");
  return { world, budget: await world.budgetOf(world.anna) };
}

async function leafOf(budget: BudgetCaller, id: string) {
  return (await budget.read()).categories.flatMap((group) => group.categories).find((leaf) => leaf.id === id)!;
}

const moved = (id: string, transactionId: string) => ({
  categories: [{ id, amount: null, paymentFrequency: null }],
  type: "RAW",
  serviceId: null,
  amount: null,
  paymentFrequency: null,
  transactionId,
  title: null,
});

test.serial(
  "a payee without category is asked about, moved by the answer, and moved back by its undoing",
  async (t) => {
    const { budget } = await openDemanding(t);
    const first = [await budget.read(), await budget.details()];
    const question = await budget.next();
    t.like(question, { type: "RECATEGORIZATION", skipped: false, title: "Hvad er QZ Plimf?" });
    // (310.00 + 560.00 + 430.00 + 500.00) / 12
    t.like(question?.expense, { title: "QZ Plimf", paymentCostMonthly: 150, type: "RAW", categories: [] });
    t.true((question?.potentialCategories?.length ?? 0) >= 2);
    t.is(
      (
        await budget.call(
          "POST",
          `/questions/${question!.id}`,
          moved("LEISURE_PETS", question!.expense!.transactions[0]!.id),
        )
      ).status,
      200,
    );
    const pets = await leafOf(budget, "LEISURE_PETS");
    t.is(pets.totalMonthlyAmount, 150);
    t.like(pets.expenses[0], { source: "ACTION", type: "RAW", categories: ["LEISURE_PETS"], paymentCostMonthly: 150 });
    t.false((await budget.details()).nonrecurringTransactions.some(({ merchantName }) => merchantName === "QZ Plimf"));
    t.not((await budget.next())?.id, question!.id);
    t.is((await budget.call("DELETE", `/questions/${question!.id}`)).status, 200);
    t.deepEqual([await budget.read(), await budget.details()], first);
    t.is((await budget.next())?.id, question!.id);
  },
);

test.serial("an answer is replaced by another, and holds for payments that come later", async (t) => {
  const { world, budget } = await openDemanding(t);
  const question = (await budget.next())!;
  const transactionId = question.expense!.transactions[0]!.id;
  await budget.call("POST", `/questions/${question.id}`, moved("LEISURE_PETS", transactionId));
  t.is(
    (
      await budget.call("POST", `/questions/${question.id}`, {
        ...moved("LEISURE_TRAVEL", transactionId),
        title: "Rejseklubben",
      })
    ).status,
    200,
  );
  t.is((await leafOf(budget, "LEISURE_PETS")).totalMonthlyAmount, 0);
  t.like((await leafOf(budget, "LEISURE_TRAVEL")).expenses[0], { title: "Rejseklubben", paymentCostMonthly: 150 });
  await world.anna.pay([
    { txid: "mystery later", day: "2026-05-29", amount: -600, name: null, description: "QZ Plimf", type: "OTHER" },
  ]);
  await world.recogniseOn("2026-06-15");
  t.is((await leafOf(budget, "LEISURE_TRAVEL")).totalMonthlyAmount, 200);
});

test.serial("what is missing is added as a typed amount, a chosen payment or a running service", async (t) => {
  const { budget } = await openDemanding(t);
  await budget.call("POST", "/user-data", {
    ...userData,
    residence: { ...userData.residence, hasVacationHome: true },
    personal: { ...userData.personal, children: [{ age: 3 }], hasChildren: true },
  });
  const asked = new Map<string, string>();
  for (let one = await budget.next(); one && !one.skipped; one = await budget.next()) {
    if (one.category !== undefined) asked.set(one.category, one.id);
    await budget.call("POST", `/questions/${one.id}/skips`);
  }
  for (const category of ["UTILITIES_ELECTRICITY", "HOUSING_SECOND_HOME", "CHILDREN_DAYCARE"])
    t.true(asked.has(category), category);
  const typed = {
    categories: [{ id: "UTILITIES_ELECTRICITY" }],
    type: "USER_PROVIDED",
    amount: 2400,
    paymentFrequency: "QUARTERLY",
  };
  t.is((await budget.call("POST", `/questions/${asked.get("UTILITIES_ELECTRICITY")}`, typed)).status, 200);
  const electricity = await leafOf(budget, "UTILITIES_ELECTRICITY");
  t.like(electricity, { totalMonthlyAmount: 800, totalMonthlyAmountUserProvided: 800 });
  t.like(electricity.expenses[0], {
    type: "USER_PROVIDED",
    source: "ACTION",
    paymentCost: 2400,
    paymentFrequency: "QUARTERLY",
    paymentCostMonthly: 800,
    title: "El",
    service: null,
  });
  t.deepEqual(
    ((await budget.call("GET", `/expenses/${electricity.expenses[0]!.id}`)).json as { transactions: unknown[] })
      .transactions,
    [],
  );

  const details = await budget.details();
  const sofa = details.nonrecurringTransactions.find(({ amount }) => amount === -6000)!;
  const chosen = {
    categories: [{ id: "HOUSING_SECOND_HOME" }],
    type: "TRANSACTION",
    transactionId: sofa.id,
    paymentFrequency: "YEARLY",
  };
  t.is((await budget.call("POST", `/questions/${asked.get("HOUSING_SECOND_HOME")}`, chosen)).status, 200);
  t.like(await leafOf(budget, "HOUSING_SECOND_HOME"), {
    totalMonthlyAmount: 500,
    totalMonthlyAmountUserProvided: null,
  });

  const phone = details.categories.flatMap((group) => group.categories).find(({ id }) => id === "COMMUNICATION_MOBILE")!
    .expenses[0]!;
  const service = { categories: [{ id: "CHILDREN_DAYCARE" }], type: "SERVICE", serviceId: phone.service!.id };
  t.is((await budget.call("POST", `/questions/${asked.get("CHILDREN_DAYCARE")}`, service)).status, 200);
  t.like((await leafOf(budget, "CHILDREN_DAYCARE")).expenses[0], {
    type: "SERVICE",
    source: "ACTION",
    paymentCostMonthly: 159,
  });
  t.is((await leafOf(budget, "COMMUNICATION_MOBILE")).totalMonthlyAmount, 0);
});

test.serial("a payment is split over categories when the amounts come to it", async (t) => {
  const { budget } = await openDemanding(t);
  const question = (await budget.next())!;
  const transactionId = question.expense!.transactions.at(-1)!.id;
  const split = (...amounts: (number | null)[]) => ({
    ...moved("LEISURE_PETS", transactionId),
    type: "TRANSACTION",
    paymentFrequency: "MONTHLY",
    categories: ["LEISURE_PETS", "LEISURE_TRAVEL"].map((id, at) => ({ id, amount: amounts[at] ?? null })),
  });
  for (const amounts of [
    [300, 199.97],
    [300, 200.03],
    [0, 0],
    [300, null],
  ] as const)
    t.is((await budget.call("POST", `/questions/${question.id}`, split(...amounts))).status, 400, String(amounts));
  t.is((await budget.call("POST", `/questions/${question.id}`, split(300, 199.98))).status, 200);
  t.deepEqual(
    [
      (await leafOf(budget, "LEISURE_PETS")).totalMonthlyAmount,
      (await leafOf(budget, "LEISURE_TRAVEL")).totalMonthlyAmount,
    ],
    [300.01, 199.99],
  );
});

test.serial("answers that break the interface are 400 with every place, and nothing is done", async (t) => {
  const { budget } = await openDemanding(t);
  const before = await budget.read();
  const question = (await budget.next())!;
  const right = moved("LEISURE_PETS", question.expense!.transactions[0]!.id);
  const rentId = (await budget.details()).categories[0]!.categories[0]!.expenses[0]!.transactions[0]!.id;
  for (const [body, pointers] of [
    [{ ...right, categories: [] }, ["/categories"]],
    [{ ...right, categories: [{ id: "LEISURE_DRAGONS" }] }, ["/categories/0/id"]],
    [{ ...right, categories: [{ id: "LEISURE" }] }, ["/categories/0/id"]],
    [{ ...right, categories: [{ id: "INCOME_SALARY" }] }, ["/categories/0/id"]],
    [{ ...right, categories: [{ id: "LEISURE_PETS" }, { id: "LEISURE_PETS" }] }, ["/categories/1/id"]],
    [{ ...right, transactionId: null }, ["/transactionId"]],
    [{ ...right, transactionId: rentId }, ["/transactionId"]],
    [{ ...right, type: "SERVICE" }, ["/serviceId"]],
    [{ ...right, type: "TRANSACTION" }, ["/paymentFrequency"]],
    [{ ...right, type: "TRANSACTION", paymentFrequency: "UNKNOWN" }, ["/paymentFrequency"]],
    [{ ...right, type: "USER_PROVIDED" }, ["/amount", "/paymentFrequency"]],
    [{ ...right, type: "USER_PROVIDED", amount: -5, paymentFrequency: "MONTHLY" }, ["/amount"]],
    [{ ...right, type: "GUESS" }, ["/type"]],
    [{ ...right, type: undefined }, ["/type"]],
  ] as const) {
    const refused = await budget.call("POST", `/questions/${question.id}`, body);
    t.is(refused.status, 400, JSON.stringify(body));
    t.deepEqual(
      (refused.json as { errors: { pointer: string }[] }).errors.map((one) => one.pointer),
      [...pointers],
      JSON.stringify(body),
    );
  }
  t.deepEqual(await budget.read(), before);
});

test.serial(
  "a skipped question comes last, once; a closed one never again until it is opened; unknown ones are 404",
  async (t) => {
    const { world, budget } = await openDemanding(t);
    await budget.call("POST", "/user-data", userData);
    const first = (await budget.next())!;
    for (const status of [201, 201]) t.is((await budget.call("POST", `/questions/${first.id}/skips`)).status, status);
    t.is((await world.database.query("select 1 from budget_events where type = 'SKIPPED'")).rowCount, 1);
    const second = (await budget.next())!;
    t.not(second.id, first.id);
    t.is((await budget.call("DELETE", `/questions/${second.id}`, { notApplicable: true })).status, 200);
    const seen: string[] = [];
    for (let one = await budget.next(); one && !seen.includes(one.id); one = await budget.next()) {
      seen.push(one.id);
      if (one.skipped) break;
      await budget.call("POST", `/questions/${one.id}/skips`);
    }
    t.true(seen.includes(first.id));
    t.false(seen.includes(second.id));
    t.is((await budget.call("DELETE", `/questions/${second.id}`, { notApplicable: false })).status, 200);
    t.is((await budget.next())?.id, second.id);
    for (const [method, path] of [
      ["POST", ""],
      ["DELETE", ""],
      ["POST", "/skips"],
    ] as const) {
      for (const id of ["3f6a7c1e-58f1-4b0f-9a53-0d8c6f1f2a44", "no-uuid"]) {
        const refused = await budget.call(
          method,
          `/questions/${id}${path}`,
          method === "POST" && path === "" ? moved("LEISURE_PETS", "x") : undefined,
        );
        t.deepEqual([refused.status, (refused.json as { code: string }).code], [404, "QUESTION_UNKNOWN"]);
      }
    }
    t.is((await budget.call("DELETE", `/questions/${second.id}`, {})).status, 400);
  },
);

test.serial("undoing what was never answered changes nothing", async (t) => {
  const { world, budget } = await openDemanding(t);
  const before = await budget.read();
  const question = (await budget.next())!;
  t.is((await budget.call("DELETE", `/questions/${question.id}`)).status, 200);
  t.deepEqual(await budget.read(), before);
  t.is((await world.database.query("select 1 from budget_events")).rowCount, 0);
});
