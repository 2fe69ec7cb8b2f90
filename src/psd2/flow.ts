/**
 * Connecting a bank: start → choose a bank → agree there → come back. A login ends once, and its end is what the
 * partner's page is told. Source: edges.md, "PSD2"; OAuth 2.0 (RFC 6749) with PKCE (RFC 7636) and state.
 */
import { createHash, randomBytes } from "node:crypto";
import { addDays, type Day } from "../time/calendar.ts";
import { type Database, inTransaction } from "../database/database.ts";
import type { Events } from "../events.ts";
import { type BankChoice, chooseFrom } from "./bank-choice.ts";
import { type Bank, listBanks, readBank } from "./banks.ts";
import { connectBerlinGroup } from "./berlin-group.ts";
import { type BankConnector, BankFailure } from "./connector.ts";
import { confirmConsent, keepConsent } from "./consents.ts";
import {
  chooseBank,
  claimLogin,
  countConsent,
  endLogin,
  findLogin,
  findLoginByState,
  isBrowserOf,
  type Login,
  type NewLogin,
  readLocale,
  redeemState,
  startLogin,
} from "./logins.ts";
import { type Psd2Status, withOutcome } from "./redirect.ts";
import { languageOf } from "../texts/choose.ts";
import type { Language } from "../texts/languages.ts";

export type Connecting = {
  database: Database;
  keyEncryptionKey: Buffer;
  events: Events;
  /** The service's address as browsers know it. */
  baseUrl(): string;
  /** A bank that the service brings along, listed behind the operators'; null: none for this partner's users. */
  ownBank(partnerId: string): Promise<Bank | null>;
  /** Whether that bank is there at all, for any partner. */
  hasOwnBank(): Promise<boolean>;
  today(): Day;
};

/** RTS on strong authentication, article 10a: 180 days. */
const consentDays = 180;
const verifierBytes = 32;

export type LoginEnd = {
  outcome: Psd2Status;
  redirectUrl: string | null;
  language: Language;
  /** What the partner's page hands on so that the consent takes effect; null: it has, or there is none. */
  confirmationCode: string | null;
};
/** It is another browser's: nothing was done. */
export type Elsewhere = { elsewhere: Language };

/** @returns the login's id and the address to open. */
export async function startConnecting(
  connecting: Connecting,
  login: Omit<NewLogin, "language">,
): Promise<{ loginId: string; url: string }> {
  const { id, key } = await startLogin(connecting.database, {
    ...login,
    language: languageOf(await readLocale(connecting.database, login.userId)),
  });
  connecting.events.emit("psd2.started", { partnerId: login.partnerId, loginId: id });
  return { loginId: id, url: `${connecting.baseUrl()}/psd2/${id}?key=${key}` };
}

/** Null: no such login, its partner is suspended, or it cannot go on. */
export async function openLogin(connecting: Connecting, id: string, key: string): Promise<Login | null> {
  const login = await findLogin(connecting.database, id, key);
  return login === null || (login.isExpired && login.outcome === null) ? null : login;
}

/**
 * The user said on our page that it is for him: from now on the login is that browser's alone, later steps and the
 * bank's answer included. Never done by opening the page, since previews of links open pages as well.
 * @param cookie null: the browser keeps none, and gets no further
 */
export async function claim(connecting: Connecting, login: Login, cookie: string | null): Promise<boolean> {
  return cookie !== null && (await claimLogin(connecting.database, login.id, cookie));
}

/** What the user can choose from. */
export async function banksFor(connecting: Connecting, login: Login, search: string): Promise<BankChoice> {
  const own = await connecting.ownBank(login.partnerId);
  const banks = [...(await listBanks(connecting.database)), ...(own === null ? [] : [{ ...own, hasLogo: false }])];
  return chooseFrom(banks, login.country, search);
}

/** Who is at the browser, as far as the bank is told. */
export type Visit = { address: string; /** What its request carried. */ traceparent: string | null };

/** @returns where the user goes to agree; or the login's end when the bank cannot be asked. Null: no such bank */
export async function beginAtBank(
  connecting: Connecting,
  login: Login,
  bankId: string,
  visit: Visit,
): Promise<{ goTo: string } | { end: LoginEnd } | null> {
  const bank = await findBank(connecting, login.partnerId, bankId);
  if (bank === null) return null;
  if (!(await countConsent(connecting.database, login.id)))
    return { end: await end(connecting, login, "UNKNOWN", "TOO_MANY_CONSENTS") };
  const state = randomBytes(verifierBytes).toString("base64url");
  const verifier = randomBytes(verifierBytes).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  try {
    const wish = {
      redirectUri: callbackUrl(connecting),
      state,
      challenge,
      validUntil: addDays(connecting.today(), consentDays),
      userAddress: visit.address,
    };
    const { reference, redirectUrl } = await connectBerlinGroup(traced(bank, visit)).createConsent(wish);
    await chooseBank(connecting.database, connecting.keyEncryptionKey, login.id, {
      bankId,
      reference,
      state,
      verifier,
    });
    return { goTo: redirectUrl };
  } catch (error) {
    if (!(error instanceof BankFailure)) throw error;
    return { end: await end(connecting, login, "UNKNOWN", error.code) };
  }
}

export type BankAnswer = {
  state: string;
  code: string | null;
  /** OAuth's error, such as access_denied. */ error: string | null;
};

/**
 * What the bank brought back. Null: a state that nobody waits for, an old one or a second time. In another browser than
 * the login's, neither the code is redeemed nor the login ended: whoever agreed there did so for a stranger, or in an
 * app of the bank that opened another browser, and then the first one goes on.
 * @param cookieOf the browser's cookie of a login, by the login's id
 */
export async function finishAtBank(
  connecting: Connecting,
  answer: BankAnswer,
  visit: Visit,
  cookieOf: (loginId: string) => string | null,
): Promise<(LoginEnd & { loginId: string }) | Elsewhere | null> {
  const found = await findLoginByState(connecting.database, answer.state);
  if (found === null) return null;
  if (!isBrowserOf(found, cookieOf(found.id))) {
    connecting.events.emit("psd2.answered-elsewhere", { partnerId: found.partnerId, loginId: found.id });
    return { elsewhere: found.language };
  }
  const ended = await redeemAnswer(connecting, answer, visit);
  return ended === null ? null : { ...ended, loginId: found.id };
}

async function redeemAnswer(connecting: Connecting, answer: BankAnswer, visit: Visit): Promise<LoginEnd | null> {
  const login = await redeemState(connecting.database, connecting.keyEncryptionKey, answer.state);
  if (login === null) return null;
  if (answer.error === "access_denied") return await end(connecting, login, "ABORTED", null);
  const bank = login.bankId === null ? null : await findBank(connecting, login.partnerId, login.bankId);
  if (answer.code === null || bank === null || login.consentReference === null)
    return await end(connecting, login, "UNKNOWN", answer.error ?? "NO_CODE");
  try {
    const confirmationCode = await redeem(connecting, login, traced(bank, visit), login.consentReference, {
      code: answer.code,
      verifier: login.verifier,
    });
    return { ...(await end(connecting, login, "SUCCESS", null)), confirmationCode };
  } catch (error) {
    if (!(error instanceof BankFailure)) throw error;
    return await end(connecting, login, "UNKNOWN", error.code);
  }
}

/** The user's own app brought the code of the redirect. @returns false: none of this user's consents waits for it */
export async function confirm(
  { database }: Connecting,
  confirmation: { userId: number; loginId: string; code: string },
): Promise<boolean> {
  return await inTransaction(database, (transaction) => confirmConsent(transaction, confirmation));
}

/** The user gave up on one of our pages. */
export async function abort(connecting: Connecting, login: Login): Promise<LoginEnd> {
  return await end(connecting, login, "ABORTED", null);
}

/** The address of the end, where the partner gave one. */
export function addressOfEnd({ redirectUrl, outcome, confirmationCode }: LoginEnd): string | null {
  return redirectUrl === null ? null : withOutcome(redirectUrl, outcome, confirmationCode);
}

export async function findBank(connecting: Connecting, partnerId: string, bankId: string): Promise<Bank | null> {
  const own = await connecting.ownBank(partnerId);
  return own?.id === bankId ? own : await readBank(connecting.database, connecting.keyEncryptionKey, bankId);
}

/** @returns the code that confirms the consent; null where it needs none. */
async function redeem(
  connecting: Connecting,
  login: Login,
  bank: Bank,
  reference: string,
  { code, verifier }: { code: string; verifier: string },
): Promise<string | null> {
  const connector: BankConnector = connectBerlinGroup(bank);
  const tokens = await connector.redeem(code, verifier, callbackUrl(connecting));
  if (!(await connector.isConsentValid(reference, tokens.accessToken))) throw new BankFailure("CONSENT_NOT_VALID");
  const validUntil = addDays(connecting.today(), consentDays);
  const confirmationCode = login.requiresConfirmation ? randomBytes(verifierBytes).toString("base64url") : null;
  await inTransaction(connecting.database, async (transaction) => {
    const consent = {
      userId: login.userId,
      partnerId: login.partnerId,
      loginId: login.id,
      bankId: bank.id,
      bankName: bank.name,
      reference,
      validUntil,
      confirmationCode,
    };
    await keepConsent(transaction, connecting.keyEncryptionKey, consent, tokens);
  });
  return confirmationCode;
}

async function end(
  { database, events }: Connecting,
  login: Login,
  outcome: Psd2Status,
  failure: string | null,
): Promise<LoginEnd> {
  // Of two ends at once the first one counts.
  const ended = await endLogin(database, login.id, outcome);
  if (ended)
    events.emit("psd2.ended", { partnerId: login.partnerId, loginId: login.id, outcome, failure: failure ?? "" });
  return { outcome, redirectUrl: login.redirectUrl, language: login.language, confirmationCode: null };
}

function traced(bank: Bank, { traceparent }: Visit): Bank {
  return traceparent === null ? bank : { ...bank, traceparent };
}

/** Where banks send users back to. */
export function callbackUrl({ baseUrl }: Pick<Connecting, "baseUrl">): string {
  return `${baseUrl()}/psd2/callback`;
}
