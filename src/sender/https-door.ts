/** The HTTPS door as a sender sees it: one POST a batch, several under way. */
import { type Client, createClient } from "./client.ts";
import type { Credentials } from "./credentials.ts";
import type { Door } from "./door.ts";
import { createSealer } from "../sealing/sealer.ts";
import { fetchBatchKey, postBatch, postUser } from "./service.ts";

/** The service opens as many batches at once by default (TIDELINE_DOOR_THREADS); more would only wait there. */
const inFlightMaxDefault = 4;

export async function openHttpsDoor(
  credentials: Credentials,
  signal?: AbortSignal,
  inFlightMax: number = inFlightMaxDefault,
): Promise<Door> {
  const client = createClient(credentials, { connectionsMax: inFlightMax });
  try {
    return await doorThrough(client, inFlightMax, signal);
  } catch (error) {
    client.close();
    throw error;
  }
}

async function doorThrough(client: Client, inFlightMax: number, signal: AbortSignal | undefined): Promise<Door> {
  const sealer = await createSealer(await fetchBatchKey(client, signal));
  return {
    via: "https",
    inFlightMax,
    durableAfter: "batch",
    createUser: (user) => postUser(client, user, signal),
    send: async (batch) => await postBatch(client, batch.requestId, await sealer.seal(batch.plaintext), signal),
    finish: () => Promise.resolve(null),
    get retries() {
      return client.retries;
    },
    close() {
      client.close();
      return Promise.resolve();
    },
  };
}
