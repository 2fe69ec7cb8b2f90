/** How much of its quota a partner uses, as far as the database knows it. */
import type { Queryable } from "../database/database.ts";
import { findAllowance } from "./allowance.ts";
import { listSessions } from "./sftp/open-sessions.ts";

/** used and limit in the quota's unit. */
export type QuotaUse = { quota: "storedBytes" | "storedFiles" | "sessions"; used: number; limit: number };

/** Undelivered files are counted by the doors, from their own disks: they are not among it. */
export async function readQuotaUse(database: Queryable, partnerId: string): Promise<QuotaUse[]> {
  const { quota, storedBytes, storedFiles } = await findAllowance(database, partnerId);
  const sessions = (await listSessions(database, [partnerId], quota.sessions + 1)).length;
  return [
    { quota: "storedBytes", used: storedBytes, limit: quota.storedBytes },
    { quota: "storedFiles", used: storedFiles, limit: quota.storedFiles },
    { quota: "sessions", used: sessions, limit: quota.sessions },
  ];
}
