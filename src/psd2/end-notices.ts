/** Asking users to connect a bank again: a week before a consent ends, and in the moment in which it does. */
import { type Database, inTransaction, type Transaction } from "../database/database.ts";
import type { Events } from "../events.ts";
import { writeNotices } from "../notifications/outbox.ts";
import type { Day } from "../time/calendar.ts";
import { type EndingConsent, markEndedTold, markEndingTold } from "./consents.ts";

/** Users are told this long before a consent ends. */
const toldDaysBefore = 7;

/**
 * Ends consents that are over, and tells users of those that are about to end or have ended. @returns how many were
 * told of.
 */
export async function watchConsents({
  database,
  events,
  today,
}: {
  database: Database;
  events: Events;
  today(): Day;
}): Promise<number> {
  return await inTransaction(database, async (transaction) => {
    const ending = await markEndingTold(transaction, today(), toldDaysBefore);
    await tell(transaction, ending);
    if (ending.length > 0) events.emit("psd2.consents-ending", { consents: ending.length });
    return ending.length;
  });
}

/** For whoever ends one, in the same transaction. Of one that was told of, goes on or was replaced, nothing is told. */
export async function tellEnded(transaction: Transaction, consentId: string): Promise<void> {
  await tell(transaction, await markEndedTold(transaction, consentId));
}

async function tell(transaction: Transaction, ending: readonly EndingConsent[]): Promise<void> {
  await writeNotices(
    transaction,
    ending.map((one) => ({
      userId: one.userId,
      type: "USER_UPDATE_REQUIRED",
      subject: `${one.id} ${one.hasEnded ? "ended" : one.validUntil}`,
      content: { consentId: one.id, bankName: one.bankName },
    })),
  );
}
