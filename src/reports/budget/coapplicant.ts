/** Section 12: two applicants side by side, where there are two. */
import type { FoldedBudget } from "../../budgets/budget.ts";
import type { Row, Section } from "../document/blocks.ts";
import { costTypes, effectiveStanding, type Standing } from "./figures.ts";
import { type BudgetReport, figures, fill, row, type Writing } from "./writing.ts";

/** Null: the budget has no co-applicant. */
export function coapplicant({ budget, other }: BudgetReport, writing: Writing): Section | null {
  const {
    texts: { coapplicant: texts },
  } = writing;
  const { coapplicant: own } = budget;
  // The one who was named by the other has said nothing, and is linked all the same.
  if (own === null && other === null) return null;
  const section = (...blocks: Section["blocks"]): Section => ({ kind: "section", title: texts.title, blocks });
  if (own?.type === "SHARED_FINANCES" && other === null) return section({ kind: "paragraph", text: texts.shared });
  const named = fill(texts.budget, { budgetId: other?.id ?? own?.budgetId ?? "" });
  const sentence = (text: string) => section({ kind: "paragraph", text: `${texts.separate} ${named}. ${text}` });
  if (other === null || other.asOf === null) return sentence(texts.missing);
  if (other.currency !== budget.currency) return sentence(fill(texts.otherCurrency, { currency: other.currency }));
  return section(
    { kind: "paragraph", text: `${texts.separate} ${named}.` },
    {
      kind: "table",
      summary: texts.title,
      columns: [{ title: texts.line }, figures(texts.first), figures(texts.second), figures(texts.sum)],
      rows: rowsOf(budget, other, writing),
    },
  );
}

function rowsOf(budget: FoldedBudget, other: FoldedBudget, { texts, amount, formats, shared }: Writing): Row[] {
  const [own, others] = [effectiveStanding(budget), effectiveStanding(other)];
  const line = (kind: Row["kind"], label: string, of: (standing: Standing) => number) =>
    row(kind, label, amount(of(own)), amount(of(others)), amount(of(own) + of(others)));
  const share = ({ userData }: FoldedBudget) =>
    userData === null ? shared.none : formats.percent(userData.expenses.share / 100);
  const hasIncome = budget.income !== null && other.income !== null;
  return [
    ...(hasIncome ? [line("data", texts.summary.income, ({ incomeMinor }) => incomeMinor)] : []),
    ...costTypes.map((type) => line("data", texts.summary.costType[type], ({ byCostType }) => byCostType[type])),
    line("total", texts.summary.expenses, ({ categorizedMinor }) => categorizedMinor),
    ...(hasIncome
      ? [
          line("total", texts.summary.disposable, ({ disposableMinor }) => disposableMinor),
          line("total", texts.summary.available, ({ availableMinor }) => availableMinor),
        ]
      : []),
    row("data", texts.coapplicant.share, share(budget), share(other), ""),
  ];
}
