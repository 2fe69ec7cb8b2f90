/**
 * One example of each body that callers write, and of answers that explain themselves best so. Names are the document's
 * schemas; a test holds that every body has one and that each is valid.
 */
import { problemOf, Refusal } from "../problem.ts";

const product = {
  title: "Netflix",
  imageUrl: "https://tideline.example/assets/products/netflix.svg",
  type: "SUBSCRIPTION",
  isGateway: false,
  isUnknownStoreSubscription: false,
};
const serviceId = "3f0d1c2a-5b7e-4d1f-9a36-0c8e5b2f7d41";
const household = {
  personal: { children: [{ age: 7 }], hasChildren: true, maritalStatus: "MARRIED", dateOfBirth: "1986-04-17" },
  residence: { ownership: "RENT", type: "APARTMENT", occupancyDate: "2019-09-01", hasVacationHome: false },
  employment: {
    status: "EMPLOYED",
    type: "SALARIED",
    date: "2015-02-01",
    unemploymentFund: true,
    unemploymentInsuranceMonths: 24,
  },
  education: { type: "BACHELOR" },
  expenses: { share: 50 },
  transport: { vehicles: [{ ownership: "OWNED" }], hasVehicle: true },
};

export const examples: Readonly<Record<string, unknown>> = {
  CreateUserRequest: { bankUserId: "customer-4711", brand: "north-dk", locale: "da-DK" },
  // Cut short: a real one is signed.
  LoginRequest: { payload: "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJjdXN0b21lci00NzExIn0.c2lnbmF0dXJl" },
  LoginResponse: { token: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmF0dXJl" },
  TransactionsRequest: {
    reqId: "8a7d9f0e-43a1-4c55-8f0c-6a1f7f6f9a10",
    txs: "eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.a2V5.aXY.Y2lwaGVydGV4dA.dGFn",
  },
  JweParams: { alg: "RSA-OAEP", enc: "A256GCM", kid: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs", zip: "DEF" },
  RawTransaction: {
    uid: "customer-4711",
    type: "TX",
    account: { id: "account-1", name: "Budget", iban: "DK5000400440116243" },
    card: { id: "card-1", pan4: "4242", cardType: "DEBIT" },
    tx: {
      txid: "txid-2026-06-05-118",
      description: "Dankort-nota Netflix 118",
      txTime: "2026-06-05T00:00:00",
      type: "CARD_PURCHASE",
      amount: -114,
      currency: "DKK",
      merchant: { name: "Netflix", mcc: 4899 },
    },
  },
  TransactionsErrorResponse: {
    errorCode: "TX_DATA_ERROR",
    message: "A record breaks the interface.",
    details: [{ index: 3, field: "amount", reason: "is not a number" }],
  },
  ServiceUpdateHiddenRequest: { hidden: true },
  CrowdsourcingRequest: { id: "txid-2026-05-20-118", paymentFrequency: "MONTHLY" },
  AlertSeenRequest: ["b4d6a1de-0d3c-4f0e-8b8e-0a52c7f7a9d3"],
  AccountsRequest: ["account-1", "account-2"],
  AccountsBalancesRequest: {
    accounts: [
      { accountId: "account-1", accountName: "Budget", observedTime: "2026-06-15T08:30:00+02:00", balance: 12500.75 },
    ],
  },
  Psd2InitiateRequest: { customerHint: "Anna J." },
  Psd2InitiateResponse: {
    url: "https://tideline.example/psd2/0d5f7b1c-2f43-4f0b-9d35-5b0a6f0f1c22?key=Zm9yLW9uZS11c2U",
    loginId: "0d5f7b1c-2f43-4f0b-9d35-5b0a6f0f1c22",
  },
  Psd2Confirmation: {
    loginId: "0d5f7b1c-2f43-4f0b-9d35-5b0a6f0f1c22",
    code: "fJ3vPq1m8wXb0s2nT6yLr9cKd4hGz7eVu5aQoIiMxZk",
  },
  ReportRequest: { type: "NEXT_OF_KIN", effectiveDate: "2026-06-02" },
  ReportResponse: { documentId: "6f3f2f86-1c54-4a8e-9d39-2b6b4d1d5f0a" },
  BudgetRequest: { userData: household },
  BudgetCreateResponse: { id: "c1a5d2f7-90b3-4e64-8f21-7d3e9b0a6c58" },
  BudgetUserDataRequest: household,
  BudgetDebtsRequest: {
    debts: [{ title: "Mortgage", remainingAmount: 1850000, interestRate: 4.25, termMonths: 288 }],
  },
  BudgetCommentRequest: { comment: "Moves to a smaller flat in August." },
  BudgetCompletionsRequest: { status: "ACCEPTED" },
  BudgetAdjustCategoryRequest: { amount: 4200, frequency: "MONTHLY" },
  BudgetActionRequest: { type: "DERIVE", categories: [{ id: "HOUSING_RENT" }] },
  BudgetSkipRequest: { notApplicable: true },
  BudgetCoapplicantRequest: { type: "SHARED_FINANCES" },
  BudgetReport: { reportId: "case-2026-118" },
  ReceiveNotificationRequest: {
    notification: {
      type: "NEW_SUBSCRIPTION",
      country: "DK",
      userId: "customer-4711",
      suggestedLocale: "da-dk",
      payload: [
        {
          name: "SUBSCRIPTION",
          params: {
            notificationType: "NEW_SUBSCRIPTION",
            notificationId: "9b0f2c51-6d0a-4d07-9b55-6b8f6f3a1c20",
            serviceId,
            url: `https://bank.example/subscriptions/${serviceId}`,
          },
        },
      ],
      texts: { en: { title: "New subscription", body: "You now subscribe to Netflix." } },
      data: {
        productTitle: product.title,
        productImageUrl: product.imageUrl,
        productType: product.type,
        product: { title: product.title, imageUrl: product.imageUrl, type: product.type },
        amount: 114,
        currency: "DKK",
      },
    },
  },
  Transaction: {
    id: "7d1f46c0-2b9a-8e35-8000-00000000002a",
    transactionDate: "2026-06-05",
    type: "CARD_PURCHASE",
    amount: -114,
    currency: "DKK",
    originalAmount: -114,
    originalCurrency: "DKK",
    merchantName: "Netflix",
    serviceId,
    accountId: "account-1",
  },
  Service: {
    id: serviceId,
    amount: 114,
    currency: "DKK",
    paymentFrequency: "MONTHLY",
    accountId: "account-1",
    cardId: "card-1",
    product,
    status: "ACTIVE",
    userActionsRequired: [],
    payments: [
      {
        id: 6187263711605739,
        sourceTransactionId: "txid-2026-06-05-118",
        amount: 114,
        currency: "DKK",
        originalAmount: 114,
        originalCurrency: "DKK",
        date: "2026-06-05",
      },
    ],
    yearlyCost: 1368,
    totalAmountLastTwelveMonths: 114,
    notifications: ["NEW_PAYMENT"],
    visibility: "VISIBLE",
    nextExpectedTransactionDate: "2026-07-06",
    visibilityOption: "ASK_TO_HIDE",
    cancellation: { directDebit: false, equipmentBack: false, moneyBack: false },
    amountToDisplay: "AMOUNT",
    cancellationOption: "POSSIBLE",
    iban: "DK5000400440116243",
  },
  // A student's grant, as the demo partner's customers have it.
  IncomeResponse: {
    averageTotalAmount: 8925.55,
    income: [
      {
        id: "8438a044-734b-5c04-a500-6336f8839361",
        title: "Su",
        amount: 8925.55,
        currency: "DKK",
        paymentFrequency: "MONTHLY",
        accountId: "account-1",
        iban: "DK5000400440116243",
        status: "ACTIVE",
        visibility: "VISIBLE",
        payments: (
          [
            ["2026-05-29", 8925.55],
            ["2026-04-30", 8925.55],
            ["2026-03-31", 8925.55],
            ["2026-02-27", 8498.06],
            ["2026-01-30", 8498.06],
          ] as const
        ).map(([date, amount], index) => ({
          id: 6187263711605739 + index,
          sourceTransactionId: `txid-${date}-7`,
          amount,
          currency: "DKK",
          originalAmount: amount,
          originalCurrency: "DKK",
          date,
        })),
        yearlyAmount: 107106.6,
        totalAmountLastTwelveMonths: 43772.77,
        nextExpectedTransactionDate: "2026-06-30",
        periodDays: 30.4,
        confidence: 0.97,
        firstPaymentDate: "2026-01-30",
        lastPaymentDate: "2026-05-29",
        endsOn: null,
        remainingPayments: null,
        isOverdue: false,
        lastAmount: 8925.55,
        amountRange: { low: 8498.06, median: 8925.55, high: 8925.55 },
        priceChange: { from: 8498.06, to: 8925.55, date: "2026-03-31" },
      },
    ],
    totalAmountLastTwelveMonths: 43772.77,
  },
  UpcomingPayment: {
    serviceId,
    expectedPaymentDate: "2026-07-05",
    expectedPaymentCost: 114,
    currency: "DKK",
    expectedOriginalPaymentCost: 114,
    originalCurrency: "DKK",
    product,
    accountId: "account-1",
    cardId: null,
  },
  Problem: problemOf(
    new Refusal("REQUEST_INVALID", { errors: [{ pointer: "/brand", message: "is required" }] }),
    "order-7",
  ),
};
