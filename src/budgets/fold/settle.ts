/**
 * What a payment that was due and not paid means, which its category decides: an obligation stays in the budget for as
 * long as its kind justifies, anything else for its grace and one period more. Pure.
 */
import { addMonths, type Day } from "../../time/calendar.ts";
import type { EndReason } from "../budget.ts";
import type { Part } from "../engine/snapshot.ts";
import { monthsOwedOf } from "../kinds.ts";

/** A part as its category has it: never MISSING any more. @param categoryId null where nobody knows it */
export function settle(part: Part, categoryId: string | null, asOf: Day): Part {
  if (part.standing !== "MISSING" || part.missing === null) return part;
  const owedMonths = categoryId === null ? null : monthsOwedOf(categoryId);
  const { since, staysUntil } = part.missing;
  const owedUntil = owedMonths === null ? staysUntil : laterOf(staysUntil, addMonths(since, owedMonths));
  if (asOf <= owedUntil) return { ...part, standing: "SERVICE" };
  const reason: EndReason = owedMonths === null ? "STOPPED" : "TIME";
  return { ...part, standing: "ENDED", service: null, missing: null, ended: { reason, since } };
}

/** Whether not paying it is a sign of risk. */
export function isObligation(categoryId: string | null): boolean {
  return categoryId !== null && monthsOwedOf(categoryId) !== null;
}

function laterOf(a: Day, b: Day): Day {
  return a > b ? a : b;
}
