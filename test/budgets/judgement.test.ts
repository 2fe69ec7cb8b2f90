/** What an adviser is alerted to: alerts by severity, risk indicators, and what this household is expected to pay. */
import test from "ava";
import type { BudgetEvent } from "../../src/budgets/events.ts";
import { foldBudget } from "../../src/budgets/fold/fold.ts";
import { expectationsOf } from "../../src/budgets/fold/expectations.ts";
import { expenseCategories, incomeCategories } from "../../src/categories/tree.ts";
import type { UserData } from "../../src/interface/user-data.ts";
import { facts, ledgerOf, logOf, monthly, type Paid, snapshotOf, userData } from "./household.ts";
import { snapshot, fold, alertOf, adjust, household } from "./judged.ts";

test("the further the categorised amount is from the target, the worse the alert", (t) => {
  // Target 10,517.85; the group's value takes the place of 8,000.00.
  for (const [housing, severity] of [
    [800_000, undefined],
    [700_000, "LOW"],
    [400_000, "MEDIUM"],
    [0, "HIGH"],
  ] as const) {
    t.is(
      alertOf(fold(adjust("HOUSING", housing)), "CATEGORIZATION_TARGET_NOT_MET")?.severity,
      severity,
      String(housing),
    );
  }
});

test("user's values far below what was observed are alerted to", (t) => {
  // Engine 11,192.33: below 90 % is 10,073.09, below 75 % is 8,394.24.
  for (const [housing, severity] of [
    [900_000, "LOW"],
    [700_000, "LOW"],
    [680_000, "MEDIUM"],
    [500_000, "HIGH"],
  ] as const) {
    t.is(alertOf(fold(adjust("HOUSING", housing)), "USER_PROVIDED_EXPENSES")?.severity, severity, String(housing));
  }
  t.is(alertOf(fold(), "USER_PROVIDED_EXPENSES"), undefined);
  t.is(alertOf(fold(adjust("INCOME_WORK", 1)), "USER_PROVIDED_EXPENSES"), undefined);
});

test("payments that the household should not have are alerted to by their size", (t) => {
  const owner: BudgetEvent = {
    type: "USER_DATA_SET",
    userData: household((data) => Object.assign(data.residence, { ownership: "HOMEOWNER" })),
  };
  t.like(alertOf(fold(owner), "UNEXPECTED_EXPENSES"), {
    severity: "MEDIUM",
    message: "There are payments for rent, which the household should not have.",
  });
  t.is(alertOf(fold(owner, adjust("HOUSING_RENT", 50_000)), "UNEXPECTED_EXPENSES")?.severity, "LOW");
  t.is(alertOf(fold({ type: "USER_DATA_SET", userData }), "UNEXPECTED_EXPENSES"), undefined);
});

test("an account without regular income, or with bills of cards that are not here, lacks accounts", (t) => {
  const groceries = monthly("2025-05", "2026-05", "04", { name: "Kobmand Holm", amount: "-911.20", mcc: 5411 });
  const of = (paid: readonly Paid[], more: Parameters<typeof snapshotOf>[1] = {}) =>
    foldBudget(facts, snapshotOf(ledgerOf(paid), more), []);
  t.like(alertOf(of(groceries), "MISSING_ACCOUNTS"), {
    severity: "HIGH",
    message: "No regular income is seen on these accounts.",
  });
  t.is(alertOf(fold(), "MISSING_ACCOUNTS"), undefined);
  const signals = { ...snapshot, signals: { cardBillsWithoutPurchases: 2, ownTransfersElsewhere: 0 } };
  t.is(alertOf(foldBudget(facts, signals, []), "MISSING_ACCOUNTS")?.severity, "MEDIUM");
  t.is(
    alertOf(
      foldBudget(facts, { ...snapshot, signals: { cardBillsWithoutPurchases: 0, ownTransfersElsewhere: 1 } }, []),
      "MISSING_ACCOUNTS",
    ),
    undefined,
  );
  t.is(
    alertOf(
      foldBudget(facts, { ...snapshot, signals: { cardBillsWithoutPurchases: 0, ownTransfersElsewhere: 2 } }, []),
      "MISSING_ACCOUNTS",
    )?.severity,
    "LOW",
  );
});

test("payments to a debt collector are told with their number and sum, and an answer does not unsay them", (t) => {
  const paid = ledgerOf([
    { day: "2026-02-11", name: "Collectia", amount: "-500.00", mcc: 7322 },
    { day: "2026-04-11", name: "Collectia", amount: "-750.00", mcc: 7322 },
    ...monthly("2025-05", "2026-05", "04", { name: "Kobmand Holm", amount: "-911.20", mcc: 5411 }),
  ]);
  const collected = snapshotOf(paid);
  const subject = `payee:${collected.parts.find(({ categoryId }) => categoryId === "DEBT_COLLECTION")!.payeeKey}`;
  const answer: BudgetEvent = {
    type: "ANSWERED",
    actionId: "a",
    answer: {
      type: "RAW",
      categories: [{ id: "OTHER_EXPENSES", amountMinor: null }],
      subject,
      txid: null,
      amountMinor: null,
      frequency: null,
      title: null,
    },
  };
  for (const events of [[], [answer]]) {
    const indicator = foldBudget(facts, collected, logOf(events)).riskIndicators?.find(
      ({ type }) => type === "DEBT_COLLECTION",
    );
    t.like(indicator, {
      isMarked: true,
      description: "2 payments to debt collectors in the last 12 months, DKK\u00a01,250 in all.",
    });
    t.deepEqual(
      indicator?.evidence.map(({ transactionDate }) => transactionDate),
      ["2026-02-11", "2026-04-11"],
    );
  }
  t.like(
    fold().riskIndicators?.find(({ type }) => type === "DEBT_COLLECTION"),
    { isMarked: false, description: "No payments to debt collectors in the last 12 months." },
  );
});

test("a collector that writes its name with and without what it does is one payee", (t) => {
  const { parts } = snapshotOf(
    ledgerOf([
      { day: "2026-01-19", name: "Intrum Inkasso", amount: "-2400.00", type: "INVOICE" },
      { day: "2026-02-19", name: "Intrum AB", amount: "-1200.00", type: "INVOICE" },
      { day: "2026-03-19", name: "Collectia", amount: "-500.00", mcc: 7322 },
    ]),
  );
  const collected = parts.filter(({ categoryId }) => categoryId === "DEBT_COLLECTION");
  t.deepEqual(
    collected.map(({ title, transactions }) => [title, transactions.length]),
    [
      ["Collectia", 1],
      ["Intrum", 2],
    ],
  );
});

test("a debt collector who is paid every month was paid twelve times in twelve months", (t) => {
  // The window is June 2025 to May 2026; that of 15 June 2026 is of the running month.
  const collected = snapshotOf(
    ledgerOf(monthly("2025-05", "2026-06", "15", { name: "Collectia", amount: "-500.00", mcc: 7322 })),
  );
  const indicator = foldBudget(facts, collected, []).riskIndicators?.find(({ type }) => type === "DEBT_COLLECTION");
  t.is(
    indicator?.description,
    "12 payments to debt collectors in the last 12 months, DKK\u00a06,000 in all. 1 more since then, DKK\u00a0500 in all.",
  );
  t.deepEqual(
    [indicator?.evidence[0]?.transactionDate, indicator?.evidence.at(-1)?.transactionDate],
    ["2025-06-15", "2026-06-15"],
  );
});

test("what every household pays is missed as such, what this one has told as told by it", (t) => {
  const messages = (...events: BudgetEvent[]) =>
    foldBudget(facts, snapshotOf([]), logOf(events))
      .categories.flatMap(({ children }) => children)
      .flatMap(({ notes }) => notes)
      .map(({ message }) => message);
  t.deepEqual(messages(), [
    "Nearly every household pays for mobile phone.",
    "Nearly every household pays for groceries.",
  ]);
  t.true(
    messages({ type: "USER_DATA_SET", userData }).includes(
      "From what we know of the household, something should be paid for rent.",
    ),
  );
});

test("a budget that leaves far more than was left on the accounts is marked", (t) => {
  const marked = (...events: BudgetEvent[]) =>
    fold(...events).riskIndicators?.find(({ type }) => type === "EXCESSIVE_DISPOSABLE_INCOME")?.isMarked;
  // 25,083.33 came and 11,686.50 left: 13,396.83 a month was left, more than half of 13,907.67.
  t.false(marked());
  // With 40,000.00 of income the budget leaves 28,907.67, twice what was left and more.
  t.true(marked(adjust("INCOME_WORK", 4_000_000)));
});

test("what is expected follows from what the household says of itself", (t) => {
  const of = (change: (data: UserData) => unknown) => {
    const { nonempty, empty } = expectationsOf(household(change), "NO");
    return {
      nonempty: [...nonempty].map(([id, severity]) => `${id} ${severity}`).toSorted(),
      empty: [...empty].toSorted(),
    };
  };
  const always = ["COMMUNICATION_MOBILE LOW", "FOOD_GROCERIES HIGH"];
  const vehicles = [
    "INSURANCE_VEHICLE",
    "TRANSPORT_FUEL_CHARGING",
    "TRANSPORT_VEHICLE_FINANCE",
    "TRANSPORT_VEHICLE_MAINTENANCE",
    "TRANSPORT_VEHICLE_TAX",
  ];
  t.deepEqual(
    [...expectationsOf(null, "NO").nonempty],
    [
      ["FOOD_GROCERIES", "HIGH"],
      ["COMMUNICATION_MOBILE", "LOW"],
    ],
  );
  t.deepEqual(
    of(() => undefined),
    {
      nonempty: [
        ...always,
        "HOUSING_RENT HIGH",
        "INCOME_SALARY LOW",
        "INSURANCE_HOME MEDIUM",
        "UTILITIES_ELECTRICITY MEDIUM",
      ].toSorted(),
      empty: [
        "CHILDREN_DAYCARE",
        "CHILDREN_SCHOOL",
        "HOUSING_MORTGAGE",
        "HOUSING_PROPERTY_TAX",
        "HOUSING_SECOND_HOME",
        "WORK_UNEMPLOYMENT_FUND",
        ...vehicles,
      ].toSorted(),
    },
  );
  t.false(
    of((data) => Object.assign(data.residence, { type: "ROOM" })).nonempty.includes("UTILITIES_ELECTRICITY MEDIUM"),
  );
  const owner = of((data) => Object.assign(data.residence, { ownership: "HOMEOWNER", hasVacationHome: true }));
  for (const expected of [
    "HOUSING_MORTGAGE LOW",
    "HOUSING_PROPERTY_TAX HIGH",
    "UTILITIES_HEATING MEDIUM",
    "UTILITIES_WATER_WASTE MEDIUM",
    "HOUSING_SECOND_HOME HIGH",
  ])
    t.true(owner.nonempty.includes(expected), expected);
  t.true(owner.empty.includes("HOUSING_RENT"));
  const driving = of((data) => Object.assign(data.transport, { vehicles: [{ ownership: "OWNED" }], hasVehicle: true }));
  for (const expected of ["TRANSPORT_FUEL_CHARGING MEDIUM", "INSURANCE_VEHICLE MEDIUM", "TRANSPORT_VEHICLE_TAX MEDIUM"])
    t.true(driving.nonempty.includes(expected), expected);
  t.deepEqual(
    of((data) =>
      Object.assign(data.transport, { vehicles: [{ ownership: "COMPANY" }], hasVehicle: true }),
    ).empty.filter((id) => vehicles.includes(id)),
    ["INSURANCE_VEHICLE", "TRANSPORT_VEHICLE_FINANCE", "TRANSPORT_VEHICLE_TAX"],
  );
  t.true(
    of((data) => Object.assign(data.personal, { children: [{ age: 9 }], hasChildren: true })).nonempty.includes(
      "CHILDREN_DAYCARE MEDIUM",
    ),
  );
  t.false(
    of((data) => Object.assign(data.personal, { children: [{ age: 10 }], hasChildren: true })).nonempty.includes(
      "CHILDREN_DAYCARE MEDIUM",
    ),
  );
  t.true(
    of((data) => Object.assign(data.employment, { status: "RETIRED", unemploymentFund: true })).nonempty.includes(
      "INCOME_PENSION LOW",
    ),
  );
  const known = new Set([...expenseCategories, ...incomeCategories].map(({ id }) => id));
  for (const line of [...driving.nonempty, ...owner.nonempty]) t.true(known.has(line.split(" ")[0]!), line);
});
