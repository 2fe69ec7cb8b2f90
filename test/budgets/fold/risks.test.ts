/** Risk indicators, with the evidence or with what was looked for. */
import test from "ava";
import type { Comparison, ReferenceCheck } from "../../../src/budgets/budget.ts";
import { type RiskContext, riskIndicatorsOf } from "../../../src/budgets/fold/risks.ts";
import { inForce, paid, partWith, placed, snapshotWith } from "./parts.ts";

/** Of a budget that leaves so much while the accounts kept so much. */
function left(budgetMinor: number, accountsMinor: number, verdict: Comparison["verdict"] = "BETTER"): Comparison {
  return {
    verdict,
    budgetMinor,
    accountsMinor,
    incomeMinor: 0,
    expensesMinor: 0,
    oneOffMinor: budgetMinor - accountsMinor,
  };
}
/** 10,000.00 earned, 6,000.00 left by the budget, 2,999.99 by the account. */
const high: RiskContext = {
  language: "en",
  currency: "DKK",
  snapshot: snapshotWith(),
  categorised: [],
  incomeMinor: 1_000_000,
  comparison: left(600_000, 299_999),
  reference: null,
};
const reference: ReferenceCheck = {
  setId: "DK-DEBT-2024",
  source: "Gældsstyrelsen",
  validFrom: "2024-01-01",
  validTo: null,
  checked: "VERIFIED",
  isOlderThanTwelveMonths: false,
  adults: 1,
  children: 0,
  isHouseholdAssumed: false,
  isOfChildren: false,
  referenceMinor: 100_000,
  budgetMinor: 0,
  coveredMinor: 0,
  byCategory: [],
  categories: [],
};
const isExcessive = (more: Partial<RiskContext>) => riskIndicatorsOf({ ...high, ...more })[0]!.isMarked;
const collection = (...transactions: ReturnType<typeof paid>[]) =>
  placed(partWith({ categoryId: "DEBT_COLLECTION", transactions }));
const collected = (more: Partial<RiskContext>) => riskIndicatorsOf({ ...high, ...more })[1]!;

test("what the budget leaves is compared with what the accounts kept in words that are true", (t) => {
  const indicatorOf = (comparison: Comparison | null) => {
    const { isMarked, description } = riskIndicatorsOf({ ...high, comparison })[0]!;
    return [isMarked, description];
  };
  t.deepEqual(indicatorOf(left(600_000, 299_999)), [
    true,
    "Left a month: DKK\u00a06,000.00 by the budget, DKK\u00a02,999.99 on the accounts. The budget looks DKK\u00a03,000.01 better than the accounts: DKK\u00a00.00 by income, DKK\u00a00.00 by expenses and +DKK\u00a03,000.01 by what came and went once.",
  ]);
  // Not half of the income, so not marked; and the sentence is the same, because it is as true.
  t.deepEqual(indicatorOf({ ...left(202_236, 815), incomeMinor: 150_000, expensesMinor: 60_000, oneOffMinor: -8579 }), [
    false,
    "Left a month: DKK\u00a02,022.36 by the budget, DKK\u00a08.15 on the accounts. The budget looks DKK\u00a02,014.21 better than the accounts: +DKK\u00a01,500.00 by income, +DKK\u00a0600.00 by expenses and −DKK\u00a085.79 by what came and went once.",
  ]);
  t.deepEqual(indicatorOf(left(-2_732_300, -963_700, "WORSE")), [
    false,
    "Left a month: −DKK\u00a027,323.00 by the budget, −DKK\u00a09,637.00 on the accounts. The budget looks DKK\u00a017,686.00 worse than the accounts: DKK\u00a00.00 by income, DKK\u00a00.00 by expenses and −DKK\u00a017,686.00 by what came and went once.",
  ]);
  t.deepEqual(indicatorOf(left(400_000, 390_000, "AGREES")), [
    false,
    "Left a month: DKK\u00a04,000.00 by the budget, DKK\u00a03,900.00 on the accounts. The two are close to each other.",
  ]);
  const none = "There is no complete month with which the budget could be compared.";
  t.deepEqual(
    [indicatorOf(null), indicatorOf(left(0, 0, "UNKNOWN"))],
    [
      [false, none],
      [false, none],
    ],
  );
});

test("more than half of the income is much to be left over", (t) => {
  t.deepEqual(
    [isExcessive({ comparison: left(500_000, 0) }), isExcessive({ comparison: left(500_001, 0) })],
    [false, true],
  );
});

test("so is more than two and a half times what the household needs, unless that is what its children cost", (t) => {
  const of = (budgetMinor: number, more: Partial<ReferenceCheck> = {}) =>
    isExcessive({ comparison: left(budgetMinor, 0), reference: { ...reference, ...more } });
  t.deepEqual([of(250_000), of(250_001), of(250_001, { isOfChildren: true })], [false, true, false]);
  t.false(isExcessive({ comparison: left(250_001, 0) }));
});

test("what the account bears out to the half is not marked, nor where nothing is left over, nor without data", (t) => {
  t.deepEqual(
    [isExcessive({ comparison: left(600_000, 299_999) }), isExcessive({ comparison: left(600_000, 300_000) })],
    [true, false],
  );
  t.false(isExcessive({ incomeMinor: -10, comparison: left(0, -5) }));
  t.false(isExcessive({ incomeMinor: -1000, comparison: left(-100, -5000) }));
  t.true(isExcessive({ incomeMinor: 1, comparison: left(1, 0) }));
  t.false(isExcessive({ comparison: null }));
});

test("payments to debt collectors are told with their number, their sum and the rows, oldest first", (t) => {
  const [june, may, b] = [
    paid("2026-06-01", -20_000),
    paid("2026-05-01", -10_000, { txid: "c" }),
    paid("2026-05-01", -5000, { txid: "b" }),
  ];
  t.deepEqual(collected({ categorised: [collection(june, may), collection(b)] }), {
    type: "DEBT_COLLECTION",
    isMarked: true,
    title: "Debt collection",
    description:
      "2 payments to debt collectors in the last 12 months, DKK\u00a0150 in all. 1 more since then, DKK\u00a0200 in all.",
    evidence: [b.document, may.document, june.document],
  });
});

test("without such payments it says so", (t) => {
  const none = {
    type: "DEBT_COLLECTION",
    isMarked: false,
    title: "Debt collection",
    description: "No payments to debt collectors in the last 12 months.",
    evidence: [],
  };
  t.deepEqual(collected({ categorised: [placed(partWith({ transactions: [paid("2026-05-01", -1)] }))] }), none);
  t.deepEqual(collected({ snapshot: null, categorised: [collection(paid("2026-05-01", -1))] }), none);
  // Money that came back is no payment.
  t.deepEqual(collected({ categorised: [collection(paid("2026-05-01", 100), paid("2026-05-02", 0))] }), none);
});

test("the year is that of every other figure, and what the running month shows is told apart", (t) => {
  const { evidence, description, isMarked } = collected({
    categorised: [collection(paid("2025-05-31", -100), paid("2025-06-01", -100), paid("2026-06-15", -200))],
  });
  t.deepEqual(
    evidence.map(({ id }) => id),
    ["2025-06-01", "2026-06-15"],
  );
  t.is(
    description,
    "1 payment to debt collectors in the last 12 months, DKK\u00a01 in all. 1 more since then, DKK\u00a02 in all.",
  );
  t.true(isMarked);
});

test("the engine's word counts though an answer moved the payment, and so does an answer's", (t) => {
  const transactions = [paid("2026-05-01", -100)];
  const away = placed(
    partWith({ categoryId: "DEBT_COLLECTION", transactions }),
    inForce({ categories: [{ id: "LEISURE_PETS", amountMinor: null }] }),
  );
  const into = placed(
    partWith({ transactions }),
    inForce({
      categories: [
        { id: "FEES_TAX", amountMinor: 1 },
        { id: "DEBT_COLLECTION", amountMinor: 1 },
      ],
    }),
  );
  t.true(collected({ categorised: [away] }).isMarked);
  t.true(collected({ categorised: [into] }).isMarked);
});

test("both are told in the user's language", (t) => {
  t.deepEqual(
    riskIndicatorsOf({ ...high, language: "nb" }).map(({ title }) => title),
    ["Mer igjen enn kontoene viser", "Inkasso"],
  );
});
