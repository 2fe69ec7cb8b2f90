/** `tideline explain`: why a service is recognised, or a payment is not. */
import { createClock } from "../../time/clock.ts";
import { inTransaction } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { explainSubject, findSubject } from "../../recognition/explain/explanation.ts";
import { commonOptions, configOf, readArguments, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { printResult } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";

export const usage = `
tideline explain SERVICE [--data-dir DIR] [--json]
tideline explain TRANSACTION [--user BANK-USER-ID] [--partner P] [--data-dir DIR] [--json]

SERVICE is a service's id, TRANSACTION a transaction's as the API lists it or the sender's txid. One paragraph: which
payments, which cadence, what was tolerated, what spoke for and against, what the user decided; or why a payment belongs
to no service. Without --user a transaction is looked for among all users, which takes a while on a large ledger.
`;

export async function run(argv: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments(argv, { ...commonOptions, user: text, partner: text });
  const [reference, ...more] = positionals;
  if (reference === undefined || more.length > 0) usageError("Name one SERVICE or TRANSACTION.");
  const config = configOf(values);
  return await withSession(config, async (session) => {
    const explanation = await inTransaction(session.database, async (transaction) => {
      const subject = await findSubject(transaction, reference, values.partner ?? null, values.user ?? null);
      if (subject === null) throw new Fault("NOT_FOUND", `No service or transaction is called "${reference}".`);
      return await explainSubject(transaction, subject, createClock(config.asOf).today);
    });
    printResult(values.json, explanation, [explanation.text]);
    return exitCode.done;
  });
}
