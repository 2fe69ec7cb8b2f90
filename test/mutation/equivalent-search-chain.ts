/** Mutants of the search for one run that no test can tell from the original, line by line. */
import type { Equivalents } from "./judged.ts";

export const equivalentsOfChain: readonly Equivalents[] = [
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if (spanDays < cadence.days - reachOf(cadence)) return null;",
    reason: "A short cut: what it lets through takes no step.",
    changes: [["spanDays < cadence.days - reachOf(cadence)", "false"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if (payments.length === 2 && !mayBeStep(spanDays, cadence)) return null;",
    reason: "A short cut: what it lets through takes no step.",
    changes: [
      ["payments.length === 2 && !mayBeStep(spanDays, cadence)", "false"],
      ["2", "1"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if (days === 1) return gapDays <= missesMax + 1;",
    reason: "A short cut: what it lets through takes no step.",
    changes: [
      ["days === 1", "false"],
      ["1", "0"],
      ["1", "2"],
      ["1", "2", 2],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const periods = Math.min(missesMax + 1, Math.max(1, Math.round(gapDays / days)));",
    reason: "A short cut: what it lets through takes no step.",
    changes: [
      ["1", "2"],
      ["1", "0", 2],
      ["Math.round(gapDays / days)", "(gapDays / days)"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "return Math.abs(gapDays - periods * days) <= reachOf(cadence);",
    reason: "A short cut: what it lets through takes no step.",
    changes: [["Math.abs(gapDays - periods * days)", "(gapDays - periods * days)"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if (days === 1) return gapDays <= missesMax + 1;",
    reason: "A step over so many unpaid days says less than none.",
    changes: [
      ["<=", "<"],
      ["1", "0", 2],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if (gap > cadence.missesMax + 1) return;",
    reason: "A step over so many unpaid days says less than none.",
    changes: [
      ["gap > cadence.missesMax + 1", "false"],
      ["1", "2"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "let last = -1;",
    reason: "Nothing ends with the first payment, nor with none.",
    changes: [["1", "2"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if ((from[j] as number) >= 0 && (last < 0 || (score[j] as number) > (score[last] as number))) last = j;",
    reason: "Nothing ends with the first payment, nor with none.",
    changes: [
      ["<", "<="],
      ["0", "1", 2],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "return last < 0 ? null : chainEnding(from, last, score[last] as number, cadence);",
    reason: "Nothing ends with the first payment, nor with none.",
    changes: [
      ["<", "<="],
      ["0", "1"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "for (let j = 0; j < payments.length; j++) {",
    reason: "Nothing comes before the first payment.",
    changes: [["0", "1"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "room.score.fill(0, 0, payments.length);",
    reason: "Nothing comes before the first payment.",
    changes: [["0", "1", 2]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "room.from.fill(-1, 0, payments.length);",
    reason: "Any number below 0 stands for none.",
    changes: [["1", "2"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const windowsMax = 8;",
    reason: "No cadence lets more than three dates go by.",
    changes: [
      ["8", "7"],
      ["8", "9"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "let room = roomOf(256);",
    reason: "Room that is made when it is needed: only time tells.",
    changes: [
      ["256", "0"],
      ["256", "255"],
      ["256", "257"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if (room.score.length < payments.length) room = roomOf(2 * payments.length);",
    reason: "Room that is made when it is needed: only time tells.",
    changes: [["2", "1"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if (!earlier.isMonthEnd || sameDay <= 0) return sameDay;",
    reason: "A day before its own is further still from the month's end.",
    changes: [
      [" || sameDay <= 0", ""],
      ["<=", "<"],
      ["0", "(-1)"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "return Math.abs(monthEnd) < Math.abs(sameDay) ? monthEnd : sameDay;",
    reason: "Here the day is after its own.",
    changes: [["Math.abs(sameDay)", "(sameDay)"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const key = payment.priceCurrency === usual ? payment.price : payment.priceCurrency + payment.price;",
    reason: "With its currency or without, a number tells the same price.",
    changes: [
      [
        "payment.priceCurrency === usual ? payment.price : payment.priceCurrency + payment.price",
        "(payment.priceCurrency + payment.price)",
      ],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const usualWeight = same > 0 && sameOdd === same ? oddPriceUsualWeight : samePriceUsualWeight;",
    reason: "Where none is the same, either weight comes to less than what is usual.",
    changes: [
      ["same > 0 && ", ""],
      [">", ">="],
      ["0", "(-1)"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const monthSlackDays = 3;",
    reason: "Only how many steps are looked at: those further off are none.",
    changes: [["3", "4"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "return toleranceDays + (months === 0 ? 0 : monthSlackDays);",
    reason: "Only how many steps are looked at: those further off are none.",
    changes: [
      ["months === 0 ? 0 : monthSlackDays", "(monthSlackDays)"],
      ["0", "(-1)"],
      ["0", "1", 2],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const least = days[0] as number;",
    reason: "Only how many steps are looked at: those further off are none.",
    changes: [["0", "(-1)"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if (target + reach < least) return;",
    reason: "Only how many steps are looked at: those further off are none.",
    changes: [["target + reach < least", "false"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "while (i < j && (days[i] as number) < target - reach) i++;",
    reason: "Only how many steps are looked at: those further off are none.",
    changes: [
      ["i < j && (days[i] as number) < target - reach", "false"],
      ["i < j && ", ""],
      ["<", "<="],
      ["<", ">="],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "windows[k] = i;",
    reason: "Only how many steps are looked at: those further off are none.",
    changes: [["windows[k] = i;", ";"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "for (; i < j && (days[i] as number) <= target + reach; i++) {",
    reason: "Only how many steps are looked at: those further off are none.",
    changes: [
      ["i < j && ", ""],
      ["<", "<="],
      [" && (days[i] as number) <= target + reach", ""],
      ["&&", "||"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const logTimingMost = (cadence.logDeviation[0] as number) + logMissed;",
    reason: "With a higher bound more steps are tried, and none wins that would not.",
    changes: [
      ["0", "(-1)"],
      ["+", "-"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if ((score[i] as number) + logStepMost(search, i, j, logTimingMost) <= (score[j] as number)) continue;",
    reason: "With a higher bound more steps are tried, and none wins that would not.",
    changes: [
      ["(score[i] as number) + logStepMost(search, i, j, logTimingMost) <= (score[j] as number)", "false"],
      ["<=", "<"],
      ["continue;", ";"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const gap = Math.max(1, (days[j] as number) - (days[i] as number));",
    reason: "With a higher bound more steps are tried, and none wins that would not.",
    changes: [
      ["1", "0"],
      ["1", "2"],
      ["-", "+"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "return prices.priceNumbers[i] === prices.priceNumbers[j]",
    reason: "With a higher bound more steps are tried, and none wins that would not.",
    changes: [
      [
        "return prices.priceNumbers[i] === prices.priceNumbers[j]\n    ? logTimingMost + prices.logSame - logRandom((prices.ranks[j] as number) - (prices.ranks[i] as number) - 1, gap)\n    : logTimingMost + Math.max(0, prices.logNear) - logRandom(j - i - 1, gap);",
        "return;",
      ],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText:
      "? logTimingMost + prices.logSame - logRandom((prices.ranks[j] as number) - (prices.ranks[i] as number) - 1, gap)",
    reason: "With a higher bound more steps are tried, and none wins that would not.",
    changes: [["1", "2"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: ": logTimingMost + Math.max(0, prices.logNear) - logRandom(j - i - 1, gap);",
    reason: "With a higher bound more steps are tried, and none wins that would not.",
    changes: [
      ["0", "1"],
      ["1", "2"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const closedDays = weekdayOfNumber(later.at) === 1 ? 2 : 0;",
    reason: "No number of days or payments is less than 0.",
    changes: [["0", "(-1)"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText:
      "if (j - i <= closedDays && payments[j - closedDays - 1]?.at !== later.at) step(search, i, j, logPiledUp);",
    reason: "What the other condition lets through is no further away.",
    changes: [["j - i <= closedDays && ", ""]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText:
      "return (precomputedLogRandomBetween[between] ?? logRandomBetween(between)) - (logDays[gapDays] ?? Math.log(gapDays));",
    reason: "A table of what is computed the same otherwise: only time tells.",
    changes: [
      ["precomputedLogRandomBetween[between] ?? ", ""],
      ["logDays[gapDays] ?? ", ""],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const gapDaysPrecomputed = 800;",
    reason: "A table of what is computed the same otherwise: only time tells.",
    changes: [
      ["800", "0"],
      ["800", "799"],
      ["800", "801"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const betweenPrecomputed = 512;",
    reason: "A table of what is computed the same otherwise: only time tells.",
    changes: [
      ["512", "0"],
      ["512", "511"],
      ["512", "513"],
    ],
  },
];
