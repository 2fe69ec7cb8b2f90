/** What the document says of budgets: units, signs, and where a figure comes from. */
import type { Words } from "./form.ts";

const month = "a month, in the brand's currency";
const given = "null when the user provided no value";

const figures = {
  id: "Names the budget for good.",
  status: "DRAFT: questions are open or data are missing. READY: to be decided on. ACCEPTED, DENIED: decided on.",
  totalMonthlyAmount: `All expenses ${month}: the sum of the categories and of what is uncategorised.`,
  totalMonthlyAmountUserProvided: `The same with the values that the user provided; ${given}.`,
  totalMonthlyIncome: `All income ${month}; 0 when the brand shows none.`,
  totalMonthlyIncomeUserProvided: `The same with the values that the user provided; ${given}, or the brand shows no income.`,
  averageExpensesLastThreeMonths: `Observed expenses ${month}, over the last three complete months.`,
  averageExpensesLastTwelveMonths: `Observed expenses ${month}, over the last twelve complete months or those that the data reach.`,
  averageIncomeLastThreeMonths: `Observed income ${month}, over the last three complete months; 0 when the brand shows none.`,
  averageIncomeLastTwelveMonths: `Observed income ${month}, over the last twelve complete months; 0 when the brand shows none.`,
  amountCategorized: `Expenses that have a category, ${month}.`,
  amountCategorizedUserProvided: `The same with the values that the user provided; ${given}.`,
  disposableIncome:
    "Income less categorised expenses, a month, in the brand's currency; null when the brand shows no income.",
  disposableIncomeUserProvided: `The same with the values that the user provided; ${given}, or the brand shows no income.`,
  categories: "Groups of expenses, each with its leaves, in the order of the category tree.",
  uncategorized: "Expenses for which no category was sure enough.",
  alerts: "What an adviser should look at.",
  accounts: "Those whose transactions it is made of, and those that were left out.",
};

const node = {
  id: "Of the category tree, see GET budget-categories.",
  name: "In the user's language.",
  totalMonthlyAmount: `What is in it, ${month}.`,
  totalMonthlyAmountUserProvided: `The user's own value; ${given}.`,
  averageLastThreeMonths: `Observed ${month}, over the last three complete months.`,
  averageLastTwelveMonths: `Observed ${month}, over the last twelve complete months or those that the data reach.`,
  notes: "What to know of its figures.",
};

const item = {
  id: "Stays the same when the budget is made anew.",
  source: "Whether the engine, an answer, or the transactions themselves made it.",
  currency: "The brand's.",
  title: "The payee or product.",
  averageLastThreeMonths: `Observed ${month}, over the last three complete months.`,
  averageLastTwelveMonths: `Observed ${month}, over the last twelve complete months or those that the data reach.`,
  type: "What it is made of.",
  imageUrl: "Square picture, served by this installation.",
  service: "The recurring payment behind it; null when there is none.",
  categories: "Ids of the leaves it is in; empty when uncategorised.",
};

const userData = {
  personal: "The person and the household.",
  residence: "Where they live.",
  employment: "Of what they live.",
  education: "What they have learnt.",
  expenses: "How expenses are shared.",
  transport: "What they drive.",
};

export const budgetWords: Words = {
  Budget: [
    "A household budget made of a user's transactions, and of what was answered. Its expenses have no transactions here.",
    figures,
  ],
  BudgetDetails: [
    "The budget with the transactions of each expense, and what came and went once.",
    {
      ...figures,
      nonrecurringTransactions:
        "Transactions of the window that are in no category's regular figure; incoming ones only when the brand shows income.",
      nonrecurringSpending: "What left once less what came once; only what left, when the brand shows no income.",
      nonrecurringIncome: "What came once; empty when the brand shows no income.",
      nonrecurringExpenses: "What left once.",
      reconciliation: "Where every bank amount went; absent when the brand shows no income.",
      comparison: "Why budget and accounts differ; absent when the brand shows no income.",
      credit: "What the accounts say of credit; absent when the brand shows no income.",
    },
  ],
  Category: ["A group of expenses.", { ...node, categories: "Its leaves." }],
  CategoryLeaf: ["A category that holds expenses.", { ...node, expenses: "Largest first." }],
  BudgetIncome: ["A group of income.", { ...node, categories: "Its leaves.", income: "Always empty: leaves hold it." }],
  BudgetIncomeLeaf: [
    "A category that holds income.",
    { ...node, categories: "Always empty: a leaf has none.", income: "Largest first." },
  ],
  CategoryNote: [
    "What to know of a category's figures.",
    {
      type: "What it says.",
      message: "In the user's language.",
      categories: "Ids of the categories that it is about; only for INCLUDES_OTHERS and INCLUDED_IN_OTHERS.",
    },
  ],
  Expense: [
    "An expense of a budget.",
    {
      ...item,
      paymentFrequency: "How often it is paid.",
      paymentCost: "Of one payment, positive, in the brand's currency.",
      paymentCostMonthly: `Positive, ${month}.`,
    },
  ],
  Income: [
    "An income of a budget.",
    {
      ...item,
      amount: "Of one payment, positive, in the brand's currency.",
      monthlyAmount: `Positive, ${month}.`,
      frequency: "How often it comes.",
      transactions: "Empty in a Budget.",
      certainty: "How sure it is. An addition to the interface.",
    },
  ],
  BudgetService: [
    "The recurring payment behind an expense or income.",
    {
      id: "Of the service.",
      paymentCost: "Of one payment, positive, in `currency`.",
      currency: "The brand's.",
      paymentFrequency: "How often it is due.",
      totalPastYear: "Paid in the 365 days to the business day, less refunds, in `currency`.",
      product: "What is paid for.",
    },
  ],
  BudgetProduct: [
    "A product as a budget names it.",
    { title: "Name to show.", imageUrl: "Square picture, served by this installation." },
  ],
  BudgetAlert: [
    "What an adviser should look at.",
    { type: "What it is.", severity: "How much it weighs.", message: "In the user's language." },
  ],
  BudgetAccounts: [
    "An account and whether its transactions are in the budget.",
    {
      providerId: "Of the bank; absent when it is not known.",
      name: "As the bank or the user calls it.",
      iban: "Absent when the bank gave none.",
      bban: "National number; absent when it cannot be told from the IBAN.",
      selectedStatus: "Whether it is in the budget.",
    },
  ],
  BudgetRiskIndicators: [
    "A sign of risk that was looked for.",
    {
      description: "With the evidence, or with what was looked for, in the user's language.",
      isMarked: "Whether it was found.",
      title: "In the user's language.",
      type: "What was looked for.",
    },
  ],
  BudgetSpending: [
    "Sums of single months, by windows.",
    { averages: "Mean of the months.", lows: "Lowest month.", highs: "Highest month." },
  ],
  BudgetAverageSpending: [
    "One measure over three windows, in the brand's currency.",
    {
      lastMonth: "The last complete month.",
      lastThreeMonths: "The last three; null when the data do not reach so far.",
      lastTwelveMonths: "The last twelve; null when the data do not reach so far.",
      months: "Each of the twelve, oldest first.",
    },
  ],
  BudgetMonthlySpending: [
    "One month.",
    { month: "YYYY-MM.", amount: "In the brand's currency; null when the month has no transactions." },
  ],
  BudgetActionResponse: [
    "A question to the user.",
    {
      id: "To be given back with the answer.",
      title: "In the user's language.",
      content: "The question itself, in the user's language.",
      skipped: "Whether it was put off before.",
      type: "What it asks for.",
      expense: "The expense that it is about; only for RECATEGORIZATION.",
      potentialCategories: "Ids of the most likely leaves, best first; only for RECATEGORIZATION.",
      category: "Id of the category that is empty; only for MISSING_CATEGORY.",
    },
  ],
  BudgetActionRequest: [
    "An answer to a question.",
    {
      type: "What the answer is made of.",
      serviceId: "Of the service, where the answer names one.",
      paymentFrequency: "Of `amount`.",
      transactionId: "Our id or the sender's txid, where the answer names a single transaction.",
      title: "What to call it.",
    },
  ],
  BudgetActionCategory: [
    "A category that an answer names, alone or with its part.",
    { id: "Of a leaf.", paymentFrequency: "Of `amount`." },
  ],
  BudgetAdjustCategoryRequest: ["A user's own value for a category.", { frequency: "Of `amount`." }],
  BudgetCoapplicantRequest: ["Whose budget is looked at together with this one.", { type: "How they share." }],
  BudgetCommentRequest: ["An adviser's remark.", { comment: "Replaces the earlier one." }],
  BudgetCompletionsRequest: ["The decision on a budget.", { status: "What was decided." }],
  BudgetCreateResponse: ["A budget that was begun.", { id: "Names the budget for good." }],
  BudgetRequest: ["What a budget begins with.", { userData: "What the household says of itself." }],
  BudgetReport: ["How the report is made.", { edition: "For whom it is." }],
  BudgetSkipRequest: ["Whether a question is out of place.", {}],
  BudgetUserData: ["What the household says of itself. Both spellings of the vehicle's flag are answered.", userData],
  BudgetUserDataRequest: [
    "What the household says of itself. The vehicle's flag is read under either of its two names.",
    userData,
  ],
  BudgetUserDataPersonal: [
    "The person and the household.",
    {
      children: "Those in the household.",
      hasChildren: "Whether there are any.",
      maritalStatus: "Before the law, or in fact.",
      dateOfBirth: "Of the user.",
    },
  ],
  BudgetUserDataChild: ["A child.", { age: "In whole years." }],
  BudgetUserDataResidence: [
    "Where the household lives.",
    {
      ownership: "Whose it is.",
      type: "What it is.",
      occupancyDate: "Day of legal possession.",
      hasVacationHome: "Whether there is another one.",
    },
  ],
  BudgetUserDataEmployment: [
    "Of what the user lives.",
    {
      status: "Whether and how.",
      type: "Of the employment.",
      date: "Since when.",
      unemploymentFund: "Whether a member of one.",
      unemploymentInsuranceMonths: "For how many months it pays.",
    },
  ],
  BudgetUserDataEducation: ["What the user has learnt.", { type: "The highest completed." }],
  BudgetUserDataExpenses: ["How expenses are shared.", { share: "Percent of them that are the user's." }],
  BudgetUserDataTransport: [
    "What the household drives.",
    {
      vehicles: "Each of them.",
      hasVehicle: "Whether there is any.",
      hasVehile: "The same under the name that the interface's list of required fields spells.",
    },
  ],
  BudgetUserDataVehicle: ["A vehicle.", { ownership: "Whose it is." }],
  BudgetCategories: [
    "The category tree.",
    { expenses: "Groups of expenses, in the order of budgets.", income: "Groups of income, in the order of budgets." },
  ],
  ExpenseCategoryGroup: [
    "A group of expenses.",
    {
      costType: "What kind of cost its leaves mostly are.",
      essential: "Whether one cannot do without.",
      categories: "Its leaves.",
    },
  ],
  ExpenseCategoryLeaf: [
    "A category of expenses.",
    { costType: "What kind of cost it is.", essential: "Whether one cannot do without." },
  ],
  IncomeCategoryGroup: ["A group of income.", { categories: "Its leaves." }],
  IncomeCategoryLeaf: ["A category of income.", {}],
  CostType: ["What kind of cost a category is.", {}],
  BudgetStatus: ["Where a budget stands.", {}],
  BudgetTransactionalSource: ["What made an item.", {}],
  BudgetTransactionalType: ["What an item, or an answer, is made of.", {}],
  BudgetApplicantType: [
    "SHARED_FINANCES: one purse. SEPARATE_FINANCES: each their own, with a budget of their own.",
    {},
  ],
  BudgetAccountsSelectedStatus: ["Whether an account is in the budget.", {}],
  BudgetActionType: ["RECATEGORIZATION: where does it belong. MISSING_CATEGORY: is there really nothing.", {}],
  BudgetAlertSeverity: ["How much it weighs.", {}],
  BudgetAlertType: ["What was found.", {}],
  BudgetCompletionStatus: ["What was decided.", {}],
  BudgetRiskIndicatorsType: ["What was looked for.", {}],
  CategoryNoteType: [
    "Whether the category counts what others have, is counted in others, or is empty or filled against expectation.",
    {},
  ],
  MaritalStatus: ["How the user lives.", {}],
  ResidenceOwnership: ["Whose the residence is.", {}],
  ResidenceType: ["What the residence is.", {}],
  EmploymentStatus: ["Whether and how the user works.", {}],
  EmploymentType: ["How the user is employed.", {}],
  EducationType: ["Levels of education.", {}],
  VehicleOwnership: ["Whose a vehicle is.", {}],
};
