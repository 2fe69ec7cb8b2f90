/** What a language must say: whatever English says. One that forgets a text, or has one too many, does not compile. */
import type { bankConnection } from "./en/bank-connection.ts";
import type { budgetPages } from "./en/budget-pages.ts";
import type { budgetReport } from "./en/budget-report.ts";
import type { budgets } from "./en/budgets.ts";
import type { categories } from "./en/categories.ts";
import type { nextOfKin } from "./en/next-of-kin.ts";
import type { notifications } from "./en/notifications.ts";
import type { reports } from "./en/reports.ts";

/** The same names, other words. */
type Translated<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends string ? string : Translated<Texts[Name]>;
};

export type BankConnectionTexts = Translated<typeof bankConnection>;
/** Pages of the budget report on money, income and credit, and the page for the customer. */
export type BudgetPagesTexts = Translated<typeof budgetPages>;
export type BudgetReportTexts = Translated<typeof budgetReport>;
export type BudgetTexts = Translated<typeof budgets>;
export type CategoryNames = Translated<typeof categories>;
export type NextOfKinTexts = Translated<typeof nextOfKin>;
export type NotificationTexts = Translated<typeof notifications>;
/** What every report says. */
export type ReportTexts = Translated<typeof reports>;

export type Texts = {
  readonly bankConnection: BankConnectionTexts;
  readonly budgetPages: BudgetPagesTexts;
  readonly budgetReport: BudgetReportTexts;
  readonly budgets: BudgetTexts;
  readonly categories: CategoryNames;
  readonly nextOfKin: NextOfKinTexts;
  readonly notifications: NotificationTexts;
  readonly reports: ReportTexts;
};

/** A language, and how it is known outside. */
export type LanguageEntry = {
  /** BCP 47: whose conventions its amounts and days follow. */
  readonly locale: string;
  /** The primary language tags of callers and of users' locales that mean it. */
  readonly askedAs: readonly string[];
  /** Its key in the texts of a notification. */
  readonly notifiedAs: string;
  /** The currency that it writes by its sign; every other is named by its code. ISO 4217; null: none. */
  readonly homeCurrency: string | null;
  readonly texts: Texts;
};
