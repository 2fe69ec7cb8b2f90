/** Mutants of the rules of dates that no test can tell from the original, line by line. */
import type { Equivalents } from "./judged.ts";

export const equivalentsOfSchedule: readonly Equivalents[] = [
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "if (cadence.days < monthDaysMin || due.spreadDays < wanderingSpreadDaysMin) return null;",
    reason: "What is nothing gives way to the rule at hand, as null does.",
    changes: [["return null;", "return;"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "if (gaps.length < gapsMin || gaps.length * 2 < dates.length) return null;",
    reason: "What is nothing gives way to the rule at hand, as null does.",
    changes: [["return null;", "return;"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "if (spreadDays * gapNearerMin > due.spreadDays) return null;",
    reason: "What is nothing gives way to the rule at hand, as null does.",
    changes: [["return null;", "return;"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "if (spreadOf(due, dates.slice(-latelyDates), country) < wanderingLatelyDaysMin) return null;",
    reason: "What is nothing gives way to the rule at hand, as null does.",
    changes: [["return null;", "return;"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "if (due.cadence.months === 0) return null;",
    reason: "What is nothing gives way to the rule at hand, as null does.",
    changes: [["return null;", "return;"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "if (shared.length < oneWeekdayShareMin * recent.length) return null;",
    reason: "What is nothing gives way to the rule at hand, as null does.",
    changes: [["return null;", "return;"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "if (habitCost >= cost || habit === usualHabit) continue;",
    reason:
      "Only a short cut: of rules from which no date is off the last date's own costs least, and the search finds it too.",
    changes: [
      ["habitCost >= cost || ", ""],
      ["habitCost >= cost || habit === usualHabit", "!(habitCost >= cost || habit === usualHabit)"],
      ["habitCost >= cost || habit === usualHabit", "false"],
      [">=", "<"],
      [" || habit === usualHabit", ""],
      ["===", "!=="],
    ],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "const otherCost = habitCost + costOf(other, dates, country, cost - habitCost);",
    reason:
      "Only a short cut: of rules from which no date is off the last date's own costs least, and the search finds it too.",
    changes: [["-", "+"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "if (otherCost < cost) [rule, cost] = [other, otherCost];",
    reason:
      "Only a short cut: of rules from which no date is off the last date's own costs least, and the search finds it too.",
    changes: [
      ["otherCost < cost", "false"],
      ["<", "<="],
      ["<", ">="],
      ["[rule, cost] = [other, otherCost];", ";"],
    ],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "rule.habit === usualHabit &&",
    reason:
      "Only a short cut: of rules from which no date is off the last date's own costs least, and the search finds it too.",
    changes: [["rule.habit === usualHabit &&\n    ", ""]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "(cadence.months === 0 || dayOfMonth <= everyMonthsDays);",
    reason:
      "Only a short cut: of rules from which no date is off the last date's own costs least, and the search finds it too.",
    changes: [
      ["cadence.months === 0 || ", ""],
      ["0", "(-1)"],
    ],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "if (last - first + 1 - paid.size < pausedYearsMin) return rule;",
    reason: "A short cut: where fewer dates are unpaid, no month has enough of them.",
    changes: [["last - first + 1 - paid.size < pausedYearsMin", "false"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "return pausedMonths.length === 0 || pausedMonths.length > pausedMonthsMax",
    reason: "A rule without pauses has the same empty list.",
    changes: [
      ["pausedMonths.length === 0 || ", ""],
      ["0", "(-1)"],
    ],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "return rule.pausedMonths.length > 0 && rule.pausedMonths.includes(monthOf(rule, n));",
    reason: "A short cut: no month is in an empty list.",
    changes: [
      ["rule.pausedMonths.length > 0 && ", ""],
      [">", ">="],
      ["0", "(-1)"],
    ],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "if (rule.pausedMonths.length === 0) return 0;",
    reason: "A short cut: no occurrence falls into no pause.",
    changes: [["rule.pausedMonths.length === 0", "false"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "return (month < 0 ? month + 12 : month) + 1;",
    reason: "No day is before the year 0.",
    changes: [
      ["month < 0 ? month + 12 : month", "(month)"],
      ["0", "(-1)"],
      ["+", "-"],
      ["12", "0"],
      ["12", "11"],
      ["12", "13"],
    ],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "const rule: Schedule = { cadence, anchor: 0, phase: 0, habit: usualHabit, ...unrefined };",
    reason: "Overwritten before it is looked at.",
    changes: [
      ["0", "(-1)", 2],
      ["0", "1", 2],
    ],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "const unrefined = { weekday: null, pausedMonths: [], followsLast: null, spreadDays: 0 } as const;",
    reason: "Overwritten before it is looked at.",
    changes: [
      ["0", "(-1)"],
      ["0", "1"],
    ],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "if (habitCost >= limit) continue;",
    reason: "A short cut: what costs the limit by its habit alone costs no less.",
    changes: [["continue;", ";"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: 'if (best === null) throw new Error("a schedule needs at least one date");',
    reason: "The last date's own rule is always among those that are tried.",
    changes: [["best === null", "false"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "const rounding = 1e-9;",
    reason: "Costs differ by far more, or by rounding, which is far less.",
    changes: [
      ["1e-9", "2e-9"],
      ["1e-9", "5e-10"],
    ],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "const monthDaysMin = 28;",
    reason: "Only what is counted in 28 days lies there, and from that no date wanders so far.",
    changes: [
      ["28", "27"],
      ["28", "29"],
    ],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "const closedDaysUsual = 4;",
    reason: "A short cut: the neighbour that is looked at otherwise is no nearer.",
    changes: [["4", "5"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "const end = numberInMonth(monthIndex, 31);",
    reason: "No month has a 32nd: both stand for its end.",
    changes: [["31", "32"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: ".filter((gap) => Math.abs(gap - cadence.days) <= cadence.toleranceDays);",
    reason: "No whole gap is just the tolerance from a mean length of months.",
    changes: [["<=", "<"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "Math.abs(variant.days - cadence.days) * (recent.length - 1) < partedDaysMin ||",
    reason: "No whole number of periods parts by just three days.",
    changes: [["<", "<="]],
  },
  {
    file: "src/recognition/search/cadence.ts",
    lineText: "return months === 1 ? [own] : [own, own - 1, own + 1];",
    reason: "Of a month's phases the first that is tried is kept: the others tell the same rule.",
    changes: [
      ["months === 1 ? [own] : [own, own - 1, own + 1]", "([own, own - 1, own + 1])"],
      ["1", "0"],
    ],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "if (last - first + 1 - paid.size < pausedYearsMin) return rule;",
    reason: "A short cut: where fewer dates are unpaid, no month has enough of them.",
    changes: [["1", "2"]],
  },
];
