/** What categorising says of each transaction of a budget. Pure and deterministic; the order of the rows does not matter. */
import { type PaymentKind, paymentKind } from "../../recognition/history.ts";
import { findProduct, merchantCategory, productById } from "../../recognition/catalogue.ts";
import { merchantOf } from "../../recognition/merchant.ts";
import type { BudgetHistory, BudgetTransaction, RecognisedSeries } from "./budget-history.ts";

/** Why a transaction is in no sum. A loan's payout is no income, but it is money that came in. */
export type Exclusion = "OWN_TRANSFER" | "CARD_SETTLEMENT" | "REFUNDED" | "LOAN_PAYOUT";

/**
 * What decided, in the order in which it is asked. REFUND: the payee's earlier purchase; MERCHANT: the dictionary of merchants, and of payers
 * for money that came in; TYPE: how the money moved; REGULAR: nothing but that it comes regularly; NONE: nothing was sure enough.
 */
export const ruleIds = ["USER", "EXCLUSION", "REFUND", "PRODUCT", "MERCHANT", "MERCHANT_CATEGORY_CODE", "TEXT", "TYPE", "REGULAR", "NONE"] as const;
export type RuleId = (typeof ruleIds)[number];

export type Candidate = { categoryId: string; rule: RuleId; confidence: number };

export interface Categorised {
  /** The sender's txid. */
  transactionId: string;
  /** A leaf of the tree; null when nothing is sure enough, and for what is excluded. */
  categoryId: string | null;
  rule: RuleId;
  /** 0–1. Below `CONFIDENCE_MIN` there is no category. */
  confidence: number;
  /** Names the payee for the user's answers: stable over time, independent of the amount's sign. */
  payeeKey: string;
  exclusion: Exclusion | null;
  /** Part of a service or of a regular income. */
  regular: boolean;
  /** Best first, at most five, each category once: what to ask the user; empty when excluded. The category itself is the first. */
  candidates: readonly Candidate[];
}

/** The first rule that is this sure decides. */
export const CONFIDENCE_MIN = 0.6;

/** One for each transaction of the history, in its order. */
export function categorise(history: BudgetHistory): Categorised[] {
  const series = new Map(history.series.flatMap((one) => one.txids.map((txid) => [txid, one] as const)));
  return history.transactions.map((row) => decide(row, payeeKeyOf(row, history.country), series.get(row.txid), history));
}

function decide(row: BudgetTransaction, payeeKey: string, series: RecognisedSeries | undefined, { userRules }: BudgetHistory): Categorised {
  const candidates: Candidate[] = [];
  const answered = userRules.get(payeeKey)?.[0];
  if (answered !== undefined) candidates.push({ categoryId: answered, rule: "USER", confidence: 1 });
  const product = series?.productId == null ? null : productById(series.productId);
  if (product !== null && row.amountMinor < 0) candidates.push({ categoryId: product.category, rule: "PRODUCT", confidence: 0.95 });
  const code = row.mcc === null || row.amountMinor >= 0 ? null : merchantCategory(row.mcc);
  if (code !== null) candidates.push({ categoryId: code.category, rule: "MERCHANT_CATEGORY_CODE", confidence: code.confidence });
  const decided = candidates.find(({ confidence }) => confidence >= CONFIDENCE_MIN);
  return {
    transactionId: row.txid,
    categoryId: decided?.categoryId ?? null,
    rule: decided?.rule ?? "NONE",
    confidence: decided?.confidence ?? 0,
    payeeKey,
    exclusion: null,
    regular: series !== undefined,
    candidates,
  };
}

/** The catalogue's product, else the cleaned name of the payee, else how the money moved. */
export function payeeKeyOf(row: BudgetTransaction, country: string): string {
  const merchant = merchantOf(row.merchantName, row.description);
  const product = findProduct(merchant, country);
  if (product !== null && !product.isGateway) return product.id;
  const kind: PaymentKind = paymentKind(row.rawType);
  return merchant.key === "" ? kind : merchant.key;
}
