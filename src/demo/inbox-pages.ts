/** The inbox's pages (inbox.ts): plain HTML without scripts; whatever came is text. */
import { hash } from "node:crypto";
import { type InboxMessage, typeOf, type Verdict } from "./inbox-message.ts";

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 25%, transparent); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
pre { overflow-x: auto; white-space: pre-wrap; font-size: .85rem; padding: .6rem; border: 1px solid var(--line); }
button { font: inherit; padding: .3rem 1rem; }
.wrong { font-weight: 600; color: light-dark(#a3150c, #ff9d94); }
@media (max-width: 40rem) { thead { display: none; } tr, td { display: block; border: 0; padding: 0; } tr { padding: .5rem 0; border-bottom: 1px solid var(--line); } }`;

export const inboxPolicy = `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

/** The latest first. */
export function inboxPage(messages: readonly InboxMessage[], forwardTo: string | null): string {
  const rows = messages
    .toReversed()
    .map(
      (one) =>
        `<tr><td><a href="/messages/${one.number}">${one.number}</a></td><td>${escape(one.receivedAt)}</td><td>${escape(typeOf(one))}</td><td>${told(one.verdict)}</td><td>${one.answered}</td></tr>`,
    );
  const table = `<table><thead><tr><th>No.</th><th>Received</th><th>Type</th><th>Signature</th><th>Answered</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
  const where = forwardTo === null ? "Messages are answered here." : `Messages go on to ${escape(forwardTo)}.`;
  return whole("Webhook inbox", `<p>${where}</p>${rows.length === 0 ? "<p>Nothing came yet.</p>" : table}`);
}

/** @param sent the status of sending it again just now; 0: nobody answered */
export function messagePage(message: InboxMessage, forwardTo: string | null, sent?: number): string {
  const headers = Object.entries(message.headers).map(([name, value]) => `${name}: ${value}`);
  const again =
    forwardTo === null
      ? "<p>Start the inbox with --forward to send it on from here.</p>"
      : `<form method="post" action="/again/${message.number}"><button>Send again to ${escape(forwardTo)}</button></form>`;
  const outcome =
    sent === undefined ? "" : `<p role="status">${sent === 0 ? "Nobody answered." : `Sent again: ${sent}.`}</p>`;
  return whole(
    `Message ${message.number}`,
    `<p><a href="/">All messages</a></p><p>${escape(typeOf(message))}, ${escape(message.receivedAt)}, ${told(message.verdict)}, answered ${message.answered}.</p>${outcome}${again}<h2>Headers</h2><pre tabindex="0">${escape(headers.join("\n"))}</pre><h2>Body</h2><pre tabindex="0">${escape(indented(message.body))}</pre>`,
  );
}

function whole(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head><body><main><h1>${title}</h1>${content}</main></body></html>`;
}

function told(verdict: Verdict): string {
  return verdict === "verified" ? verdict : `<span class="wrong">${verdict}</span>`;
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
