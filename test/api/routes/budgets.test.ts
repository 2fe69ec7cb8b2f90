import { randomUUID } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import { userData } from "../../budgets/household.ts";
import { linkedBudget } from "../../../src/budgets/coapplicants.ts";
import { type BudgetCaller, callerOf, openBudgets, payments } from "../budget-world.ts";
import { openRecognised, type RecognisedWorld } from "../recognised.ts";
import { partnerPath } from "../world.ts";

const unknownId = "3f6a7c1e-58f1-4b0f-9a53-0d8c6f1f2a44";
const { hasVehile: _, ...transport } = userData.transport;
const given = { ...userData, transport };

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

test.serial(
  "a completed budget no longer follows the ledger; edits are kept as revisions, and each change of status is on record",
  async (t) => {
    const world = await openBudgets(t);
    const [open, completed] = [await world.budgetOf(world.anna), await world.budgetOf(world.anna)];
    const statusBefore = (await completed.read()).status;
    t.is((await completed.call("POST", "/completions", { status: "ACCEPTED" })).status, 200);
    const accepted = await completed.read();
    t.is(accepted.status, "ACCEPTED");
    await world.anna.pay(payments.slice(0, 1).map((one) => ({ ...one, txid: "new", day: "2026-05-30", amount: -999 })));
    await world.recogniseOn("2026-06-16");
    t.deepEqual(await completed.read(), accepted);
    t.not((await open.read()).averageExpensesLastTwelveMonths, accepted.averageExpensesLastTwelveMonths);
    t.is((await completed.call("POST", "/comment", { comment: "By phone." })).status, 200);
    t.is((await completed.call("POST", "/completions", { status: "DENIED" })).status, 200);
    t.deepEqual(await completed.read(), { ...accepted, status: "DENIED", comment: "By phone." });
    const { rows } = await world.database.query(
      "select revision, status, sequence from budget_revisions where budget_id = $1 order by revision",
      [completed.id],
    );
    t.deepEqual(rows, [
      { revision: 1, status: "ACCEPTED", sequence: 1 },
      { revision: 2, status: "ACCEPTED", sequence: 2 },
      { revision: 3, status: "DENIED", sequence: 3 },
    ]);
    const changes = await world.database.query(
      "select status_before, status from budget_status_changes where budget_id = $1 order by id",
      [completed.id],
    );
    t.deepEqual(changes.rows, [
      ...(statusBefore === "DRAFT" ? [] : [{ status_before: "DRAFT", status: statusBefore }]),
      { status_before: statusBefore, status: "ACCEPTED" },
      { status_before: "ACCEPTED", status: "DENIED" },
    ]);
    await t.throwsAsync(
      world.database.query("update budget_events set type = 'X' where budget_id = $1", [completed.id]),
      { message: /only added to/ },
    );
    t.is((await completed.call("POST", "/completions", { status: "READY" })).status, 400);
  },
);

test.serial(
  "a budget that was completed before anything was known gets its figures once, and keeps them",
  async (t) => {
    const world = await openBudgets(t);
    const { token, userId } = await world.newUser("bo");
    const budget = await world.budgetOf({ token });
    t.is((await budget.call("POST", "/completions", { status: "DENIED" })).status, 200);
    t.is((await budget.call("GET", "")).status, 202);
    await world.database.query(
      "update users set import_completed_at = now(), import_completed_on = '2026-06-14' where id = $1",
      [userId],
    );
    await world.database.query("insert into changed_users (user_id) values ($1)", [userId]);
    await world.recogniseOn("2026-06-15");
    t.is((await budget.read()).status, "DENIED");
    t.deepEqual(
      (
        await world.database.query(
          "select revision, snapshot_id is not null as made from budget_revisions where budget_id = $1 order by 1",
          [budget.id],
        )
      ).rows,
      [
        { revision: 1, made: false },
        { revision: 2, made: true },
      ],
    );
  },
);

test.serial(
  "access that ends takes an account out of open budgets at once; a completed one stays the record of what was decided on",
  async (t) => {
    const world = await openBudgets(t);
    await world.database.query(
      "insert into accounts (user_id, id, name, iban) values ($1, 'account-1', 'Lønkonto', '')",
      [world.anna.userId],
    );
    await world.recogniseOn("2026-06-15");
    const [open, completed] = [await world.budgetOf(world.anna), await world.budgetOf(world.anna)];
    t.is((await completed.call("POST", "/completions", { status: "ACCEPTED" })).status, 200);
    const [accepted, details] = [await completed.read(), await completed.details()];
    t.is(accepted.averageExpensesLastTwelveMonths, 11_686.5);
    t.is((await world.call("PUT", `${partnerPath}/accounts`, { token: world.anna.token, body: [] })).status, 200);
    await world.recogniseOn("2026-06-15");
    t.like(await open.read(), {
      averageExpensesLastTwelveMonths: 0,
      totalMonthlyIncome: 0,
      uncategorized: [],
      accounts: [{ name: "Lønkonto", selectedStatus: "DESELECTED" }],
    });
    t.deepEqual([await completed.read(), await completed.details()], [accepted, details]);
  },
);

test.serial(
  "names that accounts-balances sets are in open budgets when it answers, completed ones keep theirs",
  async (t) => {
    const world = await openBudgets(t);
    await world.database.query(
      "insert into accounts (user_id, id, name, iban) values ($1, 'account-1', 'Lønkonto', '')",
      [world.anna.userId],
    );
    await world.recogniseOn("2026-06-15");
    const [open, completed] = [await world.budgetOf(world.anna), await world.budgetOf(world.anna)];
    t.is((await completed.call("POST", "/completions", { status: "ACCEPTED" })).status, 200);
    const put = async (accounts: object[]) => {
      const body = {
        accounts: accounts.map((one) => ({ observedTime: "2026-06-15T08:00:00Z", balance: 100, ...one })),
      };
      t.is(
        (await world.call("PUT", `${partnerPath}/accounts-balances`, { token: world.anna.token, body })).status,
        200,
      );
    };
    const names = async (budget: typeof open) => (await budget.read()).accounts.map(({ name }) => name);
    await put([{ accountId: "account-1", accountName: "Budgetkonto" }]);
    t.deepEqual(await names(open), ["Budgetkonto"]);
    await put([{ accountId: "account-2" }]);
    t.deepEqual(await names(open), ["Budgetkonto", "account-2"]);
    t.deepEqual(await names(completed), ["Lønkonto"]);
    const snapshots = async () => (await world.database.query("select id from budget_snapshots order by id")).rows;
    const before = await snapshots();
    await put([
      { accountId: "account-1", accountName: null, balance: 250 },
      { accountId: "account-2", accountName: "account-2" },
    ]);
    t.deepEqual(await snapshots(), before, "a balance alone makes no budget anew");
  },
);

test.serial("a payment without any text has the same name in GET transactions and in a budget's details", async (t) => {
  const world = await openBudgets(t);
  const budget = await world.budgetOf(world.anna);
  await world.anna.pay([
    { txid: "no-name", day: "2026-05-29", amount: -711, name: null, description: "", type: "DIRECT_DEBIT" },
    { txid: "empty-name", day: "2026-05-30", amount: -712, name: "", description: "", type: "DIRECT_DEBIT" },
    { txid: "empty-name-only", day: "2026-05-31", amount: -713, name: "", description: "KLUB HAVN" },
  ]);
  await world.recogniseOn("2026-06-15");
  type Named = { amount: number; merchantName: string };
  const listed = (await world.call("GET", `${partnerPath}/transactions`, { token: world.anna.token })).json as Named[];
  const namesOf = (transactions: readonly Named[]) =>
    [711, 712, 713].map((amount) => transactions.find((one) => Math.abs(one.amount) === amount)?.merchantName);
  t.deepEqual(namesOf(listed), ["DIRECT_DEBIT", "DIRECT_DEBIT", "Klub Havn"]);
  t.deepEqual(namesOf((await budget.details()).nonrecurringTransactions), [
    "DIRECT_DEBIT",
    "DIRECT_DEBIT",
    "Klub Havn",
  ]);
});

test.serial("new transactions change open budgets; snapshots that nothing stands on go", async (t) => {
  const world = await openBudgets(t);
  const budget = await world.budgetOf(world.anna);
  const count = async () =>
    (await world.database.query<{ n: number }>("select count(*) as n from budget_snapshots")).rows[0]?.n;
  t.is(await count(), 1);
  await world.anna.pay([{ txid: "chair", day: "2026-05-30", amount: -1200, name: "Sofahuset", mcc: 5712 }]);
  await world.recogniseOn("2026-06-15");
  // (6,000.00 + 1,200.00) / 12 instead of 6,000.00 / 12
  t.is((await budget.read()).averageExpensesLastTwelveMonths, 11_786.5);
  t.is(await count(), 1);
});

test.serial("applicants are linked either way round, and no figure changes", async (t) => {
  const world = await openBudgets(t);
  const bo = await world.newUser("bo");
  const [annas, bos] = [await world.budgetOf(world.anna), await world.budgetOf({ token: bo.token })];
  const before = await annas.read();
  t.is((await annas.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: bos.id })).status, 200);
  t.deepEqual(await annas.read(), before);
  const links = async () =>
    (
      await world.database.query(
        "select budget_id, other_budget_id from budget_coapplicants order by budget_id = $1 desc",
        [annas.id],
      )
    ).rows;
  t.deepEqual(await links(), [
    { budget_id: annas.id, other_budget_id: bos.id },
    { budget_id: bos.id, other_budget_id: annas.id },
  ]);
  const audited = await world.database.query<{ details: object }>(
    "select details from audit_events where event = 'budget.coapplicant-linked'",
  );
  t.like(audited.rows[0]?.details, {
    budgetId: annas.id,
    otherBudgetId: bos.id,
    userId: world.anna.userId,
    otherUserId: bo.userId,
  });
  t.is((await bos.call("POST", "/coapplicants", { type: "SHARED_FINANCES", budgetId: annas.id })).status, 200);
  t.deepEqual(await links(), []);
  for (const [body, status, code] of [
    [{ type: "SEPARATE_FINANCES" }, 400, "REQUEST_INVALID"],
    [{ type: "SEPARATE_FINANCES", budgetId: annas.id.toUpperCase() }, 400, "REQUEST_INVALID"],
    [{ type: "SEPARATE_FINANCES", budgetId: "no-uuid" }, 400, "REQUEST_INVALID"],
    [{ type: "MARRIED" }, 400, "REQUEST_INVALID"],
    [{ type: "SEPARATE_FINANCES", budgetId: unknownId }, 404, "BUDGET_UNKNOWN"],
  ] as const) {
    const refused = await annas.call("POST", "/coapplicants", body);
    t.deepEqual([refused.status, (refused.json as { code: string }).code], [status, code], JSON.stringify(body));
  }
  t.deepEqual(await links(), []);
});

test.serial("two applicants who name each other at the same moment are both answered, and linked", async (t) => {
  const world = await openBudgets(t);
  const bo = await world.newUser("bo");
  const [annas, bos] = [await world.budgetOf(world.anna), await world.budgetOf({ token: bo.token })];
  for (const requireMirror of [false, true]) {
    await world.database.query(
      "update brands set features = jsonb_set(features, '{coapplicantsRequireMirror}', to_jsonb($1::boolean))",
      [requireMirror],
    );
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        annas.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: bos.id }),
        bos.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: annas.id }),
      ]);
      t.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      );
      t.is(await linkedBudget(world.database, annas.id), bos.id);
    }
  }
});

test.serial("where a brand wants both to call, one call alone links nothing", async (t) => {
  const world = await openRecognised(t);
  await world.database.query("update brands set features = features || '{\"coapplicantsRequireMirror\": true}'");
  const [annas, bos] = [await newBudget(t, world, "anna"), await newBudget(t, world, "bo")];
  await annas.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: bos.id });
  t.is(await linkedBudget(world.database, annas.id), null);
  await bos.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: annas.id });
  t.deepEqual(
    [await linkedBudget(world.database, annas.id), await linkedBudget(world.database, bos.id)],
    [bos.id, annas.id],
  );
});

test.serial(
  "another user's and another partner's budgets, and texts that are no id, are 404 on every endpoint",
  async (t) => {
    const world = await openBudgets(t);
    const budget = await world.budgetOf(world.anna);
    const question = (await budget.next())?.id ?? unknownId;
    const before = await budget.read();
    const bo = await world.newUser("bo");
    await world.database.query(
      "with moved as (update budgets set partner_id = 'south' where id = $1) update budget_documents set partner_id = 'south' where budget_id = $1",
      [(await world.budgetOf(world.anna)).id],
    );
    const southern = (await world.database.query<{ id: string }>("select id from budgets where partner_id = 'south'"))
      .rows[0]!.id;
    const calls = [
      ["GET", ""],
      ["GET", "/details"],
      ["GET", "/user-data"],
      ["POST", "/user-data", given],
      ["POST", "/comment", { comment: "x" }],
      ["POST", "/completions", { status: "DENIED" }],
      ["POST", "/coapplicants", { type: "SHARED_FINANCES" }],
      ["POST", "/categories/HOUSING/adjustments", { amount: 1, frequency: "MONTHLY" }],
      ["DELETE", "/categories/HOUSING/adjustments"],
      ["GET", "/questions/next"],
      ["POST", `/questions/${question}`, { categories: [{ id: "HOUSING_RENT" }], type: "DERIVE" }],
      ["DELETE", `/questions/${question}`, { notApplicable: true }],
      ["POST", `/questions/${question}/skips`],
      ["GET", `/expenses/${unknownId}`],
    ] as const;
    for (const [token, id] of [
      [bo.token, budget.id],
      [world.anna.token, southern],
      [world.anna.token, unknownId],
      [world.anna.token, "no-uuid"],
    ] as const) {
      const foreign = callerOf(t, world, token, id);
      for (const [method, path, body] of calls) {
        const refused = await foreign.call(method, path, body);
        t.deepEqual(
          [refused.status, (refused.json as { code: string }).code],
          [404, "BUDGET_UNKNOWN"],
          `${method} ${path}`,
        );
      }
    }
    t.is(
      (
        await callerOf(t, world, bo.token, (await world.budgetOf(bo)).id).call("POST", "/coapplicants", {
          type: "SEPARATE_FINANCES",
          budgetId: southern,
        })
      ).status,
      404,
    );
    t.deepEqual(await budget.read(), before);
    t.is(
      (await world.call("GET", `/partner/south/2.0.0/budgets/${budget.id}`, { token: world.anna.token })).status,
      403,
    );
    t.is((await world.call("POST", `${partnerPath}/budgets`, {})).status, 401);
  },
);

test.serial("a change tells who made it: whom the login names, else the customer", async (t) => {
  const world = await openBudgets(t);
  const budget = await world.budgetOf(world.anna);
  t.is((await budget.call("POST", "/comment", { comment: "Mine." })).status, 200);
  const login = await world.call("POST", `${partnerPath}/users/logins`, {
    body: { payload: await world.loginJwt({ sub: "anna", brand: "north-dk", act: { sub: "adviser-17" } }) },
  });
  const adviser = callerOf(t, world, (login.json as { token: string }).token, budget.id);
  t.is((await adviser.call("POST", "/comment", { comment: "Seen together." })).status, 200);
  const { rows } = await world.database.query(
    "select actor from budget_events where budget_id = $1 order by sequence",
    [budget.id],
  );
  t.deepEqual(
    rows.map(({ actor }) => actor),
    [null, "adviser-17"],
  );
});

test.serial(
  "the message of a status that a call changed carries the call's ids; one that the data changed carries none",
  async (t) => {
    const world = await openBudgets(t);
    await world.database.query(
      `insert into notification_receivers (partner_id, url, authentication, secret_sealed, signing, signing_key_sealed)
     values ('north', 'https://bank.example', 'static', '', 'hmac', '')`,
    );
    const budget = await world.budgetOf(world.anna);
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const completed = await world.call("POST", `${partnerPath}/budgets/${budget.id}/completions`, {
      token: world.anna.token,
      headers: { "x-correlation-id": "case-7", traceparent },
      body: { status: "ACCEPTED" },
    });
    t.is(completed.status, 200);
    const { rows } = await world.database.query(
      "select content ->> 'budgetStatus' as status, correlation_id, traceparent from notifications where type = 'BUDGET_CHANGED' order by position",
    );
    t.deepEqual(rows, [
      { status: "READY", correlation_id: null, traceparent: null },
      { status: "ACCEPTED", correlation_id: "case-7", traceparent },
    ]);
  },
);

test.serial("two things done to a budget at once are both done", async (t) => {
  const world = await openBudgets(t);
  const budget = await world.budgetOf(world.anna);
  const ids = ["HOUSING", "FOOD", "TRANSPORT", "INSURANCE", "CHILDREN", "HEALTH", "LEISURE", "OTHER"];
  const answers = await Promise.all(
    ids.map((id) => budget.call("POST", `/categories/${id}/adjustments`, { amount: 1, frequency: "MONTHLY" })),
  );
  t.deepEqual(
    answers.map(({ status }) => status),
    ids.map(() => 200),
  );
  const { rows } = await world.database.query("select sequence from budget_events where budget_id = $1 order by 1", [
    budget.id,
  ]);
  t.deepEqual(
    rows,
    ids.map((_id, at) => ({ sequence: at + 1 })),
  );
  const adjusted = (await budget.read()).categories
    .filter((group) => group.totalMonthlyAmountUserProvided === 1)
    .map(({ id }) => id);
  t.deepEqual(adjusted.toSorted(), ids.toSorted());
  t.is((await budget.call("GET", `/expenses/${randomUUID()}`)).status, 404);
});

async function newBudget(t: ExecutionContext, world: RecognisedWorld, bankUserId: string): Promise<BudgetCaller> {
  const { token } = await world.newUser(bankUserId);
  const created = await world.call("POST", `${partnerPath}/budgets`, { token });
  return callerOf(t, world, token, (created.json as { id: string }).id);
}
