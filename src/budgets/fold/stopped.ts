/** What is paid no more: its payments are in what was observed, and it costs and brings nothing. Pure. */
import { addMonths } from "../../time/calendar.ts";
import type { Stopped } from "../budget.ts";
import type { BudgetSnapshot } from "../engine/snapshot.ts";
import { type KnownFrequency, monthlyOf } from "../monthly.ts";
import { firstDayOf, monthsMax } from "../window.ts";
import type { CategorisedPart } from "./categorised-parts.ts";
import { lastOf } from "../../present.ts";

/** Those of which the window still shows a payment, or that ended in the year to the business day; latest first. */
export function stoppedOf(categorised: readonly CategorisedPart[], snapshot: BudgetSnapshot): Stopped[] {
  const since = firstDayOf(snapshot);
  return categorised
    .flatMap(({ part, categories, answer }): Stopped[] => {
      if (part.standing !== "ENDED" || part.transactions.length === 0) return [];
      const last = lastOf(part.transactions).document.transactionDate;
      const shown = part.transactions.filter(({ document }) => document.transactionDate >= since);
      const ended = part.ended ?? { reason: "STOPPED", since: last };
      // What was owed for a year before it left is told of for a year after it.
      const toldMonths = ended.reason === "TIME" ? 2 * monthsMax : monthsMax;
      if (shown.length === 0 && ended.since < addMonths(snapshot.asOf, -toldMonths)) return [];
      const frequency = part.paymentFrequency;
      return [
        {
          title: answer?.answer.title ?? part.title,
          side: part.side,
          categories: categories.map(({ id }) => id),
          monthlyMinor:
            part.monthlyMinor ??
            (frequency === "UNKNOWN" ? 0 : monthlyOf(part.paymentCostMinor, frequency satisfies KnownFrequency)),
          ...ended,
          lastPaidOn: last,
          transactions: shown.map(({ document }) => document),
        },
      ];
    })
    .toSorted((a, b) =>
      a.lastPaidOn < b.lastPaidOn ? 1 : a.lastPaidOn > b.lastPaidOn ? -1 : a.title < b.title ? -1 : 1,
    );
}
