/** What every report says, in Danish. Names in braces are filled in. */
import type { ReportTexts } from "../wording.ts";

export const reports: ReportTexts = {
  pageNumber: "Side {page} af {pages}",
  contents: "Indhold",
  none: "–",
  amountsIn: "Beløb i {currency}.",
  frequency: {
    DAILY: "dagligt",
    WEEKLY: "hver uge",
    BIWEEKLY: "hver 14. dag",
    MONTHLY: "hver måned",
    BIMONTHLY: "hver 2. måned",
    QUARTERLY: "hvert kvartal",
    HALFYEARLY: "hvert halvår",
    YEARLY: "hvert år",
    UNKNOWN: "uregelmæssigt",
  },
};
