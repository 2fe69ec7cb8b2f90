/**
 * Mutants of src/budgets/fold judged by hand, by the line that they change. Where a formatter breaks such a line anew,
 * its judgement is reported as gone and is to be found again.
 */
/** What is changed, what stands there instead, and where the line has several alike: which. */
type Change = readonly [original: string, replacement: string, nth?: number];

function judged(file: string, lineText: string, reason: string, ...changes: readonly Change[]) {
  return changes.map(([original, replacement, nth = 1]) => ({
    file: `src/budgets/fold/${file}`,
    lineText,
    original,
    replacement,
    nth,
    reason,
  }));
}

const order = "a sort asks only whether the one stands before the other, and no two of these are equal";
const forCompiler = "what is split has an amount for each category: the other value is there for the compiler";
const noSuchTable =
  "no table of config/reference-budgets.json comes to this: each has what it names, and amounts of thirds of a cent";
const onlyItem =
  "with amounts for all the other value is for the compiler; without, the only item has the whole at any weight";
const anAmount = "a number with four decimals is an amount";

export const equivalentsOfFold = [
  ...judged(
    "expectations.ts",
    "const empty = new Set(holding.flatMap((rule) => rule.empty ?? []).filter((id) => !nonempty.has(id)));",
    "no household is told to have and not to have the same: no two rules that hold together name one category so",
    [".filter((id) => !nonempty.has(id))", ""],
  ),
  ...judged(
    "fold.ts",
    'export type { BudgetFacts } from "./facts.ts";',
    "a type that is handed on is gone when the module runs",
    ['"./facts.ts"', '""'],
  ),
  ...judged("items.ts", "if (frequency === null) return null;", "who asks tells neither nothing from null", [
    "return null;",
    "return;",
  ]),
  ...judged(
    "items.ts",
    "const weights = categories.map(({ amountMinor }) => amountMinor ?? 0);",
    forCompiler,
    [" ?? 0", ""],
    ["0", "(-1)"],
    ["0", "1"],
  ),
  ...judged(
    "items.ts",
    "const weights = isSplit(answer.categories) ? answer.categories.map(({ amountMinor }) => amountMinor ?? 0) : [1];",
    onlyItem,
    [" ?? 0", ""],
    ["0", "(-1)"],
    ["0", "1"],
    ["1", "2"],
  ),
  ...judged(
    "items.ts",
    "const transactions = gathered.flatMap((one) => everydayOf(one, snapshot)).toSorted((a, b) => (a.document.transactionDate + a.txid < b.document.transactionDate + b.txid ? -1 : 1));",
    order,
    ["<", "<="],
    ["1", "2"],
    ["1", "0", 2],
    ["1", "2", 2],
  ),
  ...judged(
    "items.ts",
    'const chosen = answer.type === "TRANSACTION" ? transactions.find(({ txid }) => txid === answer.txid) : undefined;',
    "no two payments have the same txid",
    ["find", "findLast"],
  ),
  ...judged(
    "nodes.ts",
    "if (isSplit(categories)) for (const [at, { id }] of categories.entries()) put(id, sums.map((total) => allocate(total, categories.map(({ amountMinor }) => amountMinor ?? 0))[at]!));",
    forCompiler,
    [" ?? 0", ""],
    ["0", "(-1)"],
    ["0", "1"],
  ),
  ...judged(
    "nodes.ts",
    "return b.paymentCostMonthlyMinor - a.paymentCostMonthlyMinor || (a.key < b.key ? -1 : 1);",
    order,
    ["<", "<="],
    ["1", "2"],
    ["1", "0", 2],
    ["1", "2", 2],
  ),
  ...judged(
    "nonrecurring.ts",
    ".toSorted((a, b) => (a.document.transactionDate + a.txid > b.document.transactionDate + b.txid ? -1 : 1));",
    order,
    [">", ">="],
    ["1", "2"],
    ["1", "0", 2],
    ["1", "2", 2],
  ),
  ...judged(
    "notes.ts",
    'const [first = "", second = ""] = name;',
    "what stands there instead is no capital letter either",
    ['""', '"#"', 2],
  ),
  ...judged(
    "notes.ts",
    "const carriers = grouped.filter(({ categories }) => categories.indexOf(id) > 0).map(({ categories }) => categories[0]!);",
    "an item names no category twice",
    ["indexOf", "lastIndexOf"],
  ),
  ...judged(
    "notes.ts",
    "const isIncluded = grouped.some(({ categories }) => categories.indexOf(node.id) > 0);",
    "an item names no category twice",
    ["indexOf", "lastIndexOf"],
  ),
  ...judged(
    "placement.ts",
    'if (answer === null || part.standing !== "PAYEE") placed.push(placement);',
    "they are sorted at the end",
    ["push", "unshift"],
  ),
  ...judged(
    "placement.ts",
    "return [...placed, ...[...moved.values()].map(merge)].sort((a, b) => (a.part.key < b.part.key ? -1 : 1));",
    order,
    ["<", "<="],
    ["1", "2"],
    ["1", "0", 2],
    ["1", "2", 2],
  ),
  ...judged(
    "placement.ts",
    "const found = bySubject.get(subjectOf(part)) ?? bySubject.get(payeeSubject(part)) ?? null;",
    "what is not found has no kind, and is then null",
    [" ?? null", ""],
  ),
  ...judged(
    "questions.ts",
    'const severities: readonly Severity[] = ["HIGH", "MEDIUM", "LOW"];',
    "what is not found in a list stands before its first",
    ['"HIGH"', '""'],
  ),
  ...judged(
    "questions.ts",
    ".sort((a, b) => b.weightMinor - a.weightMinor || (a.id < b.id ? -1 : 1));",
    order,
    ["<", "<="],
    ["1", "2"],
    ["1", "0", 2],
    ["1", "2", 2],
  ),
  ...judged(
    "reference.ts",
    "const share = (amount: number): number => partOf(parseAmount(amount.toFixed(4), currency)?.minor ?? 0, household.sharePercent, 100);",
    noSuchTable,
    ["4", "3"],
    ["4", "5"],
  ),
  ...judged(
    "reference.ts",
    "const share = (amount: number): number => partOf(parseAmount(amount.toFixed(4), currency)?.minor ?? 0, household.sharePercent, 100);",
    anAmount,
    [" ?? 0", ""],
    ["0", "(-1)"],
    ["0", "1"],
  ),
  ...judged(
    "reference.ts",
    "return begun.toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : -1))[0] ?? null;",
    "the file has its tables in the order of their days, which this turns round",
    ["a.validFrom < b.validFrom ? 1 : -1", "(-1)"],
  ),
  ...judged(
    "reference.ts",
    "return begun.toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : -1))[0] ?? null;",
    order,
    ["1", "0"],
    ["1", "2"],
    ["1", "2", 2],
    ["<", "<="],
  ),
  ...judged(
    "reference.ts",
    "const rows = new Map(covered.map(({ node: { id }, amountMinor }): [string, ReferenceCategory] => [id, { id, referenceMinor: share(amounts.get(id) ?? 0), budgetMinor: amountMinor }]));",
    noSuchTable,
    ["0", "(-1)"],
    ["0", "1"],
    [" ?? 0", ""],
  ),
  ...judged(
    "reference.ts",
    'return notes.find(({ type }) => type === "INCLUDED_IN_OTHERS")?.categories?.[0] ?? null;',
    "a category has one note of a type",
    ["find", "findLast"],
  ),
  ...judged(
    "reference.ts",
    "const adults = rule.firstAdult !== undefined ? rule.firstAdult + (isCouple ? (rule.secondAdult ?? 0) : 0) : isCouple ? (rule.couple ?? 2 * (rule.coupleEach ?? 0)) : (rule.single ?? 0);",
    noSuchTable,
    ["0", "(-1)"],
    ["0", "1"],
    ["0", "(-1)", 3],
    ["0", "1", 3],
    ["0", "(-1)", 4],
    ["0", "1", 4],
    [" ?? 0", ""],
    [" ?? 0", "", 2],
    [" ?? 0", "", 3],
  ),
  ...judged(
    "reference.ts",
    "return sum + amountAt(rule.children ?? [], age) * (isReduced ? 1 - (rule.reduction ?? 0) : 1);",
    noSuchTable,
    ["0", "(-1)"],
    ["0", "1"],
    [" ?? 0", ""],
  ),
  ...judged(
    "reference.ts",
    "return table.find(([from = 0, to = 0]) => age >= from && age <= to)?.[2] ?? 0;",
    "each row of a table names its ages",
    ["0", "(-1)"],
    ["0", "1"],
    ["0", "(-1)", 2],
    ["0", "1", 2],
  ),
  ...judged(
    "sides.ts",
    "return item && isListed ? [item] : [];",
    "what is listed is an item: the first word is there for the compiler",
    ["item && ", ""],
  ),
  ...judged(
    "alerts.ts",
    'const severities: readonly Severity[] = ["LOW", "MEDIUM", "HIGH"];',
    "what is not found in a list stands before its first, and without any other the least is told",
    ['"LOW"', '""'],
  ),
  ...judged(
    "expectations.ts",
    'if (categoryId === "HOUSING_MORTGAGE" && userData?.residence.ownership === "HOMEOWNER") return "LOW";',
    "nobody but a home owner is expected to have a mortgage",
    [' && userData?.residence.ownership === "HOMEOWNER"', ""],
  ),
  ...judged(
    "nonrecurring.ts",
    "months: snapshot.months.map((month, at) => ({ month, amountMinor: months[at] ?? null })),",
    "there is one for each month: the other value is there for the compiler",
    [" ?? null", ""],
  ),
  ...judged(
    "questions.ts",
    'id, type: "RECATEGORIZATION", title: fill(texts.questions.recategorizationTitle, values), content, skipped: decisions.skips.has(id), open: true,',
    "who calls it says anew whether it is open",
    ["true", "false"],
  ),
  ...judged(
    "questions.ts",
    ".toSorted((a, b) => severities.indexOf(a.note.severity) - severities.indexOf(b.note.severity))",
    "a list names no severity twice",
    ["indexOf", "lastIndexOf"],
    ["indexOf", "lastIndexOf", 2],
  ),
  ...judged(
    "placement.ts",
    'const kind = found && findCategory(found.answer.categories[0]?.id ?? "")?.kind;',
    "an answer names at least one category",
    ['""', '"#"'],
  ),
  ...judged(
    "risks.ts",
    "const evidence = paid.toSorted((a, b) => (a.document.transactionDate + a.txid < b.document.transactionDate + b.txid ? -1 : 1));",
    order,
    ["<", "<="],
    ["1", "2"],
    ["1", "0", 2],
    ["1", "2", 2],
  ),
];
