/** A budget is created, read, given its household's data, commented on and adjusted through the API. */
import test from "ava";
import { userData } from "../../budgets/household.ts";
import { openBudgets, given, unknownId } from "../budget-world.ts";
import { partnerPath } from "../world.ts";

test.serial(
  "a budget is created, and read without and with its transactions; each call makes another one",
  async (t) => {
    const world = await openBudgets(t);
    const budget = await world.budgetOf(world.anna);
    const document = await budget.read();
    t.like(document, {
      id: budget.id,
      amountCategorized: 11_092.33,
      totalMonthlyAmount: 11_192.33,
      averageExpensesLastTwelveMonths: 11_686.5,
      userData: null,
      comment: "",
    });
    t.regex(document.createdTime, /^2026-06-15T\d\d:\d\d:\d\d$/);
    t.true(
      document.categories
        .flatMap((group) => group.categories)
        .flatMap((leaf) => leaf.expenses)
        .every((one) => one.transactions.length === 0),
    );
    const details = await budget.details();
    t.false("createdTime" in details);
    t.is(details.nonrecurringExpenses.averages.lastTwelveMonths, 600);
    const [rent] = details.categories[0]!.categories[0]!.expenses;
    t.is(rent?.transactions.length, 13);
    t.deepEqual((await budget.call("GET", `/expenses/${rent!.id}`)).json, rent);
    t.not((await world.budgetOf(world.anna)).id, budget.id);
  },
);

test.serial(
  "until the user's import is complete and something was made of it, reads are 202 with Retry-After and Location, and what is stored is kept",
  async (t) => {
    const world = await openBudgets(t);
    const { token, userId } = await world.newUser("bo");
    const budget = await world.budgetOf({ token });
    for (const path of ["", "/details"]) {
      const early = await budget.call("GET", path);
      t.deepEqual(
        [early.status, early.text, early.headers["retry-after"], early.headers.location],
        [202, "", "60", `${partnerPath}/budgets/${budget.id}${path}`],
      );
    }
    t.is((await budget.call("POST", "/comment", { comment: "Waits for her second account." })).status, 200);
    t.like((await budget.call("POST", "/user-data", given)).json, {
      status: "DRAFT",
      userData,
      comment: "Waits for her second account.",
      totalMonthlyAmount: 0,
    });
    t.like(
      (await budget.call("POST", "/categories/HOUSING/adjustments", { amount: 7500, frequency: "MONTHLY" })).json,
      { amountCategorizedUserProvided: 7500 },
    );
    for (const [method, path, code] of [
      ["GET", "/questions/next", "NO_OPEN_QUESTION"],
      ["GET", `/expenses/${unknownId}`, "EXPENSE_UNKNOWN"],
      ["POST", `/questions/${unknownId}/skips`, "QUESTION_UNKNOWN"],
    ] as const) {
      const refused = await budget.call(method, path);
      t.deepEqual([refused.status, (refused.json as { code: string }).code], [404, code]);
    }
    await world.database.query(
      "update users set import_completed_at = now(), import_completed_on = '2026-06-14' where id = $1",
      [userId],
    );
    await world.database.query("insert into changed_users (user_id) values ($1)", [userId]);
    t.is((await budget.call("GET", "")).headers["retry-after"], "10");
    const holder = await world.database.connect();
    await holder.query("begin");
    await holder.query("select 1 from changed_users where user_id = $1 for update", [userId]);
    t.is((await budget.call("GET", "")).headers["retry-after"], "2");
    await holder.query("rollback");
    holder.release();
    await world.recogniseOn("2026-06-15");
    t.like(await budget.read(), {
      comment: "Waits for her second account.",
      amountCategorizedUserProvided: 7500,
      totalMonthlyAmount: 0,
    });
  },
);

test.serial(
  "user data are given at the creation or later, under either name of the vehicle's flag, and answered under both",
  async (t) => {
    const world = await openBudgets(t);
    const budget = await world.budgetOf(world.anna, { userData: given });
    t.deepEqual((await budget.call("GET", "/user-data")).json, userData);
    t.deepEqual((await budget.read()).userData, userData);
    const owner = { ...given, transport: { vehicles: [{ ownership: "OWNED" }], hasVehile: true }, unknown: "ignored" };
    const answered = await budget.call("POST", "/user-data", owner);
    t.is(answered.status, 200);
    t.deepEqual((await budget.call("GET", "/user-data")).json, {
      ...userData,
      transport: { vehicles: [{ ownership: "OWNED" }], hasVehicle: true, hasVehile: true },
    });
    const none = await world.budgetOf(world.anna);
    const missing = await none.call("GET", "/user-data");
    t.deepEqual([missing.status, (missing.json as { code: string }).code], [404, "USER_DATA_UNKNOWN"]);
  },
);

test.serial("user data that break the interface are 400 with every place, and nothing is kept", async (t) => {
  const world = await openBudgets(t);
  const budget = await world.budgetOf(world.anna);
  const before = await budget.read();
  for (const [body, pointer] of [
    [{ ...given, expenses: { share: 101 } }, "/expenses/share"],
    [{ ...given, expenses: { share: -1 } }, "/expenses/share"],
    [{ ...given, expenses: { share: 0.5 } }, "/expenses/share"],
    [{ ...given, personal: { ...given.personal, dateOfBirth: "1990-02-30" } }, "/personal/dateOfBirth"],
    [{ ...given, personal: { ...given.personal, dateOfBirth: "2026-06-16" } }, "/personal/dateOfBirth"],
    [{ ...given, personal: { ...given.personal, maritalStatus: "ENGAGED" } }, "/personal/maritalStatus"],
    [{ ...given, transport: { vehicles: [] } }, "/transport/hasVehicle"],
    [{ ...given, education: undefined }, "/education"],
    [{ ...given, personal: { ...given.personal, children: [{ age: -1 }] } }, "/personal/children/0/age"],
  ] as const) {
    const refused = await budget.call("POST", "/user-data", body);
    t.is(refused.status, 400, pointer);
    t.deepEqual(
      (refused.json as { errors: { pointer: string }[] }).errors.map((one) => one.pointer),
      [pointer],
    );
    const created = await world.call("POST", `${partnerPath}/budgets`, {
      token: world.anna.token,
      body: { userData: body },
    });
    t.deepEqual(
      [created.status, (created.json as { errors: { pointer: string }[] }).errors.map((one) => one.pointer)],
      [400, [`/userData${pointer}`]],
    );
  }
  t.deepEqual(await budget.read(), before);
});

test.serial("a comment has 1 to 65,535 characters, whatever they weigh", async (t) => {
  const world = await openBudgets(t);
  const budget = await world.budgetOf(world.anna);
  const longest = "😀".repeat(65_535);
  t.is((await budget.call("POST", "/comment", { comment: longest })).status, 200);
  t.is((await budget.read()).comment, longest);
  for (const comment of ["", `${longest}x`, "a\u0000b", "half \ud83d", 7])
    t.is((await budget.call("POST", "/comment", { comment })).status, 400);
  t.is((await budget.read()).comment, longest);
});

test.serial("an adjusted amount is told with the budget, and taken back", async (t) => {
  const world = await openBudgets(t);
  const budget = await world.budgetOf(world.anna);
  const before = await budget.read();
  const adjusted = await budget.call("POST", "/categories/HOUSING_RENT/adjustments", {
    amount: 8500,
    frequency: "MONTHLY",
  });
  t.is(adjusted.status, 200);
  t.like(adjusted.json, { amountCategorized: 11_092.33, amountCategorizedUserProvided: 11_592.33 });
  t.deepEqual(await budget.read(), adjusted.json);
  t.is(
    (await budget.call("POST", "/categories/INCOME_SALARY/adjustments", { amount: 0, frequency: "YEARLY" })).status,
    200,
  );
  t.is((await budget.read()).totalMonthlyIncomeUserProvided, 0);
  t.is((await budget.call("DELETE", "/categories/INCOME_SALARY/adjustments")).status, 200);
  t.deepEqual((await budget.call("DELETE", "/categories/HOUSING_RENT/adjustments")).json, before);
  for (const [method, category, body, status, code] of [
    ["POST", "HOUSING_RENT", { amount: -1, frequency: "MONTHLY" }, 400, "REQUEST_INVALID"],
    ["POST", "HOUSING_RENT", { amount: 1, frequency: "UNKNOWN" }, 400, "REQUEST_INVALID"],
    ["POST", "HOUSING_RENT", { amount: "1", frequency: "MONTHLY" }, 400, "REQUEST_INVALID"],
    ["POST", "HOUSING_RENT", { amount: 1 }, 400, "REQUEST_INVALID"],
    ["POST", "HOUSING_CASTLE", { amount: 1, frequency: "MONTHLY" }, 404, "CATEGORY_UNKNOWN"],
    ["DELETE", "HOUSING_CASTLE", undefined, 404, "CATEGORY_UNKNOWN"],
    ["DELETE", "HOUSING_RENT", undefined, 404, "ADJUSTMENT_UNKNOWN"],
  ] as const) {
    const refused = await budget.call(method, `/categories/${category}/adjustments`, body);
    t.deepEqual([refused.status, (refused.json as { code: string }).code], [status, code], `${method} ${category}`);
  }
  t.deepEqual(await budget.read(), before);
});
