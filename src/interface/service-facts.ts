/**
 * What this service tells of a recurring payment beyond the interface: additive fields, which a client that does not
 * know them leaves unread.
 */
import { Type } from "typebox";

const extension = "Extension of this service. ";
const Day = Type.String({ format: "date" });

export const AmountRangeSchema = Type.Object(
  { low: Type.Number(), median: Type.Number(), high: Type.Number() },
  { title: "AmountRange", description: "Least, middle and most of the payments, positive, in the service's currency." },
);

export const PriceChangeSchema = Type.Object(
  { from: Type.Number(), to: Type.Number(), date: Day },
  { title: "PriceChange", description: "A step of a fixed price, positive, in the service's currency, and its day." },
);

/** Properties of Service and of income. */
export const serviceFacts = {
  periodDays: Type.Optional(
    Type.Union([Type.Number(), Type.Null()], {
      description: `${extension}Mean days from due date to due date, to the tenth: 28, 30, 30.4. Null without a frequency.`,
    }),
  ),
  confidence: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: `${extension}How sure it is that this is an obligation: of those called .9 nine in ten are.`,
    }),
  ),
  firstPaymentDate: Type.Optional(
    Type.String({ format: "date", description: `${extension}Day of the first payment.` }),
  ),
  lastPaymentDate: Type.Optional(
    Type.String({ format: "date", description: `${extension}Day of the latest payment.` }),
  ),
  lastAmount: Type.Optional(
    Type.Number({ description: `${extension}What was paid last, positive, in the service's currency.` }),
  ),
  amountRange: Type.Optional(
    Type.Union([AmountRangeSchema, Type.Null()], {
      description: `${extension}Of the last twelve months; null where nothing was paid in them.`,
    }),
  ),
  priceChange: Type.Optional(
    Type.Union([PriceChangeSchema, Type.Null()], {
      description: `${extension}The latest step of a fixed price; null where there was none, or the bill follows use.`,
    }),
  ),
  endsOn: Type.Optional(
    Type.Union([Day, Type.Null()], {
      description: `${extension}Day of the last instalment; null where payments are not counted.`,
    }),
  ),
  remainingPayments: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: `${extension}Instalments still to come; null where payments are not counted.`,
    }),
  ),
  predecessorId: Type.Optional(
    Type.Union([Type.String({ format: "uuid" }), Type.Null()], {
      description: `${extension}Id of the service of another counterparty whose place this one took, as a new supplier's.`,
    }),
  ),
  isOverdue: Type.Optional(
    Type.Boolean({ description: `${extension}The due date has passed, and the service is not given up yet.` }),
  ),
};
