/**
 * The interface's documents about recurring payments. Source: interface document, "Recurring payments" and
 * "Crowdsourcing and alerts". Fields are in the order of its tables.
 */
import { type Static, Type } from "typebox";
import { cancellationAbortReasons } from "./abort-reasons.ts";
import { paymentFrequencies } from "./payment-frequency.ts";
import { serviceFacts } from "./service-facts.ts";
import { CurrencySchema as Currency } from "./record.ts";

const NullableString = Type.Union([Type.String(), Type.Null()]);
const DateSchema = Type.String({ format: "date" });
const Uuid = Type.String({ format: "uuid" });

export const PaymentFrequencySchema = Type.Enum(paymentFrequencies, { title: "PaymentFrequency" });
/** The same under the name that the interface gives it where a service tells it. */
export const ServicePaymentFrequencySchema = Type.Enum(paymentFrequencies, { title: "ServicePaymentFrequency" });
export const ProductTypeSchema = Type.Enum(["SUBSCRIPTION", "OTHER_RECURRING"], { title: "ProductType" });
export const ServiceStatusSchema = Type.Enum(["ACTIVE", "INACTIVE", "UNDER_CANCELLATION", "CANCELLED"], {
  title: "ServiceStatus",
});
export const VisibilitySchema = Type.Enum(["VISIBLE", "HIDDEN", "UNDECIDED"], { title: "ServiceVisibility" });
export const VisibilityOptionSchema = Type.Enum(["ASK_TO_HIDE", "ASK_TO_SHOW", "ASK_BOTH", "HIDE"], {
  title: "VisibilityOption",
});
export const AmountToDisplaySchema = Type.Enum(["TOTAL_LAST_TWELVE_MONTHS", "AMOUNT"], { title: "AmountToDisplay" });
export const CancellationOptionSchema = Type.Enum(["POSSIBLE", "EXPLAIN_WHY_NOT", "STORE", "HIDE"], {
  title: "CancellationOption",
});
export const UserActionRequiredSchema = Type.Enum(["CANCELLATION_NEED_MORE_INFO"], { title: "UserActionRequiredType" });
export const ServiceNotificationSchema = Type.Enum(
  [
    "NEW_PAYMENT",
    "NEW_SUBSCRIPTION",
    "NEW_PAYMENT_CANCELLED_SUBSCRIPTION",
    "CANCELLATION_MORE_INFORMATION_REQUIRED",
    "CANCELLATION_CONFIRMED",
    "CANCELLATION_ABORTED",
  ],
  { title: "ServiceNotificationType" },
);
export const CancellationAbortReasonSchema = Type.Enum(cancellationAbortReasons, { title: "CancellationAbortReason" });

/** An addition to the interface, on every amount that an old rate made. */
export const RateDate = Type.Optional(
  Type.String({
    format: "date",
    description:
      "Day of the exchange rate, where it is more than ten days older than what it converts; absent otherwise.",
  }),
);

export const UnconvertedPayments = Type.Optional(
  Type.Integer({
    minimum: 1,
    description:
      "Payments of the last twelve months that nothing converts into the brand's currency: they are in no total. Absent when there is none.",
  }),
);

/** Amounts are costs: positive when money left, negative for a refund. */
export const ServicePaymentSchema = Type.Object(
  {
    id: Type.Integer(),
    sourceTransactionId: Type.String(),
    amount: Type.Number(),
    currency: Currency,
    rateDate: RateDate,
    originalAmount: Type.Number(),
    originalCurrency: Currency,
    date: DateSchema,
  },
  { title: "ServicePayment" },
);

export const ProductSchema = Type.Object(
  {
    title: Type.String(),
    imageUrl: Type.String({ format: "uri" }),
    type: ProductTypeSchema,
    isGateway: Type.Boolean(),
    isUnknownStoreSubscription: Type.Boolean(),
  },
  { title: "Product" },
);

export const StoreSchema = Type.Object(
  { type: Type.Enum(["STORE_A", "STORE_B"], { title: "StoreType" }), url: Type.String({ format: "uri" }) },
  { title: "Store" },
);

export const CancellationSchema = Type.Object(
  {
    directDebit: Type.Boolean(),
    equipmentBack: Type.Boolean(),
    moneyBack: Type.Boolean(),
    confirmationContent: Type.Optional(Type.String()),
    freeTextMessage: Type.Optional(Type.String()),
    endDate: Type.Optional(DateSchema),
    abortReason: Type.Optional(CancellationAbortReasonSchema),
  },
  { title: "Cancellation" },
);

export const ServiceSchema = Type.Object(
  {
    id: Uuid,
    amount: Type.Number(),
    currency: Currency,
    rateDate: RateDate,
    paymentFrequency: ServicePaymentFrequencySchema,
    accountId: NullableString,
    cardId: NullableString,
    product: ProductSchema,
    status: ServiceStatusSchema,
    userActionsRequired: Type.Array(UserActionRequiredSchema),
    payments: Type.Array(ServicePaymentSchema, { minItems: 1 }),
    refunds: Type.Optional(
      Type.Array(ServicePaymentSchema, {
        minItems: 1,
        description: "What came back, newest first; amounts are negative.",
      }),
    ),
    yearlyCost: Type.Number(),
    totalAmountLastTwelveMonths: Type.Number(),
    unconvertedPayments: UnconvertedPayments,
    notifications: Type.Array(ServiceNotificationSchema),
    visibility: VisibilitySchema,
    nextExpectedTransactionDate: DateSchema,
    store: Type.Optional(StoreSchema),
    visibilityOption: VisibilityOptionSchema,
    cancellation: CancellationSchema,
    amountToDisplay: AmountToDisplaySchema,
    cancellationOption: Type.Optional(CancellationOptionSchema),
    iban: Type.Optional(NullableString),
    ...serviceFacts,
  },
  { title: "Service" },
);

/** Transaction of the read model, as alerts carry it. */
export const TransactionSchema = Type.Object(
  {
    id: Type.String(),
    transactionDate: DateSchema,
    type: Type.Enum(
      [
        "CARD_PURCHASE",
        "CASH_WITHDRAWAL",
        "OTHER",
        "ACCOUNT_TRANSFER",
        "DIRECT_DEBIT",
        "INVOICE",
        "CASH_DEPOSIT",
        "UNKNOWN",
      ],
      { title: "TransactionType" },
    ),
    amount: Type.Number(),
    currency: Currency,
    rateDate: RateDate,
    originalAmount: Type.Number(),
    originalCurrency: Currency,
    merchantName: Type.String(),
    serviceId: Type.Optional(Type.String()),
    accountId: Type.Optional(Type.String()),
    cardId: Type.Optional(Type.String()),
  },
  { title: "Transaction" },
);

export const MembershipAlertSchema = Type.Object(
  {
    id: Uuid,
    source: Type.Literal("MEMBERSHIP"),
    membershipAlertType: Type.Literal("WARNING"),
    product: ProductSchema,
    transaction: TransactionSchema,
  },
  { title: "MembershipAlert" },
);

export const CrowdsourcingAlertSchema = Type.Object(
  {
    id: Uuid,
    source: Type.Literal("CROWDSOURCING"),
    type: Type.Enum(["SUCCESS", "NOT_SUBSCRIPTION", "TECHNICAL_LIMITATION"], { title: "CrowdsourcingAlertType" }),
    crowdsourceTime: Type.String({ format: "date-time" }),
    sourceTransactionId: Type.String(),
    transaction: TransactionSchema,
    product: ProductSchema,
    paymentFrequency: PaymentFrequencySchema,
    amount: Type.Number(),
    currency: Currency,
    rateDate: RateDate,
    originalAmount: Type.Number(),
    originalCurrency: Currency,
  },
  { title: "CrowdsourcingAlert" },
);

export const AlertSchema = Type.Union([MembershipAlertSchema, CrowdsourcingAlertSchema], {
  title: "Alert",
  description: "One of two kinds, told apart by source.",
});

export const ServiceResponseSchema = Type.Object(
  {
    averageTotalAmount: Type.Number(),
    services: Type.Array(ServiceSchema),
    totalAmountLastTwelveMonths: Type.Optional(Type.Number()),
    alerts: Type.Optional(Type.Array(AlertSchema)),
    unconvertedPayments: UnconvertedPayments,
  },
  { title: "ServiceResponse" },
);

export const UpcomingPaymentSchema = Type.Object(
  {
    serviceId: Uuid,
    expectedPaymentDate: DateSchema,
    expectedPaymentCost: Type.Number(),
    currency: Currency,
    rateDate: RateDate,
    expectedOriginalPaymentCost: Type.Number(),
    originalCurrency: Currency,
    product: ProductSchema,
    accountId: Type.Optional(NullableString),
    cardId: Type.Optional(NullableString),
    additionalInfo: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { title: "UpcomingPayment" },
);

export type ServicePayment = Static<typeof ServicePaymentSchema>;
export type ProductDocument = Static<typeof ProductSchema>;
export type Service = Static<typeof ServiceSchema>;
export type ServiceNotification = Static<typeof ServiceNotificationSchema>;
export type CancellationAbortReason = Static<typeof CancellationAbortReasonSchema>;
export type Transaction = Static<typeof TransactionSchema>;
export type MembershipAlert = Static<typeof MembershipAlertSchema>;
export type CrowdsourcingAlert = Static<typeof CrowdsourcingAlertSchema>;
export type Alert = Static<typeof AlertSchema>;
export type ServiceResponse = Static<typeof ServiceResponseSchema>;
export type UpcomingPayment = Static<typeof UpcomingPaymentSchema>;
