/** *Audit*: who did what, by event, partner, actor and time, all of it in the address; the same as JSON lines. */
import { type AuditEvent, type AuditSearch, recordAudit, searchAudit } from "../../partners/audit.ts";
import { isAtLeast } from "../access/accounts.ts";
import { maskMoney, shownUserIds } from "../access/disclosure.ts";
import { actorOf, type ConsoleContext, type Handler, partnersOf, type Visit } from "../context.ts";
import { actionButton, field, hiddenField } from "../templates/forms.ts";
import { html, type Html } from "../templates/html.ts";
import { when } from "../templates/times.ts";
import { readInstant } from "./delivery-filter.ts";
import { readZones, type Zones } from "./zones.ts";

const pageRows = 100;
const exportedMax = 100_000;
const names = ["event", "partner", "actor", "since", "until"] as const;
type Texts = Readonly<Record<(typeof names)[number], string>>;

export function auditPage({ reading }: ConsoleContext): Handler {
  return async (visit) => {
    const { texts, search, problems } = readSearch(visit.given, partnersOf(visit));
    const before = /^\d{1,15}$/.test(visit.given.before ?? "") ? Number(visit.given.before) : null;
    const [found, zones, shownIds] = await Promise.all([
      searchAudit(reading, search, pageRows + 1, before),
      readZones(reading, partnersOf(visit)),
      shownUserIds(reading, actorOf(visit)),
    ]);
    const rows = maskMoney(found.slice(0, pageRows), shownIds);
    const next = found.length > pageRows ? rows.at(-1)?.id : undefined;
    return {
      title: "Audit",
      body: html`<h1>Audit</h1>
        <form class="filter" role="search" aria-label="Audit trail" action="/console/audit">
          ${field("event", "Event, or its beginning up to a dot", texts.event, { type: "search" })}
          ${field("partner", "Partner", texts.partner)} ${field("actor", "Who", texts.actor)}
          ${field("since", "From (UTC)", texts.since, { type: dateOr(texts.since) })}
          ${field("until", "Until (UTC)", texts.until, { type: dateOr(texts.until) })}
          <div class="buttons"><button>Find</button><a class="button second" href="/console/audit">Clear</a></div>
        </form>
        ${problems.map((problem) => html`<p class="notice warn" role="alert">${problem}</p>`)}
        <p class="quiet">
          What changes of budgets tell of a user’s money is masked until you show the user’s amounts and names (Users).
        </p>
        ${rows.length === 0 ? html`<p class="empty">Nothing fits.</p>` : table(rows, zones)}
        ${next !== undefined && html`<nav class="pager" aria-label="Pages"><a rel="next" href="${addressOf(texts, next)}">Older</a></nav>`}
        ${
          isAtLeast(visit.account.role, "admin") &&
          html`<div class="actions">
              ${actionButton("/console/audit/export", visit.formToken, "Export what fits", { kind: "second", fields: texts })}
            </div>
            <p class="quiet">
              As JSON, a line an event, the latest ${exportedMax.toLocaleString("en-GB")} at most. Exporting is in the
              trail, too.
            </p>`
        }
        ${visit.account.partnerIds === null && verifyForm(visit)}`,
    };
  };
}

function verifyForm({ formToken }: Visit): Html {
  return html`<section aria-labelledby="verify">
    <h2 id="verify">Is the trail as it was written?</h2>
    <p class="quiet">
      Every event is held against the chain of signed batches, as <code>tideline audit verify</code> does. With the
      anchor of an earlier day, kept elsewhere, an end that was cut off is found as well.
    </p>
    <form class="reveal" method="post" action="/console/audit/verify">
      ${hiddenField("form", formToken)}
      ${field("anchor", "Anchor (may be left out)", "", { hint: "What tideline audit anchor printed." })}
      <button>Verify the chain</button>
    </form>
  </section>`;
}

export function exportAudit({ reading, database }: ConsoleContext): Handler {
  return async (visit) => {
    const { texts, search } = readSearch(visit.given, partnersOf(visit));
    const [all, shownIds] = await Promise.all([
      searchAudit(reading, search, exportedMax, null),
      shownUserIds(reading, actorOf(visit)),
    ]);
    const found = maskMoney(all, shownIds);
    const details = { ...texts, events: found.length };
    await recordAudit(database, actorOf(visit), { partnerId: null, event: "audit.exported", details });
    void visit.reply
      .header("content-disposition", 'attachment; filename="audit.jsonl"')
      .type("application/jsonl")
      .send(found.map((one) => `${JSON.stringify(one)}\n`).join(""));
    return null;
  };
}

function readSearch(
  given: Readonly<Record<string, string>>,
  partnerIds: readonly string[] | null,
): { texts: Texts; search: AuditSearch; problems: string[] } {
  const texts = Object.fromEntries(names.map((name) => [name, given[name] ?? ""])) as Texts;
  const orNull = (text: string) => (text === "" ? null : text);
  const since = readInstant(texts.since, "UTC", false);
  const until = readInstant(texts.until, "UTC", true);
  const problems = [texts.since !== "" && since === null, texts.until !== "" && until === null].some(Boolean)
    ? ["A day is written 2026-11-23, an instant 2026-11-23T02:00Z."]
    : [];
  const search = {
    partnerIds,
    partnerId: orNull(texts.partner),
    event: orNull(texts.event),
    actor: orNull(texts.actor),
    since,
    until,
  };
  return { texts, search, problems };
}

function dateOr(text: string): "date" | "text" {
  return /^(\d{4}-\d{2}-\d{2})?$/.test(text) ? "date" : "text";
}

function addressOf(texts: Texts, before: number): string {
  const filled = Object.entries(texts).filter(([, text]) => text !== "");
  return `/console/audit?${new URLSearchParams([...filled, ["before", String(before)]]).toString()}`;
}

function table(events: readonly AuditEvent[], zones: Zones): Html {
  const rows = events.map(
    (one) =>
      html`<tr>
        <td class="when">${when(one.at, one.partnerId === null ? undefined : zones.of(one.partnerId))}</td>
        <th scope="row">${one.event}</th>
        <td>${one.partnerId ?? html`<span class="quiet">–</span>`}</td>
        <td>${one.actor}</td>
        <td class="details">
          ${Object.entries(one.details).map(
            ([name, value]) =>
              html`<span
                ><span class="quiet">${name}</span> ${typeof value === "string" ? value : JSON.stringify(value)}</span
              > `,
          )}
        </td>
      </tr>`,
  );
  return html`<div class="scroll" role="region" aria-label="Table: events" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Event</th>
          <th scope="col">Partner</th>
          <th scope="col">Who</th>
          <th scope="col">Details</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
