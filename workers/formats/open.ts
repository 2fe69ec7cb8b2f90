/** Which reader reads which format. A further format is one file beside this one and one line here. */
import { stat } from "node:fs/promises";
import { Fault } from "../../src/errors.ts";
import { findBody, type LoadableDelivery } from "../../src/ledger/progress.ts";
import type { WorkerContext } from "../context.ts";
import { createOpener } from "../opener.ts";
import { readJsonl, readJsonlGz } from "./jsonl.ts";
import { readJwe } from "./jwe.ts";
import type { DeliveryReader, FileInput } from "./reader.ts";
import { readRequest } from "./request.ts";

const fileReaders: Readonly<Record<string, (input: FileInput) => DeliveryReader>> = {
  jwe: readJwe,
  jsonl: readJsonl,
  "jsonl.gz": readJsonlGz,
};

/** @throws Fault VAULT_GONE when what was kept is not there any more. */
export async function openReader(context: WorkerContext, delivery: LoadableDelivery): Promise<DeliveryReader> {
  const opener = await createOpener(context, { id: delivery.partnerId, settings: delivery.settings }, delivery.acceptedAt);
  if (delivery.vaultReference === null) {
    const body = await findBody(context.database, delivery.id);
    if (body === null) throw new Fault("VAULT_GONE");
    return readRequest(body, opener);
  }
  const read = fileReaders[delivery.format];
  if (!read) throw new TypeError(`no reader for the format ${delivery.format}`);
  const path = context.pathInVault(delivery.vaultReference);
  return read({ path, sizeBytes: await sizeOf(path), opener, manifestRequired: delivery.settings.manifest === "required" });
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (cause) {
    throw new Fault("VAULT_GONE", undefined, { cause });
  }
}
