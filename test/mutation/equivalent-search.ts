/** Mutants of the search that no test can tell from the original, line by line. */
import { equivalentsOfChain } from "./equivalent-search-chain.ts";
import { equivalentsOfSchedule } from "./equivalent-search-schedule.ts";
import { equivalentsOfSeries } from "./equivalent-search-series.ts";
import type { Equivalents } from "./judged.ts";

export const equivalentsOfSearch: readonly Equivalents[] = [
  ...equivalentsOfChain,
  ...equivalentsOfSchedule,
  ...equivalentsOfSeries,
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
    file: "src/recognition/search/search.ts",
    lineText: "if (one.obligations.length === 0 || !open.has(one)) continue;",
    reason: "What was taken out of the set is met no more.",
    changes: [[" || !open.has(one)", ""]],
  },
  {
    file: "src/recognition/search/search.ts",
    lineText: "if (other === one || !open.has(other) || replaced.has(other)) continue;",
    reason: "Whoever was taken out is among the replaced.",
    changes: [[" || !open.has(other)", ""]],
  },
  {
    file: "src/recognition/search/search.ts",
    lineText: "return payee.payments.length <= paymentsMax && !sellsOthers(payee);",
    reason: "A short cut: where one has so many, two have more together.",
    changes: [
      ["payee.payments.length <= paymentsMax && ", ""],
      ["<=", "<"],
    ],
  },
  {
    file: "src/recognition/search/search.ts",
    lineText: "return price === null ? ofName : [...ofName, price];",
    reason: "Nobody is listed under no price.",
    changes: [["price === null ? ofName : [...ofName, price]", "([...ofName, price])"]],
  },
  {
    file: "src/recognition/search/search.ts",
    lineText:
      "const [older, newer] = chronologically(lastOf(a.payee.payments), lastOf(b.payee.payments)) < 0 ? [a, b] : [b, a];",
    reason: "No two payments have the same place.",
    changes: [
      ["<", "<="],
      ["0", "1"],
    ],
  },
  {
    file: "src/recognition/search/follower.ts",
    lineText: 'const cash = "CASH";',
    reason: "Any key that no merchant has will do.",
    changes: [['"CASH"', '""']],
  },
  {
    file: "src/recognition/search/follower.ts",
    lineText:
      "if (days.length < irregularDatesMin || !days.some((day) => weekdayOfNumber(day) > lastWeekday)) return false;",
    reason: "Nothing is as false as false.",
    changes: [["return false;", "return;"]],
  },
  {
    file: "src/recognition/search/follower.ts",
    lineText: "if (days.length < irregularDatesMin) return false;",
    reason: "Nothing is as false as false.",
    changes: [["return false;", "return;"]],
  },
  {
    file: "src/recognition/search/follower.ts",
    lineText: "if (days.length < paymentsMin) return false;",
    reason: "Nothing is as false as false.",
    changes: [["return false;", "return;"]],
  },
  {
    file: "src/recognition/search/follower.ts",
    lineText: "if (days.length < paymentsMin) return false;",
    reason: "Fees are three at least, and so is what they follow.",
    changes: [
      ["days.length < paymentsMin", "false"],
      ["false", "true"],
    ],
  },
  {
    file: "src/recognition/search/follower.ts",
    lineText:
      "const largest = fees.reduce((most, { cost }, index) => (cost > itemAt(fees, most).cost ? index : most), 0);",
    reason: "Wherever it begins, all are compared.",
    changes: [["0", "1"]],
  },
  {
    file: "src/recognition/search/follower.ts",
    lineText: "if (nearest === undefined) continue;",
    reason: "Each key is that of a payment among them.",
    changes: [
      ["nearest === undefined", "false"],
      ["continue;", ";"],
    ],
  },
  {
    file: "src/recognition/search/continuation.ts",
    lineText: "let best = -1;",
    reason: "Any number below 0 stands for none.",
    changes: [["1", "2"]],
  },
  {
    file: "src/recognition/search/continuation.ts",
    lineText:
      "if (earlier.payee.direction !== next.payee.direction || earlier.cadence !== next.cadence) return -Infinity;",
    reason: "What is no number is no more than the best so far, as the least is not.",
    changes: [["return -Infinity;", "return;"]],
  },
  {
    file: "src/recognition/search/continuation.ts",
    lineText: "if (first.at <= last.at) return -Infinity;",
    reason: "What is no number is no more than the best so far, as the least is not.",
    changes: [["return -Infinity;", "return;"]],
  },
  {
    file: "src/recognition/search/continuation.ts",
    lineText: "return -Infinity;",
    reason: "What is no number is no more than the best so far, as the least is not.",
    changes: [["return -Infinity;", "return;"]],
  },
  {
    file: "src/recognition/search/continuation.ts",
    lineText: "if (sellsOthers(payee) && !isSamePrice(last, first)) return -Infinity;",
    reason: "What is no number is no more than the best so far, as the least is not.",
    changes: [["return -Infinity;", "return;"]],
  },
  {
    file: "src/recognition/search/continuation.ts",
    lineText: "const pauseDaysMax = 400;",
    reason: "Nothing is due so many days after the last payment.",
    changes: [
      ["400", "399"],
      ["400", "401"],
    ],
  },
  {
    file: "src/recognition/search/continuation.ts",
    lineText: "const logOtherDueDay = -3;",
    reason: "What is not due no price takes up.",
    changes: [["3", "4"]],
  },
  {
    file: "src/recognition/search/continuation.ts",
    lineText: "const isKin = isSameCustomer || kinship.areKin(earlier.payee, next.payee, earlier.title, next.title);",
    reason: "A customer number makes kin, too.",
    changes: [["isSameCustomer || ", ""]],
  },
  {
    file: "src/recognition/search/search.ts",
    lineText: "if (one.obligations.length > 0)",
    reason: "Handles that nobody looks for find nobody.",
    changes: [
      [">", ">="],
      ["0", "(-1)"],
    ],
  },
  {
    file: "src/recognition/search/search.ts",
    lineText: "if (sharing.size === 0) return sharing;",
    reason: "Where nothing runs to anybody, nobody looks.",
    changes: [
      ["sharing.size === 0", "false"],
      ["0", "(-1)"],
      ["return sharing;", "return;"],
    ],
  },
  {
    file: "src/recognition/search/search.ts",
    lineText: "for (const handle of handlesOf(one)) for (const other of sharing.get(handle) ?? []) near.add(other);",
    reason: "Whoever something runs to is listed under all that it has.",
    changes: [[" ?? []", ""]],
  },
  {
    file: "src/recognition/search/follower.ts",
    lineText: "if (before.length > 0) following++;",
    reason: "A short cut: what follows too few is explained by too few in either way.",
    changes: [
      [">", ">="],
      ["0", "(-1)"],
    ],
  },
  {
    file: "src/recognition/search/follower.ts",
    lineText: "if (following + payments.length - triggers.length < explainedMin * payments.length) return false;",
    reason: "A short cut: what follows too few is explained by too few in either way.",
    changes: [
      ["following + payments.length - triggers.length < explainedMin * payments.length", "false"],
      ["-", "+"],
      ["*", "/"],
    ],
  },
  {
    file: "src/recognition/search/follower.ts",
    lineText: "if (following + payments.length - triggers.length < explainedMin * payments.length) return false;",
    reason: "Nothing is as false as false.",
    changes: [["return false;", "return;"]],
  },
  {
    file: "src/recognition/search/follower.ts",
    lineText: "if (!areOfManyAmounts(fees)) return false;",
    reason: "Nothing is as false as false.",
    changes: [["return false;", "return;"]],
  },
  {
    file: "src/recognition/search/continuation.ts",
    lineText: "if (misses < 0 || (misses > missesMax && !isPause)) return -Infinity;",
    reason: "What is no number is no more than the best so far, as the least is not.",
    changes: [["return -Infinity;", "return;"]],
  },
  {
    file: "src/recognition/search/continuation.ts",
    lineText: "if (logDeviation === undefined) return -Infinity;",
    reason: "What is no number is no more than the best so far, as the least is not.",
    changes: [
      ["logDeviation === undefined", "false"],
      ["return -Infinity;", "return;"],
    ],
  },
  {
    file: "src/recognition/search/crossed-ends.ts",
    lineText: "for (let first = 0; first < straight.length; first++)",
    reason: "Behind the last there is no second one.",
    changes: [["<", "<="]],
  },
  {
    file: "src/recognition/search/crossed-ends.ts",
    lineText: "for (let first = 0; first < series.length; first++) {",
    reason: "Behind the last there is no second one.",
    changes: [["<", "<="]],
  },
  {
    file: "src/recognition/search/follower.ts",
    lineText:
      "const areByDay = outgoing.every(({ at }, index) => index === 0 || at >= itemAt(outgoing, index - 1).at);",
    reason: "A short cut: what is in order stays in order when it is sorted.",
    changes: [
      [" || at >= itemAt(outgoing, index - 1).at", ""],
      [">=", ">"],
    ],
  },
  {
    file: "src/recognition/search/follower.ts",
    lineText: "payments: areByDay ? outgoing : outgoing.sort((a, b) => a.at - b.at),",
    reason: "A short cut: what is in order stays in order when it is sorted.",
    changes: [["areByDay ? outgoing : outgoing.sort((a, b) => a.at - b.at)", "(outgoing.sort((a, b) => a.at - b.at))"]],
  },
  {
    file: "src/recognition/search/continuation.ts",
    lineText: "if (hasFixedPrice(payments)) return false;",
    reason: "Nothing is as false as false.",
    changes: [["return false;", "return;"]],
  },
];
