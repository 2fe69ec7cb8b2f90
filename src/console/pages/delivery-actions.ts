/** What can be done to a delivery in its state and with one's role, and what was done just now. */
import type { Delivery } from "../../deliveries/deliveries.ts";
import { whyNotReleased, whyNotRetried } from "../../operations/deliveries.ts";
import { isAtLeast } from "../access/accounts.ts";
import type { Visit } from "../context.ts";
import { countOf } from "../templates/figures.ts";
import { actionButton } from "../templates/forms.ts";
import { html, type Html } from "../templates/html.ts";

export function deliveryActions(delivery: Delivery, { account, formToken }: Visit): Html {
  const at = `/console/deliveries/${delivery.id}`;
  const isOperator = isAtLeast(account.role, "operator");
  const isAdmin = isAtLeast(account.role, "admin");
  const isOpen = delivery.state === "accepted" || delivery.state === "loading";
  const isKept = delivery.bytesRemovedAt === null && (delivery.vaultReference !== null || delivery.door === "https");
  const buttons = [
    isOperator && whyNotRetried(delivery) === null && actionButton(`${at}/retry`, formToken, "Retry"),
    isOperator && isOpen && actionButton(`${at}/cancel`, formToken, "Call loading off", { kind: "second" }),
    isOperator && mayRelease(delivery) && actionButton(`${at}/release`, formToken, "Release what is held"),
    isAdmin && mayDrop(delivery) && html`<a class="button second" href="${at}/drop">Drop what is held …</a>`,
    isAdmin && mayWithdraw(delivery) && html`<a class="button danger" href="${at}/withdraw">Withdraw …</a>`,
    isAdmin &&
      isKept &&
      actionButton(`${at}/original`, formToken, "Download the encrypted original", { kind: "second" }),
  ].filter((button) => button !== false);
  return buttons.length === 0 ? html`` : html`<div class="actions" role="group" aria-label="Actions">${buttons}</div>`;
}

function mayRelease(delivery: Delivery): boolean {
  if (delivery.revisitRequestedAt !== null || whyNotRetried(delivery) === null) return false;
  return hasHeld(delivery) && whyNotReleased(delivery, null) === null;
}

export function mayDrop(delivery: Delivery): boolean {
  return delivery.quarantineClosedAt === null && hasHeld(delivery);
}

export function mayWithdraw({ state, refusalCode }: Delivery): boolean {
  if (state === "refused") return refusalCode === "LOAD_ABANDONED" || refusalCode === "LOAD_CANCELLED";
  return state !== "withdrawn";
}

/** As the view quarantined_deliveries has it. */
function hasHeld(delivery: Delivery): boolean {
  const { state, recordsRefused, batchesRefused, recordsWaiting } = delivery;
  if (state === "refused")
    return delivery.bytesRemovedAt === null && (delivery.vaultReference !== null || delivery.door === "https");
  return state === "loaded" && recordsRefused + batchesRefused + recordsWaiting > 0;
}

const sentences: Readonly<Record<string, (n: number) => string>> = {
  retried: () => "It waits to be loaded again, after what was committed.",
  cancelled: (n) =>
    `Loading is called off; ${countOf(n, "record")} had been taken. Retry goes on after them, withdraw takes them out.`,
  released: (n) => `${countOf(n, "record")} ${n === 1 ? "is" : "are"} being read again.`,
  reopened: () => "It waits to be loaded again.",
  dropped: () => "What was held is given up; retention removes the original when its time comes.",
  nothing: () => "Nothing of it was held.",
  withdrawn: (n) => `It is withdrawn: ${countOf(n, "transaction")} left the ledger.`,
  repeated: () => "It had been withdrawn before.",
};

/** What the address says was done: one of our sentences, and a number. */
export function tellDone(given: Readonly<Record<string, string>>): Html {
  const done = given.done ?? "";
  const sentence = Object.hasOwn(sentences, done) ? sentences[done] : undefined;
  if (!sentence) return html``;
  const n = /^\d{1,12}$/.test(given.n ?? "") ? Number(given.n) : 0;
  return html`<p class="notice good" role="status">${sentence(n)}</p>`;
}
