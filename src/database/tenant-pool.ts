/**
 * A pool whose every statement says for whom it runs, by a claim that row-level security judges
 * (migrations/080_tenant_claims.ts). It lasts for the transaction, which for a single statement is the statement: a
 * connection that goes back to the pool carries nobody's name, and one whose holder said nothing sees nothing. Claims
 * are bound, never written into a statement's text: other connections of the role could read that in pg_stat_activity.
 */
import pg from "pg";
import { queryBytes, queryTogether } from "./pg-inside.ts";
import type { RowFields } from "./row-bytes.ts";
import { isClaimRefused, type TenantClaims } from "./tenant-claims.ts";
import type { Tenant, TenantUser } from "./tenant.ts";

const claimName = "tenant";
const claimText = "select set_config('tideline.tenant', $1, true)";
/** With it, for a connection that could not be told at its beginning, how long a statement of the transaction may take. */
const claimTextWithTime = "select set_config('tideline.tenant', $1, true), set_config('statement_timeout', $2, true)";
const beginName = "tenant-begin";

export class TenantPool extends pg.Pool {
  readonly #tenant: () => Tenant;
  readonly #claims: TenantClaims;
  readonly #prepared = new WeakSet<pg.PoolClient>();
  readonly #endsAfter: readonly string[];
  readonly #claimText: string;

  /** @param endsAfterMs goes with each claim, where a connection cannot keep it; null: it can, or there is none */
  constructor(
    config: pg.PoolConfig,
    tenant: () => Tenant,
    claims: TenantClaims,
    { endsAfterMs }: { endsAfterMs: number | null } = { endsAfterMs: null },
  ) {
    super(config);
    this.#endsAfter = endsAfterMs === null ? [] : [String(endsAfterMs)];
    this.#claimText = endsAfterMs === null ? claimText : claimTextWithTime;
    this.#tenant = tenant;
    this.#claims = claims;
    // The many signatures of a pool's query come down to one here: no callbacks, no streams.
    this.query = this.#query.bind(this) as unknown as pg.Pool["query"];
  }

  /** Begins a transaction for the present tenant, in one trip. */
  async begin(client: pg.PoolClient): Promise<void> {
    const claim = await this.#claims.of(this.#tenant());
    await this.#prepare(client);
    await queryTogether(
      client,
      { name: beginName, values: [] },
      {
        name: claimName,
        text: this.#claimText,
        values: [claim, ...this.#endsAfter],
      },
    );
  }

  /** Runs one statement that is about nobody, and which row-level security lets see nothing of anybody. */
  async queryForNobody(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    return await this.#onConnection((client) => queryTogether(client, null, statement));
  }

  /**
   * Runs one statement that is about several users and judges the claim for them itself; to row-level security it is
   * nobody's. Gives each row as bytes in PostgreSQL's binary format as soon as it is there; from the beginning again
   * where the claim had to be made anew.
   * @param statement made of the claim, which covers the users in their order
   */
  async readForSeveral(
    users: readonly TenantUser[],
    statement: (claim: string) => pg.QueryConfig,
    take: (fields: RowFields) => void,
  ): Promise<void> {
    await this.#again(async () => {
      const claim = await this.#claims.ofSeveral(users);
      await this.#onConnection((client) => queryBytes(client, statement(claim), take));
    });
  }

  async #query(text: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> {
    const config = typeof text === "string" ? { text, ...(values === undefined ? {} : { values }) } : text;
    const tenant = this.#tenant();
    return await this.#again(async () => {
      const claim = await this.#claims.of(tenant);
      return await this.#onConnection(async (client) => {
        await this.#prepare(client);
        return await queryTogether(client, { name: claimName, values: [claim, ...this.#endsAfter] }, config);
      });
    });
  }

  async #again<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isClaimRefused(error)) throw error;
      // Nothing was done. A database restored from a backup knows no key of ours, and one whose clock was set is elsewhere.
      await this.#claims.enter();
      return await work();
    }
  }

  async #onConnection<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.connect();
    let failure: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      // As a pool's own query does: a connection on which something failed is not used again.
      client.release(failure);
    }
  }

  /** Once a connection: from then on a claim costs no parsing. */
  async #prepare(client: pg.PoolClient): Promise<void> {
    if (this.#prepared.has(client)) return;
    await client.query({ name: claimName, text: this.#claimText, values: ["", ...this.#endsAfter] });
    await client.query({ name: beginName, text: "begin", values: [] });
    await client.query("rollback");
    this.#prepared.add(client);
  }
}
