/** Words of drawings. */
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";

/** How often, beside a name. */
export const frequencyWords: Readonly<Record<PaymentFrequency, string>> = {
  DAILY: "daily",
  WEEKLY: "weekly",
  BIWEEKLY: "every two weeks",
  MONTHLY: "monthly",
  BIMONTHLY: "every two months",
  QUARTERLY: "quarterly",
  HALFYEARLY: "half-yearly",
  YEARLY: "yearly",
  UNKNOWN: "at no interval",
};
