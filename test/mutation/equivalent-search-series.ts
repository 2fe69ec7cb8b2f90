/** Mutants of series, prices and what payees have in common that no test can tell from the original, line by line. */
import type { Equivalents } from "./judged.ts";

export const equivalentsOfSeries: readonly Equivalents[] = [
  {
    file: "src/recognition/search/series.ts",
    lineText: "if (at < firstOf(run).at || at > lastOf(run).at || runDays.has(at)) return false;",
    reason: "Nothing is as false as false where payments are filtered.",
    changes: [["return false;", "return;"]],
  },
  {
    file: "src/recognition/search/price.ts",
    lineText: "const usualWeight = same > 0 && sameOdd === same ? oddPriceUsualWeight : samePriceUsualWeight;",
    reason: "Where none is the same, either weight comes to less than what is usual.",
    changes: [
      ["same > 0 && ", ""],
      [">", ">="],
      ["0", "(-1)"],
    ],
  },
  {
    file: "src/recognition/search/price.ts",
    lineText: "return currency === usual ? price : currency + price;",
    reason: "With its currency or without, a key tells the same price.",
    changes: [["currency === usual ? price : currency + price", "(currency + price)"]],
  },
  {
    file: "src/recognition/search/evidence/season.ts",
    lineText: "if (variance < varianceMin) return 0;",
    reason: "What is less likely than by chance shows no season either.",
    changes: [["0", "(-1)"]],
  },
  {
    file: "src/recognition/search/sporadic.ts",
    lineText: "cadences.find(",
    reason: "No gap is about one period of two cadences.",
    changes: [["find", "findLast"]],
  },
  {
    file: "src/recognition/search/series.ts",
    lineText: "const gapsMax = 32;",
    reason: "Sorted as they come or at the end: the middle one is the same.",
    changes: [
      ["32", "0"],
      ["32", "31"],
      ["32", "33"],
    ],
  },
  {
    file: "src/recognition/search/series.ts",
    lineText: "if (payments.length > gapsMax) return middleOfMany(payments);",
    reason: "Sorted as they come or at the end: the middle one is the same.",
    changes: [
      ["payments.length > gapsMax", "false"],
      [">", ">="],
    ],
  },
  {
    file: "src/recognition/search/instalments.ts",
    lineText: "if (month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > 31) return false;",
    reason: "A month behind the year's last lies behind the payment as well.",
    changes: [
      ["12", "13"],
      [" || month > 12", ""],
    ],
  },
  {
    file: "src/recognition/search/kinship.ts",
    lineText: "for (let at = 0; at <= description.length; at++) {",
    reason: "Before the first letter stands nothing, which is no part of a number.",
    changes: [["0", "(-1)"]],
  },
  {
    file: "src/recognition/search/price.ts",
    lineText:
      "return a.transaction.currency === b.transaction.currency && Math.abs(b.logCost - a.logCost) <= logNearPriceMax;",
    reason: "No two whole amounts are in just this ratio.",
    changes: [["<=", "<"]],
  },
  {
    file: "src/recognition/search/evidence/season.ts",
    lineText: "return likeness <= 0 ? 0 : (-pairs / 2) * Math.log(1 - likeness ** 2);",
    reason: "What shows no more than fitting costs shows nothing.",
    changes: [
      ["<=", "<"],
      ["0", "(-1)", 2],
      ["0", "1", 2],
    ],
  },
  {
    file: "src/recognition/search/price.ts",
    lineText: "if (logStep > logStepMost) logStepMost = logStep;",
    reason: "Of two that are equal either is the most.",
    changes: [[">", ">="]],
  },
  {
    file: "src/recognition/search/sporadic.ts",
    lineText:
      "const cadence = cadences.find(({ days }) => days > 1 && Math.max(days / mean, mean / days) <= scatteredGapRatioMax);",
    reason: "Nothing is due each second day.",
    changes: [["1", "2"]],
  },
  {
    file: "src/recognition/search/series.ts",
    lineText: "if (told.length === 0 && guesses.length === 0) return { series: told, rest };",
    reason: "A short cut: where there is no series none has ends or another frequency.",
    changes: [
      ["told.length === 0 && guesses.length === 0", "false"],
      ["0", "1", 2],
    ],
  },
];
