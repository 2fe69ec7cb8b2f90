/** `tideline approvals`: what needs a second operator, what waits for one, and the second one's word. */
import type { Database } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import {
  type Approval,
  decide,
  expireApprovals,
  findApproval,
  guard,
  guardableActions,
  listApprovals,
  listGuarded,
} from "../../operations/approvals.ts";
import { carryOut } from "../../operations/carry-out.ts";
import { commandLineActor } from "../../partners/audit.ts";
import { commonOptions, configOf, oneOf, readArguments, required, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, printResult } from "../terminal/result.ts";
import { askAnother } from "./ask-another.ts";
import { enqueueNow } from "./enqueue.ts";
import { type Session, withSession } from "./session.ts";

export const usage = `
tideline approvals list [--all] [--data-dir DIR] [--json]
tideline approvals show | confirm | refuse | recall ID [--reason WHY] [--data-dir DIR] [--json]
tideline approvals guard ACTION [--data-dir DIR] [--json]
tideline approvals unguard ACTION --reason WHY [--data-dir DIR] [--json]

Four eyes: what is guarded (${guardableActions.join(", ")}) one operator asks for, with a reason, and another one
confirms or refuses within a day; whoever asked can only recall it. Confirming carries it out, except keys rotate, which then
takes --approval ID on its machine. It holds for the console and for every machine's command line, whose operators are
called cli:USER, after the Unix account: let each have their own. guard holds at once; unguard needs the second operator
too. All of it is in the audit trail.
`;

type Invocation = {
  session: Session;
  subject: string | undefined;
  reason: string | undefined;
  all: boolean;
  json: boolean;
};

const subcommands: Readonly<Record<string, (invocation: Invocation) => Promise<number>>> = {
  list,
  show,
  confirm: (invocation) => judge(invocation, "confirm"),
  refuse: (invocation) => judge(invocation, "refuse"),
  recall: (invocation) => judge(invocation, "recall"),
  guard: guardOne,
  unguard: unguardOne,
};

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    reason: { type: "string" },
    all: { type: "boolean", default: false },
  });
  const [verb = "list", subject] = positionals;
  const subcommand = Object.hasOwn(subcommands, verb) ? subcommands[verb] : undefined;
  if (!subcommand)
    return usageError(`There is no "tideline approvals ${verb}"; there are ${Object.keys(subcommands).join(", ")}.`);
  const { reason, all, json } = values;
  return await withSession(configOf(values), (session) => subcommand({ session, subject, reason, all, json }));
}

async function list({ session: { database }, all, json }: Invocation): Promise<number> {
  await expireApprovals(database);
  const [approvals, guardedActions] = await Promise.all([
    listApprovals(database, null, all ? "all" : "open"),
    listGuarded(database),
  ]);
  const guardedBy = guardedActions.map(({ action, guardedBy: by }) => `${action} (since ${by} said so)`);
  printResult(json, { guarded: guardedActions, approvals }, [
    guardedBy.length === 0
      ? "Nothing needs a second operator."
      : `A second operator is needed for: ${guardedBy.join(", ")}.`,
    ...(approvals.length === 0 ? ["Nothing waits for one."] : linesOf(approvals)),
  ]);
  return exitCode.done;
}

function linesOf(approvals: readonly Approval[]): string[] {
  return alignColumns([
    ["ID", "STATE", "ACTION", "PARTNER", "ABOUT", "ASKED BY", "EXPIRES", "REASON"],
    ...approvals.map((one) => [
      one.id,
      one.state,
      one.action,
      one.partnerId ?? "-",
      aboutOf(one),
      one.requestedBy,
      one.expiresAt.toISOString().slice(0, 16),
      one.reason,
    ]),
  ]);
}

function aboutOf({ subject }: Approval): string {
  return Object.values(subject).flat().join(" ");
}

async function show({ session: { database }, subject, json }: Invocation): Promise<number> {
  await expireApprovals(database);
  const approval = await found(database, subject);
  printResult(json, approval, [
    ...linesOf([approval]),
    ...(approval.decidedBy === null
      ? []
      : [
          `${approval.decidedBy}: ${approval.decidedAt?.toISOString().slice(0, 16) ?? ""} ${approval.decidedBecause ?? ""}`,
        ]),
  ]);
  return exitCode.done;
}

async function judge(
  { session, subject, reason, json }: Invocation,
  verdict: "confirm" | "refuse" | "recall",
): Promise<number> {
  const { database } = session;
  const { id } = await found(database, subject);
  const actor = commandLineActor();
  const decided = await decide(database, actor, { id, verdict, because: reason ?? null });
  if (decided.outcome === "declined") throw new Fault("APPROVAL_REFUSED", decided.why);
  const { approval } = decided;
  if (verdict !== "confirm") {
    printResult(json, { approval, done: false }, [`${approval.action} is ${approval.state}.`]);
    return exitCode.done;
  }
  const enqueue = async (ids: readonly string[]) => {
    for (const one of ids) await enqueueNow(session, one);
  };
  const carried = await carryOut({ database, actor, enqueue, ring: () => session.keyEncryptionKey() }, approval);
  printResult(json, { approval, done: carried.outcome === "done", sentence: carried.sentence }, [carried.sentence]);
  return carried.outcome === "failed" ? exitCode.refused : exitCode.done;
}

/** @throws Fault NOT_FOUND */
async function found(database: Database, id: string | undefined): Promise<Approval> {
  const approval = await findApproval(database, required(id, "ID"));
  if (approval === null) throw new Fault("NOT_FOUND", `There is no request ${id ?? ""}.`);
  return approval;
}

async function guardOne({ session: { database }, subject, json }: Invocation): Promise<number> {
  const action = oneOf(required(subject, "ACTION"), guardableActions, "ACTION");
  const isNew = await guard(database, commandLineActor(), action);
  printResult(json, { action, guarded: true }, [
    isNew ? `From now on ${action} needs a second operator.` : `${action} needed a second operator already.`,
  ]);
  return exitCode.done;
}

async function unguardOne({ session: { database }, subject, reason, json }: Invocation): Promise<number> {
  const action = oneOf(required(subject, "ACTION"), guardableActions, "ACTION");
  if (!(await listGuarded(database)).some((one) => one.action === action))
    return usageError(`${action} needs one operator as it is.`);
  return await askAnother(
    database,
    { action: "unguard", partnerId: null, subject: { unguard: action } },
    { reason, json },
  );
}
