/** `tideline cancel`: calls off the loading of one delivery. */
import { cancelDelivery } from "../../operations/deliveries.ts";
import { commandLineActor } from "../../partners/audit.ts";
import { commonOptions, configOf, readArguments, required, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { findReferred } from "./reference.ts";
import { countOf, printResult } from "../terminal/result.ts";
import { writeReceiptWhenAlone } from "./receipt.ts";
import { withSession } from "../service/session.ts";

export const usage = `
tideline cancel BATCH [--partner P] [--data-dir DIR] [--json]

BATCH is a delivery id, a reqId or a file name (of several the newest). One that waits is not loaded; one that is being
loaded stops at its next chunk of at most 20,000 records. What was loaded stays: tideline retry BATCH goes on after it,
tideline withdraw BATCH takes it out again. Markers of later deliveries no longer wait for it.
`;

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, { ...commonOptions, partner: { type: "string" } });
  const reference = required(positionals[0], "BATCH");
  return await withSession(configOf(values), async (session) => {
    const delivery = await findReferred(session.database, reference, values.partner ?? null);
    const done = await cancelDelivery(session.database, commandLineActor(), delivery);
    if (done.outcome === "declined") return usageError(done.why);
    const { outcome: _outcome, ...cancelled } = done;
    await writeReceiptWhenAlone(session, delivery.id);
    printResult(values.json, cancelled, [
      `Loading is called off; taken: ${countOf(cancelled.recordsLoaded, "record")}. tideline retry goes on after them, tideline withdraw takes them out again.`,
    ]);
    return exitCode.done;
  });
}
