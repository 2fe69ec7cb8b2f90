/** The credit page: what the accounts say of loans, and of how they are run; and the indicators that follow from it. */
import test from "ava";
import { annuityOf } from "../../src/budgets/fold/credit/stress.ts";
import { foldBudget } from "../../src/budgets/fold/fold.ts";
import type { AdditionalRiskType, BudgetEvent, FoldedBudget } from "../../src/budgets/budget.ts";
import { facts, ledgerOf, logOf, monthly, type Paid, snapshotOf } from "./household.ts";

const salary = monthly("2025-05", "2026-05", "28", {
  name: "LØNOVERFØRSEL Nordfirma",
  amount: "30000.00",
  type: "SALARY",
});
const food = monthly("2025-05", "2026-05", "05", { name: "Kobmand Holm", amount: "-2500.00", mcc: 5411 });
const budgetOf = (paid: readonly Paid[], events: readonly BudgetEvent[] = [], country = "DK"): FoldedBudget =>
  foldBudget({ ...facts, country }, snapshotOf(ledgerOf([...salary, ...food, ...paid])), logOf(events));
const kroner = (minor: number | null | undefined) => (minor == null ? null : minor / 100);
const indicatorOf = (budget: FoldedBudget, type: AdditionalRiskType) => {
  const { isMarked, description, evidence } = budget.additionalRiskIndicators!.find((one) => one.type === type)!;
  return { isMarked, description, days: evidence.map(({ transactionDate }) => transactionDate) };
};

test("a loan paid out ten months ago and the loan that began with it are new credit", (t) => {
  const budget = budgetOf([
    { day: "2025-08-12", name: "Udbetaling af lån Santander", amount: "60000.00", type: "OTHER" },
    ...monthly("2025-09", "2026-06", "02", {
      name: "Ydelse banklån Santander",
      amount: "-1450.00",
      type: "DIRECT_DEBIT",
    }),
  ]);
  const { payouts, loans, serviceRatio } = budget.credit!;
  t.deepEqual([payouts.count, kroner(payouts.minor)], [1, 60_000]);
  t.deepEqual(
    loans.map(({ monthlyMinor, isNew, firstOn, paid }) => [
      kroner(monthlyMinor),
      isNew,
      firstOn,
      paid.count,
      paid.sinceCount,
      kroner(paid.minor),
    ]),
    // September to May, and June beside them.
    [[1450, true, "2025-09-02", 9, 1, 13_050]],
  );
  // 1,450.00 of 30,000.00.
  t.is(Math.round(serviceRatio! * 10_000), 483);
  t.like(indicatorOf(budget, "NEW_CREDIT"), { isMarked: true, days: ["2025-08-12", "2025-09-02"] });
  // It is no income.
  t.is(kroner(budget.totalMonthlyIncomeMinor), 30_000);
});

test("a loan that is as old as the data is not new", (t) => {
  const budget = budgetOf(
    monthly("2025-05", "2026-06", "02", { name: "Ydelse banklån Santander", amount: "-1450.00", type: "DIRECT_DEBIT" }),
  );
  t.is(budget.credit!.loans[0]?.isNew, false);
  t.deepEqual(indicatorOf(budget, "NEW_CREDIT"), {
    isMarked: false,
    description: "No loan was paid out and none began in the last 12 months.",
    days: [],
  });
});

test("an obligation that is due and not seen is told with its day, in words that allow payment from elsewhere", (t) => {
  const rent = (until: string) =>
    monthly("2025-05", until, "01", { name: "Husleje Boligselskabet Nord", amount: "-8000.00", type: "DIRECT_DEBIT" });
  t.deepEqual(indicatorOf(budgetOf(rent("2026-05")), "ARREARS"), {
    isMarked: true,
    description:
      "Due and not seen on these accounts since: Husleje Boligselskabet Nord (1\u00a0Jun\u00a02026). It may have been paid from elsewhere.",
    days: ["2026-05-01"],
  });
  t.false(indicatorOf(budgetOf(rent("2026-06")), "ARREARS").isMarked);
});

test("gambling is told net, and marked from a twentieth of the income on", (t) => {
  const stakes = (amount: string) => monthly("2025-06", "2026-05", "07", { name: "Bet365", amount, mcc: 7995 });
  const won: Paid = { day: "2025-09-11", name: "Bet365", amount: "6000.00", mcc: 7995 };
  const { gambling } = budgetOf([...stakes("-2000.00"), won]).credit!;
  // 24,000.00 − 6,000.00 = 18,000.00, 1,500.00 a month, which is a twentieth of 30,000.00.
  t.deepEqual(
    [
      kroner(gambling.stakes.minor),
      kroner(gambling.winnings.minor),
      kroner(gambling.netMinor),
      gambling.shareOfIncome,
      gambling.trend,
    ],
    [24_000, 6000, 18_000, 0.05, 1],
  );
  t.true(indicatorOf(budgetOf([...stakes("-2000.00"), won]), "GAMBLING").isMarked);
  t.false(indicatorOf(budgetOf([...stakes("-1900.00"), won]), "GAMBLING").isMarked);
});

test("interest of an overdraft, reminders and direct debits that came back are told with their rows", (t) => {
  const budget = budgetOf([
    { day: "2025-12-31", name: "Overtræksrente 4. kvartal", amount: "-87.50", type: "INTEREST" },
    { day: "2026-03-05", name: "Rykkergebyr", amount: "-100.00", type: "FEE" },
    { day: "2026-03-02", name: "Fjordkraft", amount: "-640.00", type: "DIRECT_DEBIT" },
    { day: "2026-03-04", name: "Fjordkraft", amount: "640.00", type: "DIRECT_DEBIT" },
  ]);
  const { overdraft, rejected, returned } = budget.credit!;
  t.deepEqual(
    [overdraft, rejected, returned].map(({ count, minor }) => [count, kroner(minor)]),
    [
      [1, 87.5],
      [1, 100],
      [1, 640],
    ],
  );
  t.deepEqual(indicatorOf(budget, "REJECTED_PAYMENTS").days, ["2026-03-05", "2026-03-04"]);
  t.deepEqual(
    indicatorOf(budget, "OVERDRAFT").description,
    "1 charge for an overdraft in the last 12 months and since, DKK\u00a088 in all.",
  );
});

test("a standing order between own accounts is no direct debit that came back", (t) => {
  const saved: Paid[] = monthly("2025-06", "2026-05", "03", {
    name: "Overførsel egen konto",
    amount: "-1000.00",
    type: "STANDING_ORDER",
  }).flatMap((out) => [out, { ...out, amount: "1000.00", account: "savings" }]);
  const budget = budgetOf(saved);
  t.deepEqual([budget.credit!.returned.count, indicatorOf(budget, "REJECTED_PAYMENTS").isMarked], [0, false]);
});

test("pay-later is marked from the third payment on", (t) => {
  const klarna = (count: number) =>
    monthly("2026-01", `2026-0${count}`, "14", { name: "Klarna", amount: "-350.00", type: "DIRECT_DEBIT" });
  t.deepEqual(
    [2, 3].map((count) => indicatorOf(budgetOf(klarna(count)), "PAY_LATER").isMarked),
    [false, true],
  );
});

test("an annuity is what interest and instalment come to, alike in all months", (t) => {
  // 100,000.00 at 6 % over 60 months: 100,000.00 × 0.005 / (1 − 1.005^−60) = 1,933.28; without interest a sixtieth.
  t.deepEqual([annuityOf(10_000_000, 600, 60), annuityOf(10_000_000, 0, 60)], [193_328, 166_667]);
});

test("remaining debts that the adviser gives are stressed as Norway asks, and nowhere else; without them nothing is", (t) => {
  const debts: BudgetEvent = {
    type: "DEBTS_SET",
    debts: [{ title: "Boliglån", remainingMinor: 200_000_000, rateHundredths: 350, termMonths: 300 }],
  };
  const loan = monthly("2025-05", "2026-06", "02", {
    name: "Ydelse banklån Santander",
    amount: "-1450.00",
    type: "DIRECT_DEBIT",
  });
  t.is(budgetOf(loan).credit!.entered, null);
  // 3.5 % and three points are 6.5 %, less than seven: 2,000,000.00 × (0.07 / 12) / (1 − (1 + 0.07 / 12)^−300) = 14,135.58.
  const norway = budgetOf(loan, [debts], "NO").credit!.entered!;
  t.deepEqual([kroner(norway.stressedMinor), norway.isStressed], [14_135.58, true]);
  // At 3.5 %: 10,012.47. 2,000,000.00 of 12 × 30,000.00 is 5.56 years' income.
  t.deepEqual([kroner(norway.monthlyMinor), Math.round(norway.debtToIncome! * 100)], [10_012.47, 556]);
  // 30,000.00 − 2,500.00 − 14,135.58: the 1,450.00 that go to lenders now are in the annuity.
  t.is(kroner(norway.leftMinor), 13_364.42);
  const denmark = budgetOf(loan, [debts]).credit!.entered!;
  t.deepEqual([kroner(denmark.stressedMinor), denmark.isStressed], [10_012.47, false]);
  t.is(budgetOf(loan, [debts, { type: "DEBTS_SET", debts: [] }]).credit!.entered, null);
});

test("what debts leave is told beside the country's table: available after fixed expenses, and left with the minimum", (t) => {
  const rent = monthly("2025-05", "2026-06", "01", {
    name: "Husleje Boligselskabet Nord",
    amount: "-8000.00",
    type: "DIRECT_DEBIT",
  });
  const saved = monthly("2025-05", "2026-06", "03", {
    name: "Nordnet opsparing",
    amount: "-1000.00",
    type: "ACCOUNT_TRANSFER",
  });
  const debts: BudgetEvent = {
    type: "DEBTS_SET",
    debts: [{ title: "Boliglån", remainingMinor: 200_000_000, rateHundredths: 350, termMonths: 300 }],
  };
  const denmark = budgetOf([...rent, ...saved], [debts]).credit!.entered!;
  // 10,012.47 a month at 3.5 %. Left: 30,000.00 − 8,000.00 − 2,500.00 − 1,000.00 − 10,012.47.
  t.is(kroner(denmark.leftMinor), 8487.53);
  // Fixed is the rent alone: 30,000.00 − 8,000.00 − 10,012.47.
  t.is(kroner(denmark.availableMinor), 11_987.53);
  // Gældsstyrelsen's 7,240.00 for one adult in the place of the 2,500.00 for food; what is saved counts no more:
  // 30,000.00 − 8,000.00 − 7,240.00 − 10,012.47.
  t.deepEqual(
    [denmark.rule, kroner(denmark.minimum!.referenceMinor), kroner(denmark.minimum!.leftMinor)],
    ["DK", 7240, 4747.53],
  );
  t.like(denmark.minimum, { validFrom: "2024-01-01", isOlderThanTwelveMonths: true });
});

test("Sweden's payments are tried at the rate that the bank gives, and the adviser's rate holds elsewhere where it is higher", (t) => {
  const paid = (name: string, day: string, amount: string, more: Partial<Paid> = {}) =>
    monthly("2025-05", "2026-05", day, { name, amount, currency: "SEK", ...more });
  const history = ledgerOf([
    ...paid("Lön Malmverk AB", "25", "35000.00", { type: "ACCOUNT_TRANSFER" }),
    ...paid("Hyra Rikshem", "01", "-9000.00", { type: "DIRECT_DEBIT" }),
    ...paid("ICA Maxi", "05", "-4000.00", { mcc: 5411 }),
  ]);
  const snapshot = snapshotOf(history, { brand: { id: "b", country: "SE", currency: "SEK" } });
  const kalp = (calculationRateHundredths?: number) => {
    const event: BudgetEvent = {
      type: "DEBTS_SET",
      debts: [{ title: "Bolån", remainingMinor: 100_000_000, rateHundredths: 400, termMonths: 360 }],
      ...(calculationRateHundredths === undefined ? {} : { calculationRateHundredths }),
    };
    return foldBudget({ ...facts, country: "SE", currency: "SEK" }, snapshot, logOf([event])).credit!.entered!;
  };
  // 1,000,000.00 × (0.07 / 12) / (1 − (1 + 0.07 / 12)^−360) = 6,653.02; at 4 %: 4,774.15.
  const [tried, plain] = [kalp(700), kalp()];
  t.deepEqual([kroner(tried.stressedMinor), kroner(plain.stressedMinor)], [6653.02, 4774.15]);
  t.deepEqual([tried.isStressed, plain.isStressed, tried.calculationRateHundredths], [true, false, 700]);
  // One adult of 35, rented: food 3,730 + 150, clothes 800, leisure 590 + 630, telephone 120, internet 970, hygiene 580,
  // furniture 920, electricity 380, home insurance 150; water is in the rent.
  t.is(kroner(tried.minimum!.referenceMinor), 9020);
  // 35,000.00 − 9,000.00 − 9,020.00 − 6,653.02.
  t.is(kroner(tried.minimum!.leftMinor), 10_326.98);
  // Norway's seven per cent are less than eight.
  const norway = foldBudget(
    { ...facts, country: "NO", currency: "DKK" },
    snapshotOf(ledgerOf([...salary, ...food])),
    logOf([
      {
        type: "DEBTS_SET",
        debts: [{ title: "Lån", remainingMinor: 10_000_000, rateHundredths: 350, termMonths: 60 }],
        calculationRateHundredths: 800,
      },
    ]),
  );
  t.is(norway.credit!.entered!.debts[0]?.stressedRateHundredths, 800);
});

test("a balance is walked back through its rows: month ends, days below zero, and whether two observations agree", (t) => {
  const history = ledgerOf([
    { day: "2025-05-02", name: "LØN Nordfirma", amount: "1000.00", type: "SALARY" },
    { day: "2026-04-10", name: "Sofahuset", amount: "-1500.00", mcc: 5712 },
    { day: "2026-04-16", name: "LØN Nordfirma", amount: "900.00", type: "SALARY" },
  ]);
  const observed = (earlier: number) =>
    new Map([
      [
        "main",
        [
          { day: "2026-01-01", minor: earlier },
          { day: "2026-06-14", minor: 50_000 },
        ],
      ],
    ]);
  // 500.00 on 14 June; before 16 April 500.00 − 900.00 = −400.00 for six days; before 10 April −400.00 + 1,500.00 = 1,100.00.
  const [balance] = snapshotOf(history, { balances: observed(110_000) }).balances;
  t.like(balance, {
    observedMinor: 50_000,
    daysBelowZero: 6,
    lowestMinor: -40_000,
    check: { from: "2026-01-01", missingMinor: 0 },
  });
  t.deepEqual(balance?.monthEndsMinor.slice(-3).map(kroner), [1100, 500, 500]);
  // The partner saw 100.00 less in January than the rows tell: 100.00 came that are not here.
  t.is(snapshotOf(history, { balances: observed(100_000) }).balances[0]?.check?.missingMinor, 10_000);
  const budget = foldBudget(facts, snapshotOf(history, { balances: observed(110_000) }), []);
  t.deepEqual(indicatorOf(budget, "NEGATIVE_BALANCE"), {
    isMarked: true,
    description: "An account closed 6 days below zero in the covered months; the lowest balance was −DKK\u00a0400.",
    days: [],
  });
  t.is(
    indicatorOf(budgetOf([]), "NEGATIVE_BALANCE").description,
    "Not computable: no balance of these accounts was delivered.",
  );
});
