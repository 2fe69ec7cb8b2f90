/** A new partner as a guided form, what it is handed then, and its first file as it comes. */
import { zipSync } from "fflate";
import { everyDelivery, searchDeliveries } from "../../deliveries/search.ts";
import { loginAlgorithms, onboardPartner, type Plan, type PlanField, planFields } from "../../operations/onboarding.ts";
import { recordAudit, listAuditOfPartner } from "../../partners/audit.ts";
import { handoverFiles } from "../../partners/handover.ts";
import { readPartnerOverview } from "../../partners/overview.ts";
import { notFound, Turned } from "../access/guard.ts";
import { actorOf, type ConsoleContext, type Handler, maySee, partnersOf, type Visit } from "../context.ts";
import { badge, count, stateBadge } from "../templates/figures.ts";
import { actionButton, field, hiddenField, select } from "../templates/forms.ts";
import { html, type Html } from "../templates/html.ts";
import { table } from "../templates/table.ts";
import { when } from "../templates/times.ts";
import { keysTable, networksSection } from "./partner-sections.ts";

const firstFilesShown = 5;
const refusalsShown = 5;

const blank: Plan = {
  id: "",
  name: "",
  brand: "",
  country: "DK",
  currency: "DKK",
  timeZone: "Europe/Copenhagen",
  locale: "da-DK",
  loginKey: "",
  algorithm: "RS256",
  loginKeyExpires: "",
  sftpKey: "",
  sftpKeyExpires: "",
  httpsNetworks: "",
  sftpNetworks: "",
  openPgp: "",
  fileName: "",
  pattern: "",
  cutoff: "06:00",
  days: "daily",
};

/** Whoever sees some partners alone could not see the new one. @throws Turned */
function ofAll(visit: Visit): void {
  if (partnersOf(visit) !== null)
    throw new Turned(403, "Not for your partners", "A new partner is made by who sees all; your account sees some.");
}

export function newPartnerPage(): Handler {
  return async (visit) => {
    ofAll(visit);
    return { title: "New partner", body: form(visit, blank, null) };
  };
}

export function newPartnerAction({ database, ring, clock }: ConsoleContext): Handler {
  return async (visit) => {
    ofAll(visit);
    const plan = Object.fromEntries(planFields.map((name) => [name, visit.given[name] ?? ""])) as Plan;
    const done = await onboardPartner(database, await ring(), actorOf(visit), { plan, now: clock.now() });
    if (done.outcome === "declined")
      return { title: "New partner", status: 422, body: form(visit, plan, { field: done.field, why: done.why }) };
    return { goTo: `/console/partners/${encodeURIComponent(plan.id)}/onboarding` };
  };
}

type Problem = { field: PlanField; why: string };

const labels: Readonly<Record<PlanField, string>> = {
  id: "Id",
  name: "Name",
  brand: "Brand",
  country: "Country",
  currency: "Currency",
  timeZone: "Time zone",
  locale: "Locale",
  loginKey: "Public login key",
  algorithm: "Algorithm",
  loginKeyExpires: "Good until",
  sftpKey: "Public SFTP key",
  sftpKeyExpires: "Good until",
  httpsNetworks: "HTTPS from",
  sftpNetworks: "SFTP from",
  openPgp: "OpenPGP files",
  fileName: "What you call it",
  pattern: "Pattern below inbox/",
  cutoff: "By",
  days: "On",
};

function form(visit: Visit, plan: Plan, problem: Problem | null): Html {
  const text = (name: PlanField, options: Parameters<typeof field>[3] = {}) =>
    field(name, labels[name], plan[name], options);
  const long = (name: PlanField, hint: string) =>
    html`<div class="field wide">
      <label for="f-${name}">${labels[name]}</label
      ><textarea
        id="f-${name}"
        name="${name}"
        rows="4"
        spellcheck="false"
        autocomplete="off"
        aria-describedby="h-${name}"
      >
${plan[name]}</textarea
      ><small id="h-${name}">${hint}</small>
    </div>`;
  const days = [
    ["daily", "every day"],
    ["weekdays", "Monday to Friday"],
    ["banking-days", "banking days of the country"],
  ] as const;
  return html`<nav class="crumbs" aria-label="Where you are"><a href="/console/partners">Partners</a></nav>
    <h1>New partner</h1>
    ${problem !== null && html`<p class="notice bad" role="alert"><a href="#f-${problem.field}">${labels[problem.field]}</a>: ${problem.why} Nothing was made.</p>`}
    <form class="onboarding" method="post" action="/console/partners/new">
      ${hiddenField("form", visit.formToken)}
      <fieldset>
        <legend>1. The bank</legend>
        ${text("id", { required: true, hint: "Stands in its addresses, and is its SFTP user." })}
        ${text("name", { required: true })}
      </fieldset>
      <fieldset>
        <legend>2. Its first brand</legend>
        ${text("brand", { required: true, hint: "Whose customers they are; more by tideline partner brand add." })}
        ${text("country", { required: true })} ${text("currency", { required: true })}
        ${text("timeZone", { required: true })} ${text("locale", { required: true })}
      </fieldset>
      <fieldset>
        <legend>3. Its keys</legend>
        ${long("loginKey", "PEM, an X.509 certificate or a JSON Web Key; for logins over HTTPS. Never a private one.")}
        ${select(
          "algorithm",
          labels.algorithm,
          plan.algorithm,
          loginAlgorithms.map((one) => [one, one] as const),
        )}
        ${text("loginKeyExpires", { type: "date", hint: "Empty: until it is taken away." })}
        ${long("sftpKey", "One line, as in sftp_key.pub.")} ${text("sftpKeyExpires", { type: "date" })}
      </fieldset>
      <fieldset>
        <legend>4. From where</legend>
        ${long("httpsNetworks", "Addresses and networks, one a line. Empty: HTTPS answers it on this machine only.")}
        ${long("sftpNetworks", "Empty: from everywhere.")}
      </fieldset>
      <fieldset>
        <legend>5. What it sends</legend>
        <p class="quiet">Batches in JSON (JWE) come from every partner.</p>
        <div class="field check">
          <input
            id="f-openPgp"
            name="openPgp"
            type="checkbox"
            value="yes"
            ${plan.openPgp !== "" && html`checked`}
          /><label for="f-openPgp">Also OpenPGP files: tables (CSV) and statements (camt), with a key of ours</label>
        </div>
        ${text("fileName", { hint: "Such as nightly." })}
        ${text("pattern", { hint: "tx-{YYYY}{MM}{DD}.jwe; empty: no file is expected." })}
        ${text("cutoff", { hint: "HH:MM in the brand’s zone." })} ${select("days", labels.days, plan.days, days)}
      </fieldset>
      <div class="actions"><button>Make the partner</button></div>
    </form>
    <p class="quiet">
      The same as <code>tideline partner add</code> and what follows it. All of it is made, or nothing.
    </p>`;
}

/** Of the address, and the account's to see. @throws Turned */
function ownPartner(visit: Visit): string {
  const { partnerId = "" } = visit.request.params as { partnerId?: string };
  return maySee(visit, partnerId) ? partnerId : notFound("partner");
}

/** What is still to do, until the first file is loaded whole. */
export function onboardingPage({ reading, clock }: ConsoleContext): Handler {
  return async (visit) => {
    const id = ownPartner(visit);
    const [partner, deliveries, refused] = await Promise.all([
      readPartnerOverview(reading, id),
      searchDeliveries(reading, { ...everyDelivery, partnerId: id }, firstFilesShown),
      listAuditOfPartner(reading, id, "sftp.login-refused", refusalsShown),
    ]);
    if (partner === null) notFound("partner");
    const zone = partner.brands[0]?.timeZone ?? "UTC";
    const at = `/console/partners/${encodeURIComponent(id)}`;
    const isIn = deliveries.some(({ state }) => state === "loaded");
    const rows = deliveries.map(
      (one) =>
        html`<tr>
          <td>${stateBadge(one)}</td>
          <th scope="row" class="name">
            <a href="/console/deliveries/${one.id}">${one.name ?? one.requestId ?? one.id}</a>
          </th>
          <td class="when">${when(one.acceptedAt, zone)}</td>
          <td class="number">${count(one.records)}</td>
          <td class="number">${count(one.recordsRefused)}</td>
        </tr>`,
    );
    return {
      title: `Onboarding ${partner.name}`,
      live: true,
      body: html`<nav class="crumbs" aria-label="Where you are">
          <a href="/console/partners">Partners</a> › <a href="${at}">${partner.name}</a>
        </nav>
        <header class="headline ${isIn ? "good" : "warn"}">
          <h1>
            ${isIn ? "The first file is in" : deliveries.length > 0 ? "A file has come" : "Waiting for the first file"}
          </h1>
          <p>${partner.name}, <code>${id}</code></p>
        </header>
        <section aria-labelledby="handover">
          <h2 id="handover">Hand this over</h2>
          <p>
            Addresses, our certificate’s authority, the key to encrypt to and the host keys: all of it public. The bank
            adds its own private keys.
          </p>
          <div class="actions">${actionButton(`${at}/handover`, visit.formToken, "Download the handover")}</div>
        </section>
        <section aria-labelledby="first">
          <h2 id="first">The first file</h2>
          ${
            rows.length === 0
              ? html`<p class="empty" role="status">
                  Nothing has come yet. The bank puts a file into <code>inbox/</code>, or pushes a batch; it shows here
                  by itself.
                </p>`
              : table("first files", ["State", "File", "Came", { number: "Records" }, { number: "Refused" }], rows)
          }
          ${
            refused.length > 0 &&
            html`<p class="notice warn">
              ${badge("warn", "refused logins")} The last one ${when(refused[0]?.at ?? null, zone)}:
              ${String(refused[0]?.details.reason ?? "")} ${String(refused[0]?.details.address ?? "")}
            </p>`
          }
        </section>
        ${keysTable(partner, clock.now(), zone)} ${networksSection(partner)}`,
    };
  };
}

/** The same files as `tideline partner credentials` writes. */
export function handoverAction({ database, handover }: ConsoleContext): Handler {
  return async (visit) => {
    const id = ownPartner(visit);
    const found = await handover(id);
    if (found === null) notFound("partner");
    if (found.kind === "refused")
      throw new Turned(
        409,
        "Not handed over",
        `Clients that trust the authority that is known here would refuse the door at ${found.baseUrl} (${found.reason}). ` +
          "Where it lies elsewhere, tideline partner credentials takes it with --authority-file.",
      );
    const files = handoverFiles(found.handover);
    await recordAudit(database, actorOf(visit), {
      partnerId: id,
      event: "partner.handover-downloaded",
      details: { files: files.map(([name]) => name) },
    });
    const bytes = zipSync(Object.fromEntries(files.map(([name, text]) => [`${id}/${name}`, Buffer.from(text)])));
    void visit.reply
      .header("content-disposition", `attachment; filename="${id.replaceAll(/[^\w-]/g, "_")}-handover.zip"`)
      .type("application/zip")
      .send(Buffer.from(bytes));
    return null;
  };
}
