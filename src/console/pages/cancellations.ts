/** *Cancellations*: the cases of users' services, and one service's case with the steps that can be taken. */
import { cancellationAbortReasons } from "../../interface/abort-reasons.ts";
import type { Service } from "../../interface/services.ts";
import {
  casesOf,
  listCases,
  type ListedCase,
  statusNow,
  type Step,
  transitions,
  type WrittenCase,
} from "../../recognition/cancellation.ts";
import { listServices } from "../../recognition/overview.ts";
import { isAtLeast } from "../access/accounts.ts";
import { masked, shownUserIds } from "../access/disclosure.ts";
import { notFound } from "../access/guard.ts";
import { actorOf, type ConsoleContext, type Handler, partnersOf, type Visit } from "../context.ts";
import { badge, countOf } from "../templates/figures.ts";
import { facts } from "../templates/facts.ts";
import { field, hiddenField, select } from "../templates/forms.ts";
import { type Content, html, type Html } from "../templates/html.ts";
import { table } from "../templates/table.ts";
import { when } from "../templates/times.ts";
import { ownUser, type Shown } from "./own-user.ts";

const casesShownMax = 200;

export function cancellationsPage({ reading }: ConsoleContext): Handler {
  return async (visit) => {
    const all = visit.given.which === "all";
    const [found, shownIds] = await Promise.all([
      listCases(reading, partnersOf(visit), all, casesShownMax + 1),
      isAtLeast(visit.account.role, "operator") ? shownUserIds(reading, actorOf(visit)) : new Set(),
    ]);
    const cases = found.slice(0, casesShownMax);
    const rows = cases.map(
      (one) =>
        html`<tr>
          <th scope="row">
            <a href="${caseAddress(one.subject, one.serviceId)}"
              >${shownIds.has(one.userId) ? (one.title ?? "no longer found") : masked}<span class="unseen">
                of ${one.bankUserId}</span
              ></a
            >
          </th>
          <td>${stateOf(one)}</td>
          <td class="id"><a href="/console/users/${one.subject}">${one.bankUserId}</a></td>
          <td class="id">${one.partnerId}</td>
          <td class="when">${when(one.openedAt, undefined)}</td>
          <td class="when">${one.endDate ?? html`<span class="quiet">–</span>`}</td>
        </tr>`,
    );
    const open = cases.filter(({ state }) => state === "OPEN");
    const waiting = open.filter(({ needsMoreInformation }) => needsMoreInformation).length;
    return {
      title: "Cancellations",
      body: html`<header class="headline ${open.length === 0 ? "good" : "warn"}">
          <h1>${open.length === 0 ? "No cancellation is open" : `${countOf(open.length, "cancellation")} open`}</h1>
          <p>
            ${open.length > 0 && html`${countOf(open.length - waiting, "is", "are")} for you to do, ${countOf(waiting, "waits for the user", "wait for the user")}. `}A
            case is opened on the service’s page of a user.
          </p>
        </header>
        <nav class="ranges" aria-label="Which cases">
          <ul>
            <li><a href="/console/cancellations" ${!all && html` aria-current="true"`}>Open ones</a></li>
            <li><a href="/console/cancellations?which=all" ${all && html` aria-current="true"`}>All</a></li>
          </ul>
        </nav>
        ${
          rows.length > 0 &&
          table("cancellations", ["Service", "State", "User", "Partner", "Opened", "Last payment"], rows)
        }
        ${found.length > casesShownMax && html`<p class="quiet">The longest open ${casesShownMax} are shown.</p>`}
        <p class="quiet">
          What a service is called is masked until the user is shown, with a reason. The same as
          <code>tideline cancellation list</code>.
        </p>`,
    };
  };
}

export function caseAddress(subject: string, serviceId: string): string {
  return `/console/users/${subject}/services/${serviceId}/cancellation`;
}

function stateOf({ state, needsMoreInformation, abortReason }: ListedCase): Html {
  if (state === "OPEN") return needsMoreInformation ? badge("calm", "waits for the user") : badge("warn", "to be done");
  if (state === "CONFIRMED") return badge("good", "cancelled");
  return badge("calm", `given up: ${(abortReason ?? "no reason").toLowerCase().replaceAll("_", " ")}`);
}

/** One service's cases, the newest first, with what can be done to it now. */
export function casePage(context: ConsoleContext): Handler {
  return async (visit) => {
    const shown = await ownUser(context, visit);
    const { user, subject, until } = shown;
    const id = serviceIdOf(visit);
    const [services, found] = await Promise.all([listServices(context.reading, user.id), casesOf(context.reading, id)]);
    const cases = found.filter(({ userId }) => userId === user.id);
    const service = services.find((one) => one.id === id);
    if (service === undefined && cases.length === 0) notFound("service");
    const status = service && statusNow(service.status, cases[0]?.state ?? null);
    const title = until === null ? masked : (service?.product.title ?? cases[0]?.title ?? "A service that is gone");
    return {
      title: "Cancellation",
      section: "/console/cancellations",
      body: html`<nav class="crumbs" aria-label="Where you are">
          <a href="/console/cancellations">Cancellations</a> ›
          <a href="/console/users/${subject}">${user.bankUserId}</a>
        </nav>
        <h1>
          Cancelling ${until === null ? html`<span class="unseen">a service whose name is masked</span>` : ""}${title}
        </h1>
        ${status !== undefined && html`<p>The service is ${badge("calm", status.toLowerCase().replaceAll("_", " "))}</p>`}
        ${until === null && html`<p class="notice">Names and texts are masked. <a href="/console/users/${subject}">Show them on the user’s page</a>, with a reason.</p>`}
        ${cases.map((one) => caseSection(one, shown))}
        ${isAtLeast(visit.account.role, "operator") && status !== undefined && stepForms(visit, caseAddress(subject, id), status, cases[0])}`,
    };
  };
}

export function serviceIdOf(visit: Visit): string {
  const { id = "" } = visit.request.params as { id?: string };
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : notFound("service");
}

function caseSection(one: WrittenCase, { user, until }: Shown): Html {
  const text = (value: string | null): Content => (value === null ? "–" : until === null ? masked : value);
  const yes = (value: boolean | null) => (value === null ? "not known" : value ? "yes" : "no");
  return html`<section aria-label="Case of ${one.openedAt.toISOString().slice(0, 10)}">
    ${facts([
      ["State", stateOf(one)],
      ["Opened", when(one.openedAt, user.timeZone)],
      ["Changed", when(one.changedAt, user.timeZone)],
      ["Last payment", one.endDate ?? "–"],
      ["Message", text(one.freeTextMessage)],
      ["Confirmation", text(one.confirmationContent)],
      ["Equipment goes back", yes(one.equipmentBack)],
      ["Money comes back", yes(one.moneyBack)],
    ])}
  </section>`;
}

const stepWords: Readonly<Record<Step, readonly [button: string, what: string]>> = {
  open: ["Open a case", "The user sees that the service is being cancelled."],
  ask: ["Ask the user", "The user is notified that something more has to be known, and what."],
  answer: ["It is answered", "What was asked is known; nobody is notified."],
  confirm: ["It is cancelled", "The user is notified. Two later payments in a row make the service active again."],
  abort: ["Give it up", "The user is notified, with the reason."],
};

const stepsShown: readonly Step[] = ["open", "answer", "confirm", "ask", "abort"];

/** By what service and case allow; the function that takes the step has the last word. */
function stepForms(visit: Visit, at: string, status: Service["status"], newest: WrittenCase | undefined): Html {
  const asks = newest?.state === "OPEN" && newest.needsMoreInformation;
  const steps = stepsShown.filter(
    (step) => transitions[step].from.includes(status) && step !== (asks ? "ask" : "answer"),
  );
  if (steps.length === 0)
    return html`<p class="quiet">There is nothing to do: two later payments in a row would make it active again.</p>`;
  return html`<div class="columns">
    ${steps.map((step) => {
      const [button, what] = stepWords[step];
      return html`<section aria-labelledby="step-${step}">
        <h2 id="step-${step}">${button}</h2>
        <form class="onboarding" method="post" action="${at}/${step}">
          <p class="quiet">${what}</p>
          ${hiddenField("form", visit.formToken)} ${fieldsOf(step)}
          <div class="actions">
            <button class="${step === "abort" ? "danger" : step === "ask" ? "second" : ""}">${button}</button>
          </div>
        </form>
      </section>`;
    })}
  </div>`;
}

function fieldsOf(step: Step): Content {
  const named = (name: string) => `${step}-${name}`;
  const message = field(named("message"), "Message to the user", "", { required: step === "ask" });
  const end = field(named("endDate"), "Last payment", "", { type: "date", hint: "Empty: the business day." });
  const goods = [
    select(named("equipmentBack"), "Equipment goes back", "", known),
    select(named("moneyBack"), "Money comes back", "", known),
  ];
  if (step === "open") return [message, field(named("endDate"), "Last payment", "", { type: "date" }), ...goods];
  if (step === "confirm")
    return [end, field(named("confirmation"), "What the company confirmed", ""), message, ...goods];
  if (step === "abort")
    return [
      select(
        named("reason"),
        "Why",
        "",
        cancellationAbortReasons.map((one) => [one, one.toLowerCase().replaceAll("_", " ")] as const),
      ),
      message,
    ];
  return [message];
}

const known = [
  ["", "not known"],
  ["yes", "yes"],
  ["no", "no"],
] as const;
