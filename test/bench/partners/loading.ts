/** Files that lie in the vault already, and loading as production does it, without receipts. */
import { createHash, randomUUIDv7 } from "node:crypto";
import { stat } from "node:fs/promises";
import path from "node:path";
import type { Database } from "../../../src/database/database.ts";
import { insertDelivery } from "../../../src/deliveries/deliveries.ts";
import { createEvents } from "../../../src/events.ts";
import { serveTurn } from "../../../src/staging/dispatch.ts";
import { startLoading } from "../../../src/staging/loading.ts";
import type { Pools } from "../../../src/staging/pools.ts";
import { createClock } from "../../../src/time/clock.ts";
import { benchRecords } from "../records.ts";

const pieceRecords = 200;

/** Begins at once, with slots, turns and threads as they are in production. */
export function loadAs(world: { database: Database; pools: Pools; slots: number }): ReturnType<typeof startLoading> {
  const { database, pools, slots } = world;
  const events = createEvents({ level: "silent" });
  const dispatching = {
    database,
    events,
    receipts: { write: async () => undefined, writeAll: async () => new Map<string, unknown>() },
    clock: createClock(),
    ingest: pools.ingest,
    ingestGroup: pools.ingestGroup,
    wake: () => loading.wake(),
  };
  const loading = startLoading({ database, events, slots, serve: (turn) => serveTurn(dispatching, turn) });
  return loading;
}

/** @param reference the file's name in the vault */
export async function deliver(
  { database, vaultDirectory }: { database: Database; vaultDirectory: string },
  partnerId: string,
  reference: string,
  format: "jwe" | "jsonl",
): Promise<void> {
  const id = randomUUIDv7();
  await insertDelivery(database, {
    id,
    partnerId,
    door: "sftp",
    format,
    name: reference,
    requestId: null,
    correlationId: "bench",
    sizeBytes: (await stat(path.join(vaultDirectory, reference))).size,
    sha256: createHash("sha256").update(id).digest(),
    vaultReference: reference,
    refusal: null,
  });
}

/** Records as a JSON array, in pieces. */
export function* arrayText(from: number, count: number): Generator<string> {
  for (let done = 0; done < count; done += pieceRecords) {
    const texts = [...benchRecords(from + done, Math.min(pieceRecords, count - done))].map((one) =>
      JSON.stringify(one),
    );
    yield `${done === 0 ? "[" : ","}${texts.join(",")}`;
  }
  yield "]";
}
