/** What documents of budgets say beyond the interface: amounts become JSON numbers here. Pure. */
import type { Comparison, CreditView, Evidence, FoldedBudget, Reconciliation, Stopped } from "./budget.ts";
import type {
  ComparisonDocument,
  CreditDocument,
  EvidenceDocument,
  ReconciliationDocument,
  StoppedDocument,
} from "../interface/budget-extensions.ts";

type ToNumber = (minor: number) => number;

/** Of a Budget and of its details. */
export function extensionsOf(budget: FoldedBudget, number: ToNumber, withTransactions: boolean) {
  const hasIncome = budget.income !== null;
  return {
    statusReason: budget.statusReason,
    incomeCertain: hasIncome ? number(budget.incomeCertainMinor) : null,
    incomeIrregular: hasIncome ? number(budget.incomeIrregularMinor) : null,
    additionalRiskIndicators:
      budget.additionalRiskIndicators?.map(({ description, isMarked, title, type }) => ({
        description,
        isMarked,
        title,
        type,
      })) ?? null,
    stopped: budget.stopped
      .filter(({ side }) => hasIncome || side === "EXPENSE")
      .map((one) => stoppedDocument(one, number, withTransactions)),
  };
}

/** Of the details alone. */
export function detailExtensionsOf({ reconciliation, comparison, credit }: FoldedBudget, number: ToNumber) {
  return {
    ...(reconciliation === null ? {} : { reconciliation: reconciliationDocument(reconciliation, number) }),
    ...(comparison === null ? {} : { comparison: comparisonDocument(comparison, number) }),
    ...(credit === null ? {} : { credit: creditDocument(credit, number) }),
  };
}

function stoppedDocument(one: Stopped, number: ToNumber, withTransactions: boolean): StoppedDocument {
  return {
    title: one.title,
    side: one.side,
    categories: [...one.categories],
    monthlyAmount: number(one.monthlyMinor),
    reason: one.reason,
    expectedSince: one.since,
    lastPaymentDate: one.lastPaidOn,
    transactions: withTransactions ? [...one.transactions] : [],
  };
}

function reconciliationDocument(told: Reconciliation, number: ToNumber): ReconciliationDocument {
  const terms = [
    { term: "INCOME" as const, ...told.income },
    { term: "ONE_OFF_INCOME" as const, ...told.oneOffIncome },
    { term: "EXPENSES" as const, ...told.expenses },
    { term: "ONE_OFF_EXPENSES" as const, ...told.oneOffExpenses },
    ...told.excluded.map(({ reason, ...rest }) => ({ term: reason, ...rest })),
  ];
  return {
    terms: terms.map(({ term, minor, transactions }) => ({
      term,
      amount: number(minor),
      transactionIds: transactions.map(({ id }) => id),
    })),
    excludedTransactions: told.excluded.flatMap(({ transactions }) => transactions),
    total: number(told.bankTotalMinor),
    months: told.months,
    balanceChange: told.balances?.changeMinor == null ? null : number(told.balances.changeMinor),
    balanceMissing: told.balances?.missingMinor == null ? null : number(told.balances.missingMinor),
  };
}

function comparisonDocument(told: Comparison, number: ToNumber): ComparisonDocument {
  return {
    verdict: told.verdict,
    budget: number(told.budgetMinor),
    accounts: number(told.accountsMinor),
    income: number(told.incomeMinor),
    expenses: number(told.expensesMinor),
    oneOff: number(told.oneOffMinor),
  };
}

function creditDocument(credit: CreditView, number: ToNumber): CreditDocument {
  const of = (evidence: Evidence) => evidenceDocument(evidence, number);
  const { gambling, entered, buffer } = credit;
  return {
    loans: credit.loans.map((loan) => ({
      title: loan.title,
      category: loan.categoryId,
      monthlyAmount: number(loan.monthlyMinor),
      payments: of(loan.paid),
      firstPaymentDate: loan.firstOn,
      isNew: loan.isNew,
      remainingPayments: loan.remainingPayments,
      expectedSince: loan.overdueSince,
    })),
    payouts: of(credit.payouts),
    cards: of(credit.cards),
    payLater: of(credit.payLater),
    collection: of(credit.collection),
    gambling: {
      stakes: of(gambling.stakes),
      winnings: of(gambling.winnings),
      net: number(gambling.netMinor),
      shareOfIncome: gambling.shareOfIncome,
      trend: gambling.trend,
    },
    overdraft: of(credit.overdraft),
    rejected: of(credit.rejected),
    returned: of(credit.returned),
    debtService: number(credit.serviceMinor),
    debtServiceRatio: credit.serviceRatio,
    entered: entered === null ? null : enteredDocument(entered, number),
    balances: credit.balances.map((balance) => ({
      name: balance.name,
      observedOn: balance.observedOn,
      balance: number(balance.observedMinor),
      lowest: number(balance.lowestMinor),
      daysBelowZero: balance.daysBelowZero,
      monthEnds: balance.monthEndsMinor.map((minor) => (minor === null ? null : number(minor))),
    })),
    buffer: buffer === null ? null : { balance: number(buffer.balanceMinor), months: buffer.months },
  };
}

function enteredDocument(
  entered: NonNullable<CreditView["entered"]>,
  number: ToNumber,
): NonNullable<CreditDocument["entered"]> {
  return {
    debts: entered.debts.map((debt) => ({
      title: debt.title,
      remainingAmount: number(debt.remainingMinor),
      interestRate: debt.rateHundredths / 100,
      termMonths: debt.termMonths,
      monthlyAmount: number(debt.monthlyMinor),
      stressedInterestRate: debt.stressedRateHundredths / 100,
      stressedMonthlyAmount: number(debt.stressedMinor),
    })),
    remainingAmount: number(entered.remainingMinor),
    monthlyAmount: number(entered.monthlyMinor),
    stressedMonthlyAmount: number(entered.stressedMinor),
    rule: entered.rule,
    calculationRate: entered.calculationRateHundredths === null ? null : entered.calculationRateHundredths / 100,
    isStressed: entered.isStressed,
    debtToIncome: entered.debtToIncome,
    disposableAfterStress: number(entered.leftMinor),
    availableAfterStress: number(entered.availableMinor),
    referenceMinimum: entered.minimum === null ? null : number(entered.minimum.referenceMinor),
    leftAfterMinimum: entered.minimum === null ? null : number(entered.minimum.leftMinor),
  };
}

function evidenceDocument(
  { count, minor, sinceCount, sinceMinor, transactions }: Evidence,
  number: ToNumber,
): EvidenceDocument {
  return {
    count,
    amount: number(minor),
    sinceCount,
    sinceAmount: number(sinceMinor),
    transactions: [...transactions],
  };
}
