/** The folded budget as the interface's documents: amounts become JSON numbers here and nowhere else. Pure. */
import { toNumber } from "../money.ts";
import { detailExtensionsOf, extensionsOf } from "./extension-documents.ts";
import type { BudgetAccount, CategoryNode, FoldedBudget, Item, Note, Question, Spending } from "./budget.ts";
import type {
  BudgetActionResponse,
  BudgetDetailsDocument,
  BudgetDocument,
  CategoryDocument,
  Expense,
  Income,
  IncomeDocument,
  SpendingDocument,
} from "../interface/budgets.ts";

type Render = { number(minor: number): number; currency: string; withTransactions: boolean };

/** Without the transactions of its expenses. */
export function budgetDocument(folded: FoldedBudget): BudgetDocument {
  const budget = shownOf(folded);
  const { id, status, createdTime } = budget;
  return { id, status, createdTime, ...figuresOf(budget, renderIn(budget.currency, false)) };
}

export function detailsDocument(folded: FoldedBudget): BudgetDetailsDocument {
  const budget = shownOf(folded);
  const render = renderIn(budget.currency, true);
  return {
    id: budget.id,
    status: budget.status,
    ...figuresOf(budget, render),
    nonrecurringTransactions: [...budget.nonrecurringTransactions],
    nonrecurringSpending: spendingDocument(budget.nonrecurringSpending, render),
    nonrecurringIncome: spendingDocument(budget.nonrecurringIncome, render),
    nonrecurringExpenses: spendingDocument(budget.nonrecurringExpenses, render),
    ...detailExtensionsOf(budget, render.number),
  };
}

/**
 * As the brand lets it be shown. Where income is not enabled, no field may tell of any, nor a difference between two:
 * null where the interface allows it, else 0. What came back of an expense stays with it, for its figure is net of that.
 */
function shownOf(budget: FoldedBudget): FoldedBudget {
  if (budget.income !== null) return budget;
  return {
    ...budget,
    totalMonthlyIncomeMinor: 0,
    totalMonthlyIncomeUserProvidedMinor: null,
    averageIncomeLastThreeMonthsMinor: 0,
    averageIncomeLastTwelveMonthsMinor: 0,
    disposableIncomeMinor: null,
    disposableIncomeUserProvidedMinor: null,
    nonrecurringTransactions: budget.nonrecurringTransactions.filter(({ amount }) => amount < 0),
    nonrecurringSpending: budget.nonrecurringExpenses,
    nonrecurringIncome: emptied(budget.nonrecurringIncome),
    // Sums with the income in them.
    reconciliation: null,
    comparison: null,
    // Balances and shares of the income among it.
    credit: null,
    riskIndicators:
      budget.riskIndicators?.map((risk) =>
        // Its sentence names what is left of the income.
        risk.type === "EXCESSIVE_DISPOSABLE_INCOME" ? { ...risk, description: risk.title } : risk,
      ) ?? null,
    additionalRiskIndicators:
      budget.additionalRiskIndicators?.map((risk) =>
        risk.type === "DEBT_SERVICE" || risk.type === "GAMBLING" ? { ...risk, description: risk.title } : risk,
      ) ?? null,
  };
}

function emptied({ averages, lows, highs }: Spending): Spending {
  const empty = ({ months }: Spending["averages"]) => ({
    lastMonthMinor: 0,
    lastThreeMonthsMinor: null,
    lastTwelveMonthsMinor: null,
    months: months.map(({ month }) => ({ month, amountMinor: null })),
  });
  return { averages: empty(averages), lows: empty(lows), highs: empty(highs) };
}

/** Every expense of the budget with its transactions, by id. */
export function expenseDocuments(budget: FoldedBudget): Record<string, Expense> {
  const render = renderIn(budget.currency, true);
  const items = [...leavesOf(budget.categories).flatMap((leaf) => leaf.items), ...budget.uncategorized];
  return Object.fromEntries(items.map((item) => [item.id, expenseDocument(item, render)]));
}

export function questionDocument(
  { id, title, content, skipped, type, item, potentialCategories, category }: Question,
  currency: string,
): BudgetActionResponse {
  return {
    id,
    title,
    content,
    skipped,
    type,
    ...(item === null ? {} : { expense: expenseDocument(item, renderIn(currency, true)) }),
    ...(potentialCategories === null ? {} : { potentialCategories: [...potentialCategories] }),
    ...(category === null ? {} : { category }),
  };
}

function renderIn(currency: string, withTransactions: boolean): Render {
  return { number: (minor) => toNumber({ minor, currency }), currency, withTransactions };
}

function figuresOf(budget: FoldedBudget, render: Render): Omit<BudgetDocument, "id" | "status" | "createdTime"> {
  const { number } = render;
  const orNull = (minor: number | null): number | null => (minor === null ? null : number(minor));
  return {
    totalMonthlyAmount: number(budget.totalMonthlyMinor),
    totalMonthlyAmountUserProvided: orNull(budget.totalMonthlyUserProvidedMinor),
    totalMonthlyIncome: number(budget.totalMonthlyIncomeMinor),
    totalMonthlyIncomeUserProvided: orNull(budget.totalMonthlyIncomeUserProvidedMinor),
    averageExpensesLastThreeMonths: number(budget.averageExpensesLastThreeMonthsMinor),
    averageExpensesLastTwelveMonths: number(budget.averageExpensesLastTwelveMonthsMinor),
    averageIncomeLastThreeMonths: number(budget.averageIncomeLastThreeMonthsMinor),
    averageIncomeLastTwelveMonths: number(budget.averageIncomeLastTwelveMonthsMinor),
    amountCategorized: number(budget.amountCategorizedMinor),
    amountCategorizedUserProvided: orNull(budget.amountCategorizedUserProvidedMinor),
    disposableIncome: orNull(budget.disposableIncomeMinor),
    disposableIncomeUserProvided: orNull(budget.disposableIncomeUserProvidedMinor),
    categorizationTarget: number(budget.categorizationTargetMinor),
    categories: budget.categories.map((node) => categoryDocument(node, render)),
    uncategorized: budget.uncategorized.map((item) => expenseDocument(item, render)),
    income: budget.income?.map((node) => incomeGroup(node, render)) ?? null,
    alerts: budget.alerts.map(({ type, severity, message }) => ({ type, severity, message })),
    accounts: budget.accounts.map(accountDocument),
    userData: budget.userData,
    riskIndicators:
      budget.riskIndicators?.map(({ description, isMarked, title, type }) => ({
        description,
        isMarked,
        title,
        type,
      })) ?? null,
    comment: budget.comment,
    ...extensionsOf(budget, number, render.withTransactions),
    ...(budget.unconvertedTransactions === 0 ? {} : { unconvertedTransactions: budget.unconvertedTransactions }),
  };
}

function nodeFields(node: CategoryNode, { number }: Render) {
  return {
    id: node.id,
    name: node.name,
    totalMonthlyAmount: number(node.totalMonthlyMinor),
    totalMonthlyAmountUserProvided:
      node.totalMonthlyUserProvidedMinor === null ? null : number(node.totalMonthlyUserProvidedMinor),
    averageLastThreeMonths: number(node.averageLastThreeMonthsMinor),
    averageLastTwelveMonths: number(node.averageLastTwelveMonthsMinor),
  };
}

function categoryDocument(node: CategoryNode, render: Render): CategoryDocument {
  const leaves = node.children.map((leaf) => ({
    ...nodeFields(leaf, render),
    expenses: leaf.items.map((item) => expenseDocument(item, render)),
    ...notesIfAny(leaf.notes),
  }));
  return { ...nodeFields(node, render), categories: leaves, ...notesIfAny(node.notes) };
}

/** Unlike expenses, incomes have all their lists. */
function incomeGroup(node: CategoryNode, render: Render): IncomeDocument {
  const leaves = node.children.map((leaf) => ({
    ...nodeFields(leaf, render),
    categories: [],
    income: leaf.items.map((item) => incomeDocument(item, render)),
    notes: leaf.notes.map(noteDocument),
  }));
  return { ...nodeFields(node, render), categories: leaves, income: [], notes: node.notes.map(noteDocument) };
}

function notesIfAny(notes: readonly Note[]): { notes?: ReturnType<typeof noteDocument>[] } {
  return notes.length === 0 ? {} : { notes: notes.map(noteDocument) };
}

function noteDocument({ type, message, categories }: Note) {
  return { type, message, ...(categories === null ? {} : { categories: [...categories] }) };
}

function expenseDocument(item: Item, render: Render): Expense {
  const { number, currency, withTransactions } = render;
  return {
    id: item.id,
    source: item.source,
    currency,
    title: item.title,
    paymentFrequency: item.paymentFrequency,
    paymentCost: number(item.paymentCostMinor),
    paymentCostMonthly: number(item.paymentCostMonthlyMinor),
    averageLastThreeMonths: number(item.averageLastThreeMonthsMinor),
    averageLastTwelveMonths: number(item.averageLastTwelveMonthsMinor),
    type: item.type,
    imageUrl: item.imageUrl,
    service: serviceDocument(item, render),
    categories: [...item.categories],
    transactions: withTransactions ? [...item.transactions] : [],
    ...(item.overdue === null ? {} : { expectedSince: item.overdue.since }),
  };
}

function incomeDocument(item: Item, render: Render): Income {
  const { number, currency, withTransactions } = render;
  return {
    id: item.id,
    title: item.title,
    amount: number(item.paymentCostMinor),
    monthlyAmount: number(item.paymentCostMonthlyMinor),
    averageLastThreeMonths: number(item.averageLastThreeMonthsMinor),
    averageLastTwelveMonths: number(item.averageLastTwelveMonthsMinor),
    frequency: item.paymentFrequency,
    currency,
    imageUrl: item.imageUrl,
    source: item.source,
    type: item.type,
    service: serviceDocument(item, render),
    categories: [...item.categories],
    transactions: withTransactions ? [...item.transactions] : [],
    ...(item.income === null ? {} : { certainty: item.income.class }),
  };
}

function serviceDocument({ service }: Item, { number, currency }: Render): Expense["service"] {
  if (service === null) return null;
  const { id, paymentCostMinor, paymentFrequency, totalPastYearMinor, productTitle, imageUrl } = service;
  return {
    id,
    paymentCost: number(paymentCostMinor),
    currency,
    paymentFrequency,
    totalPastYear: number(totalPastYearMinor),
    product: { title: productTitle, imageUrl },
  };
}

function accountDocument({
  providerId,
  name,
  iban,
  bban,
  selectedStatus,
}: BudgetAccount): BudgetDocument["accounts"][number] {
  return {
    ...(providerId === "" ? {} : { providerId }),
    name,
    ...(iban === null ? {} : { iban }),
    ...(bban === null ? {} : { bban }),
    selectedStatus,
  };
}

function spendingDocument(spending: Spending, { number }: Render): SpendingDocument {
  const orNull = (minor: number | null): number | null => (minor === null ? null : number(minor));
  const of = ({ lastMonthMinor, lastThreeMonthsMinor, lastTwelveMonthsMinor, months }: Spending["averages"]) => ({
    lastMonth: number(lastMonthMinor),
    lastThreeMonths: orNull(lastThreeMonthsMinor),
    lastTwelveMonths: orNull(lastTwelveMonthsMinor),
    months: months.map(({ month, amountMinor }) => ({ month, amount: orNull(amountMinor) })),
  });
  return { averages: of(spending.averages), lows: of(spending.lows), highs: of(spending.highs) };
}

export function leavesOf(nodes: readonly CategoryNode[]): CategoryNode[] {
  return nodes.flatMap((node) => (node.children.length === 0 ? [node] : leavesOf(node.children)));
}
