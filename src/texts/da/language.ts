/** Danish. */
import type { LanguageEntry } from "../wording.ts";
import { bankConnection } from "./bank-connection.ts";
import { budgetPages } from "./budget-pages.ts";
import { budgetReport } from "./budget-report.ts";
import { budgets } from "./budgets.ts";
import { categories } from "./categories.ts";
import { nextOfKin } from "./next-of-kin.ts";
import { notifications } from "./notifications.ts";
import { reports } from "./reports.ts";

export const da: LanguageEntry = {
  locale: "da-DK",
  askedAs: ["da"],
  notifiedAs: "da",
  homeCurrency: "DKK",
  texts: { bankConnection, budgetPages, budgetReport, budgets, categories, nextOfKin, notifications, reports },
};
