/** Mutants of the search that no test can tell from the original, line by line. */
import type { Equivalents } from "./judged.ts";

export const equivalentsOfSearch: readonly Equivalents[] = [
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const monthEnd = later.at - numberInMonth(monthIndex, 31);",
    reason: "No month has a 32nd: both stand for its end.",
    changes: [["31", "32"]],
  },
  {
    file: "src/recognition/search/claim.ts",
    lineText: "claimed.push(payment);",
    reason: "What is claimed is put in order afterwards.",
    changes: [["push", "unshift"]],
  },
  {
    file: "src/recognition/search/continuation.ts",
    lineText: "const precision = logPriceSpread ** -2 - logRandomPriceSpread ** -2;",
    reason: "The random spread is 1, and so is whatever power of it.",
    changes: [["-2", "2", 2]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "if (Math.abs(off) * 2 < rule.cadence.days - closedDaysUsual) return guess;",
    reason: "A short cut: the neighbour that is looked at otherwise is no nearer.",
    changes: [["Math.abs(off) * 2 < rule.cadence.days - closedDaysUsual", "false"]],
  },
  {
    file: "src/recognition/search/schedule.ts",
    lineText: "if (rule.pausedMonths.length === 0) return 0;",
    reason: "A short cut: no occurrence falls into no pause.",
    changes: [["0", "(-1)"]],
  },
  {
    file: "src/recognition/search/series.ts",
    lineText: "if (at < firstOf(run).at || at > lastOf(run).at || runDays.has(at)) return false;",
    reason: "Nothing is as false as false where payments are filtered.",
    changes: [["return false;", "return;"]],
  },
];
