/** Documents about recurring income: an extension of this service, in the manner of those about recurring payments. */
import { type Static, Type } from "typebox";
import { CurrencySchema as Currency } from "./record.ts";
import { serviceFacts } from "./service-facts.ts";
import { PaymentFrequencySchema, RateDate, ServicePaymentSchema, UnconvertedPayments } from "./services.ts";

const NullableString = Type.Union([Type.String(), Type.Null()]);

export const IncomeStatusSchema = Type.Enum(["ACTIVE", "INACTIVE"], { title: "IncomeStatus" });
export const IncomeVisibilitySchema = Type.Enum(["VISIBLE", "UNDECIDED"], { title: "IncomeVisibility" });

/** Which payer took another one's place is not known. */
const { predecessorId: _, ...incomeFacts } = serviceFacts;

/** The fields of a service's payment; amounts have the other sign. */
export const IncomePaymentSchema = Type.Object({ ...ServicePaymentSchema.properties }, { title: "IncomePayment" });

export const IncomeSeriesSchema = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    title: Type.String(),
    amount: Type.Number(),
    currency: Currency,
    rateDate: RateDate,
    paymentFrequency: PaymentFrequencySchema,
    accountId: NullableString,
    iban: NullableString,
    status: IncomeStatusSchema,
    visibility: IncomeVisibilitySchema,
    payments: Type.Array(IncomePaymentSchema, { minItems: 1 }),
    yearlyAmount: Type.Number(),
    totalAmountLastTwelveMonths: Type.Number(),
    unconvertedPayments: UnconvertedPayments,
    nextExpectedTransactionDate: Type.String({ format: "date" }),
    ...incomeFacts,
  },
  { title: "IncomeSeries" },
);

export const IncomeResponseSchema = Type.Object(
  {
    averageTotalAmount: Type.Number(),
    income: Type.Array(IncomeSeriesSchema),
    totalAmountLastTwelveMonths: Type.Number(),
    unconvertedPayments: UnconvertedPayments,
  },
  { title: "IncomeResponse" },
);

export type IncomePayment = Static<typeof IncomePaymentSchema>;
export type IncomeSeries = Static<typeof IncomeSeriesSchema>;
export type IncomeResponse = Static<typeof IncomeResponseSchema>;
