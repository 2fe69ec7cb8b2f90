/** What an operator does to notifications that were given up, from the command line and from the console alike. */
import { type Database, inTransaction } from "../database/database.ts";
import { replay } from "../notifications/outbox.ts";
import { recordAudit } from "../partners/audit.ts";

/**
 * Sends dead letters again, from the beginning of their back-off, with its trace.
 * @param partnerId null: of all partners, and then `ids` says which. @param ids null: all dead ones of the partner.
 * @returns how many
 */
export async function replayDead(
  database: Database,
  actor: string,
  partnerId: string | null,
  ids: readonly string[] | null,
): Promise<number> {
  return await inTransaction(database, async (transaction) => {
    const replayed = await replay(transaction, partnerId, ids);
    await recordAudit(transaction, actor, { partnerId, event: "notifications.replayed", details: { count: replayed } });
    return replayed;
  });
}
