/** What every change of a partner has in common: its arguments, one transaction with its audit row, clear refusals. */
import pg from "pg";
import { inTransaction, type Transaction } from "../../database/database.ts";
import { isDataException, isSqlState } from "../../database/sql-states.ts";
import { Fault } from "../../errors.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { partnerExists } from "../../partners/overview.ts";
import { partnerNames } from "../../partners/names.ts";
import { configOf, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { printResult } from "../terminal/result.ts";
import { type Session, withSession } from "../service/session.ts";

export type Invocation = {
  values: { "data-dir"?: string | undefined; json: boolean };
  partnerId: string;
  /** Whether it may begin an installation. */ mayCreate?: boolean;
};

export type Change = {
  /** Past tense, such as "partner.suspended". */
  event: string;
  details: Readonly<Record<string, unknown>>;
  lines: readonly string[];
};

/** Runs `work` and its audit row in one transaction, then prints. @throws Fault NOT_FOUND, COMMAND_USAGE */
export async function changePartner(
  invocation: Invocation,
  work: (transaction: Transaction, session: Session) => Promise<Change>,
): Promise<number> {
  return await withSession(
    configOf(invocation.values),
    async (session) => {
      const change = await inTransaction(session.database, async (transaction) => {
        const done = await work(transaction, session);
        await recordAudit(transaction, commandLineActor(), {
          partnerId: invocation.partnerId,
          event: done.event,
          details: done.details,
        });
        return done;
      }).catch(explain);
      printResult(
        invocation.values.json,
        { partnerId: invocation.partnerId, event: change.event, ...change.details },
        change.lines,
      );
      return exitCode.done;
    },
    { mayCreate: invocation.mayCreate ?? false },
  );
}

/** @throws Fault NOT_FOUND */
export async function assertPartner(transaction: Transaction, partnerId: string): Promise<void> {
  if (!(await partnerExists(transaction, partnerId)))
    throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
}

/** The schema's constraints judge what an operator wrote: their names say what is wrong. */
function explain(error: unknown): never {
  if (error instanceof pg.DatabaseError && (isSqlState(error, "checkViolation") || isDataException(error))) {
    usageError(`The database refuses the value (${error.constraint ?? error.message}).`);
  }
  throw error;
}

/** Before the database sees it, which knows it by the name of a constraint. @throws Fault COMMAND_USAGE */
export function fitting(field: keyof typeof partnerNames, text: string, word: string): string {
  const { pattern, why } = partnerNames[field];
  if (!pattern.test(text)) usageError(`${word} "${text}" does not fit: it ${why}.`);
  return text;
}

/** The first positional. @throws Fault COMMAND_USAGE */
export function partnerOf(positionals: readonly string[]): string {
  return positionals[0] ?? usageError("PARTNER is missing.");
}

/** @returns null for no expiry. @throws Fault COMMAND_USAGE */
export function readExpiry(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  if (Number.isNaN(at.getTime())) usageError(`--expires must be a day, YYYY-MM-DD, not "${text}".`);
  return at;
}
