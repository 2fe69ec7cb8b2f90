/** Swedish. */
import type { LanguageEntry } from "../wording.ts";
import { bankConnection } from "./bank-connection.ts";
import { budgetPages } from "./budget-pages.ts";
import { budgetReport } from "./budget-report.ts";
import { budgets } from "./budgets.ts";
import { categories } from "./categories.ts";
import { nextOfKin } from "./next-of-kin.ts";
import { notifications } from "./notifications.ts";
import { reports } from "./reports.ts";

export const sv: LanguageEntry = {
  locale: "sv-SE",
  askedAs: ["sv"],
  notifiedAs: "sv",
  homeCurrency: "SEK",
  texts: { bankConnection, budgetPages, budgetReport, budgets, categories, nextOfKin, notifications, reports },
};
