/** Who may ask for what: from which page a form comes, who is signed in, and what the role allows. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { isDatabaseAway } from "../../database/database.ts";
import { isSqlState } from "../../database/sql-states.ts";
import { Fault } from "../../errors.ts";
import type { ConsoleContext, Handler, Route, Scope, Visit } from "../context.ts";
import { type Account, type ConsoleRole, isAtLeast } from "./accounts.ts";
import { cookieIn, findSession, formToken, isFormToken, noteSeen } from "./sessions.ts";
import { changedOf } from "../changed.ts";
import { twins } from "../twins.ts";
import { sendPage } from "../templates/layout.ts";
import { html } from "../templates/html.ts";

/** Why a request is answered with a page that says so. */
export class Turned extends Error {
  readonly status: number;
  readonly title: string;

  constructor(status: number, title: string, message: string) {
    super(message);
    this.status = status;
    this.title = title;
  }
}

export function notFound(what: string): never {
  throw new Turned(404, "Not found", `There is no such ${what}, or it is not yours to see.`);
}

/** By a script of ours, for a live part, with the marks of what it has: no sign of somebody who sits there. */
const liveHeader = "x-console-live";
/** What scripts say that an upgrade of the service left in browsers: they take the whole page. */
const wholePage = "1";

/** Of the console, as this browser has it. */
export function originOf(request: FastifyRequest, { publicUrl }: Pick<ConsoleContext, "publicUrl">): string {
  return publicUrl === null ? `https://${request.headers.host ?? ""}` : new URL(publicUrl).origin;
}

/**
 * What changes something comes from a page of this console: browsers say from where (Origin, Fetch Metadata), and a
 * request that does not say it is no browser's form. @throws Turned
 */
export function ownOrigin(request: FastifyRequest, context: ConsoleContext): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const own = originOf(request, context);
  const site = request.headers["sec-fetch-site"];
  if (request.headers.origin === own && (site === undefined || site === "same-origin")) return;
  throw new Turned(403, "Refused", "The form did not come from a page of this console. Nothing was changed.");
}

/** The form's token belongs to the browser's cookie. @throws Turned */
export function ownForm(cookie: string | null, given: Readonly<Record<string, string>>): void {
  if (cookie !== null && isFormToken(cookie, given.form ?? "")) return;
  throw new Turned(403, "The form is too old", "Go back, load the page again and send it once more.");
}

const signedIn = new WeakMap<FastifyRequest, { account: Account; cookie: string }>();

/** Routes added to the scope afterwards are asked by whoever is signed in, and by nobody else. */
export function signedInScope(scope: Scope, { database, sessionLife, places }: ConsoleContext): void {
  scope.addHook("onRequest", async (request, reply) => {
    const cookie = cookieIn(request.headers.cookie);
    const found = cookie === null ? null : await findSession(database, cookie, sessionLife);
    if (cookie === null || found === null) return await askToSignIn(request, reply);
    signedIn.set(request, { account: found.account, cookie });
    places.keep(request.raw.socket);
    if (found.isSeenDue && request.headers[liveHeader] === undefined) await noteSeen(database, cookie, sessionLife);
  });
}

async function askToSignIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (request.headers[liveHeader] !== undefined) return await reply.code(401).send();
  if (request.method !== "GET")
    throw new Turned(403, "Signed out", "The session is over, and nothing was changed. Sign in and do it again.");
  return await reply.redirect(`/console/sign-in?to=${encodeURIComponent(request.url)}`, 303);
}

/** Below /console, with nothing by which a browser would go elsewhere. */
export function ownAddress(to: string | undefined): string {
  return to !== undefined && /^\/console(?:[/?][\w\-./?=&%+:@,~*]*)?$/.test(to) && !to.includes("//") ? to : "/console";
}

/** Adds a page: GET. */
export function page(scope: Scope, context: ConsoleContext, url: string, route: Route): void {
  scope.get(url, async (request, reply) =>
    answer(context, route.handle, visitOf(request, reply, route.needs, firstTexts(request.query))),
  );
}

/** Adds an action: POST, with the form's token. */
export function action(scope: Scope, context: ConsoleContext, url: string, route: Route): void {
  scope.post(url, async (request, reply) => {
    const visit = visitOf(request, reply, route.needs, firstTexts(request.body, formTextLengthMax));
    ownForm(visit.cookie, visit.given);
    try {
      return await answer(context, route.handle, visit);
    } finally {
      context.shared.renew();
    }
  });
}

async function answer(context: ConsoleContext, handle: Handler, visit: Visit): Promise<FastifyReply> {
  const done = await handle(visit);
  if (done === null) return visit.reply;
  if ("goTo" in done) return await visit.reply.redirect(done.goTo, 303);
  const has = visit.request.headers[liveHeader];
  if (done.live === true && typeof has === "string" && has !== wholePage)
    return await visit.reply.send(changedOf(done.body, has, context.clock.now()));
  return sendPage(visit.reply, {
    ...done,
    account: visit.account,
    formToken: visit.formToken,
    path: visit.request.url,
    twin: done.twin ?? twins[visit.request.routeOptions.url ?? ""],
    now: context.clock.now(),
  });
}

/** @throws Turned where the role does not allow it */
function visitOf(request: FastifyRequest, reply: FastifyReply, needs: ConsoleRole, given: Visit["given"]): Visit {
  const found = signedIn.get(request);
  if (!found) throw new Turned(403, "Refused", "Nobody is signed in.");
  if (!isAtLeast(found.account.role, needs))
    throw new Turned(403, "Not with your role", `This needs the role ${needs}; yours is ${found.account.role}.`);
  const isTold = request.headers[liveHeader] !== undefined;
  return { request, reply, ...found, formToken: formToken(found.cookie), given, isTold };
}

const givenLengthMax = 500;
/** Keys and certificates are pasted into forms. */
const formTextLengthMax = 10_000;

/** A field given twice counts as its first; one that is no text, or longer than any is, as not given. */
export function firstTexts(given: unknown, lengthMax = givenLengthMax): Readonly<Record<string, string>> {
  const firsts = Object.entries((given ?? {}) as Record<string, unknown>).map(
    ([name, value]) => [name, [value].flat()[0]] as const,
  );
  const texts = firsts.filter((one): one is readonly [string, string] => typeof one[1] === "string");
  return Object.fromEntries(
    texts.map(([name, value]) => [name, value.slice(0, lengthMax).replaceAll("\0", "").trim()]),
  );
}

export function answerFailure(
  context: ConsoleContext,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { status, title, message } = turnedBy(error);
  if (status >= 500)
    context.events.emit("console.failed", {
      method: request.method,
      route: request.routeOptions.url ?? "unmatched",
      error,
    });
  const found = signedIn.get(request);
  void sendPage(reply, {
    title,
    status,
    body: html`<h1>${title}</h1>
      <p>${message}</p>
      <p><a href="/console">To the first page</a></p>`,
    account: found?.account ?? null,
    formToken: found ? formToken(found.cookie) : null,
    path: request.url,
    now: context.clock.now(),
  });
}

export function answerUnknown(request: FastifyRequest, reply: FastifyReply): void {
  void sendPage(reply, {
    title: "Not found",
    status: 404,
    body: html`<h1>Not found</h1>
      <p>There is no such page.</p>
      <p><a href="/console">To the first page</a></p>`,
    account: null,
    formToken: null,
    path: request.url,
    now: new Date(),
  });
}

/** The database gave up: the statement took longer than a page may. */
export function isOverdue(error: unknown): boolean {
  return isSqlState(error, "queryCanceled");
}

function turnedBy(error: unknown): { status: number; title: string; message: string } {
  if (error instanceof Turned) return error;
  if (error instanceof Fault) return { status: 409, title: "Not done", message: error.message };
  if (isOverdue(error))
    return {
      status: 503,
      title: "It takes too long",
      message: "The database did not answer in time. Narrow the search down.",
    };
  if (isDatabaseAway(error)) return { status: 503, title: "The database is away", message: "Try again in a moment." };
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  if (status === 429) return { status, title: "Too often", message: "Wait a minute, then try again." };
  if (status >= 400 && status < 500) return { status, title: "Refused", message: "The request cannot be read." };
  return { status: 500, title: "This is a bug", message: "It is in the log. Nothing was changed." };
}
