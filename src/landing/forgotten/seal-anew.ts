/** Origins under the next key-encryption key: what was sealed with the previous one must not need it for good. */
import { decryptSecret, encryptSecret, firstKey, headerBytes, headerOf } from "../../partners/keys/secrets-at-rest.ts";
import type { Vault } from "../../vault/vault.ts";
import { contextOf } from "../origin.ts";

/**
 * Each is whole before and after, and one that no key of the ring opens stays as it is: a file's name in an inbox says the
 * same. Durable when it resolves; stopped or cut off, the next call goes on. @returns how many were sealed anew.
 * @throws Fault VAULT_AWAY
 */
export async function sealOriginsAnew(vault: Vault, ring: Buffer, signal?: AbortSignal): Promise<number> {
  const header = headerOf(firstKey(ring));
  let sealed = 0;
  for (const day of await vault.days()) {
    const reseal = (deliveryId: string, before: Buffer) =>
      before.subarray(0, headerBytes).equals(header) ? null : resealOne(ring, deliveryId, before);
    sealed += await vault.replaceOrigins(day, reseal, signal);
  }
  return sealed;
}

function resealOne(ring: Buffer, deliveryId: string, before: Buffer): Buffer | null {
  try {
    return encryptSecret(ring, contextOf(deliveryId), decryptSecret(ring, contextOf(deliveryId), before));
  } catch {
    return null;
  }
}
