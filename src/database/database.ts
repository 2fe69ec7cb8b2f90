/** Connections and transactions. SQL itself lives in the stage that owns the table. */
import { readFile } from "node:fs/promises";
import pg from "pg";
import { readAddress } from "../../config/addresses.ts";
import { Fault } from "../errors.ts";
import type { TenantClaims } from "./tenant-claims.ts";
import { TenantPool } from "./tenant-pool.ts";
import type { Tenant } from "./tenant.ts";

// Days stay text (a Date would shift them by the zone); counts are far below 2^53.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is beyond 2^53`);
  return value;
});

/** Anything that runs a bound statement: a pool, or a client inside a transaction. */
export type Queryable = {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    text: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>>;
};

export type Database = pg.Pool;
export type Transaction = pg.PoolClient;

/** PostgreSQL 15 brought what the schema and the loader use; older servers are refused at the start. */
const serverVersionMin = 150_000;

export type DatabaseOptions = {
  /** Connections at most. */
  sizeMax: number;
  applicationName: string;
  /** Schema of unqualified names; default: the server's. */
  schema?: string;
  /**
   * A statement that takes longer fails, whether the server is busy, locked or silent. For callers who wait; default:
   * none.
   */
  answersWithinMs?: number;
  /**
   * Whether a commit returns before it is on disk; default: no. A server that loses its power then forgets what it
   * committed in the last second, all of it.
   */
  commitsQuickly?: boolean;
  /** Whether its connections refuse to change anything; default: no. */
  readOnly?: boolean;
  /** The role that its connections take on; default: the one that logs in. */
  role?: string;
  /**
   * Asked with every statement, and at the beginning of every transaction: whose rows it is to see, and how the database
   * is convinced of it. Default: no such bounds.
   */
  tenant?: { present: () => Tenant; claims: TenantClaims };
};

/** A server that vanished without a word is noticed after so long, plus ten unanswered probes a second apart. */
const keepAliveAfterMs = 10_000;

/** Beyond a statement's own time: a server that is there has said by then that it gave up. */
const silenceMs = 1000;

/**
 * Opens a pool; a connection attempt fails after ten seconds. Through a pooler a connection is told nothing at its
 * beginning: there the server ends a caller's statement by what goes with its claim, and others' by its own settings.
 */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const address = readAddress(url);
  const startOptions = [
    ...(options.schema === undefined ? [] : [`search_path=${options.schema}`]),
    ...(options.role === undefined ? [] : [`role=${options.role}`]),
    ...(options.commitsQuickly === true ? ["synchronous_commit=off"] : []),
    ...(options.readOnly === true ? ["default_transaction_read_only=on"] : []),
  ];
  if (address.isPooled && startOptions.length > 0)
    throw new Error(`through a pooler no connection has ${startOptions.join(", ")}`);
  const settings: pg.PoolConfig = {
    connectionString: address.url,
    max: options.sizeMax,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    ...(startOptions.length === 0 ? {} : { options: startOptions.map((option) => `-c ${option}`).join(" ") }),
    // The server gives up first, which keeps the connection; a server that says nothing costs it.
    ...(options.answersWithinMs === undefined
      ? {}
      : {
          ...(address.isPooled ? {} : { statement_timeout: options.answersWithinMs }),
          query_timeout: options.answersWithinMs + silenceMs,
        }),
  };
  const pool =
    options.tenant === undefined
      ? new pg.Pool(settings)
      : new TenantPool(settings, options.tenant.present, options.tenant.claims, {
          endsAfterMs: address.isPooled ? (options.answersWithinMs ?? null) : null,
        });
  // A connection that breaks while nobody uses it is replaced by the next query, and one that breaks between two
  // statements of its holder fails the next of them. Without listeners either would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** @throws Fault POSTGRES_UNREACHABLE, POSTGRES_TOO_OLD */
export async function assertUsable(database: Database): Promise<void> {
  let version: number;
  try {
    const { rows } = await database.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    version = rows[0]?.version ?? 0;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Fault("POSTGRES_UNREACHABLE", `The database does not answer (${why}).`, { cause });
  }
  if (version < serverVersionMin)
    throw new Fault("POSTGRES_TOO_OLD", `The database server is version ${version / 10_000}.`);
}

/**
 * A condition that holds, and lets the statement, alone in its transaction, commit without waiting for the disk: for what
 * is found or made again after a power cut. Each flush that nobody needs is one for which acceptances wait.
 */
export const commitsQuickly = "set_config('synchronous_commit', 'off', true) is not null";

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
export async function inTransaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await database.connect();
  let broken: Error | undefined;
  try {
    return await transact(client, () => work(client), {
      ...(database instanceof TenantPool ? { begin: () => database.begin(client) } : {}),
      onBroken: (error) => {
        broken = error;
      },
    });
  } finally {
    client.release(broken);
  }
}

/**
 * For a transaction that only holds locks from here on, for however long. A statement with parameters keeps its snapshot
 * until the next one, and old rows are kept for it meanwhile; and a server may end who rests in a transaction.
 */
export async function restHolding(transaction: Transaction): Promise<void> {
  await transaction.query("set local idle_in_transaction_session_timeout = 0");
}

export type TransactionOptions<Result> = {
  /** The statement that opens it, or what does so, where more is set with it. */
  begin?: string | (() => Promise<void>);
  /** Whether what `work` returned is to be kept; default: always. Else it is rolled back, and nothing has failed. */
  keeps?: (result: Result) => boolean;
  /** The rollback after a failure failed too: a connection that is gone rolls back by itself, and is of no more use. */
  onBroken?: (error: Error) => void;
};

/**
 * One transaction on a connection that its holder keeps: committed when `work` returns, rolled back when it throws. The
 * failure that is thrown is the first one.
 */
export async function transact<Result>(
  client: Transaction,
  work: () => Promise<Result>,
  { begin = "begin", keeps = () => true, onBroken = () => undefined }: TransactionOptions<Result> = {},
): Promise<Result> {
  try {
    await (typeof begin === "string" ? client.query(begin) : begin());
    const result = await work();
    await client.query(keeps(result) ? "commit" : "rollback");
    return result;
  } catch (error) {
    await client.query("rollback").catch(onBroken);
    throw error;
  }
}

/** Whether an error means that the database is away or refused to serve, as opposed to a wrong statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  // Class 08 connection, 57 shutdown and statements that took too long, 53 resources, and 25006: a primary that became
  // a standby, in a failover.
  if (/^(08|57|53|25006)/.test(code)) return true;
  // Node's own codes, its resolver's and its network's included; pg's messages carry none.
  if (/^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT|EHOST|ENET|EAI_)/.test(code)) return true;
  return /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error/i.test(
    error.message,
  );
}

/** Whether the database refused a statement, and is there. */
export function isOfStatement(error: unknown): boolean {
  return error instanceof Error && /^[0-9A-Z]{5}$/.test(codeOf(error)) && !isDatabaseAway(error);
}

/** An error's code; one that came out of a thread has it in its cause. */
export function codeOf(error: Error): string {
  if ("code" in error) return String(error.code);
  const { cause } = error;
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
}

/** The package's version, for the log and the OpenAPI document. */
export async function packageVersion(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
