/** Opens what a delivery is: a request that was pushed, or a landed file by its format. */
import { stat } from "node:fs/promises";
import { Fault } from "../../src/errors.ts";
import { findBody, type LoadableDelivery } from "../../src/deliveries/progress.ts";
import { readCsvDialect } from "../../src/partners/settings/csv-rules.ts";
import { findPgpKeys } from "../../src/partners/keys/pgp-keys.ts";
import type { BatchOpener } from "../records/batch.ts";
import type { WorkerContext } from "../context.ts";
import type { Turn } from "../turn.ts";
import { createOpener } from "../records/opener.ts";
import { findFormat } from "./formats.ts";
import type { DeliveryReader } from "./reader.ts";
import { readRequest } from "./request.ts";

/** A request's key was judged by its door, a moment before the row says that it was accepted. */
const wheneverAccepted = new Date(0);

/** Opens requests of a partner that their door has judged. */
export function createRequestOpener(context: WorkerContext, partnerId: string): Promise<BatchOpener> {
  return createOpener(context, { id: partnerId, settings: {} }, wheneverAccepted);
}

/** @throws Fault VAULT_GONE when what was kept is not there any more. */
export async function openReader(
  context: WorkerContext,
  delivery: LoadableDelivery,
  turn: Turn,
): Promise<DeliveryReader> {
  if (delivery.vaultReference === null) {
    const body = await findBody(context.database, delivery.id);
    if (body === null) throw new Fault("VAULT_GONE");
    return readRequest(body, await createRequestOpener(context, delivery.partnerId), delivery.position);
  }
  const opener = await createOpener(
    context,
    { id: delivery.partnerId, settings: delivery.settings },
    delivery.acceptedAt,
  );
  const path = context.pathInVault(delivery.vaultReference);
  return findFormat(delivery.format).open({
    path,
    sizeBytes: await sizeOf(path),
    opener,
    turn,
    deliveryPosition: delivery.position,
    ibanRules: delivery.settings.ibanRules ?? {},
    csv: readCsvDialect(delivery.settings.csv),
    manifestRequired: delivery.settings.manifest === "required",
    findPgpKeys: () => findPgpKeys(context.database, context.keyEncryptionKey, delivery.partnerId, delivery.acceptedAt),
  });
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // Everything else speaks against the disk.
    if (code !== "ENOENT" && code !== "ENOTDIR") throw cause;
    throw new Fault("VAULT_GONE", undefined, { cause });
  }
}
