/** About when a payment was due between two that came, and none came. Pure. */
import type { Service } from "../../interface/services.ts";
import { addDays, type Day, daysBetween } from "../../time/calendar.ts";
import { itemAt } from "../../present.ts";

/** Less than this of a period more is a late payment, not one left out. */
const periodsMin = 1.6;

/** By day; none without a frequency. */
export function missedDays({ payments, periodDays }: Pick<Service, "payments" | "periodDays">): Day[] {
  if (periodDays === null || periodDays === undefined || periodDays <= 0) return [];
  const days = payments.map(({ date }) => date).toSorted();
  return days.slice(1).flatMap((day, at) => {
    const before = itemAt(days, at);
    const gap = daysBetween(before, day);
    const periods = gap / periodDays < periodsMin ? 1 : Math.round(gap / periodDays);
    return Array.from({ length: periods - 1 }, (_, missed) =>
      addDays(before, Math.round((gap * (missed + 1)) / periods)),
    );
  });
}
