/** *Deliveries*: found by partner, door, state, time, name and correlation id, all of it in the address. */
import type { Delivery } from "../../deliveries/deliveries.ts";
import { progressOf } from "../../deliveries/load-progress.ts";
import { searchDeliveries } from "../../deliveries/search.ts";
import { listPartnerIds } from "../../partners/overview.ts";
import { dayIn } from "../../time/clock.ts";
import { addDays } from "../../time/calendar.ts";
import { type ConsoleContext, type Handler, maySee, partnersOf, scopeOf, type Visit } from "../context.ts";
import { inSlices } from "../slices.ts";
import { bytes, count, stateBadge } from "../templates/figures.ts";
import { type Choice, field, select } from "../templates/forms.ts";
import { halves, here, html, type Html } from "../templates/html.ts";
import { when } from "../templates/times.ts";
import { addressOf, type FilterTexts, readFilter, textsOf } from "./delivery-filter.ts";
import { readZones, type Zones } from "./zones.ts";

const pageRows = 50;
/** More partners than this are typed, not chosen. */
const partnersChosenMax = 300;

export function deliveriesPage(context: ConsoleContext): Handler {
  return async (visit) => {
    const texts = textsOf(visit.given);
    const before = /^\d{1,15}$/.test(visit.given.before ?? "") ? Number(visit.given.before) : null;
    const key = `deliveries ${scopeOf(visit)} ${JSON.stringify([texts, before])}`;
    return {
      title: "Deliveries",
      live: true,
      body: await context.shared.of(key, visit, () => find(context, visit, texts, before)),
    };
  };
}

/** Nothing of it is of one session: see Shared. */
async function find(
  { reading, clock }: ConsoleContext,
  visit: Visit,
  texts: FilterTexts,
  before: number | null,
): Promise<Html[]> {
  const partnerIds = partnersOf(visit);
  const zones = await readZones(reading, partnerIds);
  const zone = texts.partner === "" ? "UTC" : zones.of(texts.partner);
  const { filter, problems } = readFilter(texts, partnerIds, zone);
  const [found, ids] = await Promise.all([
    searchDeliveries(reading, filter, pageRows + 1, before),
    listPartnerIds(reading, partnerIds, partnersChosenMax + 1),
  ]);
  if (texts.partner !== "" && !maySee(visit, texts.partner)) problems.push("That partner is not yours to see.");
  const shown = found.slice(0, pageRows);
  const next = found.length > pageRows ? shown.at(-1)?.position : undefined;
  const rows = await inSlices(shown, (one) => row(one, zones));
  return [
    html`<h1>Deliveries</h1>
      ${filterForm(texts, ids, dayIn(zone, clock.now()))}
      ${problems.map((problem) => html`<p class="notice warn" role="alert">${problem}</p>`)}`,
    ...(rows.length === 0
      ? [html`<p class="empty">Nothing fits. <a href="/console/deliveries">Take every filter off</a></p>`]
      : [tableHead, ...rows, tableFoot]),
    pager(texts, before, next),
  ];
}

const doorChoices: readonly Choice[] = [
  ["", "any"],
  ["sftp", "SFTP"],
  ["https", "HTTPS"],
  ["direct", "direct"],
];
const stateChoices: readonly Choice[] = [
  ["", "any"],
  ["open", "waiting or loading"],
  ["accepted", "waiting"],
  ["loading", "loading"],
  ["loaded", "loaded"],
  ["refused", "refused"],
  ["withdrawn", "withdrawn"],
];
const resultChoices: readonly Choice[] = [
  ["", "any"],
  ["all", "all of it loaded"],
  ["partly", "in part"],
  ["nothing", "nothing"],
  ["held", "something is held"],
];

function filterForm(texts: FilterTexts, partners: readonly string[], today: string): Html {
  const partner =
    partners.length > partnersChosenMax
      ? field("partner", "Partner", texts.partner)
      : select("partner", "Partner", texts.partner, [["", "all"], ...partners.map((id) => [id, id] as const)]);
  const day = (name: "since" | "until", label: string) =>
    field(name, label, texts[name], { type: /^(\d{4}-\d{2}-\d{2})?$/.test(texts[name]) ? "date" : "text" });
  const quick = (label: string, days: number) =>
    html`<a href="${addressOf(texts, { since: addDays(today, -days), until: "" })}">${label}</a>`;
  return html`<form class="filter" role="search" aria-label="Deliveries" action="/console/deliveries">
    ${field("name", "Part of the name, or an id", texts.name, { type: "search" })} ${partner}
    ${select("state", "State", texts.state, stateChoices)} ${select("result", "Result", texts.result, resultChoices)}
    ${select("door", "Door", texts.door, doorChoices)} ${day("since", "From")}${day("until", "Until")}
    ${field("correlation", "Correlation id", texts.correlation)}
    <div class="buttons"><button>Find</button><a class="button second" href="/console/deliveries">Clear</a></div>
    <p class="quick">
      ${quick("today", 0)} ${quick("since yesterday", 1)} ${quick("7 days", 7)} ${quick("30 days", 30)}
      <span class="quiet">Days are the bank’s where one partner is chosen, else UTC’s.</span>
    </p>
  </form>`;
}

const [tableHead, tableFoot] = halves`<div class="scroll" role="region" aria-label="Deliveries found" tabindex="0">
  <table class="deliveries dense">
    <thead>
      <tr>
        <th scope="col">File or request</th>
        <th scope="col">State</th>
        <th scope="col">Accepted</th>
        <th scope="col">Partner</th>
        <th scope="col" class="number">Records</th>
        <th scope="col" class="number">New</th>
        <th scope="col" class="number wide">Known</th>
        <th scope="col" class="number wide">Conflicting</th>
        <th scope="col" class="number">Refused</th>
        <th scope="col" class="number">Waiting</th>
        <th scope="col" class="number wide">Size</th>
        <th scope="col" class="wide">Door</th>
      </tr>
    </thead>
    <tbody>${here}
    </tbody>
  </table>
</div>`;

function row(one: Delivery, zones: Zones): Html {
  const percent = progressOf(one, new Date())?.percent ?? null;
  const number = (value: number, tone = "") =>
    html`<td class="number ${value === 0 ? "zero" : tone}">${count(value)}</td>`;
  const wide = (value: number) => html`<td class="number wide ${value === 0 ? "zero" : ""}">${count(value)}</td>`;
  return html`<tr>
    <th scope="row" class="name"><a href="/console/deliveries/${one.id}">${one.name ?? one.requestId ?? one.id}</a></th>
    <td>${stateBadge(one)}${percent !== null && html` <span class="quiet">${percent} %</span>`}</td>
    <td class="when">${when(one.acceptedAt, zones.of(one.partnerId))}</td>
    <td class="id">${one.partnerId}</td>
    ${number(one.records)}${number(one.recordsNew)}${wide(one.recordsKnown)}${wide(one.recordsConflicting)}${number(one.recordsRefused, "bad")}${number(one.recordsWaiting, "warn")}
    <td class="number wide">${bytes(one.sizeBytes)}</td>
    <td class="wide">${one.door}</td>
  </tr>`;
}

function pager(texts: FilterTexts, before: number | null, next: number | undefined): Html {
  if (before === null && next === undefined) return html``;
  return html`<nav class="pager" aria-label="Pages">
    ${before !== null && html`<a href="${addressOf(texts)}">Newest</a>`}${next !== undefined && html`<a rel="next" href="${addressOf(texts, { before: String(next) })}">Older</a>`}
  </nav>`;
}
