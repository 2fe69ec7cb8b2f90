/** *Population*: what is recognised of all users together, how sure it is by their own answers, and what they miss. */
import { sharing } from "../../observation/figures.ts";
import {
  type AnsweredTenth,
  type FalseAlarm,
  type FrequencyCount,
  type Population,
  readPopulation,
} from "../../recognition/population.ts";
import { type ReviewedPayee, reviewSubmissions } from "../../recognition/review.ts";
import { type ConsoleContext, type Handler, partnersOf } from "../context.ts";
import { count, countOf } from "../templates/figures.ts";
import { html, type Html } from "../templates/html.ts";
import { table } from "../templates/table.ts";
import { when } from "../templates/times.ts";

const alarmsShownMax = 50;
const payeesShownMax = 50;
/** Every service is counted for it: whoever loads the page again soon sees the same counts. */
const keptMs = 60_000;
const scopesKeptMax = 100;
/** With fewer answers chance alone moves the share. */
const answersMin = 50;

export function populationPage({ reading }: ConsoleContext): Handler {
  const kept = new Map<string, () => Promise<Population>>();
  return async (visit) => {
    const partnerIds = partnersOf(visit);
    const scope = JSON.stringify(partnerIds);
    if (kept.size >= scopesKeptMax) kept.clear();
    const read = kept.get(scope) ?? sharing(() => readPopulation(reading, partnerIds, alarmsShownMax), keptMs);
    kept.set(scope, read);
    // What failed is not kept.
    const population = await read().catch((error: unknown) => {
      kept.delete(scope);
      throw error;
    });
    const payees = partnerIds === null ? await reviewSubmissions(reading, payeesShownMax) : null;
    const services = population.services.reduce((sum, one) => sum + one.active + one.others, 0);
    return {
      title: "Population",
      body: html`<nav class="crumbs" aria-label="Where you are"><a href="/console/users">Users</a></nav>
        <h1>${countOf(services, "service")} recognised</h1>
        <p class="quiet">
          ${partnerIds === null ? "Of all partners" : `Of ${partnerIds.join(", ")}`}, counted within the last minute;
          the same as
          <code>tideline crowdsourcing --population</code>.
        </p>
        ${frequencySection(population.services)} ${answersSection(population.answers)}
        ${alarmsSection(population.falseAlarms)} ${payees !== null && payeesSection(payees)}`,
    };
  };
}

function frequencySection(services: readonly FrequencyCount[]): Html {
  const most = Math.max(1, ...services.map((one) => one.active + one.others));
  const rows = services.map((one) => {
    const share = (value: number) => ((value / most) * 100).toFixed(1);
    return html`<tr>
      <th scope="row">${one.paymentFrequency.toLowerCase().replaceAll("_", " ")}</th>
      <td class="number">${count(one.active)}</td>
      <td class="number">${count(one.others)}</td>
      <td class="number">${count(one.users)}</td>
      <td class="line">
        <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect class="loaded" width="${share(one.active)}" height="4" />
          <rect class="known" x="${share(one.active)}" width="${share(one.others)}" height="4" />
        </svg>
      </td>
    </tr>`;
  });
  return html`<section aria-labelledby="frequencies">
    <h2 id="frequencies">By frequency</h2>
    ${
      rows.length === 0
        ? html`<p class="empty">Nothing is recognised yet.</p>`
        : table(
            "services by frequency",
            ["Frequency", { number: "Active" }, { number: "Ended or ending" }, { number: "Users" }, "Share"],
            rows,
          )
    }
  </section>`;
}

function answersSection(answers: readonly AnsweredTenth[]): Html {
  const rows = answers.map(({ from, stated, shown, hidden }) => {
    const all = shown + hidden;
    const share = shown / all;
    return html`<tr>
      <th scope="row">${Math.round(from * 100)}–${Math.round(from * 100) + 10} %</th>
      <td class="number">${count(all)}</td>
      <td class="number">${Math.round(stated * 100)} %</td>
      <td class="number">
        ${Math.round(share * 100)} %${all < answersMin && html` <span class="quiet">few answers</span>`}
      </td>
      <td class="line">
        <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect class="loaded" width="${(share * 100).toFixed(1)}" height="4" />
          <rect class="partly" x="${(share * 100).toFixed(1)}" width="${((1 - share) * 100).toFixed(1)}" height="4" />
        </svg>
      </td>
    </tr>`;
  });
  return html`<section aria-labelledby="answers">
    <h2 id="answers">How sure it was, and what users answered</h2>
    ${
      rows.length === 0
        ? html`<p class="quiet">No user has answered yet.</p>`
        : html`${table(
              "answers by confidence",
              ["Stated to be sure", { number: "Answers" }, { number: "Stated" }, { number: "Kept" }, "Kept and hidden"],
              rows,
            )}
            <p class="quiet">
              Users answer mostly where they are asked, and hide what is right but unwanted too: the shares tell of the
              trend, not of the truth.
            </p>`
    }
  </section>`;
}

function alarmsSection(alarms: readonly FalseAlarm[]): Html {
  const rows = alarms.map(
    (one) =>
      html`<tr>
        <td class="when">${when(one.decidedAt, undefined)}</td>
        <td>${one.partnerId}</td>
        <th scope="row"><a href="/console/users/${one.subject}">${one.bankUserId}</a></th>
        <td>${one.paymentFrequency.toLowerCase().replaceAll("_", " ")}</td>
        <td class="number">${Math.round(one.confidence * 100)} %</td>
        <td class="print"><code>${one.serviceId}</code></td>
      </tr>`,
  );
  return html`<section aria-labelledby="alarms">
    <h2 id="alarms">Newest candidates for false alarms</h2>
    ${
      rows.length === 0
        ? html`<p class="quiet">No user has hidden a service.</p>`
        : html`${table(
              "services that users have hidden",
              ["Hidden", "Partner", "User", "Frequency", { number: "Sure" }, "Service"],
              rows,
            )}
            <p class="quiet">What a service is called and costs is on the user’s page, masked until it is shown.</p>`
    }
  </section>`;
}

/** Payees that may be persons are counted together and not named: recognition/review.ts. */
export function payeesSection(payees: readonly ReviewedPayee[]): Html {
  const rows = payees.map(
    (one) =>
      html`<tr>
        <th scope="row" class="name">${one.payeeKey ?? html`<span class="quiet">not named</span>`}</th>
        <td class="number">${count(one.users)}</td>
        <td class="number">${count(one.success)}</td>
        <td class="number">${count(one.notSubscription)}</td>
        <td class="number">${count(one.technicalLimitation)}</td>
        <td>
          ${Object.entries(one.frequencies)
            .map(([frequency, times]) => `${frequency.toLowerCase().replaceAll("_", " ")} ${count(times)}`)
            .join(", ")}
        </td>
      </tr>`,
  );
  return html`<section aria-labelledby="payees">
    <h2 id="payees">Payees that users call subscriptions</h2>
    ${
      rows.length === 0
        ? html`<p class="quiet">Nothing was submitted.</p>`
        : table(
            "payees that users call subscriptions",
            [
              "Payee",
              { number: "Users" },
              { number: "Became a service" },
              { number: "Judged none" },
              { number: "Could not be" },
              "Frequencies given",
            ],
            rows,
          )
    }
  </section>`;
}
