/** What every report says, in Swedish. Places in braces are filled in. */
import type { Translated } from "../../language.ts";
import type { en } from "./en.ts";

export const sv: Translated<typeof en> = {
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
