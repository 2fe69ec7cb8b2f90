/** The interface's schemas. Generated from the OpenAPI document by `npm run openapi`: not to be edited. */

/** The balance of one account. */
export type AccountBalance = {
  /** The partner's account id. */
  accountId: string;
  /** Name or number that the user knows the account by; replaces the earlier one. */
  accountName?: string;
  /** ISO 8601, not in the future; without an offset it is in the brand's time zone. */
  observedTime: string;
  /** In the brand's currency. */
  balance: number;
};
/** Balances as the partner observed them. */
export type AccountsBalancesRequest = {
  /** At least one. */
  accounts: AccountBalance[];
};
/** Ids of the accounts that the user keeps; all others are removed. */
export type AccountsRequest = string[];
/** Extension of this service, not in the interface document. Of the shape of BudgetRiskIndicator. */
export type AdditionalRiskIndicator = {
  /** With the evidence, or with what was looked for, in the user's language. */
  description: string;
  /** Whether it was found. */
  isMarked: boolean;
  /** In the user's language. */
  title: string;
  /** What was looked for. */
  type: AdditionalRiskIndicatorType;
};
/** What was looked for. */
export type AdditionalRiskIndicatorType = "ARREARS" | "NEW_CREDIT" | "PAY_LATER" | "GAMBLING" | "OVERDRAFT" | "REJECTED_PAYMENTS" | "DEBT_SERVICE" | "NEGATIVE_BALANCE";
/** One of two kinds, told apart by source. */
export type Alert = MembershipAlert | CrowdsourcingAlert;
/** Ids of alerts that need not be shown again; unknown ones are ignored. */
export type AlertSeenRequest = string[];
/** The process lives. */
export type Alive = {
  /** Always the same. */
  status: "alive";
  /** Of the service. */
  version: string;
};
/** Least, middle and most of the payments, positive, in the service's currency. */
export type AmountRange = {
  /** The least, positive, in whole units of `currency` with decimals. */
  low: number;
  /** The middle one, positive, in whole units of `currency` with decimals. */
  median: number;
  /** The most, positive, in whole units of `currency` with decimals. */
  high: number;
};
/** AMOUNT, or the total of twelve months where one amount would mislead. */
export type AmountToDisplay = "TOTAL_LAST_TWELVE_MONTHS" | "AMOUNT";
/** An account's balance over the year. */
export type BalanceOfAccount = {
  /** As the bank or the user calls it. */
  name: string;
  /** Day of the balance that the partner gave. */
  observedOn: string;
  /** In the brand's currency, on that day. */
  balance: number;
  /** In the brand's currency: the lowest close of the covered months. */
  lowest: number;
  /** Days of the covered months on which it closed below zero. */
  daysBelowZero: number;
  /** In the brand's currency, oldest first; null where the account has no rows yet. */
  monthEnds: (number | null)[];
};
/** A household budget made of a user's transactions, and of what was answered. Its expenses have no transactions here. */
export type Budget = {
  /** Names the budget for good. */
  id: string;
  /** DRAFT: questions are open or data are missing. READY: to be decided on. ACCEPTED, DENIED: decided on. */
  status: BudgetStatus;
  /** In the brand's time zone. */
  createdTime: string;
  /** All expenses a month, in the brand's currency: the sum of the categories and of what is uncategorised. */
  totalMonthlyAmount: number;
  /** The same with the values that the user provided; null when the user provided no value. */
  totalMonthlyAmountUserProvided: number | null;
  /** All income a month, in the brand's currency; 0 when the brand shows none. */
  totalMonthlyIncome: number;
  /** The same with the values that the user provided; null when the user provided no value, or the brand shows no income. */
  totalMonthlyIncomeUserProvided: number | null;
  /** Observed expenses a month, in the brand's currency, over the last three complete months. */
  averageExpensesLastThreeMonths: number;
  /** Observed expenses a month, in the brand's currency, over the last twelve complete months or those that the data reach. */
  averageExpensesLastTwelveMonths: number;
  /** Observed income a month, in the brand's currency, over the last three complete months; 0 when the brand shows none. */
  averageIncomeLastThreeMonths: number;
  /** Observed income a month, in the brand's currency, over the last twelve complete months; 0 when the brand shows none. */
  averageIncomeLastTwelveMonths: number;
  /** Expenses that have a category, a month, in the brand's currency. */
  amountCategorized: number;
  /** The same with the values that the user provided; null when the user provided no value. */
  amountCategorizedUserProvided: number | null;
  /** Income less categorised expenses, a month, in the brand's currency; null when the brand shows no income. */
  disposableIncome: number | null;
  /** The same with the values that the user provided; null when the user provided no value, or the brand shows no income. */
  disposableIncomeUserProvided: number | null;
  /** What amountCategorized must reach. */
  categorizationTarget: number;
  /** Groups of expenses, each with its leaves, in the order of the category tree. */
  categories: Category[];
  /** Expenses for which no category was sure enough. */
  uncategorized: Expense[];
  /** Null when the brand shows no income. */
  income: BudgetIncome[] | null;
  /** What an adviser should look at. */
  alerts: BudgetAlert[];
  /** Those whose transactions it is made of, and those that were left out. */
  accounts: BudgetAccounts[];
  /** Null when none was given. */
  userData: BudgetUserData | null;
  /** Null when the brand shows none. */
  riskIndicators: BudgetRiskIndicators[] | null;
  /** Empty until one is written. */
  comment: string;
  /** Transactions that nothing converts into the brand's currency: they are in no figure. Absent when there is none. */
  unconvertedTransactions?: number;
  /** Extension of this service, not in the interface document. Why the budget is a DRAFT; null for every other status. */
  statusReason?: BudgetStatusReason | null;
  /** Extension of this service, not in the interface document. Of totalMonthlyIncome: what is regular, and what was given. */
  incomeCertain?: number | null;
  /** Extension of this service, not in the interface document. Of totalMonthlyIncome: what counts of irregular incomes. */
  incomeIrregular?: number | null;
  /** Extension of this service, not in the interface document. Null where riskIndicators is. */
  additionalRiskIndicators?: AdditionalRiskIndicator[] | null;
  /** Extension of this service, not in the interface document. Latest first. */
  stopped?: StoppedPayment[];
};
/** An account and whether its transactions are in the budget. */
export type BudgetAccounts = {
  /** Of the bank; absent when it is not known. */
  providerId?: string;
  /** As the bank or the user calls it. */
  name?: string;
  /** Absent when the bank gave none. */
  iban?: string;
  /** National number; absent when it cannot be told from the IBAN. */
  bban?: string;
  /** Whether it is in the budget. */
  selectedStatus: BudgetAccountsSelectedStatus;
};
/** Whether an account is in the budget. */
export type BudgetAccountsSelectedStatus = "SELECTED" | "DESELECTED" | "UNDECIDED";
/** A category that an answer names, alone or with its part. */
export type BudgetActionCategory = {
  /** Of a leaf. */
  id: string;
  /** In the brand's currency. */
  amount?: number | null;
  /** Of `amount`. */
  paymentFrequency?: PaymentFrequency | null;
};
/** An answer to a question. */
export type BudgetActionRequest = {
  /** One moves the payment; several with amounts split it, several without are covered by it. */
  categories: BudgetActionCategory[];
  /** What the answer is made of. */
  type: BudgetTransactionalType;
  /** Of the service, where the answer names one. */
  serviceId?: string | null;
  /** In the brand's currency. */
  amount?: number | null;
  /** Of `amount`. */
  paymentFrequency?: PaymentFrequency | null;
  /** Our id or the sender's txid, where the answer names a single transaction. */
  transactionId?: string | null;
  /** What to call it. */
  title?: string | null;
};
/** A question to the user. */
export type BudgetActionResponse = {
  /** To be given back with the answer. */
  id: string;
  /** In the user's language. */
  title: string;
  /** The question itself, in the user's language. */
  content: string;
  /** Whether it was put off before. */
  skipped: boolean;
  /** What it asks for. */
  type: BudgetActionType;
  /** The expense that it is about; only for RECATEGORIZATION. */
  expense?: Expense;
  /** Ids of the most likely leaves, best first; only for RECATEGORIZATION. */
  potentialCategories?: string[];
  /** Id of the category that is empty; only for MISSING_CATEGORY. */
  category?: string;
};
/** RECATEGORIZATION: where does it belong. MISSING_CATEGORY: is there really nothing. */
export type BudgetActionType = "RECATEGORIZATION" | "MISSING_CATEGORY";
/** A user's own value for a category. */
export type BudgetAdjustCategoryRequest = {
  /** In the brand's currency. */
  amount: number;
  /** Of `amount`. */
  frequency: PaymentFrequency;
};
/** What an adviser should look at. */
export type BudgetAlert = {
  /** What it is. */
  type: BudgetAlertType;
  /** How much it weighs. */
  severity: BudgetAlertSeverity;
  /** In the user's language. */
  message: string;
};
/** How much it weighs. */
export type BudgetAlertSeverity = "LOW" | "MEDIUM" | "HIGH";
/** What was found. */
export type BudgetAlertType = "CATEGORIZATION_TARGET_NOT_MET" | "MISSING_EXPENSES" | "UNEXPECTED_EXPENSES" | "GROUPED_CATEGORIES" | "MISSING_ACCOUNTS" | "REFERENCE_MISMATCH" | "USER_PROVIDED_EXPENSES";
/** SHARED_FINANCES: one purse. SEPARATE_FINANCES: each their own, with a budget of their own. */
export type BudgetApplicantType = "SHARED_FINANCES" | "SEPARATE_FINANCES";
/** One measure over three windows, in the brand's currency. */
export type BudgetAverageSpending = {
  /** The last complete month. */
  lastMonth: number;
  /** The last three; null when the data do not reach so far. */
  lastThreeMonths: number | null;
  /** The last twelve; null when the data do not reach so far. */
  lastTwelveMonths: number | null;
  /** Each of the twelve, oldest first. */
  months: BudgetMonthlySpending[];
};
/** What is at hand for a bad month. */
export type BudgetBuffer = {
  /** In the brand's currency: of all accounts together. */
  balance: number;
  /** How many months of expenses it pays; null without expenses. */
  months: number | null;
};
/** Groups with their leaves, in the order in which a form shows them. */
export type BudgetCategories = {
  /** Changes when a category is added or renamed. */
  version: string;
  /** Groups of expenses, in the order of budgets. */
  expenses: ExpenseCategoryGroup[];
  /** Groups of income, in the order of budgets. */
  income: IncomeCategoryGroup[];
};
/** Whose budget is looked at together with this one. */
export type BudgetCoapplicantRequest = {
  /** How they share. */
  type: BudgetApplicantType;
  /** The other applicant's budget; only for SEPARATE_FINANCES. */
  budgetId?: string;
};
/** An adviser's remark. */
export type BudgetCommentRequest = {
  /** Replaces the earlier one. */
  comment: string;
};
/** Extension of this service, not in the interface document. budget − accounts = income + expenses + oneOff. */
export type BudgetComparison = {
  /** What the accounts kept, beside what the budget leaves. */
  verdict: BudgetComparisonVerdict;
  /** What the budget leaves a month. */
  budget: number;
  /** What the accounts kept a month. */
  accounts: number;
  /** By how much the budgeted income exceeds the regular one that was seen. */
  income: number;
  /** By how much the regular expenses that were seen exceed the budgeted. */
  expenses: number;
  /** What went once less what came once. */
  oneOff: number;
};
/** What the accounts kept, beside what the budget leaves. */
export type BudgetComparisonVerdict = "AGREES" | "BETTER" | "WORSE" | "UNKNOWN";
/** What was decided. */
export type BudgetCompletionStatus = "ACCEPTED" | "DENIED";
/** The decision on a budget. */
export type BudgetCompletionsRequest = {
  /** What was decided. */
  status: BudgetCompletionStatus;
};
/** A budget that was begun. */
export type BudgetCreateResponse = {
  /** Names the budget for good. */
  id: string;
};
/** Extension of this service, not in the interface document. What the accounts say of credit. */
export type BudgetCredit = {
  /** Those being paid. */
  loans: CreditLoan[];
  /** What lenders paid out. */
  payouts: CreditEvidence;
  /** Bills of credit cards. */
  cards: CreditEvidence;
  /** Purchases to be paid later. */
  payLater: CreditEvidence;
  /** Paid to collectors. */
  collection: CreditEvidence;
  /** What was staked and won. */
  gambling: CreditGambling;
  /** Interest and fees of an overdrawn account. */
  overdraft: CreditEvidence;
  /** Fees of payments that the bank did not make. */
  rejected: CreditEvidence;
  /** Payments that came back. */
  returned: CreditEvidence;
  /** In the brand's currency, positive: a month, for all loans. */
  debtService: number;
  /** `debtService` as a share of the income, from 0; null without income. */
  debtServiceRatio: number | null;
  /** Debts that were given; null when none were. */
  entered: StressedDebts | null;
  /** Of each account whose balance is known. */
  balances: BalanceOfAccount[];
  /** What is at hand; null when no balance is known. */
  buffer: BudgetBuffer | null;
};
/** A debt that no account tells. */
export type BudgetDebt = {
  /** What the household calls it. */
  title: string;
  /** In the brand's currency, positive: still owed. */
  remainingAmount: number;
  /** Per cent a year. */
  interestRate: number;
  /** Months until it is paid off. */
  termMonths: number;
};
/** Extension of this service, not in the interface document. Remaining debts that no account tells. */
export type BudgetDebtsRequest = {
  /** Replaces what was given before; none takes it back. */
  debts: BudgetDebt[];
  /** Per cent a year: the rate at which the payments are tried, as a Swedish bank's kalkylränta. */
  calculationRate?: number;
};
/** The budget with the transactions of each expense, and what came and went once. */
export type BudgetDetails = {
  /** Names the budget for good. */
  id: string;
  /** DRAFT: questions are open or data are missing. READY: to be decided on. ACCEPTED, DENIED: decided on. */
  status: BudgetStatus;
  /** All expenses a month, in the brand's currency: the sum of the categories and of what is uncategorised. */
  totalMonthlyAmount: number;
  /** The same with the values that the user provided; null when the user provided no value. */
  totalMonthlyAmountUserProvided: number | null;
  /** All income a month, in the brand's currency; 0 when the brand shows none. */
  totalMonthlyIncome: number;
  /** The same with the values that the user provided; null when the user provided no value, or the brand shows no income. */
  totalMonthlyIncomeUserProvided: number | null;
  /** Observed expenses a month, in the brand's currency, over the last three complete months. */
  averageExpensesLastThreeMonths: number;
  /** Observed expenses a month, in the brand's currency, over the last twelve complete months or those that the data reach. */
  averageExpensesLastTwelveMonths: number;
  /** Observed income a month, in the brand's currency, over the last three complete months; 0 when the brand shows none. */
  averageIncomeLastThreeMonths: number;
  /** Observed income a month, in the brand's currency, over the last twelve complete months; 0 when the brand shows none. */
  averageIncomeLastTwelveMonths: number;
  /** Expenses that have a category, a month, in the brand's currency. */
  amountCategorized: number;
  /** The same with the values that the user provided; null when the user provided no value. */
  amountCategorizedUserProvided: number | null;
  /** Income less categorised expenses, a month, in the brand's currency; null when the brand shows no income. */
  disposableIncome: number | null;
  /** The same with the values that the user provided; null when the user provided no value, or the brand shows no income. */
  disposableIncomeUserProvided: number | null;
  /** What amountCategorized must reach. */
  categorizationTarget: number;
  /** Groups of expenses, each with its leaves, in the order of the category tree. */
  categories: Category[];
  /** Expenses for which no category was sure enough. */
  uncategorized: Expense[];
  /** Null when the brand shows no income. */
  income: BudgetIncome[] | null;
  /** What an adviser should look at. */
  alerts: BudgetAlert[];
  /** Those whose transactions it is made of, and those that were left out. */
  accounts: BudgetAccounts[];
  /** Null when none was given. */
  userData: BudgetUserData | null;
  /** Null when the brand shows none. */
  riskIndicators: BudgetRiskIndicators[] | null;
  /** Empty until one is written. */
  comment: string;
  /** Transactions that nothing converts into the brand's currency: they are in no figure. Absent when there is none. */
  unconvertedTransactions?: number;
  /** Extension of this service, not in the interface document. Why the budget is a DRAFT; null for every other status. */
  statusReason?: BudgetStatusReason | null;
  /** Extension of this service, not in the interface document. Of totalMonthlyIncome: what is regular, and what was given. */
  incomeCertain?: number | null;
  /** Extension of this service, not in the interface document. Of totalMonthlyIncome: what counts of irregular incomes. */
  incomeIrregular?: number | null;
  /** Extension of this service, not in the interface document. Null where riskIndicators is. */
  additionalRiskIndicators?: AdditionalRiskIndicator[] | null;
  /** Extension of this service, not in the interface document. Latest first. */
  stopped?: StoppedPayment[];
  /** Transactions of the window that are in no category's regular figure; incoming ones only when the brand shows income. */
  nonrecurringTransactions: Transaction[];
  /** What left once less what came once; only what left, when the brand shows no income. */
  nonrecurringSpending: BudgetSpending;
  /** What came once; empty when the brand shows no income. */
  nonrecurringIncome: BudgetSpending;
  /** What left once. */
  nonrecurringExpenses: BudgetSpending;
  /** Where every bank amount went; absent when the brand shows no income. */
  reconciliation?: BudgetReconciliation;
  /** Why budget and accounts differ; absent when the brand shows no income. */
  comparison?: BudgetComparison;
  /** What the accounts say of credit; absent when the brand shows no income. */
  credit?: BudgetCredit;
};
/** A group of income. */
export type BudgetIncome = {
  /** Of the category tree, see GET budget-categories. */
  id: string;
  /** In the user's language. */
  name: string;
  /** What is in it, a month, in the brand's currency. */
  totalMonthlyAmount: number;
  /** The user's own value; null when the user provided no value. */
  totalMonthlyAmountUserProvided: number | null;
  /** Observed a month, in the brand's currency, over the last three complete months. */
  averageLastThreeMonths: number;
  /** Observed a month, in the brand's currency, over the last twelve complete months or those that the data reach. */
  averageLastTwelveMonths: number;
  /** Its leaves. */
  categories: BudgetIncomeLeaf[];
  /** Always empty: leaves hold it. */
  income: Income[];
  /** What to know of its figures. */
  notes: CategoryNote[];
};
/** A category that holds income. */
export type BudgetIncomeLeaf = {
  /** Of the category tree, see GET budget-categories. */
  id: string;
  /** In the user's language. */
  name: string;
  /** What is in it, a month, in the brand's currency. */
  totalMonthlyAmount: number;
  /** The user's own value; null when the user provided no value. */
  totalMonthlyAmountUserProvided: number | null;
  /** Observed a month, in the brand's currency, over the last three complete months. */
  averageLastThreeMonths: number;
  /** Observed a month, in the brand's currency, over the last twelve complete months or those that the data reach. */
  averageLastTwelveMonths: number;
  /** Always empty: a leaf has none. */
  categories: (Record<string, unknown>)[];
  /** Largest first. */
  income: Income[];
  /** What to know of its figures. */
  notes: CategoryNote[];
};
/** One month. */
export type BudgetMonthlySpending = {
  /** YYYY-MM. */
  month: string;
  /** In the brand's currency; null when the month has no transactions. */
  amount: number | null;
};
/** A product as a budget names it. */
export type BudgetProduct = {
  /** Name to show. */
  title: string;
  /** Square picture, served by this installation. */
  imageUrl: string;
};
/** Extension of this service, not in the interface document. INCOME + ONE_OFF_INCOME − EXPENSES − ONE_OFF_EXPENSES + the excluded terms with their sign = total, to the minor unit. */
export type BudgetReconciliation = {
  /** Each part once. */
  terms: ReconciliationTerm[];
  /** Those of the excluded terms. */
  excludedTransactions: Transaction[];
  /** Sum of all bank amounts of the covered months. */
  total: number;
  /** How many months are covered. */
  months: number;
  /** Of accounts whose balance is known at both ends. */
  balanceChange: number | null;
  /** By how much two observed balances differ from the rows between them. */
  balanceMissing: number | null;
};
/** How the report is made. */
export type BudgetReport = {
  /** Printed on every page, and part of the file's name. */
  reportId?: string;
  /** Extension of this service, not in the interface document. Printed beside the customer's number. */
  customerName?: string;
  /** For whom it is. */
  edition?: BudgetReportEdition;
};
/** Extension of this service, not in the interface document. CUSTOMER: one page in plain language; ADVISER, the default, everything. */
export type BudgetReportEdition = "ADVISER" | "CUSTOMER";
/** What a budget begins with. */
export type BudgetRequest = {
  /** What the household says of itself. */
  userData?: BudgetUserDataRequest;
};
/** A sign of risk that was looked for. */
export type BudgetRiskIndicators = {
  /** With the evidence, or with what was looked for, in the user's language. */
  description: string;
  /** Whether it was found. */
  isMarked: boolean;
  /** In the user's language. */
  title: string;
  /** What was looked for. */
  type: BudgetRiskIndicatorsType;
};
/** What was looked for. */
export type BudgetRiskIndicatorsType = "EXCESSIVE_DISPOSABLE_INCOME" | "DEBT_COLLECTION";
/** The recurring payment behind an expense or income. */
export type BudgetService = {
  /** Of the service. */
  id: string;
  /** Of one payment, positive, in `currency`. */
  paymentCost: number;
  /** The brand's. */
  currency: Currency;
  /** How often it is due. */
  paymentFrequency: PaymentFrequency;
  /** Paid in the 365 days to the business day, less refunds, in `currency`. */
  totalPastYear: number;
  /** What is paid for. */
  product: BudgetProduct;
};
/** Whether money leaves or comes. */
export type BudgetSide = "EXPENSE" | "INCOME";
/** Whether a question is out of place. */
export type BudgetSkipRequest = {
  /** True closes the question for good, false opens it again. */
  notApplicable: boolean;
};
/** Sums of single months, by windows. */
export type BudgetSpending = {
  /** Mean of the months. */
  averages: BudgetAverageSpending;
  /** Lowest month. */
  lows: BudgetAverageSpending;
  /** Highest month. */
  highs: BudgetAverageSpending;
};
/** Where a budget stands. */
export type BudgetStatus = "DRAFT" | "READY" | "ACCEPTED" | "DENIED";
/** Why a budget is a draft. */
export type BudgetStatusReason = "NOT_INITIALISED" | "TOO_FEW_MONTHS" | "OPEN_QUESTIONS";
/** What made an item. */
export type BudgetTransactionalSource = "ENGINE" | "ACTION" | "DERIVED_FROM_TRANSACTIONS";
/** What an item, or an answer, is made of. */
export type BudgetTransactionalType = "SERVICE" | "TRANSACTION" | "RAW" | "DERIVE" | "DERIVED_FROM_TRANSACTIONS" | "USER_PROVIDED";
/** What the household says of itself. Both spellings of the vehicle's flag are answered. */
export type BudgetUserData = {
  /** The person and the household. */
  personal: BudgetUserDataPersonal;
  /** Where they live. */
  residence: BudgetUserDataResidence;
  /** Of what they live. */
  employment: BudgetUserDataEmployment;
  /** What they have learnt. */
  education: BudgetUserDataEducation;
  /** How expenses are shared. */
  expenses: BudgetUserDataExpenses;
  /** What they drive. */
  transport: BudgetUserDataTransport;
};
/** A child. */
export type BudgetUserDataChild = {
  /** In whole years. */
  age: number;
};
/** What the user has learnt. */
export type BudgetUserDataEducation = {
  /** The highest completed. */
  type: EducationType;
};
/** Of what the user lives. */
export type BudgetUserDataEmployment = {
  /** Whether and how. */
  status: EmploymentStatus;
  /** Of the employment. */
  type: EmploymentType;
  /** Since when. */
  date: string;
  /** Whether a member of one. */
  unemploymentFund: boolean;
  /** For how many months it pays. */
  unemploymentInsuranceMonths: number;
};
/** How expenses are shared. */
export type BudgetUserDataExpenses = {
  /** Percent of them that are the user's. */
  share: number;
};
/** The person and the household. */
export type BudgetUserDataPersonal = {
  /** Those in the household. */
  children: BudgetUserDataChild[];
  /** Whether there are any. */
  hasChildren: boolean;
  /** Before the law, or in fact. */
  maritalStatus: MaritalStatus;
  /** Of the user. */
  dateOfBirth: string;
};
/** What the household says of itself. The vehicle's flag is read under either of its two names. */
export type BudgetUserDataRequest = {
  /** The person and the household. */
  personal: BudgetUserDataPersonal;
  /** Where they live. */
  residence: BudgetUserDataResidence;
  /** Of what they live. */
  employment: BudgetUserDataEmployment;
  /** What they have learnt. */
  education: BudgetUserDataEducation;
  /** How expenses are shared. */
  expenses: BudgetUserDataExpenses;
  /** What they drive. */
  transport: {
  vehicles: BudgetUserDataVehicle[];
  hasVehicle: boolean;
  /** The same flag by its other name; where both are given, hasVehicle counts. */
  hasVehile?: boolean;
} | {
  vehicles: BudgetUserDataVehicle[];
  hasVehile: boolean;
  /** The same flag by its other name; where both are given, hasVehicle counts. */
  hasVehicle?: boolean;
};
};
/** Where the household lives. */
export type BudgetUserDataResidence = {
  /** Whose it is. */
  ownership: ResidenceOwnership;
  /** What it is. */
  type: ResidenceType;
  /** Day of legal possession. */
  occupancyDate: string;
  /** Whether there is another one. */
  hasVacationHome: boolean;
};
/** What the household drives. */
export type BudgetUserDataTransport = {
  /** Each of them. */
  vehicles: BudgetUserDataVehicle[];
  /** Whether there is any. */
  hasVehicle: boolean;
  /** The same under the name that the interface's list of required fields spells. */
  hasVehile: boolean;
};
/** A vehicle. */
export type BudgetUserDataVehicle = {
  /** Whose it is. */
  ownership: VehicleOwnership;
};
/** What a cancellation means for the service, and how one goes. */
export type Cancellation = {
  /** Whether the latest payment was collected by a mandate, which the user can also stop at the bank. */
  directDebit: boolean;
  /** Whether equipment has to be sent back, from the catalogue or the case. */
  equipmentBack: boolean;
  /** Whether money comes back, from the catalogue or the case. */
  moneyBack: boolean;
  /** What the holder of the service wrote to confirm. */
  confirmationContent?: string;
  /** What the user is asked, or told, in words. */
  freeTextMessage?: string;
  /** Day of the last payment, as the holder of the service or the user reported it. */
  endDate?: string;
  /** Why it was given up. */
  abortReason?: CancellationAbortReason;
};
/** Why a cancellation was given up. */
export type CancellationAbortReason = "USER_NOT_RESPONDING" | "USER_ABORTED" | "COMPANY_NOT_RESPONDING" | "COMPANY_NOT_ACCEPTING" | "COMPANY_CANNOT_FIND_SUBSCRIPTION" | "USER_WRONG_INFORMATION_PROVIDED_MULTIPLE_TIMES" | "BRANCH_UNKNOWN" | "CONTINUATION_DEAL";
/** POSSIBLE; EXPLAIN_WHY_NOT: not for this product; STORE: only there; HIDE: nothing is offered. */
export type CancellationOption = "POSSIBLE" | "EXPLAIN_WHY_NOT" | "STORE" | "HIDE";
/** A group of expenses. */
export type Category = {
  /** Of the category tree, see GET budget-categories. */
  id: string;
  /** In the user's language. */
  name: string;
  /** What is in it, a month, in the brand's currency. */
  totalMonthlyAmount: number;
  /** The user's own value; null when the user provided no value. */
  totalMonthlyAmountUserProvided: number | null;
  /** Observed a month, in the brand's currency, over the last three complete months. */
  averageLastThreeMonths: number;
  /** Observed a month, in the brand's currency, over the last twelve complete months or those that the data reach. */
  averageLastTwelveMonths: number;
  /** Its leaves. */
  categories: CategoryLeaf[];
  /** What to know of its figures. */
  notes?: CategoryNote[];
};
/** A category that holds expenses. */
export type CategoryLeaf = {
  /** Of the category tree, see GET budget-categories. */
  id: string;
  /** In the user's language. */
  name: string;
  /** What is in it, a month, in the brand's currency. */
  totalMonthlyAmount: number;
  /** The user's own value; null when the user provided no value. */
  totalMonthlyAmountUserProvided: number | null;
  /** Observed a month, in the brand's currency, over the last three complete months. */
  averageLastThreeMonths: number;
  /** Observed a month, in the brand's currency, over the last twelve complete months or those that the data reach. */
  averageLastTwelveMonths: number;
  /** Largest first. */
  expenses: Expense[];
  /** What to know of its figures. */
  notes?: CategoryNote[];
};
/** What to know of a category's figures. */
export type CategoryNote = {
  /** What it says. */
  type: CategoryNoteType;
  /** In the user's language. */
  message: string;
  /** Ids of the categories that it is about; only for INCLUDES_OTHERS and INCLUDED_IN_OTHERS. */
  categories?: string[];
};
/** Whether the category counts what others have, is counted in others, or is empty or filled against expectation. */
export type CategoryNoteType = "INCLUDES_OTHERS" | "INCLUDED_IN_OTHERS" | "EXPECTED_EMPTY" | "EXPECTED_NONEMPTY";
/** What kind of cost a category is. */
export type CostType = "FIXED" | "VARIABLE" | "DISCRETIONARY" | "FINANCIAL" | "SAVINGS";
/** A customer of a brand, as the partner registers one. */
export type CreateUserRequest = {
  /** Links the user in both systems. A sensitive key, such as a national identity number, must not be used. */
  bankUserId: string;
  /** One of the partner's brands. */
  brand: string;
  /** Language of push notifications, for instance da-DK. */
  locale: string;
  /** Implementation-specific extras, usually empty. */
  details?: Record<string, unknown>;
};
/** Transactions of one kind, counted and summed. */
export type CreditEvidence = {
  /** In the twelve months. */
  count: number;
  /** In the brand's currency, positive: of the twelve months. */
  amount: number;
  /** In the running month. */
  sinceCount: number;
  /** In the brand's currency, positive: of the running month. */
  sinceAmount: number;
  /** Each of them, oldest first. */
  transactions: Transaction[];
};
/** What was staked and won. */
export type CreditGambling = {
  /** What left for it. */
  stakes: CreditEvidence;
  /** What came of it. */
  winnings: CreditEvidence;
  /** In the brand's currency: stakes less winnings, of the covered months. */
  net: number;
  /** A month's net as a share of a month's income; null without income. */
  shareOfIncome: number | null;
  /** Stakes a month of the last three months to those of the twelve: 1 is no change; null without any. */
  trend: number | null;
};
/** A loan that is being paid. */
export type CreditLoan = {
  /** The lender. */
  title: string;
  /** Id of the leaf it is in. */
  category: string;
  /** In the brand's currency, positive: a month. */
  monthlyAmount: number;
  /** What was paid. */
  payments: CreditEvidence;
  /** Day of the first one; null when it lies before the data. */
  firstPaymentDate: string | null;
  /** Its payments began in the twelve months. */
  isNew: boolean;
  /** By a counter in the bank's text. */
  remainingPayments: number | null;
  /** Since when a payment is due and not seen; null when none is. */
  expectedSince: string | null;
};
/** What came of a payment that the user called a subscription. */
export type CrowdsourcingAlert = {
  /** To be given to PUT alerts/seen. */
  id: string;
  /** Tells the two kinds of alerts apart. */
  source: "CROWDSOURCING";
  /** SUCCESS: it is listed. NOT_SUBSCRIPTION: it cannot be one. TECHNICAL_LIMITATION: nothing is known to tell by. */
  type: CrowdsourcingAlertType;
  /** When the user called it one. */
  crowdsourceTime: string;
  /** The sender's txid of the payment. */
  sourceTransactionId: string;
  /** The payment. */
  transaction: Transaction;
  /** What was paid for; a placeholder with the payee's name when it is not recognised. */
  product: Product;
  /** The service's, else what the user said, else UNKNOWN. */
  paymentFrequency: PaymentFrequency;
  /** The payment as a cost: positive when money left, in whole units of `currency` with decimals. */
  amount: number;
  /** The brand's; the account's own where nothing converts it. */
  currency: Currency;
  /** Day of the exchange rate, where it is more than ten days older than what it converts; absent otherwise. */
  rateDate?: string;
  /** In whole units of `originalCurrency` with decimals, with the sign of `amount`. */
  originalAmount: number;
  /** In which the purchase was made; the account's where the sender gave no other. */
  originalCurrency: Currency;
};
/** What came of it. */
export type CrowdsourcingAlertType = "SUCCESS" | "NOT_SUBSCRIPTION" | "TECHNICAL_LIMITATION";
/** A payment that a user calls a subscription. */
export type CrowdsourcingRequest = {
  /** A transaction id: as listed, or the sender's own txid. */
  id: string;
  /** How often it comes, if the user said so. */
  paymentFrequency?: PaymentFrequency;
};
/** ISO 4217 alphabetic code. */
export type Currency = string;
/** Levels of education. */
export type EducationType = "ELEMENTARY" | "SECONDARY" | "VOCATIONAL" | "HIGHER_SHORT" | "HIGHER_MEDIUM" | "HIGHER_LONG" | "BACHELOR" | "PHD";
/** Whether and how the user works. */
export type EmploymentStatus = "EMPLOYED" | "UNEMPLOYED" | "RETIRED" | "STUDENT" | "APPRENTICE";
/** How the user is employed. */
export type EmploymentType = "SALARIED" | "PART_TIME" | "HOURLY_WAGE" | "SELF_EMPLOYED";
/** A public key (RFC 7517) to which batches are sealed. */
export type EncryptionKey = {
  /** RSA. */
  kty: "RSA";
  /** Modulus, base64url. */
  n: string;
  /** Exponent, base64url. */
  e: string;
  /** For encryption only. */
  use: "enc";
  /** The only algorithm it is taken with. */
  alg: "RSA-OAEP";
  /** RFC 7638 thumbprint; goes into the JWE header. */
  kid: string;
};
/** An expense of a budget. */
export type Expense = {
  /** Stays the same when the budget is made anew. */
  id: string;
  /** Whether the engine, an answer, or the transactions themselves made it. */
  source: BudgetTransactionalSource;
  /** The brand's. */
  currency: Currency;
  /** The payee or product. */
  title: string;
  /** How often it is paid. */
  paymentFrequency: PaymentFrequency;
  /** Of one payment, positive, in the brand's currency. */
  paymentCost: number;
  /** Positive, a month, in the brand's currency. */
  paymentCostMonthly: number;
  /** Observed a month, in the brand's currency, over the last three complete months. */
  averageLastThreeMonths: number;
  /** Observed a month, in the brand's currency, over the last twelve complete months or those that the data reach. */
  averageLastTwelveMonths: number;
  /** What it is made of. */
  type: BudgetTransactionalType;
  /** Square picture, served by this installation. */
  imageUrl: string;
  /** The recurring payment behind it; null when there is none. */
  service: BudgetService | null;
  /** Ids of the leaves it is in; empty when uncategorised. */
  categories: string[];
  /** Empty in a Budget, and for an amount that the user typed. */
  transactions: Transaction[];
  /** Extension of this service, not in the interface document. Since when a recurring payment is due and not seen; null where none is. */
  expectedSince?: string | null;
};
/** A group of expenses. */
export type ExpenseCategoryGroup = {
  /** What adjustments and answers name the category by. */
  id: string;
  /** In the language that Accept-Language asks for, else the user's; English where neither is known. */
  name: string;
  /** Code of the statistical classification COICOP 2018. */
  coicop2018: string | null;
  /** What kind of cost its leaves mostly are. */
  costType: CostType;
  /** Whether one cannot do without. */
  essential: boolean;
  /** Its leaves. */
  categories: ExpenseCategoryLeaf[];
};
/** A category of expenses. */
export type ExpenseCategoryLeaf = {
  /** What adjustments and answers name the category by. */
  id: string;
  /** In the language that Accept-Language asks for, else the user's; English where neither is known. */
  name: string;
  /** Code of the statistical classification COICOP 2018. */
  coicop2018: string | null;
  /** What kind of cost it is. */
  costType: CostType;
  /** Whether one cannot do without. */
  essential: boolean;
};
/** What is wrong with one place in the request. */
export type FieldProblem = {
  /** JSON pointer (RFC 6901) to the place in the body; for a query parameter, its name after a slash. */
  pointer: string;
  /** In a few words. */
  message: string;
};
/** An income of a budget. */
export type Income = {
  /** Stays the same when the budget is made anew. */
  id: string;
  /** The payee or product. */
  title: string;
  /** Of one payment, positive, in the brand's currency. */
  amount: number;
  /** Positive, a month, in the brand's currency. */
  monthlyAmount: number;
  /** Observed a month, in the brand's currency, over the last three complete months. */
  averageLastThreeMonths: number;
  /** Observed a month, in the brand's currency, over the last twelve complete months or those that the data reach. */
  averageLastTwelveMonths: number;
  /** How often it comes. */
  frequency: IncomeFrequency;
  /** The brand's. */
  currency: Currency;
  /** Square picture, served by this installation. */
  imageUrl: string;
  /** Whether the engine, an answer, or the transactions themselves made it. */
  source: BudgetTransactionalSource;
  /** What it is made of. */
  type: BudgetTransactionalType;
  /** The recurring payment behind it; null when there is none. */
  service: BudgetService | null;
  /** Ids of the leaves it is in; empty when uncategorised. */
  categories: string[];
  /** Empty in a Budget. */
  transactions: Transaction[];
  /** How sure it is. An addition to the interface. */
  certainty?: IncomeCertainty;
};
/** A group of income. */
export type IncomeCategoryGroup = {
  /** What adjustments and answers name the category by. */
  id: string;
  /** In the language that Accept-Language asks for, else the user's; English where neither is known. */
  name: string;
  /** Its leaves. */
  categories: IncomeCategoryLeaf[];
};
/** A category of income. */
export type IncomeCategoryLeaf = {
  /** What adjustments and answers name the category by. */
  id: string;
  /** In the language that Accept-Language asks for, else the user's; English where neither is known. */
  name: string;
};
/** Extension of this service, not in the interface document. CERTAIN: regular. IRREGULAR: in six months and more without a cadence; a share of it counts. EXTRA: a thirteenth month, holiday pay or a bonus, spread over the year. GIVEN: typed. */
export type IncomeCertainty = "CERTAIN" | "IRREGULAR" | "EXTRA" | "GIVEN";
export type IncomeFrequency = PaymentFrequency;
/** A payment that was received: positive. */
export type IncomePayment = {
  /** Our number of the payment, at most 2^53 − 1; says nothing of order. */
  id: number;
  /** The sender's txid. */
  sourceTransactionId: string;
  /** Converted at the day's reference rate, in whole units of `currency` with decimals. */
  amount: number;
  /** The brand's; the account's own where nothing converts it. */
  currency: Currency;
  /** Day of the exchange rate, where it is more than ten days older than what it converts; absent otherwise. */
  rateDate?: string;
  /** In whole units of `originalCurrency` with decimals, with the sign of `amount`. */
  originalAmount: number;
  /** In which it was paid; the account's where the sender gave no other. */
  originalCurrency: Currency;
  /** Day of booking. */
  date: string;
};
/** A user's recurring income, with what it comes to in the brand's currency. Extension of this service. */
export type IncomeResponse = {
  /** Estimated income a month of the series listed that run (status ACTIVE, UNDECIDED left out), in the brand's currency. */
  averageTotalAmount: number;
  /** What runs first, by its next date; then what ended, latest first. May be empty. */
  income: IncomeSeries[];
  /** Received in all series listed in the 365 days to the business day, in the brand's currency. */
  totalAmountLastTwelveMonths: number;
  /** Payments of the last twelve months that nothing converts into the brand's currency: they are in no total. Absent when there is none. */
  unconvertedPayments?: number;
};
/** Recurring payments from one payer, recognised in the user's transactions. Its id stays when history is sent again, amounts change or the payer is renamed. */
export type IncomeSeries = {
  /** Names the series for good. */
  id: string;
  /** The payer, as the transactions name it. */
  title: string;
  /** The expected next payment, positive, in whole units of `currency` with decimals: at the latest payment's own rate while that is younger than 40 days, else at the latest reference rate. */
  amount: number;
  /** The brand's; the account's own where nothing converts it. */
  currency: Currency;
  /** Day of the exchange rate, where it is more than ten days older than what it converts; absent otherwise. */
  rateDate?: string;
  /** How often it comes, told from the days on which it is due; UNKNOWN when it recurs without a rhythm. */
  paymentFrequency: PaymentFrequency;
  /** The sender's id of the account of the latest payment; null when the bank gave none. */
  accountId: string | null;
  /** IBAN of the account of the latest payment; null when the bank gave none. */
  iban: string | null;
  /** Whether it still comes, told from the days on which it is due. */
  status: IncomeStatus;
  /** How sure it is. */
  visibility: IncomeVisibility;
  /** All of them, newest first. */
  payments: IncomePayment[];
  /** Expected of twelve months, in whole units of `currency` with decimals. */
  yearlyAmount: number;
  /** The sum of `payments` in the 365 days to the business day, in the brand's currency. */
  totalAmountLastTwelveMonths: number;
  /** Payments of the last twelve months that nothing converts into the brand's currency: they are in no total. Absent when there is none. */
  unconvertedPayments?: number;
  /** Day on which the next payment should be booked, with the bank's closed days; of what ended the last one computed, which may be past. */
  nextExpectedTransactionDate: string;
  /** Extension of this service. Mean days from due date to due date, to the tenth: 28, 30, 30.4. Null without a frequency. */
  periodDays?: number | null;
  /** Extension of this service. How sure it is that this is an obligation: of those called .9 nine in ten are. */
  confidence?: number;
  /** Extension of this service. Day of the first payment. */
  firstPaymentDate?: string;
  /** Extension of this service. Day of the latest payment. */
  lastPaymentDate?: string;
  /** Extension of this service. What was paid last, positive, in the service's currency. */
  lastAmount?: number;
  /** Extension of this service. Of the last twelve months; null where nothing was paid in them. */
  amountRange?: AmountRange | null;
  /** Extension of this service. The latest step of a fixed price; null where there was none, or the bill follows use. */
  priceChange?: PriceChange | null;
  /** Extension of this service. Day of the last instalment; null where payments are not counted. */
  endsOn?: string | null;
  /** Extension of this service. Instalments still to come; null where payments are not counted. */
  remainingPayments?: number | null;
  /** Extension of this service. The due date has passed, and the service is not given up yet. */
  isOverdue?: boolean;
};
/** ACTIVE: it comes. INACTIVE: it did not come when due. */
export type IncomeStatus = "ACTIVE" | "INACTIVE";
/** VISIBLE: sure. UNDECIDED: as likely as not. */
export type IncomeVisibility = "VISIBLE" | "UNDECIDED";
/** The protected header of a batch's JWE (RFC 7516). */
export type JweParams = {
  /** How the content key is encrypted: RSAES OAEP with default parameters. */
  alg: "RSA-OAEP";
  /** How the content is encrypted: AES-GCM with a key of 256 bits. */
  enc: "A256GCM";
  /** Names the key of the partner's JWKS to which the content key is encrypted. */
  kid: string;
  /** DEFLATE (RFC 1951); without it the plaintext is as it is. */
  zip?: "DEF";
};
/** JWK Set (RFC 7517): the current encryption key first, then the next one; then the keys that signed receipts. */
export type KeySet = {
  /** Keys to encrypt to, the current one first and then the next; behind them those that receipts are signed with. */
  keys: (EncryptionKey | ReceiptKey)[];
};
/** The partner's word for a user. */
export type LoginRequest = {
  /** A JWT signed with a registered login key: sub (bankUserId), the brand claim, exp at most ten minutes ahead; a jti is accepted once. act.sub (RFC 8693) names who acts for the user, such as an adviser: changes of budgets tell it. */
  payload: string;
};
/** Our token for the user's calls. */
export type LoginResponse = {
  /** Bearer token, valid for 3600 seconds. */
  token: string;
};
/** How the user lives. */
export type MaritalStatus = "SINGLE" | "MARRIED" | "COHABITANT" | "DIVORCED" | "WIDOWED" | "SEPARATED";
/** A first payment that tends to turn into a membership. Once a payee. */
export type MembershipAlert = {
  /** To be given to PUT alerts/seen. */
  id: string;
  /** Tells the two kinds of alerts apart. */
  source: "MEMBERSHIP";
  /** The only kind there is. */
  membershipAlertType: "WARNING";
  /** What was paid for. */
  product: Product;
  /** The payment. */
  transaction: Transaction;
};
/** No body: Retry-After says when to ask again. */
export type NotReady = "";
/** A message for one user. */
export type Notification = {
  /** What it tells. */
  type: NotificationType;
  /** The receiving user's. */
  country: string;
  /** The bankUserId. */
  userId: string;
  /** For display, such as da-dk. */
  suggestedLocale: string;
  /** What it is about; at least one. */
  payload: NotificationParams[];
  /** The map; within an array for a partner whose receiver reads it so. */
  texts: {
  en: NotificationTranslation;
} | ({
  en: NotificationTranslation;
})[];
  /** Product and amount, where there are any. */
  data?: NotificationData;
};
/** What a message is about, for those who write its text themselves. */
export type NotificationData = {
  /** Name of the product. */
  productTitle: string;
  /** Square picture of the product. */
  productImageUrl: string;
  /** Kind of the product. */
  productType: ProductType;
  /** The same three together. */
  product: NotificationProduct;
  /** Running subscriptions that the user is shown. */
  subscriptionCount?: number;
  /** Of the payment, or the expected one; positive, in whole units of `currency` with decimals. */
  amount?: number;
  /** The brand's; the account's own where nothing converts it. */
  currency?: Currency;
};
/** One thing that a message is about. */
export type NotificationParams = {
  /** What it is about: SUBSCRIPTION, BUDGET, ACCOUNT or TEST. */
  name: string;
  /** notificationId names the message: one that comes twice is the same. */
  params: Record<string, string>;
};
/** A product as a message names it. */
export type NotificationProduct = {
  /** Name to show. */
  title: string;
  /** Square picture, served by this installation. */
  imageUrl: string;
  /** Kind of the product. */
  type: ProductType;
};
/** The text in one language. */
export type NotificationTranslation = {
  /** One line. */
  title: string;
  /** One or two sentences. */
  body: string;
};
/** What a message tells. */
export type NotificationType = "CANCELLATION_COMPLETED" | "CANCELLATION_ABORTED" | "CANCELLATION_MOREINFOREQUIRED" | "NEW_SUBSCRIPTION" | "NEW_PAYMENT_CANCELLED_SUBSCRIPTION" | "NEW_PAYMENT" | "PAYMENT_CHANGED" | "USER_UPDATE_REQUIRED" | "BUDGET_CHANGED" | "TEST_NOTIFICATION";
/** How often something is paid; UNKNOWN: without a rhythm that is known. */
export type PaymentFrequency = "DAILY" | "WEEKLY" | "BIWEEKLY" | "MONTHLY" | "BIMONTHLY" | "QUARTERLY" | "HALFYEARLY" | "YEARLY" | "UNKNOWN";
/** A step of a fixed price, positive, in the service's currency, and its day. */
export type PriceChange = {
  /** The price before, positive, in whole units of `currency` with decimals. */
  from: number;
  /** The price since, positive, in whole units of `currency` with decimals. */
  to: number;
  /** Day of the first payment at the new price. */
  date: string;
};
/** What went wrong (RFC 9457). */
export type Problem = {
  /** Where the code is explained. */
  type: string;
  /** In one sentence. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** What to do about it. */
  detail: string;
  /** Stable; what programs should look at. */
  code: string;
  /** Of the call; name it when asking for help. */
  correlationId: string;
  /** Each place that is wrong, where there are several. */
  errors?: FieldProblem[];
};
/** What is paid for. */
export type Product = {
  /** Name to show, from the product catalogue or the payee. */
  title: string;
  /** Square picture, served by this installation. */
  imageUrl: string;
  /** SUBSCRIPTION: not essential. OTHER_RECURRING: fixed expenses such as rent, loans, insurance, utilities. */
  type: ProductType;
  /** Whether it sells other products, for one of which the user pays through it. */
  isGateway: boolean;
  /** Whether it stands for a subscription of a store that does not tell which. */
  isUnknownStoreSubscription: boolean;
};
/** SUBSCRIPTION: not essential. OTHER_RECURRING: a fixed expense. */
export type ProductType = "SUBSCRIPTION" | "OTHER_RECURRING";
/** What a redirect brought back to the partner, to finish a login. */
export type Psd2Confirmation = {
  /** As psd2/initiate answered it. */
  loginId: string;
  /** psd2Code of the redirect. Works once, for some minutes. */
  code: string;
};
/** Where a user goes back to after connecting a bank. */
export type Psd2InitiateRequest = {
  /** Where the browser goes when the flow ends; below one of the partner's registered addresses. */
  redirectUrl?: string;
  /** How the page calls the customer for whom the bank is connected, such as a name or the end of a customer number. An addition to the interface. */
  customerHint?: string;
};
/** The login page. */
export type Psd2InitiateResponse = {
  /** The page to open in a new window, or to redirect the whole page to. */
  url: string;
  /** Of this login. */
  loginId: string;
};
/** The account on which it was booked. */
export type RawAccount = {
  /** The sender's id of the account, unique across accounts and partners. */
  id: string;
  /** Name or number that the user knows the account by. */
  name: string;
  /** The account's IBAN; may be empty. */
  iban: string;
};
/** The card with which it was paid. */
export type RawCard = {
  /** The sender's id of the card, unique across cards and partners. */
  id: string;
  /** Last four digits of the card number, never more. */
  pan4: string;
  /** Kind of card, for instance CREDIT, DEBIT. */
  cardType?: string;
  /** Short code of the network, where known. */
  paymentNetwork?: string;
};
/** Who was paid. Most transactions have at least a name. */
export type RawMerchant = {
  /** The merchant's name as the card network or bank has it. */
  name: string;
  /** Card acceptor id, which names the merchant. */
  cid?: string;
  /** Street and number. */
  address?: string;
  /** Town. */
  city?: string;
  /** Postal code. */
  postCode?: string;
  /** Country, preferably ISO 3166-1. */
  country?: string;
  /** Merchant category code (ISO 18245). */
  mcc?: number;
};
/** One record of a batch. tx is there exactly when type is TX. Unknown keys are ignored, and a null counts as absent. */
export type RawTransaction = {
  /** The bankUserId of the user who owns the transaction. */
  uid: string;
  /** What the record is. */
  type: RawTransactionType;
  /** The card with which it was paid, where it was. */
  card?: RawCard;
  /** The account on which it was booked. */
  account?: RawAccount;
  /** There exactly when type is TX. */
  tx?: RawTx;
};
/** TX: a transaction. IMPORT_COMPLETED: the user's last historical one has been sent; then only uid and type. */
export type RawTransactionType = "TX" | "IMPORT_COMPLETED";
/** One transaction's details. */
export type RawTx = {
  /** The sender's id of the transaction, unique for ever; loaded once per user. */
  txid: string;
  /** The line as the bank writes it on a statement. */
  description: string;
  /** ISO 8601. Only the date part is reliable; a zone may be missing. */
  txTime: string;
  /** The bank's kind of transaction, for instance CARD_PURCHASE, CASH_WITHDRAWAL, ACCOUNT_TRANSFER. */
  type: string;
  /** In `currency`, in whole units with decimals. Money leaving is negative, refunds are positive. */
  amount: number;
  /** The account's or cardholder's. */
  currency: Currency;
  /** In `originalCurrency`, where the purchase was made in another one; may have more than two decimals. */
  originalAmount?: number;
  /** In which the purchase was made, where that is another one. */
  originalCurrency?: Currency;
  /** Who was paid, where it is known. */
  merchant?: RawMerchant;
};
/** Verifies the signatures of receipts (`NAME.receipt.json.jws`). */
export type ReceiptKey = {
  /** An octet key pair. */
  kty: "OKP";
  /** The curve. */
  crv: "Ed25519";
  /** The public key, base64url. */
  x: string;
  /** For signatures only. */
  use: "sig";
  /** The only algorithm it signs with. */
  alg: "EdDSA";
  /** RFC 7638 thumbprint; stands in the signatures' header. */
  kid: string;
};
/** What a partner's receiver is sent. */
export type ReceiveNotificationRequest = {
  /** The message. */
  notification: Notification;
};
/** One part of all bank amounts. */
export type ReconciliationTerm = {
  /** Which part. */
  term: ReconciliationTermName;
  /** In the brand's currency, over the covered months. */
  amount: number;
  /** All that the amount is made of, oldest first. */
  transactionIds: string[];
};
/** The parts of all bank amounts. */
export type ReconciliationTermName = "INCOME" | "ONE_OFF_INCOME" | "EXPENSES" | "ONE_OFF_EXPENSES" | "OWN_TRANSFER" | "CARD_SETTLEMENT" | "REFUNDED" | "LOAN_PAYOUT" | "WINNINGS";
/** What is wrong with one record, or with the envelope. */
export type RecordProblem = {
  /** Position in the batch, from 0; absent where the envelope itself is meant. */
  index?: number;
  /** Place in the record or envelope; empty for the whole. */
  field: string;
  /** Why, in a few words. */
  reason: string;
};
/** What to make a report of. */
export type ReportRequest = {
  /** Which report. */
  type: ReportType;
  /** Printed on the report; it changes no figure. */
  effectiveDate?: string;
};
/** A report that is being made. */
export type ReportResponse = {
  /** To fetch it by. */
  documentId: string;
};
/** NEXT_OF_KIN: what those left behind need to know. */
export type ReportType = "NEXT_OF_KIN";
/** Whose the residence is. */
export type ResidenceOwnership = "HOMEOWNER" | "COOPERATIVE" | "RENT" | "PARENTS" | "OTHER";
/** What the residence is. */
export type ResidenceType = "HOUSE" | "APARTMENT" | "ROOM";
/** A batch before it is sealed: the JWE's header, and what it encrypts. */
export type SealedBatch = {
  /** The JWE's protected header. */
  header: JweParams;
  /** The records, of one or several users, as JSON in UTF-8. */
  plaintext: RawTransaction[];
};
/** A recurring payment, recognised in the user's transactions. Its id stays when history is sent again, prices change or the merchant is renamed. */
export type Service = {
  /** Names the service for good. */
  id: string;
  /** The expected next payment, positive, in whole units of `currency` with decimals: at the latest payment's own rate while that is younger than 40 days, else at the latest reference rate. */
  amount: number;
  /** The brand's; the account's own where nothing converts it. */
  currency: Currency;
  /** Day of the exchange rate, where it is more than ten days older than what it converts; absent otherwise. */
  rateDate?: string;
  /** How often it is due, told from its due dates; UNKNOWN when it recurs without a rhythm. */
  paymentFrequency: ServicePaymentFrequency;
  /** The sender's id of the account of the latest payment; null when the bank gave none. */
  accountId: string | null;
  /** The sender's id of the card of the latest payment; null when the bank gave none. */
  cardId: string | null;
  /** What is paid for, from the product catalogue or the payee's name. */
  product: Product;
  /** Whether it runs, told from its due dates and its cancellation. */
  status: ServiceStatus;
  /** What the user has to do; empty for nothing. */
  userActionsRequired: UserActionRequiredType[];
  /** All of them, newest first. */
  payments: ServicePayment[];
  /** What came back, newest first; amounts are negative. */
  refunds?: ServicePayment[];
  /** Expected cost of twelve months, in whole units of `currency` with decimals. */
  yearlyCost: number;
  /** Payments less refunds in the 365 days to the business day, in the brand's currency: the sum of `payments` and `refunds` of those days. */
  totalAmountLastTwelveMonths: number;
  /** Payments of the last twelve months that nothing converts into the brand's currency: they are in no total. Absent when there is none. */
  unconvertedPayments?: number;
  /** What is new about it, as badges to show. */
  notifications: ServiceNotificationType[];
  /** Whether it is shown; UNDECIDED is, and the user is asked to confirm it. */
  visibility: ServiceVisibility;
  /** Day on which the next payment should be booked, with the bank's closed days; of what ended the last one computed, which may be past. */
  nextExpectedTransactionDate: string;
  /** Where it is paid through an application store. */
  store?: Store;
  /** Whether to ask the user to show or hide it. */
  visibilityOption: VisibilityOption;
  /** What a cancellation means for it, and how one goes. */
  cancellation: Cancellation;
  /** Whether to show `amount` or the total of twelve months. */
  amountToDisplay: AmountToDisplay;
  /** Whether a cancellation can be offered. */
  cancellationOption?: CancellationOption;
  /** IBAN of the account of the latest payment; null when the bank gave none. */
  iban?: string | null;
  /** Extension of this service. Mean days from due date to due date, to the tenth: 28, 30, 30.4. Null without a frequency. */
  periodDays?: number | null;
  /** Extension of this service. How sure it is that this is an obligation: of those called .9 nine in ten are. */
  confidence?: number;
  /** Extension of this service. Day of the first payment. */
  firstPaymentDate?: string;
  /** Extension of this service. Day of the latest payment. */
  lastPaymentDate?: string;
  /** Extension of this service. What was paid last, positive, in the service's currency. */
  lastAmount?: number;
  /** Extension of this service. Of the last twelve months; null where nothing was paid in them. */
  amountRange?: AmountRange | null;
  /** Extension of this service. The latest step of a fixed price; null where there was none, or the bill follows use. */
  priceChange?: PriceChange | null;
  /** Extension of this service. Day of the last instalment; null where payments are not counted. */
  endsOn?: string | null;
  /** Extension of this service. Instalments still to come; null where payments are not counted. */
  remainingPayments?: number | null;
  /** Extension of this service. Id of the service of another counterparty whose place this one took, as a new supplier's. */
  predecessorId?: string | null;
  /** Extension of this service. The due date has passed, and the service is not given up yet. */
  isOverdue?: boolean;
};
/** What is new about a service. */
export type ServiceNotificationType = "NEW_PAYMENT" | "NEW_SUBSCRIPTION" | "NEW_PAYMENT_CANCELLED_SUBSCRIPTION" | "CANCELLATION_MORE_INFORMATION_REQUIRED" | "CANCELLATION_CONFIRMED" | "CANCELLATION_ABORTED";
/** A payment of a service as a cost: positive when money left, negative when it came back. */
export type ServicePayment = {
  /** Our number of the payment, at most 2^53 − 1; says nothing of order. */
  id: number;
  /** The sender's txid. */
  sourceTransactionId: string;
  /** Converted, in whole units of `currency` with decimals: what the purchase itself cost in that currency, else at the day's reference rate. */
  amount: number;
  /** The brand's; the account's own where nothing converts it. */
  currency: Currency;
  /** Day of the exchange rate, where it is more than ten days older than what it converts; absent otherwise. */
  rateDate?: string;
  /** In whole units of `originalCurrency` with decimals, with the sign of `amount`. */
  originalAmount: number;
  /** In which the purchase was made; the account's where the sender gave no other. */
  originalCurrency: Currency;
  /** Day of booking. */
  date: string;
};
export type ServicePaymentFrequency = PaymentFrequency;
/** A user's recurring payments, with what they come to in the brand's currency. */
export type ServiceResponse = {
  /** Estimated cost a month of the running subscriptions listed (status ACTIVE or UNDER_CANCELLATION, UNDECIDED left out), in the brand's currency. */
  averageTotalAmount: number;
  /** What runs first, by its next date; then what ended, latest first. May be empty. */
  services: Service[];
  /** Paid for all services listed in the 365 days to the business day, less refunds, in the brand's currency. */
  totalAmountLastTwelveMonths?: number;
  /** Those that were not seen yet; absent when there is none. */
  alerts?: Alert[];
  /** Payments of the last twelve months that nothing converts into the brand's currency: they are in no total. Absent when there is none. */
  unconvertedPayments?: number;
};
/** ACTIVE: it runs. INACTIVE: it was not paid when due. The others follow its cancellation. */
export type ServiceStatus = "ACTIVE" | "INACTIVE" | "UNDER_CANCELLATION" | "CANCELLED";
/** A user's decision on a service. */
export type ServiceUpdateHiddenRequest = {
  /** false also confirms an undecided one. */
  hidden: boolean;
};
/** VISIBLE: sure, or confirmed by the user. UNDECIDED: listed, to be confirmed. HIDDEN: by the user or the brand. */
export type ServiceVisibility = "VISIBLE" | "HIDDEN" | "UNDECIDED";
/** Extension of this service, not in the interface document. A recurring payment or income that is paid no more. */
export type StoppedPayment = {
  /** The payee or payer. */
  title: string;
  /** Whether it was paid or received. */
  side: BudgetSide;
  /** Ids of the leaves it was in. */
  categories: string[];
  /** What it was a month. */
  monthlyAmount: number;
  /** Why it ended, as far as the payments tell. */
  reason: StoppedReason;
  /** Day on which the next one would have been due. */
  expectedSince: string;
  /** Day of the last one. */
  lastPaymentDate: string;
  /** Empty in a Budget. */
  transactions: Transaction[];
};
/** Why something is paid no more. */
export type StoppedReason = "PAID_OFF" | "REPLACED" | "MOVED" | "CANCELLED" | "STOPPED" | "TIME";
/** An application store through which a service is paid. */
export type Store = {
  /** Which of the two kinds of store. */
  type: StoreType;
  /** Where the store lists the user's subscriptions. */
  url: string;
};
/** STORE_A: Apple's. STORE_B: Google's. */
export type StoreType = "STORE_A" | "STORE_B";
/** Whose rule the higher rates follow: the country of the brand. */
export type StressRule = "NO" | "DK" | "SE";
/** A debt that was given, with what it costs at a higher rate. */
export type StressedDebt = {
  /** What the household calls it. */
  title: string;
  /** In the brand's currency, positive: still owed. */
  remainingAmount: number;
  /** Per cent a year. */
  interestRate: number;
  /** Months until it is paid off. */
  termMonths: number;
  /** In the brand's currency: a month, at the given rate. */
  monthlyAmount: number;
  /** Per cent a year: what the country's rules or the calculation rate ask for. */
  stressedInterestRate: number;
  /** In the brand's currency: a month, at that higher rate. */
  stressedMonthlyAmount: number;
};
/** All debts that were given. */
export type StressedDebts = {
  /** Each of them. */
  debts: StressedDebt[];
  /** In the brand's currency, positive: still owed. */
  remainingAmount: number;
  /** In the brand's currency: a month, at the given rate. */
  monthlyAmount: number;
  /** In the brand's currency: a month, at that higher rate. */
  stressedMonthlyAmount: number;
  /** Country whose rules were applied; null: none are known. */
  rule: StressRule | null;
  /** Per cent a year, as given; null: none was. */
  calculationRate: number | null;
  /** A debt's higher rate is higher than its own. */
  isStressed: boolean;
  /** Of a year's budgeted income. */
  debtToIncome: number | null;
  /** In the brand's currency: what is left a month when they cost so much. */
  disposableAfterStress: number;
  /** In the brand's currency: the same with only the fixed and financial expenses taken off. */
  availableAfterStress: number;
  /** In the brand's currency: a month's living costs by the country's public table; null without one. */
  referenceMinimum: number | null;
  /** In the brand's currency: what is left when living costs are that minimum and nothing is saved; null without one. */
  leftAfterMinimum: number | null;
};
/** A transaction as it is read: with the bank's sign, money leaving is negative. */
export type Transaction = {
  /** Our id; wherever a transaction's id is taken, the sender's txid is taken, too. */
  id: string;
  /** Day of booking. */
  transactionDate: string;
  /** Told from the sender's raw type by its name; others are OTHER or UNKNOWN. */
  type: TransactionType;
  /** Converted, in whole units of `currency` with decimals: what the purchase itself cost in that currency, else at the day's reference rate. */
  amount: number;
  /** The brand's; the account's own where nothing converts it. */
  currency: Currency;
  /** Day of the exchange rate, where it is more than ten days older than what it converts; absent otherwise. */
  rateDate?: string;
  /** As the sender gave it, in whole units of `originalCurrency` with decimals. */
  originalAmount: number;
  /** In which the purchase was made; the account's where the sender gave no other. */
  originalCurrency: Currency;
  /** The merchant as sent, else what the description names. */
  merchantName: string;
  /** Of the service to which it belongs; absent when to none. */
  serviceId?: string;
  /** The sender's id of the account; absent when none was given. */
  accountId?: string;
  /** The sender's id of the card; absent when none was given. */
  cardId?: string;
};
/** Kinds of transactions; OTHER: known to be none of these. UNKNOWN: not known. */
export type TransactionType = "CARD_PURCHASE" | "CASH_WITHDRAWAL" | "OTHER" | "ACCOUNT_TRANSFER" | "DIRECT_DEBIT" | "INVOICE" | "CASH_DEPOSIT" | "UNKNOWN";
/** What is wrong: records, signature, sealing, or the envelope. */
export type TransactionsErrorCode = "TX_DATA_ERROR" | "SIGNATURE_ERROR" | "DECRYPTION_ERROR" | "UNKNOWN_ERROR";
/** Why a batch was not taken; all of its transactions count as unreceived. */
export type TransactionsErrorResponse = {
  /** What is wrong, as a code. */
  errorCode: TransactionsErrorCode;
  /** What is wrong, in one sentence. */
  message: string;
  /** Where and why, never the value; the first hundred. */
  details: RecordProblem[];
};
/** A batch, sealed. */
export type TransactionsRequest = {
  /** One content, however often it is sent. */
  reqId: string;
  /** Compact JWE (RFC 7516) over a JSON array of at most 750 RawTransaction objects. */
  txs: string;
};
/** The next expected payment of a running service. */
export type UpcomingPayment = {
  /** Of the service. */
  serviceId: string;
  /** Day on which it should be booked, with the bank's closed days. */
  expectedPaymentDate: string;
  /** The service's amount: positive, in whole units of `currency` with decimals. */
  expectedPaymentCost: number;
  /** The brand's; the account's own where nothing converts it. */
  currency: Currency;
  /** Day of the exchange rate, where it is more than ten days older than what it converts; absent otherwise. */
  rateDate?: string;
  /** Positive, in whole units of `originalCurrency` with decimals. */
  expectedOriginalPaymentCost: number;
  /** In which it is priced. */
  originalCurrency: Currency;
  /** What is paid for. */
  product: Product;
  /** The sender's id of the account of the latest payment; null when the bank gave none. */
  accountId?: string | null;
  /** The sender's id of the card of the latest payment; null when the bank gave none. */
  cardId?: string | null;
  /** Nothing at present. */
  additionalInfo?: Record<string, string>;
};
/** What a cancellation waits for. */
export type UserActionRequiredType = "CANCELLATION_NEED_MORE_INFO";
/** Whose a vehicle is. */
export type VehicleOwnership = "OWNED" | "LEASED" | "COMPANY";
/** Which questions to offer the user: to hide it, to show it, both, or none. */
export type VisibilityOption = "ASK_TO_HIDE" | "ASK_TO_SHOW" | "ASK_BOTH" | "HIDE";
/** What a problem's code may be; a later service may have others. */
export type ProblemCode = "ADDRESS_NOT_ALLOWED" | "ADJUSTMENT_UNKNOWN" | "BODY_TOO_LARGE" | "BUDGET_NOT_INITIALISED" | "BUDGET_UNKNOWN" | "BUSY" | "CATEGORY_UNKNOWN" | "CLIENT_CERTIFICATE_NOT_ALLOWED" | "CONFIRMATION_INVALID" | "CROWDSOURCING_DISABLED" | "EXPENSE_UNKNOWN" | "INCOME_DISABLED" | "INTERNAL" | "LOGIN_INVALID" | "MEDIA_TYPE_UNSUPPORTED" | "NOT_ACCEPTABLE" | "NO_OPEN_QUESTION" | "PARTNER_UNGUARDED" | "PARTNER_UNKNOWN" | "QUESTION_UNKNOWN" | "REPORT_FAILED" | "REPORT_UNKNOWN" | "REQUEST_INVALID" | "SERVICE_UNKNOWN" | "TOKEN_FOREIGN" | "TOKEN_INVALID" | "TOO_MANY_REQUESTS" | "TRANSACTION_UNKNOWN" | "USER_DATA_UNKNOWN" | "USER_EXISTS" | "USER_UNKNOWN";
