/** What every report says, in Danish. Places in braces are filled in. */
import type { Translated } from "../../language.ts";
import type { en } from "./en.ts";

export const da: Translated<typeof en> = {
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
