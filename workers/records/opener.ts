/** The keys of one partner, looked up when a batch names them and remembered for the length of one task. */
import type { KeyObject } from "node:crypto";
import type { LoadSettings } from "../../src/deliveries/progress.ts";
import { findBatchKey } from "../../src/partners/keys/batch-keys.ts";
import { findLoginKeys } from "../../src/partners/keys/login-keys.ts";
import type { BatchOpener } from "./batch.ts";
import type { WorkerContext } from "../context.ts";

/** A partner has one or two keys at a time; lines that name more are made up, and are asked for one by one. */
const rememberedMax = 16;

/** @param acceptedAt keys that were valid then open the batch, whenever it is loaded. */
export async function createOpener(
  context: WorkerContext,
  partner: { id: string; settings: LoadSettings },
  acceptedAt: Date,
): Promise<BatchOpener> {
  const remembered = new Map<string, Promise<KeyObject | null>>();
  const mustSign = partner.settings.signedBatches === "required";
  return {
    findKey(kid) {
      const known = remembered.get(kid);
      if (known !== undefined) return known;
      const key = findBatchKey(context.database, context.keyEncryptionKey, partner.id, kid, acceptedAt);
      if (remembered.size < rememberedMax) {
        // Batches that come together ask once, and go on in their order.
        remembered.set(kid, key);
        // A failed look-up fails who waits for it and is not remembered.
        key.catch(() => remembered.delete(kid));
      }
      return key;
    },
    signers: mustSign ? await findLoginKeys(context.database, partner.id, acceptedAt) : null,
  };
}
