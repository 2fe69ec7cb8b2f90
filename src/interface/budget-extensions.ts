/**
 * What this service says of budgets beyond the interface document. Every field of it is additive: a document that was
 * made before it does not have it, and a client that does not know it loses nothing.
 */
import { type Static, Type } from "typebox";
import { TransactionSchema } from "./services.ts";

const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);
const Day = Type.String({ format: "date" });
const extension = "Extension of this service, not in the interface document.";
/** Says of itself that the interface does not have it. */
const extended = (text: string): string => `${extension} ${text}`;

export const AdditionalRiskIndicatorSchema = Type.Object(
  {
    description: Type.String(),
    isMarked: Type.Boolean(),
    title: Type.String(),
    type: Type.Enum(
      [
        "ARREARS",
        "NEW_CREDIT",
        "PAY_LATER",
        "GAMBLING",
        "OVERDRAFT",
        "REJECTED_PAYMENTS",
        "DEBT_SERVICE",
        "NEGATIVE_BALANCE",
      ],
      { title: "AdditionalRiskIndicatorType" },
    ),
  },
  { title: "AdditionalRiskIndicator", description: extended("Of the shape of BudgetRiskIndicator.") },
);

const StoppedSchema = Type.Object(
  {
    title: Type.String(),
    side: Type.Enum(["EXPENSE", "INCOME"], { title: "BudgetSide" }),
    categories: Type.Array(Type.String()),
    monthlyAmount: Type.Number({ description: "What it was a month." }),
    reason: Type.Enum(["PAID_OFF", "REPLACED", "MOVED", "CANCELLED", "STOPPED", "TIME"], { title: "StoppedReason" }),
    expectedSince: Day,
    lastPaymentDate: Day,
    transactions: Type.Array(TransactionSchema, { description: "Empty in a Budget." }),
  },
  { title: "StoppedPayment", description: extended("A recurring payment or income that is paid no more.") },
);

export const expenseExtensions = {
  expectedSince: Type.Optional(
    Type.Union([Day, Type.Null()], {
      description: extended("Since when a recurring payment is due and not seen; null where none is."),
    }),
  ),
};
export const incomeExtensions = {
  certainty: Type.Optional(
    Type.Enum(["CERTAIN", "IRREGULAR", "EXTRA", "GIVEN"], {
      title: "IncomeCertainty",
      description: extended(
        "CERTAIN: regular. IRREGULAR: in six months and more without a cadence; a share of it counts. EXTRA: a thirteenth month, holiday pay or a bonus, spread over the year. GIVEN: typed.",
      ),
    }),
  ),
};

export const budgetExtensions = {
  statusReason: Type.Optional(
    Type.Union(
      [
        Type.Enum(["NOT_INITIALISED", "TOO_FEW_MONTHS", "OPEN_QUESTIONS"], { title: "BudgetStatusReason" }),
        Type.Null(),
      ],
      {
        description: extended("Why the budget is a DRAFT; null for every other status."),
      },
    ),
  ),
  incomeCertain: Type.Optional(
    Nullable(Type.Number({ description: extended("Of totalMonthlyIncome: what is regular, and what was given.") })),
  ),
  incomeIrregular: Type.Optional(
    Nullable(Type.Number({ description: extended("Of totalMonthlyIncome: what counts of irregular incomes.") })),
  ),
  additionalRiskIndicators: Type.Optional(
    Type.Union([Type.Array(AdditionalRiskIndicatorSchema), Type.Null()], {
      description: extended("Null where riskIndicators is."),
    }),
  ),
  stopped: Type.Optional(Type.Array(StoppedSchema, { description: extended("Latest first.") })),
};

const TermSchema = Type.Object(
  {
    term: Type.Enum(
      [
        "INCOME",
        "ONE_OFF_INCOME",
        "EXPENSES",
        "ONE_OFF_EXPENSES",
        "OWN_TRANSFER",
        "CARD_SETTLEMENT",
        "REFUNDED",
        "LOAN_PAYOUT",
        "WINNINGS",
      ],
      { title: "ReconciliationTermName" },
    ),
    amount: Type.Number(),
    transactionIds: Type.Array(Type.String(), { description: "All that the amount is made of, oldest first." }),
  },
  { title: "ReconciliationTerm" },
);
const ReconciliationSchema = Type.Object(
  {
    terms: Type.Array(TermSchema),
    excludedTransactions: Type.Array(TransactionSchema, { description: "Those of the excluded terms." }),
    total: Type.Number({ description: "Sum of all bank amounts of the covered months." }),
    months: Type.Integer({ description: "How many months are covered." }),
    balanceChange: Nullable(Type.Number({ description: "Of accounts whose balance is known at both ends." })),
    balanceMissing: Nullable(
      Type.Number({ description: "By how much two observed balances differ from the rows between them." }),
    ),
  },
  {
    title: "BudgetReconciliation",
    description: extended(
      "INCOME + ONE_OFF_INCOME − EXPENSES − ONE_OFF_EXPENSES + the excluded terms with their sign = total, to the minor unit.",
    ),
  },
);
const ComparisonSchema = Type.Object(
  {
    verdict: Type.Enum(["AGREES", "BETTER", "WORSE", "UNKNOWN"], { title: "BudgetComparisonVerdict" }),
    budget: Type.Number({ description: "What the budget leaves a month." }),
    accounts: Type.Number({ description: "What the accounts kept a month." }),
    income: Type.Number({ description: "By how much the budgeted income exceeds the regular one that was seen." }),
    expenses: Type.Number({ description: "By how much the regular expenses that were seen exceed the budgeted." }),
    oneOff: Type.Number({ description: "What went once less what came once." }),
  },
  { title: "BudgetComparison", description: extended("budget − accounts = income + expenses + oneOff.") },
);
const EvidenceSchema = Type.Object(
  {
    count: Type.Integer({ description: "In the twelve months." }),
    amount: Type.Number(),
    sinceCount: Type.Integer({ description: "In the running month." }),
    sinceAmount: Type.Number(),
    transactions: Type.Array(TransactionSchema),
  },
  { title: "CreditEvidence" },
);
const LoanSchema = Type.Object(
  {
    title: Type.String(),
    category: Type.String(),
    monthlyAmount: Type.Number(),
    payments: EvidenceSchema,
    firstPaymentDate: Nullable(Day),
    isNew: Type.Boolean({ description: "Its payments began in the twelve months." }),
    remainingPayments: Nullable(Type.Integer({ description: "By a counter in the bank's text." })),
    expectedSince: Nullable(Day),
  },
  { title: "CreditLoan" },
);
const debtFields = {
  title: Type.String(),
  remainingAmount: Type.Number({ minimum: 0, maximum: 1e12 }),
  interestRate: Type.Number({ minimum: 0, maximum: 100, description: "Per cent a year." }),
  termMonths: Type.Integer({ minimum: 1, maximum: 720 }),
};
const EnteredSchema = Type.Object(
  {
    debts: Type.Array(
      Type.Object(
        {
          ...debtFields,
          monthlyAmount: Type.Number(),
          stressedInterestRate: Type.Number(),
          stressedMonthlyAmount: Type.Number(),
        },
        { title: "StressedDebt" },
      ),
    ),
    remainingAmount: Type.Number(),
    monthlyAmount: Type.Number(),
    stressedMonthlyAmount: Type.Number(),
    rule: Nullable(Type.Enum(["NO", "DK", "SE"], { title: "StressRule" })),
    calculationRate: Nullable(Type.Number()),
    isStressed: Type.Boolean({ description: "A debt's higher rate is higher than its own." }),
    debtToIncome: Nullable(Type.Number({ description: "Of a year's budgeted income." })),
    disposableAfterStress: Type.Number(),
    availableAfterStress: Type.Number(),
    referenceMinimum: Nullable(Type.Number()),
    leftAfterMinimum: Nullable(Type.Number()),
  },
  { title: "StressedDebts" },
);
const BalanceSchema = Type.Object(
  {
    name: Type.String(),
    observedOn: Day,
    balance: Type.Number(),
    lowest: Type.Number(),
    daysBelowZero: Type.Integer(),
    monthEnds: Type.Array(Nullable(Type.Number()), { minItems: 12, maxItems: 12 }),
  },
  { title: "BalanceOfAccount" },
);
const CreditSchema = Type.Object(
  {
    loans: Type.Array(LoanSchema),
    payouts: EvidenceSchema,
    cards: EvidenceSchema,
    payLater: EvidenceSchema,
    collection: EvidenceSchema,
    gambling: Type.Object(
      {
        stakes: EvidenceSchema,
        winnings: EvidenceSchema,
        net: Type.Number(),
        shareOfIncome: Nullable(Type.Number()),
        trend: Nullable(Type.Number()),
      },
      { title: "CreditGambling" },
    ),
    overdraft: EvidenceSchema,
    rejected: EvidenceSchema,
    returned: EvidenceSchema,
    debtService: Type.Number(),
    debtServiceRatio: Nullable(Type.Number()),
    entered: Nullable(EnteredSchema),
    balances: Type.Array(BalanceSchema),
    buffer: Nullable(
      Type.Object({ balance: Type.Number(), months: Nullable(Type.Number()) }, { title: "BudgetBuffer" }),
    ),
  },
  { title: "BudgetCredit", description: extended("What the accounts say of credit.") },
);

export const detailsExtensions = {
  reconciliation: Type.Optional(ReconciliationSchema),
  comparison: Type.Optional(ComparisonSchema),
  credit: Type.Optional(CreditSchema),
};

const debtsMax = 50;
const titleLengthMax = 200;
export const BudgetDebtsRequestSchema = Type.Object(
  {
    debts: Type.Array(
      Type.Object(
        {
          ...debtFields,
          title: Type.String({ minLength: 1, maxLength: titleLengthMax, pattern: "^[^\\u0000\\ud800-\\udfff]*$" }),
        },
        { title: "BudgetDebt" },
      ),
      { maxItems: debtsMax, description: "Replaces what was given before; none takes it back." },
    ),
    calculationRate: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: "Per cent a year: the rate at which the payments are tried, as a Swedish bank's kalkylränta.",
      }),
    ),
  },
  { title: "BudgetDebtsRequest", description: extended("Remaining debts that no account tells.") },
);

export type ReconciliationDocument = Static<typeof ReconciliationSchema>;
export type ComparisonDocument = Static<typeof ComparisonSchema>;
export type CreditDocument = Static<typeof CreditSchema>;
export type EvidenceDocument = Static<typeof EvidenceSchema>;
export type StoppedDocument = Static<typeof StoppedSchema>;
