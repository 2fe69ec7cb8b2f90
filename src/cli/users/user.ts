/** `tideline user`: a partner's users as its operator sees them. */
import { bankUserIdLengthMax } from "../../../config/limits.ts";
import { findSubjectUsers } from "../../data-subjects/export.ts";
import { previewUserErasure } from "../../data-subjects/erase.ts";
import type { Database } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { deleteUserFor, eraseNow, makeUser } from "../../operations/users.ts";
import { commandLineActor } from "../../partners/audit.ts";
import { listBrands, partnerExists } from "../../partners/overview.ts";
import { findLiveUser, listUsers, listRegistrations, type ListedUser } from "../../partners/users.ts";
import { partnerNames } from "../../partners/names.ts";
import { budget, recognised } from "./recognised.ts";
import { askAnother } from "../service/ask-another.ts";
import { type Session, withSession } from "../service/session.ts";
import { commonOptions, configOf, readArguments, readCount, required, usageError } from "../terminal/arguments.ts";
import { confirm } from "../terminal/confirm.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, countOf, formatCount, printResult } from "../terminal/result.ts";

export const usage = `
tideline user list --partner P [--after BANK-USER-ID] [--limit 100] [--data-dir DIR] [--json]
tideline user show --partner P --user BANK-USER-ID [--data-dir DIR] [--json]
tideline user recognised --partner P --user BANK-USER-ID [--reason WHY] [--data-dir DIR] [--json]
tideline user budget BUDGET --partner P --user BANK-USER-ID --reason WHY [--data-dir DIR] [--json]
tideline user create --partner P --user BANK-USER-ID --brand BRAND --locale da-DK [--data-dir DIR] [--json]
tideline user delete --partner P --user BANK-USER-ID [--data-dir DIR] [--json]
tideline user erase --partner P --user BANK-USER-ID [--dry-run] [--force] [--reason WHY] [--data-dir DIR] [--json]

list    live users by their ids; --after goes on after one.
show    every registration that is held, deleted ones too, and how much is held by table.
recognised  services with the days of their payments, what is to come, and budgets; amounts and names are masked without --reason,
        which stands in the audit trail. budget: one as its tree, with what was done to it.
delete  as its partner does by DELETE /users: the tokens end, nothing is told any more, and retention erases.
erase   removes every row about the user at once and for good, earlier registrations too. --dry-run says what would go; without
        it the command asks, or wants --force. Landed originals hold many users, stay encrypted and go by their own age.
        Where erase is guarded (tideline approvals), --reason asks another operator, and nothing is done before.

The audit trail keeps who did it, with our number of the user and never the bank's id.
`;

const limitMax = 10_000;

type Invocation = {
  database: Session["database"];
  /** "" where none is named. */
  budgetId: string;
  partnerId: string;
  user: string | undefined;
  brand: string | undefined;
  locale: string | undefined;
  after: string;
  limit: number;
  reason: string | undefined;
  dryRun: boolean;
  force: boolean;
  json: boolean;
};

const subcommands: Readonly<Record<string, (invocation: Invocation) => Promise<number>>> = {
  list,
  show,
  recognised: (asked) => recognised({ ...asked, bankUserId: required(asked.user, "--user") }),
  budget: ({ user, reason, ...asked }) =>
    budget({ ...asked, bankUserId: required(user, "--user"), reason: required(reason, "--reason") }, asked.budgetId),
  create,
  delete: deleteOne,
  erase,
};

export async function run(argv: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    partner: text,
    user: text,
    brand: text,
    locale: text,
    reason: text,
    after: { ...text, default: "" },
    limit: { ...text, default: "100" },
    "dry-run": { type: "boolean", default: false },
    force: { type: "boolean", default: false },
  });
  const [verb = "list", ...rest] = positionals;
  const subcommand = Object.hasOwn(subcommands, verb) ? subcommands[verb] : undefined;
  const [budgetId = "", ...more] = rest;
  if (!subcommand || more.length > 0 || (verb === "budget") !== (budgetId !== ""))
    return usageError(`There are tideline user ${Object.keys(subcommands).join(", ")}, with --partner and --user.`);
  const partnerId = required(values.partner, "--partner");
  const limit = readCount(values.limit, "--limit", 1, limitMax);
  return await withSession(configOf(values), async ({ database }) => {
    if (!(await partnerExists(database, partnerId)))
      throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
    return await subcommand({
      ...values,
      database,
      budgetId,
      partnerId,
      limit,
      dryRun: values["dry-run"],
    } as Invocation);
  });
}

async function list({ database, partnerId, after, limit, json }: Invocation): Promise<number> {
  const users = await listUsers(database, partnerId, { after, limit });
  printResult(json, users, users.length === 0 ? ["No live user."] : linesOf(users));
  return exitCode.done;
}

function linesOf(users: readonly ListedUser[]): string[] {
  return alignColumns([
    ["USER", "BRAND", "LOCALE", "CREATED", "IMPORT COMPLETE", "DELETED"],
    ...users.map((one) => [
      one.bankUserId,
      one.brandId,
      one.locale,
      ...[one.createdAt, one.importCompletedAt, one.deletedAt].map((at) => at?.toISOString().slice(0, 19) ?? "-"),
    ]),
  ]);
}

async function show(invocation: Invocation): Promise<number> {
  const { database, partnerId, json } = invocation;
  const { bankUserId, ids } = await registered(invocation);
  const [registrations, held] = await Promise.all([
    listRegistrations(database, ids),
    previewUserErasure(database, { ids, partnerId }),
  ]);
  printResult(json, { partnerId, bankUserId, registrations, held }, [
    ...linesOf(registrations),
    "",
    ...alignColumns([["TABLE", "ROWS"], ...held.tables.map(({ name, rows }) => [name, formatCount(rows)])]),
  ]);
  return exitCode.done;
}

async function create({ database, partnerId, user, brand, locale, json }: Invocation): Promise<number> {
  const bankUserId = required(user, "--user");
  const brandId = required(brand, "--brand");
  const language = required(locale, "--locale");
  if (bankUserId === "" || bankUserId.length > bankUserIdLengthMax || /[\0\p{Cs}]/u.test(bankUserId))
    return usageError(`--user has 1 to ${bankUserIdLengthMax} characters.`);
  if (!partnerNames.locale.pattern.test(language)) return usageError("--locale must be like da-DK.");
  if (!(await listBrands(database, partnerId)).some(({ id }) => id === brandId))
    return usageError(`${partnerId} has no brand "${brandId}".`);
  const made = await makeUser(database, commandLineActor(), {
    partnerId,
    brandId,
    bankUserId,
    locale: language,
    details: {},
  });
  if (!made) return usageError(`${partnerId} has a user "${bankUserId}" already.`);
  printResult(json, { partnerId, bankUserId, created: true }, [`${bankUserId} is a user of ${partnerId}.`]);
  return exitCode.done;
}

async function deleteOne({ database, partnerId, user, json }: Invocation): Promise<number> {
  const bankUserId = required(user, "--user");
  const found = await findLiveUser(database, partnerId, bankUserId);
  if (found === null) throw new Fault("NOT_FOUND", `Partner "${partnerId}" has no live user "${bankUserId}".`);
  await deleteUserFor(database, commandLineActor(), { id: found.id, partnerId });
  printResult(json, { partnerId, bankUserId, deleted: true }, [
    `${bankUserId} is deleted: nothing is told of it any more, and retention erases it.`,
  ]);
  return exitCode.done;
}

async function erase(invocation: Invocation): Promise<number> {
  const { database, partnerId, dryRun, force, reason, json } = invocation;
  const { bankUserId, ids } = await registered(invocation);
  const preview = await previewUserErasure(database, { ids, partnerId });
  const { deliveries, keptDays } = preview.originals;
  const rest =
    deliveries === 0
      ? "No landed original holds payments of it."
      : `${countOf(deliveries, "landed original")} with payments of it, encrypted, ${deliveries === 1 ? "goes" : "go"} by age${keptDays === null ? "" : `, after ${keptDays} days`}.`;
  if (dryRun) {
    printResult(json, { partnerId, bankUserId, dryRun, ...preview }, [
      ...alignColumns([["TABLE", "ROWS"], ...preview.tables.map(({ name, rows }) => [name, formatCount(rows)])]),
      `${countOf(preview.rows, "row")} would go. ${rest}`,
    ]);
    return exitCode.done;
  }
  const asksFirst = !force && reason === undefined;
  if (
    asksFirst &&
    !(await confirm(`Erase ${countOf(preview.rows, "row")} about ${bankUserId} of ${partnerId} for good?`))
  )
    return usageError("Nothing is erased: say yes, or --force.");
  const done = await eraseNow(database, commandLineActor(), { ids, partnerId });
  if (done.outcome === "guarded") {
    const request = { action: "erase", partnerId, subject: { userIds: ids } } as const;
    return await askAnother(database, request, { reason, json });
  }
  const rows = done.outcome === "gone" ? 0 : done.rows;
  printResult(json, { partnerId, bankUserId, dryRun, erased: true, rows, originals: preview.originals }, [
    `${bankUserId} of ${partnerId} is erased: ${countOf(rows, "row")}. ${rest}`,
  ]);
  return exitCode.done;
}

/** @throws Fault NOT_FOUND */
async function registered({
  database,
  partnerId,
  user,
}: {
  database: Database;
  partnerId: string;
  user: string | undefined;
}): Promise<{ bankUserId: string; ids: number[] }> {
  const bankUserId = required(user, "--user");
  const ids = await findSubjectUsers(database, partnerId, bankUserId);
  if (ids.length === 0) throw new Fault("NOT_FOUND", `Partner "${partnerId}" has no user "${bankUserId}".`);
  return { bankUserId, ids };
}
