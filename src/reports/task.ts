/** What a thread is asked about reports, and what it answers: plain data. */
import type { Day } from "../time/calendar.ts";

/** Make the report for the next of kin; writes nothing. */
export type ReportTask = {
  type: "NEXT_OF_KIN";
  userId: number;
  documentId: string;
  effectiveDate: Day | null;
  /** The business day of the figures. */ asOf: Day;
};

/** sha256 in hex. */
export type ReportOutcome = { bytes: Uint8Array; sha256: string; pages: number };

/** Make a budget's report; writes nothing. */
export type BudgetReportTask = {
  owner: { userId: number; partnerId: string };
  budgetId: string;
  /** As the caller calls the report; null: by its budget. */
  reportId: string | null;
  /** As the caller calls the customer; null: by number alone. */
  customerName: string | null;
  /** ADVISER: everything. CUSTOMER: one page in plain language. */
  edition: "ADVISER" | "CUSTOMER";
  /** The API's base address, of which the budget is folded. */
  baseUrl: string;
};

export type BudgetReportOutcome = ({ state: "MADE" } & ReportOutcome) | { state: "UNKNOWN" | "NOT_INITIALISED" };
