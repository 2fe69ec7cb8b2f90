/** `tideline database reader …`: logins that read a partner's views of the schema `analytics`, and nothing else. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { inTransaction, type Queryable } from "../../database/database.ts";
import { superuserUrl } from "../../database/embedded/cluster.ts";
import { Fault } from "../../errors.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { partnerExists } from "../../partners/overview.ts";
import {
  allowReader,
  forbidReader,
  listReaders,
  readerNames,
  readerStatements,
  removalStatements,
} from "../../partners/readers.ts";
import { commonOptions, configOf, readArguments, required, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, printResult } from "../terminal/result.ts";
import { type Session, withSession } from "./session.ts";

export async function run(argv: string[]): Promise<number> {
  const [verb = "", ...rest] = argv;
  if (verb === "add") return await add(rest);
  if (verb === "remove") return await remove(rest);
  if (verb === "list") return await list(rest);
  return usageError(`There is no "tideline database reader ${verb}"; there are add, remove and list.`);
}

async function add(argv: string[]): Promise<number> {
  const options = { ...commonOptions, partner: { type: "string", multiple: true } } as const;
  const { values, positionals } = readArguments(argv, options);
  const login = nameOf(positionals);
  const partners = [...new Set(values.partner ?? usageError("--partner is missing."))].toSorted();
  return await withSession(configOf(values), async (session) => {
    const { database } = session;
    await assertViews(database);
    await assertNew(database, login);
    for (const partner of partners)
      if (!(await partnerExists(database, partner))) throw new Fault("NOT_FOUND", `There is no partner "${partner}".`);
    const password = randomBytes(24).toString("base64url");
    const address = new URL(session.url);
    [address.username, address.password] = [login, password];
    const statements = readerStatements(login, databaseNameOf(session), password);
    const isMade = await asAdministrator(session, statements);
    await inTransaction(database, async (transaction) => {
      await allowReader(transaction, login, partners);
      for (const partnerId of partners)
        await recordAudit(transaction, commandLineActor(), { partnerId, event: "reader.added", details: { login } });
    });
    const script = ["-- Holds a password: keep it as you keep them.", ...statements.map((one) => `${one};`)];
    printResult(values.json, { login, partners, url: address.href, statements: isMade ? [] : statements }, [
      ...(isMade ? [] : script),
      `${isMade ? "" : "-- "}${address.href}`,
    ]);
    return exitCode.done;
  });
}

async function remove(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const login = nameOf(positionals);
  return await withSession(configOf(values), async (session) => {
    await assertViews(session.database);
    const partners = await inTransaction(session.database, async (transaction) => {
      const seen = await forbidReader(transaction, login);
      for (const partnerId of seen)
        await recordAudit(transaction, commandLineActor(), { partnerId, event: "reader.removed", details: { login } });
      return seen;
    });
    if (partners.length === 0) throw new Fault("NOT_FOUND", `There is no reader "${login}".`);
    const statements = removalStatements(login, databaseNameOf(session));
    const isDone = !(await roleExists(session.database, login)) || (await asAdministrator(session, statements));
    printResult(values.json, { login, partners, statements: isDone ? [] : statements }, [
      `${isDone ? "" : "-- "}${login} sees nothing any more.`,
      ...(isDone ? [] : statements.map((one) => `${one};`)),
    ]);
    return exitCode.done;
  });
}

async function list(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, commonOptions);
  return await withSession(configOf(values), async ({ database }) => {
    await assertViews(database);
    const readers = await listReaders(database);
    const rows = readers.map(({ login, partnerIds, canLogIn }) => [
      login,
      canLogIn ? "" : "not made yet",
      partnerIds.join(", "),
    ]);
    printResult(values.json, readers, readers.length === 0 ? ["No readers."] : alignColumns(rows));
    return exitCode.done;
  });
}

function nameOf(positionals: readonly string[]): string {
  const login = required(positionals[0], "NAME");
  if (!readerNames.test(login) || positionals.length > 1)
    usageError("NAME is of a to z, 0 to 9 and _, begins with a letter, and has at most 48 characters.");
  return login;
}

/** @throws Fault CONFIG_INVALID */
async function assertViews(database: Queryable): Promise<void> {
  const { rows } = await database.query<{ made: boolean }>(
    "select to_regclass('analytics.logins') is not null as made",
  );
  if (rows[0]?.made !== true)
    throw new Fault(
      "CONFIG_INVALID",
      "The database has no schema analytics of ours: whoever migrated it might not make one, or the name was taken.",
    );
}

/** @throws Fault COMMAND_USAGE */
async function assertNew(database: Queryable, login: string): Promise<void> {
  const readers = await listReaders(database);
  if (readers.some((reader) => reader.login === login) || (await roleExists(database, login)))
    usageError(`The server has a login "${login}" already: remove that reader, or take another name.`);
}

async function roleExists(database: Queryable, login: string): Promise<boolean> {
  const { rowCount } = await database.query("select 1 from pg_roles where rolname = $1", [login]);
  return rowCount === 1;
}

/** Of the embedded server we have the superuser; another one's administrator gets the statements. @returns whether done */
async function asAdministrator({ config, url }: Session, statements: readonly string[]): Promise<boolean> {
  if (config.databaseUrl !== undefined) return false;
  const client = new pg.Client({ connectionString: await superuserUrl(config.dataDir, url) });
  await client.connect();
  try {
    await client.query(`begin; ${statements.join("; ")}; commit`);
  } finally {
    await client.end();
  }
  return true;
}

function databaseNameOf({ url }: Session): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}
