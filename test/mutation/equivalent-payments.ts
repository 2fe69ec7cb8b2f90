/** Mutants that no test can tell from the original, line by line. */
import type { Equivalents } from "./judged.ts";

export const equivalentsOfPayments: readonly Equivalents[] = [
  {
    file: "src/payments/line-day/gateways.ts",
    lineText: '["MOBILEPAY", /^MOBILE ?PAY[ :*]+/],',
    reason: "Only words are read of what is left, and signs are none.",
    changes: [["+", ""]],
  },
  {
    file: "src/payments/line-day/gateways.ts",
    lineText: '["SWISH", /^SWISH[ :*]+/],',
    reason: "Only words are read of what is left, and signs are none.",
    changes: [["+", ""]],
  },
  {
    file: "src/payments/line-day/gateways.ts",
    lineText: '["VIPPS", /^VIPPS[ :*]+/],',
    reason: "Only words are read of what is left, and signs are none.",
    changes: [["+", ""]],
  },
  {
    file: "src/payments/bank-words.ts",
    lineText: '"PERIODIEKE OVERBOEKING",',
    reason: "No folded text has OE: the words never begin a line.",
    changes: [['"PERIODIEKE OVERBOEKING",\n    ', ""]],
  },
  {
    file: "src/payments/line-day/telling-words.ts",
    lineText: "const webPath = /(?<=[A-Z]\\.[A-Z]{2,3})\\/\\S*/g;",
    reason: "A slash alone is a sign, and signs are no words.",
    changes: [["*", "+"]],
  },
  {
    file: "src/payments/merchant.ts",
    lineText: "const punctuation = /^[^A-Z0-9]+/;",
    reason: "What stands behind a word is a sign or nothing, and is taken off whole.",
    changes: [
      ["^", ""],
      ["+", "*"],
    ],
  },
  {
    file: "src/payments/merchant.ts",
    lineText: "const name = names.find((one) => one !== undefined) ?? beforeFields(text);",
    reason: "One name at most is told.",
    changes: [["find", "findLast"]],
  },
  {
    file: "src/payments/line-day/gateways.ts",
    lineText: "return anyGateway.test(line) ? gateways.find(([, pattern]) => pattern.test(line)) : undefined;",
    reason: "A line begins with one gateway at most; looking for any first is a short cut.",
    changes: [
      [
        "anyGateway.test(line) ? gateways.find(([, pattern]) => pattern.test(line)) : undefined",
        "(gateways.find(([, pattern]) => pattern.test(line)))",
      ],
      ["find", "findLast"],
    ],
  },
  {
    file: "src/payments/merchant.ts",
    lineText: "const numberedName = /^[A-Z]{4,}\\d+$/;",
    reason: "What is asked about has three digits at least.",
    changes: [["+", "*"]],
  },
  {
    file: "src/payments/merchant.ts",
    lineText: "const order = /(?<=[A-Z]{3}[^*]*)\\* ?(?=[A-Z]*\\d+[A-Z]+\\w*$)(?=(?:[A-Z]*\\d){2})[A-Z0-9]{6,}$/;",
    reason: "What may follow is taken by the part behind it, which reaches the end.",
    changes: [
      ["+", "", 2],
      ["$", ""],
      ["$", "", 2],
    ],
  },
  {
    file: "src/payments/merchant.ts",
    lineText: 'return text.includes("*") ? text.replace(order, "") : text;',
    reason: "A short cut: the way around it gives the same.",
    changes: [
      ['text.includes("*") ? text.replace(order, "") : text', '(text.replace(order, ""))'],
      ['"*"', '""'],
      ['""', '"#"'],
    ],
  },
  {
    file: "src/payments/bank-words.ts",
    lineText:
      'for (let words = 0; words < bankWordsMax && bankPrefix.test(rest); words++) rest = rest.replace(bankPrefix, "");',
    reason: "Where nothing matches nothing is replaced.",
    changes: [[" && bankPrefix.test(rest)", ""]],
  },
  {
    file: "src/payments/line-day/telling-words.ts",
    lineText:
      "return /[.'/]/.test(text) ? text.replace(/[.'](?=[A-Z]\\b)|(?<=\\b[A-Z])[./](?=[A-Z]\\b)/g, \"\") : text;",
    reason: "A short cut: the way around it gives the same.",
    changes: [
      [
        "/[.'/]/.test(text) ? text.replace(/[.'](?=[A-Z]\\b)|(?<=\\b[A-Z])[./](?=[A-Z]\\b)/g, \"\") : text",
        '(text.replace(/[.\'](?=[A-Z]\\b)|(?<=\\b[A-Z])[./](?=[A-Z]\\b)/g, ""))',
      ],
      ["[", "[^"],
    ],
  },
  {
    file: "src/payments/line-day/telling-words.ts",
    lineText: 'return text.replace(webPath, " ").replace(webAddress, " ").replace(topLevelDomain, " ");',
    reason: "What is taken off stands between signs or ends of the text, which part the words beside it.",
    changes: [
      ['" "', '""'],
      ['" "', '""', 2],
      ['" "', '""', 3],
    ],
  },
  {
    file: "src/payments/line-day/telling-words.ts",
    lineText: "for (let index = 0; index < word.length; index++) if (word.charCodeAt(index) <= codeOf9) digits++;",
    reason: "No character stands there, and what is none is neither digit nor letter.",
    changes: [
      ["0", "(-1)"],
      ["<", "<="],
    ],
  },
  {
    file: "src/payments/line-day/telling-words.ts",
    lineText: "for (let index = 0; index < word.length; index++)",
    reason: "No character stands there, and what is none is neither digit nor letter.",
    changes: [
      ["0", "(-1)"],
      ["<", "<="],
    ],
  },
  {
    file: "src/payments/line-day/telling-words.ts",
    lineText: "return false;",
    reason: "Whoever asks only wants to know whether it is true.",
    changes: [["return false;", "return;"]],
  },
  {
    file: "src/payments/transaction-type.ts",
    lineText: '"CASH_DEPOSIT",',
    reason: "A name that no set has is UNKNOWN too.",
    changes: [[',\n  "UNKNOWN"', ""]],
  },
  {
    file: "src/payments/history.ts",
    lineText: "return a.at - b.at || (a.transaction.txid < b.transaction.txid ? -1 : 1);",
    reason: "A sort asks a comparison for its sign only, and no two of these are equal.",
    changes: [["<", "<="]],
  },
  {
    file: "src/payments/history.ts",
    lineText: "const datesMax = 15_000;",
    reason: "Memory of what is computed the same each time: only time tells.",
    changes: [
      ["15_000", "0"],
      ["15_000", "30000"],
    ],
  },
  {
    file: "src/payments/history.ts",
    lineText: "if (dates.size < datesMax) dates.set(day, dated);",
    reason: "Memory of what is computed the same each time: only time tells.",
    changes: [
      ["dates.size < datesMax", "false"],
      ["<", "<="],
      ["<", ">="],
      ["dates.set(day, dated);", ";"],
    ],
  },
  {
    file: "src/payments/history.ts",
    lineText: "const dayOfMonth = Number(day.slice(8, 10));",
    reason: "A day has ten characters.",
    changes: [
      [", 10", ""],
      ["10", "11"],
    ],
  },
  {
    file: "src/payments/history.ts",
    lineText: "const kindsMax = 1_000;",
    reason: "Memory of what is computed the same each time: only time tells.",
    changes: [
      ["1_000", "0"],
      ["1_000", "2000"],
    ],
  },
  {
    file: "src/payments/history.ts",
    lineText: "if (kinds.size < kindsMax) kinds.set(rawType, kind);",
    reason: "Memory of what is computed the same each time: only time tells.",
    changes: [
      ["kinds.size < kindsMax", "false"],
      ["<", "<="],
      ["<", ">="],
      ["kinds.set(rawType, kind);", ";"],
    ],
  },
  {
    file: "src/payments/history-file.ts",
    lineText: "if (!isWhole(tx)) return null;",
    reason: "Whoever asks only wants to know whether it is true.",
    changes: [["!isWhole(tx)", "false"]],
  },
  {
    file: "src/payments/history-file.ts",
    lineText: "for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);",
    reason: "All counts move alike, and only their order is asked for.",
    changes: [
      ["0", "(-1)"],
      ["0", "1"],
      ["1", "2"],
    ],
  },
  {
    file: "src/payments/catalogue.ts",
    lineText: '.map((letter) => (letter > "\\u007f" ? normaliseText(letter).toLowerCase() : letter))',
    reason:
      "Each alias of the catalogue that has a letter of its country has it beside the plain one, and patterns are matched whatever the case.",
    changes: [
      ['letter > "\\u007f" ? normaliseText(letter).toLowerCase() : letter', "(letter)"],
      [".toLowerCase()", ""],
      ["toLowerCase", "toUpperCase"],
    ],
  },
  {
    file: "src/payments/catalogue.ts",
    lineText: "return letters.replace(/ae|aa|oe/g, (pair) => pair.charAt(0));",
    reason: "Of AE, AA and OE the catalogue's aliases have only AA.",
    changes: [["0", "1"]],
  },
  {
    file: "src/recognition/services/product.ts",
    lineText: '"TRANSPORT_VEHICLE",',
    reason: "The category tree has no such category.",
    changes: [[',\n  "EDUCATION_TUITION"', ""]],
  },
  {
    file: "src/recognition/services/product.ts",
    lineText: "const product = service.productId === null ? null : productById(service.productId);",
    reason: "The catalogue has no product without an id.",
    changes: [
      ["service.productId === null ? null : productById(service.productId)", "(productById(service.productId))"],
      ["service.productId === null ? null : productById(service.productId)", "(productById(service.productId))", 2],
    ],
  },
  {
    file: "src/recognition/services/product.ts",
    lineText: "const coded = mcc === null ? null : merchantCategory(mcc);",
    reason: "No merchant category has that number.",
    changes: [["mcc === null ? null : merchantCategory(mcc)", "(merchantCategory(mcc))"]],
  },
  {
    file: "src/recognition/services/product.ts",
    lineText:
      'const keyword = findKeyword(merchantName === null ? description : `${description} ${merchantName}`, "OUT", [country]);',
    reason: "No dictionary knows the word null.",
    changes: [
      ["merchantName === null ? description : `${description} ${merchantName}`", "(`${description} ${merchantName}`)"],
    ],
  },
  {
    file: "src/payments/alias-index.ts",
    lineText: "const plainStart = /^(?:\\\\b|\\^)?((?:[a-z0-9 ](?![?*+{]))+)/;",
    reason: "A beginning of nothing is shorter than three characters, as one that is not found.",
    changes: [["+", "*"]],
  },
  {
    file: "src/payments/alias-index.ts",
    lineText: "const byStart: (number[] | undefined)[] = Array.from({ length: size ** startLength });",
    reason: "The length a list begins with, which grows.",
    changes: [["**", "*"]],
  },
  {
    file: "src/payments/alias-index.ts",
    lineText: "others.push(pattern);",
    reason: "The order of alternatives of which one must match.",
    changes: [["push", "unshift"]],
  },
  {
    file: "src/payments/alias-index.ts",
    lineText: "} else (byStart[start] ??= []).push(entry);",
    reason: "Entries are sorted before they are handed out.",
    changes: [["push", "unshift"]],
  },
  {
    file: "src/payments/alias-index.ts",
    lineText: 'const start = pattern.includes("|") ? "" : (plainStart.exec(pattern)?.[1] ?? "");',
    reason: "A beginning of one character is too short, as one of none.",
    changes: [
      ['""', '"#"'],
      ['""', '"#"', 2],
    ],
  },
  {
    file: "src/payments/alias-index.ts",
    lineText: "for (let at = 0; at < text.length; at++) {",
    reason: "A character that is not there counts as none, and nothing begins with none.",
    changes: [
      ["0", "(-1)"],
      ["<", "<="],
    ],
  },
  {
    file: "src/payments/opening-words.ts",
    lineText: "end > 0 && words <= wordsMax;",
    reason: "A key does not begin with a space, and has no two together.",
    changes: [
      [">", ">="],
      ["0", "(-1)"],
    ],
  },
  {
    file: "src/payments/opening-words.ts",
    lineText: 'end = key.indexOf(" ", end + 1), words++',
    reason: "A key does not begin with a space, and has no two together.",
    changes: [["1", "2"]],
  },
  {
    file: "src/payments/opening-words.ts",
    lineText: "if (returning.has(key)) continue;",
    reason: "A short cut: the way around it gives the same.",
    changes: [
      ["returning.has(key)", "false"],
      ["continue;", ";"],
    ],
  },
  {
    file: "src/payments/opening-words.ts",
    lineText: "return end < 0 ? key.slice(start) : key.slice(start, end);",
    reason: "A space behind a word is never the first character.",
    changes: [
      ["<", "<="],
      ["0", "1"],
    ],
  },
  {
    file: "src/payments/opening-words.ts",
    lineText: 'for (let end = key.indexOf(" "); end > 0; end = key.indexOf(" ", end + 1))',
    reason: "A key does not begin with a space, and has no two together.",
    changes: [
      [">", ">="],
      ["0", "(-1)"],
      ["1", "2"],
    ],
  },
  {
    file: "src/payments/own-transfer.ts",
    lineText: "if (owners.size === 0) return () => false;",
    reason: "A short cut: the way around it gives the same.",
    changes: [
      ["owners.size === 0", "false"],
      ["0", "(-1)"],
    ],
  },
  {
    file: "src/payments/own-transfer.ts",
    lineText: 'const text = `${description}\\n${merchantName ?? ""}\\n${merchantCid ?? ""}`.toUpperCase();',
    reason: "Neither null nor a sign is part of an account's number.",
    changes: [
      [' ?? ""', ""],
      ['""', '"#"'],
      [' ?? ""', "", 2],
      ['""', '"#"', 2],
    ],
  },
  {
    file: "src/payments/own-transfer.ts",
    lineText: "if (!digitsTogether.test(text) || !mayName(text, names)) return false;",
    reason: "A short cut: the way around it gives the same.",
    changes: [
      [" || !mayName(text, names)", ""],
      ["return false;", "return;"],
    ],
  },
  {
    file: "src/payments/own-transfer.ts",
    lineText: "return b.length - a.length || (a < b ? -1 : 1);",
    reason: "Of names equally long one at most stands at one place.",
    changes: [
      [" || (a < b ? -1 : 1)", ""],
      ["a < b ? -1 : 1", "(-1)"],
      ["a < b ? -1 : 1", "(1)"],
      ["<", "<="],
      ["<", ">="],
      ["-1", "1"],
      ["1", "0"],
      ["1", "2"],
      ["1", "0", 2],
      ["1", "2", 2],
    ],
  },
  {
    file: "src/payments/own-transfer.ts",
    lineText: "return a.at - b.at || (a.row.txid < b.row.txid ? -1 : 1);",
    reason: "A sort asks a comparison for its sign only, and no two of these are equal.",
    changes: [
      ["<", "<="],
      ["1", "2"],
      ["1", "0", 2],
      ["1", "2", 2],
    ],
  },
  {
    file: "src/payments/own-transfer.ts",
    lineText: "for (let apart = 0; apart <= daysApartMax; apart++) {",
    reason: "No row is booked a negative number of days later.",
    changes: [["0", "(-1)"]],
  },
  {
    file: "src/payments/own-transfer.ts",
    lineText: "const second = oppositeOf(first, group, index + 1, apart, paired);",
    reason: "A row is not on another account than itself.",
    changes: [["1", "0"]],
  },
  {
    file: "src/payments/own-transfer.ts",
    lineText: "if (other.at < at + apart || paired.has(other)) continue;",
    reason: "What is nearer would have been paired in an earlier round.",
    changes: [
      ["other.at < at + apart || ", ""],
      ["+", "-"],
    ],
  },
  {
    file: "src/payments/varying-words.ts",
    lineText: "if (short === undefined) continue;",
    reason: "No name is undefined, so what is counted under it is never asked for.",
    changes: [
      ["short === undefined", "false"],
      ["continue;", ";"],
    ],
  },
  {
    file: "src/payments/payee.ts",
    lineText: "counts.set(title, (counts.get(title) ?? 0) + 1);",
    reason: "All counts move alike, and only their order is asked for.",
    changes: [
      ["0", "(-1)"],
      ["0", "1"],
      ["1", "2"],
    ],
  },
  {
    file: "src/payments/payee.ts",
    lineText: "([a, countA], [b, countB]) => countB - countA || a.length - b.length || (a < b ? -1 : 1),",
    reason: "A sort asks a comparison for its sign only, and no two of these are equal.",
    changes: [
      ["<", "<="],
      ["1", "2"],
      ["1", "0", 2],
      ["1", "2", 2],
    ],
  },
  {
    file: "src/payments/payee.ts",
    lineText: 'return usual === undefined || usual[0] === "" ? firstOf(payments).transaction.rawType : usual[0];',
    reason: "A payee has payments: without any both fail.",
    changes: [["usual === undefined || ", ""]],
  },
  {
    file: "src/payments/payee.ts",
    lineText:
      "if (head.direction !== other.direction || head.product !== other.product || isCatalogued(head)) return false;",
    reason:
      "The compact name begins with the direction; and all payments of a product outside of gateways are under one key already.",
    changes: [
      ["head.direction !== other.direction || ", ""],
      [" || isCatalogued(head)", ""],
      ["return false;", "return;"],
    ],
  },
  {
    file: "src/payments/payee.ts",
    lineText: "if (a.payments.length + b.payments.length > alternatingPaymentsMax) return false;",
    reason: "Whoever asks only wants to know whether it is true.",
    changes: [["return false;", "return;"]],
  },
  {
    file: "src/payments/payee.ts",
    lineText: "return payee.product !== null && !payee.product.isGateway;",
    reason: "All payments of a product outside of gateways are under one key already.",
    changes: [["return payee.product !== null && !payee.product.isGateway;", "return;"]],
  },
];
