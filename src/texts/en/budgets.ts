/** What budgets say, in English. Names in braces are filled in. */
export const budgets = {
  list: { separator: ", ", last: " and " },
  gathered: "Other: {category}",
  notes: {
    includesOthers: "This amount also covers {categories}.",
    includedInOthers: "Paid together with {categories}.",
    expectedEmpty: "From what we know of the household, nothing should be paid for {category}.",
    expectedAlways: "Nearly every household pays for {category}.",
    expectedNonempty: "From what we know of the household, something should be paid for {category}.",
    expectedIncome: "From what we know of the household, there should be {category}.",
  },
  alerts: {
    targetNotMet: "{amount} a month has a category; {target} would be enough to trust the budget.",
    missingExpenses: "Nothing is budgeted for {categories}.",
    unexpectedExpenses: "There are payments for {categories}, which the household should not have.",
    groupedCategories: "Some payments cover several categories: {categories}.",
    noIncome: "No regular income is seen on these accounts.",
    cardBills: "Card bills are paid whose purchases are not on these accounts.",
    transfersElsewhere: "Money goes to an own account that is not among these accounts.",
    undecidedAccounts: "There are accounts about which nothing was decided yet.",
    reference:
      "{amount} a month for living costs is less than {reference}, which is what {source} says that such a household needs.",
    referenceByCategory:
      "{amount} a month is budgeted of the {reference} that {source} says that such a household needs; it is short for {categories}.",
    referenceOfChildren:
      "{amount} a month for living costs is less than {reference}, which is what {source} says that the children alone cost.",
    referenceIsOld: "That table is older than 12 months.",
    userProvided: "The amounts given come to {amount} a month, what was observed to {engine}.",
  },
  risks: {
    debtCollectionTitle: "Debt collection",
    debtCollection: "{count} {count|payment|payments} to debt collectors in the last 12 months, {amount} in all.",
    debtCollectionSince: "{count} more since then, {amount} in all.",
    noDebtCollection: "No payments to debt collectors in the last 12 months.",
    excessiveTitle: "More left over than the account shows",
    agrees: "Left a month: {amount} by the budget, {observed} on the accounts. The two are close to each other.",
    better:
      "Left a month: {amount} by the budget, {observed} on the accounts. The budget looks {difference} better than the accounts: {income} by income, {expenses} by expenses and {once} by what came and went once.",
    worse:
      "Left a month: {amount} by the budget, {observed} on the accounts. The budget looks {difference} worse than the accounts: {income} by income, {expenses} by expenses and {once} by what came and went once.",
    notComparable: "There is no complete month with which the budget could be compared.",
    coverage: "The accounts' data cover {covered} of the 12 months.",
  },
  additionalRisks: {
    ARREARS: {
      title: "Expected, not seen",
      marked: "Due and not seen on these accounts since: {payees}. It may have been paid from elsewhere.",
      unmarked: "Nothing that is owed regularly is overdue on these accounts.",
    },
    NEW_CREDIT: {
      title: "New credit",
      marked:
        "In the last 12 months and since: {payouts} {payouts|loan|loans} paid out, {amount} in all; {loans} {loans|loan|loans} whose payments began.",
      unmarked: "No loan was paid out and none began in the last 12 months.",
    },
    PAY_LATER: {
      title: "Buying now, paying later",
      marked:
        "{count} {count|payment|payments} to pay-later companies in the last 12 months and since, {amount} in all.",
      unmarked:
        "{count} {count|payment|payments} to pay-later companies in the last 12 months and since; marked from three on.",
      none: "No payment to a pay-later company in the last 12 months.",
    },
    GAMBLING: {
      title: "Gambling",
      marked: "{stakes} staked and {winnings} won in the last 12 months: {net} net.",
      unmarked: "{stakes} staked and {winnings} won in the last 12 months.",
      none: "No payment for gambling in the last 12 months.",
    },
    OVERDRAFT: {
      title: "Overdraft",
      marked: "{count} {count|charge|charges} for an overdraft in the last 12 months and since, {amount} in all.",
      unmarked: "No charge for an overdraft in the last 12 months.",
    },
    REJECTED_PAYMENTS: {
      title: "Refused and returned payments",
      marked:
        "{count} {count|refused or returned payment, or reminder of one,|refused or returned payments, or reminders of them,} in the last 12 months and since, {amount} in all.",
      unmarked: "No refused or returned payment in the last 12 months.",
    },
    DEBT_SERVICE: {
      title: "Income that goes to lenders",
      marked: "{amount} a month, {share} of the income, goes to lenders.",
      unmarked: "{amount} a month, {share} of the income, goes to lenders.",
      unknown: "{amount} a month goes to lenders; without income there is no share of it.",
    },
    NEGATIVE_BALANCE: {
      title: "Days below zero",
      marked:
        "An account closed {days} {days|day|days} below zero in the covered months; the lowest balance was {lowest}.",
      unmarked:
        "No account closed more than four days below zero in the covered months; the lowest balance was {lowest}.",
      unknown: "Not computable: no balance of these accounts was delivered.",
    },
  },
  questions: {
    recategorizationTitle: "What is {payee}?",
    recategorization: "About {amount} a month goes to {payee}. Which category is it?",
    recategorizationUnsure: "About {amount} a month goes to {payee}. We think that it is {category}. Is it?",
    missingTitle: "Nothing is paid for {category}",
    missingIncomeTitle: "No {category} was found",
    lines: "Latest: {lines}.",
    missing: "We expected a payment for {category} and found none. Which payment is it, or how much is it?",
    missingIncome: "We expected {category} and found none. Which payment is it, or how much is it?",
  },
};
