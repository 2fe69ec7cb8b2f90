/** What every report says, in English. Names in braces are filled in. */
export const reports = {
  pageNumber: "Page {page} of {pages}",
  contents: "Contents",
  none: "–",
  amountsIn: "Amounts in {currency}.",
  frequency: {
    DAILY: "daily",
    WEEKLY: "weekly",
    BIWEEKLY: "every two weeks",
    MONTHLY: "monthly",
    BIMONTHLY: "every two months",
    QUARTERLY: "quarterly",
    HALFYEARLY: "half-yearly",
    YEARLY: "yearly",
    UNKNOWN: "irregular",
  },
} as const;
