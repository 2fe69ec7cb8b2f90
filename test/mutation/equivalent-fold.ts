/** Mutants that no test can tell from the original, line by line. */
import type { Equivalents } from "./judged.ts";

export const equivalentsOfFold: readonly Equivalents[] = [
  {
    file: "src/budgets/fold/expectations.ts",
    lineText: "const empty = new Set(holding.flatMap((rule) => rule.empty ?? []).filter((id) => !nonempty.has(id)));",
    reason:
      "no household is told to have and not to have the same: no two rules that hold together name one category so",
    changes: [[".filter((id) => !nonempty.has(id))", ""]],
  },
  {
    file: "src/budgets/fold/items.ts",
    lineText: "if (frequency === null) return null;",
    reason: "who asks tells neither nothing from null",
    changes: [["return null;", "return;"]],
  },
  {
    file: "src/budgets/fold/items.ts",
    lineText: "const weights = categories.map(({ amountMinor }) => amountMinor ?? 0);",
    reason: "what is split has an amount for each category: the other value is there for the compiler",
    changes: [
      [" ?? 0", ""],
      ["0", "(-1)"],
      ["0", "1"],
    ],
  },
  {
    file: "src/budgets/fold/items.ts",
    lineText:
      "const weights = isSplit(answer.categories) ? answer.categories.map(({ amountMinor }) => amountMinor ?? 0) : [1];",
    reason:
      "with amounts for all the other value is for the compiler; without, the only item has the whole at any weight",
    changes: [
      [" ?? 0", ""],
      ["0", "(-1)"],
      ["0", "1"],
      ["1", "2"],
    ],
  },
  {
    file: "src/budgets/fold/items.ts",
    lineText:
      ".toSorted((a, b) => (a.document.transactionDate + a.txid < b.document.transactionDate + b.txid ? -1 : 1));",
    reason: "a sort asks only whether the one stands before the other, and no two of these are equal",
    changes: [
      ["<", "<="],
      ["1", "2"],
      ["1", "0", 2],
      ["1", "2", 2],
    ],
  },
  {
    file: "src/budgets/fold/items.ts",
    lineText:
      'const chosen = answer.type === "TRANSACTION" ? transactions.find(({ txid }) => txid === answer.txid) : undefined;',
    reason: "no two payments have the same txid",
    changes: [["find", "findLast"]],
  },
  {
    file: "src/budgets/fold/nodes.ts",
    lineText: "categories.map(({ amountMinor }) => amountMinor ?? 0),",
    reason: "what is split has an amount for each category: the other value is there for the compiler",
    changes: [
      [" ?? 0", ""],
      ["0", "(-1)"],
      ["0", "1"],
    ],
  },
  {
    file: "src/budgets/fold/nodes.ts",
    lineText: "return b.paymentCostMonthlyMinor - a.paymentCostMonthlyMinor || (a.key < b.key ? -1 : 1);",
    reason: "a sort asks only whether the one stands before the other, and no two of these are equal",
    changes: [
      ["<", "<="],
      ["1", "2"],
      ["1", "0", 2],
      ["1", "2", 2],
    ],
  },
  {
    file: "src/budgets/fold/nonrecurring.ts",
    lineText:
      ".toSorted((a, b) => (a.document.transactionDate + a.txid > b.document.transactionDate + b.txid ? -1 : 1));",
    reason: "a sort asks only whether the one stands before the other, and no two of these are equal",
    changes: [
      [">", ">="],
      ["1", "2"],
      ["1", "0", 2],
      ["1", "2", 2],
    ],
  },
  {
    file: "src/budgets/fold/notes.ts",
    lineText: 'const [first = "", second = ""] = name;',
    reason: "what stands there instead is no capital letter either",
    changes: [['""', '"#"', 2]],
  },
  {
    file: "src/budgets/fold/notes.ts",
    lineText: ".filter(({ categories }) => categories.indexOf(id) > 0)",
    reason: "an item names no category twice",
    changes: [["indexOf", "lastIndexOf"]],
  },
  {
    file: "src/budgets/fold/notes.ts",
    lineText: "const isIncluded = grouped.some(({ categories }) => categories.indexOf(node.id) > 0);",
    reason: "an item names no category twice",
    changes: [["indexOf", "lastIndexOf"]],
  },
  {
    file: "src/budgets/fold/categorised-parts.ts",
    lineText: 'if (answer === null || part.standing !== "PAYEE") unmoved.push(categorised);',
    reason: "they are sorted at the end",
    changes: [["push", "unshift"]],
  },
  {
    file: "src/budgets/fold/categorised-parts.ts",
    lineText:
      "return [...unmoved, ...[...moved.values()].map(merge)].sort((a, b) => (a.part.key < b.part.key ? -1 : 1));",
    reason: "a sort asks only whether the one stands before the other, and no two of these are equal",
    changes: [
      ["<", "<="],
      ["1", "2"],
      ["1", "0", 2],
      ["1", "2", 2],
    ],
  },
  {
    file: "src/budgets/fold/categorised-parts.ts",
    lineText: "const found = bySubject.get(subjectOf(part)) ?? bySubject.get(payeeSubject(part)) ?? null;",
    reason: "what is not found has no kind, and is then null",
    changes: [[" ?? null", ""]],
  },
  {
    file: "src/budgets/fold/questions.ts",
    lineText: 'const severities: readonly Severity[] = ["HIGH", "MEDIUM", "LOW"];',
    reason: "what is not found in a list stands before its first",
    changes: [['"HIGH"', '""']],
  },
  {
    file: "src/budgets/fold/questions.ts",
    lineText: ".sort((a, b) => b.weightMinor - a.weightMinor || (a.id < b.id ? -1 : 1));",
    reason: "a sort asks only whether the one stands before the other, and no two of these are equal",
    changes: [
      ["<", "<="],
      ["1", "2"],
      ["1", "0", 2],
      ["1", "2", 2],
    ],
  },
  {
    file: "src/budgets/fold/reference.ts",
    lineText: "partOf(parseAmount(amount.toFixed(4), currency)?.minor ?? 0, household.sharePercent, 100);",
    reason:
      "no table of config/reference-budgets.json comes to this: each has what it names, and amounts of thirds of a cent",
    changes: [
      ["4", "3"],
      ["4", "5"],
    ],
  },
  {
    file: "src/budgets/fold/reference.ts",
    lineText: "partOf(parseAmount(amount.toFixed(4), currency)?.minor ?? 0, household.sharePercent, 100);",
    reason: "a number with four decimals is an amount",
    changes: [
      [" ?? 0", ""],
      ["0", "(-1)"],
      ["0", "1"],
    ],
  },
  {
    file: "src/budgets/fold/reference.ts",
    lineText: "return begun.toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : -1))[0] ?? null;",
    reason: "the file has its tables in the order of their days, which this turns round",
    changes: [["a.validFrom < b.validFrom ? 1 : -1", "(-1)"]],
  },
  {
    file: "src/budgets/fold/reference.ts",
    lineText: "return begun.toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : -1))[0] ?? null;",
    reason: "a sort asks only whether the one stands before the other, and no two of these are equal",
    changes: [
      ["1", "0"],
      ["1", "2"],
      ["1", "2", 2],
      ["<", "<="],
    ],
  },
  {
    file: "src/budgets/fold/reference.ts",
    lineText: "{ id, referenceMinor: share(amounts.get(id) ?? 0), budgetMinor: amountMinor },",
    reason:
      "no table of config/reference-budgets.json comes to this: each has what it names, and amounts of thirds of a cent",
    changes: [
      ["0", "(-1)"],
      ["0", "1"],
      [" ?? 0", ""],
    ],
  },
  {
    file: "src/budgets/fold/reference.ts",
    lineText: 'return notes.find(({ type }) => type === "INCLUDED_IN_OTHERS")?.categories?.[0] ?? null;',
    reason: "a category has one note of a type",
    changes: [["find", "findLast"]],
  },
  {
    file: "src/budgets/fold/reference.ts",
    lineText: "? rule.firstAdult + (isCouple ? (rule.secondAdult ?? 0) : 0)",
    reason:
      "no table of config/reference-budgets.json comes to this: each has what it names, and amounts of thirds of a cent",
    changes: [
      ["0", "(-1)"],
      ["0", "1"],
      [" ?? 0", ""],
    ],
  },
  {
    file: "src/budgets/fold/reference.ts",
    lineText: "? (rule.couple ?? 2 * (rule.coupleEach ?? 0))",
    reason:
      "no table of config/reference-budgets.json comes to this: each has what it names, and amounts of thirds of a cent",
    changes: [
      ["0", "(-1)"],
      ["0", "1"],
      [" ?? 0", ""],
    ],
  },
  {
    file: "src/budgets/fold/reference.ts",
    lineText: ": (rule.single ?? 0);",
    reason:
      "no table of config/reference-budgets.json comes to this: each has what it names, and amounts of thirds of a cent",
    changes: [
      ["0", "(-1)"],
      ["0", "1"],
      [" ?? 0", ""],
    ],
  },
  {
    file: "src/budgets/fold/reference.ts",
    lineText: "return sum + amountAt(rule.children ?? [], age) * (isReduced ? 1 - (rule.reduction ?? 0) : 1);",
    reason:
      "no table of config/reference-budgets.json comes to this: each has what it names, and amounts of thirds of a cent",
    changes: [
      ["0", "(-1)"],
      ["0", "1"],
      [" ?? 0", ""],
    ],
  },
  {
    file: "src/budgets/fold/reference.ts",
    lineText: "return byAge.find(([from = 0, to = 0]) => age >= from && age <= to)?.[2] ?? 0;",
    reason: "each row of a table names its ages",
    changes: [
      ["0", "(-1)"],
      ["0", "1"],
      ["0", "(-1)", 2],
      ["0", "1", 2],
    ],
  },
  {
    file: "src/budgets/fold/sides.ts",
    lineText: "return item && isListed ? [item] : [];",
    reason: "what is listed is an item: the first word is there for the compiler",
    changes: [["item && ", ""]],
  },
  {
    file: "src/budgets/fold/alerts.ts",
    lineText: 'const severities: readonly Severity[] = ["LOW", "MEDIUM", "HIGH"];',
    reason: "what is not found in a list stands before its first, and without any other the least is told",
    changes: [['"LOW"', '""']],
  },
  {
    file: "src/budgets/fold/expectations.ts",
    lineText: 'if (categoryId === "HOUSING_MORTGAGE" && userData?.residence.ownership === "HOMEOWNER") return "LOW";',
    reason: "nobody but a home owner is expected to have a mortgage",
    changes: [[' && userData?.residence.ownership === "HOMEOWNER"', ""]],
  },
  {
    file: "src/budgets/fold/nonrecurring.ts",
    lineText: "months: snapshot.months.map((month, at) => ({ month, amountMinor: months[at] ?? null })),",
    reason: "there is one for each month: the other value is there for the compiler",
    changes: [[" ?? null", ""]],
  },
  {
    file: "src/budgets/fold/questions.ts",
    lineText: "open: true,",
    reason: "who calls it says anew whether it is open",
    changes: [["true", "false"]],
  },
  {
    file: "src/budgets/fold/questions.ts",
    lineText: ".toSorted((a, b) => severities.indexOf(a.note.severity) - severities.indexOf(b.note.severity))",
    reason: "a list names no severity twice",
    changes: [
      ["indexOf", "lastIndexOf"],
      ["indexOf", "lastIndexOf", 2],
    ],
  },
  {
    file: "src/budgets/fold/categorised-parts.ts",
    lineText: 'const kind = found && findCategory(found.answer.categories[0]?.id ?? "")?.kind;',
    reason: "an answer names at least one category",
    changes: [['""', '"#"']],
  },
];
