/** What stands on a partner's page, part by part. */
import type { ExpectedAround } from "../../landing/expected/around.ts";
import type { ReceiverAddress } from "../../notifications/receiver.ts";
import type { AuditEvent } from "../../partners/audit.ts";
import type { PartnerOverview } from "../../partners/overview.ts";
import type { ExpectedFile } from "../../partners/settings/expected-files.ts";
import type { SettingInForce } from "../../partners/settings/in-force.ts";
import { isAtLeast } from "../access/accounts.ts";
import type { Visit } from "../context.ts";
import { facts } from "../templates/facts.ts";
import { badge, bytes, count, countOf } from "../templates/figures.ts";
import { actionButton } from "../templates/forms.ts";
import { html, type Html } from "../templates/html.ts";
import { table } from "../templates/table.ts";
import { clockIn, when } from "../templates/times.ts";

const dayMs = 86_400_000;
/** From here on somebody should renew it. */
const endsSoonDays = 30;

export function brandsTable({ brands }: PartnerOverview): Html {
  const rows = brands.map(
    (one) =>
      html`<tr>
        <th scope="row">${one.id}</th>
        <td>${one.country}</td>
        <td>${one.currency}</td>
        <td>${one.timeZone}</td>
        <td>${one.locale}</td>
        <td class="details">
          ${Object.entries(one.settings).map(
            ([name, value]) => html`<span><span class="quiet">${name}</span> ${JSON.stringify(value)}</span> `,
          )}
        </td>
      </tr>`,
  );
  return html`<section aria-labelledby="brands">
    <h2 id="brands">Brands</h2>
    ${
      rows.length === 0
        ? html`<p class="empty">None yet: without a brand nobody can have users.</p>`
        : table("brands", ["Brand", "Country", "Currency", "Zone", "Locale", "Settings"], rows)
    }
  </section>`;
}

type Key = { kind: string; name: string; fingerprint: string; since: Date; endsAt: Date | null; isNext?: boolean };

function keysOf(partner: PartnerOverview): Key[] {
  const ours = (kind: string) => (key: PartnerOverview["batchKeys"][number]) => ({
    kind,
    name: "ours",
    fingerprint: key.kid,
    since: key.createdAt,
    endsAt: key.retiredAt,
    isNext: key.isNext,
  });
  return [
    ...partner.loginKeys.map(({ id, kid, algorithm, fingerprint, createdAt, expiresAt }) => ({
      kind: "login",
      name: `${kid ?? `number ${id}`}, ${algorithm}`,
      fingerprint,
      since: createdAt,
      endsAt: expiresAt,
    })),
    ...partner.sftpKeys.map(({ comment, fingerprint, createdAt, expiresAt }) => ({
      kind: "SFTP",
      name: comment,
      fingerprint,
      since: createdAt,
      endsAt: expiresAt,
    })),
    ...partner.clientCertificates.map(({ kind, subject, fingerprint, createdAt, expiresAt }) => ({
      kind: kind === "issuer" ? "issuer of certificates" : "client certificate",
      name: subject,
      fingerprint,
      since: createdAt,
      endsAt: expiresAt,
    })),
    ...partner.batchKeys.map(ours("batches (JWE)")),
    ...partner.pgpKeys.map(ours("files (OpenPGP)")),
  ];
}

/** What ends first stands first. */
export function keysTable(partner: PartnerOverview, now: Date, zone: string): Html {
  const endOf = ({ endsAt }: Key) => endsAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const rows = keysOf(partner)
    .toSorted((a, b) => (endOf(a) === endOf(b) ? 0 : endOf(a) - endOf(b)))
    .map(
      (key) =>
        html`<tr>
          <td>${stateOf(key, now)}</td>
          <th scope="row">${key.kind}</th>
          <td class="name">${key.name}</td>
          <td class="print"><code>${key.fingerprint}</code></td>
          <td class="when">${when(key.since, zone)}</td>
          <td class="when">
            ${key.endsAt === null ? html`<span class="quiet">by itself never</span>` : when(key.endsAt, zone)}
          </td>
        </tr>`,
    );
  return html`<section aria-labelledby="keys">
    <h2 id="keys">Keys and certificates</h2>
    ${
      rows.length === 0
        ? html`<p class="empty">None: nobody can log in.</p>`
        : table("keys and certificates", ["State", "For", "Name", "Fingerprint", "Since", "Ends"], rows)
    }
  </section>`;
}

function stateOf({ endsAt, isNext }: Key, now: Date): Html {
  if (isNext === true) return badge("calm", "next");
  if (endsAt === null) return badge("good", "in force");
  const days = Math.floor((endsAt.getTime() - now.getTime()) / dayMs);
  if (endsAt <= now) return badge("bad", "ended");
  return days < endsSoonDays ? badge("warn", `${countOf(days, "day")} left`) : badge("good", "in force");
}

export function networksSection({ allowedNetworks }: PartnerOverview): Html {
  const of = (door: string) => allowedNetworks.filter((one) => one.door === door).map(({ network }) => network);
  const words = (door: string) => {
    const networks = of(door);
    return networks.length === 0 ? html`<span class="quiet">from everywhere</span>` : networks.join(", ");
  };
  return html`<section aria-labelledby="networks">
    <h2 id="networks">Allowed networks</h2>
    ${facts([
      ["HTTPS", words("https")],
      ["SFTP", words("sftp")],
    ])}
  </section>`;
}

export function receiverSection(
  { account, formToken }: Visit,
  partnerId: string,
  { receiver, notifications }: { receiver: ReceiverAddress | null; notifications: { pending: number; dead: number } },
): Html {
  const { pending, dead } = notifications;
  const at = `/console/partners/${encodeURIComponent(partnerId)}/replay`;
  return html`<section aria-labelledby="receiver">
    <h2 id="receiver">Notifications</h2>
    ${facts([
      ["Receiver", receiver === null ? html`<span class="quiet">none</span>` : html`<code>${receiver.url}</code>`],
      ...(receiver === null
        ? []
        : ([
            ["Logs in with", receiver.authentication.replaceAll("_", " ")],
            ["Signed with", receiver.signing],
            ["Private addresses", receiver.allowsPrivateAddresses ? "allowed" : "never called"],
          ] as const)),
      ["To send", count(pending)],
      ["Dead", dead > 0 ? badge("bad", count(dead)) : "0"],
    ])}
    ${dead > 0 && isAtLeast(account.role, "operator") && html`<div class="actions">${actionButton(at, formToken, "Send the dead ones again")}</div>`}
  </section>`;
}

const arrivalWords: Readonly<Record<ExpectedAround["state"], Html>> = {
  arrived: badge("good", "in time"),
  late: badge("warn", "late"),
  missing: badge("bad", "missing"),
  dropped: badge("calm", "no longer expected"),
  early: badge("good", "here already"),
  awaited: badge("calm", "awaited"),
};

export function expectedSection(
  expected: readonly ExpectedFile[],
  around: readonly ExpectedAround[],
  zone: string,
): Html {
  const rows = expected.map((one) => {
    const days = typeof one.days === "string" ? one.days : JSON.stringify(one.days);
    const own = around.filter(({ name }) => name === one.name);
    return html`<tr>
      <th scope="row">${one.name}</th>
      <td><code>${one.pattern}</code></td>
      <td>${one.cutoff} <span class="quiet">${one.timeZone}, ${one.graceMinutes} min of grace</span></td>
      <td>${days}${one.country !== undefined && ` of ${one.country}`}</td>
      <td>
        ${own.map(
          ({ state, dueDay, dueAt, deliveryId }) =>
            html`<div>
              ${arrivalWords[state]}
              ${deliveryId === null ? dueDay : html`<a href="/console/deliveries/${deliveryId}">${dueDay}</a>`}
              <span class="quiet">${clockIn(zone, dueAt)}</span>
            </div>`,
        )}${own.length === 0 && html`<span class="quiet">not due in these days</span>`}
      </td>
    </tr>`;
  });
  return html`<section aria-labelledby="expected">
    <h2 id="expected">Expected files</h2>
    ${
      rows.length === 0
        ? html`<p class="quiet">None is expected, so that none is missed: the setting <code>expectedFiles</code>.</p>`
        : table("expected files", ["File", "Pattern", "By", "Days", "A day back and ahead"], rows)
    }
  </section>`;
}

export function loginsSection(refused: readonly AuditEvent[], zone: string): Html {
  const text = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : "–");
  const rows = refused.map(
    ({ at, event, details }) =>
      html`<tr>
        <td class="when">${when(at, zone)}</td>
        <th scope="row">${event.startsWith("sftp.") ? "SFTP" : "HTTPS"}</th>
        <td>${text(details.address)}</td>
        <td>${text(details.reason ?? details.status)}</td>
      </tr>`,
  );
  return html`<section aria-labelledby="logins">
    <h2 id="logins">Refused logins of late</h2>
    ${rows.length === 0 ? html`<p class="quiet">None.</p>` : table("refused logins", ["When", "Door", "From", "Why"], rows)}
  </section>`;
}

/** Those that are set stand first. */
export function settingsTable(settings: readonly SettingInForce[], zone: string): Html {
  const isSet = ({ set }: SettingInForce) => set !== null;
  const rows = [...settings.filter(isSet), ...settings.filter((one) => !isSet(one))].map(
    ({ name, meaning, values, byDefault, set, changed }) =>
      html`<tr>
        <th scope="row" class="name">
          <code>${name}</code>
          <div class="quiet">${meaning}</div>
        </th>
        <td class="value">
          ${set === null ? html`<span class="quiet">default</span>` : html`<strong>${readable(name, set)}</strong>`}
        </td>
        <td class="value">${readable(name, byDefault)}</td>
        <td class="value">${values}</td>
        <td class="when">
          ${changed === null ? html`<span class="quiet">–</span>` : html`${changed.actor}<br />${when(changed.at, zone)}`}
        </td>
      </tr>`,
  );
  return html`<section class="settings" aria-labelledby="settings">
    <h2 id="settings">Settings</h2>
    <p class="quiet">They are changed by <code>tideline partner set</code>; each change is in the audit trail.</p>
    ${table("settings", ["Setting", "Set to", "Default", "Unit or choices", "Changed by"], rows)}
  </section>`;
}

/** Large numbers in groups, bytes also in a unit. */
function readable(name: string, value: string): Html {
  if (!/^\d{4,15}$/.test(value)) return html`${value}`;
  return html`${count(Number(value))}${name.endsWith("Bytes") && html` <span class="quiet">${bytes(Number(value))}</span>`}`;
}
