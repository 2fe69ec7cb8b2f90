/** `tideline database`: logins with which the service reaches a PostgreSQL of its operator's own, and logins of readers. */
import { randomBytes } from "node:crypto";
import { Fault } from "../../errors.ts";
import { arrangementStatements, type ServiceRole, serviceRoles } from "../../database/service-roles.ts";
import { commonOptions, configOf, readArguments, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";

export const usage = `
tideline database roles --script
tideline database reader add NAME --partner P…
tideline database reader remove NAME
tideline database reader list

Prints the statements by which an administrator of the server in DATABASE_URL makes the service's four login roles, to
be run by psql in its database: tideline_migrator owns the schema, tideline_jobs and tideline_loader work for all
partners and own nothing, tideline_api serves callers under row-level security. Behind them, as comments, the addresses
to set. The passwords are new with each printing. The embedded database has these roles by itself.

reader add makes a login for reporting: it reads the views of the schema analytics (users, services, transactions, budgets),
of these partners only, with masked account numbers, and can change nothing. Printed is its address; on a server of one's
own the statements for its administrator as well. remove ends it at once. Each takes --data-dir DIR and --json.
`;

const options = { ...commonOptions, script: { type: "boolean" } } as const;

export async function run(argv: string[]): Promise<number> {
  if (argv[0] === "reader") return await (await import("./database-reader.ts")).run(argv.slice(1));
  const { values, positionals } = readArguments(argv, options);
  const { databaseUrl } = configOf(values);
  if (positionals.join(" ") !== "roles" || values.script !== true)
    usageError("Of databases there are `tideline database roles --script` and `tideline database reader`.");
  if (databaseUrl === undefined)
    throw new Fault("CONFIG_INVALID", "There is no DATABASE_URL, and the embedded database has its roles already.");
  console.log(scriptFor(new URL(databaseUrl)));
  return exitCode.done;
}

function scriptFor(server: URL): string {
  const names = Object.keys(serviceRoles) as ServiceRole[];
  const passwords = Object.fromEntries(names.map((role) => [role, randomBytes(24).toString("base64url")])) as Record<
    ServiceRole,
    string
  >;
  const databaseName = decodeURIComponent(server.pathname.slice(1));
  const addressOf = (role: ServiceRole): string => {
    const address = new URL(server);
    [address.username, address.password] = [serviceRoles[role], passwords[role]];
    return address.href;
  };
  return [
    "-- Roles of Tideline. Holds passwords: keep it as you keep them, or remove it once it has run.",
    "begin;",
    ...arrangementStatements({ databaseName, passwords }).map((statement) => `${statement};`),
    "commit;",
    "",
    `-- DATABASE_URL=${addressOf("migrator")}`,
    `-- DATABASE_URL_JOBS=${addressOf("jobs")}`,
    `-- DATABASE_URL_LOADER=${addressOf("loader")}`,
    `-- DATABASE_URL_API=${addressOf("api")}`,
  ].join("\n");
}
