/** What a command does where another operator has to say yes first: it asks, and does nothing else. */
import type { Database } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { askApproval, type Request } from "../../operations/approvals.ts";
import { commandLineActor } from "../../partners/audit.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { printResult } from "../terminal/result.ts";

/** @returns the exit code: not that of what is done. @throws Fault APPROVAL_NEEDED without a reason; COMMAND_USAGE */
export async function askAnother(
  database: Database,
  request: Omit<Request, "reason">,
  { reason, json }: { reason: string | undefined; json: boolean },
): Promise<number> {
  if (reason === undefined)
    throw new Fault("APPROVAL_NEEDED", `${request.action} needs a second operator, and nothing was done.`);
  const asked = await askApproval(database, commandLineActor(), { ...request, reason });
  if (asked.outcome === "declined") throw new Fault("COMMAND_USAGE", asked.why);
  const { id, expiresAt } = asked.approval;
  printResult(json, { done: false, approval: asked.approval }, [
    `Nothing is done yet: another operator has to confirm ${id} until ${expiresAt.toISOString().slice(0, 16)} UTC,`,
    "in the console or with tideline approvals confirm.",
  ]);
  return exitCode.refused;
}
