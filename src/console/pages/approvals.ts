/** *Approvals*: what waits for a second operator, what became of earlier requests, and what needs two. */
import {
  type Approval,
  approvalHours,
  expireApprovals,
  guardableActions,
  listApprovals,
  listGuarded,
  reasonLengthMin,
} from "../../operations/approvals.ts";
import { isAtLeast } from "../access/accounts.ts";
import { actorOf, type ConsoleContext, type Handler, partnersOf, type Visit } from "../context.ts";
import { badge, countOf, type Tone } from "../templates/figures.ts";
import { actionButton, field, hiddenField } from "../templates/forms.ts";
import { html, type Html } from "../templates/html.ts";
import { table } from "../templates/table.ts";
import { when } from "../templates/times.ts";
import { describeSubjects, mayDecide, wantedOf, words } from "./approval-requests.ts";

export function approvalsPage(context: ConsoleContext): Handler {
  const { reading, database } = context;
  return async (visit) => {
    await expireApprovals(database);
    const [all, guarded] = await Promise.all([listApprovals(reading, partnersOf(visit), "all"), listGuarded(reading)]);
    const open = all.filter(({ state }) => state === "open" || state === "confirmed");
    const past = all.filter((one) => !open.includes(one));
    const [openAbout, pastAbout] = await Promise.all([
      describeSubjects(context, open),
      describeSubjects(context, past),
    ]);
    const waiting = open.filter(({ state }) => state === "open").length;
    return {
      title: "Approvals",
      body: html`<h1>
          ${waiting === 0 ? "Nothing waits for a second operator" : `${countOf(waiting, "request waits", "requests wait")} for a second operator`}
        </h1>
        ${visit.given.asked !== undefined && html`<p class="notice good" role="status">Another operator has to confirm it within ${approvalHours} hours. Nothing is done yet.</p>`}
        ${
          open.length > 0 &&
          html`<ul class="needs">
            ${open.map((one, at) => openItem(one, openAbout[at] ?? html``, visit))}
          </ul>`
        }
        ${guardedSection(guarded, visit)} ${keysSection(visit)}
        <section aria-labelledby="past">
          <h2 id="past">Decided, expired and taken back</h2>
          ${past.length === 0 ? html`<p class="quiet">None yet.</p>` : pastTable(past, pastAbout)}
        </section>`,
    };
  };
}

function openItem(approval: Approval, about: Html, visit: Visit): Html {
  const { id, action, state, reason, requestedBy, requestedAt, expiresAt, partnerId, decidedBy } = approval;
  const isOwn = requestedBy === actorOf(visit);
  const at = `/console/approvals/${id}`;
  const button = (verdict: string, label: string, kind: "" | "second" | "danger" = "") =>
    actionButton(`${at}/${verdict}`, visit.formToken, label, {
      kind,
      about: `${words[action]}, asked by ${requestedBy}`,
    });
  const buttons =
    state === "confirmed"
      ? html`<span class="quiet">tideline keys rotate --approval ${id}</span>`
      : isOwn
        ? html`<span class="quiet">Another operator decides.</span> ${button("recall", "Take it back", "second")}`
        : mayDecide(visit, approval) &&
          html`${button("confirm", "Confirm and do it", "danger")} ${button("refuse", "Refuse", "second")}`;
  return html`<li>
    ${state === "open" ? badge("warn", "waits") : badge("calm", "confirmed")}
    <span class="what">
      <strong>${words[action]}: ${about}</strong>
      <span class="quiet"
        >${partnerId !== null && html`${partnerId} · `}asked by ${requestedBy} ${when(requestedAt, undefined)} · good
        until ${when(expiresAt, undefined)}${decidedBy !== null && html` · confirmed by ${decidedBy}`}</span
      >
      <span>“${reason}”</span>
    </span>
    <span class="actions">${buttons}</span>
  </li>`;
}

function guardedSection(guarded: Awaited<ReturnType<typeof listGuarded>>, visit: Visit): Html {
  const mayChange = isAtLeast(visit.account.role, "admin") && partnersOf(visit) === null;
  const rows = guardableActions.map((action) => {
    const found = guarded.find((one) => one.action === action);
    const change = found
      ? html`<a class="button second" href="/console/approvals/new?action=unguard&amp;about=${action}"
          >One is enough …<span class="unseen"> for ${words[action]}</span></a
        >`
      : actionButton("/console/approvals/guard", visit.formToken, "Ask for two", {
          kind: "second",
          fields: { about: action },
          about: `operators: ${words[action]}`,
        });
    return html`<tr>
      <th scope="row">${words[action]}</th>
      <td>${found ? badge("good", "two operators") : badge("calm", "one operator")}</td>
      <td class="when">
        ${found ? html`${found.guardedBy}<br />${when(found.guardedAt, undefined)}` : html`<span class="quiet">–</span>`}
      </td>
      <td>${mayChange && change}</td>
    </tr>`;
  });
  return html`<section aria-labelledby="guarded">
    <h2 id="guarded">What needs two</h2>
    ${table("what needs two operators", ["Action", "Needs", "Since", "Change"], rows)}
    <p class="quiet">
      It holds here and for the command line of every machine. To need only one again takes two operators.
    </p>
  </section>`;
}

function keysSection(visit: Visit): Html {
  if (!isAtLeast(visit.account.role, "admin") || partnersOf(visit) !== null) return html``;
  const button = (keys: string, label: string) =>
    actionButton("/console/keys/rotate", visit.formToken, label, { kind: "second", fields: { about: keys } });
  return html`<section aria-labelledby="keys">
    <h2 id="keys">Signing keys</h2>
    <p class="quiet">
      The next key signs within a minute; what earlier ones signed stays good for as long as it would have been. The
      key-encryption key is rotated on its machine: <code>tideline keys rotate</code>.
    </p>
    <div class="actions">${button("tokens", "Next key for tokens")}${button("receipts", "Next key for receipts")}</div>
  </section>`;
}

const tones: Readonly<Record<Approval["state"], Tone>> = {
  open: "warn",
  confirmed: "calm",
  done: "good",
  refused: "bad",
  failed: "bad",
  recalled: "calm",
  expired: "calm",
};

function pastTable(past: readonly Approval[], about: readonly Html[]): Html {
  const rows = past.map(
    (one, at) =>
      html`<tr>
        <td>${badge(tones[one.state], one.state)}</td>
        <th scope="row">${words[one.action]}</th>
        <td class="name">${about[at]}</td>
        <td>${one.partnerId ?? html`<span class="quiet">–</span>`}</td>
        <td class="when">${one.requestedBy}<br />${when(one.requestedAt, undefined)}</td>
        <td class="when">
          ${one.decidedBy === null ? html`<span class="quiet">–</span>` : html`${one.decidedBy}<br />${when(one.decidedAt, undefined)}`}
        </td>
        <td>${one.reason}</td>
      </tr>`,
  );
  return table("earlier requests", ["State", "Action", "About", "Partner", "Asked by", "Decided by", "Reason"], rows);
}

/** Where one says why. */
export function askPage(context: ConsoleContext): Handler {
  return async (visit) => {
    const wanted = await wantedOf(context, visit);
    const [about] = await describeSubjects(context, [wanted]);
    const kept = ["action", "delivery", "field", "user", "about"].filter((name) => visit.given[name] !== undefined);
    return {
      title: "Ask for a second operator",
      body: html`<nav class="crumbs" aria-label="Where you are"><a href="/console/approvals">Approvals</a></nav>
        <h1>${words[wanted.action]}: ${about}</h1>
        <p>
          This needs a second operator${wanted.partnerId !== null && html` who sees ${wanted.partnerId}`}. Nothing is
          done until somebody else confirms it, within ${approvalHours} hours.
        </p>
        <form class="ask" method="post" action="/console/approvals/ask">
          ${hiddenField("form", visit.formToken)}${kept.map((name) => hiddenField(name, visit.given[name] ?? ""))}
          ${field("reason", "Why?", "", { required: true, hint: `At least ${reasonLengthMin} letters. The second operator reads it, and the audit trail keeps it.` })}
          <div class="actions"><button>Ask for it</button></div>
        </form>`,
    };
  };
}
