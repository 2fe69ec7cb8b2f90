/**
 * What a bank is asked, whoever it is and however it is asked. Failures of the bank are BankFailure, told by their
 * code.
 */
import type { Day } from "../time/calendar.ts";

export type BankAccount = {
  resourceId: string;
  iban: string;
  name: string;
  currency: string;
  balance: BankBalance | null;
};
/** amount: decimal text; observedAt: ISO 8601, or a day. */
export type BankBalance = { amount: string; currency: string; observedAt: string };

/** One booked payment in a bank's words; amounts are decimal texts, money leaving is negative. */
export type BankTransaction = {
  id: string;
  bookedOn: Day;
  amount: string;
  currency: string;
  originalAmount: string | null;
  originalCurrency: string | null;
  counterparty: string | null;
  text: string;
  mcc: number | null;
  code: string | null;
};

export type BankConsent = { reference: string; /** Where the user goes to agree. */ redirectUrl: string };
export type BankTokens = { accessToken: string; refreshToken: string | null; expiresInSeconds: number };

export type ConsentWish = {
  redirectUri: string;
  state: string;
  /** SHA-256 of the verifier, base64url (RFC 7636). */ challenge: string;
  validUntil: Day;
  userAddress: string;
};

/** A bank as a connector speaks to it for one third party. */
export type BankConnector = {
  createConsent(wish: ConsentWish): Promise<BankConsent>;
  /** Trades the code that the bank brought back. */
  redeem(code: string, verifier: string, redirectUri: string): Promise<BankTokens>;
  renew(refreshToken: string): Promise<BankTokens>;
  /** Whether the user agreed and the agreement still holds. */
  isConsentValid(reference: string, accessToken: string): Promise<boolean>;
  listAccounts(reference: string, accessToken: string): Promise<BankAccount[]>;
  /** Booked payments of one account since the day, in the bank's order. */
  listTransactions(
    reference: string,
    accessToken: string,
    resourceId: string,
    from: Day,
  ): AsyncGenerator<BankTransaction>;
  /** Gives the agreement back. */
  endConsent(reference: string, accessToken: string): Promise<void>;
};

export class BankFailure extends Error {
  /** May be told and logged, such as HTTP 401 or ECONNREFUSED. */
  readonly code: string;
  /** The agreement is gone: asking again does not help. */
  readonly isConsentGone: boolean;
  /** What OAuth calls the error; null where the bank named none. */
  readonly oauthError: string | null;

  constructor(code: string, options: { isConsentGone?: boolean; oauthError?: string | null; cause?: unknown } = {}) {
    super(code, { cause: options.cause });
    this.name = "BankFailure";
    this.code = code;
    this.isConsentGone = options.isConsentGone ?? false;
    this.oauthError = options.oauthError ?? null;
  }
}
