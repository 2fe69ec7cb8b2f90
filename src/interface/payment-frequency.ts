/** How often something is paid. Source: interface document, PaymentFrequency. */

export const PAYMENT_FREQUENCIES = [
  "DAILY",
  "WEEKLY",
  "BIWEEKLY",
  "MONTHLY",
  "BIMONTHLY",
  "QUARTERLY",
  "HALFYEARLY",
  "YEARLY",
  "UNKNOWN",
] as const;
export type PaymentFrequency = (typeof PAYMENT_FREQUENCIES)[number];
