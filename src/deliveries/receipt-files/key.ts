/** The key that signs receipts, remembered for a while. */
import type { Database } from "../../database/database.ts";
import { currentSigningKey, type SigningKey } from "../../partners/keys/signing-keys.ts";

/** The key by which receipts are signed now. */
export type FindReceiptKey = () => Promise<SigningKey>;

/** How long a process goes on with the key that it knows: after a rotation the previous one signs so long at most. */
export const keyRememberedMs = 60_000;

export function rememberReceiptKey(database: Database, keyEncryptionKey: Buffer): FindReceiptKey {
  let known: Promise<SigningKey> | null = null;
  let knownSince = Number.NEGATIVE_INFINITY;
  return async () => {
    if (known === null || performance.now() - knownSince > keyRememberedMs) {
      knownSince = performance.now();
      known = currentSigningKey(database, keyEncryptionKey, "receipt-signing");
      known.catch(() => (known = null));
    }
    return await known;
  };
}
