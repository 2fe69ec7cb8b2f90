/**
 * A pool whose every statement says for whom it runs, in the settings by which row-level security judges
 * (migrations/020_row_level_security.ts). Settings last for the transaction, which for a single statement is the
 * statement: a connection that goes back to the pool carries nobody's name, and one whose holder said nothing sees
 * nothing.
 */
import pg from "pg";
import { queryTogether } from "./pg-inside.ts";
import type { Tenant } from "./tenant.ts";

const settingName = "tenant";
const settingText = "select set_config('tideline.partner', $1, true), set_config('tideline.subject', $2, true)";

export class TenantPool extends pg.Pool {
  readonly #tenant: () => Tenant;
  readonly #prepared = new WeakSet<pg.PoolClient>();

  constructor(config: pg.PoolConfig, tenant: () => Tenant) {
    super(config);
    this.#tenant = tenant;
    // The many signatures of a pool's query come down to one here: no callbacks, no streams.
    this.query = this.#query.bind(this) as unknown as pg.Pool["query"];
  }

  /** What begins a transaction for the present tenant, in one trip. */
  begin(): string {
    const [partner, subject] = valuesOf(this.#tenant()).map(pg.escapeLiteral);
    return `begin; select set_config('tideline.partner', ${partner}, true), set_config('tideline.subject', ${subject}, true)`;
  }

  async #query(text: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> {
    const tenant = valuesOf(this.#tenant());
    const client = await this.connect();
    let failure: Error | undefined;
    try {
      // Once a connection: from then on the setting costs no parsing.
      if (!this.#prepared.has(client)) {
        await client.query({ name: settingName, text: settingText, values: ["", ""] });
        this.#prepared.add(client);
      }
      const config = typeof text === "string" ? { text, ...(values === undefined ? {} : { values }) } : text;
      return await queryTogether(client, { name: settingName, values: tenant }, config);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      // As a pool's own query does: a connection on which something failed is not used again.
      client.release(failure);
    }
  }
}

function valuesOf({ partnerId, subject }: Tenant): [string, string] {
  return [partnerId ?? "", subject ?? ""];
}
