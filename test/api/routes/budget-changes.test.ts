/**
 * What changes a budget after its creation: completion, new data, ended access and concurrent calls, each on record
 * with who made it and hidden from others.
 */
import { randomUUID } from "node:crypto";
import test from "ava";
import { callerOf, openBudgets, payments, given, unknownId } from "../budget-world.ts";
import { partnerPath } from "../world.ts";

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

test.serial(
  "debts that an adviser gives are in the details and on record, and balances are walked back through their rows",
  async (t) => {
    const world = await openBudgets(t);
    const budget = await world.budgetOf(world.anna);
    const debts = [{ title: "Car loan", remainingAmount: 100_000, interestRate: 6, termMonths: 60 }];
    t.is((await budget.call("PUT", "/debts", { debts })).status, 200);
    // 100,000.00 × 0.005 / (1 − 1.005^−60); 100,000.00 of 12 × 25,000.00.
    t.like((await budget.details()).credit?.entered, {
      monthlyAmount: 1933.28,
      isStressed: false,
      debtToIncome: 1 / 3,
    });
    const { rows } = await world.database.query("select type, event from budget_events where budget_id = $1", [
      budget.id,
    ]);
    t.deepEqual(rows, [
      {
        type: "DEBTS_SET",
        event: {
          type: "DEBTS_SET",
          debts: [{ title: "Car loan", remainingMinor: 10_000_000, rateHundredths: 600, termMonths: 60 }],
        },
      },
    ]);
    for (const wrong of [{ remainingAmount: -1 }, { interestRate: 101 }, { termMonths: 0 }])
      t.is((await budget.call("PUT", "/debts", { debts: [{ ...debts[0], ...wrong }] })).status, 400);
    const body = {
      accounts: [
        { accountId: "account-1", accountName: "Daily", observedTime: "2026-06-14T10:00:00Z", balance: 4321.5 },
      ],
    };
    t.is((await world.call("PUT", `${partnerPath}/accounts-balances`, { token: world.anna.token, body })).status, 200);
    const { credit } = await budget.details();
    t.like(credit?.balances[0], { name: "Daily", observedOn: "2026-06-14", balance: 4321.5 });
    t.is(credit?.balances[0]?.monthEnds.length, 12);
  },
);
