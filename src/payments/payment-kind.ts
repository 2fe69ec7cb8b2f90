/** How money moved. */

/** What the payment's raw type says about how the money moved. */
export type PaymentKind = "CARD" | "DIRECT_DEBIT" | "TRANSFER" | "FEE" | "INTEREST" | "CASH" | "OTHER";
