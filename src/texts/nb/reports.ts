/** What every report says, in Norwegian (bokmål). Names in braces are filled in. */
import type { ReportTexts } from "../wording.ts";

export const reports: ReportTexts = {
  pageNumber: "Side {page} av {pages}",
  contents: "Innhold",
  none: "–",
  amountsIn: "Beløp i {currency}.",
  frequency: {
    DAILY: "daglig",
    WEEKLY: "hver uke",
    BIWEEKLY: "hver 14. dag",
    MONTHLY: "hver måned",
    BIMONTHLY: "annenhver måned",
    QUARTERLY: "hvert kvartal",
    HALFYEARLY: "hvert halvår",
    YEARLY: "hvert år",
    UNKNOWN: "uregelmessig",
  },
};
