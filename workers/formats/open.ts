/** Opens what a delivery is: a request that was pushed, or a landed file by its format. */
import { Fault } from "../../src/errors.ts";
import { findBody, type LoadableDelivery } from "../../src/deliveries/progress.ts";
import { readCsvDialect } from "../../src/partners/settings/csv-rules.ts";
import { findPgpKeys } from "../../src/partners/keys/pgp-keys.ts";
import type { BatchOpener } from "../records/batch.ts";
import type { WorkerContext } from "../context.ts";
import type { Turn } from "../turn.ts";
import { createOpener } from "../records/opener.ts";
import { findFormat } from "./formats.ts";
import { findKeptFile } from "./kept-file.ts";
import type { DeliveryReader } from "./reader.ts";
import { readRequest } from "./request.ts";

/** A request's key was judged by its door, a moment before the row says that it was accepted. */
const wheneverAccepted = new Date(0);

/** Opens requests of a partner that their door has judged. */
export function createRequestOpener(context: WorkerContext, partnerId: string): Promise<BatchOpener> {
  return createOpener(context, { id: partnerId, settings: {} }, wheneverAccepted);
}

/** Opens a partner's files that were accepted up to a moment: keys that were valid then open them. */
export function createFileOpener(
  context: WorkerContext,
  { partnerId, settings }: Pick<LoadableDelivery, "partnerId" | "settings">,
  acceptedAt: Date,
): Promise<BatchOpener> {
  return createOpener(context, { id: partnerId, settings }, acceptedAt);
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
  return await openFile(context, delivery, turn, await createFileOpener(context, delivery, delivery.acceptedAt));
}

/**
 * Of a delivery that lies in the vault.
 * @param body its bytes, where they were committed with its row and were read; null: they are read from the vault
 */
export async function openFile(
  context: WorkerContext,
  delivery: LoadableDelivery,
  turn: Turn,
  opener: BatchOpener,
  body: Buffer | null = null,
): Promise<DeliveryReader> {
  const file =
    body === null
      ? await findKeptFile(context, delivery, delivery.vaultReference ?? "")
      : { path: context.pathInVault(delivery.vaultReference ?? ""), bytes: body, sizeBytes: body.length };
  return findFormat(delivery.format).open({
    ...file,
    opener,
    turn,
    deliveryPosition: delivery.position,
    ibanRules: delivery.settings.ibanRules ?? {},
    csv: readCsvDialect(delivery.settings.csv),
    manifestRequired: delivery.settings.manifest === "required",
    findPgpKeys: () => findPgpKeys(context.database, context.keyEncryptionKey, delivery.partnerId, delivery.acceptedAt),
  });
}
