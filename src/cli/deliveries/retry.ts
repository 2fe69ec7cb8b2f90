/** `tideline retry`: deliveries whose loading was given up go back to the queue. */
import { retryDeliveries, whyNotRetried } from "../../operations/deliveries.ts";
import { commandLineActor } from "../../partners/audit.ts";
import { commonOptions, configOf, readArguments, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { findReferred } from "./reference.ts";
import { printResult } from "../terminal/result.ts";
import { type Session, withSession } from "../service/session.ts";

export const usage = `
tideline retry BATCH [--partner P] [--data-dir DIR] [--json]
tideline retry --all-failed [--data-dir DIR] [--json]

BATCH is a delivery id, a reqId or a file name. Only deliveries refused with LOAD_ABANDONED or LOAD_CANCELLED can be
loaded again as they are; what was committed of them is kept and loading goes on after it. A running service takes them up
within seconds, otherwise the next start does. --all-failed leaves alone what was called off, and what quarantine drop gave up.
`;

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    partner: { type: "string" },
    "all-failed": { type: "boolean", default: false },
  });
  const [reference] = positionals;
  if ((reference === undefined) !== values["all-failed"]) usageError("Give either BATCH or --all-failed.");
  if (values["all-failed"] && values.partner !== undefined)
    usageError("--all-failed is of all partners; --partner goes with BATCH.");
  return await withSession(configOf(values), async (session) => {
    const id = reference === undefined ? null : await findAbandoned(session, reference, values.partner ?? null);
    const deliveryIds = await retryDeliveries(session.database, commandLineActor(), id);
    printResult(values.json, { deliveryIds }, [describe(deliveryIds.length, session.alone)]);
    return exitCode.done;
  });
}

/** @throws Fault NOT_FOUND, COMMAND_USAGE */
async function findAbandoned(session: Session, reference: string, partnerId: string | null): Promise<string> {
  const delivery = await findReferred(session.database, reference, partnerId);
  const why = whyNotRetried(delivery);
  if (why !== null) usageError(why);
  return delivery.id;
}

function describe(count: number, alone: boolean): string {
  if (count === 0) return "Nothing was given up.";
  return `${count} ${count === 1 ? "delivery waits" : "deliveries wait"} to be loaded again${alone ? " at the next tideline up" : ""}.`;
}
