/** What every report says, in Norwegian (bokmål). Places in braces are filled in. */
import type { Translated } from "../../language.ts";
import type { en } from "./en.ts";

export const nb: Translated<typeof en> = {
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
