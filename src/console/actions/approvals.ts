/** Asking for a second operator's word, giving it, and what needs it: the same as `tideline approvals`. */
import {
  askApproval,
  decide,
  findApproval,
  guard,
  guardableActions,
  lacksApproval,
  type Verdict,
} from "../../operations/approvals.ts";
import { carryOut } from "../../operations/carry-out.ts";
import { rotateSigning } from "../../operations/keys.ts";
import { notFound, Turned } from "../access/guard.ts";
import { actorOf, type ConsoleContext, type Handler, maySee, partnersOf, type Visit } from "../context.ts";
import { mayDecide, wantedOf } from "../pages/approval-requests.ts";
import { html } from "../templates/html.ts";

export function askAction(context: ConsoleContext): Handler {
  return async (visit) => {
    const wanted = await wantedOf(context, visit);
    const { action, subject } = wanted;
    if (action !== "unguard" && !(await lacksApproval(context.database, action, subject, null)))
      throw new Turned(409, "Not needed", "One operator is enough for it now: go back and do it.");
    const asked = await askApproval(context.database, actorOf(visit), { ...wanted, reason: visit.given.reason ?? "" });
    if (asked.outcome === "declined") throw new Turned(409, "Not asked", asked.why);
    return { goTo: "/console/approvals?asked=1" };
  };
}

export function decideAction(context: ConsoleContext, verdict: Verdict): Handler {
  const { database, ring, enqueue } = context;
  return async (visit) => {
    const { id = "" } = visit.request.params as { id?: string };
    const found = await findApproval(database, id);
    if (found === null || !(partnersOf(visit) === null || maySee(visit, found.partnerId))) notFound("request");
    if (!mayDecide(visit, found))
      throw new Turned(403, "Not with your role", "Who decides needs the role that doing it needs.");
    const actor = actorOf(visit);
    const decided = await decide(database, actor, { id, verdict });
    if (decided.outcome === "declined") throw new Turned(409, "Not decided", decided.why);
    if (verdict !== "confirm") return { goTo: "/console/approvals" };
    const { outcome, sentence } = await carryOut({ database, actor, ring, enqueue }, decided.approval);
    return {
      title: "Confirmed",
      body: html`<nav class="crumbs" aria-label="Where you are"><a href="/console/approvals">Approvals</a></nav>
        <header class="headline ${outcome === "failed" ? "bad" : "good"}">
          <h1>
            ${outcome === "failed" ? "Confirmed, and it could not be done" : outcome === "left" ? "Confirmed" : "Confirmed and done"}
          </h1>
          <p role="status">${sentence}</p>
        </header>`,
    };
  };
}

/** @throws Turned where the account sees some partners alone */
function ofAll(visit: Visit): void {
  if (partnersOf(visit) !== null)
    throw new Turned(403, "Not for your partners", "It is about the whole service; your account sees some partners.");
}

export function guardAction({ database }: ConsoleContext): Handler {
  return async (visit) => {
    ofAll(visit);
    const action = guardableActions.find((one) => one === visit.given.about) ?? notFound("action");
    await guard(database, actorOf(visit), action);
    return { goTo: "/console/approvals" };
  };
}

/** The same as `tideline keys rotate-tokens` and `rotate-receipts`. */
export function rotateAction({ database, ring }: ConsoleContext): Handler {
  return async (visit) => {
    ofAll(visit);
    const keys = (["tokens", "receipts"] as const).find((one) => one === visit.given.about) ?? notFound("key");
    const done = await rotateSigning(database, await ring(), actorOf(visit), { keys });
    if (done.outcome === "guarded") return { goTo: `/console/approvals/new?action=rotate-keys&about=${keys}` };
    return {
      title: "Rotated",
      body: html`<nav class="crumbs" aria-label="Where you are"><a href="/console/approvals">Approvals</a></nav>
        <header class="headline good">
          <h1>The next key signs</h1>
          <p role="status"><code>${done.kid}</code> signs ${keys} within a minute.</p>
        </header>`,
    };
  };
}
