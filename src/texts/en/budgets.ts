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
      "{amount} a month for {categories} is less than {reference}, which is what {source} says that such a household needs.",
    referenceOfChildren:
      "{amount} a month for living costs is less than {reference}, which is what {source} says that the children alone cost.",
    referenceIsOld: "That table is older than 12 months.",
    userProvided: "The amounts given come to {amount} a month, what was observed to {engine}.",
  },
  risks: {
    debtCollectionTitle: "Debt collection",
    debtCollection: "{count} payments to debt collectors in the last 12 months, {amount} in all.",
    noDebtCollection: "No payments to debt collectors in the last 12 months.",
    excessiveTitle: "More left over than the account shows",
    excessive: "The budget leaves {amount} a month, while {observed} a month was left in the last 12 months.",
    notExcessive: "What the budget leaves agrees with what was left on the accounts.",
  },
  questions: {
    recategorizationTitle: "What is {payee}?",
    recategorization: "About {amount} a month goes to {payee}. Which category is it?",
    recategorizationUnsure: "About {amount} a month goes to {payee}. We think that it is {category}. Is it?",
    missingTitle: "Nothing is paid for {category}",
    missing: "We expected a payment for {category} and found none. Which payment is it, or how much is it?",
    missingIncome: "We expected {category} and found none. Which payment is it, or how much is it?",
  },
};
