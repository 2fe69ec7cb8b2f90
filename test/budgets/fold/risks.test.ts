/** Risk indicators, with the evidence or with what was looked for. */
import test from "ava";
import type { ReferenceCheck } from "../../../src/budgets/budget.ts";
import { type RiskContext, riskIndicatorsOf } from "../../../src/budgets/fold/risks.ts";
import { inForce, paid, partWith, placed, snapshotWith } from "./parts.ts";

/** 10,000.00 earned, 6,000.00 left by the budget, 2,999.99 by the account. */
const high: RiskContext = {
  language: "en",
  currency: "DKK",
  snapshot: snapshotWith(),
  categorised: [],
  incomeMinor: 1_000_000,
  disposableMinor: 600_000,
  surplusMinor: 299_999,
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

test("more left over than the account shows says both figures", (t) => {
  t.deepEqual(riskIndicatorsOf(high)[0], {
    type: "EXCESSIVE_DISPOSABLE_INCOME",
    isMarked: true,
    title: "More left over than the account shows",
    description:
      "The budget leaves DKK\u00a06,000 a month, while DKK\u00a03,000 a month was left in the last 12 months.",
    evidence: [],
  });
  t.deepEqual(riskIndicatorsOf({ ...high, surplusMinor: 300_000 })[0], {
    type: "EXCESSIVE_DISPOSABLE_INCOME",
    isMarked: false,
    title: "More left over than the account shows",
    description: "What the budget leaves agrees with what was left on the accounts.",
    evidence: [],
  });
});

test("more than half of the income is much to be left over", (t) => {
  t.deepEqual(
    [
      isExcessive({ disposableMinor: 500_000, surplusMinor: 0 }),
      isExcessive({ disposableMinor: 500_001, surplusMinor: 0 }),
    ],
    [false, true],
  );
});

test("so is more than two and a half times what the household needs, unless that is what its children cost", (t) => {
  const of = (disposableMinor: number, more: Partial<ReferenceCheck> = {}) =>
    isExcessive({ disposableMinor, surplusMinor: 0, reference: { ...reference, ...more } });
  t.deepEqual([of(250_000), of(250_001), of(250_001, { isOfChildren: true })], [false, true, false]);
  t.false(isExcessive({ disposableMinor: 250_001, surplusMinor: 0 }));
});

test("what the account bears out to the half is not marked, nor where nothing is left over, nor without data", (t) => {
  t.deepEqual([isExcessive({ surplusMinor: 299_999 }), isExcessive({ surplusMinor: 300_000 })], [true, false]);
  t.false(isExcessive({ incomeMinor: -10, disposableMinor: 0, surplusMinor: -5 }));
  t.false(isExcessive({ incomeMinor: -1000, disposableMinor: -100, surplusMinor: -5000 }));
  t.true(isExcessive({ incomeMinor: 1, disposableMinor: 1, surplusMinor: 0 }));
  t.false(isExcessive({ snapshot: null }));
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
    description: "3 payments to debt collectors in the last 12 months, DKK\u00a0350 in all.",
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

test("the year is the one to the business day", (t) => {
  const { evidence } = collected({
    categorised: [collection(paid("2025-06-15", -1), paid("2025-06-16", -1), paid("2026-06-15", -1))],
  });
  t.deepEqual(
    evidence.map(({ id }) => id),
    ["2025-06-16", "2026-06-15"],
  );
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
    ["Mer til overs enn kontoen viser", "Inkasso"],
  );
});
