/** Signing in by console token, out, and out everywhere. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { recordAudit } from "../../partners/audit.ts";
import type { ConsoleContext, Handler, Scope, Visit } from "../context.ts";
import { actorOf } from "../context.ts";
import { html, type Html } from "../templates/html.ts";
import { hiddenField } from "../templates/forms.ts";
import { sendPage } from "../templates/layout.ts";
import { findByToken, noteUse } from "./accounts.ts";
import { firstTexts, originOf, ownAddress, ownForm } from "./guard.ts";
import {
  clearedCookie,
  cookieIn,
  endSession,
  endSessionsOf,
  findIdToken,
  findSession,
  formToken,
  makeCookie,
  openSession,
  removeOldSessions,
  setCookie,
} from "./sessions.ts";

/** Of one address: nobody guesses a token, and no trail is filled by trying. */
const triesPerMinute = 20;

export function signInRoutes(scope: Scope, context: ConsoleContext): void {
  const { database, sessionLife } = context;
  scope.get("/console/sign-in", async (request, reply) => {
    const cookie = cookieIn(request.headers.cookie);
    const to = ownAddress(firstTexts(request.query).to);
    if (cookie !== null && (await findSession(database, cookie, sessionLife)) !== null)
      return await reply.redirect(to, 303);
    return showForm(context, request, reply, { to, problem: null });
  });
  scope.post(
    "/console/sign-in",
    { config: { rateLimit: { max: triesPerMinute, timeWindow: 60_000 } } },
    async (request, reply) => {
      const given = firstTexts(request.body);
      const to = ownAddress(given.to);
      const cookie = cookieIn(request.headers.cookie);
      ownForm(cookie, given);
      const account = await findByToken(database, given.token ?? "");
      if (account === null) {
        await trace(context, "console:nobody", "console.sign-in-refused", { address: request.ip });
        return showForm(context, request, reply, { to, problem: "No account has this token." });
      }
      await signIn(context, reply, account, { address: request.ip, by: "token", before: cookie });
      return await reply.redirect(to, 303);
    },
  );
}

/**
 * Writes the trail, and gives the browser its new cookie.
 * @param before the cookie that it came with: whoever is signed in there gives way
 */
export async function signIn(
  context: ConsoleContext,
  reply: FastifyReply,
  account: { id: string; name: string },
  { idToken, before, ...how }: { address: string; by: "token" | "oidc"; idToken?: string; before: string | null },
): Promise<void> {
  const { database, sessionLife } = context;
  await removeOldSessions(database, sessionLife);
  if (before !== null) await endSession(database, before);
  const cookie = await openSession(database, account.id, { address: how.address, ...(idToken && { idToken }) });
  await noteUse(database, account.id);
  await trace(context, `console:${account.name}`, "console.signed-in", how);
  reply.header("set-cookie", setCookie(cookie));
}

export function signOut(context: ConsoleContext): Handler {
  return async (visit) => {
    const idToken = await findIdToken(context.database, visit.cookie);
    await endSession(context.database, visit.cookie);
    await trace(context, actorOf(visit), "console.signed-out", { everywhere: false });
    forget(visit);
    if (idToken === null) return { goTo: "/console/sign-in" };
    return await tellSignedOut(context, visit, await endedAtProvider(context, visit, idToken));
  };
}

/** Every session of the account, and the one at the provider where it began there. */
export function signOutEverywhere(context: ConsoleContext): Handler {
  return async (visit) => {
    const idToken = await findIdToken(context.database, visit.cookie);
    const sessions = await endSessionsOf(context.database, visit.account.id);
    await trace(context, actorOf(visit), "console.signed-out", { everywhere: true, sessions });
    forget(visit);
    if (idToken === null) return { goTo: "/console/sign-in" };
    const address = await endedAtProvider(context, visit, idToken);
    // No redirect: what a form leads to must be the console's own.
    if (address !== null) visit.reply.header("refresh", `0; url=${address}`);
    return await tellSignedOut(context, visit, address);
  };
}

async function endedAtProvider(context: ConsoleContext, visit: Visit, idToken: string): Promise<string | null> {
  const backTo = `${originOf(visit.request, context)}/console/sign-in`;
  return (await context.provider?.endSession(idToken, backTo)) ?? null;
}

/** Whoever is still signed in at the provider would be let in again by one click. */
async function tellSignedOut({ provider, clock }: ConsoleContext, visit: Visit, address: string | null): Promise<null> {
  await sendPage(visit.reply, {
    title: "Signed out",
    body: html`<div class="sign-in">
      <h1>You are signed out</h1>
      ${
        address === null
          ? html`<p>At the identity provider you may still be signed in.</p>`
          : html`<p>At ${provider?.name} you are still signed in.</p>
              <p><a class="button" href="${address}">Sign out there too</a></p>`
      }
      <p><a href="/console/sign-in">Sign in again</a></p>
    </div>`,
    account: null,
    formToken: null,
    path: visit.request.url,
    now: clock.now(),
  });
  return null;
}

/** What this browser holds of the console, pages to which "back" would lead included. */
function forget({ reply }: Visit): void {
  reply.headers({ "set-cookie": clearedCookie, "clear-site-data": '"cache", "storage"' });
}

async function trace({ database }: ConsoleContext, actor: string, event: string, details: object): Promise<void> {
  await recordAudit(database, actor, { partnerId: null, event, details: { ...details } });
}

/** The form's token is of a cookie that says nothing yet, so that nobody is signed in by another's form. */
function showForm(
  context: ConsoleContext,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: { to: string; problem: string | null },
): FastifyReply {
  const cookie = cookieIn(request.headers.cookie) ?? makeCookie();
  reply.header("set-cookie", setCookie(cookie));
  return sendPage(reply, {
    title: "Sign in",
    status: shown.problem === null ? 200 : 403,
    body: formOf(formToken(cookie), shown, context.provider),
    account: null,
    formToken: null,
    path: request.url,
    now: context.clock.now(),
  });
}

function formOf(
  form: string,
  { to, problem }: { to: string; problem: string | null },
  provider: ConsoleContext["provider"],
): Html {
  return html`<div class="sign-in">
    <h1>Sign in</h1>
    ${problem !== null && html`<p class="notice bad" role="alert">${problem}</p>`}
    ${
      provider !== null &&
      html`<p>
          <a class="button wide" href="/console/sign-in/provider?to=${encodeURIComponent(to)}"
            >Sign in with ${provider.name}</a
          >
        </p>
        <p class="or"><span>or</span></p>`
    }
    <form method="post" action="/console/sign-in">
      ${hiddenField("form", form)}${hiddenField("to", to)}
      <label for="token">Console token</label>
      <input
        id="token"
        name="token"
        type="password"
        autocomplete="current-password"
        required
        ${provider === null && html`autofocus`}
        spellcheck="false"
      />
      <button>Sign in</button>
    </form>
    <p class="quiet">
      The first start wrote one into the file <code>console-token</code> of the data folder;
      <code>tideline console token add</code> gives each person their own.
    </p>
  </div>`;
}
