/** *Flow*: how much came and went over the last hour, day or month, how much waits, and how long callers do. */
import { type Figures, readFigures } from "../../observation/figures.ts";
import { readFlow } from "../../observation/flow/flow.ts";
import { rangeNames, steps } from "../../observation/flow/steps.ts";
import { silentAfterSeconds } from "../../observation/processes.ts";
import { Turned } from "../access/guard.ts";
import { type ConsoleContext, type Handler, partnersOf } from "../context.ts";
import { count, countOf } from "../templates/figures.ts";
import { html, type Html } from "../templates/html.ts";
import { plot } from "../templates/plot.ts";
import { duration } from "../templates/times.ts";

export function flowPage({ reading }: ConsoleContext): Handler {
  return async (visit) => {
    if (partnersOf(visit) !== null)
      throw new Turned(403, "Not for your partners", "Flow is of all partners; your account sees some of them.");
    const range = rangeNames.find((name) => name === visit.given.last) ?? "hour";
    const [flow, figures] = await Promise.all([readFlow(reading, range), readFigures(reading, silentAfterSeconds)]);
    const links = rangeNames.map(
      (name) =>
        html`<li>
          <a href="/console/flow?last=${name}" ${name === range && html` aria-current="true"`}>The last ${name}</a>
        </li>`,
    );
    const step = duration(flow.stepSeconds * 1000);
    return {
      title: "Flow",
      body: html`${headline(figures)}
        <nav class="ranges" aria-label="Time">
          <ul>
            ${links}
          </ul>
        </nav>
        <div class="plots">${flow.plots.map((one) => plot(one, flow))}</div>
        <p class="quiet">
          A point stands for ${step}; times are UTC. Of what was kept by the minute, the last ${hours(0)} are there so,
          the last ${hours(1)} by ten minutes, and the last ${hours(2)} by four hours. Each process’s own figures are at
          <code>/metrics</code>.
        </p>`,
      twin: `tideline status --flow ${range}`,
    };
  };
}

function hours(at: 0 | 1 | 2): string {
  return duration(steps[at].keptSeconds * 1000);
}

function headline({ stagingDepth, oldestWaitingSeconds, changedUsers }: Figures): Html {
  const waiting =
    stagingDepth === 0
      ? "Nothing waits to be loaded"
      : `${countOf(stagingDepth, "delivery is", "deliveries are")} not loaded yet`;
  const age =
    oldestWaitingSeconds < 1
      ? ""
      : ` The oldest that nobody has begun has waited ${duration(oldestWaitingSeconds * 1000)}.`;
  const users =
    changedUsers === 0 ? "Every user’s figures are up to date." : `${count(changedUsers)} users are to be recognised.`;
  return html`<header class="headline ${oldestWaitingSeconds > 900 ? "warn" : "good"}">
    <h1>${waiting}</h1>
    <p>${users}${age}</p>
  </header>`;
}
