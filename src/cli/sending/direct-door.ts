/** The door for a replay on the service's own machine: the same encrypted file, accepted without a network. */
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { createClock } from "../../time/clock.ts";
import { Fault } from "../../errors.ts";
import { createEvents } from "../../events.ts";
import { acceptFile, type Landing } from "../../landing/accept.ts";
import { sealOrigin } from "../../landing/origin.ts";
import { rememberReceiptKey } from "../../deliveries/receipt-files/key.ts";
import { createReceipts } from "../../landing/receipt.ts";
import { realDisk } from "../../deliveries/receipt-files/writing.ts";
import { publicBatchKeys } from "../../partners/keys/batch-keys.ts";
import { createUser } from "../../partners/users.ts";
import type { Door } from "../../sender/door.ts";
import { openFileDoor } from "../../sender/file-door.ts";
import { createSealer } from "../../sealing/sealer.ts";
import { openQueue } from "../../staging/queue.ts";
import { s3SettingsOf } from "../../vault/settings.ts";
import { openVault } from "../../vault/open.ts";
import type { Session } from "../service/session.ts";

/** The caller closes it before the session. @throws Fault NOT_FOUND for an unknown partner */
export async function openDirectDoor(
  session: Session,
  partnerId: string,
  options: { name: string; spoolDirectory: string },
): Promise<Door> {
  const [key] = await publicBatchKeys(session.database, partnerId);
  if (!key) throw new Fault("NOT_FOUND", `There is no partner "${partnerId}" with an encryption key.`);
  await mkdir(session.folder.vault, { recursive: true, mode: 0o700 });
  const ring = await session.keyEncryptionKey();
  const queue = openQueue({ databaseUrl: session.url, redisUrl: session.config.redisUrl });
  const landing: Landing = {
    database: session.database,
    vault: openVault(session.folder.vault, s3SettingsOf(session.config)),
    receipts: createReceipts(
      session.database,
      session.folder.landing,
      realDisk,
      rememberReceiptKey(session.database, ring),
    ),
    sealOrigin: (deliveryId, origin) => sealOrigin(ring, deliveryId, origin),
    events: createEvents({ level: "silent" }),
    clock: createClock(),
    enqueue: queue.add,
    stagingDepthMax: session.config.stagingDepthMax,
  };
  return await openFileDoor({
    via: "direct",
    name: options.name,
    format: "jsonl",
    sealer: await createSealer(key),
    spoolDirectory: options.spoolDirectory,
    createUser: async (user) =>
      (await createUser(session.database, {
        partnerId,
        brandId: user.brand,
        bankUserId: user.bankUserId,
        locale: user.locale,
        details: {},
      }))
        ? "created"
        : "existing",
    deliver: (file) => accept(landing, partnerId, file),
    close: () => queue.close(),
  });
}

async function accept(
  landing: Landing,
  partnerId: string,
  file: { path: string; name: string; sizeBytes: number },
): Promise<void> {
  await sync(file.path);
  const accepted = await acceptFile(landing, {
    ...file,
    partnerId,
    door: "direct",
    sha256: await sha256Of(file.path),
    correlationId: randomUUID(),
  });
  if (!accepted.accepted)
    throw new Fault(
      "SERVICE_REFUSED",
      `The file ${file.name} was refused; see tideline status ${accepted.deliveryId}.`,
    );
}

/** Accepting wants a complete, closed and synced file. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, "r+");
  await handle.sync().finally(() => handle.close());
}

async function sha256Of(path: string): Promise<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest();
}
