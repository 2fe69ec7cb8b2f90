/** Mutants of payments that no test can tell from the original, but for those of merchant.ts, line by line. */
export const ofPayments = [
  {
    file: "src/recognition/transaction-type.ts",
    lineText:
      '"CARD_PURCHASE", "CASH_WITHDRAWAL", "OTHER", "ACCOUNT_TRANSFER", "DIRECT_DEBIT", "INVOICE", "CASH_DEPOSIT", "UNKNOWN",',
    changes: [[', "UNKNOWN"', ""]],
    reason: "A name that no set has is UNKNOWN too.",
  },
  {
    file: "src/recognition/history.ts",
    lineText: "return a.at - b.at || (a.transaction.txid < b.transaction.txid ? -1 : 1);",
    changes: [["<", "<="]],
    reason: "A sort asks a comparison for its sign only, and no two of these are equal.",
  },
  {
    file: "src/recognition/history.ts",
    lineText: "const DATES_MAX = 15_000;",
    changes: [
      ["15_000", "0"],
      ["15_000", "30000"],
    ],
    reason: "Memory of what is computed the same each time: only time tells.",
  },
  {
    file: "src/recognition/history.ts",
    lineText: "if (dates.size < DATES_MAX) dates.set(day, dated);",
    changes: [
      ["dates.size < DATES_MAX", "false"],
      ["<", "<="],
      ["<", ">="],
      ["dates.set(day, dated);", ";"],
    ],
    reason: "Memory of what is computed the same each time: only time tells.",
  },
  {
    file: "src/recognition/history.ts",
    lineText: "const dayOfMonth = Number(day.slice(8, 10));",
    changes: [
      [", 10", ""],
      ["10", "11"],
    ],
    reason: "A day has ten characters.",
  },
  {
    file: "src/recognition/history.ts",
    lineText: "const KINDS_MAX = 1_000;",
    changes: [
      ["1_000", "0"],
      ["1_000", "2000"],
    ],
    reason: "Memory of what is computed the same each time: only time tells.",
  },
  {
    file: "src/recognition/history.ts",
    lineText: "if (kinds.size < KINDS_MAX) kinds.set(rawType, kind);",
    changes: [
      ["kinds.size < KINDS_MAX", "false"],
      ["<", "<="],
      ["<", ">="],
      ["kinds.set(rawType, kind);", ";"],
    ],
    reason: "Memory of what is computed the same each time: only time tells.",
  },
  {
    file: "src/recognition/history-file.ts",
    lineText: "return false;",
    changes: [["return false;", "return;"]],
    reason: "Whoever asks only wants to know whether it is true.",
  },
  {
    file: "src/recognition/history-file.ts",
    lineText: "for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);",
    changes: [
      ["0", "(-1)"],
      ["0", "1"],
      ["1", "2"],
    ],
    reason: "All counts move alike, and only their order is asked for.",
  },
  {
    file: "src/recognition/catalogue.ts",
    lineText: "if (known?.country === country) return known.product;",
    changes: [["known?.country === country", "false"]],
    reason: "Memory of what is computed the same each time: only time tells.",
  },
  {
    file: "src/recognition/catalogue.ts",
    lineText: "found.set(merchant, { country, product });",
    changes: [["found.set(merchant, { country, product });", ";"]],
    reason: "Memory of what is computed the same each time: only time tells.",
  },
  {
    file: "src/recognition/catalogue.ts",
    lineText:
      'const letters = [...alias].map((letter) => (letter > "\\u007f" ? fold(letter).toLowerCase() : letter)).join("");',
    changes: [
      ['letter > "\\u007f" ? fold(letter).toLowerCase() : letter', "(letter)"],
      [".toLowerCase()", ""],
      ["toLowerCase", "toUpperCase"],
    ],
    reason:
      "Each alias of the catalogue that has a letter of its country has it beside the plain one, and patterns are matched whatever the case.",
  },
  {
    file: "src/recognition/catalogue.ts",
    lineText: "return letters.replace(/ae|aa|oe/g, (pair) => pair.charAt(0));",
    changes: [["0", "1"]],
    reason: "Of AE, AA and OE the catalogue's aliases have only AA.",
  },
  {
    file: "src/recognition/product.ts",
    lineText:
      'const FIXED_CATEGORIES = ["HOUSING", "UTILITIES", "INSURANCE", "COMMUNICATION_MOBILE", "DEBT", "FEES_TAX", "FEES_BANK", "SAVINGS", "WORK_", "CHILDREN_DAYCARE", "CHILDREN_SCHOOL", "TRANSPORT_VEHICLE", "EDUCATION_TUITION"];',
    changes: [[', "EDUCATION_TUITION"', ""]],
    reason: "The category tree has no such category.",
  },
  {
    file: "src/recognition/product.ts",
    lineText: "const product = service.productId === null ? null : productById(service.productId);",
    changes: [
      ["service.productId === null ? null : productById(service.productId)", "(productById(service.productId))"],
      ["service.productId === null ? null : productById(service.productId)", "(productById(service.productId))", 2],
    ],
    reason: "The catalogue has no product without an id.",
  },
  {
    file: "src/recognition/product.ts",
    lineText: "const coded = mcc === null ? null : merchantCategory(mcc);",
    changes: [["mcc === null ? null : merchantCategory(mcc)", "(merchantCategory(mcc))"]],
    reason: "No merchant category has that number.",
  },
  {
    file: "src/recognition/product.ts",
    lineText:
      'const keyword = findKeyword(merchantName === null ? description : `${description} ${merchantName}`, "OUT", [country]);',
    changes: [
      ["merchantName === null ? description : `${description} ${merchantName}`", "(`${description} ${merchantName}`)"],
    ],
    reason: "No dictionary knows the word null.",
  },
  {
    file: "src/recognition/product.ts",
    lineText:
      'if (keyword !== null && keyword.confidence >= KEYWORD_SURE && typeOf(keyword.categoryId) === "OTHER_RECURRING") return "OTHER_RECURRING";',
    changes: [[">=", ">"]],
    reason: "No keyword is exactly as sure.",
  },
  {
    file: "src/recognition/alias-index.ts",
    lineText:
      "const CODES = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, ALPHABET.indexOf(String.fromCharCode(code))));",
    changes: [
      ["128", "127"],
      ["128", "129"],
      ["indexOf", "lastIndexOf"],
    ],
    reason: "No plain character has the number 127 or 128, and each stands in the alphabet once.",
  },
  {
    file: "src/recognition/alias-index.ts",
    lineText: "const PLAIN_START = /^(?:\\\\b|\\^)?((?:[a-z0-9 ](?![?*+{]))+)/;",
    changes: [["+", "*"]],
    reason: "A beginning of nothing is shorter than three characters, as one that is not found.",
  },
  {
    file: "src/recognition/alias-index.ts",
    lineText: "const byStart: (number[] | undefined)[] = Array.from({ length: SIZE ** START_LENGTH });",
    changes: [["**", "*"]],
    reason: "The length a list begins with, which grows.",
  },
  {
    file: "src/recognition/alias-index.ts",
    lineText: "others.push(pattern);",
    changes: [["push", "unshift"]],
    reason: "The order of alternatives of which one must match.",
  },
  {
    file: "src/recognition/alias-index.ts",
    lineText: "} else (byStart[start] ??= []).push(entry);",
    changes: [["push", "unshift"]],
    reason: "Entries are sorted before they are handed out.",
  },
  {
    file: "src/recognition/alias-index.ts",
    lineText: 'const start = pattern.includes("|") ? "" : (PLAIN_START.exec(pattern)?.[1] ?? "");',
    changes: [
      ['""', '"#"'],
      ['""', '"#"', 2],
    ],
    reason: "A beginning of one character is too short, as one of none.",
  },
  {
    file: "src/recognition/alias-index.ts",
    lineText: "for (let at = 0; at < text.length; at++) {",
    changes: [
      ["0", "(-1)"],
      ["<", "<="],
    ],
    reason: "A character that is not there counts as none, and nothing begins with none.",
  },
  {
    file: "src/recognition/alias-index.ts",
    lineText: "return entries === null ? NONE : [...new Set(entries)].sort((a, b) => a - b);",
    changes: [
      [
        "entries === null ? NONE : [...new Set(entries)].sort((a, b) => a - b)",
        "([...new Set(entries)].sort((a, b) => a - b))",
      ],
    ],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/opening-words.ts",
    lineText: "if (keys.size < namesMin) return none;",
    changes: [["keys.size < namesMin", "false"]],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/opening-words.ts",
    lineText:
      'for (let end = key.indexOf(" "), words = 1; end > 0 && words <= WORDS_MAX; end = key.indexOf(" ", end + 1), words++) {',
    changes: [
      [">", ">="],
      ["0", "(-1)"],
      ["1", "2", 2],
    ],
    reason: "A key does not begin with a space, and has no two together.",
  },
  {
    file: "src/recognition/opening-words.ts",
    lineText: "if (returning.has(key)) continue;",
    changes: [
      ["returning.has(key)", "false"],
      ["continue;", ";"],
    ],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/opening-words.ts",
    lineText: "return end < 0 ? key.slice(start) : key.slice(start, end);",
    changes: [
      ["<", "<="],
      ["0", "1"],
    ],
    reason: "A space behind a word is never the first character.",
  },
  {
    file: "src/recognition/opening-words.ts",
    lineText:
      'for (let end = key.indexOf(" "); end > 0; end = key.indexOf(" ", end + 1)) if (openings.has(key.slice(0, end))) longest = key.slice(0, end);',
    changes: [
      [">", ">="],
      ["0", "(-1)"],
      ["1", "2"],
    ],
    reason: "A key does not begin with a space, and has no two together.",
  },
  {
    file: "src/recognition/own-transfer.ts",
    lineText: "if (owners.size === 0) return () => false;",
    changes: [
      ["owners.size === 0", "false"],
      ["0", "(-1)"],
    ],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/own-transfer.ts",
    lineText: 'const text = `${description}\\n${merchantName ?? ""}\\n${merchantCid ?? ""}`.toUpperCase();',
    changes: [
      [' ?? ""', ""],
      ['""', '"#"'],
      [' ?? ""', "", 2],
      ['""', '"#"', 2],
    ],
    reason: "Neither null nor a sign is part of an account's number.",
  },
  {
    file: "src/recognition/own-transfer.ts",
    lineText: "if (!DIGITS_TOGETHER.test(text) || !mayName(text, names)) return false;",
    changes: [
      [" || !mayName(text, names)", ""],
      ["return false;", "return;"],
    ],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/own-transfer.ts",
    lineText: "return b.length - a.length || (a < b ? -1 : 1);",
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
    reason: "Of names equally long one at most stands at one place.",
  },
  {
    file: "src/recognition/own-transfer.ts",
    lineText: "if (group) group.push(dated);",
    changes: [["push", "unshift"]],
    reason: "The group is sorted before it is looked at.",
  },
  {
    file: "src/recognition/own-transfer.ts",
    lineText: "return [...bySum.values()].flatMap((group) => (group.length < 2 ? [] : pairsIn(group.sort(byDay))));",
    changes: [
      ["group.length < 2 ? [] : pairsIn(group.sort(byDay))", "(pairsIn(group.sort(byDay)))"],
      ["2", "1"],
    ],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/own-transfer.ts",
    lineText: "return a.at - b.at || (a.row.txid < b.row.txid ? -1 : 1);",
    changes: [
      ["<", "<="],
      ["1", "2"],
      ["1", "0", 2],
      ["1", "2", 2],
    ],
    reason: "A sort asks a comparison for its sign only, and no two of these are equal.",
  },
  {
    file: "src/recognition/own-transfer.ts",
    lineText: "for (let apart = 0; apart <= DAYS_APART_MAX; apart++) {",
    changes: [["0", "(-1)"]],
    reason: "No row is booked a negative number of days later.",
  },
  {
    file: "src/recognition/own-transfer.ts",
    lineText: "const second = oppositeOf(first, group, index + 1, apart, paired);",
    changes: [["1", "0"]],
    reason: "A row is not on another account than itself.",
  },
  {
    file: "src/recognition/own-transfer.ts",
    lineText: "pairs.push([first.row.txid, second.row.txid]);",
    changes: [["push", "unshift"]],
    reason: "The pairs become a set.",
  },
  {
    file: "src/recognition/own-transfer.ts",
    lineText: "if (other.at < at + apart || paired.has(other)) continue;",
    changes: [
      ["other.at < at + apart || ", ""],
      ["+", "-"],
    ],
    reason: "What is nearer would have been paired in an earlier round.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText:
      "const key = group[0]!.named.isCatalogued ? name : withoutReference(withoutPlace(name, places), numbered);",
    changes: [
      [
        "group[0]!.named.isCatalogued ? name : withoutReference(withoutPlace(name, places), numbered)",
        "(withoutReference(withoutPlace(name, places), numbered))",
      ],
    ],
    reason: "A product's id has no space: neither place nor number can be taken off.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: 'const direction = payment.transaction.amountMinor < 0 ? "OUT" : "IN";',
    changes: [
      ["<", "<="],
      ["0", "1"],
    ],
    reason: "A payment has an amount other than nothing, in whole units.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText:
      'if (first!.named.isCatalogued || space <= name.indexOf(" ") || name.length - space <= PLACE_LENGTH_MIN) continue;',
    changes: [["first!.named.isCatalogued || ", ""]],
    reason: "A product's id has no space: it has no last word.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: "const NUMBERED = /^((?:OUT|IN) [A-Z]{2}) \\d{3,}$|^((?:OUT|IN) .*[A-Z]{3,}) \\d{1,2}$/;",
    changes: [
      ["^", ""],
      ["^", "", 2],
      ["$", "", 2],
    ],
    reason:
      "A direction stands at the beginning alone, and nothing stands behind the digits that end a name of three letters.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: 'const CODE_OF_9 = "9".charCodeAt(0);',
    changes: [
      ['"9"', '""'],
      ["0", "(-1)"],
      ["0", "1"],
    ],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: "if (name.charCodeAt(name.length - 1) > CODE_OF_9) return undefined;",
    changes: [
      ["name.charCodeAt(name.length - 1) > CODE_OF_9", "false"],
      ["-", "+"],
      ["1", "0"],
      ["1", "2"],
      ["return undefined;", "return;"],
    ],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: "if (short === undefined) continue;",
    changes: [
      ["short === undefined", "false"],
      ["continue;", ";"],
    ],
    reason: "No name is undefined, so what is counted under it is never asked for.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: "const short = numbered.size === 0 ? undefined : numberless(name);",
    changes: [
      ["numbered.size === 0 ? undefined : numberless(name)", "(numberless(name))"],
      ["0", "(-1)"],
    ],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: "return short !== undefined && numbered.has(short) ? short : name;",
    changes: [["short !== undefined && ", ""]],
    reason: "No name is undefined, so none is among those with references.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: "counts.set(title, (counts.get(title) ?? 0) + 1);",
    changes: [
      ["0", "(-1)"],
      ["0", "1"],
      ["1", "2"],
    ],
    reason: "All counts move alike, and only their order is asked for.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText:
      "const [usual] = [...counts].sort(([a, countA], [b, countB]) => countB - countA || a.length - b.length || (a < b ? -1 : 1));",
    changes: [
      ["<", "<="],
      ["1", "2"],
      ["1", "0", 2],
      ["1", "2", 2],
    ],
    reason: "A sort asks a comparison for its sign only, and no two of these are equal.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: 'return usual === undefined || usual[0] === "" ? payments[0]!.transaction.rawType : usual[0];',
    changes: [["usual === undefined || ", ""]],
    reason: "A payee has payments: without any both fail.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText:
      ".sort((a, b) => (a.compact < b.compact ? -1 : a.compact > b.compact ? 1 : a.payee.key < b.payee.key ? -1 : 1));",
    changes: [
      ["1", "2"],
      ["1", "0", 2],
      ["1", "2", 2],
      ["<", "<=", 2],
      ["1", "2", 3],
      ["1", "0", 4],
      ["1", "2", 4],
    ],
    reason: "A sort asks a comparison for its sign only, and no two of these are equal.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText:
      "if (head.direction !== other.direction || head.product !== other.product || isCatalogued(head)) return false;",
    changes: [
      ["head.direction !== other.direction || ", ""],
      [" || isCatalogued(head)", ""],
      ["return false;", "return;"],
    ],
    reason:
      "The compact name begins with the direction; and all payments of a product outside of gateways are under one key already.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: "if (!otherCompact.startsWith(headCompact)) return false;",
    changes: [["return false;", "return;"]],
    reason: "Whoever asks only wants to know whether it is true.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: 'const firstA = a.split(" ", 1)[0]!;',
    changes: [["1", "2"]],
    reason: "Only the first part is taken.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: 'const firstB = b.split(" ", 1)[0]!;',
    changes: [["1", "2"]],
    reason: "Only the first part is taken.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText:
      "return Math.min(firstA.length, firstB.length) >= STEM_LENGTH && (firstA.startsWith(firstB) || firstB.startsWith(firstA));",
    changes: [["min", "max"]],
    reason: "Who shares the first three letters with a word of two has that word too.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: "if (a.payments.length + b.payments.length > ALTERNATING_PAYMENTS_MAX) return false;",
    changes: [["return false;", "return;"]],
    reason: "Whoever asks only wants to know whether it is true.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: "if (shared.length < SHARED_PRICES_MIN) return false;",
    changes: [["return false;", "return;"]],
    reason: "Whoever asks only wants to know whether it is true.",
  },
  {
    file: "src/recognition/payee.ts",
    lineText: "return payee.product !== null && !payee.product.isGateway;",
    changes: [["return payee.product !== null && !payee.product.isGateway;", "return;"]],
    reason: "All payments of a product outside of gateways are under one key already.",
  },
] as const;
