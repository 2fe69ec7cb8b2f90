/**
 * The pages on which a user connects a bank. They are for browsers and no part of the interface, so the document leaves
 * them out.
 */
import formBody from "@fastify/formbody";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  abort,
  addressOfEnd,
  banksFor,
  beginAtBank,
  finishAtBank,
  type LoginEnd,
  openLogin,
  type Visit,
} from "../../psd2/flow.ts";
import { type Login, ownerByKey, ownerByState } from "../../psd2/logins.ts";
import { choosePage, endPage, gonePage, pagePolicy } from "../../psd2/pages.ts";
import { languageOf } from "../../texts/choose.ts";
import { setTenant } from "../../database/tenant.ts";
import type { ApiContext, App } from "../context.ts";
import { traceOf } from "../correlation.ts";

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const hide = { schema: { hide: true }, config: { produces: "text/html" } } as const;

export async function psd2Pages(scope: App, context: ApiContext): Promise<void> {
  await scope.register(formBody);
  const { psd2 } = context;

  scope.get("/psd2/:loginId", hide, async (request, reply) => {
    const { key = "" } = firstTexts(request.query);
    const login = await loginOf(request, key);
    if (login === null) return sendGone(request, reply);
    if (login.outcome !== null) return await sendEnd(reply, { ...login, outcome: login.outcome });
    return send(reply, choosePage(login, key, await banksFor(psd2)));
  });
  scope.post("/psd2/:loginId/bank", hide, async (request, reply) => {
    const { key = "", bank = "" } = firstTexts(request.body);
    const login = await loginOf(request, key);
    if (login === null || login.outcome !== null) return sendGone(request, reply);
    const begun = await beginAtBank(psd2, login, bank, visitOf(request));
    if (begun === null) return send(reply, choosePage(login, key, await banksFor(psd2)));
    return "goTo" in begun ? reply.redirect(begun.goTo, 303) : await sendEnd(reply, begun.end);
  });
  scope.post("/psd2/:loginId/abort", hide, async (request, reply) => {
    const { key = "" } = firstTexts(request.body);
    const login = await loginOf(request, key);
    if (login === null || login.outcome !== null) return sendGone(request, reply);
    return await sendEnd(reply, await abort(psd2, login));
  });
  scope.get("/psd2/callback", hide, async (request, reply) => {
    const { state = "", code = null, error = null } = firstTexts(request.query);
    const owner = await ownerByState(psd2.database, state);
    if (owner !== null) setTenant(owner);
    const ended = owner === null ? null : await finishAtBank(psd2, { state, code, error }, visitOf(request));
    return ended === null ? sendGone(request, reply) : await sendEnd(reply, ended);
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

function visitOf({ ip, headers }: FastifyRequest): Visit {
  return { address: ip, traceparent: traceOf(headers)?.traceparent ?? null };
}

async function sendEnd(reply: FastifyReply, end: LoginEnd): Promise<FastifyReply> {
  const address = addressOfEnd(end);
  return address === null ? send(reply, endPage(end.language, end.outcome)) : reply.redirect(address, 303);
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
