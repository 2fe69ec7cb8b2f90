/** *Partners*: all of them, and one with its brands, networks, keys, settings, expected files, refused logins and receiver. */
import { readExpectedAround } from "../../landing/expected/around.ts";
import { readQuotaUse } from "../../landing/quota-use.ts";
import { listSessions } from "../../landing/sftp/open-sessions.ts";
import { countNotifications, listNotifications } from "../../notifications/outbox.ts";
import { readReceiverAddress } from "../../notifications/receiver.ts";
import { replayDead } from "../../operations/notifications.ts";
import { disconnectSession } from "../../operations/sessions.ts";
import { listAuditOfPartner } from "../../partners/audit.ts";
import { listUnguarded } from "../../partners/exposure.ts";
import { listPartners, partnerExists, type PartnerLine, readPartnerOverview } from "../../partners/overview.ts";
import { readExpectedFiles } from "../../partners/settings/expected-files.ts";
import { settingsChanged, settingsInForce } from "../../partners/settings/in-force.ts";
import { isAtLeast } from "../access/accounts.ts";
import { notFound, Turned } from "../access/guard.ts";
import { actorOf, type ConsoleContext, type Handler, maySee, partnersOf, type Visit } from "../context.ts";
import { badge, count, countOf } from "../templates/figures.ts";
import { field } from "../templates/forms.ts";
import { html, type Html } from "../templates/html.ts";
import { table } from "../templates/table.ts";
import { when } from "../templates/times.ts";
import {
  brandsTable,
  expectedSection,
  keysTable,
  loginsSection,
  networksSection,
  receiverSection,
  settingsTable,
} from "./partner-sections.ts";
import { quotasSection, sessionsSection } from "./partner-traffic.ts";
import { readZones } from "./zones.ts";

const hourMs = 3_600_000;
const changesReadMax = 1000;
const refusalsShownMax = 30;
const deadShownMax = 50;
const sessionsShownMax = 100;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function partnersPage({ reading }: ConsoleContext): Handler {
  return async (visit) => {
    const [all, open] = await Promise.all([listPartners(reading, partnersOf(visit)), listUnguarded(reading)]);
    const unguarded = new Set(open);
    const { find = "" } = visit.given;
    const sought = find.toLowerCase();
    const partners = all.filter(
      ({ id, name }) => id.toLowerCase().includes(sought) || name.toLowerCase().includes(sought),
    );
    const rows = partners.map(
      (one) =>
        html`<tr>
          <th scope="row" class="id"><a href="/console/partners/${encodeURIComponent(one.id)}">${one.id}</a></th>
          <td>${one.name}</td>
          <td>
            ${one.suspended ? badge("bad", "suspended") : badge("good", "active")}
            ${unguarded.has(one.id) && badge("warn", "nothing holds callers back")}
          </td>
          <td class="number">${count(one.brands)}</td>
          <td class="number">${count(one.users)}</td>
        </tr>`,
    );
    return {
      title: "Partners",
      body: html`<div class="title">
          <h1>Partners</h1>
          ${
            isAtLeast(visit.account.role, "admin") &&
            partnersOf(visit) === null &&
            html`<a class="button" href="/console/partners/new">New partner …</a>`
          }
        </div>
        ${all.length > 0 && summaryOf(all, unguarded)}
        <p><a href="/console/endings">Which keys and certificates end when</a></p>
        ${all.length > unsearchedMax && searchOf(find)}
        ${
          rows.length === 0
            ? all.length === 0
              ? html`<p class="empty">There is none yet: <code>tideline partner add</code> makes the first.</p>`
              : html`<p class="empty" role="status">Nothing fits. <a href="/console/partners">Show all</a></p>`
            : table("partners", ["Partner", "Name", "State", { number: "Brands" }, { number: "Users" }], rows)
        }`,
    };
  };
}

/** What a screen tells without a search. */
const unsearchedMax = 20;

function summaryOf(all: readonly PartnerLine[], unguarded: ReadonlySet<string>): Html {
  const users = all.reduce((sum, one) => sum + one.users, 0);
  const suspended = all.filter((one) => one.suspended).length;
  const open = all.filter(({ id }) => unguarded.has(id)).length;
  return html`<p>
    ${countOf(all.length, "partner")} with
    ${countOf(users, "user")}${suspended > 0 && html`, ${count(suspended)} suspended`}${open > 0 && html`; at ${count(open)} nothing holds callers back: no network, certificate or signature`}.
  </p>`;
}

function searchOf(find: string): Html {
  return html`<form class="filter" role="search" aria-label="Partners" action="/console/partners">
    ${field("find", "Part of an id or a name", find, { type: "search" })}
    <div class="buttons"><button>Find</button></div>
  </form>`;
}

/** Of the address, and the account's to see. @throws Turned */
function ownPartner(visit: Visit): string {
  const { partnerId = "" } = visit.request.params as { partnerId?: string };
  return maySee(visit, partnerId) ? partnerId : notFound("partner");
}

export function partnerPage({ reading, clock }: ConsoleContext): Handler {
  return async (visit) => {
    const id = ownPartner(visit);
    const now = clock.now();
    const [
      partner,
      changes,
      refusedSftp,
      refusedHttps,
      receiver,
      notifications,
      dead,
      around,
      zones,
      unguarded,
      quotas,
      sessions,
    ] = await Promise.all([
      readPartnerOverview(reading, id),
      listAuditOfPartner(reading, id, settingsChanged, changesReadMax),
      listAuditOfPartner(reading, id, "sftp.login-refused", refusalsShownMax),
      listAuditOfPartner(reading, id, "https.refusals", refusalsShownMax),
      readReceiverAddress(reading, id),
      countNotifications(reading, id),
      listNotifications(reading, { partnerId: id, state: "dead" }, deadShownMax),
      readExpectedAround(reading, [id], {
        since: new Date(now.getTime() - 24 * hourMs),
        now,
        until: new Date(now.getTime() + 24 * hourMs),
      }),
      readZones(reading, [id]),
      listUnguarded(reading),
      readQuotaUse(reading, id),
      listSessions(reading, [id], sessionsShownMax),
    ]);
    if (partner === null) notFound("partner");
    const zone = zones.of(id);
    const refused = [...refusedSftp, ...refusedHttps.filter(isLogin)]
      .toSorted((a, b) => b.at.getTime() - a.at.getTime())
      .slice(0, refusalsShownMax);
    return {
      title: partner.name,
      body: html`<nav class="crumbs" aria-label="Where you are"><a href="/console/partners">Partners</a></nav>
        <div class="title">
          <h1>${partner.name}</h1>
          ${partner.suspendedAt === null ? badge("good", "active") : badge("bad", "suspended")}
          ${unguarded.includes(id) && badge("warn", "nothing holds callers back")}
        </div>
        ${replayedNotice(visit)} ${disconnectedNotice(visit)}
        <p>
          <code>${id}</code> · since
          ${when(partner.createdAt, zone)}${partner.suspendedAt !== null && html` · suspended ${when(partner.suspendedAt, zone)}`}
          · <a href="/console/deliveries?partner=${encodeURIComponent(id)}">Deliveries</a> ·
          <a href="/console/partners/${encodeURIComponent(id)}/onboarding">Onboarding</a>
        </p>
        ${sessionsSection(visit, id, sessions, zone)} ${brandsTable(partner)} ${keysTable(partner, now, zone)}
        <div class="columns">
          ${quotasSection(quotas)} ${networksSection(partner)}
          ${receiverSection(visit, id, { receiver, notifications })}
        </div>
        ${deadSection(dead, notifications.dead, zone)}
        ${expectedSection(readExpectedFiles(partner.settings), around, zone)} ${loginsSection(refused, zone)}
        ${settingsTable(settingsInForce(partner.settings, changes), zone)}`,
    };
  };
}

function disconnectedNotice({ given }: Visit): Html {
  if (given.disconnected === undefined) return html``;
  return given.disconnected === "1"
    ? html`<p class="notice good" role="status">The door ends the connection within seconds.</p>`
    : html`<p class="notice warn" role="status">The connection had ended already.</p>`;
}

/** The same as `tideline partner disconnect`. */
export function disconnectAction({ database }: ConsoleContext): Handler {
  return async (visit) => {
    const id = ownPartner(visit);
    const { session = "" } = visit.given;
    const done = uuidPattern.test(session) && (await disconnectSession(database, actorOf(visit), id, session));
    return { goTo: `/console/partners/${encodeURIComponent(id)}?disconnected=${done ? 1 : 0}` };
  };
}

/** Of all that the API refuses. */
function isLogin({ details }: { details: Readonly<Record<string, unknown>> }): boolean {
  return typeof details.path === "string" && details.path.endsWith("/users/logins");
}

function replayedNotice({ given }: Visit): Html {
  if (!/^\d{1,9}$/.test(given.replayed ?? "")) return html``;
  const replayed = Number(given.replayed);
  return html`<p class="notice ${replayed > 0 ? "good" : "warn"}" role="status">
    ${replayed > 0 ? `${countOf(replayed, "message is", "messages are")} sent again.` : "No message was dead any more."}
  </p>`;
}

type Dead = Awaited<ReturnType<typeof listNotifications>>;

function deadSection(dead: Dead, total: number, zone: string): Html {
  if (dead.length === 0) return html``;
  const rows = dead.map(
    (one) =>
      html`<tr>
        <th scope="row" class="print"><code>${one.id}</code></th>
        <td>${one.type}</td>
        <td>${one.lastFailure ?? "–"}</td>
        <td class="number">${count(one.attempts)}</td>
        <td class="when">${when(one.createdAt, zone)}</td>
      </tr>`,
  );
  return html`<section aria-labelledby="dead">
    <h2 id="dead">Dead letters</h2>
    ${table("dead letters", ["Message", "Type", "Failed with", { number: "Tries" }, "Written"], rows)}
    ${total > dead.length && html`<p class="quiet">The newest ${dead.length} of ${count(total)}.</p>`}
  </section>`;
}

/** The same as `tideline notifications replay --partner`. */
export function replayAction({ database }: ConsoleContext): Handler {
  return async (visit) => {
    const id = ownPartner(visit);
    if (!(await partnerExists(database, id))) throw new Turned(404, "Not found", "There is no such partner.");
    const replayed = await replayDead(database, actorOf(visit), id, null);
    return { goTo: `/console/partners/${encodeURIComponent(id)}?replayed=${replayed}` };
  };
}
