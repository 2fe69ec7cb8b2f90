/** Norwegian, whichever of its two forms is asked for: written as bokmål. */
import type { LanguageEntry } from "../wording.ts";
import { bankConnection } from "./bank-connection.ts";
import { budgetPages } from "./budget-pages.ts";
import { budgetReport } from "./budget-report.ts";
import { budgets } from "./budgets.ts";
import { categories } from "./categories.ts";
import { nextOfKin } from "./next-of-kin.ts";
import { notifications } from "./notifications.ts";
import { reports } from "./reports.ts";

export const nb: LanguageEntry = {
  locale: "nb-NO",
  askedAs: ["nb", "no", "nn"],
  // Norwegian has three codes; receivers have known it by this one from the beginning.
  notifiedAs: "no",
  homeCurrency: "NOK",
  texts: { bankConnection, budgetPages, budgetReport, budgets, categories, nextOfKin, notifications, reports },
};
