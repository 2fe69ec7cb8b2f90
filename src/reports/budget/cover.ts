/** Section 1: what the report is about, and on which accounts it stands. */
import type { BudgetAccount } from "../../budgets/budget.ts";
import type { Block } from "../document/blocks.ts";
import { maskIban, maskNumber } from "../mask.ts";
import { type BudgetReport, figures, fill, row, tableOr, type Writing } from "./writing.ts";
import { firstOf, lastOf } from "../../present.ts";

/** As the interface writes the time of making: local, without an offset. */
const dayLength = "2026-06-15".length;
const minuteEnd = "2026-06-15T12:34".length;

export function cover(report: BudgetReport, writing: Writing): Block[] {
  const { texts, shared } = writing;
  const rows = report.budget.accounts.map((account) => accountRow(account, writing));
  const { accounts } = texts;
  return [
    { kind: "notice", text: texts.notice },
    { kind: "facts", facts: factsOf(report, writing) },
    { kind: "heading", text: texts.cover.accountsTitle },
    tableOr(
      texts.cover.noAccounts,
      texts.cover.accountsTitle,
      [
        { title: accounts.name, weight: 2 },
        { title: accounts.number },
        { title: accounts.first },
        { title: accounts.last },
        figures(accounts.months),
        { title: accounts.status },
      ],
      rows,
    ),
    { kind: "contents", title: shared.contents },
  ];
}

function factsOf(
  { budget, reportId, customer, customerName }: BudgetReport,
  { texts: { cover: labels, status }, pages, formats, shared }: Writing,
) {
  const revision =
    budget.revision === 0 ? "" : `, ${fill(labels.revision, { revision: formats.count(budget.revision) })}`;
  const reason = budget.statusReason === null ? "" : `: ${pages.statusReason[budget.statusReason]}`;
  const created = `${formats.longDay(budget.createdTime.slice(0, dayLength))} ${budget.createdTime.slice(dayLength + 1, minuteEnd)}`;
  const covered = budget.months.filter((month) => month.covered);
  const period =
    covered.length === 0
      ? shared.none
      : fill(labels.periodValue, {
          from: formats.month(firstOf(covered).month),
          to: formats.month(lastOf(covered).month),
          covered: formats.count(covered.length),
        });
  return [
    ...(reportId === null ? [] : [{ label: labels.reportId, value: reportId }]),
    { label: labels.budgetId, value: budget.id },
    ...(customerName === null ? [] : [{ label: labels.customerName, value: customerName }]),
    { label: labels.customer, value: customer },
    { label: labels.status, value: `${status[budget.status]}${revision}${reason}` },
    { label: labels.created, value: created },
    { label: labels.asOf, value: formats.longDay(budget.asOf) },
    { label: labels.period, value: period },
  ];
}

function accountRow(account: BudgetAccount, { texts, formats, shared }: Writing) {
  const { name, firstDay, lastDay, selectedStatus } = account;
  const days = [firstDay, lastDay].map((day) => (day === null ? shared.none : formats.day(day)));
  return row(
    "data",
    name,
    numberOf(account) ?? shared.none,
    ...days,
    monthsOf(account, formats.count) ?? shared.none,
    texts.selected[selectedStatus],
  );
}

function numberOf({ iban, bban }: BudgetAccount): string | null {
  if (iban !== null && iban !== "") return maskIban(iban);
  return bban === null || bban === "" ? null : maskNumber(bban);
}

/** Calendar months from the first payment to the last. */
function monthsOf({ firstDay, lastDay }: BudgetAccount, count: (value: number) => string): string | null {
  if (firstDay === null || lastDay === null) return null;
  const index = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return count(index(lastDay) - index(firstDay) + 1);
}
