/** What the document says of budgets beyond the interface: where amounts went, what ended, what the accounts tell of credit. */
import type { Words } from "./form.ts";

const amount = "In the brand's currency";

const debts = {
  title: "What the household calls it.",
  remainingAmount: `${amount}, positive: still owed.`,
  termMonths: "Months until it is paid off.",
  monthlyAmount: `${amount}: a month, at the given rate.`,
  stressedInterestRate: "Per cent a year: what the country's rules or the calculation rate ask for.",
  stressedMonthlyAmount: `${amount}: a month, at that higher rate.`,
};

export const budgetExtensionWords: Words = {
  AdditionalRiskIndicator: [
    "A further sign of risk that was looked for.",
    {
      description: "With the evidence, or with what was looked for, in the user's language.",
      isMarked: "Whether it was found.",
      title: "In the user's language.",
      type: "What was looked for.",
    },
  ],
  StoppedPayment: [
    "A recurring payment or income that is paid no more.",
    {
      title: "The payee or payer.",
      side: "Whether it was paid or received.",
      categories: "Ids of the leaves it was in.",
      reason: "Why it ended, as far as the payments tell.",
      expectedSince: "Day on which the next one would have been due.",
      lastPaymentDate: "Day of the last one.",
    },
  ],
  ReconciliationTerm: [
    "One part of all bank amounts.",
    { term: "Which part.", amount: `${amount}, over the covered months.` },
  ],
  BudgetReconciliation: ["Where every bank amount went.", { terms: "Each part once." }],
  BudgetComparison: [
    "Why budget and accounts differ.",
    { verdict: "What the accounts kept, beside what the budget leaves." },
  ],
  CreditEvidence: [
    "Transactions of one kind, counted and summed.",
    {
      amount: `${amount}, positive: of the twelve months.`,
      sinceAmount: `${amount}, positive: of the running month.`,
      transactions: "Each of them, oldest first.",
    },
  ],
  CreditLoan: [
    "A loan that is being paid.",
    {
      title: "The lender.",
      category: "Id of the leaf it is in.",
      monthlyAmount: `${amount}, positive: a month.`,
      payments: "What was paid.",
      firstPaymentDate: "Day of the first one; null when it lies before the data.",
      expectedSince: "Since when a payment is due and not seen; null when none is.",
    },
  ],
  CreditGambling: [
    "What was staked and won.",
    {
      stakes: "What left for it.",
      winnings: "What came of it.",
      net: `${amount}: stakes less winnings, of the covered months.`,
      shareOfIncome: "A month's net as a share of a month's income; null without income.",
      trend: "Stakes a month of the last three months to those of the twelve: 1 is no change; null without any.",
    },
  ],
  StressedDebt: ["A debt that was given, with what it costs at a higher rate.", debts],
  StressedDebts: [
    "All debts that were given.",
    {
      debts: "Each of them.",
      remainingAmount: `${amount}, positive: still owed.`,
      monthlyAmount: debts.monthlyAmount,
      stressedMonthlyAmount: debts.stressedMonthlyAmount,
      rule: "Country whose rules were applied; null: none are known.",
      calculationRate: "Per cent a year, as given; null: none was.",
      disposableAfterStress: `${amount}: what is left a month when they cost so much.`,
      availableAfterStress: `${amount}: the same with only the fixed and financial expenses taken off.`,
      referenceMinimum: `${amount}: a month's living costs by the country's public table; null without one.`,
      leftAfterMinimum: `${amount}: what is left when living costs are that minimum and nothing is saved; null without one.`,
    },
  ],
  BudgetDebt: [
    "A debt that no account tells.",
    { title: debts.title, remainingAmount: debts.remainingAmount, termMonths: debts.termMonths },
  ],
  BalanceOfAccount: [
    "An account's balance over the year.",
    {
      name: "As the bank or the user calls it.",
      observedOn: "Day of the balance that the partner gave.",
      balance: `${amount}, on that day.`,
      lowest: `${amount}: the lowest close of the covered months.`,
      daysBelowZero: "Days of the covered months on which it closed below zero.",
      monthEnds: `${amount}, oldest first; null where the account has no rows yet.`,
    },
  ],
  BudgetBuffer: [
    "What is at hand for a bad month.",
    {
      balance: `${amount}: of all accounts together.`,
      months: "How many months of expenses it pays; null without expenses.",
    },
  ],
  BudgetCredit: [
    "What the accounts say of credit.",
    {
      loans: "Those being paid.",
      payouts: "What lenders paid out.",
      cards: "Bills of credit cards.",
      payLater: "Purchases to be paid later.",
      collection: "Paid to collectors.",
      gambling: "What was staked and won.",
      overdraft: "Interest and fees of an overdrawn account.",
      rejected: "Fees of payments that the bank did not make.",
      returned: "Payments that came back.",
      debtService: `${amount}, positive: a month, for all loans.`,
      debtServiceRatio: "`debtService` as a share of the income, from 0; null without income.",
      entered: "Debts that were given; null when none were.",
      balances: "Of each account whose balance is known.",
      buffer: "What is at hand; null when no balance is known.",
    },
  ],
  AdditionalRiskIndicatorType: ["What was looked for.", {}],
  BudgetSide: ["Whether money leaves or comes.", {}],
  StoppedReason: ["Why something is paid no more.", {}],
  StressRule: ["Whose rule the higher rates follow: the country of the brand.", {}],
  IncomeCertainty: ["How sure an income is.", {}],
  BudgetStatusReason: ["Why a budget is a draft.", {}],
  ReconciliationTermName: ["The parts of all bank amounts.", {}],
  BudgetComparisonVerdict: ["What the accounts kept, beside what the budget leaves.", {}],
  BudgetReportEdition: ["For whom the report is.", {}],
};
