/** The next keys that sign users' tokens and partners' receipts. */
import { type Database, inTransaction } from "../database/database.ts";
import { recordAudit } from "../partners/audit.ts";
import { rotateSigningKey } from "../partners/keys/signing-keys.ts";
import { keysRememberedMs, rotateTokenKey, tokenLifetimeSeconds } from "../partners/keys/token-keys.ts";
import { type Guarded, guarded, lacksApproval } from "./approvals.ts";

/**
 * A server that has not heard of the next key signs with the previous one so long, and its tokens live an hour from
 * then.
 */
const tokenKeyOverlapMs = 2 * (tokenLifetimeSeconds * 1000 + keysRememberedMs);

export type Rotated = { outcome: "rotated"; kid: string; earlierKeysRetireAt: Date | null };

/** @param ring the key-encryption keys */
export async function rotateSigning(
  database: Database,
  ring: Buffer,
  actor: string,
  { keys, approvalId = null }: { keys: "tokens" | "receipts"; approvalId?: string | null },
): Promise<Rotated | Guarded> {
  if (await lacksApproval(database, "rotate-keys", { keys }, approvalId)) return guarded;
  const retireAt = keys === "tokens" ? new Date(Date.now() + tokenKeyOverlapMs) : null;
  const { kid } = await inTransaction(database, async (transaction) => {
    const made =
      retireAt === null
        ? await rotateSigningKey(transaction, ring, "receipt-signing")
        : await rotateTokenKey(transaction, ring, retireAt);
    await recordAudit(transaction, actor, {
      partnerId: null,
      event: retireAt === null ? "receipt-key.rotated" : "token-key.rotated",
      details: { kid: made.kid, ...(retireAt !== null && { earlierKeysRetireAt: retireAt }) },
    });
    return made;
  });
  return { outcome: "rotated", kid, earlierKeysRetireAt: retireAt };
}
