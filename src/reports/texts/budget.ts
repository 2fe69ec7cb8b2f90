/** What the budget report says, by language. */
import type { ReportLanguage, Translated } from "../language.ts";
import { da } from "./budget/da.ts";
import { en } from "./budget/en.ts";
import { nb } from "./budget/nb.ts";
import { sv } from "./budget/sv.ts";

export type BudgetReportTexts = Translated<typeof en>;
export const budgetReportTexts: Readonly<Record<ReportLanguage, BudgetReportTexts>> = { en, da, nb, sv };
