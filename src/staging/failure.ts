/** What a load that broke means for its delivery: nothing, another try after a while, or the end. */
import { breakdownsMax, loadAttemptsMax } from "../../config/staging.ts";
import type { Database } from "../database/database.ts";
import { codeOf, isDatabaseAway } from "../database/database.ts";
import { giveUpLoad, noteFailedLoad } from "../deliveries/failures.ts";

/** Tries come after 1, 2, 4, 8 s. */
const backoffMs = 1000;
/** Tries come without end while a disk is not there; what an operator mends in minutes is asked for each few seconds. */
const storageBackoffMs = 5000;

/**
 * What speaks against the machine or the moment: a full disk, too many open files, a loader that was overtaken, two that met.
 */
const passing = /^(ENOSPC|EMFILE|ENFILE|ENOMEM|EAGAIN|LOAD_OVERTAKEN|40\w{3})$/;
/** What speaks against the vault's disk or the way to it. */
const ofStorage =
  /^(VAULT_AWAY|EIO|EROFS|EACCES|EPERM|ESTALE|ETIMEDOUT|ENOTCONN|ENXIO|ENODEV|EHOSTDOWN|EHOSTUNREACH|EREMOTEIO)$/;

/** Whether a failure counts against the delivery. */
export function isOwnFault(error: unknown): boolean {
  return !isDatabaseAway(error) && !(error instanceof Error && (passing.test(codeOf(error)) || isOfStorage(error)));
}

function isOfStorage(error: unknown): boolean {
  return error instanceof Error && ofStorage.test(codeOf(error));
}

/** Notes a failed load and when to try again, or gives it up. Null: it is open no more, so that nothing failed. */
export async function noteFailure(
  database: Database,
  deliveryId: string,
  error: unknown,
  attemptsMax: number = loadAttemptsMax,
): Promise<object | null> {
  return await noteFailedLoad(database, deliveryId, {
    isOwnFault: isOwnFault(error),
    backoffMs: isOfStorage(error) ? storageBackoffMs : backoffMs,
    attemptsMax,
    lastReason: `Loading failed ${attemptsMax} times; the last time: ${describe(error)}.`,
  });
}

/** Gives up a delivery whose loader never came back. */
export async function abandonBreaker(database: Database, deliveryId: string): Promise<void> {
  const reason = `The service ended ${breakdownsMax} times while loading it, without a record in between.`;
  await giveUpLoad(database, deliveryId, reason);
}

/** The kind of failure only: a message of the database may quote a row. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return `${error.name} ${codeOf(error)}`.trim();
}
