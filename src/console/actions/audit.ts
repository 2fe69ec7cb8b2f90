/** Holds the audit trail against its chain: the same as `tideline audit verify`. */
import { parseAnchor, type Verification } from "../../partners/audit-chain.ts";
import { countAuditAtMost, recordAudit } from "../../partners/audit.ts";
import { Turned } from "../access/guard.ts";
import { actorOf, type ConsoleContext, type Handler, partnersOf } from "../context.ts";
import { badge, count, countOf } from "../templates/figures.ts";
import { html, type Html } from "../templates/html.ts";

/** Its numbers are kept in memory while it runs; a longer trail is the command's, which takes none of the service's. */
const eventsMax = 2_000_000;

export function verifyTrail(context: ConsoleContext): Handler {
  const { reading, database, verifyTrail: verify } = context;
  let isRunning = false;
  return async (visit) => {
    if (partnersOf(visit) !== null)
      throw new Turned(403, "Not for your partners", "The chain is of all partners; your account sees some of them.");
    const { anchor: text = "" } = visit.given;
    const anchor = text === "" ? null : parseAnchor(text);
    if (text !== "" && anchor === null)
      throw new Turned(400, "No anchor", 'An anchor is a line such as {"number":7,"digest":"…"}.');
    if ((await countAuditAtMost(reading)) > eventsMax)
      throw new Turned(409, "Too long for a page", "The trail is long: run tideline audit verify.");
    if (isRunning) throw new Turned(409, "It is being verified", "Somebody has begun it already. Wait for a moment.");
    isRunning = true;
    const found = await verify(anchor).finally(() => (isRunning = false));
    const { batches, events, removed, faults } = found;
    const details = { batches, events, removed, faults: faults.length, anchor: anchor?.number ?? null };
    await recordAudit(database, actorOf(visit), { partnerId: null, event: "audit.verified", details });
    return { title: "The trail, verified", body: bodyOf(found) };
  };
}

function bodyOf({ batches, events, removed, faults }: Verification): Html {
  const isWhole = faults.length === 0;
  return html`<nav class="crumbs" aria-label="Where you are"><a href="/console/audit">Audit</a></nav>
    <header class="headline ${isWhole ? "good" : "bad"}">
      <h1>${isWhole ? "The trail is as it was written" : `The trail has ${countOf(faults.length, "fault")}`}</h1>
      <p>
        ${countOf(events, "event")} in ${countOf(batches, "batch", "batches")}, ${count(removed)} of them removed by
        rule. What was written in the last minutes is chained in a moment.
      </p>
    </header>
    ${
      !isWhole &&
      html`<section aria-labelledby="faults">
        <h2 id="faults">What is wrong</h2>
        <ul class="needs">
          ${faults.map((fault) => html`<li>${badge("bad", "fault")}<span>${fault}</span></li>`)}
        </ul>
      </section>`
    }`;
}
