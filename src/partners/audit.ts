/** The audit trail: who changed what about a partner, and when. Rows are only ever added. */
import { userInfo } from "node:os";
import type { Queryable } from "../database.ts";

export type AuditEntry = {
  partnerId: string | null;
  /** What happened, past tense, such as "partner.login-key-added". */
  event: string;
  /** Ids, names and fingerprints; never a secret. */
  details: Readonly<Record<string, unknown>>;
};

/** The caller owns the transaction: the change and its trace are committed together. */
export async function recordAudit(database: Queryable, actor: string, entry: AuditEntry): Promise<void> {
  await database.query(
    `insert into audit_events (partner_id, actor, event, details)
     values ($1, $2, $3, $4)`,
    [entry.partnerId, actor, entry.event, JSON.stringify(entry.details)],
  );
}

/** Whoever runs a command, by the account on this machine. */
export function commandLineActor(): string {
  return `cli:${userInfo().username}`;
}
