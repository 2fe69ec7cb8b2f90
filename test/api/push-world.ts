/** The HTTPS door for batches over a real acceptance, and a sender for it that knows nothing but the key set. */
import { createHash } from "node:crypto";
import type { ExecutionContext } from "ava";
import { CompactEncrypt, importJWK, type JWK } from "jose";
import type { ApiDependencies } from "../../src/api/server.ts";
import { createClock } from "../../src/time/clock.ts";
import { createEvents } from "../../src/events.ts";
import { acceptRequest, isRepeat, type Landing } from "../../src/landing/accept.ts";
import { createReceipts } from "../../src/landing/receipt.ts";
import { fileVault } from "../../src/vault/file-vault.ts";
import { openContext, type WorkerContext } from "../../workers/context.ts";
import { inspectBatch } from "../../workers/ingest/inspect.ts";
import { giveBatchKeys } from "../batch-keys.ts";
import { urlsOfRoles } from "../world.ts";
import { openWorld, partnerPath, type World } from "./world.ts";

export const path = `${partnerPath}/transactions`;

/** The door with the real acceptance, and with the real opening of batches where a test asks for it. */
export async function openDoor(
  t: ExecutionContext,
  inspect: ApiDependencies["inspect"] | "real" = inspected,
  stagingDepthMax = 10,
  given: Partial<ApiDependencies> = {},
): Promise<World> {
  let landing: Landing | undefined;
  let worker: WorkerContext | undefined;
  const world = await openWorld(t, {
    ...given,
    inspect:
      inspect === "real"
        ? async (task) => (worker ? inspectBatch(worker, task) : Promise.reject(new Error("not open yet")))
        : inspect,
    isRepeat: async (request) => landing !== undefined && (await isRepeat(landing, request)),
    acceptRequest: async (request) =>
      landing ? acceptRequest(landing, request) : { outcome: "busy", retryAfterSeconds: 1 },
  });
  const { database } = world;
  const opened = openContext({
    databaseUrl: urlsOfRoles(world.url).loader,
    keyEncryptionKey: world.keyEncryptionKey,
    vaultDirectory: "/nonexistent",
  });
  worker = opened;
  t.teardown(() => opened.database.end());
  landing = {
    database,
    stagingDepthMax,
    clock: createClock(),
    events: createEvents({ level: "silent" }),
    vault: fileVault("/nonexistent"),
    receipts: createReceipts(database, "/nonexistent"),
    enqueue: async () => undefined,
  };
  return world;
}

/** Content is told by txs up to the first dot, so that "a.1" and "a.2" are one content encrypted twice. */
export const inspected: ApiDependencies["inspect"] = async ({ txs }) => ({
  ok: true,
  records: 1,
  markers: 0,
  uids: [],
  contentSha256: createHash("sha256")
    .update(txs.split(".")[0] ?? "")
    .digest("hex"),
});

/** A sender that knows nothing but the key set. */
export async function encryptFor({ call }: World, records: unknown, header: object = {}, nth = 0): Promise<string> {
  const { keys } = (await call("GET", `${partnerPath}/.well-known/jwks.json`)).json as {
    keys: (JWK & { kid: string })[];
  };
  const key = keys[nth];
  if (!key) throw new Error("no key");
  const protectedHeader = { alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid, ...header };
  return new CompactEncrypt(Buffer.from(JSON.stringify(records)))
    .setProtectedHeader(protectedHeader)
    .encrypt(await importJWK(key, protectedHeader.alg));
}

export async function openRealDoor(t: ExecutionContext): Promise<World> {
  const world = await openDoor(t, "real");
  await giveBatchKeys(world.database, world.keyEncryptionKey, "north");
  await world.newUser("anna");
  return world;
}
