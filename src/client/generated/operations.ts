/** The interface's operations. Generated from the OpenAPI document by `npm run openapi`: not to be edited. */

import type { CallOptions } from "../call-options.ts";
import type { AccountsBalancesRequest, AccountsRequest, AlertSeenRequest, Budget, BudgetActionRequest, BudgetActionResponse, BudgetAdjustCategoryRequest, BudgetCategories, BudgetCoapplicantRequest, BudgetCommentRequest, BudgetCompletionsRequest, BudgetCreateResponse, BudgetDebtsRequest, BudgetDetails, BudgetReport, BudgetRequest, BudgetSkipRequest, BudgetUserData, BudgetUserDataRequest, CrowdsourcingRequest, Expense, IncomeResponse, Psd2Confirmation, Psd2InitiateRequest, Psd2InitiateResponse, ReportRequest, ReportResponse, Service, ServiceResponse, ServiceUpdateHiddenRequest, Transaction, UpcomingPayment } from "./schemas.ts";

/** What is called in a user's name: by parameters of path and query, with `body` among them. */
export type UserOperations = {
  /** Delete the token's user. The token stops at once, and nothing of the user is told any more. Data is removed when the retention policy allows. */
  deleteUser(parameters?: {}, options?: CallOptions): Promise<void>;
  /** List debited transactions. Money leaving, newest first; what came back of it only where that is asked for. A request body is ignored. The query parameters are additions to the interface. */
  listTransactions(parameters?: { from?: string; to?: string; limit?: number; include?: "refunds" }, options?: CallOptions): Promise<Transaction[]>;
  /** List recurring payments. Everything that was recognised, hidden ones apart, with the alerts that nobody has seen. */
  listServices(parameters?: { visibility?: "VISIBLE" | "HIDDEN" }, options?: CallOptions): Promise<ServiceResponse>;
  /** List recurring income. Extension of this service. Every series of payments from one payer that was recognised, with what is told of recurring payments beyond the interface; 404 where the brand shows no income. */
  listIncome(parameters?: {}, options?: CallOptions): Promise<IncomeResponse>;
  /** Read one recurring payment. The obligation with its payments, whatever its visibility. */
  getService(parameters: { serviceId: string }, options?: CallOptions): Promise<Service>;
  /** Hide or show a recurring payment. The user's decision outlives later recognition. Showing also confirms an undecided one. Reads tell the new state at once. */
  setServiceHidden(parameters: { serviceId: string; body: ServiceUpdateHiddenRequest }, options?: CallOptions): Promise<void>;
  /** List the next expected payments. One for each active recurring payment, by date; sporadic payments are left out. */
  listUpcomingPayments(parameters?: {}, options?: CallOptions): Promise<UpcomingPayment[]>;
  /** Call a transaction a subscription. When it is answered, services tell the outcome, as an alert and as the service it confirms or makes. Sending it again changes nothing. */
  submitCrowdsourcing(parameters: { body: CrowdsourcingRequest }, options?: CallOptions): Promise<void>;
  /** Mark alerts as seen. They no longer show. Ids that are unknown are ignored. */
  setAlertsSeen(parameters: { body: AlertSeenRequest }, options?: CallOptions): Promise<void>;
  /** Create a budget. A user may have many; each call makes a new one. */
  createBudget(parameters?: { body?: BudgetRequest }, options?: CallOptions): Promise<BudgetCreateResponse>;
  /** Read a budget. Its expenses are without their transactions. */
  getBudget(parameters: { budgetId: string }, options?: CallOptions): Promise<Budget>;
  /** Read a budget with its transactions. As the budget, each expense with the transactions that it is made of. */
  getBudgetDetails(parameters: { budgetId: string }, options?: CallOptions): Promise<BudgetDetails>;
  /** Read one expense with its transactions. One group of the budget's expenses. */
  getBudgetExpense(parameters: { budgetId: string; expenseId: string }, options?: CallOptions): Promise<Expense>;
  /** Read what the household says of itself. 404 while the household has said nothing. */
  getBudgetUserData(parameters: { budgetId: string }, options?: CallOptions): Promise<BudgetUserData>;
  /** Say what the household is like. Replaces what was said before. */
  setBudgetUserData(parameters: { budgetId: string; body: BudgetUserDataRequest }, options?: CallOptions): Promise<Budget>;
  /** Write the comment. Replaces the one that is there. */
  setBudgetComment(parameters: { budgetId: string; body: BudgetCommentRequest }, options?: CallOptions): Promise<void>;
  /** Accept or deny. Keeps the budget as it is for good: new transactions no longer change it. Later calls change the outcome; edits are kept as revisions. */
  completeBudget(parameters: { budgetId: string; body: BudgetCompletionsRequest }, options?: CallOptions): Promise<void>;
  /** Give the remaining debts. Extension of this service, not in the interface document. Remaining debt, rate and term, which no account tells: the budget's details then say debt to income and what stressed payments would leave. Logged; an empty list takes it back. */
  setBudgetDebts(parameters: { budgetId: string; body: BudgetDebtsRequest }, options?: CallOptions): Promise<Budget>;
  /** Give a category's amount. Of a group, or of one of its categories, expenses and income alike; the group's wins. */
  adjustBudgetCategory(parameters: { budgetId: string; categoryId: string; body: BudgetAdjustCategoryRequest }, options?: CallOptions): Promise<Budget>;
  /** Take the given amount back. The category's amount is again what the transactions say. */
  removeBudgetAdjustment(parameters: { budgetId: string; categoryId: string }, options?: CallOptions): Promise<Budget>;
  /** Read the next question. Those that were skipped come last. */
  getNextQuestion(parameters: { budgetId: string }, options?: CallOptions): Promise<BudgetActionResponse>;
  /** Answer a question. Moves a payee's payments, past and future, to a category of this budget, or adds what is missing. Answering again replaces the answer. */
  answerQuestion(parameters: { budgetId: string; actionId: string; body: BudgetActionRequest }, options?: CallOptions): Promise<void>;
  /** Undo an answer. In any order; without an answer nothing is undone. Without a body the question is open again. */
  undoAnswer(parameters: { budgetId: string; actionId: string; body?: BudgetSkipRequest }, options?: CallOptions): Promise<void>;
  /** Put a question off. It is asked again when there is no other. */
  skipQuestion(parameters: { budgetId: string; actionId: string }, options?: CallOptions): Promise<void>;
  /** Say who applies together. SHARED_FINANCES: this budget speaks for both. SEPARATE_FINANCES: another budget of the partner speaks for the other, from when its own user has named this one as well; either call is answered 200. No figure changes. Replaces what this user said before, and nothing that the other did. */
  setCoapplicant(parameters: { budgetId: string; body: BudgetCoapplicantRequest }, options?: CallOptions): Promise<void>;
  /** Make a budget's report. Basis for a creditworthiness assessment. The same bytes as long as nothing about the budget changes. */
  makeBudgetReport(parameters: { budgetId: string; body?: BudgetReport }, options?: CallOptions): Promise<Uint8Array>;
  /** Ask for a report. It is made of the transactions present. Asking again before it is begun answers the same documentId. */
  requestReport(parameters: { body: ReportRequest }, options?: CallOptions): Promise<ReportResponse>;
  /** Fetch a report. 202 until it is made. It is kept for 30 days. */
  readReport(parameters: { documentId: string }, options?: CallOptions): Promise<Uint8Array>;
  /** Remove access to every account not listed. Their transactions leave every read and figure before this answers. Ids without an account are kept in mind for batches on their way. Access comes back with a batch that is accepted later and names the account. */
  keepAccounts(parameters: { body: AccountsRequest }, options?: CallOptions): Promise<void>;
  /** Tell balances and names of accounts. Balances and given names overwrite what was known; missing accounts are created. Open budgets show the names when this answers. An account whose access was removed stays removed. */
  putAccountBalances(parameters: { body: AccountsBalancesRequest }, options?: CallOptions): Promise<void>;
  /** Begin to connect a bank. The page works for half an hour, once, and in the browser alone that confirmed it. At its end the browser goes to redirectUrl with psd2Status=SUCCESS, ABORTED or UNKNOWN added, or stays on a page that can be closed. */
  initiatePsd2(parameters?: { body?: Psd2InitiateRequest }, options?: CallOptions): Promise<Psd2InitiateResponse>;
  /** Confirm a connected bank. An addition to the interface, for partners with the setting psd2RequiresConfirmation: the bank counts from this call on, made for the user whose session the redirect came back to. */
  confirmPsd2(parameters: { body: Psd2Confirmation }, options?: CallOptions): Promise<void>;
  /** List the categories of budgets. Ids are opaque, never used again, and unique over expenses and income. */
  listBudgetCategories(parameters?: {}, options?: CallOptions): Promise<BudgetCategories>;
};

export const operations = {
  createUser: {"method":"POST","path":"/users","query":[],"answers":"nothing","waits":false},
  deleteUser: {"method":"DELETE","path":"/users","query":[],"answers":"nothing","waits":false},
  logIn: {"method":"POST","path":"/users/logins","query":[],"answers":"json","waits":false},
  listEncryptionKeys: {"method":"GET","path":"/.well-known/jwks.json","query":[],"answers":"json","waits":false},
  listTransactions: {"method":"GET","path":"/transactions","query":["from","to","limit","include"],"answers":"json","waits":false},
  pushTransactions: {"method":"POST","path":"/transactions","query":[],"answers":"nothing","waits":false},
  listServices: {"method":"GET","path":"/services","query":["visibility"],"answers":"json","waits":true},
  listIncome: {"method":"GET","path":"/income","query":[],"answers":"json","waits":true},
  getService: {"method":"GET","path":"/services/{serviceId}","query":[],"answers":"json","waits":false},
  setServiceHidden: {"method":"PUT","path":"/services/{serviceId}/hidden","query":[],"answers":"nothing","waits":false},
  listUpcomingPayments: {"method":"GET","path":"/upcoming-payments","query":[],"answers":"json","waits":false},
  submitCrowdsourcing: {"method":"POST","path":"/crowdsourcing","query":[],"answers":"nothing","waits":false},
  setAlertsSeen: {"method":"PUT","path":"/alerts/seen","query":[],"answers":"nothing","waits":false},
  createBudget: {"method":"POST","path":"/budgets","query":[],"answers":"json","waits":false},
  getBudget: {"method":"GET","path":"/budgets/{budgetId}","query":[],"answers":"json","waits":true},
  getBudgetDetails: {"method":"GET","path":"/budgets/{budgetId}/details","query":[],"answers":"json","waits":true},
  getBudgetExpense: {"method":"GET","path":"/budgets/{budgetId}/expenses/{expenseId}","query":[],"answers":"json","waits":false},
  getBudgetUserData: {"method":"GET","path":"/budgets/{budgetId}/user-data","query":[],"answers":"json","waits":false},
  setBudgetUserData: {"method":"POST","path":"/budgets/{budgetId}/user-data","query":[],"answers":"json","waits":false},
  setBudgetComment: {"method":"POST","path":"/budgets/{budgetId}/comment","query":[],"answers":"nothing","waits":false},
  completeBudget: {"method":"POST","path":"/budgets/{budgetId}/completions","query":[],"answers":"nothing","waits":false},
  setBudgetDebts: {"method":"PUT","path":"/budgets/{budgetId}/debts","query":[],"answers":"json","waits":false},
  adjustBudgetCategory: {"method":"POST","path":"/budgets/{budgetId}/categories/{categoryId}/adjustments","query":[],"answers":"json","waits":false},
  removeBudgetAdjustment: {"method":"DELETE","path":"/budgets/{budgetId}/categories/{categoryId}/adjustments","query":[],"answers":"json","waits":false},
  getNextQuestion: {"method":"GET","path":"/budgets/{budgetId}/questions/next","query":[],"answers":"json","waits":false},
  answerQuestion: {"method":"POST","path":"/budgets/{budgetId}/questions/{actionId}","query":[],"answers":"nothing","waits":false},
  undoAnswer: {"method":"DELETE","path":"/budgets/{budgetId}/questions/{actionId}","query":[],"answers":"nothing","waits":false},
  skipQuestion: {"method":"POST","path":"/budgets/{budgetId}/questions/{actionId}/skips","query":[],"answers":"nothing","waits":false},
  setCoapplicant: {"method":"POST","path":"/budgets/{budgetId}/coapplicants","query":[],"answers":"nothing","waits":false},
  makeBudgetReport: {"method":"POST","path":"/budgets/{budgetId}/report","query":[],"answers":"bytes","waits":false},
  requestReport: {"method":"POST","path":"/reports","query":[],"answers":"json","waits":false},
  readReport: {"method":"GET","path":"/reports/{documentId}","query":[],"answers":"bytes","waits":true},
  keepAccounts: {"method":"PUT","path":"/accounts","query":[],"answers":"nothing","waits":false},
  putAccountBalances: {"method":"PUT","path":"/accounts-balances","query":[],"answers":"nothing","waits":false},
  initiatePsd2: {"method":"POST","path":"/psd2/initiate","query":[],"answers":"json","waits":false},
  confirmPsd2: {"method":"POST","path":"/psd2/confirmations","query":[],"answers":"nothing","waits":false},
  listBudgetCategories: {"method":"GET","path":"/budget-categories","query":[],"answers":"json","waits":false},
} as const;
