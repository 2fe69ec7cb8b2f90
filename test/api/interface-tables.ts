/**
 * The interface document's tables, copied row by row: what the OpenAPI document is held against. A `?` marks an
 * optional field; `+` lists are answers, `-` lists are what callers write.
 */

/** "Endpoints": number, method and path, the schema of the body, answers. A `*` marks a call without bearer. */
export const endpoints = [
  [1, "POST /users *", "CreateUserRequest", "201 409"],
  [2, "DELETE /users", null, "202"],
  [3, "POST /users/logins *", "LoginRequest", "200:LoginResponse 403 404"],
  [4, "POST /transactions *", "TransactionsRequest", "201 400:TransactionsErrorResponse"],
  [5, "GET /transactions", null, "200:[Transaction]"],
  [6, "POST /psd2/initiate", "Psd2InitiateRequest", "200:Psd2InitiateResponse"],
  [7, "GET /services", null, "200:ServiceResponse 202"],
  [8, "GET /services/{serviceId}", null, "200:Service"],
  [9, "PUT /services/{serviceId}/hidden", "ServiceUpdateHiddenRequest", "200"],
  [10, "GET /upcoming-payments", null, "200:[UpcomingPayment]"],
  [11, "POST /crowdsourcing", "CrowdsourcingRequest", "201 503"],
  [12, "PUT /accounts", "AccountsRequest", "200"],
  [13, "PUT /accounts-balances", "AccountsBalancesRequest", "200"],
  [14, "POST /reports", "ReportRequest", "200:ReportResponse"],
  [15, "POST /budgets", "BudgetRequest?", "200:BudgetCreateResponse"],
  [16, "GET /budgets/{budgetId}", null, "200:Budget 202 404"],
  [17, "POST /budgets/{budgetId}/coapplicants", "BudgetCoapplicantRequest", "200 400 404"],
  [18, "POST /budgets/{budgetId}/comment", "BudgetCommentRequest", "200 400 404"],
  [19, "POST /budgets/{budgetId}/completions", "BudgetCompletionsRequest", "200 404"],
  [20, "GET /budgets/{budgetId}/details", null, "200:BudgetDetails 202 404"],
  [21, "GET /budgets/{budgetId}/user-data", null, "200:BudgetUserData 404"],
  [22, "POST /budgets/{budgetId}/user-data", "BudgetUserDataRequest", "200:Budget 404"],
  [
    23,
    "POST /budgets/{budgetId}/categories/{categoryId}/adjustments",
    "BudgetAdjustCategoryRequest",
    "200:Budget 400 404",
  ],
  [24, "DELETE /budgets/{budgetId}/categories/{categoryId}/adjustments", null, "200:Budget 404"],
  [25, "GET /budgets/{budgetId}/questions/next", null, "200:BudgetActionResponse 404"],
  [26, "POST /budgets/{budgetId}/questions/{actionId}", "BudgetActionRequest", "200 404"],
  [27, "DELETE /budgets/{budgetId}/questions/{actionId}", "BudgetSkipRequest?", "200 404"],
  [28, "POST /budgets/{budgetId}/questions/{actionId}/skips", null, "201 404"],
  [29, "GET /budgets/{budgetId}/expenses/{expenseId}", null, "200:Expense 404"],
  [30, "POST /budgets/{budgetId}/report", "BudgetReport?", "200 404"],
  [31, "PUT /alerts/seen", "AlertSeenRequest", "200"],
] as const;

const budgetFields =
  "id status totalMonthlyAmount totalMonthlyAmountUserProvided totalMonthlyIncome totalMonthlyIncomeUserProvided averageExpensesLastThreeMonths " +
  "averageExpensesLastTwelveMonths averageIncomeLastThreeMonths averageIncomeLastTwelveMonths amountCategorized amountCategorizedUserProvided disposableIncome " +
  "disposableIncomeUserProvided categorizationTarget categories uncategorized income alerts accounts userData riskIndicators comment";
const nodeFields =
  "id name totalMonthlyAmount totalMonthlyAmountUserProvided averageLastThreeMonths averageLastTwelveMonths";

/** "Resources and their fields", answers. */
export const answered: Readonly<Record<string, string>> = {
  LoginResponse: "token",
  TransactionsErrorResponse: "errorCode",
  Transaction:
    "id transactionDate type amount currency originalAmount originalCurrency merchantName serviceId? accountId? cardId?",
  Psd2InitiateResponse: "url loginId",
  ServiceResponse: "averageTotalAmount services totalAmountLastTwelveMonths? alerts?",
  Service:
    "id amount currency paymentFrequency accountId cardId product status userActionsRequired payments yearlyCost totalAmountLastTwelveMonths notifications visibility " +
    "nextExpectedTransactionDate store? visibilityOption cancellation amountToDisplay cancellationOption? iban?",
  ServicePayment: "id sourceTransactionId amount currency originalAmount originalCurrency date",
  Product: "title imageUrl type isGateway isUnknownStoreSubscription",
  Store: "type url",
  Cancellation: "directDebit equipmentBack moneyBack confirmationContent? freeTextMessage? endDate? abortReason?",
  UpcomingPayment:
    "serviceId expectedPaymentDate expectedPaymentCost currency expectedOriginalPaymentCost originalCurrency product accountId? cardId? additionalInfo?",
  MembershipAlert: "id source membershipAlertType product transaction",
  CrowdsourcingAlert:
    "id source type crowdsourceTime sourceTransactionId transaction product paymentFrequency amount currency originalAmount originalCurrency",
  ReportResponse: "documentId",
  BudgetCreateResponse: "id",
  Budget: `${budgetFields} createdTime`,
  BudgetDetails: `${budgetFields} nonrecurringTransactions nonrecurringSpending nonrecurringIncome nonrecurringExpenses`,
  BudgetSpending: "averages lows highs",
  BudgetAverageSpending: "lastMonth lastThreeMonths? lastTwelveMonths? months",
  BudgetMonthlySpending: "month amount?",
  Category: `${nodeFields} categories? notes?`,
  CategoryLeaf: `${nodeFields} expenses? notes?`,
  CategoryNote: "type message categories?",
  Expense:
    "id source currency title paymentFrequency paymentCost paymentCostMonthly averageLastThreeMonths averageLastTwelveMonths type imageUrl service categories transactions",
  BudgetIncome: `${nodeFields} categories income notes`,
  BudgetIncomeLeaf: `${nodeFields} categories income notes`,
  Income:
    "id title amount monthlyAmount averageLastThreeMonths averageLastTwelveMonths frequency currency imageUrl source type service categories transactions",
  BudgetService: "id paymentCost currency paymentFrequency totalPastYear product",
  BudgetProduct: "title imageUrl",
  BudgetAlert: "type? severity? message?",
  BudgetAccounts: "providerId? name? iban? bban? selectedStatus?",
  BudgetRiskIndicators: "description isMarked title type",
  BudgetUserData: "personal residence employment education transport expenses",
  BudgetActionResponse: "id title content skipped type expense? potentialCategories? category?",
};

/** "Resources and their fields", what callers write, and "Events", what a receiver is sent. */
export const written: Readonly<Record<string, string>> = {
  CreateUserRequest: "bankUserId brand locale details?",
  LoginRequest: "payload",
  TransactionsRequest: "reqId txs",
  Psd2InitiateRequest: "redirectUrl?",
  ServiceUpdateHiddenRequest: "hidden",
  CrowdsourcingRequest: "id paymentFrequency?",
  AccountsBalancesRequest: "accounts",
  ReportRequest: "type effectiveDate?",
  BudgetRequest: "userData?",
  BudgetUserDataRequest: "personal residence employment education transport expenses",
  BudgetAdjustCategoryRequest: "amount frequency",
  BudgetCoapplicantRequest: "type budgetId?",
  BudgetCompletionsRequest: "status",
  BudgetSkipRequest: "notApplicable",
  BudgetCommentRequest: "comment",
  BudgetReport: "reportId?",
  BudgetActionRequest: "categories type serviceId amount paymentFrequency transactionId title",
};

export const sent: Readonly<Record<string, string>> = {
  ReceiveNotificationRequest: "notification",
  Notification: "type country userId suggestedLocale payload texts data?",
  NotificationParams: "name params",
  NotificationTranslation: "title body",
};

/** Every enumeration, by schema and property. */
export const values: Readonly<Record<string, string>> = {
  "TransactionsErrorResponse.errorCode": "TX_DATA_ERROR SIGNATURE_ERROR DECRYPTION_ERROR UNKNOWN_ERROR",
  "Transaction.type": "CARD_PURCHASE CASH_WITHDRAWAL OTHER ACCOUNT_TRANSFER DIRECT_DEBIT INVOICE CASH_DEPOSIT UNKNOWN",
  "Service.paymentFrequency": "DAILY WEEKLY BIWEEKLY MONTHLY BIMONTHLY QUARTERLY HALFYEARLY YEARLY UNKNOWN",
  "Service.status": "ACTIVE INACTIVE UNDER_CANCELLATION CANCELLED",
  "Service.userActionsRequired": "CANCELLATION_NEED_MORE_INFO",
  "Service.notifications":
    "NEW_PAYMENT NEW_SUBSCRIPTION NEW_PAYMENT_CANCELLED_SUBSCRIPTION CANCELLATION_MORE_INFORMATION_REQUIRED CANCELLATION_CONFIRMED CANCELLATION_ABORTED",
  "Service.visibility": "VISIBLE HIDDEN UNDECIDED",
  "Service.visibilityOption": "ASK_TO_HIDE ASK_TO_SHOW ASK_BOTH HIDE",
  "Service.amountToDisplay": "TOTAL_LAST_TWELVE_MONTHS AMOUNT",
  "Service.cancellationOption": "POSSIBLE EXPLAIN_WHY_NOT STORE HIDE",
  "Product.type": "SUBSCRIPTION OTHER_RECURRING",
  "Store.type": "STORE_A STORE_B",
  "Cancellation.abortReason":
    "USER_NOT_RESPONDING USER_ABORTED COMPANY_NOT_RESPONDING COMPANY_NOT_ACCEPTING COMPANY_CANNOT_FIND_SUBSCRIPTION " +
    "USER_WRONG_INFORMATION_PROVIDED_MULTIPLE_TIMES BRANCH_UNKNOWN CONTINUATION_DEAL",
  "MembershipAlert.source": "MEMBERSHIP",
  "MembershipAlert.membershipAlertType": "WARNING",
  "CrowdsourcingAlert.source": "CROWDSOURCING",
  "CrowdsourcingAlert.type": "SUCCESS NOT_SUBSCRIPTION TECHNICAL_LIMITATION",
  "ReportRequest.type": "NEXT_OF_KIN",
  "Budget.status": "DRAFT READY ACCEPTED DENIED",
  "CategoryNote.type": "INCLUDES_OTHERS INCLUDED_IN_OTHERS EXPECTED_EMPTY EXPECTED_NONEMPTY",
  "Expense.source": "ENGINE ACTION DERIVED_FROM_TRANSACTIONS",
  "Expense.type": "SERVICE TRANSACTION RAW DERIVE DERIVED_FROM_TRANSACTIONS USER_PROVIDED",
  "BudgetAlert.type":
    "CATEGORIZATION_TARGET_NOT_MET MISSING_EXPENSES UNEXPECTED_EXPENSES GROUPED_CATEGORIES MISSING_ACCOUNTS REFERENCE_MISMATCH USER_PROVIDED_EXPENSES",
  "BudgetAlert.severity": "LOW MEDIUM HIGH",
  "BudgetAccounts.selectedStatus": "SELECTED DESELECTED UNDECIDED",
  "BudgetRiskIndicators.type": "EXCESSIVE_DISPOSABLE_INCOME DEBT_COLLECTION",
  "BudgetCoapplicantRequest.type": "SHARED_FINANCES SEPARATE_FINANCES",
  "BudgetCompletionsRequest.status": "ACCEPTED DENIED",
  "BudgetActionResponse.type": "RECATEGORIZATION MISSING_CATEGORY",
  "BudgetActionRequest.type": "SERVICE TRANSACTION RAW DERIVE DERIVED_FROM_TRANSACTIONS USER_PROVIDED",
  "CrowdsourcingRequest.paymentFrequency":
    "DAILY WEEKLY BIWEEKLY MONTHLY BIMONTHLY QUARTERLY HALFYEARLY YEARLY UNKNOWN",
  "BudgetAdjustCategoryRequest.frequency":
    "DAILY WEEKLY BIWEEKLY MONTHLY BIMONTHLY QUARTERLY HALFYEARLY YEARLY UNKNOWN",
  "BudgetUserDataRequest.personal.maritalStatus": "SINGLE MARRIED COHABITANT DIVORCED WIDOWED SEPARATED",
  "BudgetUserDataRequest.residence.ownership": "HOMEOWNER COOPERATIVE RENT PARENTS OTHER",
  "BudgetUserDataRequest.residence.type": "HOUSE APARTMENT ROOM",
  "BudgetUserDataRequest.employment.status": "EMPLOYED UNEMPLOYED RETIRED STUDENT APPRENTICE",
  "BudgetUserDataRequest.employment.type": "SALARIED PART_TIME HOURLY_WAGE SELF_EMPLOYED",
  "BudgetUserDataRequest.education.type":
    "ELEMENTARY SECONDARY VOCATIONAL HIGHER_SHORT HIGHER_MEDIUM HIGHER_LONG BACHELOR PHD",
  "BudgetUserDataRequest.transport.vehicles.ownership": "OWNED LEASED COMPANY",
  "Notification.type":
    "CANCELLATION_COMPLETED CANCELLATION_ABORTED CANCELLATION_MOREINFOREQUIRED NEW_SUBSCRIPTION NEW_PAYMENT_CANCELLED_SUBSCRIPTION NEW_PAYMENT PAYMENT_CHANGED " +
    "USER_UPDATE_REQUIRED BUDGET_CHANGED TEST_NOTIFICATION",
};

/** Objects within: all required but those with a `?`. */
export const within: Readonly<Record<string, string>> = {
  "AccountsBalancesRequest.accounts": "accountId accountName? observedTime balance",
  "BudgetAverageSpending.months": "month amount?",
  "BudgetActionRequest.categories": "id amount? paymentFrequency?",
  "BudgetUserData.personal": "children hasChildren maritalStatus dateOfBirth",
  "BudgetUserData.personal.children": "age",
  "BudgetUserData.residence": "ownership type occupancyDate hasVacationHome",
  "BudgetUserData.employment": "status type date unemploymentFund unemploymentInsuranceMonths",
  "BudgetUserData.education": "type",
  "BudgetUserData.transport": "vehicles hasVehicle hasVehile",
  "BudgetUserData.transport.vehicles": "ownership",
  "BudgetUserData.expenses": "share",
  "BudgetUserDataRequest.personal": "children hasChildren maritalStatus dateOfBirth",
  "BudgetUserDataRequest.personal.children": "age",
  "BudgetUserDataRequest.residence": "ownership type occupancyDate hasVacationHome",
  "BudgetUserDataRequest.employment": "status type date unemploymentFund unemploymentInsuranceMonths",
  "BudgetUserDataRequest.education": "type",
  // Of the flag's two names one is enough, as the first alternative says; the second says it of the other name.
  "BudgetUserDataRequest.transport": "vehicles hasVehicle hasVehile?",
  "BudgetUserDataRequest.transport.vehicles": "ownership",
  "BudgetUserDataRequest.expenses": "share",
};

/** "Limits" and patterns that the schemas state: schema, property, keyword, value. */
export const limits: readonly (readonly [string, string, string, unknown])[] = [
  ["CreateUserRequest", "locale", "pattern", "^[A-Za-z]{2,3}[-_]([A-Za-z]{2}|[0-9]{3})$"],
  ["TransactionsRequest", "reqId", "format", "uuid"],
  ["Transaction", "currency", "pattern", "^[A-Z]{3}$"],
  ["Service", "id", "format", "uuid"],
  ["Service", "payments", "minItems", 1],
  ["ServicePayment", "id", "type", "integer"],
  ["ServicePayment", "date", "format", "date"],
  ["Product", "imageUrl", "format", "uri"],
  ["UpcomingPayment", "expectedPaymentDate", "format", "date"],
  ["Psd2InitiateResponse", "url", "format", "uri"],
  ["Psd2InitiateResponse", "loginId", "format", "uuid"],
  ["AccountsBalancesRequest", "accounts", "minItems", 1],
  ["ReportResponse", "documentId", "format", "uuid"],
  ["BudgetCreateResponse", "id", "format", "uuid"],
  ["BudgetCommentRequest", "comment", "minLength", 1],
  ["BudgetCommentRequest", "comment", "maxLength", 65_535],
  ["BudgetReport", "reportId", "maxLength", 50],
  ["BudgetAverageSpending", "months", "minItems", 12],
  ["BudgetAverageSpending", "months", "maxItems", 12],
  ["BudgetActionResponse", "potentialCategories", "minItems", 2],
  ["BudgetAdjustCategoryRequest", "amount", "minimum", 0],
  ["BudgetUserDataRequest", "expenses.share", "minimum", 0],
  ["BudgetUserDataRequest", "expenses.share", "maximum", 100],
  ["BudgetUserDataRequest", "personal.dateOfBirth", "format", "date"],
  ["BudgetUserDataRequest", "personal.children.age", "type", "integer"],
  ["Notification", "country", "pattern", "^[A-Z]{2}$"],
];
