/** How often something is paid. Source: interface document, PaymentFrequency. */

export const paymentFrequencies = [
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
export type PaymentFrequency = (typeof paymentFrequencies)[number];
