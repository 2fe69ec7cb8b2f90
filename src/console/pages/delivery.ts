/** One delivery: its stages, what became of its records, what is held and why, and what can be done about it. */
import type { Delivery } from "../../deliveries/deliveries.ts";
import { findDelivery } from "../../deliveries/deliveries.ts";
import { summarizeHeld, type HeldSummary } from "../../deliveries/held.ts";
import { groupProblems, type ProblemGroup } from "../../deliveries/problems.ts";
import { countBehind } from "../../deliveries/overview.ts";
import { progressOf } from "../../deliveries/load-progress.ts";
import { buildReceipt, type Receipt } from "../../landing/receipt.ts";
import { type AuditEvent, listAuditOfDelivery } from "../../partners/audit.ts";
import { notFound } from "../access/guard.ts";
import { type ConsoleContext, type Handler, maySee, type Visit } from "../context.ts";
import { bytes, count, countOf, stateBadge } from "../templates/figures.ts";
import { html, type Html } from "../templates/html.ts";
import { duration, utcSecond, when } from "../templates/times.ts";
import { deliveryActions, tellDone } from "./delivery-actions.ts";
import { readZones } from "./zones.ts";

const auditShownMax = 100;

export function deliveryPage({ reading, clock }: ConsoleContext): Handler {
  return async (visit) => {
    const delivery = await findOwnDelivery(reading, visit);
    const [receipt, groups, held, trail, behind, zones] = await Promise.all([
      buildReceipt(reading, delivery),
      groupProblems(reading, delivery.id),
      summarizeHeld(reading, delivery.id),
      listAuditOfDelivery(reading, delivery.partnerId, delivery.id, auditShownMax),
      countBehind(reading, delivery.partnerId),
      readZones(reading, [delivery.partnerId]),
    ]);
    const zone = zones.of(delivery.partnerId);
    const name = delivery.name ?? `request ${delivery.requestId ?? delivery.id}`;
    return {
      title: name,
      live: true,
      body: html`<nav class="crumbs" aria-label="Where you are">
          <a href="/console/deliveries">Deliveries</a> ›
          <a href="/console/deliveries?partner=${encodeURIComponent(delivery.partnerId)}">${delivery.partnerId}</a>
        </nav>
        <div class="title">
          <h1>${name}</h1>
          ${stateBadge(delivery)}
        </div>
        ${tellDone(visit.given)} ${told(receipt)} ${deliveryActions(delivery, visit)}
        <div class="columns">
          <section aria-labelledby="stages">
            <h2 id="stages">Its way</h2>
            ${stages(delivery, zone, behind.usersChanged, clock.now())}
          </section>
          <section aria-labelledby="records">
            <h2 id="records">Its records</h2>
            ${records(delivery)}
          </section>
        </div>
        ${problems(groups, held, receipt)} ${facts(delivery, receipt, zone)} ${trailOf(trail, zone)}
        <section aria-labelledby="receipt">
          <h2 id="receipt">Receipt</h2>
          <p>
            <a href="/console/deliveries/${delivery.id}/receipt.json">receipt.json</a>, as the partner finds
            it${delivery.door === "sftp" ? "" : " for a file"}.
          </p>
          <details>
            <summary>Read it here</summary>
            <pre tabindex="0">${JSON.stringify({ ...receipt, problems: receipt.problems.slice(0, 20) }, null, 2)}</pre>
          </details>
        </section>`,
    };
  };
}

export function receiptDocument({ reading }: ConsoleContext): Handler {
  return async (visit) => {
    const delivery = await findOwnDelivery(reading, visit);
    const receipt = await buildReceipt(reading, delivery);
    void visit.reply.type("application/json").send(`${JSON.stringify(receipt, null, 2)}\n`);
    return null;
  };
}

/** Another partner's is not there. @throws Turned */
export async function findOwnDelivery(database: ConsoleContext["reading"], visit: Visit): Promise<Delivery> {
  const { id = "" } = visit.request.params as { id?: string };
  const delivery = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? await findDelivery(database, id) : null;
  if (delivery === null || !maySee(visit, delivery.partnerId)) notFound("delivery");
  return delivery;
}

function told({ refusal, revisitRefusal, withdrawal }: Receipt): Html {
  const sentence = (code: string, reason: string, remedy: string) =>
    html`<div class="notice bad">
      <p><strong>${reason}</strong> <code>${code}</code></p>
      <p>${remedy}</p>
    </div>`;
  return html`${refusal && sentence(refusal.code, refusal.reason, refusal.remedy)}${refusal?.duplicateOf && html`<p>The same bytes came as <a href="/console/deliveries/${refusal.duplicateOf.deliveryId}">${refusal.duplicateOf.file}</a>.</p>`}${revisitRefusal && sentence(revisitRefusal.code, `Could not be read again: ${revisitRefusal.reason}`, revisitRefusal.remedy)}${withdrawal && html`<p class="notice calm">Withdrawn: ${countOf(withdrawal.transactions, "transaction")} left the ledger.</p>`}`;
}

type Stage = { name: string; at: Date | null; detail: Html | string; state: "done" | "now" | "failed" | "ahead" };

function stages(delivery: Delivery, zone: string, usersBehind: number, now: Date): Html {
  const list = stagesOf(delivery, usersBehind, now);
  const items = list.map(({ name, at, detail, state }, place) => {
    const before = list[place - 1]?.at ?? null;
    const took =
      at !== null &&
      before !== null &&
      html`<span class="quiet">after ${duration(at.getTime() - before.getTime())}</span>`;
    const word = { done: "done", now: "now", failed: "failed", ahead: "to come" }[state];
    return html`<li class="${state}">
      <strong>${name}</strong><span class="unseen">: ${word}</span> ${at !== null && when(at, zone)} ${took}
      <div class="quiet">${detail}</div>
    </li>`;
  });
  return html`<ol class="stages">
    ${items}
  </ol>`;
}

function stagesOf(delivery: Delivery, usersBehind: number, now: Date): Stage[] {
  const { state, door, attempts, breakdowns, startedAt, finishedAt, retryAt } = delivery;
  const progress = progressOf(delivery, now);
  const failed = attempts + breakdowns;
  const tries =
    failed === 0
      ? ""
      : `Broke off ${countOf(failed, "time")} since its last progress${retryAt !== null && state !== "loaded" ? `; goes on at ${utcSecond(retryAt)} UTC` : ""}.`;
  const isOver = finishedAt !== null;
  const landed: Stage = {
    name: "Landed",
    at: delivery.acceptedAt,
    detail: `${bytes(delivery.sizeBytes)} over ${door === "sftp" ? "SFTP" : door === "https" ? "HTTPS" : "the command line"}: durable and recorded`,
    state: "done",
  };
  if (startedAt === null && state === "refused")
    return [landed, { name: "Refused", at: finishedAt, detail: "before anything of it was loaded", state: "failed" }];
  const opened: Stage = {
    name: "Opened and checked",
    at: startedAt,
    detail:
      startedAt === null
        ? "waits for its partner’s turn"
        : `as ${delivery.format}; ${countOf(delivery.batches, "batch", "batches")}${delivery.loadedBy === null ? "" : `; on ${delivery.loadedBy}`}`,
    state: startedAt === null ? "now" : "done",
  };
  const percent = progress?.percent ?? null;
  const loadedDetail = `${tries} ${
    progress === null
      ? ""
      : `${percent === null ? "" : `${percent} % of its bytes. `}${progress.recordsPerSecond === null ? "" : `${count(progress.recordsPerSecond)} records/s. `}${progress.secondsLeft === null ? "" : `Some ${duration(progress.secondsLeft * 1000)} left.`}`
  }`;
  const loaded: Stage = {
    name: state === "refused" ? "Broken off" : "Loaded",
    at: finishedAt,
    detail: state === "refused" ? `after ${countOf(delivery.records, "record")}` : loadedDetail,
    state: state === "refused" ? "failed" : isOver ? "done" : startedAt === null ? "ahead" : "now",
  };
  const recognised: Stage = {
    name: "Recognised",
    at: null,
    detail: !isOver
      ? "when it is loaded"
      : usersBehind === 0
        ? "Every user of the partner is up to date."
        : `${countOf(usersBehind, "user")} of the partner wait to be recognised anew.`,
    state: !isOver ? "ahead" : usersBehind === 0 ? "done" : "now",
  };
  const withdrawn: Stage[] =
    delivery.withdrawnAt === null
      ? []
      : [
          {
            name: "Withdrawn",
            at: delivery.withdrawnAt,
            detail: `${countOf(delivery.transactionsWithdrawn, "transaction")} left the ledger`,
            state: "failed",
          },
        ];
  return [landed, opened, loaded, ...(state === "refused" ? [] : [recognised]), ...withdrawn];
}

function records(delivery: Delivery): Html {
  const parts = [
    ["new", delivery.recordsNew, "good"],
    ["known", delivery.recordsKnown, "calm"],
    ["conflicting", delivery.recordsConflicting, "warn"],
    ["refused", delivery.recordsRefused, "bad"],
    ["waiting", delivery.recordsWaiting, "warn"],
    ["markers", delivery.markers, "calm"],
  ] as const;
  const total = Math.max(1, delivery.records);
  let left = 0;
  const bars = parts.map(([name, value]) => {
    const width = (value / total) * 100;
    const bar =
      value > 0 && html`<rect class="${name}" x="${left.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="8" />`;
    left += width;
    return bar;
  });
  const rows = parts.map(
    ([name, value]) =>
      html`<tr class="${value === 0 ? "zero" : ""}">
        <th scope="row"><span class="swatch ${name}"></span>${name}</th>
        <td class="number">${count(value)}</td>
      </tr>`,
  );
  const refusedBatches =
    delivery.batchesRefused > 0 &&
    html`<p>
      ${countOf(delivery.batchesRefused, "batch", "batches")} of ${count(delivery.batches)} could not be read at all.
    </p>`;
  return html`<p class="figure"><span class="value">${count(delivery.records)}</span> records</p>
    ${delivery.records > 0 && html`<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>`}
    <table class="plain">
      <tbody>
        ${rows}
      </tbody>
    </table>
    ${refusedBatches}`;
}

function problems(groups: readonly ProblemGroup[], held: readonly HeldSummary[], { problemsTotal }: Receipt): Html {
  if (groups.length === 0 && held.length === 0) return html``;
  const heldRows = held.map(
    (one) =>
      html`<tr>
        <td>${one.kind}</td>
        <th scope="row"><code>${one.field || "record"}</code></th>
        <td>${one.reason}</td>
        <td class="number">${count(one.records)}</td>
        <td>${locationText(one.firstLine, one.firstIndex)}</td>
      </tr>`,
  );
  const groupRows = groups.map(
    (one) =>
      html`<tr>
        <th scope="row"><code>${one.field || "record"}</code></th>
        <td>${one.reason}</td>
        <td class="number">${count(one.problems)}</td>
        <td>
          ${one.locations.map(({ line, index }) => locationText(line, index)).join("; ")}${one.problems > one.locations.length ? " …" : ""}
        </td>
      </tr>`,
  );
  return html`<section aria-labelledby="problems">
    <h2 id="problems">What is wrong</h2>
    <p class="quiet">By field and reason; values are never kept.</p>
    ${
      held.length > 0 &&
      html`<h3 id="held">Held: may still come</h3>
        <div class="scroll" role="region" aria-label="Table: what is held" tabindex="0">
          <table>
            <thead>
              <tr>
                <th scope="col">Kind</th>
                <th scope="col">Field</th>
                <th scope="col">Reason</th>
                <th scope="col" class="number">Records</th>
                <th scope="col">First at</th>
              </tr>
            </thead>
            <tbody>
              ${heldRows}
            </tbody>
          </table>
        </div>`
    }
    ${
      groups.length > 0 &&
      html`<h3 id="listed">${countOf(problemsTotal, "problem")}, as the receipt lists them</h3>
        <div class="scroll" role="region" aria-label="Table: problems" tabindex="0">
          <table>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Reason</th>
                <th scope="col" class="number">Times</th>
                <th scope="col">Where</th>
              </tr>
            </thead>
            <tbody>
              ${groupRows}
            </tbody>
          </table>
        </div>`
    }
  </section>`;
}

function locationText(line: number, index: number): string {
  return `line ${count(line)}${index < 0 ? "" : `, record ${count(index)}`}`;
}

function facts(delivery: Delivery, receipt: Receipt, zone: string): Html {
  const rows: [string, Html | string][] = [
    ["Delivery", html`<code>${delivery.id}</code>`],
    [
      "Correlation id",
      html`<a href="/console/deliveries?correlation=${encodeURIComponent(delivery.correlationId)}"
        ><code>${delivery.correlationId}</code></a
      >`,
    ],
    ["SHA-256", html`<code class="long">${receipt.sha256}</code>`],
    ["Size", `${count(delivery.sizeBytes)} bytes`],
    ["Format", delivery.format],
    ["Bank’s zone", zone],
    [
      "Original",
      delivery.bytesRemovedAt !== null
        ? html`removed by retention, ${when(delivery.bytesRemovedAt, zone)}`
        : delivery.vaultReference === null && delivery.door !== "https"
          ? "nothing was kept"
          : "kept, as it came: encrypted",
    ],
    [
      "Quarantine",
      delivery.quarantineClosedAt !== null ? html`dropped, ${when(delivery.quarantineClosedAt, zone)}` : "open",
    ],
  ];
  return html`<section aria-labelledby="facts">
    <h2 id="facts">Facts</h2>
    <dl class="facts">
      ${rows.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

function trailOf(trail: readonly AuditEvent[], zone: string): Html {
  if (trail.length === 0) return html``;
  const rows = trail.map(
    (one) =>
      html`<tr>
        <td class="when">${when(one.at, zone)}</td>
        <td>${one.actor}</td>
        <th scope="row">${one.event}</th>
      </tr>`,
  );
  return html`<section aria-labelledby="trail">
    <h2 id="trail">What was done</h2>
    <div class="scroll" role="region" aria-label="Table: what was done" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
  </section>`;
}
