/** One budget of a user as the tree that it is, what is asked about it and what was done to it; and the list of them. */
import { type BudgetLine, type BudgetOverview, readBudgetOverview } from "../../budgets/overview.ts";
import type { LoggedEvent } from "../../budgets/events.ts";
import { readLog } from "../../budgets/store.ts";
import type { BudgetDocument } from "../../interface/budgets.ts";
import { notFound, Turned } from "../access/guard.ts";
import type { ConsoleContext, Handler } from "../context.ts";
import { badge, count, countOf, type Tone } from "../templates/figures.ts";
import { html, type Html } from "../templates/html.ts";
import { table } from "../templates/table.ts";
import { when } from "../templates/times.ts";
import { ownUser, type Shown } from "./own-user.ts";

const statusTones: Readonly<Record<BudgetLine["status"], Tone>> = {
  DRAFT: "calm",
  READY: "good",
  ACCEPTED: "good",
  DENIED: "warn",
};

/** On the user's page. What is in one is masked like all else. */
export function budgetsSection(budgets: readonly BudgetLine[], { subject, user, until }: Shown): Html {
  if (budgets.length === 0) return html``;
  const rows = budgets.map((one) => {
    const created = when(one.createdAt, user.timeZone);
    return html`<tr>
      <th scope="row">
        ${until === null ? created : html`<a href="/console/users/${subject}/budgets/${one.id}">${created}</a>`}
      </th>
      <td>${statusBadge(one)}</td>
      <td class="number">${count(one.questions)}</td>
    </tr>`;
  });
  return html`<section aria-labelledby="budgets">
    <h2 id="budgets">${countOf(budgets.length, "budget")}</h2>
    ${until !== null && html`<p class="quiet">The time leads to the budget’s tree.</p>`}
    ${table("budgets", ["Made", "Status", { number: "Open questions" }], rows)}
  </section>`;
}

function statusBadge({ status, isBehind }: BudgetLine): Html {
  return html`${badge(statusTones[status], status.toLowerCase())} ${isBehind && badge("calm", "to be made anew")}`;
}

/** Amounts and payees are all that there is to see, so that it needs them shown. */
export function budgetPage(context: ConsoleContext): Handler {
  return async (visit) => {
    const { user, subject, until } = await ownUser(context, visit);
    const { id = "" } = visit.request.params as { id?: string };
    if (until === null)
      throw new Turned(
        403,
        "Masked",
        "Show the user’s amounts and names first, with a reason: a budget is made of them.",
      );
    const budget = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
      ? await readBudgetOverview(context.reading, user.id, id)
      : null;
    if (budget === null) notFound("budget");
    const log = await readLog(context.reading, user.id, budget.id);
    return {
      title: "Budget",
      body: html`<nav class="crumbs" aria-label="Where you are">
          <a href="/console/users">Users</a> › <a href="/console/users/${subject}">${user.bankUserId}</a>
        </nav>
        <div class="title">
          <h1>Budget</h1>
          ${statusBadge(budget)}
        </div>
        <p>Made ${when(budget.createdAt, user.timeZone)} · ${countOf(budget.questions, "open question")}</p>
        ${budget.document === null ? html`<p class="empty">It has no figures yet.</p>` : figures(budget, budget.document)}
        ${events(log, user.timeZone)}`,
    };
  };
}

function figures({ currency }: BudgetOverview, document: BudgetDocument): Html {
  const money = (amount: number | null) =>
    amount === null
      ? "–"
      : `${amount.toLocaleString("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency}`;
  const groups = document.categories.filter(({ totalMonthlyAmount }) => totalMonthlyAmount !== 0);
  const most = Math.max(1, ...groups.map(({ totalMonthlyAmount }) => totalMonthlyAmount));
  const branch = (name: string, amount: number, more: Html) =>
    html`<li>
      <div class="node"><span class="name">${name}</span><span class="number">${money(amount)}</span></div>
      ${bar(amount, most)} ${more}
    </li>`;
  const leaf = ({ name, totalMonthlyAmount, expenses }: BudgetDocument["categories"][number]["categories"][number]) =>
    branch(
      name,
      totalMonthlyAmount,
      expenses.length === 0
        ? html``
        : html`<details>
            <summary>${countOf(expenses.length, "expense")}</summary>
            <ul class="expenses">
              ${expenses.map(
                ({ title, paymentCostMonthly, paymentFrequency }) =>
                  html`<li class="node">
                    <span>${title} <span class="quiet">${paymentFrequency.toLowerCase()}</span></span
                    ><span class="number">${money(paymentCostMonthly)}</span>
                  </li>`,
              )}
            </ul>
          </details>`,
    );
  const tree = groups.map(({ name, totalMonthlyAmount, categories }) =>
    branch(
      name,
      totalMonthlyAmount,
      html`<ul>
        ${categories.filter((one) => one.totalMonthlyAmount !== 0 || one.expenses.length > 0).map(leaf)}
      </ul>`,
    ),
  );
  return html`<dl class="facts totals">
      <div>
        <dt>Expenses a month</dt>
        <dd>${money(document.totalMonthlyAmount)}</dd>
      </div>
      <div>
        <dt>Income a month</dt>
        <dd>${document.income === null ? "not shown by the brand" : money(document.totalMonthlyIncome)}</dd>
      </div>
      <div>
        <dt>Left over</dt>
        <dd>${money(document.disposableIncome)}</dd>
      </div>
      <div>
        <dt>With a category</dt>
        <dd>${money(document.amountCategorized)} of ${money(document.categorizationTarget)} wanted</dd>
      </div>
    </dl>
    <section aria-labelledby="tree">
      <h2 id="tree">Expenses a month, by category</h2>
      ${
        tree.length === 0
          ? html`<p class="empty">No expense has a category.</p>`
          : html`<ul class="tree">
              ${tree}
            </ul>`
      }
      ${document.uncategorized.length > 0 && html`<p>${countOf(document.uncategorized.length, "expense")} without a category.</p>`}
    </section>`;
}

function bar(amount: number, most: number): Html {
  const share = Math.max(0, Math.min(100, (amount / most) * 100));
  return html`<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    <rect class="known" width="${share.toFixed(1)}" height="4" />
  </svg>`;
}

function events(log: readonly LoggedEvent[], zone: string): Html {
  const rows = log.toReversed().map(
    ({ sequence, at, actor, event }) =>
      html`<tr>
        <td class="number">${sequence}</td>
        <td class="when">${when(new Date(at), zone)}</td>
        <th scope="row">${event.type}</th>
        <td>${actor ?? "the customer"}</td>
      </tr>`,
  );
  return html`<section aria-labelledby="done">
    <h2 id="done">What was done to it</h2>
    ${
      rows.length === 0
        ? html`<p class="quiet">Nothing yet: the figures are the engine’s own.</p>`
        : table("events of the budget", [{ number: "No." }, "When", "What", "By"], rows)
    }
  </section>`;
}
