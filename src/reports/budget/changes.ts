/** Section 11: what was entered, by whom it may be, and what is still open. */
import type { BudgetEvent, CategoryNode, FoldedBudget, LoggedEvent } from "../../budgets/budget.ts";
import type { Answer } from "../../budgets/events.ts";
import type { Row, Section } from "../document/blocks.ts";
import { isNamed } from "./special.ts";
import { type BudgetReport, fill, row, tableOr, type Writing } from "./writing.ts";

/** Of a comment in the list of changes; the one in force follows whole. */
const commentLengthMax = 160;

type Change = { what: string; before: string; after: string };
type Told = { budget: FoldedBudget; writing: Writing };

export function changes({ budget }: BudgetReport, writing: Writing): Section {
  const {
    texts: { changes: texts },
  } = writing;
  const rows = budget.log.map((logged) => changeRow(logged, { budget, writing }));
  const columns = [
    { title: texts.when, weight: 2 },
    { title: texts.what, weight: 3 },
    { title: texts.before, weight: 2 },
    { title: texts.after, weight: 3 },
  ];
  return {
    kind: "section",
    title: texts.title,
    blocks: [
      { kind: "paragraph", text: texts.intro },
      tableOr(texts.none, texts.title, columns, rows),
      { kind: "heading", text: texts.questions },
      tableOr(
        texts.noQuestions,
        texts.questions,
        [{ title: texts.question, weight: 4 }, { title: texts.answer }],
        questionRows(budget, writing),
      ),
      { kind: "heading", text: texts.comment },
      { kind: "paragraph", text: budget.comment === "" ? texts.noComment : budget.comment },
    ],
  };
}

function questionRows({ questions }: FoldedBudget, { texts: { changes: texts } }: Writing): Row[] {
  return questions
    .filter(({ open, item }) => open && (item === null || isNamed(item)))
    .map(({ title, content, skipped }) =>
      row("data", { text: title, detail: content }, skipped ? texts.skipped : texts.open),
    );
}

function changeRow(logged: LoggedEvent, told: Told): Row {
  const { what, before, after } = changeOf(logged, told);
  const {
    writing: { actor, moment, texts },
  } = told;
  const isUndone = logged.event.type === "ANSWERED" && isRevoked(logged, logged.event.actionId, told.budget.log);
  return row(
    "data",
    { text: moment(logged.at), detail: actor(logged.actor) },
    { text: what, detail: isUndone ? texts.changes.undone : "" },
    before,
    after,
  );
}

/** An answer is undone by the next event about its question, unless that is another answer. */
function isRevoked({ sequence }: LoggedEvent, actionId: string, log: readonly LoggedEvent[]): boolean {
  const next = log.find(
    ({ sequence: later, event }) =>
      later > sequence && (event.type === "ANSWERED" || event.type === "REVOKED") && event.actionId === actionId,
  );
  return next?.event.type === "REVOKED";
}

function changeOf({ sequence, event }: LoggedEvent, told: Told): Change {
  const { writing } = told;
  const {
    texts: { changes: texts, status },
    categoryName,
  } = writing;
  const before = "";
  switch (event.type) {
    case "ANSWERED":
      return {
        what: fill(texts.ANSWERED, { title: titleOf(event.actionId, event.answer, told) }),
        before: aboutOf(event.answer, writing),
        after: answerOf(event.answer, told),
      };
    case "REVOKED":
      return {
        what: fill(texts.REVOKED, { title: titleOf(event.actionId, null, told) }),
        before,
        after: event.notApplicable ? texts.notApplicable : "",
      };
    case "SKIPPED":
      return { what: fill(texts.SKIPPED, { title: titleOf(event.actionId, null, told) }), before, after: "" };
    case "ADJUSTED":
      return {
        what: fill(texts.ADJUSTED, { category: categoryName(event.categoryId) }),
        before: valueBefore(event.categoryId, sequence, told),
        after: perTime(event, writing),
      };
    case "ADJUSTMENT_REMOVED":
      return {
        what: fill(texts.ADJUSTMENT_REMOVED, { category: categoryName(event.categoryId) }),
        before: valueBefore(event.categoryId, sequence, told),
        after: engineValue(event.categoryId, told),
      };
    case "USER_DATA_SET":
      return { what: texts.USER_DATA_SET, before, after: "" };
    case "COAPPLICANT_SET":
      return { what: texts.COAPPLICANT_SET, before, after: applicantOf(event, writing) };
    case "DEBTS_SET":
      return { what: texts.DEBTS_SET, before, after: debtsOf(event, writing) };
    case "COMMENTED":
      return { what: texts.COMMENTED, before, after: cut(event.comment) };
    case "COMPLETED":
      return { what: texts.COMPLETED, before, after: status[event.status] };
  }
}

function debtsOf(
  { debts, calculationRateHundredths }: Extract<BudgetEvent, { type: "DEBTS_SET" }>,
  { amount, formats, texts }: Writing,
): string {
  const told = debts.map(({ title, remainingMinor, rateHundredths, termMonths }) =>
    fill(texts.changes.debt, {
      title,
      amount: amount(remainingMinor),
      rate: formats.percentage(rateHundredths),
      months: formats.counted(termMonths),
    }),
  );
  const rate =
    calculationRateHundredths === undefined
      ? []
      : [fill(texts.changes.calculationRate, { rate: formats.percentage(calculationRateHundredths) })];
  return told.length === 0 ? texts.changes.noDebts : [...told, ...rate].join("; ");
}

function applicantOf(
  { applicantType, budgetId }: Extract<BudgetEvent, { type: "COAPPLICANT_SET" }>,
  { texts: { changes: texts } }: Writing,
): string {
  return applicantType === "SHARED_FINANCES"
    ? texts.sharedFinances
    : fill(texts.separateFinances, { budgetId: budgetId ?? "" });
}

/** What the question is called now; one that is asked no more has the name of its answer. */
function titleOf(actionId: string, answer: Answer | null, { budget, writing: { texts } }: Told): string {
  const question = budget.questions.find(({ id }) => id === actionId);
  return question?.title ?? answer?.about?.payee ?? answer?.title ?? texts.changes.otherPayment;
}

/** A month's amount and the categories that it had. */
function aboutOf({ about }: Answer, { texts, categoryName, amount }: Writing): string {
  if (about === undefined) return "";
  const from = about.from.length === 0 ? texts.summary.uncategorized : about.from.map(categoryName).join(", ");
  return `${amount(about.amountMinor)}, ${from}`;
}

function answerOf({ categories, amountMinor, frequency }: Answer, { writing }: Told): string {
  const {
    texts: { changes: texts },
    categoryName,
    amount,
  } = writing;
  const named = categories
    .map(({ id, amountMinor: part }) => (part === null ? categoryName(id) : `${categoryName(id)} ${amount(part)}`))
    .join(", ");
  if (amountMinor === null || frequency === null) return named;
  return fill(texts.typed, {
    amount: amount(amountMinor),
    frequency: writing.frequency({ paymentFrequency: frequency }),
    categories: named,
  });
}

function perTime(
  {
    amountMinor,
    frequency,
  }: { amountMinor: number; frequency: Parameters<Writing["frequency"]>[0]["paymentFrequency"] },
  writing: Writing,
): string {
  return fill(writing.texts.changes.perTime, {
    amount: writing.amount(amountMinor),
    frequency: writing.frequency({ paymentFrequency: frequency }),
  });
}

/** The value given before, else the program's. */
function valueBefore(categoryId: string, sequence: number, told: Told): string {
  const earlier = told.budget.log.findLast(
    ({ sequence: at, event }) =>
      at < sequence &&
      (event.type === "ADJUSTED" || event.type === "ADJUSTMENT_REMOVED") &&
      event.categoryId === categoryId,
  );
  return earlier?.event.type === "ADJUSTED" ? perTime(earlier.event, told.writing) : engineValue(categoryId, told);
}

function engineValue(categoryId: string, { budget, writing }: Told): string {
  const node = findNode([...budget.categories, ...(budget.income ?? [])], categoryId);
  return node === null
    ? ""
    : fill(writing.texts.changes.programValue, { amount: writing.amount(node.totalMonthlyMinor) });
}

function findNode(nodes: readonly CategoryNode[], id: string): CategoryNode | null {
  for (const node of nodes) {
    const found = node.id === id ? node : findNode(node.children, id);
    if (found !== null) return found;
  }
  return null;
}

function cut(comment: string): string {
  const flat = comment.replace(/\s+/g, " ").trim();
  return flat.length <= commentLengthMax ? flat : `${flat.slice(0, commentLengthMax).trimEnd()}…`;
}
