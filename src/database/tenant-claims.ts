/**
 * What an API process says with each statement: for whom it asks, until when, and an HMAC over both under a key of this
 * process that the API's login role cannot read (migrations/080_tenant_claims.ts judges it, 236_documents_of_callers.ts
 * one for several). SQL that got onto such a
 * connection can name another partner or user, and cannot prove it.
 *
 * A key lives as long as its process; it is entered by a connection that may, and forgotten an hour after the last
 * renewal. Expiries are in the database's time, so that no clock of ours counts.
 */
import { hash, randomBytes, randomUUID } from "node:crypto";
import type pg from "pg";
import type { Tenant, TenantUser } from "./tenant.ts";

/** HMAC-SHA-256's block: a key of its length is used as it is (RFC 2104, 2). */
const keyBytes = 64;
/** A key whose process says nothing for so long opens nothing. */
const keyLifeSeconds = 3600;
const renewEveryMs = 10 * 60_000;
/** How long a claim holds, at least half of it when it is used; longer than any statement that begins with it waits. */
const claimLifeSeconds = 300;
/** A UUID text's. */
const subjectLength = 36;
/** Claims of the present period; above that, the work of making them again is less than the memory. */
const keptMax = 20_000;

export class TenantClaims {
  readonly #database: Pick<pg.Pool, "query">;
  readonly #innerBlock: Buffer;
  readonly #outerBlock: Buffer;
  #id = randomUUID();
  #kept = new Map<string, string>();
  #keptUntil = 0;
  /** The database's seconds less ours, which only run forward. Null: not entered yet. */
  #ahead: number | null = null;
  #entering: Promise<void> | null = null;
  readonly #renewal: NodeJS.Timeout;

  /** @param database whose role may enter keys: never the connections that the claims are for */
  constructor(database: Pick<pg.Pool, "query">) {
    this.#database = database;
    const key = randomBytes(keyBytes);
    [this.#innerBlock, this.#outerBlock] = [
      Buffer.from(key.map((one) => one ^ 0x36)),
      Buffer.from(key.map((one) => one ^ 0x5c)),
    ];
    // What fails is tried again when a claim is refused.
    this.#renewal = setInterval(() => void this.enter().catch(() => undefined), renewEveryMs).unref();
  }

  /** A claim that holds for some minutes; the same text as long as half of its life is left. */
  async of(tenant: Tenant): Promise<string> {
    if (this.#ahead === null) await this.enter();
    return this.#claim(tenant.partnerId ?? "", tenant.subject ?? "");
  }

  /** One claim for all of them, in their order; of no use in place of one of theirs. */
  async ofSeveral(users: readonly TenantUser[]): Promise<string> {
    if (this.#ahead === null) await this.enter();
    const until = Math.ceil(this.#now() + claimLifeSeconds);
    return this.#sign(`${this.#id}${until}several ${users.map(tenantText).join(" ")}`);
  }

  /** Enters the key, or extends its life, and learns the database's time. Also what to do when a claim was refused. */
  async enter(): Promise<void> {
    this.#entering ??= this.#enter().finally(() => (this.#entering = null));
    await this.#entering;
  }

  async close(): Promise<void> {
    clearInterval(this.#renewal);
    await this.#entering?.catch(() => undefined);
    await this.#database.query("delete from tenant_keys where id = $1", [this.#id]).catch(() => undefined);
  }

  async #enter(): Promise<void> {
    const { rows } = await this.#database.query<{ now: number }>(
      `with gone as (delete from tenant_keys where expires_at < now() - interval '1 day')
       insert into tenant_keys (id, inner_block, outer_block, expires_at)
       values ($1, $2, $3, now() + make_interval(secs => $4))
       on conflict (id) do update set expires_at = excluded.expires_at
       returning extract(epoch from clock_timestamp())::float8 as now`,
      [this.#id, this.#innerBlock, this.#outerBlock, keyLifeSeconds],
    );
    this.#ahead = (rows[0]?.now ?? 0) - performance.now() / 1000;
    this.#keptUntil = 0;
  }

  #claim(partners: string, subject: string): string {
    if (partners === "" && subject === "") return "";
    const now = this.#now();
    if (now >= this.#keptUntil || this.#kept.size >= keptMax) {
      this.#kept = new Map();
      this.#keptUntil = now + claimLifeSeconds / 2;
    }
    const name = `${subject} ${partners}`;
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const until = Math.ceil(this.#keptUntil + claimLifeSeconds / 2);
    const claim = this.#sign(`${this.#id}${until}${subject.padEnd(subjectLength)}${partners}`);
    this.#kept.set(name, claim);
    return claim;
  }

  /** The database's time, in seconds. */
  #now(): number {
    return performance.now() / 1000 + (this.#ahead ?? 0);
  }

  #sign(covered: string): string {
    // HMAC as RFC 2104 writes it: an object for it, made and thrown away with each statement, took longer than its hashes.
    const innerText = Buffer.concat([this.#innerBlock, Buffer.from(covered)]);
    const outerText = Buffer.concat([this.#outerBlock, hash("sha256", innerText, "buffer")]);
    return hash("sha256", outerText, "hex") + covered;
  }
}

/** The SQLSTATE of a claim that does not hold: its key is not there any more, or time went otherwise than we thought. */
export function isClaimRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "TD001";
}

/** Partners' ids hold no space (`partners_id_is_url_safe`), nor do subjects, which are UUIDs. */
function tenantText({ partnerId, subject }: TenantUser): string {
  const text = `${subject}${partnerId}`;
  if (subject.length !== subjectLength || text.includes(" ")) throw new Error("a caller who is no user of a partner");
  return text;
}
