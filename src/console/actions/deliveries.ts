/** What is done to a delivery: the same as the commands do, with the console's account in the trail. */
import { createReadStream, type ReadStream } from "node:fs";
import type { Delivery } from "../../deliveries/deliveries.ts";
import { findBody } from "../../deliveries/progress.ts";
import {
  cancelDelivery,
  dropHeld,
  previewWithdrawal,
  releaseHeld,
  retryDeliveries,
  whyNotRetried,
  withdrawDelivery,
  type WithdrawalPreview,
} from "../../operations/deliveries.ts";
import { recordAudit } from "../../partners/audit.ts";
import { isOverdue, Turned } from "../access/guard.ts";
import { actorOf, type ConsoleContext, type Handler, type Visit } from "../context.ts";
import { findOwnDelivery } from "../pages/delivery.ts";
import { countOf } from "../templates/figures.ts";
import { actionButton } from "../templates/forms.ts";
import { html, type Html } from "../templates/html.ts";

/** Read again on the connection that writes: what is done is done to what it is now. */
function onDelivery(
  { database }: ConsoleContext,
  act: (delivery: Delivery, visit: Visit) => Promise<{ done: string; n?: number } | { goTo: string }>,
): Handler {
  return async (visit) => {
    const delivery = await findOwnDelivery(database, visit);
    const acted = await act(delivery, visit);
    if ("goTo" in acted) return acted;
    const { done, n = 0 } = acted;
    return { goTo: `/console/deliveries/${delivery.id}?done=${done}&n=${n}` };
  };
}

/** @throws Turned */
function notDone(why: string): never {
  throw new Turned(409, "Not done", why);
}

/** Where one asks for a second operator. */
function askAt(action: "release" | "withdraw", { id }: Delivery): string {
  return `/console/approvals/new?action=${action}&delivery=${id}`;
}

export function retryAction(context: ConsoleContext): Handler {
  return onDelivery(context, async (delivery, visit) => {
    const why = whyNotRetried(delivery);
    if (why !== null) notDone(why);
    const ids = await retryDeliveries(context.database, actorOf(visit), delivery.id);
    if (ids.length === 0) notDone("The delivery is not refused any more.");
    await wake(context, delivery.id);
    return { done: "retried" };
  });
}

export function cancelAction(context: ConsoleContext): Handler {
  return onDelivery(context, async (delivery, visit) => {
    const done = await cancelDelivery(context.database, actorOf(visit), delivery);
    return done.outcome === "declined" ? notDone(done.why) : { done: "cancelled", n: done.recordsLoaded };
  });
}

export function releaseAction(context: ConsoleContext): Handler {
  return onDelivery(context, async (delivery, visit) => {
    const done = await releaseHeld(context.database, actorOf(visit), delivery, null);
    if (done.outcome === "declined") notDone(done.why);
    if (done.outcome === "guarded") return { goTo: askAt("release", delivery) };
    if (done.outcome === "reopened" || done.wakes) await wake(context, delivery.id);
    return done.outcome === "reopened" ? { done: "reopened" } : { done: "released", n: done.records };
  });
}

export function dropAction(context: ConsoleContext): Handler {
  return onDelivery(context, async (delivery, visit) => {
    const dropped = await dropHeld(context.database, actorOf(visit), delivery);
    return { done: dropped ? "dropped" : "nothing" };
  });
}

export function withdrawAction(context: ConsoleContext): Handler {
  return onDelivery(context, async (delivery, visit) => {
    const done = await withdrawDelivery(context.database, actorOf(visit), delivery);
    if (done.outcome === "declined") notDone(done.why);
    if (done.outcome === "guarded") return { goTo: askAt("withdraw", delivery) };
    return done.outcome === "repeated" ? { done: "repeated" } : { done: "withdrawn", n: done.transactions };
  });
}

/** Before it is done: what would go. */
export function withdrawPage({ reading, events }: ConsoleContext): Handler {
  return async (visit) => {
    const delivery = await findOwnDelivery(reading, visit);
    const button = confirmButtons(delivery, visit, "withdraw", "Withdraw it");
    return {
      title: "Withdraw",
      body: html`${question(delivery, "Withdraw")}
        <p class="pending">Counting what would leave the ledger …</p>`,
      // Of a delivery of millions each transaction is looked at.
      rest: previewWithdrawal(reading, delivery).then(
        (preview) => html`${withdrawalWords(delivery, preview)}${button}`,
        (error: unknown) => {
          if (!isOverdue(error))
            events.emit("console.failed", {
              method: "GET",
              route: visit.request.routeOptions.url ?? "unmatched",
              error,
            });
          return html`${withdrawalWords(delivery, null)}${button}`;
        },
      ),
    };
  };
}

export function dropPage({ reading }: ConsoleContext): Handler {
  return async (visit) => {
    const delivery = await findOwnDelivery(reading, visit);
    const { recordsRefused, recordsWaiting, batchesRefused, state } = delivery;
    const held =
      state === "refused"
        ? "the whole file"
        : `${countOf(recordsRefused, "refused record")}, ${countOf(recordsWaiting, "waiting record")} and ${countOf(batchesRefused, "unread batch", "unread batches")}`;
    const words = html`<p>
      Given up: <strong>${held}</strong>. Nothing of it can be released any more, and retention may remove the original.
      What was loaded stays.
    </p>`;
    return {
      title: "Drop what is held",
      body: html`${question(delivery, "Drop")}${words}${confirmButtons(delivery, visit, "drop", "Drop it")}`,
    };
  };
}

function question(delivery: Delivery, verb: string): Html {
  const called = delivery.name ?? delivery.requestId ?? delivery.id;
  return html`<nav class="crumbs" aria-label="Where you are">
      <a href="/console/deliveries">Deliveries</a> › <a href="/console/deliveries/${delivery.id}">${called}</a>
    </nav>
    <h1>${verb} ${called}?</h1>`;
}

function confirmButtons(delivery: Delivery, visit: Visit, name: string, label: string): Html {
  const at = `/console/deliveries/${delivery.id}`;
  return html`<div class="actions">
    ${actionButton(`${at}/${name}`, visit.formToken, label, { kind: "danger" })}<a class="button second" href="${at}"
      >Leave it as it is</a
    >
  </div>`;
}

function withdrawalWords(delivery: Delivery, preview: WithdrawalPreview | null): Html {
  const what =
    preview === null
      ? html`<p>
          It cannot be counted now: up to
          <strong>${countOf(delivery.recordsNew, "transaction")}</strong> would leave it.
        </p>`
      : html`<p>
            <strong>${countOf(preview.transactions, "transaction")}</strong> of
            <strong>${countOf(preview.users, "user")}</strong
            >${preview.firstDay !== null && html`, booked from ${preview.firstDay} to ${preview.lastDay},`} would leave
            the ledger, and with them every figure and read.
          </p>
          ${preview.restored > 0 && html`<p>${countOf(preview.restored, "transaction")} that it had corrected would be again as before.</p>`}
          ${preview.knownElsewhere > 0 && html`<p class="notice warn">${countOf(preview.knownElsewhere, "later delivery", "later deliveries")} brought records that were known; those among them that this one had loaded leave too. To get them back, withdraw those as well and have them sent again.</p>`}`;
  return html`${what}
    <p>
      A trace stays. The same file, its reqIds and its transactions can be sent again. The users are recognised anew.
    </p>`;
}

/** The bytes as they came, still encrypted. Who took them stands in the trail before the first byte goes. */
export function originalAction(context: ConsoleContext): Handler {
  return async (visit) => {
    const { database, vault } = context;
    const delivery = await findOwnDelivery(database, visit);
    if (delivery.bytesRemovedAt !== null) notDone("Retention has removed the original.");
    // Small files have their bytes beside their rows, as requests do.
    const body = await findBody(database, delivery.id);
    if (body === null && delivery.vaultReference === null) notDone("Nothing of it was kept.");
    const file = body !== null ? null : await vault.bring(delivery.vaultReference ?? "").catch(() => null);
    if (file === null && body === null) notDone("The vault does not have it, or does not answer.");
    await recordAudit(database, actorOf(visit), {
      partnerId: delivery.partnerId,
      event: "delivery.original-downloaded",
      details: { deliveryId: delivery.id },
    });
    void visit.reply
      .header("content-disposition", `attachment; filename="${savedName(delivery)}"`)
      .type("application/octet-stream")
      .send(file === null ? body : readOnce(file, () => vault.discard(delivery.vaultReference ?? "")));
    return null;
  };
}

/** @param discard of what was brought here to be sent */
function readOnce(file: string, discard: () => Promise<void>): ReadStream {
  const stream = createReadStream(file);
  stream.once("close", () => void discard().catch(() => undefined));
  return stream;
}

/** The sender's name may hold anything: letters, digits and a few signs of it are left. */
function savedName({ id, name }: Delivery): string {
  const last = (name ?? `${id}.json`).split("/").at(-1) ?? id;
  return last.replaceAll(/[^\w.-]/g, "_").slice(-120);
}

async function wake({ enqueue }: ConsoleContext, deliveryId: string): Promise<void> {
  await enqueue([deliveryId]).catch(() => undefined);
}
