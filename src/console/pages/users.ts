/** *Users*: one found by the partner's id, with the services recognised, their payments and what is to come. */
import { inTransaction } from "../../database/database.ts";
import type { Service, UpcomingPayment } from "../../interface/services.ts";
import { explainSubject } from "../../recognition/explain/explanation.ts";
import { findUsers, listServices, type UserOverview } from "../../recognition/overview.ts";
import { listPartnerIds } from "../../partners/overview.ts";
import { listBudgets } from "../../budgets/overview.ts";
import { isAtLeast } from "../access/accounts.ts";
import { hideUser, masked, shownMinutes, showUser } from "../access/disclosure.ts";
import { notFound, Turned } from "../access/guard.ts";
import { actorOf, type ConsoleContext, type Handler, partnersOf, type Visit } from "../context.ts";
import { badge, countOf } from "../templates/figures.ts";
import { actionButton, field, hiddenField, select } from "../templates/forms.ts";
import { html, type Html } from "../templates/html.ts";
import { budgetsSection } from "./budget.ts";
import { caseAddress } from "./cancellations.ts";
import { ownUser, type Shown } from "./own-user.ts";
import { monthCalendar } from "../templates/calendar.ts";
import { paymentLines } from "../templates/payment-lines.ts";
import { clockIn, when } from "../templates/times.ts";

const partnersChosenMax = 300;
const [reasonLengthMin, reasonLengthMax] = [5, 500];

export function usersPage({ reading }: ConsoleContext): Handler {
  return async (visit) => {
    const partnerIds = partnersOf(visit);
    const { id = "", partner = "" } = visit.given;
    const [ids, found] = await Promise.all([
      listPartnerIds(reading, partnerIds, partnersChosenMax),
      id === "" ? [] : findUsers(reading, partnerIds, partner === "" ? null : partner, id),
    ]);
    const [only] = found;
    if (only && found.length === 1) return { goTo: `/console/users/${only.subject}` };
    const choices = [["", "all"] as const, ...ids.map((one) => [one, one] as const)];
    const rows = found.map(
      (one) =>
        html`<tr>
          <th scope="row"><a href="/console/users/${one.subject}">${one.bankUserId}</a></th>
          <td>${one.partnerId}</td>
          <td>${one.brandId}</td>
        </tr>`,
    );
    return {
      title: "Users",
      body: html`<h1>Users</h1>
        <form class="filter" role="search" aria-label="Users" action="/console/users">
          ${field("id", "The partner’s id of the user, whole", id, { type: "search", required: true })}
          ${select("partner", "Partner", partner, choices)}
          <div class="buttons"><button>Find</button></div>
        </form>
        <p><a href="/console/users/all">All users together: what is recognised, and what they answer</a></p>
        ${id !== "" && found.length === 0 && html`<p class="empty" role="status">No user of a partner has this id.</p>`}
        ${
          rows.length > 0 &&
          html`<table>
            <thead>
              <tr>
                <th scope="col">User</th>
                <th scope="col">Partner</th>
                <th scope="col">Brand</th>
              </tr>
            </thead>
            <tbody>
              ${rows}
            </tbody>
          </table>`
        }`,
    };
  };
}

export function userPage(context: ConsoleContext): Handler {
  return async (visit) => {
    const shown = await ownUser(context, visit);
    const { user } = shown;
    const [services, budgets] = await Promise.all([
      listServices(context.reading, user.id),
      listBudgets(context.reading, user.id),
    ]);
    const until = user.computedFor ?? context.clock.today(user.timeZone);
    return {
      title: user.bankUserId,
      body: html`<nav class="crumbs" aria-label="Where you are">
          <a href="/console/users">Users</a> › ${user.partnerId}
        </nav>
        <h1>${user.bankUserId}</h1>
        ${state(user)} ${disclosure(shown, visit)}
        <section aria-labelledby="payments">
          <h2 id="payments">Payments, service by service</h2>
          ${
            services.length === 0
              ? html`<p class="empty">No service is recognised.</p>`
              : paymentLines(
                  services.map((one, at) => ({ name: nameOf(one, at, shown), service: one })),
                  until,
                )
          }
        </section>
        ${servicesTable(services, shown)} ${upcomingCalendar(user.upcoming, services, shown)}
        ${budgetsSection(budgets, shown)} ${exportLink(shown, visit)}`,
    };
  };
}

function exportLink({ subject }: Shown, { account }: Visit): Html {
  if (!isAtLeast(account.role, "admin")) return html``;
  return html`<div class="actions">
    <a class="button second" href="/console/users/${subject}/export">Export everything about the user</a>
    <a class="button danger" href="/console/users/${subject}/erase">Erase the user …</a>
  </div>`;
}

function nameOf(service: Pick<Service, "product">, at: number, { until }: Shown): string {
  return until === null ? `Service ${at + 1}` : service.product.title;
}

function amountOf(amount: number, currency: string, { until }: Shown): string {
  if (until === null) return masked;
  return `${amount.toLocaleString("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency}`;
}

function state(user: UserOverview): Html {
  const figures =
    user.computedFor === null
      ? "Nothing is recognised yet."
      : html`Figures for ${user.computedFor}, made ${when(user.computedAt, user.timeZone)}.`;
  return html`<p>
    ${user.brandId} · since ${when(user.createdAt, user.timeZone)} ·
    ${user.importComplete === true ? badge("good", "import complete") : badge("warn", "import not complete")}
    ${user.isBehind && badge("calm", "to be recognised anew")} ${figures}
  </p>`;
}

function disclosure({ user, subject, until }: Shown, { account, formToken }: Visit): Html {
  if (until !== null)
    return html`<div class="notice warn">
      <p>Amounts and names are shown to you until ${clockIn(user.timeZone, until)} (${clockIn("UTC", until)} UTC).</p>
      ${actionButton(`/console/users/${subject}/hide`, formToken, "Mask them again", { kind: "second" })}
    </div>`;
  if (!isAtLeast(account.role, "operator"))
    return html`<p class="notice">Amounts and names are masked. An operator can show them, with a reason.</p>`;
  return html`<form class="notice reveal" method="post" action="/console/users/${subject}/show">
    ${hiddenField("form", formToken)}
    ${field("reason", `Amounts and names are masked. Why do you need them for ${shownMinutes} minutes?`, "", { required: true, hint: "It stands in the audit trail." })}
    <button>Show them</button>
  </form>`;
}

export function showAction(context: ConsoleContext): Handler {
  return async (visit) => {
    const { user, subject } = await ownUser(context, visit);
    const { reason = "" } = visit.given;
    if (reason.length < reasonLengthMin)
      throw new Turned(400, "A reason is missing", `Say in at least ${reasonLengthMin} letters why you need them.`);
    await showUser(context.database, actorOf(visit), user, reason.slice(0, reasonLengthMax));
    return { goTo: `/console/users/${subject}` };
  };
}

export function hideAction(context: ConsoleContext): Handler {
  return async (visit) => {
    const { user, subject } = await ownUser(context, visit);
    await hideUser(context.database, actorOf(visit), user);
    return { goTo: `/console/users/${subject}` };
  };
}

function servicesTable(services: readonly Service[], shown: Shown): Html {
  if (services.length === 0) return html``;
  const rows = services.map((one, at) => {
    const name = nameOf(one, at, shown);
    const dates = one.payments.map(({ date }) => date).toSorted();
    return html`<tr>
      <th scope="row" class="id">
        ${shown.until === null ? name : html`<a href="/console/users/${shown.subject}/services/${one.id}">${name}</a>`}
      </th>
      <td>${one.paymentFrequency.toLowerCase()}</td>
      <td>${badge(one.status === "ACTIVE" ? "good" : "calm", one.status.toLowerCase().replaceAll("_", " "))}</td>
      <td>${one.visibility.toLowerCase()}</td>
      <td class="number">${amountOf(one.amount, one.currency, shown)}</td>
      <td class="number">${amountOf(one.yearlyCost, one.currency, shown)}</td>
      <td class="when">
        ${one.status === "ACTIVE" ? one.nextExpectedTransactionDate : html`<span class="quiet">–</span>`}
      </td>
      <td class="number">${one.confidence === undefined ? "–" : `${Math.round(one.confidence * 100)} %`}</td>
      <td class="number">${one.payments.length}</td>
      <td class="when">${dates[0]} – ${dates.at(-1)}</td>
      <td>
        <a href="${caseAddress(shown.subject, one.id)}">cancelling<span class="unseen"> ${name}</span></a>
      </td>
    </tr>`;
  });
  return html`<section aria-labelledby="services">
    <h2 id="services">${countOf(services.length, "service")}</h2>
    ${shown.until !== null && html`<p class="quiet">The name leads to why it is recognised.</p>`}
    <div class="scroll" role="region" aria-label="Table: services" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">Frequency</th>
            <th scope="col">Status</th>
            <th scope="col">Visibility</th>
            <th scope="col" class="number">Amount</th>
            <th scope="col" class="number">A year</th>
            <th scope="col">Next</th>
            <th scope="col" class="number">Sure</th>
            <th scope="col" class="number">Payments</th>
            <th scope="col">From – to</th>
            <th scope="col">Case</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** Month by month. */
function upcomingCalendar(upcoming: readonly UpcomingPayment[], services: readonly Service[], shown: Shown): Html {
  if (upcoming.length === 0) return html``;
  const places = new Map(services.map(({ id }, at) => [id, at]));
  const months = Map.groupBy(upcoming, ({ expectedPaymentDate }) => expectedPaymentDate.slice(0, 7));
  const calendars = [...months.keys()].toSorted().map((month) =>
    monthCalendar(
      month,
      (months.get(month) ?? []).map((one) => ({
        day: one.expectedPaymentDate,
        what: html`${nameOf(one, places.get(one.serviceId) ?? 0, shown)}
          <span class="number">${amountOf(one.expectedPaymentCost, one.currency, shown)}</span>`,
      })),
      shown.user.computedFor ?? "",
    ),
  );
  return html`<section aria-labelledby="upcoming">
    <h2 id="upcoming">What is to come</h2>
    <div class="calendars">${calendars}</div>
  </section>`;
}

/** Why a service is recognised: names and amounts are part of it, so that it needs them shown. */
export function explainPage(context: ConsoleContext): Handler {
  return async (visit) => {
    const { user, subject, until } = await ownUser(context, visit);
    const { id = "" } = visit.request.params as { id?: string };
    if (until === null)
      throw new Turned(
        403,
        "Masked",
        "Show the user’s amounts and names first, with a reason: what explains a service tells them.",
      );
    const service = (await listServices(context.reading, user.id)).find((one) => one.id === id);
    if (!service) notFound("service");
    const { text, asOf } = await inTransaction(context.reading, (transaction) =>
      explainSubject(transaction, { userId: user.id, serviceId: id, txid: null }, context.clock.today),
    );
    const rows = service.payments.map(
      (one) =>
        html`<tr>
          <th scope="row">${one.date}</th>
          <td class="number">${amountOf(one.amount, one.currency, { user, subject, until })}</td>
          <td><code>${one.sourceTransactionId}</code></td>
        </tr>`,
    );
    return {
      title: service.product.title,
      body: html`<nav class="crumbs" aria-label="Where you are">
          <a href="/console/users">Users</a> › <a href="/console/users/${subject}">${user.bankUserId}</a>
        </nav>
        <h1>${service.product.title}</h1>
        <p class="explanation">${text}</p>
        <p class="quiet">As of ${asOf}; the same as <code>tideline explain ${id}</code>.</p>
        <section aria-labelledby="paid">
          <h2 id="paid">${countOf(service.payments.length, "payment")}</h2>
          <div class="scroll" role="region" aria-label="Table: payments" tabindex="0">
            <table>
              <thead>
                <tr>
                  <th scope="col">Day</th>
                  <th scope="col" class="number">Amount</th>
                  <th scope="col">txid</th>
                </tr>
              </thead>
              <tbody>
                ${rows}
              </tbody>
            </table>
          </div>
        </section>`,
    };
  };
}
