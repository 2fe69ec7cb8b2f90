/**
 * Banks that speak the Berlin Group's NextGenPSD2 XS2A 1.3: consents with OAuth 2 (integrated through scope `AIS:`),
 * accounts with balances, booked transactions page by page. What a bank answers is hostile input: bounded and checked.
 */
import { randomUUID } from "node:crypto";
import { type Static, type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import { type Day, isDay } from "../time/calendar.ts";
import { type Answer, call, type Guard, RequestFailure } from "../machine/guarded-request.ts";
import {
  type BankAccount,
  type BankConnector,
  type BankConsent,
  BankFailure,
  type BankTokens,
  type BankTransaction,
  type ConsentWish,
} from "./connector.ts";

export type BerlinGroupBank = {
  /** Base of the interface, below which /v1 lies. */
  xs2aUrl: string;
  authorizeUrl: string;
  tokenUrl: string;
  clientId: string;
  guard: Guard;
  /** Of the request on whose behalf the bank is called (W3C Trace Context); a job has none. */
  traceparent?: string;
};

/** A page of some thousand transactions; banks answer a few hundred. */
const answerBytesMax = 8 * 1024 * 1024;
/** Of one account in one fetch: 25 months of a busy household are below ten. */
const pagesMax = 500;
/** EBA's RTS, article 36: without the user there, four times a day. */
const frequencyPerDay = 4;

const Amount = Type.Object({
  currency: Type.String({ pattern: "^[A-Z]{3}$" }),
  amount: Type.String({ pattern: "^-?\\d{1,18}(\\.\\d{1,6})?$" }),
});
const ConsentSchema = Type.Object({ consentId: Type.String({ minLength: 1, maxLength: 200 }) });
const StatusSchema = Type.Object({ consentStatus: Type.String() });
const TokensSchema = Type.Object({
  access_token: Type.String({ minLength: 1, maxLength: 8192 }),
  refresh_token: Type.Optional(Type.String({ maxLength: 8192 })),
  expires_in: Type.Optional(Type.Number()),
});
const OauthErrorSchema = Type.Object({ error: Type.String({ maxLength: 100 }) });
const BalanceSchema = Type.Object({
  balanceAmount: Amount,
  balanceType: Type.Optional(Type.String()),
  referenceDate: Type.Optional(Type.String()),
  lastChangeDateTime: Type.Optional(Type.String()),
});
const AccountsSchema = Type.Object({
  accounts: Type.Array(
    Type.Object({
      resourceId: Type.String({ minLength: 1, maxLength: 200 }),
      iban: Type.Optional(Type.String({ maxLength: 34 })),
      currency: Type.String({ pattern: "^[A-Z]{3}$" }),
      name: Type.Optional(Type.String({ maxLength: 200 })),
      product: Type.Optional(Type.String({ maxLength: 200 })),
      balances: Type.Optional(Type.Array(BalanceSchema)),
    }),
    { maxItems: 200 },
  ),
});
const Text = Type.Optional(Type.String({ maxLength: 2000 }));
const TransactionSchema = Type.Object({
  transactionId: Type.Optional(Type.String({ maxLength: 200 })),
  entryReference: Type.Optional(Type.String({ maxLength: 200 })),
  bookingDate: Text,
  valueDate: Text,
  transactionAmount: Amount,
  creditorName: Text,
  debtorName: Text,
  remittanceInformationUnstructured: Text,
  additionalInformation: Text,
  bankTransactionCode: Text,
  proprietaryBankTransactionCode: Text,
  merchantCategoryCode: Text,
  currencyExchange: Type.Optional(
    Type.Array(Type.Object({ sourceCurrency: Text, instructedAmount: Type.Optional(Amount) })),
  ),
});
const PageSchema = Type.Object({
  transactions: Type.Object({
    booked: Type.Array(TransactionSchema),
    _links: Type.Optional(
      Type.Object({ next: Type.Optional(Type.Object({ href: Type.String({ maxLength: 4000 }) })) }),
    ),
  }),
});

export function connectBerlinGroup(bank: BerlinGroupBank): BankConnector {
  return {
    createConsent: (wish) => createConsent(bank, wish),
    redeem: (code, verifier, redirectUri) =>
      tokens(bank, { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri }),
    renew: (refreshToken) => renew(bank, refreshToken),
    async isConsentValid(reference, accessToken) {
      const { consentStatus } = await ask(
        bank,
        StatusSchema,
        "GET",
        `/v1/consents/${encodeURIComponent(reference)}/status`,
        { accessToken },
      );
      return consentStatus === "valid";
    },
    async listAccounts(reference, accessToken) {
      const { accounts } = await ask(bank, AccountsSchema, "GET", "/v1/accounts?withBalance=true", {
        reference,
        accessToken,
      });
      return accounts.map(toAccount);
    },
    listTransactions: (reference, accessToken, resourceId, from) =>
      listTransactions(bank, { reference, accessToken }, resourceId, from),
    async endConsent(reference, accessToken) {
      await send(bank, "DELETE", new URL(`${bank.xs2aUrl}/v1/consents/${encodeURIComponent(reference)}`), {
        accessToken,
      });
    },
  };
}

async function createConsent(
  bank: BerlinGroupBank,
  { redirectUri, state, challenge, validUntil, userAddress }: ConsentWish,
): Promise<BankConsent> {
  const body = JSON.stringify({
    access: { accounts: [], balances: [], transactions: [] },
    recurringIndicator: true,
    validUntil,
    frequencyPerDay,
    combinedServiceIndicator: false,
  });
  const headers = { "psu-ip-address": userAddress, "tpp-redirect-uri": redirectUri, "tpp-redirect-preferred": "true" };
  const { consentId } = await ask(bank, ConsentSchema, "POST", "/v1/consents", { headers, body });
  const url = new URL(bank.authorizeUrl);
  const parameters = {
    response_type: "code",
    client_id: bank.clientId,
    redirect_uri: redirectUri,
    scope: `AIS:${consentId}`,
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { reference: consentId, redirectUrl: url.href };
}

async function tokens(bank: BerlinGroupBank, form: Record<string, string>): Promise<BankTokens> {
  const body = new URLSearchParams({ ...form, client_id: bank.clientId }).toString();
  const answer = await guarded(() =>
    call(
      {
        method: "POST",
        url: new URL(bank.tokenUrl),
        headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json", ...traceOf(bank) },
        body,
      },
      bank.guard,
    ),
  );
  const { access_token, refresh_token, expires_in } = read(TokensSchema, answer);
  return { accessToken: access_token, refreshToken: refresh_token ?? null, expiresInSeconds: expires_in ?? 300 };
}

/** RFC 6749, 5.2: 400 invalid_grant says that the refresh token, and with it the agreement, counts no more. */
async function renew(bank: BerlinGroupBank, refreshToken: string): Promise<BankTokens> {
  try {
    return await tokens(bank, { grant_type: "refresh_token", refresh_token: refreshToken });
  } catch (error) {
    if (error instanceof BankFailure && error.oauthError === "invalid_grant")
      throw new BankFailure("REFRESH_TOKEN_REFUSED", { isConsentGone: true, cause: error });
    throw error;
  }
}

async function* listTransactions(
  bank: BerlinGroupBank,
  access: Access,
  resourceId: string,
  from: Day,
): AsyncGenerator<BankTransaction> {
  let path: string | null =
    `/v1/accounts/${encodeURIComponent(resourceId)}/transactions?dateFrom=${from}&bookingStatus=booked`;
  for (let page = 0; path !== null && page < pagesMax; page += 1) {
    const { transactions }: Static<typeof PageSchema> = await ask(bank, PageSchema, "GET", path, access);
    for (const one of transactions.booked) {
      const read = toTransaction(one);
      if (read !== null) yield read;
    }
    path = transactions._links?.next?.href ?? null;
  }
  if (path !== null) throw new BankFailure("TOO_MANY_PAGES");
}

type Access = { reference?: string; accessToken?: string; headers?: Record<string, string>; body?: string };

async function ask<Schema extends TSchema>(
  bank: BerlinGroupBank,
  schema: Schema,
  method: "GET" | "POST",
  path: string,
  access: Access,
): Promise<Static<Schema>> {
  const url = addressOf(bank.xs2aUrl, path);
  // Links of pages may be whole addresses: only those of the same bank are followed.
  if (url.origin !== new URL(bank.xs2aUrl).origin) throw new BankFailure("FOREIGN_LINK");
  return read(schema, await send(bank, method, url, access));
}

/** Banks write links as whole addresses, from their host's root, or from the interface's. */
function addressOf(base: string, path: string): URL {
  const root = new URL(base).pathname.replace(/\/+$/, "");
  const isFromHost = root !== "" && path.startsWith(`${root}/`);
  return new URL(path.startsWith("/") && !isFromHost ? `${base}${path}` : path, base);
}

async function send(
  bank: BerlinGroupBank,
  method: "GET" | "POST" | "DELETE",
  url: URL,
  { reference, accessToken, headers = {}, body }: Access,
): Promise<Answer> {
  const all = {
    accept: "application/json",
    "x-request-id": randomUUID(),
    ...traceOf(bank),
    ...headers,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(reference === undefined ? {} : { "consent-id": reference }),
    ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
  };
  return await guarded(() =>
    call({ method, url, headers: all, answerBytesMax, ...(body === undefined ? {} : { body }) }, bank.guard),
  );
}

/**
 * 401 and 403 speak of the consent or its token (XS2A implementation guidelines, 14.11). @throws BankFailure for any
 * other status than success
 */
async function guarded(attempt: () => Promise<Answer>): Promise<Answer> {
  const answer = await attempt().catch((error: unknown) => {
    throw error instanceof RequestFailure ? new BankFailure(error.code, { cause: error }) : error;
  });
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw new BankFailure(`HTTP ${answer.status}`, {
    isConsentGone: answer.status === 401 || answer.status === 403,
    oauthError: oauthErrorOf(answer),
  });
}

/** The error code of an OAuth answer (RFC 6749, 5.2). Null: it is none. */
function oauthErrorOf({ status, body }: Answer): string | null {
  if (status !== 400) return null;
  try {
    const document: unknown = JSON.parse(body.toString("utf8"));
    return Check(OauthErrorSchema, document) ? document.error : null;
  } catch {
    return null;
  }
}

function read<Schema extends TSchema>(schema: Schema, { body }: Answer): Static<Schema> {
  const document = parse(body.toString("utf8"));
  if (!Check(schema, document)) throw new BankFailure("ANSWER_NOT_UNDERSTOOD");
  return document;
}

function traceOf({ traceparent }: BerlinGroupBank): Record<string, string> {
  return traceparent === undefined ? {} : { traceparent };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BankFailure("ANSWER_NOT_UNDERSTOOD", { cause });
  }
}

function toAccount({
  resourceId,
  iban = "",
  currency,
  name,
  product,
  balances = [],
}: Static<typeof AccountsSchema>["accounts"][number]): BankAccount {
  const balance =
    balances.find(({ balanceType }) => balanceType === "interimAvailable" || balanceType === "closingBooked") ??
    balances[0];
  return {
    resourceId,
    iban,
    currency,
    name: storable(name ?? product ?? iban),
    balance:
      balance === undefined
        ? null
        : {
            ...balance.balanceAmount,
            observedAt: [balance.lastChangeDateTime, balance.referenceDate].find(isTime) ?? new Date().toISOString(),
          },
  };
}

/** ISO 8601: a day, or a day and a time. */
const timePattern =
  /^\d{4}-\d{2}-\d{2}(?:[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:[Zz]|[+-](?:0\d|1[0-5]):?[0-5]\d)?)?$/;

/** What a bank writes otherwise tells as little as nothing, and must not hold up the payments. */
function isTime(text: string | undefined): text is string {
  return text !== undefined && timePattern.test(text) && isDay(text.slice(0, 10));
}

/** The database's texts hold no NUL and no half of a surrogate pair. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", " ").trim();
}

/** Null: without a day or an id it cannot be loaded once. */
function toTransaction(one: Static<typeof TransactionSchema>): BankTransaction | null {
  const id = one.transactionId ?? one.entryReference;
  const bookedOn = one.bookingDate ?? one.valueDate ?? "";
  if (id === undefined || id === "" || !isDay(bookedOn)) return null;
  const { amount, currency } = one.transactionAmount;
  const counterparty = (amount.startsWith("-") ? one.creditorName : one.debtorName) ?? null;
  const instructed = one.currencyExchange?.[0]?.instructedAmount;
  const mcc = /^\d{4}$/.test(one.merchantCategoryCode ?? "") ? Number(one.merchantCategoryCode) : null;
  return {
    id,
    bookedOn,
    amount,
    currency,
    counterparty,
    mcc,
    originalAmount: instructed?.amount ?? null,
    originalCurrency: instructed?.currency ?? null,
    text: one.remittanceInformationUnstructured ?? one.additionalInformation ?? counterparty ?? "",
    code: one.bankTransactionCode ?? one.proprietaryBankTransactionCode ?? null,
  };
}
