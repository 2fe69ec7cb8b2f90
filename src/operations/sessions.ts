/** What an operator does to a partner's SFTP connections, from the command line and from the console alike. */
import { type Database, inTransaction } from "../database/database.ts";
import { askToEnd } from "../landing/sftp/open-sessions.ts";
import { recordAudit } from "../partners/audit.ts";

/**
 * Has a connection ended by its door, on whichever machine it is, with its trace. What was uploaded so far can be continued,
 * and the partner may log in again: who must stay out is suspended, or loses the key.
 * @returns false: the partner has no such connection any more
 */
export async function disconnectSession(
  database: Database,
  actor: string,
  partnerId: string,
  sessionId: string,
): Promise<boolean> {
  return await inTransaction(database, async (transaction) => {
    const done = await askToEnd(transaction, { partnerId, sessionId, actor });
    if (done)
      await recordAudit(transaction, actor, { partnerId, event: "sftp.disconnect-asked", details: { sessionId } });
    return done;
  });
}
