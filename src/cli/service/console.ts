/** `tideline console token`: who may sign in to the operators' console. */
import {
  accountNamePattern,
  addAccount,
  consoleRoles,
  type ListedAccount,
  listAccounts,
  makeToken,
  removeAccount,
} from "../../console/access/accounts.ts";
import { inTransaction } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { partnerExists } from "../../partners/overview.ts";
import { commonOptions, configOf, oneOf, readArguments, required, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, formatCount, printResult } from "../terminal/result.ts";
import { type Session, withSession } from "./session.ts";

export const usage = `
tideline console token add NAME --role viewer|operator|admin [--partner P …] [--data-dir DIR] [--json]
tideline console token list [--data-dir DIR] [--json]
tideline console token remove NAME [--data-dir DIR] [--json]

One account a person: the audit trail calls what is done with it console:NAME. The token is printed once and kept as a
digest. --partner, also several times, limits an account to those partners. A viewer looks, amounts and names masked; an
operator also retries, calls off, releases, and shows a user's payments with a reason; an admin also drops, withdraws and
downloads. remove ends the account's sessions at once; one of the
identity provider comes back at its next sign-in, until the provider takes its role away.
`;

type Invocation = {
  session: Session;
  name: string | undefined;
  role: string | undefined;
  partners: readonly string[];
  json: boolean;
};

const subcommands: Readonly<Record<string, (invocation: Invocation) => Promise<void>>> = { add, list, remove };

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    role: { type: "string" },
    partner: { type: "string", multiple: true, default: [] },
  });
  const [noun = "token", verb = "list", name] = positionals;
  const subcommand = noun === "token" && Object.hasOwn(subcommands, verb) ? subcommands[verb] : undefined;
  if (!subcommand) return usageError("There are tideline console token add, list and remove.");
  return await withSession(configOf(values), async (session) => {
    await subcommand({ session, name, role: values.role, partners: values.partner, json: values.json });
    return exitCode.done;
  });
}

async function add({ session, name, role, partners, json }: Invocation): Promise<void> {
  const called = required(name, "NAME");
  if (!accountNamePattern.test(called)) usageError("NAME has letters, digits, dots, dashes, _ and @; at most 100.");
  const given = oneOf(required(role, "--role"), consoleRoles, "--role");
  for (const id of partners)
    if (!(await partnerExists(session.database, id))) throw new Fault("NOT_FOUND", `There is no partner "${id}".`);
  const partnerIds = partners.length === 0 ? null : [...new Set(partners)].toSorted();
  const token = makeToken();
  const added = await inTransaction(session.database, async (transaction) => {
    const done = await addAccount(transaction, { name: called, role: given, partnerIds }, token);
    const details = { name: called, role: given, partnerIds };
    if (done)
      await recordAudit(transaction, commandLineActor(), { partnerId: null, event: "console.token-added", details });
    return done;
  });
  if (!added) usageError(`There is an account ${called} already: remove it first.`);
  printResult(json, { name: called, role: given, partnerIds, token }, [
    `${called} signs in at the console with this token, which is shown this once:`,
    token,
  ]);
}

async function list({ session, json }: Invocation): Promise<void> {
  const accounts = await listAccounts(session.database);
  printResult(json, accounts, accounts.length === 0 ? ["Nobody has an account."] : linesOf(accounts));
}

function linesOf(accounts: readonly ListedAccount[]): string[] {
  return alignColumns([
    ["NAME", "ROLE", "PARTNERS", "BY", "SESSIONS", "CREATED", "LAST SIGNED IN"],
    ...accounts.map((one) => [
      one.name,
      one.role,
      one.partnerIds?.join(",") ?? "all",
      one.issuer ?? "token",
      formatCount(one.sessions),
      one.createdAt.toISOString().slice(0, 19),
      one.usedAt?.toISOString().slice(0, 19) ?? "never",
    ]),
  ]);
}

async function remove({ session, name, json }: Invocation): Promise<void> {
  const called = required(name, "NAME");
  const removed = await inTransaction(session.database, async (transaction) => {
    const done = await removeAccount(transaction, called);
    if (done)
      await recordAudit(transaction, commandLineActor(), {
        partnerId: null,
        event: "console.token-removed",
        details: { name: called },
      });
    return done;
  });
  if (!removed) throw new Fault("NOT_FOUND", `There is no account "${called}".`);
  printResult(json, { name: called, removed }, [`${called} can sign in no more, and is signed out everywhere.`]);
}
