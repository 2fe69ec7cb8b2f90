/** Which reader reads which format. A further format is one file beside this one and one line here. */
import { stat } from "node:fs/promises";
import { Fault } from "../../src/errors.ts";
import { findBody, type LoadableDelivery } from "../../src/deliveries/progress.ts";
import { findPgpKeys } from "../../src/partners/keys/pgp-keys.ts";
import type { BatchOpener } from "../records/batch.ts";
import type { WorkerContext } from "../context.ts";
import { createOpener } from "../ingest/opener.ts";
import { accountsTable } from "./accounts.ts";
import { readJsonl, readJsonlGz } from "./jsonl.ts";
import { readJwe } from "./jwe.ts";
import type { DeliveryReader, FileInput } from "./reader.ts";
import { readRequest } from "./request.ts";
import { readTable, type TableKind } from "./table.ts";
import { tableEncodings } from "./table-encoding.ts";
import { transactionsTable } from "./transactions.ts";

type OpenFile = (input: FileInput) => DeliveryReader;

const fileReaders: Readonly<Record<string, OpenFile>> = {
  jwe: readJwe,
  jsonl: readJsonl,
  "jsonl.gz": readJsonlGz,
  ...tableReaders("accounts", accountsTable),
  ...tableReaders("transactions", transactionsTable),
};

/** One entry an encoding, such as "accounts.csv.gz.pgp". */
function tableReaders(name: string, kind: TableKind): Record<string, OpenFile> {
  return Object.fromEntries(
    Object.entries(tableEncodings).map(([ending, encoding]) => [`${name}.${ending}`, readTable(kind, encoding)]),
  );
}

/** A request's key was judged by its door, a moment before the row says that it was accepted. */
const wheneverAccepted = new Date(0);

/** Opens requests of a partner that their door has judged. */
export function createRequestOpener(context: WorkerContext, partnerId: string): Promise<BatchOpener> {
  return createOpener(context, { id: partnerId, settings: {} }, wheneverAccepted);
}

/** @throws Fault VAULT_GONE when what was kept is not there any more. */
export async function openReader(context: WorkerContext, delivery: LoadableDelivery): Promise<DeliveryReader> {
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
  const read = fileReaders[delivery.format];
  if (!read) throw new TypeError(`no reader for the format ${delivery.format}`);
  const path = context.pathInVault(delivery.vaultReference);
  return read({
    path,
    sizeBytes: await sizeOf(path),
    opener,
    deliveryPosition: delivery.position,
    manifestRequired: delivery.settings.manifest === "required",
    findPgpKeys: () => findPgpKeys(context.database, context.keyEncryptionKey, delivery.partnerId, delivery.acceptedAt),
  });
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (cause) {
    throw new Fault("VAULT_GONE", undefined, { cause });
  }
}
