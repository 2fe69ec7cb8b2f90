/** What a transaction might have been for, which rule says so, and why one is in no sum. */

/** Why a transaction is in no sum. A loan's payout is no income, but it is money that came in. */
export type Exclusion = "OWN_TRANSFER" | "CARD_SETTLEMENT" | "REFUNDED" | "LOAN_PAYOUT";

/**
 * What decided, in the order in which it is asked. REFUND: the payee's earlier purchase; MERCHANT: the dictionary of
 * merchants, and of payers for money that came in; TYPE: how the money moved; REGULAR: nothing but that it comes
 * regularly; GUESS: a piece of a known name or word, which decides nothing and is only asked about; NONE: nothing was
 * sure enough.
 */
export type RuleId =
  | "USER"
  | "EXCLUSION"
  | "REFUND"
  | "PRODUCT"
  | "MERCHANT"
  | "MERCHANT_CATEGORY_CODE"
  | "TEXT"
  | "TYPE"
  | "REGULAR"
  | "GUESS"
  | "NONE";

export type Candidate = { categoryId: string; rule: RuleId; confidence: number };

/** The first rule that is this sure decides. */
export const confidenceMin = 0.6;
