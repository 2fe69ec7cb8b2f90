/**
 * The record that partners send: one element of a batch's plaintext array.
 * Source: interface document, "Transactions (push)", table RawTransaction.
 * Unknown keys are ignored everywhere; a key whose value is null counts as absent.
 */
import { type Static, Type } from "typebox";

/** ISO 4217 alphabetic code. */
export const CurrencySchema = Type.String({ pattern: "^[A-Z]{3}$" });

export const RawMerchantSchema = Type.Object({
  name: Type.String(),
  cid: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  city: Type.Optional(Type.String()),
  postCode: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
  mcc: Type.Optional(Type.Integer()),
});

export const RawTxSchema = Type.Object({
  /** Globally unique transaction id; loaded once per user. */
  txid: Type.String(),
  description: Type.String(),
  /** ISO 8601; only the date part is reliable, a zone may be missing. */
  txTime: Type.String(),
  /** For instance CARD_PURCHASE, CASH_WITHDRAWAL, ACCOUNT_TRANSFER. */
  type: Type.String(),
  /** In the cardholder currency; money leaving is negative. */
  amount: Type.Number(),
  currency: CurrencySchema,
  originalAmount: Type.Optional(Type.Number()),
  originalCurrency: Type.Optional(CurrencySchema),
  merchant: Type.Optional(RawMerchantSchema),
});

export const RawCardSchema = Type.Object({
  id: Type.String(),
  pan4: Type.String(),
  cardType: Type.Optional(Type.String()),
  paymentNetwork: Type.Optional(Type.String()),
});

export const RawAccountSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  iban: Type.String(),
});

export const RawTransactionSchema = Type.Object({
  /** The partner's id of the user who owns the transaction. */
  uid: Type.String(),
  type: Type.Union([Type.Literal("TX"), Type.Literal("IMPORT_COMPLETED")]),
  card: Type.Optional(RawCardSchema),
  account: Type.Optional(RawAccountSchema),
  /** Present exactly when type is TX. */
  tx: Type.Optional(RawTxSchema),
});

export type RawTransaction = Static<typeof RawTransactionSchema>;
export type RawTx = Static<typeof RawTxSchema>;
export type RawMerchant = Static<typeof RawMerchantSchema>;
