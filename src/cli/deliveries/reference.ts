/** What commands name: the BATCH, which is a delivery by its id, its reqId or its file name; and the --partner. */
import type { Queryable } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import type { Delivery } from "../../deliveries/deliveries.ts";
import { findByReference } from "../../deliveries/overview.ts";
import { partnerExists } from "../../partners/overview.ts";
import { usageError } from "../terminal/arguments.ts";

/**
 * Banks call their files alike: what several partners have is nobody's until one of them is named. @throws Fault
 * NOT_FOUND, COMMAND_USAGE
 */
export async function findReferred(
  database: Queryable,
  reference: string,
  partnerId: string | null,
): Promise<Delivery> {
  const found = await findByReference(database, reference, partnerId);
  const [delivery, ...others] = found;
  if (!delivery)
    throw new Fault(
      "NOT_FOUND",
      `No delivery ${partnerId === null ? "" : `of ${partnerId} `}is called "${reference}".`,
    );
  if (others.length > 0)
    usageError(
      `Several partners have one called "${reference}": ${found.map((one) => one.partnerId).join(", ")}. Say which with --partner.`,
    );
  return delivery;
}

/** A slip of the pen must not look like a partner without deliveries. @throws Fault NOT_FOUND */
export async function assertPartner(database: Queryable, partnerId: string | null): Promise<void> {
  if (partnerId !== null && !(await partnerExists(database, partnerId)))
    throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
}
