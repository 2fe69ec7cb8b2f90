/** What a payment is in another currency. Pure. Source of the order: services.md, on FX; product.md, "Reading side". */
import type { Convert, Converted } from "../rates/rates.ts";
import type { HistoryTransaction } from "./payment.ts";

type Amounts = Pick<
  HistoryTransaction,
  "amountMinor" | "currency" | "originalAmountMinor" | "originalCurrency" | "day"
>;

/**
 * With the bank's sign. The payment's own word comes first: its currency, then what the purchase itself cost in the
 * wanted one. Then the reference rate of its day; for a currency that has none, that of the currency in which the
 * purchase was made. Null: none of these.
 */
export function inCurrency(payment: Amounts, currency: string, convert: Convert): Converted | null {
  const { amountMinor, day, originalAmountMinor, originalCurrency } = payment;
  const own = { minor: amountMinor, currency: payment.currency };
  if (own.currency === currency) return own;
  // Banks write original amounts with either sign.
  const original =
    originalAmountMinor === null || originalCurrency === null
      ? null
      : { minor: Math.sign(amountMinor) * Math.abs(originalAmountMinor), currency: originalCurrency };
  if (original?.currency === currency) return original;
  return convert(own, currency, day) ?? (original === null ? null : convert(original, currency, day));
}
