/** *Today*: whether the last night is in, what came of each partner, and what needs a person. */
import { readExpectedAround, type ExpectedAround } from "../../landing/expected/around.ts";
import { type Backlog, type CameInSlot, countCameBySlot, readBacklog } from "../../deliveries/night.ts";
import { countBehind } from "../../deliveries/overview.ts";
import { everyDelivery, searchDeliveries } from "../../deliveries/search.ts";
import type { Delivery } from "../../deliveries/deliveries.ts";
import { type ConsoleContext, type Handler, partnersOf, type Visit } from "../context.ts";
import { badge, bytes, count, countOf, type Tone } from "../templates/figures.ts";
import { html, type Html } from "../templates/html.ts";
import { clockIn, duration, utcMinute, when } from "../templates/times.ts";
import { nightLine, slotClocks, slotMinutes, slots } from "../templates/night-line.ts";
import { tile, tiles } from "../templates/tiles.ts";
import { readZones, type Zones } from "./zones.ts";
import { attention, type Attention } from "./attention.ts";

const hourMs = 3_600_000;
const nightMs = slots * slotMinutes * 60_000;
/** How far ahead expected files are told. */
const aheadMs = 12 * hourMs;
/** Waiting for so long is more than its turn. */
const waitsLongMs = hourMs;
const heldShownMax = 12;
const expectedShownMax = 60;

export function todayPage({ reading, clock, disk }: ConsoleContext): Handler {
  return async (visit) => {
    const partnerIds = partnersOf(visit);
    const now = clock.now();
    const since = new Date(now.getTime() - nightMs);
    const [came, backlog, expected, held, behind, zones] = await Promise.all([
      countCameBySlot(reading, partnerIds, since, slotMinutes),
      readBacklog(reading, partnerIds),
      readExpectedAround(reading, partnerIds, { since, now, until: new Date(now.getTime() + aheadMs) }),
      searchDeliveries(reading, { ...everyDelivery, partnerIds, result: "held" }, heldShownMax + 1),
      behindOf(reading, partnerIds),
      readZones(reading, partnerIds),
    ]);
    const low = partnerIds === null ? disk().filter(({ isLow }) => isLow) : [];
    const night = { came, backlog, expected, held, now, since, zones };
    const needed = await attention(reading, visit, { ...night, low });
    return {
      title: "Today",
      live: true,
      body: html`${headline(night, needed)} ${figuresOf(night, behind)} ${needs(needed, held.length > heldShownMax)}
      ${partnersTable(night)} ${expectedTable(night, visit)}`,
    };
  };
}

/** Users to be recognised anew, of the partners that may be seen. */
async function behindOf(reading: ConsoleContext["reading"], partnerIds: readonly string[] | null): Promise<number> {
  const counts = await Promise.all((partnerIds ?? [null]).map((id) => countBehind(reading, id)));
  return counts.reduce((total, { usersChanged }) => total + usersChanged, 0);
}

export type Night = {
  came: readonly CameInSlot[];
  backlog: readonly Backlog[];
  expected: readonly ExpectedAround[];
  held: readonly Delivery[];
  now: Date;
  since: Date;
  zones: Zones;
};

/** One sentence that an operator reads first. */
function headline(night: Night, needed: readonly Attention[]): Html {
  const missing = night.expected.filter(({ state, dueAt }) => state === "missing" && dueAt >= night.since).length;
  const waitsLong = night.backlog.some(({ oldestAt }) => night.now.getTime() - oldestAt.getTime() > waitsLongMs);
  const bad = needed.filter(({ tone }) => tone === "bad").length;
  const arrived = sum(night.came, "deliveries");
  const [tone, title, more]: [Tone, string, string] =
    missing > 0
      ? ["bad", "Last night is not all in", `${countOf(missing, "expected file")} did not come.`]
      : waitsLong
        ? ["warn", "Last night is not loaded yet", "Something waits for longer than an hour."]
        : bad > 0
          ? [
              "bad",
              "Last night is in, and something was refused",
              `${countOf(needed.length, "matter")} for a person below.`,
            ]
          : arrived === 0 && night.expected.length === 0
            ? [
                "calm",
                "Nothing came, and nothing was expected",
                "Expected files are set by partner (tideline partner set).",
              ]
            : [
                "good",
                "Last night is in",
                needed.length === 0
                  ? "Nothing needs a person."
                  : `${countOf(needed.length, "matter")} to look at below.`,
              ];
  return html`<header class="headline ${tone}">
    <h1>${title}</h1>
    <p>${more} <span class="quiet">The 24 hours until ${utcMinute(night.now)} UTC.</span></p>
  </header>`;
}

function needs(needed: readonly Attention[], more: boolean): Html {
  if (needed.length === 0) return html``;
  const items = needed.map(
    ({ tone, word, what, detail, actions }) =>
      html`<li>
        ${badge(tone, word)}
        <div class="what"><strong>${what}</strong><span class="quiet">${detail}</span></div>
        <div class="actions">${actions}</div>
      </li>`,
  );
  return html`<section aria-labelledby="needs">
    <h2 id="needs">Needs a person</h2>
    <ul class="needs">
      ${items}
    </ul>
    ${more && html`<p><a href="/console/deliveries?result=held">All that is held</a></p>`}
  </section>`;
}

function figuresOf({ came, backlog, expected, now }: Night, usersBehind: number): Html {
  const due = expected.filter(({ state }) => state !== "awaited" && state !== "early" && state !== "dropped");
  const arrived = due.filter(({ state }) => state !== "missing").length;
  const oldest = backlog.map(({ oldestAt }) => oldestAt.getTime()).toSorted((a, b) => a - b)[0];
  const waiting = sum(backlog, "deliveries");
  const last = `since=${new Date(now.getTime() - nightMs).toISOString().slice(0, 16)}Z`;
  const late = due.filter(({ state }) => state === "late").length;
  return tiles("Figures of the night", [
    tile(
      "#expected",
      "Expected files",
      due.length === 0 ? "–" : `${count(arrived)} of ${count(due.length)}`,
      due.length === 0 ? "none were due" : late > 0 ? `${count(late)} came late` : "arrived",
      arrived < due.length ? "bad" : "calm",
    ),
    tile(`/console/deliveries?${last}`, "Came", count(sum(came, "deliveries")), bytes(sum(came, "sizeBytes"))),
    tile(
      `/console/deliveries?result=all&${last}`,
      "Loaded",
      count(sum(came, "loaded")),
      countOf(sum(came, "records"), "record"),
      sum(came, "loaded") > 0 ? "good" : "calm",
    ),
    tile(
      `/console/deliveries?result=partly&${last}`,
      "In part",
      count(sum(came, "partly")),
      "records are held",
      sum(came, "partly") > 0 ? "warn" : "calm",
    ),
    tile(
      `/console/deliveries?state=refused&${last}`,
      "Refused",
      count(sum(came, "refused")),
      "nothing loaded",
      sum(came, "refused") > 0 ? "bad" : "calm",
    ),
    tile(
      "/console/deliveries?state=open",
      "Waiting",
      count(waiting),
      oldest === undefined ? "nothing waits" : `the oldest for ${duration(now.getTime() - oldest)}`,
      waiting > 0 ? "warn" : "calm",
    ),
    tile("/console/deliveries", "Users behind", count(usersBehind), "in recognition"),
  ]);
}

function partnersTable({ came, backlog, expected, since, now, zones }: Night): Html {
  const ids = [...new Set([...came, ...backlog, ...expected].map(({ partnerId }) => partnerId))].toSorted();
  if (ids.length === 0) return html``;
  const cameTo = Map.groupBy(came, ({ partnerId }) => partnerId);
  const dueOf = Map.groupBy(
    expected.filter(({ state }) => state !== "awaited" && state !== "early"),
    ({ partnerId }) => partnerId,
  );
  const clocks = new Map<string, string[]>();
  const clocksOf = (zone: string) => {
    const known = clocks.get(zone) ?? slotClocks(since, zone);
    clocks.set(zone, known);
    return known;
  };
  // Those that need somebody first.
  const troubles = (id: string) =>
    sum(cameTo.get(id) ?? [], "refused") +
    sum(cameTo.get(id) ?? [], "partly") +
    (dueOf.get(id) ?? []).filter(({ state, dueAt }) => state === "late" || (state === "missing" && dueAt >= since))
      .length;
  const rows = ids
    .toSorted((a, b) => Number(troubles(b) > 0) - Number(troubles(a) > 0))
    .map((id) => {
      const own = cameTo.get(id) ?? [];
      const due = dueOf.get(id) ?? [];
      const here = due.filter(({ state }) => state === "arrived" || state === "late").length;
      const late = due.filter(({ state }) => state === "late").length;
      const waits = backlog.find(({ partnerId }) => partnerId === id);
      const number = (value: number, tone: Tone | "" = "") =>
        html`<td class="number ${value > 0 ? tone : "zero"}">${count(value)}</td>`;
      const at = (query: string) => `/console/deliveries?partner=${encodeURIComponent(id)}${query}`;
      return html`<tr>
        <th scope="row" class="id"><a href="${at("")}">${id}</a></th>
        <td class="line">${nightLine(id, own, clocksOf(zones.of(id)))}</td>
        <td class="number">
          ${due.length === 0 ? html`<span class="quiet">–</span>` : html`${here} of ${due.length}`}
        </td>
        ${number(late, "warn")}
        ${number(sum(own, "loaded"))}${number(sum(own, "partly"), "warn")}${number(sum(own, "refused"), "bad")}${number(waits?.deliveries ?? 0)}
        <td class="wide">
          ${waits ? html`for ${duration(now.getTime() - waits.oldestAt.getTime())}` : html`<span class="quiet">–</span>`}
        </td>
      </tr>`;
    });
  return html`<section aria-labelledby="partners">
    <h2 id="partners">Partner by partner</h2>
    <div class="scroll" role="region" aria-label="Table: partner by partner" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Partner</th>
            <th scope="col">24 hours, in the bank’s time</th>
            <th scope="col" class="number">Arrived</th>
            <th scope="col" class="number">Late</th>
            <th scope="col" class="number">Loaded</th>
            <th scope="col" class="number">In part</th>
            <th scope="col" class="number">Refused</th>
            <th scope="col" class="number">Waiting</th>
            <th scope="col" class="wide">Oldest</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    <p class="legend">
      <span class="swatch loaded"></span>loaded <span class="swatch partly"></span>in part
      <span class="swatch refused"></span>refused <span class="swatch open"></span>waiting or loading; each bar is
      ${slotMinutes} minutes, its height the number of deliveries
    </p>
  </section>`;
}

const wordOf: Readonly<Record<ExpectedAround["state"], readonly [Tone, string]>> = {
  arrived: ["good", "in time"],
  late: ["warn", "late"],
  missing: ["bad", "missing"],
  dropped: ["calm", "no longer expected"],
  early: ["good", "here already"],
  awaited: ["calm", "awaited"],
};

function expectedTable({ expected, zones }: Night, _visit: Visit): Html {
  if (expected.length === 0)
    return html`<section aria-labelledby="expected">
      <h2 id="expected">Expected files</h2>
      <p class="quiet">
        No file was due in these hours, and none is in the next twelve. What a partner should send by when is its
        setting <code>expectedFiles</code>.
      </p>
    </section>`;
  // What is not in order first, the newest of it before what is long ago.
  const inOrder = expected.toSorted((a, b) => rankOf(a) - rankOf(b) || b.dueAt.getTime() - a.dueAt.getTime());
  const rows = inOrder
    .slice(0, expectedShownMax)
    .map(({ partnerId, name, dueDay, dueAt, state, deliveryId, arrivedAt }) => {
      const zone = zones.of(partnerId);
      const arrived = arrivedAt === null ? html`<span class="quiet">–</span>` : when(arrivedAt, zone);
      return html`<tr>
        <td class="id">${partnerId}</td>
        <th scope="row">
          ${deliveryId === null ? name : html`<a href="/console/deliveries/${deliveryId}">${name}</a>`}
        </th>
        <td>${badge(...wordOf[state])}</td>
        <td>${dueDay}, ${clockIn(zone, dueAt)} <span class="quiet">${clockIn("UTC", dueAt)} UTC</span></td>
        <td>${arrived}</td>
      </tr>`;
    });
  return html`<section aria-labelledby="expected">
    <h2 id="expected">Expected files</h2>
    <div class="scroll" role="region" aria-label="Table: expected files" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Partner</th>
            <th scope="col">File</th>
            <th scope="col">State</th>
            <th scope="col">Due</th>
            <th scope="col">Arrived</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    ${expected.length > expectedShownMax && html`<p class="quiet">${countOf(expected.length - expectedShownMax, "more file")}, ${countOf(inOrder.slice(expectedShownMax).filter((one) => rankOf(one) === 0).length, "of them missing", "of them missing")}; one partner’s are on its own page.</p>`}
  </section>`;
}

function rankOf({ state }: ExpectedAround): number {
  return state === "missing" ? 0 : state === "late" ? 1 : state === "awaited" ? 2 : 3;
}

function sum<Name extends string>(rows: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return rows.reduce((total, row) => total + row[name], 0);
}
