/**
 * A pool whose every statement says for whom it runs, in the settings by which row-level security judges
 * (migrations/020_row_level_security.ts). Settings last for the transaction, which for a single statement is the
 * statement: a connection that goes back to the pool carries nobody's name, and one whose holder said nothing sees
 * nothing.
 */
import pg from "pg";
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
      return await new Promise((resolve, reject) => {
        const done = (error: Error | null | undefined, result: pg.QueryResult) =>
          error ? reject(error) : resolve(result);
        const config = typeof text === "string" ? { text, ...(values === undefined ? {} : { values }) } : text;
        client.query(
          new TenantQuery(
            tenant,
            { ...config, queryMode: "extended" } as pg.QueryConfig,
            done,
          ) as unknown as pg.Submittable,
        );
      });
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

/** What a query of pg consists of and its types leave out. */
type Messages = {
  name?: string;
  submit(connection: Wire): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
};
type Wire = {
  stream: { cork(): void; uncork(): void; destroy(error?: Error): void };
  /** Every message passes through here. False: the connection is closed for writing. */
  _send(message: Buffer): boolean;
  bind(config: object): void;
  describe(config: object): void;
  execute(config: object): void;
};
const BareQuery = pg.Query as unknown as new (
  config: pg.QueryConfig,
  done: (error: Error | null | undefined, result: pg.QueryResult) => void,
) => Messages;

/**
 * By connection and a statement's name: what its rows look like, which no later run of it changes: PostgreSQL refuses
 * that (0A000).
 */
const knownRows = new WeakMap<Wire, Map<string, unknown>>();

/**
 * A statement that goes out together with its setting, before one Sync: one trip, and one implicit transaction for both
 * (PostgreSQL, "Frontend/Backend Protocol", 54.2.4 and 54.2.5). All messages are one write, and a named statement's
 * rows are described once a connection: a tenth of what such a statement costs this process went there.
 */
class TenantQuery extends BareQuery {
  readonly #tenant: readonly [string, string];
  #isSet = false;
  #rows: Map<string, unknown> | undefined;

  constructor(
    tenant: readonly [string, string],
    config: pg.QueryConfig,
    done: (error: Error | null | undefined, result: pg.QueryResult) => void,
  ) {
    super(config, done);
    this.#tenant = tenant;
  }

  override submit(connection: Wire): Error | null {
    this.#rows = rowsOf(connection);
    const known = this.name === undefined ? undefined : this.#rows.get(this.name);
    if (known !== undefined) super.handleRowDescription(known);
    const messages: Buffer[] = [];
    const gathering = gatherInto(messages, connection, known !== undefined);
    gathering.bind({ statement: settingName, values: this.#tenant });
    gathering.execute({});
    const refused = super.submit(gathering);
    // A bug of ours: two texts under one name. Nothing of it is sent.
    if (refused === null) connection._send(Buffer.concat(messages));
    return refused;
  }

  override handleRowDescription(message: unknown): void {
    if (this.name !== undefined) this.#rows?.set(this.name, message);
    super.handleRowDescription(message);
  }

  /** The first row and the first end are the setting's. */
  override handleDataRow(message: unknown): void {
    if (this.#isSet) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#isSet) super.handleCommandComplete(message, connection);
    this.#isSet = true;
  }
}

function rowsOf(connection: Wire): Map<string, unknown> {
  const known = knownRows.get(connection);
  if (known !== undefined) return known;
  const rows = new Map<string, unknown>();
  knownRows.set(connection, rows);
  return rows;
}

/** The connection, but that its messages are kept back, and asks for no description where that is known. */
function gatherInto(messages: Buffer[], connection: Wire, isDescribed: boolean): Wire {
  const gathering = Object.create(connection) as Wire;
  gathering._send = (message) => messages.push(message) > 0;
  gathering.stream = unwritten;
  if (isDescribed) gathering.describe = () => undefined;
  return gathering;
}

const unwritten: Wire["stream"] = { cork: () => undefined, uncork: () => undefined, destroy: () => undefined };
