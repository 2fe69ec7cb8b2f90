/**
 * The interface's documents about budgets. Source: interface document, "Budgets". Fields are in the order of its
 * tables.
 */
import { type Static, Type } from "typebox";
import { budgetExtensions, detailsExtensions, expenseExtensions, incomeExtensions } from "./budget-extensions.ts";
import { paymentFrequencies } from "./payment-frequency.ts";
import { CurrencySchema as Currency } from "./record.ts";
import { PaymentFrequencySchema, TransactionSchema } from "./services.ts";
import { UserDataSchema } from "./user-data.ts";

const Uuid = Type.String({ format: "uuid" });
const Uri = Type.String({ format: "uri" });
const NullableNumber = Type.Union([Type.Number(), Type.Null()]);
const NullableString = Type.Union([Type.String(), Type.Null()]);

export const BudgetStatusSchema = Type.Enum(["DRAFT", "READY", "ACCEPTED", "DENIED"], { title: "BudgetStatus" });
const SourceSchema = Type.Enum(["ENGINE", "ACTION", "DERIVED_FROM_TRANSACTIONS"], {
  title: "BudgetTransactionalSource",
});
export const BudgetTransactionalTypeSchema = Type.Enum(
  ["SERVICE", "TRANSACTION", "RAW", "DERIVE", "DERIVED_FROM_TRANSACTIONS", "USER_PROVIDED"],
  { title: "BudgetTransactionalType" },
);

const CategoryNoteSchema = Type.Object(
  {
    type: Type.Enum(["INCLUDES_OTHERS", "INCLUDED_IN_OTHERS", "EXPECTED_EMPTY", "EXPECTED_NONEMPTY"], {
      title: "CategoryNoteType",
    }),
    message: Type.String(),
    categories: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  },
  { title: "CategoryNote" },
);

const BudgetServiceSchema = Type.Object(
  {
    id: Uuid,
    paymentCost: Type.Number(),
    currency: Currency,
    paymentFrequency: PaymentFrequencySchema,
    totalPastYear: Type.Number(),
    product: Type.Object({ title: Type.String(), imageUrl: Uri }, { title: "BudgetProduct" }),
  },
  { title: "BudgetService" },
);
const NullableService = Type.Union([BudgetServiceSchema, Type.Null()]);

export const ExpenseSchema = Type.Object(
  {
    id: Uuid,
    source: SourceSchema,
    currency: Currency,
    title: Type.String(),
    paymentFrequency: PaymentFrequencySchema,
    paymentCost: Type.Number(),
    paymentCostMonthly: Type.Number(),
    averageLastThreeMonths: Type.Number(),
    averageLastTwelveMonths: Type.Number(),
    type: BudgetTransactionalTypeSchema,
    imageUrl: Uri,
    service: NullableService,
    categories: Type.Array(Type.String()),
    transactions: Type.Array(TransactionSchema, {
      description: "Empty in a Budget, and for an amount that the user typed.",
    }),
    ...expenseExtensions,
  },
  { title: "Expense" },
);

/** The same as of payments, under the name that the interface gives it where an income tells it. */
const IncomeFrequencySchema = Type.Enum(paymentFrequencies, { title: "IncomeFrequency" });

const IncomeSchema = Type.Object(
  {
    id: Uuid,
    title: Type.String(),
    amount: Type.Number(),
    monthlyAmount: Type.Number(),
    averageLastThreeMonths: Type.Number(),
    averageLastTwelveMonths: Type.Number(),
    frequency: IncomeFrequencySchema,
    currency: Currency,
    imageUrl: Uri,
    source: SourceSchema,
    type: BudgetTransactionalTypeSchema,
    service: NullableService,
    categories: Type.Array(Type.String()),
    transactions: Type.Array(TransactionSchema),
    ...incomeExtensions,
  },
  { title: "Income" },
);

const nodeFields = {
  id: Type.String(),
  name: Type.String(),
  totalMonthlyAmount: Type.Number(),
  totalMonthlyAmountUserProvided: NullableNumber,
  averageLastThreeMonths: Type.Number(),
  averageLastTwelveMonths: Type.Number(),
};
const notes = Type.Array(CategoryNoteSchema);
/** The tree has two levels: groups, and leaves that hold the expenses. */
const LeafSchema = Type.Object(
  { ...nodeFields, expenses: Type.Array(ExpenseSchema), notes: Type.Optional(notes) },
  { title: "CategoryLeaf" },
);
const CategorySchema = Type.Object(
  { ...nodeFields, categories: Type.Array(LeafSchema), notes: Type.Optional(notes) },
  { title: "Category" },
);
const IncomeLeafSchema = Type.Object(
  { ...nodeFields, categories: Type.Array(Type.Object({}), { maxItems: 0 }), income: Type.Array(IncomeSchema), notes },
  { title: "BudgetIncomeLeaf" },
);
const BudgetIncomeSchema = Type.Object(
  { ...nodeFields, categories: Type.Array(IncomeLeafSchema), income: Type.Array(IncomeSchema), notes },
  { title: "BudgetIncome" },
);

const BudgetAlertSchema = Type.Object(
  {
    type: Type.Enum(
      [
        "CATEGORIZATION_TARGET_NOT_MET",
        "MISSING_EXPENSES",
        "UNEXPECTED_EXPENSES",
        "GROUPED_CATEGORIES",
        "MISSING_ACCOUNTS",
        "REFERENCE_MISMATCH",
        "USER_PROVIDED_EXPENSES",
      ],
      { title: "BudgetAlertType" },
    ),
    severity: Type.Enum(["LOW", "MEDIUM", "HIGH"], { title: "BudgetAlertSeverity" }),
    message: Type.String(),
  },
  { title: "BudgetAlert" },
);

const BudgetAccountSchema = Type.Object(
  {
    providerId: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    iban: Type.Optional(Type.String()),
    bban: Type.Optional(Type.String()),
    selectedStatus: Type.Enum(["SELECTED", "DESELECTED", "UNDECIDED"], { title: "BudgetAccountsSelectedStatus" }),
  },
  { title: "BudgetAccounts" },
);

const BudgetRiskIndicatorSchema = Type.Object(
  {
    description: Type.String(),
    isMarked: Type.Boolean(),
    title: Type.String(),
    type: Type.Enum(["EXCESSIVE_DISPOSABLE_INCOME", "DEBT_COLLECTION"], { title: "BudgetRiskIndicatorsType" }),
  },
  { title: "BudgetRiskIndicators" },
);

const figures = {
  totalMonthlyAmount: Type.Number(),
  totalMonthlyAmountUserProvided: NullableNumber,
  totalMonthlyIncome: Type.Number(),
  totalMonthlyIncomeUserProvided: NullableNumber,
  averageExpensesLastThreeMonths: Type.Number(),
  averageExpensesLastTwelveMonths: Type.Number(),
  averageIncomeLastThreeMonths: Type.Number(),
  averageIncomeLastTwelveMonths: Type.Number(),
  amountCategorized: Type.Number(),
  amountCategorizedUserProvided: NullableNumber,
  disposableIncome: NullableNumber,
  disposableIncomeUserProvided: NullableNumber,
  categorizationTarget: Type.Number({ description: "What amountCategorized must reach." }),
  categories: Type.Array(CategorySchema),
  uncategorized: Type.Array(ExpenseSchema),
  income: Type.Union([Type.Array(BudgetIncomeSchema), Type.Null()], {
    description: "Null when the brand shows no income.",
  }),
  alerts: Type.Array(BudgetAlertSchema),
  accounts: Type.Array(BudgetAccountSchema),
  userData: Type.Union([UserDataSchema, Type.Null()], { description: "Null when none was given." }),
  riskIndicators: Type.Union([Type.Array(BudgetRiskIndicatorSchema), Type.Null()], {
    description: "Null when the brand shows none.",
  }),
  comment: Type.String({ description: "Empty until one is written." }),
  unconvertedTransactions: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "Transactions that nothing converts into the brand's currency: they are in no figure. Absent when there is none.",
    }),
  ),
  ...budgetExtensions,
};

export const BudgetSchema = Type.Object(
  {
    id: Uuid,
    status: BudgetStatusSchema,
    createdTime: Type.String({
      pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$",
      description: "In the brand's time zone.",
    }),
    ...figures,
  },
  { title: "Budget" },
);

const BudgetAverageSpendingSchema = Type.Object(
  {
    lastMonth: Type.Number(),
    lastThreeMonths: NullableNumber,
    lastTwelveMonths: NullableNumber,
    months: Type.Array(
      Type.Object(
        { month: Type.String({ pattern: "^\\d{4}-\\d{2}$" }), amount: NullableNumber },
        { title: "BudgetMonthlySpending" },
      ),
      { minItems: 12, maxItems: 12 },
    ),
  },
  { title: "BudgetAverageSpending" },
);
const BudgetSpendingSchema = Type.Object(
  { averages: BudgetAverageSpendingSchema, lows: BudgetAverageSpendingSchema, highs: BudgetAverageSpendingSchema },
  { title: "BudgetSpending" },
);

export const BudgetDetailsSchema = Type.Object(
  {
    id: Uuid,
    status: BudgetStatusSchema,
    ...figures,
    nonrecurringTransactions: Type.Array(TransactionSchema),
    nonrecurringSpending: BudgetSpendingSchema,
    nonrecurringIncome: BudgetSpendingSchema,
    nonrecurringExpenses: BudgetSpendingSchema,
    ...detailsExtensions,
  },
  { title: "BudgetDetails" },
);

export const BudgetActionResponseSchema = Type.Object(
  {
    id: Uuid,
    title: Type.String(),
    content: Type.String(),
    skipped: Type.Boolean(),
    type: Type.Enum(["RECATEGORIZATION", "MISSING_CATEGORY"], { title: "BudgetActionType" }),
    expense: Type.Optional(ExpenseSchema),
    potentialCategories: Type.Optional(Type.Array(Type.String(), { minItems: 2 })),
    category: Type.Optional(Type.String()),
  },
  { title: "BudgetActionResponse" },
);

const amountMax = 1e12;
const Amount = Type.Number({ minimum: 0, maximum: amountMax, description: "In the brand's currency." });
const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);
const categoriesMax = 20;
const titleLengthMax = 200;
/** Text that the database stores: it holds no NUL, and no half of a surrogate pair. */
export const storableText = "^[^\\u0000\\ud800-\\udfff]*$";

export const BudgetActionRequestSchema = Type.Object(
  {
    categories: Type.Array(
      Type.Object(
        {
          id: Type.String({ minLength: 1 }),
          amount: Type.Optional(Nullable(Amount)),
          paymentFrequency: Type.Optional(Nullable(PaymentFrequencySchema)),
        },
        { title: "BudgetActionCategory" },
      ),
      {
        minItems: 1,
        maxItems: categoriesMax,
        description: "One moves the payment; several with amounts split it, several without are covered by it.",
      },
    ),
    type: BudgetTransactionalTypeSchema,
    serviceId: Type.Optional(NullableString),
    amount: Type.Optional(Nullable(Amount)),
    paymentFrequency: Type.Optional(Nullable(PaymentFrequencySchema)),
    transactionId: Type.Optional(NullableString),
    title: Type.Optional(Nullable(Type.String({ maxLength: titleLengthMax, pattern: storableText }))),
  },
  { title: "BudgetActionRequest" },
);

export const BudgetAdjustCategoryRequestSchema = Type.Object(
  { amount: Amount, frequency: PaymentFrequencySchema },
  { title: "BudgetAdjustCategoryRequest" },
);

export type BudgetDocument = Static<typeof BudgetSchema>;
export type BudgetDetailsDocument = Static<typeof BudgetDetailsSchema>;
export type Expense = Static<typeof ExpenseSchema>;
export type Income = Static<typeof IncomeSchema>;
export type BudgetActionResponse = Static<typeof BudgetActionResponseSchema>;
export type BudgetActionRequest = Static<typeof BudgetActionRequestSchema>;
export type CategoryDocument = Static<typeof CategorySchema>;
export type IncomeDocument = Static<typeof BudgetIncomeSchema>;
export type SpendingDocument = Static<typeof BudgetSpendingSchema>;
