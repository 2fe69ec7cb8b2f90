/**
 * The sandbox bank: a bank's side of the Berlin Group's XS2A with pages of its own, so that connecting a bank can be
 * tried from end to end. It knows nothing of the rest of the service, which calls it over HTTPS as it calls any bank,
 * but the address that its only client has registered: users are sent back to no other (RFC 6749, 10.15; RFC 9700,
 * 4.1.3).
 */
import formBody from "@fastify/formbody";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isDay } from "../../time/calendar.ts";
import { callbackUrl } from "../../psd2/flow.ts";
import { accountsPage, signInPage } from "./pages.ts";
import {
  approve,
  findByToken,
  findConsent,
  makeConsent,
  redeemCode,
  redeemRefreshToken,
  reject,
  type SandboxConsent,
  terminate,
} from "./consents.ts";
import { accountsOf, type SandboxAccount, sandboxPeople } from "./people.ts";
import { toBalance, toBooking } from "./statement.ts";
import { languageOf } from "../../texts/choose.ts";
import type { ApiContext, App } from "../../api/context.ts";
import { firstTexts, send } from "../../api/routes/psd2-pages.ts";

const page = { schema: { hide: true }, config: { produces: "text/html" } } as const;
const data = { schema: { hide: true }, config: { produces: "application/json" } } as const;
/** Banks page as they like; small pages show that links are followed. */
const pageRows = 500;

export async function sandboxBankRoutes(scope: App, context: ApiContext): Promise<void> {
  await scope.register(formBody);
  const { database } = context;
  scope.addHook("onRequest", async (_request, reply) => {
    if (context.psd2.ownBank() === null)
      return reply
        .code(404)
        .send({ tppMessages: [{ category: "ERROR", code: "SERVICE_INVALID", text: "The sandbox bank is off." }] });
  });

  scope.get("/sandbox-bank/authorize", page, async (request, reply) => {
    const wish = wishOf(firstTexts(request.query));
    const consent = wish === null ? null : await findConsent(database, wish.consentId);
    if (wish === null || consent?.status !== "received") return refuse(reply, 400, "invalid_request");
    return send(reply, signInPage(languageOf(request.headers["accept-language"] ?? ""), wish.fields, sandboxPeople));
  });
  scope.post("/sandbox-bank/accounts", page, async (request, reply) => showAccounts(request, reply, false));
  scope.post("/sandbox-bank/decision", page, async (request, reply) => {
    const fields = firstTexts(request.body);
    const wish = wishOf(fields);
    if (wish === null) return refuse(reply, 400, "invalid_request");
    const back = (more: Record<string, string>) =>
      reply.redirect(withParameters(wish.redirectUri, { ...more, state: wish.state }), 303);
    if (fields["decision"] === "fail") return back({ error: "server_error" });
    if (fields["decision"] !== "approve") {
      await reject(database, wish.consentId);
      return back({ error: "access_denied" });
    }
    const chosen = [(request.body as Record<string, unknown>)["account"]].flat();
    const person = fields["person"] ?? "";
    const own = (accountsOf(person, context.psd2.today()) ?? [])
      .map(({ id }) => id)
      .filter((id) => chosen.includes(id));
    if (own.length === 0) return showAccounts(request, reply, true);
    const code = await approve(database, wish.consentId, {
      person,
      accountIds: own,
      redirectUri: wish.redirectUri,
      challenge: wish.challenge,
    });
    return code === null ? back({ error: "server_error" }) : back({ code });
  });
  scope.post("/sandbox-bank/token", data, async (request, reply) => {
    const {
      grant_type,
      code = "",
      code_verifier = "",
      redirect_uri = "",
      refresh_token = "",
    } = firstTexts(request.body);
    const tokens =
      grant_type === "refresh_token"
        ? await redeemRefreshToken(database, refresh_token)
        : await redeemCode(database, { code, verifier: code_verifier, redirectUri: redirect_uri });
    return tokens === null ? refuse(reply, 400, "invalid_grant") : reply.send(tokens);
  });

  scope.post("/sandbox-bank/psd2/v1/consents", data, async (request, reply) => {
    const { validUntil } = (request.body ?? {}) as { validUntil?: unknown };
    if (typeof validUntil !== "string" || !isDay(validUntil) || validUntil < context.psd2.today())
      return refuse(reply, 400, "FORMAT_ERROR");
    const consentId = await makeConsent(database, validUntil);
    return reply
      .code(201)
      .send({ consentStatus: "received", consentId, _links: { status: { href: `/v1/consents/${consentId}/status` } } });
  });
  scope.get("/sandbox-bank/psd2/v1/consents/:consentId/status", data, async (request, reply) => {
    const consent = await consentOf(request);
    return consent === null ? refuse(reply, 401, "CONSENT_INVALID") : reply.send({ consentStatus: consent.status });
  });
  scope.delete("/sandbox-bank/psd2/v1/consents/:consentId", data, async (request, reply) => {
    const consent = await consentOf(request);
    if (consent === null || !(await terminate(database, consent.id))) return refuse(reply, 401, "CONSENT_INVALID");
    return reply.code(204).send();
  });
  scope.get("/sandbox-bank/psd2/v1/accounts", data, async (request, reply) => {
    const consent = await consentOf(request);
    if (consent === null) return refuse(reply, 401, "CONSENT_INVALID");
    return reply.send({
      accounts: sharedAccounts(consent).map((account) => ({
        resourceId: account.id,
        iban: account.iban,
        currency: account.currency,
        name: account.name,
        balances: [toBalance(account, context.psd2.today())],
      })),
    });
  });
  scope.get("/sandbox-bank/psd2/v1/accounts/:accountId/transactions", data, async (request, reply) => {
    const consent = await consentOf(request);
    const { accountId } = request.params as { accountId: string };
    const account = consent === null ? undefined : sharedAccounts(consent).find(({ id }) => id === accountId);
    if (account === undefined)
      return refuse(reply, consent === null ? 401 : 404, consent === null ? "CONSENT_INVALID" : "RESOURCE_UNKNOWN");
    const { dateFrom = "", offset = "0" } = firstTexts(request.query);
    const rows = account.transactions.filter(({ tx }) => tx.txTime.slice(0, 10) >= dateFrom);
    const start = Number(offset) || 0;
    const next = start + pageRows;
    const href = `/v1/accounts/${accountId}/transactions?dateFrom=${dateFrom}&bookingStatus=booked&offset=${next}`;
    return reply.send({
      account: { iban: account.iban },
      transactions: {
        booked: rows.slice(start, next).map(toBooking),
        _links: next < rows.length ? { next: { href } } : {},
      },
    });
  });

  function wishOf(fields: Record<string, string>): Wish | null {
    return readWish(fields, callbackUrl(context.psd2));
  }

  async function showAccounts(
    request: FastifyRequest,
    reply: FastifyReply,
    hasProblem: boolean,
  ): Promise<FastifyReply> {
    const fields = firstTexts(request.body);
    const wish = wishOf(fields);
    const consent = wish === null ? null : await findConsent(database, wish.consentId);
    const accounts = accountsOf(fields["person"] ?? "", context.psd2.today());
    if (wish === null || consent?.status !== "received" || accounts === null)
      return refuse(reply, 400, "invalid_request");
    const language = languageOf(request.headers["accept-language"] ?? "");
    return send(
      reply,
      accountsPage(
        language,
        { ...wish.fields, person: fields["person"] ?? "" },
        accounts,
        consent.validUntil,
        hasProblem,
      ),
    );
  }

  /** By its bearer token; a consent in the path or header must be the token's. */
  async function consentOf(request: FastifyRequest): Promise<SandboxConsent | null> {
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const consent = token === "" ? null : await findByToken(database, token, context.psd2.today());
    const { consentId = request.headers["consent-id"] } = request.params as { consentId?: string };
    return consent !== null && (consentId === undefined || consentId === consent.id) ? consent : null;
  }

  function sharedAccounts(consent: SandboxConsent): SandboxAccount[] {
    return (accountsOf(consent.person ?? "", context.psd2.today()) ?? []).filter(({ id }) =>
      consent.accountIds.includes(id),
    );
  }
}

type Wish = {
  consentId: string;
  redirectUri: string;
  state: string;
  challenge: string;
  /** To be carried from page to page. */ fields: Record<string, string>;
};

/**
 * OAuth's parameters as they come and are carried on. Null: not those of an AIS consent with PKCE, or of a client
 * nobody knows.
 */
function readWish(
  {
    scope = "",
    redirect_uri = "",
    state = "",
    code_challenge = "",
    code_challenge_method = "",
  }: Record<string, string>,
  registered: string,
): Wish | null {
  if (
    !scope.startsWith("AIS:") ||
    redirect_uri !== registered ||
    state === "" ||
    code_challenge === "" ||
    code_challenge_method !== "S256"
  )
    return null;
  const fields = { scope, redirect_uri, state, code_challenge, code_challenge_method };
  return { consentId: scope.slice("AIS:".length), redirectUri: redirect_uri, state, challenge: code_challenge, fields };
}

function withParameters(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function refuse(reply: FastifyReply, status: number, code: string): FastifyReply {
  return reply
    .code(status)
    .type("application/json")
    .send({ error: code, tppMessages: [{ category: "ERROR", code }] });
}
