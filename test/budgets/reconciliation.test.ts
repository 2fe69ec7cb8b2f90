/**
 * Every amount that moved is in one term, to the øre: of households at random, whatever is answered, adjusted and
 * undone.
 */
import test from "ava";
import type { BudgetEvent, FoldedBudget, Reconciliation } from "../../src/budgets/budget.ts";
import type { BudgetSnapshot } from "../../src/budgets/engine/snapshot.ts";
import { subjectOf } from "../../src/budgets/fold/categorised-parts.ts";
import { foldBudget } from "../../src/budgets/fold/fold.ts";
import { categoryById, expenseCategories, incomeCategories, isLeaf } from "../../src/categories/tree.ts";
import type { LedgerTransaction } from "../../src/ledger/history.ts";
import fc, { runs } from "../property.ts";
import { facts, ledgerOf, logOf, monthly, type Paid, snapshotOf } from "./household.ts";

const days = Array.from({ length: 28 }, (_, at) => String(at + 1).padStart(2, "0"));
const months = [
  "2025-04",
  "2025-06",
  "2025-07",
  "2025-09",
  "2025-12",
  "2026-01",
  "2026-02",
  "2026-03",
  "2026-05",
  "2026-06",
];
const day = fc
  .tuple(fc.constantFrom(...months), fc.constantFrom(...days))
  .map(([month, on]) => `${month}-${on}`)
  .filter((on) => on <= "2026-06-15");
const krone = fc.integer({ min: 1, max: 2_000_000 }).map((minor) => (minor / 100).toFixed(2));

/** Obligations, pay and shops that begin and end at any time, some with a hole. */
const series = fc
  .record({
    what: fc.constantFrom<Omit<Paid, "day" | "amount"> & { sign: string }>(
      { name: "Husleje Boligselskabet Nord", type: "DIRECT_DEBIT", sign: "-" },
      { name: "Ydelse banklån Nordbank", type: "DIRECT_DEBIT", sign: "-" },
      { name: "Tryg forsikring", type: "DIRECT_DEBIT", sign: "-" },
      { name: "Fjordtel", mcc: 4814, sign: "-" },
      { name: "Kobmand Holm", mcc: 5411, sign: "-" },
      { name: "XQ Zorbo", type: "OTHER", sign: "-" },
      { name: "Løn Nordfirma A/S", type: "SALARY", sign: "" },
      { name: "Sydværk ApS", type: "ACCOUNT_TRANSFER", sign: "" },
      { name: "Børnepenge Udbetaling Danmark", type: "ACCOUNT_TRANSFER", sign: "" },
    ),
    from: fc.constantFrom("2025-03", "2025-05", "2025-08", "2025-11"),
    until: fc.constantFrom("2025-10", "2026-02", "2026-04", "2026-05", "2026-06"),
    on: fc.constantFrom("01", "05", "13"),
    amount: krone,
    varies: fc.boolean(),
  })
  .map(({ what: { sign, ...what }, from, until, on, amount, varies }) =>
    monthly(from, until, on, { ...what, amount: `${sign}${amount}` }).map((paid, at) =>
      varies ? { ...paid, amount: (Number(paid.amount) * (1 + (at % 4) / 10)).toFixed(2) } : paid,
    ),
  );
/** Purchases, refunds, gifts, winnings, a loan's payout, fees, a card's bill; in the brand's currency and in another. */
const single = fc
  .record({
    day,
    amount: krone,
    what: fc.constantFrom<Omit<Paid, "day" | "amount"> & { sign: string }>(
      { name: "Sofahuset", mcc: 5712, sign: "-" },
      { name: "Sofahuset", mcc: 5712, sign: "" },
      { name: "Airbnb", mcc: 7011, sign: "-" },
      { name: "Bet365", mcc: 7995, sign: "-" },
      { name: "Bet365", mcc: 7995, sign: "" },
      { name: "MobilePay Anna Holm", type: "ACCOUNT_TRANSFER", sign: "" },
      { name: "MobilePay Anna Holm", type: "ACCOUNT_TRANSFER", sign: "-" },
      { name: "Udbetaling lån Santander", type: "ACCOUNT_TRANSFER", sign: "" },
      { name: "Zorbini", type: "OTHER", sign: "" },
      { name: "Overtræksrente", type: "FEE", sign: "-" },
      { name: "Collectia", mcc: 7322, sign: "-" },
      { name: "Hotel Wien", mcc: 7011, currency: "CHF", sign: "-" },
    ),
  })
  .map(({ day: on, amount, what: { sign, ...what } }): Paid[] => [{ ...what, day: on, amount: `${sign}${amount}` }]);
/** Both ends of a transfer between two accounts. */
const transfer = fc.record({ day, amount: krone }).map(({ day: on, amount }): Paid[] => [
  { day: on, amount: `-${amount}`, name: "Til opsparing", type: "ACCOUNT_TRANSFER" },
  { day: on, amount, name: "Fra lønkonto", type: "ACCOUNT_TRANSFER", account: "savings" },
]);
const history = fc
  .tuple(
    fc.array(series, { minLength: 1, maxLength: 6 }),
    fc.array(single, { maxLength: 12 }),
    fc.array(transfer, { maxLength: 2 }),
  )
  .map(([regular, once, moved]) => ledgerOf([...regular, ...once, ...moved].flat()));

/** Numbers of which the test makes events, once it knows what the household's budget is about. */
const doing = fc.array(
  fc.record({
    kind: fc.constantFrom("answer", "adjust", "undo"),
    subject: fc.nat(),
    category: fc.nat(),
    split: fc.boolean(),
    type: fc.constantFrom("RAW", "DERIVED_FROM_TRANSACTIONS", "USER_PROVIDED"),
    amountMinor: fc.integer({ min: 0, max: 1_000_000 }),
  }),
  { maxLength: 8 },
);
const leaves = [...expenseCategories, ...incomeCategories].map(({ id }) => id).filter(isLeaf);

function eventsOf(
  doings: readonly (typeof doing extends fc.Arbitrary<infer Many> ? Many : never)[number][],
  { parts }: BudgetSnapshot,
): BudgetEvent[] {
  const subjects = [...new Set(parts.map((part) => `${subjectOf(part)} ${part.side}`))];
  return doings.map(({ kind, subject, category, split, type, amountMinor }): BudgetEvent => {
    const [about = "payee:X", side = "EXPENSE"] =
      (subjects[subject % Math.max(1, subjects.length)] ?? "payee:X EXPENSE").match(/^(.*) (\w+)$/)?.slice(1) ?? [];
    const own = leaves.filter((id) => categoryById(id).kind === side);
    const [first = "", second = ""] = [own[category % own.length], own[(category + 1) % own.length]];
    const actionId = `00000000-0000-5000-8000-${String(subject % 10).padStart(12, "0")}`;
    if (kind === "undo") return { type: "REVOKED", actionId, notApplicable: split };
    if (kind === "adjust") return { type: "ADJUSTED", categoryId: first, amountMinor, frequency: "MONTHLY" };
    const categories = split
      ? [
          { id: first, amountMinor: amountMinor + 1 },
          { id: second, amountMinor: 100 },
        ]
      : [{ id: first, amountMinor: null }];
    return {
      type: "ANSWERED",
      actionId,
      answer: {
        type: type as "RAW",
        categories,
        subject: about,
        txid: null,
        amountMinor,
        frequency: type === "USER_PROVIDED" ? "MONTHLY" : null,
        title: null,
      },
    };
  });
}

/** Of the rows themselves: those of covered months in the brand's currency. */
function bankTotal(rows: readonly LedgerTransaction[], { months: window, covered }: BudgetSnapshot): number {
  const known = window.slice(window.length - covered);
  return rows
    .filter((row) => known.includes(row.day.slice(0, 7)) && row.currency === "DKK")
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

function termsOf({ income, oneOffIncome, expenses, oneOffExpenses, excluded }: Reconciliation) {
  return [income, oneOffIncome, expenses, oneOffExpenses, ...excluded];
}

const isTrue = ({
  comparison,
  totalMonthlyIncomeUserProvidedMinor,
  totalMonthlyIncomeMinor,
  amountCategorizedUserProvidedMinor,
  amountCategorizedMinor,
}: FoldedBudget): boolean => {
  const { verdict, budgetMinor, accountsMinor, incomeMinor, expensesMinor, oneOffMinor } = comparison!;
  const left =
    (totalMonthlyIncomeUserProvidedMinor ?? totalMonthlyIncomeMinor) -
    (amountCategorizedUserProvidedMinor ?? amountCategorizedMinor);
  const difference = budgetMinor - accountsMinor;
  return (
    budgetMinor === left &&
    difference === incomeMinor + expensesMinor + oneOffMinor &&
    (verdict !== "BETTER" || difference > 0) &&
    (verdict !== "WORSE" || difference < 0)
  );
};

test("the terms come to the sum of all bank amounts, every row is in exactly one, and the difference is explained", (t) => {
  fc.assert(
    fc.property(history, doing, (rows, doings) => {
      const snapshot = snapshotOf(rows);
      const budget = foldBudget(facts, snapshot, logOf(eventsOf(doings, snapshot)));
      const reconciliation = budget.reconciliation!;
      const { income, oneOffIncome, expenses, oneOffExpenses, excludedMinor, bankTotalMinor } = reconciliation;
      const expected = bankTotal(rows, snapshot);
      t.is(bankTotalMinor, expected);
      t.is(income.minor + oneOffIncome.minor - expenses.minor - oneOffExpenses.minor + excludedMinor, expected);
      const ids = termsOf(reconciliation).flatMap(({ transactions }) => transactions.map(({ id }) => id));
      t.is(new Set(ids).size, ids.length);
      const known = snapshot.months.slice(snapshot.months.length - snapshot.covered);
      t.is(ids.length, rows.filter((row) => known.includes(row.day.slice(0, 7)) && row.currency === "DKK").length);
      for (const { minor, transactions } of termsOf(reconciliation))
        t.is(Math.abs(minor), Math.abs(transactions.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)));
      t.true(isTrue(budget));
    }),
    runs(500),
  );
});
