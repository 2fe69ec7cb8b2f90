/** `tideline retry`: deliveries whose loading was given up go back to the queue. */
import { Fault } from "../errors.ts";
import { findByReference, retryAbandoned } from "../landing/overview.ts";
import { commonOptions, configOf, readArguments, usageError } from "./arguments.ts";
import { exitCode } from "./exit-code.ts";
import { printResult } from "./result.ts";
import { type Session, withSession } from "./session.ts";

export const usage = `
tideline retry BATCH [--data-dir DIR] [--json]
tideline retry --all-failed [--data-dir DIR] [--json]

BATCH is a delivery id, a reqId or a file name. Only deliveries refused with LOAD_ABANDONED or LOAD_CANCELLED can be
loaded again as they are; what was committed of them is kept and loading goes on after it. A running service takes them up
within seconds, otherwise the next start does. --all-failed leaves alone what was called off.
`;

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, { ...commonOptions, "all-failed": { type: "boolean", default: false } });
  const [reference] = positionals;
  if ((reference === undefined) !== values["all-failed"]) usageError("Give either BATCH or --all-failed.");
  return await withSession(configOf(values), async (session) => {
    const id = reference === undefined ? null : await findAbandoned(session, reference);
    const deliveryIds = await retryAbandoned(session.database, id);
    printResult(values.json, { deliveryIds }, [describe(deliveryIds.length, session.alone)]);
    return exitCode.done;
  });
}

/** @throws Fault NOT_FOUND, COMMAND_USAGE */
async function findAbandoned(session: Session, reference: string): Promise<string> {
  const delivery = await findByReference(session.database, reference, null);
  if (!delivery) throw new Fault("NOT_FOUND", `No delivery is called "${reference}".`);
  if (delivery.refusal_code !== "LOAD_ABANDONED" && delivery.refusal_code !== "LOAD_CANCELLED") {
    usageError(`The delivery is ${delivery.state}${delivery.refusal_code === null ? "" : ` with ${delivery.refusal_code}`}: there is nothing to load again.`);
  }
  return delivery.id;
}

function describe(count: number, alone: boolean): string {
  if (count === 0) return "Nothing was given up.";
  return `${count} ${count === 1 ? "delivery waits" : "deliveries wait"} to be loaded again${alone ? " at the next tideline up" : ""}.`;
}
