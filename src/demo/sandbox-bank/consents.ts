/** The sandbox bank's own memory of consents and tokens. SQL. Secrets are kept as digests. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Day } from "../../time/calendar.ts";
import type { Queryable } from "../../database/database.ts";

export type SandboxConsent = {
  id: string;
  status: string;
  validUntil: Day;
  person: string | null;
  accountIds: string[];
  redirectUri: string | null;
};

const secretBytes = 32;
const tokenSeconds = 600;
const select = `select id, status, valid_until as "validUntil", person, account_ids as "accountIds", redirect_uri as "redirectUri" from sandbox_consents`;

/** Anyone can ask for one. Some people trying a bank out have tens; calls at the same moment may go over it by one each. */
const consentsMax = 1000;
/** A user who has not decided within this has gone. */
const undecidedMinutes = 60;

/** Null: there are as many as there may be. */
export async function makeConsent(database: Queryable, validUntil: Day): Promise<string | null> {
  const id = randomUUID();
  const { rowCount } = await database.query(
    `insert into sandbox_consents (id, valid_until)
     select $1, $2
      where (select count(*) from sandbox_consents) < $3`,
    [id, validUntil, consentsMax],
  );
  return rowCount === 1 ? id : null;
}

/** What nobody decided in time, what was ended, and what is past its last day. @returns how many went */
export async function removeOldConsents(database: Queryable, today: Day): Promise<number> {
  const { rowCount } = await database.query(
    `delete from sandbox_consents
      where valid_until < $1
         or (status <> 'valid' and created_at < now() - make_interval(mins => $2))`,
    [today, undecidedMinutes],
  );
  return rowCount ?? 0;
}

export async function findConsent(database: Queryable, id: string): Promise<SandboxConsent | null> {
  const { rows } = await database.query<SandboxConsent>(`${select} where id::text = $1`, [id]);
  return rows[0] ?? null;
}

/** The user agreed: @returns the code to bring back; null when the consent was decided before. */
export async function approve(
  database: Queryable,
  id: string,
  decision: { person: string; accountIds: readonly string[]; redirectUri: string; challenge: string },
): Promise<string | null> {
  const code = randomBytes(secretBytes).toString("base64url");
  const { rowCount } = await database.query(
    `update sandbox_consents
        set status = 'valid', person = $2, account_ids = $3, redirect_uri = $4, challenge = $5, code_sha256 = $6
      where id::text = $1
        and status = 'received'`,
    [id, decision.person, decision.accountIds, decision.redirectUri, decision.challenge, digest(code)],
  );
  return rowCount === 1 ? code : null;
}

export async function reject(database: Queryable, id: string): Promise<void> {
  await database.query("update sandbox_consents set status = 'rejected' where id::text = $1 and status = 'received'", [
    id,
  ]);
}

export async function terminate(database: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await database.query(
    "update sandbox_consents set status = 'terminatedByTpp', access_sha256 = null, refresh_sha256 = null where id::text = $1",
    [id],
  );
  return rowCount === 1;
}

export type SandboxTokens = { access_token: string; refresh_token: string; token_type: "Bearer"; expires_in: number };

/** A code counts once, with its verifier and its address (RFC 7636, 4.6). Null: refused. */
export async function redeemCode(
  database: Queryable,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<SandboxTokens | null> {
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  return await issueTokens(database, "code_sha256 = $1 and challenge = $4 and redirect_uri = $5", [
    digest(code),
    challenge,
    redirectUri,
  ]);
}

export async function redeemRefreshToken(database: Queryable, token: string): Promise<SandboxTokens | null> {
  return await issueTokens(database, "refresh_sha256 = $1", [digest(token)]);
}

async function issueTokens(
  database: Queryable,
  condition: string,
  [secret, ...more]: [Buffer, ...string[]],
): Promise<SandboxTokens | null> {
  const [access, refresh] = [
    randomBytes(secretBytes).toString("base64url"),
    randomBytes(secretBytes).toString("base64url"),
  ];
  const { rowCount } = await database.query(
    `update sandbox_consents set code_sha256 = null, access_sha256 = $2, refresh_sha256 = $3 where status = 'valid' and ${condition}`,
    [secret, digest(access), digest(refresh), ...more],
  );
  return rowCount === 1
    ? { access_token: access, refresh_token: refresh, token_type: "Bearer", expires_in: tokenSeconds }
    : null;
}

/**
 * The consent that the token stands for, as long as it is valid. @param today the business day: consents are made for
 * days of its clock
 */
export async function findByToken(database: Queryable, token: string, today: Day): Promise<SandboxConsent | null> {
  const { rows } = await database.query<SandboxConsent>(
    `${select} where access_sha256 = $1 and status = 'valid' and valid_until >= $2`,
    [digest(token), today],
  );
  return rows[0] ?? null;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
