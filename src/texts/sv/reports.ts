/** What every report says, in Swedish. Names in braces are filled in. */
import type { ReportTexts } from "../wording.ts";

export const reports: ReportTexts = {
  pageNumber: "Sida {page} av {pages}",
  contents: "Innehåll",
  none: "–",
  amountsIn: "Belopp i {currency}.",
  frequency: {
    DAILY: "dagligen",
    WEEKLY: "varje vecka",
    BIWEEKLY: "varannan vecka",
    MONTHLY: "varje månad",
    BIMONTHLY: "varannan månad",
    QUARTERLY: "varje kvartal",
    HALFYEARLY: "varje halvår",
    YEARLY: "varje år",
    UNKNOWN: "oregelbundet",
  },
};
