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
    lineText: "windows[k] = i;",
    reason: "Only how many steps are looked at: those further off are none.",
    changes: [["windows[k] = i;", ";"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const closedDays = weekdayOfNumber(later.at) === 1 ? 2 : 0;",
    reason: "No number of days or payments is less than 0.",
    changes: [["0", "(-1)"]],
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
    lineText: "from[j] = -1;",
    reason: "Any number below 0 stands for none.",
    changes: [["1", "2"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "let before = -1;",
    reason: "Any number below 0 stands for none.",
    changes: [["1", "2"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const blockBits = 4;",
    reason: "However many are passed over at once: only time tells.",
    changes: [
      ["4", "3"],
      ["4", "5"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if (until < least) break;",
    reason: "Only how many steps are looked at: those further off are none.",
    changes: [
      ["until < least", "false"],
      ["break;", ";"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "while (i < j && (days[i] as number) < since) i++;",
    reason: "Only how many steps are looked at: those further off are none.",
    changes: [
      ["i < j && (days[i] as number) < since", "false"],
      ["i < j && ", ""],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "while (i < j && (days[i] as number) <= until) {",
    reason: "Only how many steps are looked at: those further off are none.",
    changes: [
      ["i < j && ", ""],
      ["<", "<="],
      [" && (days[i] as number) <= until", ""],
      ["&&", "||"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const logTimingMost = (logDeviation[0] as number) + logMissed;",
    reason: "With a higher bound more steps are tried, and none wins that would not.",
    changes: [
      ["0", "(-1)"],
      ["+", "-"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const logGapMax = logDays[Math.max(1, laterAt - (days[i] as number))] as number;",
    reason: "With a higher bound more steps are tried, and none wins that would not.",
    changes: [["-", "+"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const logGapMax = logDays[Math.max(1, laterAt - (days[i] as number))] as number;",
    reason: "No step but a daily one is as short as two days.",
    changes: [
      ["1", "0"],
      ["1", "2"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if (mostBefore <= changedMin && mostBefore <= sameMin) {",
    reason: "With a higher bound more steps are tried, and none wins that would not.",
    changes: [
      ["mostBefore <= changedMin && mostBefore <= sameMin", "false"],
      ["<=", "<"],
      ["<=", "<", 2],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if (scored <= (isSame ? sameMin : changedMin)) continue;",
    reason: "With a higher bound more steps are tried, and none wins that would not.",
    changes: [
      ["scored <= (isSame ? sameMin : changedMin)", "false"],
      ["<=", "<"],
      ["continue;", ";"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if (scored + (logTimingMost + (isSame ? logSame : logChangedMost) - random) <= best) continue;",
    reason: "With a higher bound more steps are tried, and none wins that would not.",
    changes: [
      ["scored + (logTimingMost + (isSame ? logSame : logChangedMost) - random) <= best", "false"],
      ["<=", "<"],
      ["continue;", ";"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if (!isSame && scored + (logTimingMost + price - random) <= best) continue;",
    reason: "With a higher bound more steps are tried, and none wins that would not.",
    changes: [
      ["!isSame && scored + (logTimingMost + price - random) <= best", "false"],
      ["!isSame && ", ""],
      ["<=", "<"],
      ["continue;", ";"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText:
      "if (j - i <= closedDays && payments[j - closedDays - 1]?.at !== later.at) step(search, prices, i, j, logPiledUp);",
    reason: "What the other condition lets through is no further away.",
    changes: [["j - i <= closedDays && ", ""]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText:
      "(between < betweenPrecomputed ? (precomputedLogRandomBetween[between] as number) : logRandomBetween(between)) -",
    reason: "A table of what is computed the same otherwise: only time tells.",
    changes: [
      [
        "between < betweenPrecomputed ? (precomputedLogRandomBetween[between] as number) : logRandomBetween(between)",
        "(logRandomBetween(between))",
      ],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "(gapDays < gapDaysPrecomputed ? (logDays[gapDays] as number) : Math.log(gapDays))",
    reason: "A table of what is computed the same otherwise: only time tells.",
    changes: [
      ["gapDays < gapDaysPrecomputed ? (logDays[gapDays] as number) : Math.log(gapDays)", "(Math.log(gapDays))"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const betweenPrecomputed = 2_560;",
    reason: "A table of what is computed the same otherwise: only time tells.",
    changes: [
      ["2_560", "0"],
      ["2_560", "5120"],
    ],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "if (room.prices === prices && room.payments === payments) return room;",
    reason: "Filled again with the same: only time tells.",
    changes: [["room.prices === prices && room.payments === payments", "false"]],
  },
  {
    file: "src/recognition/search/chain.ts",
    lineText: "const rounding = 1e-9;",
    reason: "What is out of reach is so by far more, or by rounding, which is far less.",
    changes: [
      ["1e-9", "2e-9"],
      ["1e-9", "5e-10"],
    ],
  },
];
