/**
 * Poolers between us and PostgreSQL, such as PgBouncer. In transaction mode each transaction may run on another of the
 * server's connections: what a connection is told outlives no transaction, and a named statement is known only where
 * the pooler prepares it again (PgBouncer does from 1.21, with max_prepared_statements above 0). Addresses that lead
 * through one say so by `pooler=transaction`; here that is read, and held against what is found.
 */
import pg from "pg";
import { poolerMark, readAddress } from "../../config/addresses.ts";
import { Fault } from "../errors.ts";

/** What stands before a server. */
export type Pooler = {
  mode: "session" | "transaction" | "statement";
  /** Whether a named statement is known on whichever connection it runs. */
  keepsStatements: boolean;
  /** As it calls itself; null: it does not say so to this login. */
  version: string | null;
};

/** A pooler that has no connection to give says so by waiting. */
const answersWithinMs = 5000;
/** Others may take a connection from under the probe. */
const attemptsMax = 8;
const probe = { name: "tideline-probe", text: "select pg_backend_pid() as pid" };

/**
 * Looks what is there, with three connections and no trace. @returns null: the server itself
 * @throws pg's error when it cannot be reached
 */
export async function findPooler(url: string): Promise<Pooler | null> {
  const address = readAddress(url).url;
  const clients = [open(address), open(address)] as const;
  const [one, other] = clients;
  try {
    await one.connect();
    // What a pooler gives its clients to cancel by is not what the server's process is called.
    if ((await pidOf(one)) === told(one)) return null;
    await other.connect();
    return { ...(await examine(one, other)), version: await versionOf(address) };
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

function open(url: string): pg.Client {
  const settings = [`application_name=tideline+probe`, `query_timeout=${answersWithinMs}`];
  const connectionString = `${url}${url.includes("?") ? "&" : "?"}${settings.join("&")}`;
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: answersWithinMs });
  client.on("error", () => undefined);
  return client;
}

/** pg's types leave out what the server said at the beginning. */
function told(client: pg.Client): number {
  return (client as unknown as { processID: number }).processID;
}

async function pidOf(client: pg.Client): Promise<number> {
  return (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid ?? 0;
}

/**
 * The one prepares a statement and is idle; the other begins a transaction. In transaction mode it gets the
 * connection that the one had, and the one must run its statement on another.
 */
async function examine(one: pg.Client, other: pg.Client): Promise<Omit<Pooler, "version">> {
  const pids = new Set<number>();
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const prepared = await pidNamed(one);
    if (prepared === null) return { mode: "transaction", keepsStatements: false };
    pids.add(prepared);
    const begun = await other.query("begin").then(
      () => true,
      () => false,
    );
    if (!begun) return { mode: "statement", keepsStatements: false };
    try {
      const taken = await pidOf(other);
      const later = await pidNamed(one);
      if (later === null) return { mode: "transaction", keepsStatements: false };
      pids.add(later);
      if (taken === prepared || pids.size > 1) return { mode: "transaction", keepsStatements: true };
    } finally {
      await other.query("rollback").catch(() => undefined);
    }
  }
  return { mode: "session", keepsStatements: true };
}

/** @returns null: the statement is not known there */
async function pidNamed(client: pg.Client): Promise<number | null> {
  try {
    return (await client.query<{ pid: number }>(probe)).rows[0]?.pid ?? 0;
  } catch (error) {
    // invalid_sql_statement_name, and duplicate_prepared_statement where another's is on that connection.
    if (error instanceof Error && "code" in error && (error.code === "26000" || error.code === "42P05")) return null;
    throw error;
  }
}

/** PgBouncer tells it to those of its admin_users and stats_users. */
async function versionOf(url: string): Promise<string | null> {
  const console = new URL(url);
  console.pathname = "/pgbouncer";
  const client = open(console.href);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>("show version");
    return rows[0]?.version ?? null;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** An address by its setting, and whether what uses it needs connections of its own. */
export type NamedAddress = { setting: string; url: string; needsSessions: boolean };

/** @returns what speaks against each address; `unreachable`: those of which nothing can be said now */
export async function examineAddresses(
  addresses: readonly NamedAddress[],
): Promise<{ problems: string[]; unreachable: string[] }> {
  const [problems, unreachable]: [string[], string[]] = [[], []];
  await Promise.all(
    addresses.map(async (address) => {
      try {
        const problem = judge(address, await findPooler(address.url));
        if (problem !== null) problems.push(problem);
      } catch (error) {
        unreachable.push(`${address.setting}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  );
  return { problems: problems.sort(), unreachable: unreachable.sort() };
}

/** Pure. @returns null: it can be used as it is */
export function judge({ setting, url, needsSessions }: NamedAddress, pooler: Pooler | null): string | null {
  if (pooler === null || pooler.mode === "session") return null;
  const what = pooler.version ?? "a pooler";
  if (pooler.mode === "statement")
    return `${setting} leads through ${what} in statement mode, which allows no transactions: set pool_mode = transaction`;
  if (needsSessions)
    return `${setting} leads through ${what} in transaction mode; migrations, the queue and the console hold connections of their own: name the server itself there`;
  if (!pooler.keepsStatements)
    return `${setting} leads through ${what} in transaction mode, which forgets named statements: PgBouncer does that before 1.21, and later with max_prepared_statements = 0; set it to 200`;
  if (!readAddress(url).isPooled)
    return `${setting} leads through ${what} in transaction mode: add ?${poolerMark}=transaction to it, so that nothing is told to a connection that the next transaction does not have`;
  return null;
}

/** @throws Fault POOLER_UNFIT */
export async function assertPoolersFit(addresses: readonly NamedAddress[]): Promise<void> {
  const { problems } = await examineAddresses(addresses);
  if (problems.length > 0) throw new Fault("POOLER_UNFIT", `${problems.join("; ")}.`);
}
