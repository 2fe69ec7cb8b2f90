/** What a budget is folded with besides the ledger and its events. */
import type { Language } from "../../texts/languages.ts";

export type BudgetFacts = {
  id: string;
  /** As documents tell it. */
  createdTime: string;
  language: Language;
  country: string;
  currency: string;
  revision: number;
  showsIncome: boolean;
  showsRiskIndicators: boolean;
  /** Of the average expenses, which the categorised ones must reach. */
  targetPercent: number;
  /** Of the lower mean of an irregular income, which the budget counts. */
  irregularPercent: number;
  /** Without trailing slash. */
  baseUrl: string;
};
