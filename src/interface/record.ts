/**
 * The record that partners send: one element of a batch's plaintext array.
 * Source: interface document, "Transactions (push)", table RawTransaction.
 * Unknown keys are ignored everywhere; a key whose value is null counts as absent.
 */
import { type Static, Type } from "typebox";
import {
  amountAbsoluteMax,
  bankUserIdLengthMax,
  codeLengthMax,
  descriptionLengthMax,
  ibanLengthMax,
  identifierLengthMax,
  mccMax,
  nameLengthMax,
  pan4LengthMax,
  timeLengthMax,
} from "../../config/limits.ts";

/** ISO 4217 alphabetic code. */
export const CurrencySchema = Type.String({
  title: "Currency",
  pattern: "^[A-Z]{3}$",
  description: "ISO 4217 alphabetic code.",
});

const identifier = (description: string) => Type.String({ minLength: 1, maxLength: identifierLengthMax, description });
const name = (description: string) => Type.String({ maxLength: nameLengthMax, description });
const code = (description: string) => Type.String({ minLength: 1, maxLength: codeLengthMax, description });
const optionalName = (description: string) => Type.Optional(name(description));
const optionalCode = (description: string) => Type.Optional(Type.String({ maxLength: codeLengthMax, description }));
const amount = (description: string) =>
  Type.Number({ minimum: -amountAbsoluteMax, maximum: amountAbsoluteMax, description });

export const RawMerchantSchema = Type.Object(
  {
    name: name("The merchant's name as the card network or bank has it."),
    cid: Type.Optional(
      Type.String({ maxLength: identifierLengthMax, description: "Card acceptor id, which names the merchant." }),
    ),
    address: optionalName("Street and number."),
    city: optionalName("Town."),
    postCode: optionalCode("Postal code."),
    country: optionalCode("Country, preferably ISO 3166-1."),
    mcc: Type.Optional(
      Type.Integer({ minimum: 0, maximum: mccMax, description: "Merchant category code (ISO 18245)." }),
    ),
  },
  { title: "RawMerchant", description: "Who was paid. Most transactions have at least a name." },
);

export const RawTxSchema = Type.Object(
  {
    txid: identifier("The sender's id of the transaction, unique for ever; loaded once per user."),
    description: Type.String({
      maxLength: descriptionLengthMax,
      description: "The line as the bank writes it on a statement.",
    }),
    txTime: Type.String({
      maxLength: timeLengthMax,
      description: "ISO 8601. Only the date part is reliable; a zone may be missing.",
    }),
    type: code("The bank's kind of transaction, for instance CARD_PURCHASE, CASH_WITHDRAWAL, ACCOUNT_TRANSFER."),
    amount: amount("In `currency`, in whole units with decimals. Money leaving is negative, refunds are positive."),
    currency: CurrencySchema,
    originalAmount: Type.Optional(
      amount("In `originalCurrency`, where the purchase was made in another one; may have more than two decimals."),
    ),
    originalCurrency: Type.Optional(CurrencySchema),
    merchant: Type.Optional(RawMerchantSchema),
  },
  { title: "RawTx", description: "One transaction's details." },
);

export const RawCardSchema = Type.Object(
  {
    id: identifier("The sender's id of the card, unique across cards and partners."),
    pan4: Type.String({ maxLength: pan4LengthMax, description: "Last four digits of the card number, never more." }),
    cardType: optionalCode("Kind of card, for instance CREDIT, DEBIT."),
    paymentNetwork: optionalCode("Short code of the network, where known."),
  },
  { title: "RawCard", description: "The card with which it was paid." },
);

export const RawAccountSchema = Type.Object(
  {
    id: identifier("The sender's id of the account, unique across accounts and partners."),
    name: name("Name or number that the user knows the account by."),
    iban: Type.String({ maxLength: ibanLengthMax, description: "The account's IBAN; may be empty." }),
  },
  { title: "RawAccount", description: "The account on which it was booked." },
);

export const RawTransactionSchema = Type.Object(
  {
    uid: Type.String({
      minLength: 1,
      maxLength: bankUserIdLengthMax,
      description: "The bankUserId of the user who owns the transaction.",
    }),
    type: Type.Enum(["TX", "IMPORT_COMPLETED"], {
      title: "RawTransactionType",
      description:
        "TX: a transaction. IMPORT_COMPLETED: the user's last historical one has been sent; then only uid and type.",
    }),
    card: Type.Optional(RawCardSchema),
    account: Type.Optional(RawAccountSchema),
    tx: Type.Optional(RawTxSchema),
  },
  {
    title: "RawTransaction",
    description:
      "One record of a batch. tx is there exactly when type is TX. Unknown keys are ignored, and a null counts as absent.",
  },
);

export type RawTransaction = Static<typeof RawTransactionSchema>;
export type RawTx = Static<typeof RawTxSchema>;
export type RawMerchant = Static<typeof RawMerchantSchema>;
