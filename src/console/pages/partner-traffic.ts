/** Who of a partner is connected over SFTP just now, what they are uploading, and how full its quotas are. */
import type { QuotaUse } from "../../landing/quota-use.ts";
import type { ListedSession } from "../../landing/sftp/open-sessions.ts";
import { isAtLeast } from "../access/accounts.ts";
import type { Visit } from "../context.ts";
import { badge, bytes, count } from "../templates/figures.ts";
import { actionButton } from "../templates/forms.ts";
import { html, type Html } from "../templates/html.ts";
import { table } from "../templates/table.ts";
import { when } from "../templates/times.ts";

const quotaNames: Readonly<Record<QuotaUse["quota"], string>> = {
  storedBytes: "Bytes kept",
  storedFiles: "Files kept",
  sessions: "SFTP connections",
};
/** From here on somebody should look. */
const fullShare = 0.8;

export function quotasSection(quotas: readonly QuotaUse[]): Html {
  const rows = quotas.map(({ quota, used, limit }) => {
    const share = limit === 0 ? 1 : Math.min(1, used / limit);
    const shown = (value: number) => (quota === "storedBytes" ? bytes(value) : count(value));
    const percent = Math.round(share * 100);
    return html`<div>
      <dt>${quotaNames[quota]} ${share >= fullShare && badge(share >= 1 ? "bad" : "warn", `${percent} %`)}</dt>
      <dd>
        ${shown(used)} of ${shown(limit)}
        <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect
            class="${share >= 1 ? "refused" : share >= fullShare ? "partly" : "loaded"}"
            width="${percent}"
            height="4"
          />
        </svg>
      </dd>
    </div>`;
  });
  return html`<section aria-labelledby="quotas">
    <h2 id="quotas">Quotas used</h2>
    <dl class="facts">${rows}</dl>
  </section>`;
}

export function sessionsSection(
  visit: Visit,
  partnerId: string,
  sessions: readonly ListedSession[],
  zone: string,
): Html {
  const mayEnd = isAtLeast(visit.account.role, "operator");
  const at = `/console/partners/${encodeURIComponent(partnerId)}/disconnect`;
  const rows = sessions.map(
    (one) =>
      html`<tr>
        <th scope="row">${one.address}</th>
        <td class="when">${when(one.since, zone)}</td>
        <td>${one.machine}</td>
        <td class="number">${bytes(one.bytesReceived)}</td>
        <td class="number">${bytes(one.bytesSent)}</td>
        <td class="number">${count(one.filesDelivered)}</td>
        <td class="value">
          ${one.uploads.map(({ name, bytes: size }) => html`<div>${name} <span class="quiet">${bytes(size)}</span></div>`)}${one.uploads.length === 0 && html`<span class="quiet">–</span>`}
        </td>
        <td>
          ${
            one.endedBy === null
              ? mayEnd &&
                actionButton(at, visit.formToken, "Disconnect", {
                  kind: "danger",
                  fields: { session: one.id },
                  about: one.address,
                })
              : badge("calm", `is being ended by ${one.endedBy}`)
          }
        </td>
      </tr>`,
  );
  return html`<section aria-labelledby="connected">
    <h2 id="connected">Connected over SFTP now</h2>
    ${
      rows.length === 0
        ? html`<p class="quiet">Nobody.</p>`
        : html`${table(
              "connections",
              [
                "From",
                "Since",
                "Door on",
                { number: "Received" },
                { number: "Sent" },
                { number: "Delivered" },
                "Uploading",
                "End",
              ],
              rows,
            )}
            <p class="quiet">
              What is being uploaded can be continued afterwards, and the partner may log in again: to keep it out,
              suspend it or remove its key.
            </p>`
    }
  </section>`;
}
