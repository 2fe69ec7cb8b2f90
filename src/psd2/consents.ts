/** Consents: what users agreed to at their banks, until when, and when transactions are fetched next. SQL. */
import { hash } from "node:crypto";
import type { Day } from "../time/calendar.ts";
import type { Queryable, Transaction } from "../database/database.ts";
import { encryptSecret, decryptSecret } from "../partners/keys/secrets-at-rest.ts";
import type { BankTokens } from "./connector.ts";

export type Consent = {
  id: string;
  userId: number;
  partnerId: string;
  bankUserId: string;
  bankId: string;
  bankName: string;
  reference: string;
  accessToken: string;
  refreshToken: string | null;
  tokenExpiresAt: Date;
  agreedAt: Date;
  validUntil: Day;
  isFirst: boolean;
  timeZone: string;
  /** The brand's. */ currency: string;
};

type NewConsent = {
  userId: number;
  partnerId: string;
  loginId: string;
  bankId: string;
  bankName: string;
  reference: string;
  validUntil: Day;
  /** It takes effect once its user's own app has brought this; null: at once. */
  confirmationCode: string | null;
};

/** From the bank's page to the app that the redirect opens is seconds; a slow phone has some minutes. */
const confirmedWithinMinutes = 15;

const accessAs = (reference: string) => `psd2-access:${reference}`;
const refreshAs = (reference: string) => `psd2-refresh:${reference}`;

/**
 * A later consent at the same bank takes the earlier one's place, once it is in effect itself. The caller owns the
 * transaction.
 */
export async function keepConsent(
  transaction: Queryable,
  keyEncryptionKey: Buffer,
  consent: NewConsent,
  tokens: BankTokens,
): Promise<void> {
  const { confirmationCode } = consent;
  if (confirmationCode === null) await replaceEarlier(transaction, consent.userId, consent.bankId);
  await transaction.query(
    `insert into psd2_consents (user_id, partner_id, bank_id, bank_name, reference, access_token_sealed, refresh_token_sealed, token_expires_at, valid_until, login_id,
                                state, confirmation_sha256, confirmed_until)
     values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8), $9, $10,
             case when $11::bytea is null then 'active' else 'unconfirmed' end, $11, case when $11::bytea is not null then now() + make_interval(mins => $12) end)`,
    [
      consent.userId,
      consent.partnerId,
      consent.bankId,
      consent.bankName,
      consent.reference,
      ...sealed(keyEncryptionKey, consent.reference, tokens),
      consent.validUntil,
      consent.loginId,
      confirmationCode === null ? null : digestOf(confirmationCode),
      confirmedWithinMinutes,
    ],
  );
}

/**
 * Takes effect from now on. The code works once, for the consent's own user, and for some minutes. The caller owns the
 * transaction.
 * @param loginId a UUID text
 * @returns false: this user has no consent that waits for this code
 */
export async function confirmConsent(
  transaction: Transaction,
  { userId, loginId, code }: { userId: number; loginId: string; code: string },
): Promise<boolean> {
  const { rows } = await transaction.query<{ id: string; bankId: string }>(
    `select id, bank_id as "bankId"
       from psd2_consents
      where user_id = $1
        and login_id = $2
        and confirmation_sha256 = $3
        and state = 'unconfirmed'
        and confirmed_until > now()
        for update`,
    [userId, loginId, digestOf(code)],
  );
  const [confirmed] = rows;
  if (confirmed === undefined) return false;
  await replaceEarlier(transaction, userId, confirmed.bankId);
  await transaction.query(
    "update psd2_consents set state = 'active', confirmation_sha256 = null, next_fetch_at = now() where id = $1",
    [confirmed.id],
  );
  return true;
}

/** What nobody confirmed in time ends, and is given back to its bank; its user is asked for nothing. */
export async function endUnconfirmed(database: Queryable): Promise<void> {
  await database.query(
    `update psd2_consents
        set state = 'ended', confirmation_sha256 = null, told_until = 'infinity', next_fetch_at = now()
      where state = 'unconfirmed'
        and confirmed_until < now()`,
  );
}

/** Of their end nobody needs to be told. */
async function replaceEarlier(transaction: Queryable, userId: number, bankId: string): Promise<void> {
  await transaction.query(
    `update psd2_consents
        set state = 'ended',
            told_until = 'infinity',
            next_fetch_at = case when state = 'active' then now() else next_fetch_at end
      where user_id = $1
        and bank_id = $2
        and state <> 'unconfirmed'
        and (state = 'active' or told_until is distinct from 'infinity')`,
    [userId, bankId],
  );
}

function digestOf(code: string): Buffer {
  return hash("sha256", code, "buffer");
}

export async function renewTokens(
  database: Queryable,
  keyEncryptionKey: Buffer,
  { id, reference }: Pick<Consent, "id" | "reference">,
  tokens: BankTokens,
): Promise<void> {
  await database.query(
    `update psd2_consents
        set access_token_sealed = $2, refresh_token_sealed = coalesce($3, refresh_token_sealed), token_expires_at = now() + make_interval(secs => $4)
      where id = $1`,
    [id, ...sealed(keyEncryptionKey, reference, tokens)],
  );
}

function sealed(
  keyEncryptionKey: Buffer,
  reference: string,
  { accessToken, refreshToken, expiresInSeconds }: BankTokens,
): [Buffer, Buffer | null, number] {
  return [
    encryptSecret(keyEncryptionKey, accessAs(reference), accessToken),
    refreshToken === null ? null : encryptSecret(keyEncryptionKey, refreshAs(reference), refreshToken),
    expiresInSeconds,
  ];
}

type Row = Omit<Consent, "accessToken" | "refreshToken"> & { access: Buffer; refresh: Buffer | null };

/**
 * Takes one that is due to be fetched, put off for `leaseMs` so that no other machine fetches it meanwhile. Null: none
 * is due.
 */
export function claimDueConsent(
  database: Queryable,
  keyEncryptionKey: Buffer,
  leaseMs: number,
): Promise<Consent | null> {
  return claimConsent(database, keyEncryptionKey, leaseMs, "c.state = 'active' and users.deleted_at is null");
}

/** Takes one that ended here and that the bank does not know of yet, in the same way. */
export function claimEndedConsent(
  database: Queryable,
  keyEncryptionKey: Buffer,
  leaseMs: number,
): Promise<Consent | null> {
  return claimConsent(database, keyEncryptionKey, leaseMs, "c.state = 'ended' and c.given_back_at is null");
}

async function claimConsent(
  database: Queryable,
  keyEncryptionKey: Buffer,
  leaseMs: number,
  condition: string,
): Promise<Consent | null> {
  const { rows } = await database.query<Row>(
    `with due as (
       select c.id
         from psd2_consents c
         join users on users.id = c.user_id
        where ${condition}
          and c.next_fetch_at <= now()
        order by c.next_fetch_at
        limit 1
          for update of c skip locked
     ),
     taken as (
       update psd2_consents c set next_fetch_at = now() + make_interval(secs => $1) from due where c.id = due.id returning c.*
     )
     select taken.id, taken.user_id as "userId", taken.partner_id as "partnerId", users.bank_user_id as "bankUserId", taken.bank_id as "bankId", taken.bank_name as "bankName",
            taken.reference, taken.access_token_sealed as access, taken.refresh_token_sealed as refresh, taken.token_expires_at as "tokenExpiresAt",
            taken.created_at as "agreedAt", taken.valid_until as "validUntil", taken.first_fetched_at is null as "isFirst", brands.time_zone as "timeZone",
            brands.currency
       from taken
       join users on users.id = taken.user_id
       join brands on brands.partner_id = users.partner_id and brands.id = users.brand_id`,
    [leaseMs / 1000],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { access, refresh, ...consent } = row;
  return {
    ...consent,
    accessToken: decryptSecret(keyEncryptionKey, accessAs(row.reference), access),
    refreshToken: refresh === null ? null : decryptSecret(keyEncryptionKey, refreshAs(row.reference), refresh),
  };
}

export async function markFetched(database: Queryable, id: string, nextInMs: number): Promise<void> {
  await database.query(
    "update psd2_consents set first_fetched_at = coalesce(first_fetched_at, now()), next_fetch_at = now() + make_interval(secs => $2), last_failure = null where id = $1",
    [id, nextInMs / 1000],
  );
}

/** @param failure a code, never a body */
export async function markFailed(database: Queryable, id: string, failure: string, nextInMs: number): Promise<void> {
  await database.query(
    "update psd2_consents set last_failure = $2, next_fetch_at = now() + make_interval(secs => $3) where id = $1",
    [id, failure, nextInMs / 1000],
  );
}

/** Its fetch was broken off: the next one who looks takes it. */
export async function putForward(database: Queryable, id: string): Promise<void> {
  await database.query("update psd2_consents set next_fetch_at = now() where id = $1", [id]);
}

/** It ends here, and is given back to its bank next. @param reason a code */
export async function endConsent(database: Queryable, id: string, reason: string): Promise<boolean> {
  const { rowCount } = await database.query(
    "update psd2_consents set state = 'ended', confirmation_sha256 = null, last_failure = $2, next_fetch_at = now() where id = $1 and state <> 'ended'",
    [id, reason],
  );
  return rowCount === 1;
}

/** The bank ended it, so that nothing is to be given back. */
export async function endGoneConsent(database: Queryable, id: string, failure: string): Promise<void> {
  await database.query(
    `update psd2_consents set state = 'ended', last_failure = $2, ${forgotten} where id = $1 and state = 'active'`,
    [id, failure],
  );
}

/** Those of users whom their partner deleted. */
export async function endConsentsOfDeleted(database: Queryable): Promise<void> {
  await database.query(
    `update psd2_consents
        set state = 'ended', confirmation_sha256 = null, next_fetch_at = now()
       from users
      where users.id = psd2_consents.user_id
        and users.deleted_at is not null
        and psd2_consents.state <> 'ended'`,
  );
}

/** Of no use to anybody any more, so that the tokens need not be kept. */
const forgotten = "given_back_at = now(), access_token_sealed = null, refresh_token_sealed = null";

export async function markGivenBack(database: Queryable, id: string): Promise<void> {
  await database.query(`update psd2_consents set ${forgotten} where id = $1`, [id]);
}

export async function putOffGivingBack(database: Queryable, id: string, nextInMs: number): Promise<void> {
  await database.query("update psd2_consents set next_fetch_at = now() + make_interval(secs => $2) where id = $1", [
    id,
    nextInMs / 1000,
  ]);
}

export type EndingConsent = { id: string; userId: number; bankName: string; validUntil: Day; hasEnded: boolean };

/**
 * Consents that end within the days, or have ended, and of which the user was not told at that stage. Ends those that
 * are over: validUntil is the last day on which they hold (XS2A implementation guidelines, "validUntil").
 */
export async function markEndingTold(
  transaction: Transaction,
  today: Day,
  withinDays: number,
): Promise<EndingConsent[]> {
  const { rows } = await transaction.query<EndingConsent>(
    `update psd2_consents c
        set told_until = case when c.valid_until < $1::date or c.state = 'ended' then 'infinity'::date else c.valid_until end,
            state = case when c.valid_until < $1::date then 'ended' else c.state end
       from users
      where users.id = c.user_id
        and users.deleted_at is null
        and (
          (c.state = 'active' and c.valid_until <= $1::date + $2::int and c.told_until is null)
          or (c.state = 'active' and c.valid_until < $1::date and c.told_until is distinct from 'infinity'::date)
          or (c.state = 'ended' and c.last_failure is not null and c.told_until is distinct from 'infinity'::date)
        )
     returning c.id, c.user_id as "userId", c.bank_name as "bankName", c.valid_until as "validUntil", c.state = 'ended' as "hasEnded"`,
    [today, withinDays],
  );
  return rows;
}

/** The consent if it has ended and its user was not told of that. */
export async function markEndedTold(transaction: Transaction, id: string): Promise<EndingConsent[]> {
  const { rows } = await transaction.query<EndingConsent>(
    `update psd2_consents c
        set told_until = 'infinity'
       from users
      where c.id = $1
        and c.state = 'ended'
        and c.told_until is distinct from 'infinity'::date
        and users.id = c.user_id
        and users.deleted_at is null
     returning c.id, c.user_id as "userId", c.bank_name as "bankName", c.valid_until as "validUntil", true as "hasEnded"`,
    [id],
  );
  return rows;
}

export type ListedConsent = {
  id: string;
  partnerId: string;
  bankUserId: string;
  bankId: string;
  state: string;
  validUntil: Day;
  lastFailure: string | null;
  nextFetchAt: Date;
};

export async function listConsents(
  database: Queryable,
  partnerId: string | null,
  limit: number,
): Promise<ListedConsent[]> {
  const { rows } = await database.query<ListedConsent>(
    `select c.id, c.partner_id as "partnerId", users.bank_user_id as "bankUserId", c.bank_id as "bankId", c.state, c.valid_until as "validUntil", c.last_failure as "lastFailure",
            c.next_fetch_at as "nextFetchAt"
       from psd2_consents c
       join users on users.id = c.user_id
      where $1::text is null or c.partner_id = $1
      order by c.created_at desc
      limit $2`,
    [partnerId, limit],
  );
  return rows;
}
