/**
 * The pages on which a user connects a bank. They are for browsers and no part of the interface, so the document leaves
 * them out.
 */
import { randomBytes } from "node:crypto";
import formBody from "@fastify/formbody";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  abort,
  addressOfEnd,
  banksFor,
  beginAtBank,
  claim,
  finishAtBank,
  type LoginEnd,
  openLogin,
  type Visit,
} from "../../psd2/flow.ts";
import { readLogo } from "../../psd2/banks.ts";
import { isBrowserOf, type Login, loginSeconds, ownerByKey, ownerByState } from "../../psd2/logins.ts";
import { choosePage, confirmPage, elsewherePage, endPage, gonePage, pagePolicy } from "../../psd2/pages.ts";
import { languageOf } from "../../texts/choose.ts";
import type { Language } from "../../texts/languages.ts";
import { setTenant } from "../../database/tenant.ts";
import type { ApiContext, App } from "../context.ts";
import { traceOf } from "../correlation.ts";

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const hide = { schema: { hide: true }, config: { produces: "text/html" } } as const;

/** Nobody guesses it, and nobody else's page can set it (RFC 6265bis, 4.1.3.2, on the prefix). */
const cookieName = (loginId: string) => `__Host-tideline-${loginId}`;
const cookieBytes = 32;
const logoSeconds = 3600;
const cookiePattern = /^[A-Za-z0-9_-]{43}$/;

export async function psd2Pages(scope: App, context: ApiContext): Promise<void> {
  await scope.register(formBody);
  const { psd2 } = context;

  scope.get("/psd2/:loginId", hide, async (request, reply) => {
    const { key = "", search = "" } = firstTexts(request.query);
    const login = await loginOf(request, key);
    if (login === null) return sendGone(request, reply);
    if (login.browserSha256 === null) return sendConfirm(request, reply, login, key);
    if (!isOwn(request, login)) return sendElsewhere(reply, login.language);
    if (login.outcome !== null) return await sendEnd(reply, ended(login, login.outcome));
    return send(reply, choosePage(login, key, await banksFor(psd2, login, search)));
  });
  scope.post("/psd2/:loginId/confirm", hide, async (request, reply) => {
    const { key = "" } = firstTexts(request.body);
    const login = await loginOf(request, key);
    if (login === null || login.outcome !== null) return sendGone(request, reply);
    if (!(await claim(psd2, login, cookieOf(request, login.id)))) return sendElsewhere(reply, login.language);
    return reply.redirect(`/psd2/${login.id}?key=${encodeURIComponent(key)}`, 303);
  });
  scope.post("/psd2/:loginId/bank", hide, async (request, reply) => {
    const { key = "", bank = "" } = firstTexts(request.body);
    const login = await loginOf(request, key);
    if (login === null || login.outcome !== null) return sendGone(request, reply);
    if (!isOwn(request, login)) return sendElsewhere(reply, login.language);
    const begun = await beginAtBank(psd2, login, bank, visitOf(request));
    if (begun === null) return send(reply, choosePage(login, key, await banksFor(psd2, login, "")));
    return "goTo" in begun ? reply.redirect(begun.goTo, 303) : await sendEnd(reply, begun.end);
  });
  scope.post("/psd2/:loginId/abort", hide, async (request, reply) => {
    const { key = "" } = firstTexts(request.body);
    const login = await loginOf(request, key);
    if (login === null || login.outcome !== null) return sendGone(request, reply);
    // Whoever says no on the first page has claimed it by that.
    if (!(await claim(psd2, login, cookieOf(request, login.id)))) return sendElsewhere(reply, login.language);
    return await sendEnd(reply, await abort(psd2, login));
  });
  // Nobody's secret: the same for whoever may choose a bank.
  scope.get("/psd2/banks/:bankId/logo", { schema: { hide: true } }, async (request, reply) => {
    const { bankId } = request.params as { bankId: string };
    const logo = await readLogo(psd2.database, bankId);
    if (logo === null) return reply.code(404).send();
    return reply
      .header("cache-control", `public, max-age=${logoSeconds}`)
      .header("content-security-policy", pagePolicy)
      .type(logo.type)
      .send(logo.bytes);
  });
  scope.get("/psd2/callback", hide, async (request, reply) => {
    const { state = "", code = null, error = null } = firstTexts(request.query);
    const owner = await ownerByState(psd2.database, state);
    if (owner === null) return sendGone(request, reply);
    setTenant(owner);
    const answer = { state, code, error };
    const found = await finishAtBank(psd2, answer, visitOf(request), (loginId) => cookieOf(request, loginId));
    if (found === null) return sendGone(request, reply);
    return "elsewhere" in found ? sendElsewhere(reply, found.elsewhere) : await sendEnd(reply, found);
  });

  async function loginOf(request: FastifyRequest, key: string): Promise<Login | null> {
    const { loginId } = request.params as { loginId: string };
    if (!uuidPattern.test(loginId)) return null;
    const owner = await ownerByKey(psd2.database, loginId, key);
    if (owner === null) return null;
    setTenant(owner);
    return await openLogin(psd2, loginId, key);
  }
}

function isOwn(request: FastifyRequest, login: Login): boolean {
  return isBrowserOf(login, cookieOf(request, login.id));
}

/** What this browser was given for a login; null: nothing that could have come from here. */
function cookieOf({ headers }: FastifyRequest, loginId: string): string | null {
  const start = `${cookieName(loginId)}=`;
  const pair = (headers.cookie ?? "").split(";").find((one) => one.trim().startsWith(start));
  const value = pair?.trim().slice(start.length) ?? "";
  return cookiePattern.test(value) ? value : null;
}

/**
 * Lax: banks send users back from elsewhere by a link, which brings it; forms on others' pages do not, so that none can
 * claim a login in somebody's name. Max-Age: on phones, what a session keeps is gone when the bank's app has had its turn.
 */
function sendConfirm(request: FastifyRequest, reply: FastifyReply, login: Login, key: string): FastifyReply {
  const cookie = cookieOf(request, login.id) ?? randomBytes(cookieBytes).toString("base64url");
  reply.header(
    "set-cookie",
    `${cookieName(login.id)}=${cookie}; Max-Age=${loginSeconds}; Path=/; HttpOnly; Secure; SameSite=Lax`,
  );
  return send(reply, confirmPage(login, key));
}

function ended({ redirectUrl, language }: Login, outcome: LoginEnd["outcome"]): LoginEnd {
  return { outcome, redirectUrl, language, confirmationCode: null };
}

function visitOf({ ip, headers }: FastifyRequest): Visit {
  return { address: ip, traceparent: traceOf(headers)?.traceparent ?? null };
}

async function sendEnd(reply: FastifyReply, end: LoginEnd): Promise<FastifyReply> {
  const address = addressOfEnd(end);
  return address === null ? send(reply, endPage(end.language, end.outcome)) : reply.redirect(address, 303);
}

function sendElsewhere(reply: FastifyReply, language: Language): FastifyReply {
  return send(reply.code(403), elsewherePage(language));
}

function sendGone(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(reply.code(410), gonePage(languageOf(request.headers["accept-language"] ?? "")));
}

export function send(reply: FastifyReply, html: string): FastifyReply {
  return reply.header("content-security-policy", pagePolicy).type("text/html; charset=utf-8").send(html);
}

/** Single texts of a form or a query; a field given twice counts as its first, and one that is no text as not given. */
export function firstTexts(given: unknown): Record<string, string> {
  const firsts = Object.entries((given ?? {}) as Record<string, unknown>).map(
    ([name, value]) => [name, [value].flat()[0]] as const,
  );
  return Object.fromEntries(firsts.filter((one): one is readonly [string, string] => typeof one[1] === "string"));
}
